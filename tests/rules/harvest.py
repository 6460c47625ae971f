"""Harvesting: sums by colour, one token per colour, occupied slots, lost grapes, once a year."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import at, place
from tests.table.setup_position import table

winter = partial(table, "winter")
HARVEST = place("harvest_field")
NOBODY = {"regular": 0, "grande": 0}

of = partial(case, "Harvesting fields")
SUMS = [
    *(of(f"each colour's values make one token, the vines stay: {vines}", winter({"fields": {7: vines.split()}}),
         HARVEST, legal="field:7", ends=["harvested7+1 " + " ".join(f"grape:{grape}+1" for grape in grapes.split())])
      for vines, grapes in (
          ("sangiovese", "red:1"), ("malvasia", "white:1"), ("pinot", "red:1 white:1"),
          ("pinot pinot pinot", "red:3 white:3"), ("sangiovese syrah merlot", "red:6"),
          ("merlot cabernet_sauvignon", "red:7"), ("chardonnay sauvignon_blanc", "white:7"),
          ("cabernet_sauvignon trebbiano", "red:4 white:2"), ("syrah pinot sauvignon_blanc", "red:3 white:4"))),
    of("fields are never added up", winter({"fields": {5: ["syrah"], 6: ["syrah"]}}, n=3),
       place("harvest_field", "bonus"), "field:5 field:6",
       gives="harvested5+1 harvested6+1 grape:red:2+1 grape:red:1+1"),
    of("no token above nine, in a field filled beyond its limit", winter(
        {"fields": {7: ["cabernet_sauvignon", "merlot", "cabernet_sauvignon"]}, "over_limit": [7]}), HARVEST,
       ends=["harvested7+1 grape:red:9+1"]),
    of("the yield needs no structure", winter({"fields": {7: ["chardonnay"]}}), HARVEST,
       ends=["harvested7+1 grape:white:4+1"]),
]  # fmt: skip

of = partial(case, "Harvesting fields, Note 2")
TAKEN_SLOT = [
    *(of(f"the next lower free slot, otherwise lost: {colour} 4 with {tokens}",
         winter({"fields": {5: [vine]}, "grapes": {colour: tokens}}), HARVEST,
         ends=["harvested5+1" + (f" grape:{colour}:{slot}+1" if slot else "")])
      for colour, vine in (("red", "cabernet_sauvignon"), ("white", "chardonnay"))
      for tokens, slot in (([4], 3), ([3, 4], 2), ([2, 3, 4], 1), ([1, 3, 4], 2), ([1, 2, 3, 4], 0),
                          ([1, 2, 3, 5], 4))),
    of("a field may be harvested for nothing", winter({"fields": {5: ["sangiovese"]}, "grapes": {"red": [1]}}),
       HARVEST, ends=["harvested5+1"]),
    of("each colour has its own slots", winter(
        {"fields": {5: ["pinot", "pinot"]}, "grapes": {"red": [1, 2], "white": [1]}}), HARVEST,
       ends=["harvested5+1 grape:white:2+1"]),
]  # fmt: skip

of = partial(case, "Harvesting fields, Note 1")
ONCE_A_YEAR = [
    of("a planted field that is not harvested",
       winter({"fields": {5: ["pinot"], 7: ["malvasia"]}, "sold": [6], "harvested": [5]}), HARVEST, legal="field:7"),
    of("none where all are harvested", winter({"fields": {5: ["pinot"], 7: ["malvasia"]}, "harvested": [5, 7]}),
       refuses=HARVEST),
    of("a second worker takes another field", winter({"fields": {5: ["pinot"], 6: ["malvasia"]}}, NOBODY, NOBODY),
       HARVEST, "field:5", place("harvest_field", "bonus"), legal="field:6"),
    of("a third worker finds no field", winter({"fields": {5: ["pinot"], 6: ["malvasia"]}}, NOBODY, NOBODY),
       HARVEST, "field:5", place("harvest_field", "bonus"), "field:6", seat=0,
       refuses=place("harvest_field", "crowd", "grande")),
    of("again next year", winter({"fields": {5: ["pinot"]}, "harvested": [5]}, NOBODY), "pass", gives="harvested5-1"),
    of("not in summer (Winter actions)", table("summer", {"fields": {5: ["pinot"]}}), refuses=HARVEST),
    of("a grande on a full action (Grande worker placement)",
       winter({"fields": {5: ["pinot"]}}, board={"harvest_field": [at(1)]}), place("harvest_field", "crowd", "grande"),
       ends=["harvested5+1 grape:red:1+1 grape:white:1+1"]),
]  # fmt: skip
CASES = [*SUMS, *TAKEN_SLOT, *ONCE_A_YEAR]
