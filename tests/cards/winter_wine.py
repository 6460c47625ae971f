"""Winter visitors that make wine or age it."""

from tests.table.case import case
from tests.table.fixtures import CELLARS
from tests.table.setup_position import table

from .visitor import made, make, up_to, visitor

MEDIUM = ["medium_cellar"]
# Red 1, red 2 and white 4 as blended wines.
THREE = {"grapes": {"red": [1, 2], "white": [4]}}
BLUSH_5, BLUSH_6 = (f"grape:red:{red}-1 grape:white:4-1 wine:blush:{red + 4}+1" for red in (1, 2))
SPARKLING_7 = "grape:red:1-1 grape:red:2-1 grape:white:4-1 wine:sparkling:7+1"

of = visitor("crush_expert")  # 3 lira and an order, or one to three wines
CRUSH_EXPERT = [
    of("without a grape: money and an order", branches="1", ends=["lira+3 order+1"]),
    of("or one, two or three wines, and no fourth", {"grapes": {"red": [1, 2], "white": [1, 2]}},
       ends=["lira+3 order+1", *up_to(3, *map(made, ("red:1", "red:2", "white:1", "white:2")))]),
    of("a wine takes the next lower free slot (ruling 7.11)", {"grapes": {"red": [3, 8]}},
       moves="option:2 " + make("red:8", "red:3"), gives="grape:red:8-1 wine:red:3+1 grape:red:3-1 wine:red:2+1"),
    of("blush of the sum", {"grapes": {"red": [2], "white": [3]}, "structures": MEDIUM},
       moves="option:2 make:blush", gives="grape:red:2-1 grape:white:3-1 wine:blush:5+1"),
]  # fmt: skip

of = visitor("crusher")  # 3 lira and a summer visitor, or an order and one or two wines
CRUSHER = [
    of("money and a visitor, or an order and one or two wines (ruling 3.2)", {"grapes": {"red": [1, 2, 3]}},
       ends=["lira+3 summer+1", *(f"order+1 {wines}" for wines in up_to(2, *map(made, ("red:1", "red:2", "red:3"))))]),
    of("the order is seen before the wine is chosen", {"grapes": {"red": [2]}}, moves="option:2",
       top={"next_draws": {"order": ["order_05"]}}, decision="make_wine", holds=[("seats.0.hand.order", ["order_05"])]),
    of("no order without a wine (ruling 4)", branches="1"),
    of("no order without a slot for the wine (ruling 7.11)", {"grapes": {"red": [1]}, "wines": {"red": [1]}},
       branches="1"),
    of("a wine that has no cellar is lowered (Making wine, example 1)", {"grapes": {"red": [7]}}, moves="option:2",
       gives="order+1 grape:red:7-1 wine:red:3+1"),
    of("no blush without a medium cellar", {"grapes": {"red": [2], "white": [2]}}, moves="option:2",
       legal="make:red make:white"),
    of("blush with one", {"grapes": {"red": [2], "white": [2]}, "structures": MEDIUM}, moves="option:2",
       legal="make:red make:white make:blush"),
    of("no blush below four (ruling 7.12)", {"grapes": {"red": [1], "white": [2]}, "structures": MEDIUM},
       moves="option:2", legal="make:red make:white"),
]  # fmt: skip

of = visitor("bottler")  # one to three wines, 1 VP for each type made
BOTTLER = [
    of("a point for each type", THREE | {"structures": CELLARS},
       ends=[*(f"vp+1 {wine}" for wine in (made("red:1"), made("red:2"), made("white:4"), made("red:1", "red:2"),
                                            BLUSH_5, BLUSH_6, SPARKLING_7)),
             *(f"vp+2 {wine}" for wine in (made("red:1", "white:4"), made("red:2", "white:4"),
                                         made("red:1", "red:2", "white:4"), f"{BLUSH_5} {made('red:2')}",
                                         f"{BLUSH_6} {made('red:1')}"))]),
    of("three types", {"grapes": {"red": [1, 3], "white": [1, 4]}, "structures": CELLARS},
       moves=make("red:1", "white:1") + " make:blush",
       gives="vp+3 grape:red:3-1 grape:white:4-1 wine:blush:7+1 " + made("red:1", "white:1")),
    of("sparkling and red", {"grapes": {"red": [1, 2, 3], "white": [4]}, "structures": CELLARS},
       moves="make:sparkling grape:red:1 grape:red:2 grape:white:4 " + make("red:3"),
       gives=f"vp+2 {SPARKLING_7} {made('red:3')}"),
    of("no fourth wine", {"grapes": {"red": [1, 2, 3], "white": [1]}}, moves=make("red:1", "red:2", "red:3"),
       gives="vp+1 " + made("red:1", "red:2", "red:3")),
    of("wines already there do not count",
       {"grapes": {"red": [2]}, "wines": {"white": [1], "blush": [4]}, "structures": MEDIUM},
       ends=["vp+1 " + made("red:2")]),
    of("refused without a wine to make (ruling 3.2)", is_refused=True),
]  # fmt: skip

