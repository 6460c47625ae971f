"""Summer visitors that build structures."""

from tests.table.fixtures import ALL_STRUCTURES, VINE_COPIES

from .visitor import built, plant, planted, up_to, visitor

CHEAP = ["trellis", "irrigation", "yoke"]
IDLE = {"structures": ALL_STRUCTURES}
MALVASIA = {"vine": ["malvasia"], "sold": [6, 7]}


def all_but(*structures):
    return [name for name in ALL_STRUCTURES if name not in structures]


of = visitor("handyman")  # everybody may build for 2 less; 1 VP for each opponent who does
HANDYMAN = [
    of("the own building brings no point", {"lira": 3}, IDLE, moves="yes",
       ends=["trellis+1", "yoke+1", "irrigation+1 lira-1", "windmill+1 lira-3", "cottage+1 lira-2",
             "medium_cellar+1 lira-2"]),
    of("an opponent's does; each may decline", IDLE, {"lira": 4},
       with_ends=["", "vp+1 1.lira-4 1.tasting_room+1"], legal="yes no"),
    of("two opponents bring two points", {}, {}, {}, moves="no yes structure:yoke yes structure:trellis",
       gives="1.yoke+1 2.trellis+1 vp+2"),
    of("asks in wake-up order, the player at the own place (ruling 3.13)",
       {"row": 4}, {"row": 6}, {"row": 2}, {"row": 5}, asks="2 0 3 1"),
    of("asks players who passed (ruling 3.14)", {}, {"passed": True}, asks="0 1"),
    *built(of, 2, IDLE, before="yes"),
    of("does not ask seats that cannot build", {}, {"structures": ["trellis", "yoke"]},
       {"lira": 1, "structures": ["trellis", "yoke"]}, IDLE, asks="0 2"),
    of("may be played for an opponent alone", IDLE, {}, seat=1, legal="yes no"),
    of("refused if no seat can build", {"structures": ["trellis", "yoke"]}, IDLE | {"lira": 9}, is_refused=True),
]  # fmt: skip

of = visitor("homesteader")  # build for 3 less, or plant one or two vines, or both for 1 VP
HOMESTEADER = [
    *built(of, 3, before="option:1"),
    of("plants one vine or two", {"vine": ["malvasia", "malvasia", "malvasia"], "structures": ALL_STRUCTURES[1:3]},
       moves="option:2 card:vine:malvasia field:5",
       with_ends=["plant5:malvasia+1 vine:malvasia-1", "plant5:malvasia+2 vine:malvasia-2",
                  "plant5:malvasia+1 plant6:malvasia+1 vine:malvasia-2"],
       no_ends=["plant5:malvasia+3 vine:malvasia-3"]),
    of("two vines and no third; the windmill's point once", {"vine": ["malvasia"] * 3, "structures": ALL_STRUCTURES},
       moves="option:2 card:vine:malvasia field:5 card:vine:malvasia field:6", seat=1, decision="place_worker",
       gives="plant5:malvasia+1 plant6:malvasia+1 vine:malvasia-2 used:windmill+1 vp+1"),
    of("both cost one point: building first", {"lira": 1, "vine": ["malvasia"]},
       moves="option:1 structure:cottage option:2 card:vine:malvasia field:5",
       gives="lira-1 vp-1 cottage+1 vine:malvasia-1 plant5:malvasia+1"),
    of("both cost one point: planting two first (ruling 3.4)", {"lira": 1, "vine": ["malvasia", "malvasia"]},
       moves="option:2 card:vine:malvasia field:5 card:vine:malvasia field:5 option:1 structure:cottage",
       gives="lira-1 vp-1 cottage+1 vine:malvasia-2 plant5:malvasia+2"),
    of("the second part is decided after the first (ruling 3.17)", {"vine": ["malvasia"]},
       moves="option:1 structure:trellis", legal="option:2 done"),
    of("the second part may be left", {"vine": ["malvasia"]}, moves="option:1 structure:trellis done",
       gives="trellis+1"),
    of("its trellis makes its own planting possible", {"vine": ["pinot"]}, branches="1"),
    of("the vine on that trellis", {"vine": ["pinot"]},
       moves="option:1 structure:trellis option:2 card:vine:pinot field:7",
       gives="trellis+1 vp-1 plant7:pinot+1 vine:pinot-1"),
    of("no second part that is impossible", {"vine": ["pinot"]}, moves="option:1 structure:yoke", gives="yoke+1"),
    of("the second part needs the point (rulings 2.1 and 3.17)", {"vp": -4, "vine": ["malvasia"]},
       moves="option:1 structure:yoke", offers="option:2"),
    of("the second part lacks the point", {"vp": -5, "vine": ["malvasia"]}, moves="option:1 structure:yoke",
       gives="yoke+1"),
    of("the windmill's point may pay for the second part (ruling 3.17)",
       {"vp": -5, "vine": ["malvasia"], "structures": ["windmill"]},
       moves="option:2 card:vine:malvasia field:5 option:1 structure:yoke",
       gives="yoke+1 used:windmill+1 plant5:malvasia+1 vine:malvasia-1"),
    of("without a vine: build alone", branches="1"),
    of("with a vine: both", {"vine": ["malvasia"]}, branches="1 2"),
    of("all built: plant alone", {"vine": ["malvasia"]} | IDLE, branches="2"),
    of("all built and no vine", IDLE | {"lira": 9}, is_refused=True),
    of("a lira too few for the last", {"structures": all_but("windmill"), "lira": 1}, is_refused=True),
    of("the money for the last", {"structures": all_but("windmill"), "lira": 2}, branches="1"),
]  # fmt: skip

