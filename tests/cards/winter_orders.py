"""Winter visitors that fill orders."""

from tests.table.fixtures import CELLARS

from .visitor import made, up_to, visitor

MEDIUM = ["medium_cellar"]

of = visitor("merchant")  # a red and a white grape of value 1 for 3, or fill an order for 1 VP more
MERCHANT = [
    of("a grape of each colour for 3 lira, with others", {"lira": 3, "grapes": {"red": [2], "white": [9]}},
       ends=["lira-3 grape:red:1+1 grape:white:1+1"]),
    of("refused with two lira and no wine", {"lira": 2, "order": ["order_01"]}, is_refused=True),
    *(of(f"both slots of value 1 must be free (ruling 4): {grapes}", {"lira": 3, "grapes": grapes}, is_refused=True)
      for grapes in ({"red": [1]}, {"white": [1]}, {"red": [1], "white": [1]})),
    of("an order for a point more; it is discarded",
       {"order": ["order_06"], "wines": {"blush": [4]}, "structures": MEDIUM},
       moves="option:2 card:order:order_06 wine:blush:4", gives="vp+3 residual+1 wine:blush:4-1 order:order_06-1",
       holds=[("discards.order", ["order_06"])]),
    of("with any wine that is good enough (ruling 7.15)",
       {"order": ["order_01"], "wines": {"red": [4, 5, 6], "white": [5]}, "structures": MEDIUM},
       ends=[f"vp+3 residual+1 order:order_01-1 wine:red:{value}-1" for value in (5, 6)]),
    of("an order of two wines", {"order": ["order_02"], "wines": {"red": [2, 3], "white": [2]}},
       ends=[f"vp+3 residual+1 order:order_02-1 wine:red:{value}-1 wine:white:2-1" for value in (2, 3)]),
    of("not with too weak a wine",
       {"lira": 3, "order": ["order_01"], "wines": {"red": [4], "white": [6]}, "structures": MEDIUM}, branches="1"),
    of("not with a better wine of another type (ruling 7.16)",
       {"order": ["order_01"], "wines": {"white": [9], "blush": [9], "sparkling": [9]}, "structures": CELLARS},
       is_refused=True),
    of("only orders that can be filled",
       {"order": ["order_02", "order_03", "order_24"], "wines": {"red": [2], "white": [3]}}, moves="option:2",
       legal="card:order:order_02"),
    of("money and wine: both", {"lira": 3, "order": ["order_02"], "wines": {"red": [2], "white": [2]}}, branches="1 2"),
    of("residual beyond 5 is lost (ruling 2.4)",
       {"residual": 5, "order": ["order_02"], "wines": {"red": [2], "white": [2]}},
       ends=["vp+3 wine:red:2-1 wine:white:2-1 order:order_02-1"]),
    of("of two steps one is left at 4 (ruling 2.4)",
       {"residual": 4, "order": ["order_31"], "wines": {"sparkling": [9]}, "structures": CELLARS},
       ends=["vp+6 residual+1 wine:sparkling:9-1 order:order_31-1"]),
]  # fmt: skip

of = visitor("marketer")  # two summer visitors and a lira, or fill an order for 1 VP more
DRAWN = "lira+1 summer+2"
MARKETER = [
    of("two visitors and a lira, or an order for a point more",
       {"order": ["order_01", "order_24"], "wines": {"sparkling": [7]}, "structures": CELLARS},
       ends=[DRAWN, "vp+5 residual+1 wine:sparkling:7-1 order:order_24-1"]),
    of("fills from below zero", {"vp": -5, "order": ["order_05"], "wines": {"white": [5]}, "structures": MEDIUM},
       ends=[DRAWN, "vp+3 residual+1 wine:white:5-1 order:order_05-1"]),
    of("not without the wine", {"order": ["order_02"], "wines": {"red": [2], "white": [1]}}, branches="1"),
    of("one wine is not two (ruling 7.15)", {"order": ["order_11"], "wines": {"red": [4]}, "structures": MEDIUM},
       branches="1"),
    of("two wines of one type", {"order": ["order_11"], "wines": {"red": [3, 4]}, "structures": MEDIUM},
       ends=[DRAWN, "vp+4 residual+1 wine:red:3-1 wine:red:4-1 order:order_11-1"]),
    of("any wines that leave enough for the later icons (rulings 3.1 and 7.15)",
       {"order": ["order_11"], "wines": {"red": [3, 4, 5]}, "structures": MEDIUM}, moves="option:2 card:order:order_11",
       legal="wine:red:4 wine:red:5",
       ends=[f"vp+4 residual+1 order:order_11-1 {wines}" for wines in
             ("wine:red:3-1 wine:red:4-1", "wine:red:3-1 wine:red:5-1", "wine:red:4-1 wine:red:5-1")]),
]  # fmt: skip

