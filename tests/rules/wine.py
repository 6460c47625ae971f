"""Making wine: four types, cellars, minimum values, lowering, the cap, and the order of several tokens."""

from functools import partial

from tests.cards.visitor import made, up_to
from tests.table.case import case
from tests.table.fixtures import CELLARS, place
from tests.table.setup_position import table

MAKE = place("make_wine")
TIERS = {"small": (0, 3), "medium": (1, 6), "large": (2, 9)}  # cellars built, the highest value


def grapes(red=(), white=(), tier="large", **wines):
    cellar = {kind.removesuffix("_wine"): values for kind, values in wines.items()}
    seat_spec = {"grapes": {"red": list(red), "white": list(white)}, "structures": CELLARS[: TIERS[tier][0]]}
    return table("winter", seat_spec | {"wines": cellar})


def blend(value, *used):
    """Return the changes when grapes, `red:1`, become a blush, or three a sparkling wine."""
    kind = "blush" if len(used) == 2 else "sparkling"
    return " ".join(f"grape:{grape}-1" for grape in used) + f" wine:{kind}:{value}+1"


def moves(*used):
    return " ".join((f"make:{'blush' if len(used) == 2 else 'sparkling'}", *(f"grape:{grape}" for grape in used)))


of = partial(case, "Making wine")
VALUES = [
    *(of(f"one grape, lowered to what the cellars hold: {colour} {value}, {tier}",
         grapes(**{colour: [value]}, tier=tier), MAKE,
         ends=[f"grape:{colour}:{value}-1 wine:{colour}:{min(value, top)}+1"])
      for tier, (_, top) in TIERS.items() for colour in ("red", "white") for value in range(1, 10)),
    *(of(f"a blush is the sum, lowered too: {red} and {white}, {tier}", grapes([red], [white], tier), MAKE,
         "make:blush", ends=[blend(min(red + white, TIERS[tier][1]), f"red:{red}", f"white:{white}")])
      for tier in ("medium", "large") for red, white in ((1, 3), (3, 1), (2, 3), (5, 2), (4, 4), (4, 5), (8, 9))),
    *(of(f"a sparkling wine is the sum of three: {low}, {high} and {white}", grapes([low, high], [white]), MAKE,
         "make:sparkling", ends=[blend(value, f"red:{low}", f"red:{high}", f"white:{white}")])
      for low, high, white, value in ((1, 2, 4, 7), (1, 4, 3, 8), (2, 3, 4, 9), (4, 5, 6, 9))),
]  # fmt: skip
TOKENS = [
    of("one or two, of one type or of two", grapes([2, 5], [1]), MAKE, ends=[
        *up_to(2, made("red:2"), made("red:5"), made("white:1")), blend(6, "red:5", "white:1"),
        blend(6, "red:5", "white:1") + " " + made("red:2"), blend(8, "red:2", "red:5", "white:1")]),
    of("at least one", grapes([2, 5]), MAKE, legal="make:red"),
    of("the second may be left", grapes([2, 5]), MAKE, "make:red grape:red:2", legal="make:red done"),
    of("one after the other (Note 3)", grapes([3, 4], tier="small"), MAKE, ends=[
        made("red:3"), "grape:red:4-1 wine:red:3+1", "grape:red:3-1 grape:red:4-1 wine:red:3+1 wine:red:2+1"]),
    *(of(f"two blushes take two slots, in the player's order: {', '.join(order)} with {tokens}",
         grapes([2, 4], [2, 4], "medium", blush_wine=tokens), MAKE, *(moves(f"red:{n}", f"white:{n}") for n in order),
         gives="grape:red:2-1 grape:red:4-1 grape:white:2-1 grape:white:4-1 "
         + " ".join(f"wine:blush:{value}+1" for value in values))
      for order, tokens, values in (("42", [], (4, 6)), ("24", [], (4, 6)), ("42", [6], (4, 5)))),
    of("never of wine (Note 4)", grapes(red_wine=[5], white_wine=[5]), refuses=MAKE),
]  # fmt: skip