of = visitor("architect")  # build for 3 less, or 1 VP for each structure of cost 4
ARCHITECT = [
    *built(of, 3, before="option:1"),
    of("gives no change", {"lira": 5}, moves="option:1 structure:yoke", gives="yoke+1"),
    *(of(f"a point for each of cost 4, or for none (rulings 2.8 and 2.12): {stand}", {"structures": stand},
         moves="option:2", gives=f"vp+{points}" if points else "")
      for stand, points in ((["cottage", "medium_cellar"], 2), (["cottage"], 1), (["medium_cellar", "large_cellar"], 1),
                            (all_but("cottage", "medium_cellar", "large_cellar"), 0), ([], 0))),
    of("all built: points alone", IDLE | {"lira": 9}, branches="2", ends=["vp+2"]),
    of("no lira for the cottage", {"structures": CHEAP}, branches="2"),
    of("a lira for the cottage", {"lira": 1, "structures": CHEAP}, branches="1 2"),
]  # fmt: skip

of = visitor("artisan")  # 3 lira, or build for 1 less, or plant one or two vines
ARTISAN = [
    *built(of, 1, before="option:2", cannot={"branches": "1"}),
    of("three lira, or one vine or two (ruling 3.2)", {"vine": ["sangiovese", "malvasia"], "sold": [6, 7]},
       ends=["lira+3", *up_to(2, planted("5:sangiovese"), planted("5:malvasia"))]),
    of("two vines and no third", {"vine": ["sangiovese", "malvasia", "malvasia"]}, seat=1, decision="place_worker",
       moves="option:3 " + plant("5:sangiovese", "7:malvasia"), gives=planted("5:sangiovese", "7:malvasia")),
    of("the windmill's point once for two vines", {"vine": ["sangiovese", "malvasia"], "structures": ["windmill"]},
       moves="option:3 " + plant("5:sangiovese", "5:malvasia"),
       gives=planted("5:sangiovese", "5:malvasia") + " used:windmill+1 vp+1"),
    *(of(f"open to {seat}", seat, branches=branches) for seat, branches in (
        ({}, "1"), ({"lira": 1}, "1 2"), (IDLE | {"lira": 9}, "1"), ({"vine": ["malvasia"]}, "1 3"),
        ({"vine": ["pinot"]}, "1"), ({"vine": ["pinot"], "structures": ["trellis"]}, "1 3"))),
]  # fmt: skip

