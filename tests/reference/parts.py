"""Parts of cards without a decision, and choices of branches."""

from collections.abc import Callable, Iterable
from typing import Any

from . import estate
from .estate import Seat, State, clone, mine
from .search import Node, Part, Step, can_finish, part
from .tables import FLOOR, RESIDUAL_LIMIT

Reward = Callable[..., None]


def no_reward(seat: Seat, *arguments: Any) -> None:
    """No further reward."""


def points(number: int) -> Reward:
    def score(seat: Seat, *arguments: Any) -> None:
        seat["victory_points"] += number

    return score


# Parts without a decision


@part
def need(state: State, condition: Callable[[State], bool]) -> list[Step]:
    return [Step(None, state)] if condition(state) else []


@part
def change(state: State, effect: Callable[[State], None]) -> list[Step]:
    after = clone(state)
    effect(after)
    return [Step(None, after)]


@part
def gain(state: State, lira: int = 0, points: int = 0, residual: int = 0) -> list[Step]:
    after = clone(state)
    seat = mine(after)
    seat["lira"] += lira
    seat["victory_points"] += points
    seat["residual"] = min(RESIDUAL_LIMIT, seat["residual"] + residual)
    return [Step(None, after)]


@part
def pay(state: State, lira: int) -> Iterable[Step]:
    return gain(lira=-lira)(state) if mine(state)["lira"] >= lira else []


@part
def lose(state: State, number: int) -> Iterable[Step]:
    """Victory points as a price: the whole loss must stay above the minimum."""
    return gain(points=-number)(state) if mine(state)["victory_points"] - number >= FLOOR else []


@part
def draw(state: State, *decks: str) -> list[Step]:
    """Draw unknown cards; an exhausted deck yields none."""
    after = {**clone(state), "drawn": True}

    def reshuffled(deck: str) -> int:
        number = len(after["discards"][deck])
        after["discards"][deck] = []
        return number

    for deck in decks:
        if estate.can_draw(after, deck):
            after["decks"][deck] = (after["decks"][deck] or reshuffled(deck)) - 1
        if not after["decks"][deck]:
            after["decks"][deck] = reshuffled(deck)
    return [Step(None, after)]


def others_answer() -> Part:
    """The result depends on other seats or unknown cards."""
    return change(lambda state: state.update(others=True))


# Choices of branches


@part
def one_of(state: State, *branches: tuple[Part, ...]) -> list[Step]:
    return [Step(f"option:{number}", state, branch) for number, branch in enumerate(branches, start=1)]


def both(first: tuple[Part, ...], second: tuple[Part, ...]) -> Part:
    return one_of(first + second, second + first)


@part
def two_different(state: State, *branches: tuple[Part, ...], first: int = 0) -> Iterable[Step]:
    for number, branch in enumerate(branches, start=1):
        if number != first:
            yield Step(
                f"option:{number}", state, branch if first else (*branch, two_different(*branches, first=number))
            )


@part
def one_or_both(state: State, *branches: tuple[Part, ...]) -> list[Step]:
    """One branch for free, and the other as well for 1 point, decided after the first."""
    return [Step(f"option:{k}", state, (*branches[k - 1], for_a_point(3 - k, branches[2 - k]))) for k in (1, 2)]


@part
def for_a_point(state: State, number: int, branch: tuple[Part, ...]) -> list[Step]:
    parts = (lose(1), *branch)
    if can_finish(Node(state, parts)):
        return [Step(f"option:{number}", state, parts), Step("done", state)]
    return [Step(None, state)]


def done(state: State) -> Step:
    return Step("done", state)
