"""Table of board actions: requirement, handler and value, one row for each, next to its functions.

    board_action(Act.HARVEST_FIELD, needs=..., starts=start_harvest, with_bonus=..., worth=BY_LOOKAHEAD)

Legal placings and the dispatch of actions are generated from the rows. Requirements of an action and of its bonus must
be stated, as NOTHING if there are none, so that none can be forgotten.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.viticulture.enums import Act
from vitienv.viticulture.ops.parts import NOTHING

# Arguments of the functions of a row.
ARGUMENTS = {
    "needs": "g, seat, extra_lira",
    "starts": "g, seat, again, must",
    "with_bonus": "g, seat",
    "placed": "g, seat",
}


@dataclass(frozen=True)
class ActRow:
    """Row of a board action, see `board_action`."""

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
    """Add the row of a board action. Raises ValueError for an invalid row.

    needs(g, seat, extra_lira): whether the action has at least a minimal effect with additional lira (ruling 1.6).
    starts(g, seat, again, must): start the action; again: 1 if the bonus repeats it; must: 1 if the repetition is
    compulsory. with_bonus(g, seat): whether action and bonus are both possible (ruling 8.15). worth: value for bots in
    hundredths of a victory point, or BY_LOOKAHEAD. placed(g, seat): effect of placing a worker. by_worker: whether the
    action depends on the kind of worker.
    """
    if number in ROWS:
        raise ValueError(f"board action {number.name} must have one row")
    if not callable(starts):
        raise ValueError(f"board action {number.name} must have a function `starts`")
    for name, function in (("needs", needs), ("with_bonus", with_bonus)):
        if not callable(function) and function != NOTHING:
            raise ValueError(f"board action {number.name} must have `{name}`: a function or NOTHING")
    ROWS[number] = ActRow(needs, starts, with_bonus, worth, placed, by_worker)


def check(rows: Mapping[Act, ActRow] = ROWS) -> None:
    """Raise ValueError if an action has no row; called after all rows are imported."""
    missing = [number.name for number in Act if number not in rows]
    if missing:
        name = missing[0]
        raise ValueError(f"board action {name} must have a row: board_action(Act.{name}, ...)")


def dispatch(kind: str, otherwise: str | None = None) -> Callable:
    """Return a function that dispatches to the functions `kind` of the rows. otherwise: result without a function."""
    functions_by_row = {int(number): getattr(row, kind) for number, row in ROWS.items()}
    functions = {number: function for number, function in functions_by_row.items() if callable(function)}
    return rows.dispatch(f"{kind}_of_act", functions, ARGUMENTS[kind], otherwise)


def table(value: Callable[[ActRow], int]) -> np.ndarray:
    """Return a value of each action, from its row."""
    return np.array([value(ROWS[number]) for number in Act], np.int64)
