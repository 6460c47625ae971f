"""Traits of cards and structures, scaled to about 1, by which networks can share weights."""

from __future__ import annotations

from collections import defaultdict

from vitienv.core.compiling.namespaces import words
from vitienv.viticulture.cards import ORDERS, SUMMER_VISITORS, VINES, WINTER_VISITORS
from vitienv.viticulture.cards.orders import Order
from vitienv.viticulture.cards.parts import PartOp, Visitor
from vitienv.viticulture.cards.vines import Vine
from vitienv.viticulture.enums import DECKS, STRUCTURES, WINES
from vitienv.viticulture.state import STRUCTURE_COST

Traits = dict[str, float]
OPS = words(PartOp)
# Parts whose first number is an amount, with the scale of the amount.
AMOUNTS = {
    "lira": 6, "points": 3, "residual": 1, "plant": 2, "harvest": 2, "make": 2, "uproot": 2, "discard": 3, "train": 4,
}  # fmt: skip
DECK_BITS, DECK_CARDS = 3, 7  # bits per deck in the number of a drawing part, and their mask


def traits() -> dict[str, Traits]:
    """Return the traits of each card and structure, by name in observations and actions."""
    by_card = {f"vine:{row.id}": _of_vine(row) for row in VINES}
    by_card |= {f"order:{row.id}": _of_order(row) for row in ORDERS}
    for deck, rows in (("summer", SUMMER_VISITORS), ("winter", WINTER_VISITORS)):
        by_card |= {f"{deck}:{row.id}": {deck: 1.0, **_of_visitor(row)} for row in rows}
    costs = dict(zip(STRUCTURES, STRUCTURE_COST, strict=True))
    return by_card | {name: {"structure": 1.0, "cost": cost / 6} for name, cost in costs.items()}


def _of_vine(row: Vine) -> Traits:
    return {
        "vine": 1.0, "red": row.red / 4, "white": row.white / 4, "trellis": float(row.trellis),
        "irrigation": float(row.irrigation), "copies": row.copies / 6,
    }  # fmt: skip


def _of_order(row: Order) -> Traits:
    traits: Traits = defaultdict(float, order=1.0, points=row.vp / 6, residual=row.residual / 2)
    for kind, min_value in row.wines:
        name = WINES[kind]
        traits[f"{name} wines"] += 0.5
        traits[f"{name} value"] += min_value / 9
        traits["wines"] += 0.5
        traits["value"] += min_value / 9
    return dict(traits)


def _of_visitor(row: Visitor) -> Traits:
    """Return the numbers of parts by kind, and their amounts as gains and losses."""
    traits: Traits = defaultdict(float, visitor=1.0, branches=len(row.branches) / 2)
    traits[f"mode {row.mode.name.lower()}"] = 1.0
    for part in (part for branch in row.branches for part in branch):
        op = OPS[part.op]
        traits[op] += 1.0
        if op in AMOUNTS:
            traits[f"{op} {'gained' if part.a >= 0 else 'lost'}"] += abs(part.a) / AMOUNTS[op]
        elif part.op == PartOp.DRAW:
            for number, deck in enumerate(DECKS):
                traits[f"draw {deck}"] += (part.a >> (DECK_BITS * number) & DECK_CARDS) / 2
        elif part.op == PartOp.BUILD:
            traits["build cheaper"] += part.a / 3 if part.b < 0 else 1.0
    return {name: value for name, value in traits.items() if value}
