"""Summer visitors that plant, uproot and exchange vines."""

from tests.table.case import case
from tests.table.fixtures import place
from tests.table.setup_position import table

from .visitor import plant, planted, up_to, visitor

BOTH = ["trellis", "irrigation"]
FULL = {5: ["merlot", "syrah"], 6: ["merlot", "merlot"], 7: ["cabernet_sauvignon", "merlot"]}
NO_PLANTING = [
    {}, {"vine": ["pinot"]}, {"vine": ["merlot"], "structures": ["trellis"]},
    {"vine": ["trebbiano"], "structures": ["irrigation"]}, {"vine": ["malvasia"], "sold": [5, 6, 7]},
]  # fmt: skip
NO_ROOM = [
    {"vine": ["malvasia"], "fields": FULL},
    {"vine": ["pinot"], "structures": ["trellis"], "fields": {5: ["cabernet_sauvignon"]}, "sold": [6, 7]},
]
NORMAL = {"vine": ["malvasia", "syrah", "merlot"], "structures": ["trellis"], "sold": [7],
          "fields": {5: ["cabernet_sauvignon"], 6: ["cabernet_sauvignon", "malvasia"]}}  # fmt: skip
WINDMILL = "used:windmill+1 vp+1"
AGAIN = f"pass {place('plant_vine')}"  # the other passes, and the player plants in the next turn


def refused(of, *seats):
    return [of(f"refused with {seat}", seat, is_refused=True) for seat in seats]


of = visitor("agriculturist")  # plant; 2 VP if its field then has three varieties
TWO_KINDS = ["sangiovese", "malvasia"]
AGRICULTURIST = [
    of("the third variety of its field scores (ruling 4)",
       {"vine": ["pinot"], "structures": ["trellis"], "fields": {6: ["syrah"], 7: TWO_KINDS}},
       ends=[planted("5:pinot"), planted("6:pinot"), planted("7:pinot") + " vp+2"]),
    *(of(f"{vine} with {field}", {"vine": [vine], "structures": ["trellis"], "fields": {7: field}},
         moves=plant(f"7:{vine}"), gives=planted(f"7:{vine}") + points)
      for vine, field, points in (("malvasia", TWO_KINDS, ""), ("syrah", [*TWO_KINDS, "pinot"], " vp+2"),
                                  ("sangiovese", [*TWO_KINDS, "pinot"], " vp+2"))),
    of("not the varieties of other fields",
       {"vine": ["pinot"], "structures": ["trellis"], "fields": {5: ["sangiovese"], 6: ["malvasia"]}},
       moves=plant("7:pinot"), gives=planted("7:pinot")),
    of("the windmill's point and its own",
       {"vine": ["pinot"], "structures": ["trellis", "windmill"], "fields": {7: TWO_KINDS}}, moves=plant("7:pinot"),
       gives=planted("7:pinot") + " used:windmill+1 vp+3"),
    of("plants under the normal rules", NORMAL, ends=[planted("5:malvasia"), planted("6:malvasia")]),
    *refused(of, *NO_PLANTING, *NO_ROOM),
]  # fmt: skip

of = visitor("grower")  # plant; 2 VP if six vines are planted then
SIX = {5: ["sangiovese", "sangiovese"], 6: ["malvasia", "malvasia"], 7: ["sangiovese"]}
GROWER = [
    *(of(f"the new one with {fields}", {"vine": ["pinot"], "structures": ["trellis"], "fields": fields},
         moves=plant("7:pinot"), gives=planted("7:pinot") + points)
      for fields, points in ((SIX | {6: ["malvasia"]}, ""), (SIX, " vp+2"), (SIX | {7: ["sangiovese"] * 2}, " vp+2"),
                             ({7: ["sangiovese", "sangiovese", "sangiovese", "malvasia", "malvasia"]}, " vp+2"))),
    of("cards count, not values (ruling 4)",
       {"vine": ["merlot"], "structures": ["irrigation"], "fields": {5: ["cabernet_sauvignon"]}},
       ends=[planted("6:merlot"), planted("7:merlot")]),
    of("the windmill's point and its own", {"vine": ["malvasia"], "structures": ["windmill"], "fields": SIX},
       moves=plant("7:malvasia"), gives=planted("7:malvasia") + " used:windmill+1 vp+3"),
    of("plants under the normal rules", NORMAL, ends=[planted("5:malvasia"), planted("6:malvasia")]),
    *refused(of, *NO_PLANTING, *NO_ROOM),
]  # fmt: skip

