"""Summer visitors that trade in lira, points, residual payments, grapes and wine."""

from tests.table.fixtures import CELLARS

from .visitor import made, make, up_to, visitor

of = visitor("broker")  # 9 lira for 3 VP, or 2 VP for 6 lira
BUY, SELL = "lira-9 vp+3", "vp-2 lira+6"
BROKER = [
    *(of(f"{lira} lira at {points}: once, and the whole loss must fit (rulings 2.1 and 2.9)",
         {"lira": lira, "vp": points}, ends=ends)
      for lira, points, ends in ((8, 0, [SELL]), (9, 0, [BUY, SELL]), (30, 19, [BUY, SELL]), (9, -4, [BUY]),
                                 (9, -3, [BUY, SELL]))),
    *(of(f"refused with {lira} lira at {points}", {"lira": lira, "vp": points}, is_refused=True)
      for lira, points in ((8, -4), (0, -5))),
]  # fmt: skip

of = visitor("uncertified_broker")  # 3 VP for 9 lira, or 6 lira for 2 VP
SELL, BUY = "vp-3 lira+9", "lira-6 vp+2"
UNCERTIFIED_BROKER = [
    *(of(f"{lira} lira at {points} (rulings 2.1 and 2.9)", {"lira": lira, "vp": points}, ends=ends)
      for lira, points, ends in ((5, -2, [SELL]), (6, -2, [SELL, BUY]), (30, 20, [SELL, BUY]), (6, -3, [BUY]))),
    *(of(f"refused with {lira} lira at {points}", {"lira": lira, "vp": points}, is_refused=True)
      for lira, points in ((5, -3), (0, -5))),
]  # fmt: skip

of = visitor("buyer")  # 2 lira for a grape of value 1, or a grape for 2 lira and 1 VP
RED_1, WHITE_1 = (f"lira-2 grape:{colour}:1+1" for colour in ("red", "white"))


def sold(*grapes):
    return [f"lira+2 vp+1 grape:{grape}-1" for grape in grapes]


BUYER = [
    of("a grape of value one; one of any value", {"lira": 2, "grapes": {"red": [2, 7], "white": [2]}}, branches="1 2",
       ends=[RED_1, WHITE_1, *sold("red:2", "red:7", "white:2")]),
    *(of(f"{colour} of any value at one price", {"grapes": {colour: list(range(1, 10))}}, branches="2",
         ends=sold(*(f"{colour}:{value}" for value in range(1, 10)))) for colour in ("red", "white")),
    *(of(f"the slot of value one must be free (ruling 4): {grapes}", {"lira": 2, "grapes": grapes}, branches=branches,
         ends=ends) for grapes, branches, ends in (
        ({"red": [1]}, "1 2", [WHITE_1, *sold("red:1")]), ({"white": [1]}, "1 2", [RED_1, *sold("white:1")]),
        ({"red": [1], "white": [1]}, "2", sold("red:1", "white:1")))),
    of("two lira are enough", {"lira": 2}, branches="1"),
    of("one is not", {"lira": 1, "grapes": {"red": [4]}}, branches="2"),
    of("refused with neither", {"lira": 1}, is_refused=True),
]  # fmt: skip

of = visitor("negotiator")  # a grape for a residual payment of 1, or a wine for 2
NEGOTIATOR = [
    *(of(f"any grape or wine at residual {residual}; it stops at 5 (rulings 2.4 and 2.5)",
         {"residual": residual, "structures": CELLARS, "grapes": {"red": [1, 5], "white": [9]},
          "wines": {"red": [1], "white": [9], "blush": [4], "sparkling": [7]}}, branches="1 2",
         ends=[*(f"residual+1 grape:{grape}-1" for grape in ("red:1", "red:5", "white:9")),
               *(f"residual+{gain} wine:{wine}-1" for wine in ("red:1", "white:9", "blush:4", "sparkling:7"))])
      for residual, gain in ((0, 2), (3, 2), (4, 1))),
    of("a grape alone", {"grapes": {"white": [1]}}, branches="1"),
    of("a wine alone", {"wines": {"white": [1]}}, branches="2"),
    of("refused without either", is_refused=True),
    of("refused at residual 5 (ruling 2.5)", {"residual": 5, "grapes": {"red": [3]}, "wines": {"red": [3]}},
       is_refused=True),
]  # fmt: skip

