"""Wines without a free slot, which are lost in this edition, as grapes are."""

from tests.cards.visitor import made
from tests.rules.wine import MAKE, TIERS, blend, moves
from tests.table.case import case
from tests.table.fixtures import CELLARS, place

from .positions import PRESETS, lay


def cellar(red=(), white=(), tier="large", wines=()):
    """Return grapes, cellars and wines of a seat."""
    seat = {"grapes": {"red": list(red), "white": list(white)}, "structures": CELLARS[: TIERS[tier][0]]}
    return seat | {"wines": dict(wines)}


FULL = cellar([3], tier="small", wines={"red": [1, 2, 3]})
LOST = [row for preset in PRESETS for row in (
    *(case("row 53", f"nothing at or below {value} is free, a place above does not help: {colour}, {tier} ({preset})",
           lay("winter", cellar(**{colour: [value]}, tier=tier, wines={colour: wines}), preset=preset), MAKE,
           legal=f"make:{colour}", ends=[f"grape:{colour}:{value}-1"])
      for colour in ("red", "white") for tier, value, wines in (
          ("small", 1, [1]), ("small", 3, [1, 2, 3]), ("small", 8, [1, 2, 3]), ("medium", 2, [1, 2, 3, 6]),
          ("large", 4, [1, 2, 3, 4, 5]), ("large", 9, [*range(1, 10)]))),
    case("row 53", f"a blush too ({preset})",
         lay("winter", cellar([2], [3], "medium", {"blush": [4, 5]}), preset=preset), MAKE, moves("red:2", "white:3"),
         gives="grape:red:2-1 grape:white:3-1"),
    case("row 53", f"a sparkling wine too ({preset})",
         lay("winter", cellar([1, 2], [4], wines={"sparkling": [7]}), preset=preset), MAKE,
         moves("red:1", "red:2", "white:4"), gives="grape:red:1-1 grape:red:2-1 grape:white:4-1"),
    case("rows 31 and 53", f"a lost wine is one of two ({preset})",
         lay("winter", cellar([1, 2, 3], tier="small", wines={"red": [1, 2, 3]}), preset=preset), MAKE, ends=[
             *(f"grape:red:{value}-1" for value in (1, 2, 3)),
             *(f"grape:red:{low}-1 grape:red:{high}-1" for low, high in ((1, 2), (1, 3), (2, 3)))]),
    case("row 31", f"two tokens of wine and not of grapes ({preset})",
         lay("winter", cellar([1, 2, 3], [4, 5, 6]), preset=preset, n=3), MAKE, moves("red:1", "red:2", "white:4"),
         moves("red:3", "white:5"), gives=f'{blend(7, "red:1", "red:2", "white:4")} {blend(8, "red:3", "white:5")}'),
    case("row 31", f"the third takes the bonus ({preset})",
         lay("winter", cellar([1, 2, 3], [4, 5, 6]), preset=preset, n=3), place("make_wine", "bonus"),
         moves("red:1", "red:2", "white:4"), moves("red:3", "white:5"), "make:white grape:white:6",
         gives=f'{blend(7, "red:1", "red:2", "white:4")} {blend(8, "red:3", "white:5")} {made("white:6")}'),
)]  # fmt: skip
CARDS = [
    case("rows 53 and 64", "a card may make a wine that is lost", lay("summer", FULL | {"summer": ["novice_guide"]}),
         place("play_summer_visitor"), "card:summer:novice_guide", legal="option:1 option:2",
         ends=["lira+3", "grape:red:3-1"]),
    case("row 53", "the Mentor asks seats that can only lose a wine", lay("winter", {"winter": ["mentor"]}, FULL),
         place("play_winter_visitor"), "card:winter:mentor", asks="1"),
    case("row 53", "and pays for it", lay("winter", {"winter": ["mentor"]}, FULL), place("play_winter_visitor"),
         "card:winter:mentor yes make:red grape:red:3", with_ends=["vine+1 1.grape:red:3-1"]),
]  # fmt: skip
CASES = [*LOST, *CARDS]
