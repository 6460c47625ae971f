"""The summer actions: drawing, building, planting, selling, and their limits."""

from functools import partial

from tests.cards.visitor import up_to
from tests.table.case import case
from tests.table.fixtures import ALL_STRUCTURES, COST, place
from tests.table.setup_position import table

summer = partial(table, "summer")
BUILD_ONE, PLANT_ONE, SELL_ONE = (place(action) for action in ("build_structure", "plant_vine", "sell_grapes_or_field"))
# The value of both colours, and the structures needed.
VINES = {
    "sangiovese": (1, []), "malvasia": (1, []), "pinot": (2, ["trellis"]), "syrah": (2, ["trellis"]),
    "trebbiano": (2, ["trellis"]), "merlot": (3, ["irrigation"]), "sauvignon_blanc": (3, ["irrigation"]),
    "cabernet_sauvignon": (4, ["trellis", "irrigation"]), "chardonnay": (4, ["trellis", "irrigation"]),
}  # fmt: skip
GRAPES = {(colour, value): f"grape:{colour}:{value}-1 lira+{price}"
          for colour in ("red", "white") for value, price in enumerate((1, 1, 1, 2, 2, 2, 3, 3, 3), 1)}  # fmt: skip


def planted(vine, *capacities):
    """Return the changes of one vine on one of these fields."""
    return [f"plant{capacity}:{vine}+1 vine:{vine}-1" for capacity in capacities]


def leads(rule, title, position, action, ends):
    """Return a case of an action with all its results, or of an illegal action."""
    return case(rule, title, position, action, ends=ends) if ends else case(rule, title, position, refuses=action)


of = partial(case, "Build one structure")
BUILD = [
    *(leads("Build one structure", f"{lira} lira, with {', '.join(built) or 'nothing'}",
            summer({"lira": lira, "structures": built}), BUILD_ONE,
            [f"lira-{cost} {name}+1" for name, cost in COST.items()
             if cost <= lira and name not in built and (name != "large_cellar" or "medium_cellar" in built)])
      for lira in range(1, 8) for built in ([], ["medium_cellar"], ["trellis", "windmill"])),
    of("one of each (Note)", summer({"lira": 50, "structures": ALL_STRUCTURES}), refuses=BUILD_ONE),
]  # fmt: skip

of = partial(case, "Plant one vine")
PLANT = [
    *(leads("Vine deck", f"{vine} with {' and '.join(built) or 'no structure'}",
            summer({"vine": [vine], "structures": built}), PLANT_ONE,
            planted(vine, 5, 6, 7) if set(needs) <= set(built) else [])
      for vine, (_, needs) in VINES.items()
      for built in ([], ["trellis"], ["irrigation"], ["trellis", "irrigation"])),
    *(leads("Plant one vine, Note", f"{vine}: red and white together stay within the field",
            summer({"vine": [vine], "structures": ["trellis", "irrigation"],
                    "fields": {5: ["merlot"], 6: ["chardonnay"], 7: ["merlot"]}}), PLANT_ONE,
            planted(vine, *(capacity for capacity, room in ((5, 2), (6, 2), (7, 4)) if value <= room)))
      for vine, (value, _) in VINES.items()),
    of("none on a full field", summer(
        {"vine": ["malvasia"], "fields": {5: ["merlot", "trebbiano"], 6: ["merlot", "merlot"]}}), PLANT_ONE,
       ends=planted("malvasia", 7)),
    of("none on a sold field", summer({"vine": ["malvasia"], "sold": [5, 7]}), PLANT_ONE, ends=planted("malvasia", 6)),
    of("none where all are sold", summer({"vine": ["malvasia"], "sold": [5, 6, 7]}), refuses=PLANT_ONE),
    of("on a harvested field too", summer(
        {"vine": ["malvasia"], "fields": {5: ["sangiovese"]}, "harvested": [5], "sold": [6, 7]}), PLANT_ONE,
       ends=planted("malvasia", 5)),
    of("it uproots nothing", summer({"fields": {5: ["merlot", "trebbiano"]}}), refuses=PLANT_ONE),
]  # fmt: skip

of = partial(case, "Sell grapes or field")
OTHERS = {5: {6: ["sangiovese"], 7: ["malvasia"]}, 6: {5: ["sangiovese"], 7: ["malvasia"]},
          7: {5: ["sangiovese"], 6: ["malvasia"]}}  # fmt: skip
SELL = [
    *(of(f"the price of a grape: {colour} {value}", summer({"grapes": {colour: [value]}, "sold": [5, 6, 7]}), SELL_ONE,
         ends=[end]) for (colour, value), end in GRAPES.items()),
    of("any number of grapes, at least one, or one field", summer({"grapes": {"red": [2, 5], "white": [3, 9]}}),
       SELL_ONE, ends=[*up_to(4, *(GRAPES[grape] for grape in (("red", 2), ("red", 5), ("white", 3), ("white", 9)))),
                       *(f"sold{capacity}+1 lira+{capacity}" for capacity in (5, 6, 7))]),
    of("each set of grapes in one way", summer({"grapes": {"red": [2, 5], "white": [3, 9]}}), SELL_ONE, "grape:red:5",
       legal="done grape:white:3 grape:white:9"),
    *(of(f"field {capacity} is bought back for its full value", summer(
        {"lira": capacity, "fields": fields, "sold": [capacity]}), SELL_ONE,
         ends=[f"sold{capacity}-1 lira-{capacity}"]) for capacity, fields in OTHERS.items()),
    *(of(f"field {capacity} is not bought back for less", summer(
        {"lira": capacity - 1, "fields": fields, "sold": [capacity]}), refuses=SELL_ONE)
      for capacity, fields in OTHERS.items()),
    of("only the field that can be paid", summer({"lira": 6, "fields": {5: ["malvasia"]}, "sold": [6, 7]}), SELL_ONE,
       ends=["sold6-1 lira-6"]),
    of("no planted field, harvested or not",
       summer({"fields": {5: ["malvasia"], 7: ["sangiovese"]}, "harvested": [7]}), SELL_ONE, ends=["sold6+1 lira+6"]),
    of("a grape where no field can be sold or bought", summer(
        {"lira": 4, "fields": OTHERS[5], "sold": [5], "grapes": {"white": [1]}}), SELL_ONE, ends=[GRAPES["white", 1]]),
    of("coins have no end (Components)", summer({"lira": 200}), place("give_tour"), ends=["lira+2"]),
    of("one vine card from the deck (Draw one vine card)", summer(next_draws={"vine": ["chardonnay", "merlot"]}),
       place("draw_vine"), ends=["vine:chardonnay+1"]),
]  # fmt: skip
CASES = [*BUILD, *PLANT, *SELL]