of = partial(case, "Making wine, Note 3")
TAKEN_SLOT = [
    *(of(f"lowered to the next free slot: 4 with {tokens}", grapes([4], tier="medium", red_wine=tokens), MAKE,
         ends=[f"grape:red:4-1 wine:red:{slot}+1"]) for tokens, slot in (([4], 3), ([3, 4], 2), ([2, 3, 4], 1))),
    *(of(f"no wine is made to be lost: {value} with {tokens}", grapes([value], tier="small", red_wine=tokens),
         refuses=MAKE) for value, tokens in ((3, [1, 2, 3]), (2, [1, 2]))),
    of("a free slot above its value does not help, one at it does", grapes([3], tier="small", red_wine=[1, 2]), MAKE,
       ends=[made("red:3")]),
    of("types do not share slots", grapes([5], white_wine=[5], blush_wine=[5]), MAKE, ends=[made("red:5")]),
    of("no blush below four: no slot left", grapes([2], [2], "medium", blush_wine=[4], red_wine=[1, 2],
                                                   white_wine=[1, 2]), refuses=MAKE),
    of("no blush below four: between two", grapes([3], [3], "medium", blush_wine=[4, 6]), MAKE, "make:blush",
       ends=[blend(5, "red:3", "white:3")]),
    of("no blush below four: the last slot", grapes([4], [4], "medium", blush_wine=[5, 6]), MAKE, "make:blush",
       ends=[blend(4, "red:4", "white:4")]),
    *(of(f"no sparkling wine below seven: {tokens} is taken", grapes(red, [white], sparkling_wine=tokens), MAKE,
         refuses="make:sparkling") for red, white, tokens in (([1, 2], 4, [7]), ([4, 5], 6, [7, 8, 9]))),
    of("no sparkling wine below seven: the next slot", grapes([4, 5], [6], sparkling_wine=[9]), MAKE,
       "make:sparkling", ends=[blend(8, "red:4", "red:5", "white:6")]),
]  # fmt: skip

of = partial(case, "Glossary, Make wine")
KINDS = [
    *(of(f"{tier} cellar: {', '.join(kinds.split())} (Structures, Cellars)", grapes([4, 5], [4], tier), MAKE,
         legal=[f"make:{kind}" for kind in kinds.split()])
      for tier, kinds in (("small", "red white"), ("medium", "red white blush"),
                          ("large", "red white blush sparkling"))),
    *(of(f"two red and one white, no other three: {red} and {white}", grapes(red, white), MAKE, legal=legal)
      for red, white, legal in (([9], [8, 9], "make:red make:white make:blush"), ([8, 9], [], "make:red"),
                                ([], [8, 9], "make:white"))),
    *(of(f"a blush is worth at least 4: {red} and {white}", grapes([red], [white]), MAKE,
         **{"offers" if red + white > 3 else "refuses": "make:blush"})
      for red, white in ((1, 2), (2, 1), (1, 1), (2, 2))),
    *(of(f"a sparkling wine is worth at least 7: {red} and {white}", grapes(red, [white]), MAKE,
         **{"offers" if sum(red) + white > 6 else "refuses": "make:sparkling"})
      for red, white in (([1, 2], 3), ([1, 2], 4), ([2, 3], 1))),
    *(of(f"only grapes that make 4: {grape or 'first'}", grapes([1, 3], [1, 2]), MAKE, "make:blush", grape,
         decision="choose_grape", legal=legal)
      for grape, legal in (("", "grape:red:3"), ("grape:red:3", "grape:white:1 grape:white:2"))),
    *(of(f"only grapes that make 7, the lower red one first: {grape or 'first'}", grapes([1, 2, 4], [1, 3]), MAKE,
         "make:sparkling", grape, decision="choose_grape", legal=legal)
      for grape, legal in (
          ("", "grape:red:1 grape:red:2"), ("grape:red:1", "grape:red:4"), ("grape:red:2", "grape:red:4"),
          ("grape:red:1 grape:red:4", "grape:white:3"), ("grape:red:2 grape:red:4", "grape:white:1 grape:white:3"))),
]  # fmt: skip
CASES = [*VALUES, *TOKENS, *TAKEN_SLOT, *KINDS]
