"""What the parts of cards need, do and say: one row for each, beside its verbs.

    part(PartOp.BUY_GRAPE, needs=can_buy_any, asks=ask_to_buy, worth=IMAGINED, says=lambda a, b, c: "buy a grape")

Whether a card can be played, playing it, and its words are made from the rows. A part says what it needs, or that it
needs nothing at all (`needs=NOTHING`): no part can be played because somebody forgot to ask.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.core.compiling.namespaces import Numbers
from vitienv.viticulture.cards.parts import PartOp

NOTHING = "nothing"
IMAGINED = None  # bots carry the part out in a position of their own instead of taking a number for it
NO_GOAL = 0
ARGUMENTS = "g, seat, a, b, c"


@dataclass(frozen=True)
class PartRow:
    """See `Parts.add`."""

    needs: Callable | str
    does: Callable | None
    asks: Callable | None
    goal: int
    leaves: Callable | None
    worth: int | None
    says: Callable[[int, int, int], str] | None


class Parts:
    """The rows of some parts, by their numbers. speak: whether each must say its sentence."""

    def __init__(self, numbers: type[Numbers], speak: bool) -> None:
        self.numbers = numbers
        self.speak = speak
        self.rows: dict[int, PartRow] = {}

    def add(
        self,
        op: int,
        *,
        needs: Callable | str,
        worth: int | None,
        does: Callable | None = None,
        asks: Callable | None = None,
        goal: int = NO_GOAL,
        leaves: Callable | None = None,
        says: Callable[[int, int, int], str] | None = None,
    ) -> None:
        """Say what a part is. ValueError for a row that could not be carried out.

        a, b, c are the numbers of the part in a row of data. needs(g, seat, a, b, c): whether it can be carried out
        now. does(g, seat, a, b, c, result): carry it out at once; result is what the part before gave. asks(g, seat, a,
        b, c): put its question on top of the stack instead. goal: what the part makes possible is counted as, by
        `Goal`, for cards on which it comes second. leaves(g, seat, a, b, c, goals): whether it can be carried out so
        that one of the goals is possible afterwards; without it the part makes no goal possible that is not already.
        worth: what bots take it for, in hundredths of a victory point, or IMAGINED. says(a, b, c): what it does, as
        people read it on a card.
        """
        name = self.numbers(op).name
        if op in self.rows:
            raise ValueError(f"part {name} has a row already")
        if (does is None) == (asks is None):
            raise ValueError(f"part {name} needs either `does` or `asks`")
        if not callable(needs) and needs != NOTHING:
            raise ValueError(f"part {name} must say what it needs: a function, or NOTHING")
        if self.speak and says is None:
            raise ValueError(f"part {name} must say its sentence: says=lambda a, b, c: ...")
        self.rows[int(op)] = PartRow(needs, does, asks, int(goal), leaves, worth, says)

    def check(self) -> None:
        """ValueError if a part has no row; called once all files with rows are imported."""
        missing = [op.name for op in self.numbers if op != 0 and op not in self.rows]
        if missing:
            own = f"{self.numbers.__name__}.{missing[0]}"
            raise ValueError(f"part {missing[0]} has no row: say part({own}, ...) beside its verb")

    def dispatch(self, kind: str, more: str = "", otherwise: str | None = None) -> Callable:
        """One function that calls the rows' own `kind`: needs, does, asks or leaves.

        more: arguments after a, b, c. otherwise: what it answers for a part whose row has none; without it nothing is
        answered.
        """
        given = {op: getattr(row, kind) for op, row in self.rows.items()}
        functions = {op: function for op, function in given.items() if callable(function)}
        return rows.dispatch(f"{kind}_of", functions, ARGUMENTS + more, otherwise)

    def table(self, value: Callable[[PartRow], int]) -> np.ndarray:
        """A number of each part, by its number."""
        found = np.zeros(max(self.numbers) + 1, np.int64)
        for op, row in self.rows.items():
            found[op] = value(row)
        return found


ROWS = Parts(PartOp, speak=True)
part = ROWS.add
