"""The referee's answers."""

from typing import Any

from .cards import CARD_PARTS, place_or_pass, played
from .estate import State, placed, prepare
from .search import Node, can_finish, legal
from .tables import SUMMER_VISITORS

Position = dict[str, Any]


def turn(position: Position, seat: int) -> Node:
    """The start of a turn of `seat`."""
    return Node(prepare(position, seat), (place_or_pass,))


def board_actions(position: Position, seat: int) -> set[str]:
    """Names of the legal placements, and `pass`."""
    return set(legal(turn(position, seat)))


def play(position: Position, seat: int, card: str) -> Node:
    """The start of a visitor card from the hand of `seat`, whose worker may be on the board already."""
    state = prepare(position, seat)
    theirs = "play_summer_visitor" if state["season"] == "summer" else "play_winter_visitor"
    state["playing"] = next((one for one in placed(state, seat) if one[0] == theirs), None)
    season = "summer" if card in SUMMER_VISITORS else "winter"
    return Node(*played(state, season, card))


def playable(position: Position, seat: int, card: str) -> bool:
    """Whether some branch of the card can be carried out completely."""
    return can_finish(play(position, seat, card))


def branches(position: Position, seat: int, card: str) -> set[int]:
    """Numbers of the options that may be chosen first; empty for a card without options."""
    names = first_picks(position, seat, card)
    return {int(name.split(":")[1]) for name in names if name.startswith("option:")}


def first_picks(position: Position, seat: int, card: str, *so_far: str) -> set[str]:
    """Names of the legal next choices of the card after the choices made so far."""
    return picks(play(position, seat, card), *so_far)


def picks(node: Node, *so_far: str) -> set[str]:
    for name in so_far:
        node = legal(node)[name]
    return set(legal(node))


def yield_of(state: State, seat: int) -> dict[str, Any]:
    """What can be compared after an action: the seat's mat, money, points and staff, in one order."""
    one = state["seats"][seat]
    return {
        "lira": one["lira"],
        "victory_points": one["victory_points"],
        "residual": one["residual"],
        "trained_this_year": one["trained_this_year"],
        "structures": sorted(one["structures"]),
        "fields": [(f["capacity"], sorted(f["vines"]), f["sold"], f["harvested"]) for f in one["fields"]],
        "crush_pad": {colour: sorted(values) for colour, values in one["crush_pad"].items()},
        "cellar": {kind: sorted(values) for kind, values in one["cellar"].items()},
        "used": sorted(one["used"]),
        "workers": dict(one["workers"]),
    }


ALL_CARDS = tuple(CARD_PARTS)
