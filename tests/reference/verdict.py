"""Legal actions and effects by the reference."""

from typing import Any

from .cards import place_or_pass, played
from .estate import State, placed, prepare
from .search import Node, can_finish, legal
from .tables import SUMMER_VISITORS

Position = dict[str, Any]


def turn(position: Position, seat: int) -> Node:
    """Return the start of a turn of `seat`."""
    return Node(prepare(position, seat), (place_or_pass,))


def board_actions(position: Position, seat: int) -> set[str]:
    """Return the names of the legal placements, and `pass`."""
    return set(legal(turn(position, seat)))


def play(position: Position, seat: int, card: str) -> Node:
    """Return the start of a visitor from the hand of `seat`, whose worker may already be placed."""
    state = prepare(position, seat)
    theirs = "play_summer_visitor" if state["season"] == "summer" else "play_winter_visitor"
    state["playing"] = next((worker for worker in placed(state, seat) if worker[0] == theirs), None)
    season = "summer" if card in SUMMER_VISITORS else "winter"
    return Node(*played(state, season, card))


def playable(position: Position, seat: int, card: str) -> bool:
    """Return whether some branch of the card can be resolved completely."""
    return can_finish(play(position, seat, card))


def branches(position: Position, seat: int, card: str) -> set[int]:
    """Return the numbers of the branches that can be chosen first; empty for a card without branches."""
    names = first_picks(position, seat, card)
    return {int(name.split(":")[1]) for name in names if name.startswith("option:")}


def first_picks(position: Position, seat: int, card: str, *so_far: str) -> set[str]:
    """Return the names of the legal choices of the card after the choices `so_far`."""
    return picks(play(position, seat, card), *so_far)


def picks(node: Node, *so_far: str) -> set[str]:
    for name in so_far:
        node = legal(node)[name]
    return set(legal(node))


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