of = visitor("blacksmith")  # build for 2 less; 1 VP if it costs 5 or 6 (ruling 4)
BLACKSMITH = [
    *built(of, 2, other_changes=lambda name: "vp+1" if name in ("windmill", "tasting_room", "large_cellar") else ""),
    of("builds nothing twice", {"lira": 9, "structures": all_but("cottage")}, ends=["lira-2 cottage+1"]),
    of("the yoke for nothing", {"structures": all_but("yoke")}, ends=["yoke+1"]),
    of("all built", IDLE | {"lira": 9}, is_refused=True),
    of("a lira too few for the rest", {"lira": 1, "structures": all_but("cottage", "windmill")}, is_refused=True),
    of("and no more than it takes", {"lira": 2, "structures": all_but("cottage", "windmill")},
       ends=["lira-2 cottage+1"]),
]  # fmt: skip

of = visitor("contractor")  # two different ones of 1 VP, build, plant
BOTH_PARTS = {"lira": 2, "vine": ["malvasia"]}
TRELLIS = {"lira": 2, "vine": ["pinot"]}
CONTRACTOR = [
    *built(of, 0, before="option:2", after="option:1", other_changes=lambda name: "vp+1", cannot={"is_refused": True}),
    of("two of three", MALVASIA | {"lira": 3, "structures": ["trellis", "yoke"]}, branches="1 2 3",
       ends=up_to(2, "vp+1", "lira-3 irrigation+1", planted("5:malvasia"), min_changes=2)),
    *(of(f"after {first}, another one and no end (rulings 3.4 and 3.16)", BOTH_PARTS, moves=first, legal=others)
      for first, others in (("option:1", "option:2 option:3"), ("option:2 structure:yoke", "option:1 option:3"),
                            ("option:3 card:vine:malvasia field:5", "option:1 option:2"))),
    of("the vine waits for the trellis", TRELLIS, branches="1 2"),
    of("its trellis makes its own planting possible (ruling 3.4)", TRELLIS, moves="option:2 structure:trellis",
       legal="option:1 option:3", with_ends=["lira-2 trellis+1 " + planted("7:pinot")]),
    of("the yoke does not", TRELLIS, moves="option:2 structure:yoke", legal="option:1"),
    of("its windmill scores its own planting", {"lira": 5, "vine": ["malvasia"]},
       moves="option:2 structure:windmill option:3 card:vine:malvasia field:5",
       gives="lira-5 windmill+1 used:windmill+1 vp+1 " + planted("5:malvasia")),
    of("money without a vine", {"lira": 2}, branches="1 2"),
    of("a vine without money", {"lira": 1, "vine": ["malvasia"]}, branches="1 3"),
    *(of(f"the point alone is not enough (ruling 3.16): {seat}", seat, is_refused=True) for seat in (
        {"lira": 1}, IDLE | {"lira": 9}, {"lira": 1, "vine": ["pinot"]},
        {"lira": 1, "vine": ["malvasia"], "sold": [5, 6, 7]})),
]  # fmt: skip

of = visitor("overseer")  # build and plant; 1 VP if the vine's values add up to 4
BOTH = ["trellis", "irrigation"]
FOUR = ("cabernet_sauvignon", "chardonnay")
OVERSEER = [
    *built(of, 0, before="option:1", after=plant("5:malvasia"), cannot={"is_refused": True}, vine=["malvasia"],
           other_changes=lambda name: planted("5:malvasia") + (" used:windmill+1 vp+1" if name == "windmill" else "")),
    of("a windmill built after the planting does not score (ruling 3.4)", MALVASIA | {"lira": 5},
       moves="option:2 card:vine:malvasia field:5 structure:windmill",
       gives="lira-5 windmill+1 " + planted("5:malvasia")),
    *(of(f"{vine}, in either order (ruling 4)",
         {"lira": 2, "vine": [vine], "structures": BOTH, "sold": [5, 6], "fields": {7: ["merlot"]}},
         branches="1 2", ends=["lira-2 yoke+1 " + planted(f"7:{vine}") + (" vp+1" if vine in FOUR else "")])
      for vine in VINE_COPIES),
    of("its trellis makes its own planting possible; nothing that could not be finished (ruling 3.4)",
       {"lira": 6, "vine": ["pinot"], "sold": [6, 7]}, branches="1", ends=["lira-2 trellis+1 " + planted("5:pinot")]),
    of("its irrigation completes a vine of four", {"lira": 3, "vine": ["chardonnay"], "structures": ["trellis"],
                                                   "sold": [6, 7]},
       ends=["lira-3 irrigation+1 vp+1 " + planted("5:chardonnay")]),
    of("planting first, not the vine that waits for the trellis", {"lira": 2, "vine": ["malvasia", "pinot"]},
       moves="option:2", legal="card:vine:malvasia"),
    of("just enough", MALVASIA | {"lira": 2}, branches="1 2",
       ends=[f"lira-2 {name}+1 " + planted("5:malvasia") for name in ("trellis", "yoke")]),
    *(of(f"refused unless both can be done: {seat}", seat, is_refused=True) for seat in (
        {"lira": 9}, {"lira": 1, "vine": ["malvasia"]}, IDLE | {"lira": 9, "vine": ["malvasia"]},
        {"lira": 9, "vine": ["malvasia"], "sold": [5, 6, 7]}, {"lira": 1, "vine": ["pinot"]},
        {"lira": 9, "vine": ["chardonnay"]})),
]  # fmt: skip