of = visitor("cultivator")  # plant, even past the limit of the field
OVER = {"vine": ["chardonnay", "malvasia"], "structures": BOTH, "fields": {5: ["cabernet_sauvignon"]}}
CULTIVATOR = [
    of("past the limit (ruling 4)", OVER, moves=plant("5:chardonnay"), gives=planted("5:chardonnay"),
       holds=[("seats.0.fields.0.over_limit", True)]),
    of("a field that is merely full is not marked", OVER, moves=plant("5:malvasia"), gives=planted("5:malvasia"),
       holds=[("seats.0.fields.0.over_limit", None)]),
    of("on every field that is not sold", {"vine": ["malvasia"], "fields": {5: FULL[5]}, "sold": [6]},
       ends=[planted("5:malvasia"), planted("7:malvasia")]),
    of("still needs the structures (ruling 4)",
       {"vine": ["malvasia", "pinot", "merlot", "cabernet_sauvignon"], "structures": ["trellis"]},
       legal="card:vine:malvasia card:vine:pinot"),
    of("where no field has room", {"vine": ["malvasia"], "fields": FULL},
       ends=[planted(f"{field}:malvasia") for field in (5, 6, 7)]),
    case("cultivator", "the board's action is closed there", table("summer", {"vine": ["malvasia"], "fields": FULL}),
         refuses=place("plant_vine")),
    of("the windmill scores", {"vine": ["malvasia"], "structures": ["windmill"]}, moves=plant("7:malvasia"),
       gives=planted("7:malvasia") + f" {WINDMILL}"),
    of("a field over its limit takes no further vine (ruling 4)", OVER,
       moves=f"{plant('5:chardonnay')} {AGAIN} card:vine:malvasia", legal="field:6 field:7"),
    case("cultivator", "where it is the last field, none can be planted",
         table("summer", {"vine": ["malvasia"], "fields": {5: ["cabernet_sauvignon", "chardonnay"]},
                          "over_limit": [5], "sold": [6, 7]}), refuses=place("plant_vine")),
    of("a harvest of more than nine is nine (ruling 7.7)",
       {"summer": ["tour_guide"], "vine": ["cabernet_sauvignon"], "structures": BOTH,
        "fields": {7: ["cabernet_sauvignon", "merlot"]}},
       moves=plant("7:cabernet_sauvignon") + f" pass {place('play_summer_visitor', 'crowd', 'grande')} "
       "card:summer:tour_guide option:2 field:7",
       gives=planted("7:cabernet_sauvignon") + " grape:red:9+1 harvested7+1 grande-1 summer:tour_guide-1 1.passed+1"),
    *refused(of, *NO_PLANTING),
]  # fmt: skip

