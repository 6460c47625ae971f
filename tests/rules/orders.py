"""Wine orders: requirement and reward of each card, matching wines, residual payments."""

from functools import partial

from tests.table.case import case
from tests.table.fixtures import ALL_STRUCTURES, ORDERS, place
from tests.table.setup_position import table

# The wines asked for (r red, w white, b blush, s sparkling, with the least value), victory points, residual.
CARDS = dict(zip(ORDERS, (
    ("r5", 2, 1), ("r2 w2", 2, 1), ("r3 w1", 2, 1), ("r1 w3", 2, 1), ("w5", 2, 1), ("b4", 2, 1), ("r6", 3, 1),
    ("r2 w4", 3, 1), ("r4 w2", 3, 1), ("r3 w3", 3, 1), ("r4 r3", 3, 1), ("w6", 3, 1), ("w4 w3", 3, 1), ("b6", 3, 1),
    ("r8", 4, 1), ("r5 w3", 4, 1), ("r3 w5", 4, 1), ("r4 b4", 4, 1), ("r4 r3 r2", 4, 1), ("w8", 4, 1),
    ("w4 b4", 4, 1), ("w4 w3 w2", 4, 1), ("b8", 4, 1), ("s7", 4, 1), ("r2 w2 b5", 5, 2), ("r7 r6", 5, 2),
    ("r6 w6", 5, 2), ("r3 b7", 5, 2), ("w3 b7", 5, 2), ("w7 w6", 5, 2), ("s9", 5, 2), ("b6 b5", 6, 2),
    ("w4 s7", 6, 2), ("w3 s7", 6, 2), ("w3 s8", 6, 2), ("w2 s8", 6, 2),
), strict=True))  # fmt: skip
KINDS = {"r": "red", "w": "white", "b": "blush", "s": "sparkling"}
LOWEST = {"red": 1, "white": 1, "blush": 4, "sparkling": 7}
FILL = place("fill_order")


def wines_of(card):
    """Return kind and minimum value of each wine of an order, in the order of the decisions."""
    return [(KINDS[icon[0]], int(icon[1])) for icon in CARDS[card][0].split()]


def better(card):
    kinds = [kind for kind, _ in wines_of(card)]
    return [(kind, 9 - kinds[:n].count(kind)) for n, kind in enumerate(kinds)]


def less(card):
    """Yield wines that do not fill an order: one is missing, or below its minimum value."""
    wines = wines_of(card)
    for n, (kind, value) in enumerate(wines):
        others = wines[:n] + wines[n + 1 :]
        yield others
        values = [other for name, other in others if name == kind]
        if lower := [weaker for weaker in range(LOWEST[kind], value) if weaker not in values]:
            yield [*others, (kind, lower[-1])]


def holds(orders, wines, **seat_spec):
    cellar = {kind: sorted(value for name, value in wines if name == kind) for kind in LOWEST}
    return table("winter", {"order": orders.split(), "wines": cellar, "structures": ALL_STRUCTURES, **seat_spec})


def filled(card, wines, residual=None):
    """Return the changes of an order filled with these wines."""
    _, points, payment = CARDS[card]
    payment = payment if residual is None else residual
    used_wines = " ".join(f"wine:{kind}:{value}-1" for kind, value in wines)
    return f"order:{card}-1 vp+{points} {used_wines}" + (f" residual+{payment}" if payment else "")


def fill(card, wines):
    return " ".join((FILL, f"card:order:{card}", *(f"wine:{kind}:{value}" for kind, value in wines)))


of = partial(case, "Filling wine orders")
EVERY_ORDER = [row for card in CARDS for row in (
    of(f"{card} with exactly the required wines", holds(card, wines_of(card), vp=1, residual=2), FILL,
       ends=[filled(card, wines_of(card))]),
    of(f"{card} by more, for the same; it is discarded", holds(card, better(card)), fill(card, better(card)),
       gives=filled(card, better(card)), holds=[("discards.order", [card])]),
    *(of(f"{card} not by {' '.join(f'{kind} {value}' for kind, value in wines)}", holds(card, wines), refuses=FILL)
      for wines in less(card)),
)]  # fmt: skip
CHOICE = [
    *(of(f"no other kind replaces {kind}", holds(card, [(other, 9) for other in LOWEST if other != kind]),
         refuses=FILL) for kind, card in (("red", "order_01"), ("white", "order_05"), ("blush", "order_06"))),
    of("only orders whose wines are there", holds("order_01 order_02 order_08 order_36", [("red", 5), ("white", 3)]),
       FILL, legal="card:order:order_01 card:order:order_02"),
    of("the player chooses among the wines that fit",
       holds("order_08", [("red", 1), ("red", 2), ("red", 7), ("white", 4), ("white", 6)]), FILL,
       ends=[filled("order_08", [("red", red), ("white", white)]) for red in (2, 7) for white in (4, 6)]),
    of("one token for each icon", holds("order_11", [("red", 3), ("red", 5), ("red", 6)]), FILL,
       ends=[filled("order_11", [("red", first), ("red", second)]) for first, second in ((5, 3), (6, 3), (6, 5))]),
    *(of(f"each set of tokens in one way, the higher first: {values}", holds("order_11", [
        ("red", value) for value in values]), FILL, "card:order:order_11", moves, legal=legal)
      for values, moves, legal in (
          ([3, 5, 6], "", "wine:red:5 wine:red:6"), ([3, 5, 6], "wine:red:5", "wine:red:3"),
          ([3, 5, 6], "wine:red:6", "wine:red:3 wine:red:5"), ([4, 6], "", "wine:red:6"),
          ([4, 6], "wine:red:6", "wine:red:4"), ([4, 5, 6], "wine:red:5", "wine:red:4"))),
    of("the first token leaves enough for the others",
       holds("order_19", [("red", 2), ("red", 3), ("red", 4), ("red", 6)]), FILL, "card:order:order_19",
       legal="wine:red:4 wine:red:6"),
    of("the second token leaves enough for the third",
       holds("order_19", [("red", 2), ("red", 3), ("red", 4), ("red", 6)]), FILL, "card:order:order_19 wine:red:4",
       legal="wine:red:3"),
    of("one card from the deck (Draw one wine order)", table("winter", next_draws={"order": ["order_31"]}),
       place("draw_order"), ends=["order:order_31+1"]),
]  # fmt: skip

of = partial(case, "Residual payments")
RESIDUAL = [
    *(of(f"five at most: {before} and {card}", holds(card, wines_of(card), residual=before), FILL,
         ends=[filled(card, wines_of(card), gained)])
      for before, card, gained in ((4, "order_26", 1), (5, "order_01", 0), (3, "order_26", 2))),
    *(of(f"paid at the year's end, and kept: {residual}",
         table("winter", {"residual": residual}, {"regular": 0, "grande": 0}), "pass",
         gives=f"lira+{residual}" if residual else "") for residual in range(6)),
]  # fmt: skip
CASES = [*EVERY_ORDER, *CHOICE, *RESIDUAL]
