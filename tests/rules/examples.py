"""The worked examples of the rulebook, except those of a single visitor (tests/cards) and of the setup (test_setup)."""

from itertools import product

from tests.table.case import case
from tests.table.fixtures import CELLARS, at, place
from tests.table.setup_position import table

from .wine import MAKE, blend, moves
from .year_end import aged

PLANT, TOUR, ORDER = place("plant_vine"), place("give_tour"), place("fill_order")
BESIDE = place("give_tour", "crowd", "grande")
SPRING = [
    case("Spring actions, Example", "row 6 gives a point, row 4 a lira, and goes before it", table("spring"),
         "wake_up:6 wake_up:4", seat=1, holds=[
             ("season", "summer"), ("seats.0.victory_points", 1), ("seats.0.lira", 0), ("seats.1.victory_points", 0),
             ("seats.1.lira", 1)]),
    case("Spring actions, Example", "the order that follows", table("spring"), "wake_up:6 wake_up:4", asks="1 0"),
]  # fmt: skip
WORKERS = [
    case("Worker placement", "no idle worker on Plant", table("summer"),
         refuses=[PLANT, place("plant_vine", "plain", "grande")]),
    case("Worker placement", "a worker on Plant plants", table("summer", {"vine": ["sangiovese"]}), PLANT,
         decision="plant_vine", legal="card:vine:sangiovese"),
    case("Bonuses", "no point of the orders' space without filling one",
         table("winter", {"order": ["order_08"], "wines": {"red": [2], "white": [3]}}, n=3),
         refuses=[place("fill_order", *space) for space in product(("plain", "bonus"), ("regular", "grande"))]),
    case("Grande worker placement, Example", "the tour is taken, the grande has a place", table("summer"), TOUR,
         offers=BESIDE, refuses=[TOUR, place("give_tour", "plain", "grande")]),
    case("Grande worker placement, Example", "and earns 2 lira", table("summer"), TOUR, BESIDE, holds=[
        ("seats.0.lira", 2), ("seats.1.lira", 2), ("board.give_tour", [at(0), at(1, "crowd", "grande")])]),
]  # fmt: skip
FULL = ["merlot", "syrah"]
FIELDS = [
    case("Plant one vine, Note", "a field of 5 has no room at 5", table(
        "summer", {"vine": ["malvasia"], "fields": {5: FULL}, "sold": (6, 7)}), refuses=PLANT),
    case("Plant one vine, Note", "room for 1 at 6", table(
        "summer", {"vine": ["malvasia"], "fields": {6: FULL}, "sold": (5, 7)}), PLANT,
        ends=["vine:malvasia-1 plant6:malvasia+1"]),
    case("Plant one vine, Note", "and for 2 at 7", table(
        "summer", {"vine": ["trebbiano"], "fields": {7: FULL}, "sold": (5, 6), "structures": ["trellis"]}), PLANT,
        ends=["vine:trebbiano-1 plant7:trebbiano+1"]),
    case("Sell grapes or field", "a grape of value 4 is sold for 2 lira", table("summer", {"grapes": {"red": [4]}}),
         place("sell_grapes_or_field"), "grape:red:4", gives="grape:red:4-1 lira+2"),
    case("Harvesting fields, Example", "red 1 + 1 and white 1 + 2 are a red 2 and a white 3", table(
        "winter", {"fields": {5: ["sangiovese", "pinot", "trebbiano"]}}), place("harvest_field"),
        ends=["harvested5+1 grape:red:2+1 grape:white:3+1"]),
    *(case("Harvesting fields, Note 2", f"a white 4 goes to {value} where {occupied} are taken", table(
        "winter", {"fields": {5: ["chardonnay"]}, "grapes": {"white": occupied}}), place("harvest_field"),
        ends=[f"harvested5+1 grape:white:{value}+1"]) for value, occupied in ((4, []), (3, [4]), (2, [3, 4]))),
]  # fmt: skip


def cellar(red=(), white=(), structures=(), **words):
    return table(
        "winter", {"grapes": {"red": list(red), "white": list(white)}, "structures": list(structures), **words}
    )


MEDIUM = ["medium_cellar"]
WINE = [
    case("Making wine, Red wine", "a red grape of 3 becomes a red wine of 3", cellar([3]), MAKE, "make:red grape:red:3",
         gives="grape:red:3-1 wine:red:3+1"),
    case("Making wine, Blush", "a white 1 and a red 4 make a blush of 5", cellar([4], [1], MEDIUM), MAKE,
         moves("red:4", "white:1"), gives=blend(5, "red:4", "white:1")),
    *(case("Making wine, Example 1", f"red 1 and 4 become 1 and 3 without a cellar, {red} first", cellar([1, 4]), MAKE,
           f"make:red grape:red:{red} make:red grape:red:{5 - red}",
           gives="grape:red:1-1 grape:red:4-1 wine:red:1+1 wine:red:3+1", seat=1) for red in (1, 4)),
    case("Making wine, Example 2", "no blush without the medium cellar", cellar([3], [2]), MAKE, refuses="make:blush"),
    case("Making wine, Example 2", "one with it", cellar([3], [2], MEDIUM), MAKE, moves("red:3", "white:2"),
         gives=blend(5, "red:3", "white:2")),
    case("Filling a wine order, Example", "red of 2 or more, white of 4 or more: 3 points and 1 residual",
         cellar(structures=MEDIUM, order=["order_08"], wines={"red": [3], "white": [4, 6]}), ORDER,
         "card:order:order_08 wine:red:3 wine:white:4", holds=[("discards.order", ["order_08"])],
         gives="order:order_08-1 wine:red:3-1 wine:white:4-1 vp+3 residual+1"),
]  # fmt: skip
YEAR_END = [
    case("Residual payments", "position 1 is 1 lira at the end of each year, and stays", cellar(residual=1),
         "pass pass", gives="lira+1"),
    case("Age grape and wine tokens", "a 2 moves to 3, a 3 to 4",
         cellar([2], [3], MEDIUM, wines={"red": [2], "white": [3]}), "pass pass", gives=" ".join(
             aged(token, [value], [value + 1]) for token, value in (
                 ("grape:red", 2), ("grape:white", 3), ("wine:red", 2), ("wine:white", 3)))),
    case("Age grape and wine tokens, Note 2", "red wines of 8 and 9 in all cellars stay",
         cellar(structures=CELLARS, wines={"red": [8, 9]}), "pass pass", gives=""),
    case("Structures, Cottage", "two visitors in fall, here one of each kind",
         table("summer", {"structures": ["cottage"]}), "pass pass deck:summer deck:winter",
         ends=[f"summer+1 winter+1 1.{kind}+1" for kind in ("summer", "winter")]),
]  # fmt: skip
CASES = [*SPRING, *WORKERS, *FIELDS, *WINE, *YEAR_END]
