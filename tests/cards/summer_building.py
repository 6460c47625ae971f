"""Summer visitors that build structures."""

from tests.table.facts import ALL_STRUCTURES, COST

from .visitor import visitor

NEEDS = {"large_cellar": ["medium_cellar"]}


def all_but(*structures):
    return [name for name in ALL_STRUCTURES if name not in structures]


of = visitor("handyman")  # everybody may build for 2 less; 1 VP for each opponent who does
IDLE = {"structures": ALL_STRUCTURES}
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
    *(of(f"{name} for 2 less", {"lira": cost - 2, "structures": NEEDS.get(name, [])}, IDLE,
         moves=f"yes structure:{name}", gives=f"{name}+1" + (f" lira-{cost - 2}" if cost > 2 else ""))
      for name, cost in COST.items()),
    *(of(f"{name} needs the reduced price", {"lira": cost - 3, "structures": NEEDS.get(name, [])}, moves="yes",
         refuses=f"structure:{name}", offers="structure:yoke") for name, cost in COST.items() if cost > 2),
    of("does not ask who cannot build", {}, {"structures": ["trellis", "yoke"]},
       {"lira": 1, "structures": ["trellis", "yoke"]}, IDLE, asks="0 2"),
    of("may be played for an opponent alone", IDLE, {}, seat=1, legal="yes no"),
    of("refused when nobody can build", {"structures": ["trellis", "yoke"]}, IDLE | {"lira": 9}, is_refused=True),
]  # fmt: skip

of = visitor("homesteader")  # build for 3 less, or plant one or two vines, or both for 1 VP
HOMESTEADER = [
    *(of(f"{name} for 3 less", {"lira": max(cost - 3, 0), "structures": NEEDS.get(name, [])},
         moves=f"option:1 structure:{name}", gives=f"{name}+1" + (f" lira-{cost - 3}" if cost > 3 else ""))
      for name, cost in COST.items()),
    *(of(f"{name} needs the reduced price", {"lira": cost - 4, "structures": NEEDS.get(name, [])}, moves="option:1",
         refuses=f"structure:{name}") for name, cost in COST.items() if cost > 3),
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

CASES = [*HANDYMAN, *HOMESTEADER]
