"""Parts of cards without a decision, and choices of branches."""

from collections.abc import Callable, Iterable
from typing import Any

from . import estate
from .estate import Seat, State, clone, mine
from .search import Node, Part, Step, can_finish
from .tables import FLOOR, RESIDUAL_LIMIT

Reward = Callable[..., None]


def no_reward(seat: Seat, *arguments: Any) -> None:
    """No further reward."""


def points(number: int) -> Reward:
    def score(seat: Seat, *arguments: Any) -> None:
        seat["victory_points"] += number

    return score


# Parts without a decision


def need(condition: Callable[[State], bool]) -> Part:
    def part(state: State) -> list[Step]:
        return [Step(None, state)] if condition(state) else []

    return part


def change(effect: Callable[[State], None]) -> Part:
    def part(state: State) -> list[Step]:
        after = clone(state)
        effect(after)
        return [Step(None, after)]

    return part


def gain(lira: int = 0, points: int = 0, residual: int = 0) -> Part:
    def effect(state: State) -> None:
        seat = mine(state)
        seat["lira"] += lira
        seat["victory_points"] += points
        seat["residual"] = min(RESIDUAL_LIMIT, seat["residual"] + residual)

    return change(effect)


def pay(lira: int) -> Part:
    def part(state: State) -> Iterable[Step]:
        return gain(lira=-lira)(state) if mine(state)["lira"] >= lira else []

    return part


def lose(number: int) -> Part:
    """Victory points as a price: the whole loss must stay above the minimum."""

    def part(state: State) -> Iterable[Step]:
        return gain(points=-number)(state) if mine(state)["victory_points"] - number >= FLOOR else []

    return part


def draw(*decks: str) -> Part:
    """Draw unknown cards; an exhausted deck yields none."""

    def effect(state: State) -> None:
        state["drawn"] = True
        for deck in decks:
            if estate.can_draw(state, deck):
                state["decks"][deck] = (state["decks"][deck] or reshuffled(state, deck)) - 1
            if not state["decks"][deck]:
                state["decks"][deck] = reshuffled(state, deck)

    def reshuffled(state: State, deck: str) -> int:
        number = len(state["discards"][deck])
        state["discards"][deck] = []
        return number

    return change(effect)


def others_answer() -> Part:
    """The result depends on other seats or unknown cards."""
    return change(lambda state: state.update(others=True))


# Choices of branches


def one_of(*branches: tuple[Part, ...]) -> Part:
    def part(state: State) -> list[Step]:
        return [Step(f"option:{number}", state, branch) for number, branch in enumerate(branches, start=1)]

    return part


def both(first: tuple[Part, ...], second: tuple[Part, ...]) -> Part:
    return one_of(first + second, second + first)


def two_different(*branches: tuple[Part, ...]) -> Part:
    def part(state: State) -> list[Step]:
        return [Step(f"option:{k}", state, branches[k - 1] + (another(k),)) for k in range(1, len(branches) + 1)]

    def another(done: int) -> Part:
        def second(state: State) -> list[Step]:
            others = [k for k in range(1, len(branches) + 1) if k != done]
            return [Step(f"option:{k}", state, branches[k - 1]) for k in others]

        return second

    return part


def one_or_both(first: tuple[Part, ...], second: tuple[Part, ...]) -> Part:
    """One branch for free, and the other as well for 1 point, decided after the first."""
    branches = (first, second)

    def part(state: State) -> list[Step]:
        return [Step(f"option:{k}", state, branches[k - 1] + (perhaps(3 - k),)) for k in (1, 2)]

    def perhaps(other: int) -> Part:
        def second_part(state: State) -> list[Step]:
            whole = (lose(1),) + branches[other - 1]
            if can_finish(Node(state, whole)):
                return [Step(f"option:{other}", state, whole), Step("done", state)]
            return [Step(None, state)]

        return second_part

    return part


def done(state: State) -> Step:
    return Step("done", state)
