"""What the parts of cards need and do: one row for each, beside its verbs.

    part(PartOp.BUY_GRAPE, needs=can_buy_any, asks=ask_to_buy, worth=IMAGINED)

Whether a card can be played, and playing it, are made from the rows. A part says what it needs, or that it needs
nothing at all (`needs=NOTHING`): no part can be played because somebody forgot to ask.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.viticulture.cards.parts import PartOp

NOTHING = "nothing"
IMAGINED = None  # bots carry the part out in a position of their own instead of taking a number for it
NO_GOAL = 0
ARGUMENTS = "g, seat, a, b, c"


@dataclass(frozen=True)
class PartRow:
    """See `part`."""

    needs: Callable | str
    does: Callable | None
    asks: Callable | None
    goal: int
    leaves: Callable | None
    worth: int | None


ROWS: dict[PartOp, PartRow] = {}


def part(
    op: PartOp,
    *,
    needs: Callable | str,
    worth: int | None,
    does: Callable | None = None,
    asks: Callable | None = None,
    goal: int = NO_GOAL,
    leaves: Callable | None = None,
) -> None:
    """Say what a part of cards is. ValueError for a row that could not be carried out.

    a, b, c are the numbers of the part in a card's row. needs(g, seat, a, b, c): whether it can be carried out now.
    does(g, seat, a, b, c, result): carry it out at once; result is what the part before gave. asks(g, seat, a, b, c):
    put its question on top of the stack instead. goal: what the part makes possible is counted as, by `Goal`, for
    cards on which it comes second. leaves(g, seat, a, b, c, goals): whether it can be carried out so that one of the
    goals is possible afterwards; without it the part makes no goal possible that is not already. worth: what bots take
    it for, in hundredths of a victory point, or IMAGINED.
    """
    if op in ROWS:
        raise ValueError(f"part {op.name} has a row already")
    if (does is None) == (asks is None):
        raise ValueError(f"part {op.name} needs either `does` or `asks`")
    if not callable(needs) and needs != NOTHING:
        raise ValueError(f"part {op.name} must say what it needs: a function, or NOTHING")
    ROWS[op] = PartRow(needs, does, asks, int(goal), leaves, worth)


def check() -> None:
    """ValueError if a part has no row; called once all files with rows are imported."""
    missing = [op.name for op in PartOp if op != 0 and op not in ROWS]
    if missing:
        raise ValueError(f"part {missing[0]} has no row: say part(PartOp.{missing[0]}, ...) beside its verb")


def dispatch(kind: str, more: str = "", otherwise: str | None = None):
    """One function that calls the rows' own `kind`: needs, does, asks or leaves.

    more: arguments after a, b, c. otherwise: what it answers for a part whose row has none; without it nothing is
    answered.
    """
    given = {int(op): getattr(row, kind) for op, row in ROWS.items()}
    functions = {op: function for op, function in given.items() if callable(function)}
    return rows.dispatch(f"{kind}_of", functions, ARGUMENTS + more, otherwise)


def table(value: Callable[[PartRow], int]) -> np.ndarray:
    """A number of each part, by its number."""
    found = np.zeros(max(PartOp) + 1, np.int64)
    for op, row in ROWS.items():
        found[op] = value(row)
    return found