of = visitor("supervisor")  # one or two wines, 1 VP for each sparkling wine made
SUPERVISOR = [
    of("one or two wines; sparkling scores", THREE | {"structures": CELLARS},
       ends=[*up_to(2, *map(made, ("red:1", "red:2", "white:4"))), BLUSH_5, BLUSH_6, f"{BLUSH_5} {made('red:2')}",
             f"{BLUSH_6} {made('red:1')}", f"vp+1 {SPARKLING_7}"]),
    of("two sparkling wines", {"grapes": {"red": [1, 2, 3, 4], "white": [2, 4]}, "structures": CELLARS},
       moves="make:sparkling grape:red:1 grape:red:2 grape:white:4 make:sparkling",
       gives=f"vp+2 {SPARKLING_7} grape:red:3-1 grape:red:4-1 grape:white:2-1 wine:sparkling:9+1"),
    of("sparkling wine already there does not score",
       {"grapes": {"red": [5]}, "wines": {"sparkling": [7]}, "structures": CELLARS}, ends=[made("red:5")]),
    of("sparkling needs the large cellar", THREE | {"structures": MEDIUM}, legal="make:red make:white make:blush"),
    of("sparkling needs a sum of seven (ruling 7.12)",
       {"grapes": {"red": [1, 2], "white": [3]}, "structures": CELLARS}, legal="make:red make:white make:blush"),
    of("refused without a wine to make", {"structures": CELLARS}, is_refused=True),
]  # fmt: skip

of, teacher, exporter = visitor("zymologist"), visitor("teacher"), visitor("exporter")
NOT_FOUR = [{}, {"red": [3]}, {"red": [1], "white": [2]}, {"white": [1, 2, 3]}]
# Structures, kind of wine, its values, and its values after a year.
YEARS = [
    ([], "red", [4], [5]),
    ([], "red", [5], [6]),
    ([], "red", [6], [6]),
    ([], "red", [3, 5], [3, 6]),
    ([], "red", [7], [8]),
    ([], "red", [8, 9], [8, 9]),
    ([], "blush", [5, 6], [5, 6]),
    ([], "sparkling", [7], [8]),
    (MEDIUM, "red", [3, 6], [4, 6]),
    (MEDIUM, "red", [6, 7], [6, 8]),
    (CELLARS, "red", [3, 6], [4, 7]),
]
ZYMOLOGIST = [  # one or two wines of four or more, without regard to cellars
    *(of(f"a {value} without a cellar", {"grapes": {"red": [value]}}, ends=[made(f"red:{value}")])
      for value in range(4, 10)),
    of("the wine is marked", {"grapes": {"red": [8]}}, moves=make("red:8"),
       holds=[("seats.0.wine_above_cellar", True)]),
    of("with cellars it is not", {"grapes": {"red": [8]}, "structures": CELLARS}, moves=make("red:8"),
       gives=made("red:8"), holds=[("seats.0.wine_above_cellar", None)]),
    of("blush and sparkling without a cellar", THREE, ends=[made("white:4"), BLUSH_5, BLUSH_6, SPARKLING_7]),
    of("one wine or two, and no third", {"grapes": {"red": [4, 5, 6]}},
       ends=up_to(2, *map(made, ("red:4", "red:5", "red:6")))),
    of("nothing below four, first or second", {"grapes": {"red": [1, 4], "white": [1]}},
       ends=[made("red:4"), "grape:red:4-1 grape:white:1-1 wine:blush:5+1"]),
    *(of(f"refused without a wine of four: {grapes}", {"grapes": grapes, "structures": CELLARS}, is_refused=True)
      for grapes in NOT_FOUR),
    of("lowers to a free slot of four or more",
       {"grapes": {"red": [6]}, "wines": {"red": [5, 6]}, "structures": MEDIUM}, ends=["grape:red:6-1 wine:red:4+1"]),
    of("does not lower below four", {"grapes": {"red": [5]}, "wines": {"red": [4, 5]}, "structures": MEDIUM},
       is_refused=True),
    *(case("zymologist", f"{kind} {before} ages inside its tier (ruling 4), with {built or 'no cellar'}",
           table("winter", {"structures": built, "wines": {kind: before}, "above": max(before) > 3 + 3 * len(built)}),
           "pass pass", decision="wake_up", holds=[(f"seats.0.cellar.{kind}", after)])
      for built, kind, before, after in YEARS),
    exporter("a Zymologist's wine fills an order", {"order": ["order_15"], "wines": {"red": [8]}, "above": True},
             ends=["vp+4 residual+1 order:order_15-1 wine:red:8-1"]),
    teacher("a wine made after the Zymologist's finds the small cellar only",
            {"grapes": {"red": [6]}, "wines": {"red": [7]}, "above": True}, ends=["grape:red:6-1 wine:red:3+1"]),
]  # fmt: skip