of = visitor("master_vintner")  # the next cellar for 2 less, or age a wine and fill an order in either order
FILLED_3, FILLED_15 = "vp+2 residual+1 order:order_03-1", "vp+4 residual+1 order:order_15-1"
FULL = {"wines": {"red": [1, 2, 3], "white": [1, 2, 3]}, "order": ["order_03"]}
GREAT = {"wines": {"red": [8, 9]}, "order": ["order_15"], "structures": CELLARS}
TWO_ORDERS = {"wines": {"red": [6], "white": [5]}, "order": ["order_01", "order_05"], "structures": MEDIUM}
BY_AGEING = {"wines": {"red": [4], "white": [3]}, "order": ["order_16"], "structures": MEDIUM}
MASTER_VINTNER = [
    of("the medium cellar for 2", {"lira": 2}, ends=["lira-2 medium_cellar+1"]),
    of("the large cellar for 4", {"lira": 5, "structures": MEDIUM}, ends=["lira-4 large_cellar+1"]),
    *(of(f"{lira} lira with {built or 'no cellar'}: refused", {"lira": lira, "structures": built}, is_refused=True)
      for lira, built in ((1, []), (3, MEDIUM), (9, CELLARS))),
    of("fills with the wine just aged", {"wines": {"red": [4]}, "order": ["order_01"], "structures": MEDIUM},
       ends=["vp+2 residual+1 order:order_01-1 wine:red:4-1"]),
    of("ages by one step only", {"wines": {"red": [1, 2], "white": [1, 2]}, "order": ["order_02"]},
       moves="option:2 option:2 card:order:order_02 wine:red:2 wine:white:2 wine:red:1",
       gives="vp+2 residual+1 order:order_02-1 wine:red:1-1 wine:white:2-1"),
    of("ages first where the order takes the only wine (rulings 3.1 and 3.4)",
       {"wines": {"red": [5]}, "order": ["order_01"], "structures": MEDIUM}, moves="option:2", legal="option:1"),
    of("fills first where no wine can age yet (rulings 3.4 and 7.14)", FULL, moves="option:2", legal="option:2",
       ends=[f"{FILLED_3} {wines}" for wines in (
           "wine:red:2-1 wine:white:1-1", "wine:red:2-1 wine:white:2-1", "wine:red:3-1 wine:white:1-1",
           "wine:red:2-1 wine:white:3-1", "wine:red:3-1 wine:white:2-1")]),
    of("either first where both are possible",
       {"wines": {"red": [5], "white": [1]}, "order": ["order_01"], "structures": MEDIUM}, moves="option:2",
       legal="option:1 option:2"),
    of("ages first where the order needs it", BY_AGEING, moves="option:2", legal="option:1"),
    of("ages only a wine that leaves the order fillable (ruling 3.1)", BY_AGEING, moves="option:2 option:1",
       legal="wine:red:4"),
    of("a 9 does not age, nor an 8 below it", GREAT, moves="option:2", legal="option:2"),
    of("fills only with a wine that leaves one to age (ruling 3.1)", GREAT,
       moves="option:2 option:2 card:order:order_15", legal="wine:red:9", ends=[f"{FILLED_15} wine:red:8-1"]),
    of("fills only an order that leaves a wine to age (ruling 3.1)", TWO_ORDERS, moves="option:2 option:2",
       legal="card:order:order_01"),
    of("after ageing any order", TWO_ORDERS, moves="option:2 option:1 wine:white:5",
       legal="card:order:order_01 card:order:order_05"),
    of("does not age past a missing cellar", {"wines": {"red": [3], "white": [1]}, "order": ["order_03"]},
       moves="option:2 option:1", legal="wine:white:1"),
    of("refused without an order", {"wines": {"red": [1]}}, is_refused=True),
    of("refused where ageing is not enough", {"wines": {"red": [3]}, "order": ["order_01"], "structures": MEDIUM},
       is_refused=True),
    of("refused where nothing could age (ruling 4)",
       {"lira": 3, "wines": {"sparkling": [9]}, "order": ["order_31"], "structures": CELLARS}, is_refused=True),
]  # fmt: skip

of = visitor("exporter")  # one or two wines, or fill an order, or a grape for 2 VP
FOR_2 = {"order": ["order_02"]}
EXPORTER = [
    of("one wine or two, or 2 VP for a grape", {"grapes": {"red": [1, 2, 3]}},
       ends=[*up_to(2, *map(made, ("red:1", "red:2", "red:3"))), *(f"vp+2 grape:red:{n}-1" for n in (1, 2, 3))]),
    of("an order for its printed reward",
       {"order": ["order_25"], "wines": {"red": [2], "white": [2], "blush": [5]}, "structures": MEDIUM},
       ends=["vp+5 residual+2 wine:red:2-1 wine:white:2-1 wine:blush:5-1 order:order_25-1"]),
    of("any grape", {"grapes": {"red": [2], "white": [1, 9]}}, moves="option:3",
       ends=[f"vp+2 grape:{grape}-1" for grape in ("red:2", "white:1", "white:9")]),
    of("refused without grape and wine", is_refused=True),
    of("with wine for an order", FOR_2 | {"wines": {"red": [2], "white": [2]}}, branches="2"),
    of("with too weak a wine", FOR_2 | {"wines": {"red": [2], "white": [1]}}, is_refused=True),
    of("with a grape", {"grapes": {"red": [1]}}, branches="1 3"),
    of("with a grape whose slot is taken", {"grapes": {"red": [1]}, "wines": {"red": [1]}}, branches="3"),
]  # fmt: skip

CASES = [*MERCHANT, *MARKETER, *MASTER_VINTNER, *EXPORTER]
