"""Winter visitors that trade in lira, points, residual payments, grapes, wine and buildings."""

from tests.table.fixtures import ALL_STRUCTURES, CELLARS

from .visitor import built, visitor

of = visitor("noble")  # a residual payment for 1, or two of them for 2 VP
BUY, SELL = "lira-1 residual+1", "vp+2 residual-2"
NOBLE = [
    *(of(f"{lira} lira, residual {residual}", {"lira": lira, "residual": residual}, ends=ends)
      for lira, residual, ends in ((1, 0, [BUY]), (1, 1, [BUY]), (0, 2, [SELL]), (1, 2, [BUY, SELL]),
                                   (1, 4, [BUY, SELL]))),
    of("at 5 there is nothing to buy (ruling 2.5)", {"lira": 1, "residual": 5}, branches="2", ends=[SELL]),
    of("refused with residual 1 and no money", {"residual": 1}, is_refused=True),
]  # fmt: skip

of = visitor("politician")  # 6 lira below zero points, otherwise a vine, a summer visitor and an order
POLITICIAN = [
    *(of(f"six lira at {points}", {"vp": points, "lira": 1}, ends=["lira+6"]) for points in (-1, -5)),
    *(of(f"three cards at {points}", {"vp": points}, ends=["vine+1 summer+1 order+1"]) for points in (0, 7)),
]  # fmt: skip

of = visitor("promoter")  # a grape or a wine for 1 VP and a residual payment
PROMOTER = [
    of("any grape (ruling 4)", {"grapes": {"red": [1, 5], "white": [9]}}, branches="1",
       ends=[f"vp+1 residual+1 grape:{grape}-1" for grape in ("red:1", "red:5", "white:9")]),
    of("any wine", {"wines": {"red": [1], "white": [1, 2], "blush": [4], "sparkling": [7]}, "structures": CELLARS},
       branches="2", ends=[f"vp+1 residual+1 wine:{wine}-1" for wine in
                           ("red:1", "white:1", "white:2", "blush:4", "sparkling:7")]),
    of("scores at residual 5 too (ruling 2.6)", {"residual": 5, "grapes": {"red": [3]}, "wines": {"red": [2]}},
       ends=["vp+1 grape:red:3-1", "vp+1 wine:red:2-1"]),
    of("refused without grape and wine", is_refused=True),
]  # fmt: skip

of = visitor("taster")  # a wine for 4 lira; 2 VP if it was the most valuable of all cellars
# Wines of the seat besides the discarded red 5, wines of the others, and points; a tie scores nothing.
TASTED = [
    ({}, [{}], 2),
    ({"red": [2, 5], "white": [1]}, [{"red": [3]}], 2),
    ({}, [{"white": [4], "blush": [4]}], 2),
    ({"white": [4]}, [{"red": [1, 4]}, {"red": [3]}, {"red": [2]}], 2),
    ({}, [{"white": [5]}], 0),
    ({}, [{"sparkling": [7]}], 0),
    ({}, [{}, {}, {}, {}, {"blush": [6]}], 0),
    ({"white": [5]}, [{}], 0),
    ({"red": [5, 6]}, [{}], 0),
    ({"blush": [9]}, [{"red": [1]}], 0),
]
TASTER = [
    *(of(f"red 5 and {cellar}, against {others} (ruling 4)",
         *({"structures": CELLARS, "wines": wines} for wines in ({"red": [5]} | cellar, *others)), moves="wine:red:5",
         gives="lira+4 wine:red:5-1" + (" vp+2" if points else "")) for cellar, others, points in TASTED),
    of("takes any wine", {"wines": {"red": [5], "white": [1], "sparkling": [7]}, "structures": CELLARS},
       legal="wine:red:5 wine:white:1 wine:sparkling:7"),
    of("does not compare with grapes", {"wines": {"red": [1]}, "grapes": {"red": [9]}}, {"grapes": {"white": [9]}},
       ends=["lira+4 vp+2 wine:red:1-1"]),
    of("refused without a wine", {"grapes": {"red": [9]}}, {"wines": {"red": [1]}}, is_refused=True),
]  # fmt: skip

of = visitor("designer")  # build; 2 VP with six structures
ALL_BUT_YOKE = [name for name in ALL_STRUCTURES if name != "yoke"]
DESIGNER = [
    *built(of, 0, cannot={"is_refused": True}),
    *(of(f"{count} structures and one more", {"lira": 2, "structures": ALL_BUT_YOKE[-count:]}, moves="structure:yoke",
         gives="lira-2 yoke+1" + (" vp+2" if count > 4 else "")) for count in (4, 5, 6, 7)),
    of("refused with six structures and none affordable", {"lira": 1, "structures": ALL_BUT_YOKE[1:]}, is_refused=True),
    of("unbuilt and affordable ones", {"lira": 4, "structures": ["trellis"]},
       legal="structure:irrigation structure:yoke structure:cottage structure:medium_cellar"),
    of("refused when all is built", {"lira": 20, "structures": ALL_STRUCTURES}, is_refused=True),
]  # fmt: skip

CASES = [*NOBLE, *POLITICIAN, *PROMOTER, *TASTER, *DESIGNER]