of = visitor("horticulturist")  # plant without structures, or uproot and discard two vines for 3 VP
THREE_FIELDS = {5: ["malvasia"], 6: ["pinot"], 7: ["pinot", "syrah"]}
WITHOUT = ("pinot", "merlot", "cabernet_sauvignon", "malvasia")
LIMITS = {"vine": ["chardonnay"], "fields": {5: ["syrah"], 6: ["syrah"], 7: ["cabernet_sauvignon"]}}
SEVEN = "plant7:pinot-1 plant7:syrah-1 vp+3"
HORTICULTURIST = [
    *(of(f"{vine} without structures", {"vine": [vine], "sold": [6, 7]}, branches="1", ends=[planted(f"5:{vine}")])
      for vine in WITHOUT),
    of("within the limit of the field", LIMITS, moves="option:1", ends=[planted("6:chardonnay")]),
    of("the windmill scores", {"vine": ["merlot"], "structures": ["windmill"]}, moves="option:1 " + plant("5:merlot"),
       gives=planted("5:merlot") + f" {WINDMILL}"),
    of("any two planted vines", {"fields": THREE_FIELDS}, branches="2",
       ends=[f"vp+3 {two}" for two in ("plant5:malvasia-1 plant6:pinot-1", "plant5:malvasia-1 plant7:pinot-1",
                                       "plant5:malvasia-1 plant7:syrah-1", "plant6:pinot-1 plant7:pinot-1",
                                       "plant6:pinot-1 plant7:syrah-1", "plant7:pinot-1 plant7:syrah-1")]),
    of("two equal ones", {"fields": {7: ["pinot", "pinot"]}}, ends=["vp+3 plant7:pinot-2"]),
    of("any two vines in hand are discarded (ruling 4)", {"vine": TWO_KINDS, "fields": {7: ["pinot", "syrah"]}},
       moves="option:2",
       ends=[f"{SEVEN} vine:pinot+1 vine:syrah+1 vine:sangiovese-1 vine:malvasia-1", SEVEN,
             *(f"{SEVEN} vine:{back}+1 vine:{lost}-1" for back in ("pinot", "syrah") for lost in TWO_KINDS)]),
    *(of(f"each pair in one order: {moves}", {"fields": THREE_FIELDS}, moves=moves, legal=legal)
      for moves, legal in (("option:2", "field:5 field:6 field:7"), ("option:2 field:6 card:vine:pinot", "field:7"),
                           ("option:2 field:7", "card:vine:pinot"))),
    of("a vine in hand is no planted one", {"vine": ["pinot"], "fields": {5: ["pinot"]}}, branches="1"),
    *refused(of, {}, {"fields": {5: ["pinot"]}}, {"vine": ["pinot"], "sold": [5, 6, 7]}),
]  # fmt: skip

of = visitor("sharecropper")  # plant without structures, or uproot and discard one vine for 2 VP
SHARECROPPER = [
    *(of(f"{vine} without structures, and no second", {"vine": [vine, vine], "sold": [6, 7]}, branches="1",
         ends=[planted(f"5:{vine}")]) for vine in WITHOUT),
    of("within the limit of the field", LIMITS, moves="option:1", ends=[planted("6:chardonnay")]),
    of("the windmill scores", {"vine": ["merlot"], "structures": ["windmill"]}, moves="option:1 " + plant("5:merlot"),
       gives=planted("5:merlot") + f" {WINDMILL}"),
    of("any planted vine", {"fields": {5: ["malvasia", "syrah"]}}, branches="2",
       ends=["vp+2 plant5:malvasia-1", "vp+2 plant5:syrah-1"]),
    of("is discarded", {"fields": {5: ["malvasia", "syrah"]}}, moves="option:2 field:5 card:vine:syrah card:vine:syrah",
       holds=[("discards.vine", ["syrah"])]),
    of("or another vine in hand (ruling 4)", {"vine": ["merlot"], "fields": {5: ["syrah"]}}, moves="option:2",
       ends=["vp+2 plant5:syrah-1", "vp+2 plant5:syrah-1 vine:syrah+1 vine:merlot-1"]),
    of("where no field has room", {"vine": ["pinot"], "fields": {5: ["cabernet_sauvignon"]}, "sold": [6, 7]},
       branches="2"),
    *refused(of, {}, {"vine": ["pinot"], "sold": [5, 6, 7]}),
]  # fmt: skip

