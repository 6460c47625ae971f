"""Winter visitors that harvest."""

from tests.table.fixtures import CELLARS

from .visitor import made, make, up_to, visitor

THREE_FIELDS = {5: ["merlot"], 6: ["pinot"], 7: ["chardonnay"]}
YIELDS = ["harvested5+1 grape:red:3+1", "harvested6+1 grape:red:1+1 grape:white:1+1", "harvested7+1 grape:white:4+1"]
DONE = {"fields": {5: ["merlot"]}, "harvested": [5]}

of = visitor("harvest_expert")  # harvest a field, and a vine, or the yoke for 1
TWO_FIELDS = {"fields": {5: ["merlot"], 6: ["pinot"]}}
HARVEST_EXPERT = [
    of("the harvest belongs to both branches (ruling 4)", TWO_FIELDS | {"lira": 1},
       ends=[f"{reward} {field}" for reward in ("vine+1", "lira-1 yoke+1") for field in YIELDS[:2]]),
    of("no yoke to begin with", TWO_FIELDS | {"lira": 1}, refuses="place:yoke:plain:regular"),
    of("the yoke may be used in the next turn (section 5)", TWO_FIELDS | {"lira": 1},
       moves="option:2 field:5 structure:yoke pass", seat=0, offers="place:yoke:plain:regular"),
    of("no yoke without a lira", {"fields": {5: ["merlot"]}}, branches="1"),
    of("no second yoke", {"fields": {5: ["merlot"]}, "lira": 1, "structures": ["yoke"]}, branches="1"),
    of("refused without a vine", {"lira": 9}, is_refused=True),
    of("refused when all is harvested", DONE | {"lira": 9}, is_refused=True),
]  # fmt: skip

of = visitor("harvester")  # harvest one or two fields, and 2 lira or 1 VP
HARVESTER = [
    of("2 lira or a point, for one field or two", {"fields": THREE_FIELDS},
       ends=[f"{reward} {fields}" for reward in ("lira+2", "vp+1") for fields in up_to(2, *YIELDS)]),
    of("the vines of a field add up (Harvesting fields)",
       {"fields": {7: ["sangiovese", "pinot", "cabernet_sauvignon"]}}, moves="option:1",
       gives="lira+2 harvested7+1 grape:red:6+1 grape:white:1+1"),
    of("a grape takes the next lower free slot (Harvesting fields, note 2)",
       {"fields": {5: ["merlot"]}, "grapes": {"red": [2, 3]}}, moves="option:1",
       gives="lira+2 harvested5+1 grape:red:1+1"),
    of("a grape without a slot is lost, the field harvested (ruling 7.8)",
       {"fields": {5: ["malvasia"]}, "grapes": {"white": [1]}}, moves="option:2", gives="vp+1 harvested5+1"),
    of("refused without a vine", is_refused=True),
    of("refused when all is harvested", DONE, is_refused=True),
    of("only fields that can be harvested", TWO_FIELDS | {"harvested": [5], "sold": [7]}, moves="option:1",
       legal="field:6"),
]  # fmt: skip

of = visitor("reaper")  # harvest one to three fields; 2 VP for three
REAPER = [
    of("three fields score, one or two do not", {"fields": THREE_FIELDS},
       ends=[*up_to(2, *YIELDS), "vp+2 " + " ".join(YIELDS)]),
    of("a field harvested earlier does not count (ruling 4)", {"fields": THREE_FIELDS, "harvested": [5]},
       ends=up_to(2, *YIELDS[1:])),
    of("three score although grapes are lost (ruling 4)",
       {"fields": {5: ["sangiovese"], 6: ["sangiovese"], 7: ["malvasia"]}, "grapes": {"white": [1]}},
       moves="field:5 field:6 field:7", gives="vp+2 harvested5+1 harvested6+1 harvested7+1 grape:red:1+1"),
    of("refused without a vine", is_refused=True),
    of("refused when all is harvested", DONE, is_refused=True),
    of("refused when all is sold", {"sold": [5, 6, 7]}, is_refused=True),
]  # fmt: skip

of = visitor("jack_of_all_trades")  # two of: harvest a field, make one or two wines, fill an order
FILL_2 = "option:3 card:order:order_02 wine:red:2 wine:white:2"
FILLED_2, FILLED_3, FILLED_4 = (f"vp+2 residual+1 order:order_0{number}-1" for number in (2, 3, 4))
PINOT = {"fields": {6: ["pinot"]}}
FILLS_4 = {"order": ["order_04"], "grapes": {"red": [1]}, "wines": {"red": [1, 2], "white": [3]}}
MAKES_3 = {"order": ["order_03"], "grapes": {"red": [3], "white": [1]}, "structures": CELLARS[:1]}
ALL_THREE = {"order": ["order_02"], "wines": {"red": [2], "white": [2]}, "grapes": {"red": [1]},
             "fields": {5: ["merlot"]}}  # fmt: skip