of = visitor("stonemason")  # 8 lira for any two structures
STONEMASON = [
    of("two dear ones", {"lira": 8}, moves="structure:windmill structure:tasting_room",
       gives="lira-8 windmill+1 tasting_room+1"),
    of("two cheap ones for the same price", {"lira": 10}, moves="structure:trellis structure:yoke", seat=1,
       gives="lira-8 trellis+1 yoke+1"),
    of("the medium cellar, then the large one (ruling 4)", {"lira": 8}, moves="structure:medium_cellar",
       with_ends=["lira-8 medium_cellar+1 large_cellar+1"]),
    of("not the large cellar first", {"lira": 8}, refuses="structure:large_cellar"),
    of("nor after another one, and no end after one", {"lira": 8}, moves="structure:cottage",
       refuses="structure:large_cellar done"),
    of("no first one that leaves no second", {"lira": 8, "structures": all_but("medium_cellar", "large_cellar")},
       legal="structure:medium_cellar", ends=["lira-8 medium_cellar+1 large_cellar+1"]),
    of("the last two", {"lira": 8, "structures": all_but("yoke", "large_cellar")},
       ends=["lira-8 yoke+1 large_cellar+1"]),
    *(of(f"refused with {lira} lira with {stand or 'nothing'}", {"lira": lira, "structures": stand}, is_refused=True)
      for lira, stand in ((7, []), (8, ALL_STRUCTURES), (8, all_but("yoke")), (8, all_but("large_cellar")))),
]  # fmt: skip

of = visitor("uncertified_architect")  # 1 VP for a structure of cost 2 or 3, or 2 VP for any
FOR_ONE = [f"vp-1 {name}+1" for name in CHEAP]
UNCERTIFIED_ARCHITECT = [
    of("a cheap one for a point, any for two, the money untouched", {"lira": 9},
       ends=FOR_ONE + [f"vp-2 {name}+1" for name in all_but("large_cellar")]),
    of("the large cellar upon the medium one", {"structures": ["medium_cellar"]},
       ends=FOR_ONE + [f"vp-2 {name}+1" for name in all_but("medium_cellar")]),
    of("two points at -3", {"vp": -3, "structures": all_but("yoke")}, ends=["vp-1 yoke+1", "vp-2 yoke+1"]),
    of("one at -4 (ruling 2.1)", {"vp": -4}, branches="1", ends=FOR_ONE),
    of("the dear ones alone are left", {"structures": CHEAP}, branches="2"),
    of("the irrigation alone is left", {"structures": all_but("irrigation")}, branches="1 2"),
    *(of(f"refused at {points} with {stand or 'nothing'}", {"vp": points, "structures": stand}, is_refused=True)
      for points, stand in ((-5, []), (-4, CHEAP), (0, ALL_STRUCTURES))),
]  # fmt: skip

CASES = [*HANDYMAN, *HOMESTEADER, *ARCHITECT, *ARTISAN, *BLACKSMITH, *CONTRACTOR, *OVERSEER, *STONEMASON,
         *UNCERTIFIED_ARCHITECT]  # fmt: skip