of = visitor("planter")  # plant one or two vines and 1 lira, or uproot and discard one for 2 VP
UPROOT = "option:2 field:6 card:vine:syrah"
PLANTER = [
    of("one vine or two for one lira (ruling 3.2)", {"vine": ["sangiovese", "malvasia"], "sold": [6, 7]},
       branches="1", ends=[f"lira+1 {vines}" for vines in up_to(2, planted("5:sangiovese"), planted("5:malvasia"))]),
    of("on two fields, and no third", {"vine": ["sangiovese", "malvasia", "malvasia"]},
       moves="option:1 " + plant("5:sangiovese", "6:malvasia"), seat=1,
       gives="lira+1 " + planted("5:sangiovese", "6:malvasia")),
    of("the second needs the room that the first left",
       {"vine": ["pinot", "syrah", "malvasia"], "structures": ["trellis"], "fields": {5: ["syrah"]}, "sold": [6, 7]},
       moves="option:1 " + plant("5:pinot"), legal="card:vine:malvasia done"),
    of("the windmill's point once for two vines", {"vine": ["sangiovese", "malvasia"], "structures": ["windmill"]},
       moves="option:1 " + plant("5:sangiovese", "6:malvasia"),
       gives=f"lira+1 {WINDMILL} " + planted("5:sangiovese", "6:malvasia")),
    of("any planted vine", {"fields": {5: ["malvasia"], 7: ["pinot", "syrah"]}}, branches="2",
       ends=[f"vp+2 {vine}-1" for vine in ("plant5:malvasia", "plant7:pinot", "plant7:syrah")]),
    of("or another vine in hand is discarded (ruling 4)", {"vine": ["merlot"], "fields": {6: ["syrah"]}},
       branches="2", ends=["vp+2 plant6:syrah-1", "vp+2 plant6:syrah-1 vine:syrah+1 vine:merlot-1"]),
    of("vines only", {"summer": ["broker"], "order": ["order_01"], "winter": ["judge"], "fields": {6: ["syrah"]}},
       moves=UPROOT, legal="card:vine:syrah"),
    of("it is discarded; a harvested field keeps its mark (ruling 7.5)",
       {"fields": {6: ["syrah"]}, "harvested": [6]}, moves=f"{UPROOT} card:vine:syrah", gives="vp+2 plant6:syrah-1",
       holds=[("discards.vine", ["syrah"]), ("seats.0.fields.1.harvested", True)]),
    of("and, empty, may be sold (ruling 7.4)", {"fields": {6: ["syrah"]}, "harvested": [6], "sold": [5, 7]},
       moves=f"{UPROOT} card:vine:syrah pass {place('sell_grapes_or_field')}", offers="field:6"),
    of("a field over its limit is open again when it fits again (ruling 4, cultivator)",
       {"vine": ["malvasia"], "fields": {5: ["cabernet_sauvignon", "chardonnay"]}, "over_limit": [5], "sold": [6, 7]},
       moves=f"option:2 field:5 card:vine:chardonnay card:vine:chardonnay {AGAIN} {plant('5:malvasia')}",
       gives=f"vp+2 plant5:chardonnay-1 regular-1 1.passed+1 {planted('5:malvasia')}"),
    of("both", {"fields": {5: ["pinot"]}, "vine": ["malvasia"]}, branches="1 2"),
    *refused(of, {}, {"vine": ["pinot"]}, {"vine": ["malvasia"], "sold": [5, 6, 7]}),
]  # fmt: skip

of = visitor("landscaper")  # draw a vine and plant one or none, or exchange two planted vines


def swap(low, vine, high, other):
    """Return the moves that exchange the vines of two fields."""
    return f"option:2 field:{low} card:vine:{vine} field:{high} card:vine:{other}"


def swapped(low, vine, high, other):
    return f"plant{low}:{vine}-1 plant{high}:{vine}+1 plant{high}:{other}-1 plant{low}:{other}+1"