JACK_OF_ALL_TRADES = [
    of("harvests, then makes wine of the harvest (ruling 3.16)", {"fields": {5: ["merlot"]}}, branches="1",
       ends=["harvested5+1 wine:red:3+1"]),
    of("makes wine, then fills an order with it",
       {"order": ["order_03"], "grapes": {"red": [3]}, "wines": {"white": [1]}}, branches="2",
       ends=[f"{FILLED_3} grape:red:3-1 wine:white:1-1"]),
    of("fills an order, then harvests", PINOT | {"order": ["order_02"], "wines": {"red": [2], "white": [2]}},
       moves=f"{FILL_2} option:1", gives=f"{FILLED_2} wine:red:2-1 wine:white:2-1 {YIELDS[1]}"),
    of("one or two wines, then harvests", PINOT | {"grapes": {"red": [2, 3]}}, moves="option:2",
       ends=[f"{wines} {YIELDS[1]}" for wines in up_to(2, made("red:2"), made("red:3"))]),
    of("makes no third wine", {"fields": {6: ["trebbiano"]}, "grapes": {"red": [1, 2, 3]}},
       moves="option:2 " + make("red:1", "red:2") + " option:1",
       gives=made("red:1", "red:2") + " harvested6+1 grape:white:2+1"),
    of("one field, then one wine", {"fields": {5: ["merlot"], 6: ["syrah"]}}, moves="option:1",
       ends=["harvested5+1 wine:red:3+1", "harvested6+1 wine:red:2+1"]),
    of("harvest and wine", TWO_FIELDS | {"grapes": {"red": [3]}}, branches="1 2"),
    of("not the same twice", TWO_FIELDS | {"grapes": {"red": [3]}}, moves="option:1 field:5", legal="option:2"),
    of("not one alone (ruling 3.16)", ALL_THREE, moves="option:1 field:5", legal="option:2 option:3"),
    of("refused with wine alone", {"grapes": {"red": [3]}}, is_refused=True),
    of("refused with an order alone", {"order": ["order_02"], "wines": {"red": [2], "white": [2]}}, is_refused=True),
    of("refused where the harvested grape finds its slot in the cellar taken",
       {"fields": {5: ["sangiovese"]}, "wines": {"red": [1]}}, is_refused=True),
    of("refused where the wine is too weak for the order", {"grapes": {"red": [3]}, "order": ["order_01"]},
       is_refused=True),
    of("harvests only a field that leaves a second thing (ruling 3.1)",
       {"fields": {5: ["sangiovese"], 6: ["merlot"]}, "wines": {"red": [1]}}, moves="option:1", legal="field:6"),
    *(of(f"keeps its {grape} grape while it tries the harvest", {"fields": {6: [vine]}, "grapes": {grape: [9]},
                                                                 "wines": {grape: [1, 2, 3]}},
         moves="option:1", legal="field:6", holds=[(f"seats.0.crush_pad.{grape}", [9])])
      for grape, vine in (("red", "trebbiano"), ("white", "syrah"))),
    of("an order first that frees the slot for the wine", FILLS_4, branches="3",
       ends=[f"{FILLED_4} grape:red:1-1 wine:white:3-1"]),
    of("with the wine whose slot is needed (rulings 3.1 and 7.13)", FILLS_4, moves="option:3 card:order:order_04",
       legal="wine:red:1"),
    of("wine first where only an order can follow", MAKES_3, branches="2"),
    of("either wine first", MAKES_3, moves="option:2", legal="make:red make:white"),
    of("the second wine too, which the order takes (rulings 3.1 and 3.16)", MAKES_3, moves="option:2 " + make("red:3"),
       legal="make:white"),
]  # fmt: skip

of = visitor("laborer")  # harvest one or two fields, or make one to three wines, or both for 1 VP
MERLOT = {"fields": {5: ["merlot"]}}
LABORER = [
    of("harvests one field or two", {"fields": {5: ["sangiovese"], 6: ["syrah"], 7: ["merlot"]}, "vp": -5},
       ends=up_to(2, *(f"harvested{size}+1 grape:red:{value}+1" for size, value in ((5, 1), (6, 2), (7, 3))))),
    of("or one to three wines, and no fourth", {"grapes": {"red": [1, 2], "white": [1, 2]}},
       ends=up_to(3, *map(made, ("red:1", "red:2", "white:1", "white:2")))),
    of("the wine of the harvest for a point (ruling 3.4)", MERLOT, branches="1",
       ends=[YIELDS[0], "vp-1 harvested5+1 wine:red:3+1"]),
    of("wine first, which frees the slot of the harvest", MERLOT | {"grapes": {"red": [3]}},
       moves="option:2 make:red grape:red:3", ends=[made("red:3"), "vp-1 harvested5+1 wine:red:3+1"]),
    *(of(f"both at {points} points", MERLOT | {"vp": points}, moves="option:1 field:5 option:2",
         gives="vp-1 harvested5+1 wine:red:3+1") for points in (-4, 5)),
    of("not both at -5 (rulings 2.1 and 3.17)", MERLOT | {"vp": -5}, moves="option:1 field:5", gives=YIELDS[0],
       seat=1),
    of("the second part may be left", MERLOT | {"grapes": {"white": [2]}}, moves="option:1 field:5",
       legal="option:2 done"),
    of("no second part that is impossible", {"fields": {5: ["sangiovese"]}, "wines": {"red": [1]}},
       moves="option:1 field:5", gives="harvested5+1 grape:red:1+1", seat=1),
    of("refused without grape and vine", is_refused=True),
    of("with a grape: wine alone", {"grapes": {"red": [1]}}, branches="2"),
]  # fmt: skip

CASES = [*HARVEST_EXPERT, *HARVESTER, *REAPER, *JACK_OF_ALL_TRADES, *LABORER]