# Structures, wines, and the changes of two steps of ageing: highest first, never into a closed tier or occupied slot.
AGEINGS = [
    ([], {"red": [1]}, "red:1-1 red:3+1"),
    ([], {"red": [2]}, "red:2-1 red:3+1"),
    ([], {"red": [3], "white": [1]}, "white:1-1 white:3+1"),
    ([], {"red": [1, 2]}, "red:1-1 red:3+1"),
    ([], {"white": [1, 2, 3]}, ""),
    (MEDIUM, {"red": [1, 2]}, "red:1-1 red:2-1 red:3+1 red:4+1"),
    (MEDIUM, {"red": [3, 6]}, "red:3-1 red:5+1"),
    (MEDIUM, {"red": [4, 6]}, "red:4-1 red:5+1"),
    (MEDIUM, {"blush": [4]}, "blush:4-1 blush:6+1"),
    (MEDIUM, {"blush": [5, 6]}, ""),
    (CELLARS, {"red": [5, 6]}, "red:5-1 red:6-1 red:7+1 red:8+1"),
    (CELLARS, {"white": [8]}, "white:8-1 white:9+1"),
    (CELLARS, {"sparkling": [7, 8]}, "sparkling:7-1 sparkling:9+1"),
    (CELLARS, {"red": [7], "white": [7], "blush": [7]}, "red:7-1 white:7-1 blush:7-1 red:9+1 white:9+1 blush:9+1"),
]


def ageing(of):
    """All own wines age twice (ruling 7.14); no grapes, and no wine of others."""
    return [of(f"ages {wines} twice, with {built or 'no cellar'} (ruling 7.14)",
               {"structures": built, "wines": wines, "grapes": {"red": [1], "white": [5]}}, {"wines": {"red": [1]}},
               moves="option:1", gives=" ".join(f"wine:{change}" for change in changes.split()))
            for built, wines, changes in AGEINGS]  # fmt: skip


of = visitor("oenologist")  # ages all wines twice, or the next cellar for 3
OENOLOGIST = [
    *ageing(of),
    *(of(f"a Zymologist's {value} ages inside its tier", {"wines": {"white": [value]}, "above": True}, moves="option:1",
         gives=f"wine:white:{value}-1 wine:white:{after}+1" if after > value else "")
      for value, after in ((4, 6), (5, 6), (6, 6), (7, 9))),
    of("the medium cellar for 3; an empty cellar does not age", {"lira": 3}, ends=["lira-3 medium_cellar+1"]),
    of("the large cellar for 3", {"lira": 4, "structures": MEDIUM}, ends=["lira-3 large_cellar+1"]),
    of("no cellar for 2 lira", {"lira": 2, "wines": {"red": [1]}}, branches="1"),
    of("no third cellar", {"lira": 9, "structures": CELLARS, "wines": {"red": [1]}}, branches="1"),
    of("refused without wine and money", {"lira": 2, "grapes": {"red": [1]}}, is_refused=True),
]  # fmt: skip

of = visitor("uncertified_oenologist")  # ages all wines twice, or the next cellar for 1 VP
UNCERTIFIED_OENOLOGIST = [
    *ageing(of),
    of("the medium cellar for a point; an empty cellar does not age", {"vp": 1, "lira": 7},
       ends=["vp-1 medium_cellar+1"]),
    of("the large cellar for a point", {"vp": -4, "structures": MEDIUM}, ends=["vp-1 large_cellar+1"]),
    of("no cellar at -5 (ruling 2.1); ageing costs no point", {"vp": -5, "wines": {"red": [1]}}, branches="1",
       ends=["wine:red:1-1 wine:red:3+1"]),
    of("no third cellar", {"structures": CELLARS, "wines": {"red": [1]}}, branches="1"),
    of("refused without wine at -5", {"vp": -5}, is_refused=True),
]  # fmt: skip

CASES = [*CRUSH_EXPERT, *CRUSHER, *BOTTLER, *SUPERVISOR, *ZYMOLOGIST, *OENOLOGIST, *UNCERTIFIED_OENOLOGIST]