DRAWN = {"next_draws": {"vine": ["malvasia"]}}
TIGHT = {5: ["malvasia", "merlot"], 7: ["cabernet_sauvignon", "syrah"]}
OVER_LIMIT = {"fields": {5: ["cabernet_sauvignon", "chardonnay"], 6: ["malvasia"]}, "over_limit": [5]}
LANDSCAPER = [
    of("draws, and plants one vine or none (ruling 3.2)", {"vine": ["sangiovese"], "sold": [6, 7]}, top=DRAWN,
       branches="1", ends=["vine:malvasia+1", "plant5:malvasia+1", "vine:malvasia+1 " + planted("5:sangiovese")]),
    of("under the normal rules",
       {"vine": ["pinot", "merlot"], "structures": ["irrigation"], "fields": {5: ["merlot"]}, "sold": [7]}, top=DRAWN,
       ends=["vine:malvasia+1", "plant5:malvasia+1", "plant6:malvasia+1", "vine:malvasia+1 " + planted("6:merlot")]),
    of("where nothing can be planted", {"sold": [5, 6, 7]}, top=DRAWN, ends=["vine:malvasia+1"]),
    of("the windmill scores", {"structures": ["windmill"]}, top=DRAWN, moves="option:1 " + plant("5:malvasia"),
       gives=f"plant5:malvasia+1 {WINDMILL}"),
    of("exchanges two vines of two fields; that is no planting (ruling 4)",
       {"fields": {5: ["malvasia", "syrah"], 7: ["merlot"]}, "structures": ["windmill"]}, branches="1 2",
       moves="", with_ends=[swapped(5, "malvasia", 7, "merlot"), swapped(5, "syrah", 7, "merlot")]),
    of("the mark of the harvest stays with the field (ruling 4)",
       {"fields": {5: ["pinot"], 6: ["merlot"]}, "harvested": [5]}, moves=swap(5, "pinot", 6, "merlot"),
       gives=swapped(5, "pinot", 6, "merlot"),
       holds=[("seats.0.fields.0.harvested", True), ("seats.0.fields.1.harvested", False)]),
    of("a field may be filled exactly", {"fields": {5: ["malvasia", "malvasia", "syrah"], 6: ["merlot", "merlot"]}},
       moves=swap(5, "syrah", 6, "merlot"), gives=swapped(5, "syrah", 6, "merlot")),
    of("both fields within their limits afterwards (ruling 4): not 3 and 4 on five", {"fields": TIGHT},
       moves="option:2", ends=[swapped(5, "malvasia", 7, "syrah"), swapped(5, "merlot", 7, "syrah"),
                               swapped(5, "merlot", 7, "cabernet_sauvignon")]),
    of("and only what can be finished", {"fields": TIGHT}, moves="option:2 field:5 card:vine:malvasia field:7",
       legal="card:vine:syrah"),
    *(of(f"draws alone with {seat}", seat, branches="1") for seat in (
        {}, {"fields": {5: ["malvasia", "sangiovese"]}},
        {"fields": {5: ["sangiovese", "cabernet_sauvignon"], 7: ["merlot", "syrah", "syrah"]}},
        OVER_LIMIT | {"fields": {5: ["cabernet_sauvignon", "chardonnay"], 6: ["merlot"]}})),
    of("one exchange that fits opens the branch", {"fields": {5: ["malvasia", "merlot"],
                                                              7: ["merlot", "syrah", "syrah"]}}, branches="1 2"),
    of("an exchange may mend a field over its limit", OVER_LIMIT, moves=swap(5, "chardonnay", 6, "malvasia"),
       gives=swapped(5, "chardonnay", 6, "malvasia"), holds=[("seats.0.fields.0.over_limit", None)]),
]  # fmt: skip

CASES = [*AGRICULTURIST, *GROWER, *CULTIVATOR, *HORTICULTURIST, *SHARECROPPER, *PLANTER, *LANDSCAPER]
