"""Turns and effects by the reference."""

from typing import Any

from .cards import place_or_pass
from .estate import State, prepare
from .search import Node

Position = dict[str, Any]


def turn(position: Position, seat: int) -> Node:
    """Return the start of a turn of `seat`."""
    return Node(prepare(position, seat), (place_or_pass,))


def yield_of(state: State, seat: int) -> dict[str, Any]:
    """Return the comparable state of a seat: mat, money, points and workers, normalised."""
    mat = state["seats"][seat]
    return {
        "lira": mat["lira"],
        "victory_points": mat["victory_points"],
        "residual": mat["residual"],
        "trained_this_year": mat["trained_this_year"],
        "structures": sorted(mat["structures"]),
        "fields": [(f["capacity"], sorted(f["vines"]), f["sold"], f["harvested"]) for f in mat["fields"]],
        "crush_pad": {colour: sorted(values) for colour, values in mat["crush_pad"].items()},
        "cellar": {kind: sorted(values) for kind, values in mat["cellar"].items()},
        "used": sorted(mat["used"]),
        "workers": dict(mat["workers"]),
    }
