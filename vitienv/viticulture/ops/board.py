"""What the actions of the board need and start: one row for each, beside its verb.

    board_action(Act.HARVEST_FIELD, needs=..., starts=start_harvest, with_bonus=..., worth=IMAGINED)

Where a worker may be placed, and what the action then does, are made from the rows. An action says what it needs, or
that it needs nothing at all (`needs=NOTHING`), and so of its bonus: none is open because somebody forgot to ask.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.viticulture.enums import Act
from vitienv.viticulture.ops.parts import NOTHING

# The functions of a row and what they are called with.
ARGUMENTS = {
    "needs": "g, seat, extra_lira",
    "starts": "g, seat, again, must",
    "with_bonus": "g, seat",
    "placed": "g, seat",
}


@dataclass(frozen=True)
class ActRow:
    """See `board_action`."""

    needs: Callable | str
    starts: Callable
    with_bonus: Callable | str
    worth: int | None
    placed: Callable | None
    by_worker: bool


ROWS: dict[Act, ActRow] = {}


def board_action(
    number: Act,
    *,
    needs: Callable | str,
    starts: Callable,
    with_bonus: Callable | str,
    worth: int | None,
    placed: Callable | None = None,
    by_worker: bool = False,
) -> None:
    """Say what an action of the board is. ValueError for a row that could not be carried out.

    needs(g, seat, extra_lira): whether it can be carried out at least minimally with so much more lira (ruling 1.6).
    starts(g, seat, again, must): carry it out, or put its question on top of the stack; again: 1 if the bonus repeats
    it; must: 1 if the repetition may not be skipped. with_bonus(g, seat): whether action and bonus can both be carried
    out (ruling 8.15). worth: what bots take it for, in hundredths of a victory point, or IMAGINED. placed(g, seat):
    what the placing of a worker alone brings. by_worker: whether it depends on the worker that is placed.
    """
    if number in ROWS:
        raise ValueError(f"board action {number.name} has a row already")
    if not callable(starts):
        raise ValueError(f"board action {number.name} must say what it starts")
    for name, given in (("needs", needs), ("with_bonus", with_bonus)):
        if not callable(given) and given != NOTHING:
            raise ValueError(f"board action {number.name} must say {name}: a function, or NOTHING")
    ROWS[number] = ActRow(needs, starts, with_bonus, worth, placed, by_worker)


def check(found: Mapping[Act, ActRow] = ROWS) -> None:
    """ValueError if an action has no row; called once all files with rows are imported."""
    missing = [number.name for number in Act if number not in found]
    if missing:
        name = missing[0]
        raise ValueError(f"board action {name} has no row: say board_action(Act.{name}, ...) beside its verb")


def dispatch(kind: str, otherwise: str | None = None) -> Callable:
    """One function that calls the rows' own `kind`; otherwise: what it answers for an action whose row has none."""
    given = {int(number): getattr(row, kind) for number, row in ROWS.items()}
    functions = {number: function for number, function in given.items() if callable(function)}
    return rows.dispatch(f"{kind}_of_act", functions, ARGUMENTS[kind], otherwise)


def table(value: Callable[[ActRow], int]) -> np.ndarray:
    """A number of each action, by its own."""
    return np.array([value(ROWS[number]) for number in Act], np.int64)