of = visitor("surveyor")  # 2 lira for each empty field, or 1 VP for each planted one
PLANTED = {5: ["pinot"], 6: ["syrah", "syrah"], 7: ["merlot"]}
SURVEYOR = [
    of(f"{n} planted, {sold or 'none'} sold; nothing may be chosen too (ruling 2.12)",
       {"fields": dict(list(PLANTED.items())[:n]), "sold": sold}, branches="1 2",
       ends=[f"lira+{lira}" if lira else "", f"vp+{n}" if n else ""])
    for n, sold, lira in ((0, [], 6), (1, [], 4), (2, [], 2), (3, [], 0), (0, [6], 4), (1, [6], 2), (1, [6, 7], 0),
                          (2, [7], 0), (0, [5, 6, 7], 0))
]  # fmt: skip

of = visitor("tour_guide")  # 4 lira, or harvest a field
WINTER = "pass pass deck:summer deck:summer"  # the others pass, and so does the player
TOUR_GUIDE = [
    of("no tour for the tasting room (ruling 4)", {"structures": ["tasting_room"], "wines": {"red": [1]}},
       branches="1", ends=["lira+4"]),
    of("four lira, or one field", {"fields": {5: ["pinot", "trebbiano"], 6: ["malvasia"]}}, branches="1 2",
       ends=["lira+4", "harvested5+1 grape:red:1+1 grape:white:3+1", "harvested6+1 grape:white:1+1"]),
    of("a grape takes the next lower free slot (Harvesting fields, note 2)",
       {"fields": {5: ["merlot"]}, "grapes": {"red": [2, 3]}}, ends=["lira+4", "harvested5+1 grape:red:1+1"]),
    of("without one it is lost (ruling 7.8)", {"fields": {5: ["syrah"]}, "grapes": {"red": [1, 2]}},
       ends=["lira+4", "harvested5+1"]),
    of("the field stays harvested in winter", {"fields": {5: ["sangiovese"], 6: ["malvasia"]}},
       moves=f"option:2 field:6 {WINTER} place:harvest_field:plain:regular", legal="field:5"),
    of("no field twice", {"fields": {5: ["pinot"]}, "harvested": [5]}, branches="1"),
    of("but another one", {"fields": {5: ["pinot"], 6: ["malvasia"]}, "harvested": [5]},
       ends=["lira+4", "harvested6+1 grape:white:1+1"]),
]  # fmt: skip

of = visitor("novice_guide")  # 3 lira, or one or two wines
NOVICE_GUIDE = [
    of("without a grape", branches="1", ends=["lira+3"]),
    of("three lira, or one wine or two and no third (ruling 3.2)", {"grapes": {"red": [1, 2], "white": [3]}},
       ends=["lira+3", *up_to(2, *map(made, ("red:1", "red:2", "white:3")))]),
    of("a wine that has no cellar is lowered (Making wine, example 1)", {"grapes": {"red": [1, 4]}},
       moves="option:2 " + make("red:1", "red:4"), gives=made("red:1") + " grape:red:4-1 wine:red:3+1"),
    of("sparkling and blush", {"grapes": {"red": [1, 2, 4], "white": [3, 4]}, "structures": CELLARS},
       moves="option:2 make:sparkling grape:red:1 grape:red:2 grape:white:4 make:blush",
       gives="grape:red:1-1 grape:red:2-1 grape:white:4-1 wine:sparkling:7+1 "
             "grape:red:4-1 grape:white:3-1 wine:blush:7+1"),
    of("no blush without the medium cellar", {"grapes": {"red": [3], "white": [3]}}, moves="option:2",
       legal="make:red make:white"),
    of("blush with it", {"grapes": {"red": [3], "white": [3]}, "structures": ["medium_cellar"]}, moves="option:2",
       legal="make:red make:white make:blush"),
    of("no wine without a slot (ruling 7.11)", {"grapes": {"red": [1]}, "wines": {"red": [1]}}, branches="1"),
    of("a wine in the slot below", {"grapes": {"red": [2]}, "wines": {"red": [2]}},
       ends=["lira+3", "grape:red:2-1 wine:red:1+1"]),
]  # fmt: skip

of = visitor("wine_critic")  # two winter visitors, or a wine of seven or more for 4 VP
WINE_CRITIC = [
    of("two visitors; no points for a six", {"wines": {"red": [6], "white": [6], "blush": [6]}, "structures": CELLARS},
       branches="1", ends=["winter+2"]),
    of("any one wine of seven or more", {"structures": CELLARS,
                                         "wines": {"red": [6, 7, 9], "white": [8], "blush": [7], "sparkling": [7, 9]}},
       branches="1 2", ends=["winter+2", *(f"vp+4 wine:{wine}-1" for wine in (
           "red:7", "red:9", "white:8", "blush:7", "sparkling:7", "sparkling:9"))]),
]  # fmt: skip

CASES = [*BROKER, *UNCERTIFIED_BROKER, *BUYER, *NEGOTIATOR, *SURVEYOR, *TOUR_GUIDE, *NOVICE_GUIDE, *WINE_CRITIC]
