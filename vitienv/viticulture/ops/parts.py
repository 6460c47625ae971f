"""Table of card parts: requirement, handler, value and sentence, one row for each, next to its functions.

    part(PartOp.BUY_GRAPE, needs=can_buy_any, asks=ask_to_buy, worth=BY_LOOKAHEAD, says=lambda a, b, c: "buy a grape")

Legality, resolution and texts of cards are generated from the rows. Requirements must be stated, as NOTHING if there
are none, so that none can be forgotten.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.cards.parts import PartOp

NOTHING = "nothing"
BY_LOOKAHEAD = None  # bots resolve the part in a simulated position instead of using a number
NO_GOAL = 0
ARGUMENTS = "g, seat, a, b, c"


@dataclass(frozen=True)
class PartRow:
    """Row of a part, see `Parts.add`."""

    needs: Callable | str
    does: Callable | None
    asks: Callable | None
    goal: int
    leaves: Callable | None
    worth: int | None
    says: Callable[[int, int, int], str] | None


class Parts:
    """Rows of parts, by number. speak: whether each must have a sentence."""

    def __init__(self, numbers: type[IntConstants], speak: bool) -> None:
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
        """Add the row of a part. Raises ValueError for an invalid row.

        a, b, c are the numbers of the part in a card row. needs(g, seat, a, b, c): whether it is possible. does(g,
        seat, a, b, c, result): resolve it immediately; result: of the preceding part. asks(g, seat, a, b, c): push its
        decision instead. goal: the `Goal` that the part amounts to when it comes second. leaves(g, seat, a, b, c,
        goals): whether it can be resolved so that a goal is possible afterwards; without it the part makes no further
        goal possible. worth: value for bots in hundredths of a victory point, or BY_LOOKAHEAD. says(a, b, c): its
        sentence on a card.
        """
        name = self.numbers(op).name
        if op in self.rows:
            raise ValueError(f"part {name} must have one row")
        if (does is None) == (asks is None):
            raise ValueError(f"part {name} must have either `does` or `asks`")
        if not callable(needs) and needs != NOTHING:
            raise ValueError(f"part {name} must have `needs`: a function or NOTHING")
        if self.speak and says is None:
            raise ValueError(f"part {name} must have a sentence: says=lambda a, b, c: ...")
        self.rows[int(op)] = PartRow(needs, does, asks, int(goal), leaves, worth, says)

    def check(self) -> None:
        """Raise ValueError if a part has no row; called after all rows are imported."""
        missing = [op.name for op in self.numbers if op != 0 and op not in self.rows]
        if missing:
            number = f"{self.numbers.__name__}.{missing[0]}"
            raise ValueError(f"part {missing[0]} must have a row: part({number}, ...)")

    def dispatch(self, kind: str, extra_arguments: str = "", otherwise: str | None = None) -> Callable:
        """Return a function that dispatches to the functions `kind` of the rows: needs, does, asks or leaves.

        extra_arguments: arguments after a, b, c. otherwise: result without a function, by default none.
        """
        functions_by_op = {op: getattr(row, kind) for op, row in self.rows.items()}
        functions = {op: function for op, function in functions_by_op.items() if callable(function)}
        return rows.dispatch(f"{kind}_of", functions, ARGUMENTS + extra_arguments, otherwise)

    def table(self, value: Callable[[PartRow], int]) -> np.ndarray:
        """Return a value of each part, from its row."""
        values = np.zeros(max(self.numbers) + 1, np.int64)
        for op, row in self.rows.items():
            values[op] = value(row)
        return values


ROWS = Parts(PartOp, speak=True)
part = ROWS.add
