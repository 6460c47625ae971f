"""What a frame on the stack does: a row for each operation, from which all that depends on every one of them is made.

    operation(
        FrameOp.BUILD, "build_structure", legal=legal_build, apply=apply_build,
        shows=(Frame.A, Frame.B), bounds={Frame.A: (0, 9), Frame.B: (-1, 1)},
    )

stands beside the functions it names. The dispatch of the machine, the names of decisions, what of a pending frame is
observed, what is hidden, and which numbers a position may have in it come from the rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.frames import COUNTS, FRAME_WIDTH, NO_CARD, NOBODY, Frame
from vitienv.core.options import SHORT

MAX_STAGES = 4
# The functions of a row and what the machine calls them with: run says whether it did something, the others nothing.
ARGUMENTS = {"run": "g, t", "legal": "g, t, mask", "apply": "g, t, action"}
# The least and the greatest number of columns of a frame.
Bounds = Mapping[int, tuple[int, int]]
NOTHING, ONE = (0, 0), (1, 1)


@dataclass(frozen=True)
class Operation:
    """A row; see `Operations.add`."""

    number: int
    word: str
    decisions: tuple[str, ...]
    functions: dict[str, Callable]
    shows: tuple[int, ...]
    private: tuple[int, ...]
    bounds: tuple[Bounds, ...] | None  # by stage


class Operations:
    """The rows of a game, by the numbers of its operations."""

    def __init__(self, numbers: type[Numbers]) -> None:
        self.numbers = numbers
        self.rows: dict[int, Operation] = {}

    def add(
        self,
        number: int,
        *decisions: str,
        run: Callable | None = None,
        legal: Callable | None = None,
        apply: Callable | None = None,
        shows: tuple[int, ...] | None = None,
        private: tuple[int, ...] = (),
        bounds: Bounds | Sequence[Bounds] | None = None,
    ) -> None:
        """Say what a frame of this number does. ValueError for a row that the machine could not carry out.

        decisions: the names of its questions, by stage; none for a frame that asks nobody. run(g, t): do what needs no
        choice, False when it waits for the seat. legal(g, t, mask), apply(g, t, action): what the seat may do, and
        doing it. shows: the columns of the frame that a seat sees beside the counts, `()` for none; columns that hold
        numbers of seats are not to be shown, as they would not be turned. private: those of them that only the seat
        itself sees. bounds: the least and the greatest number of each column while the frame is pending, one mapping
        for all stages or one for each; a column that is not named holds 0, of a question LEFT and MIN hold 1. Without
        any, positions may have all numbers there.
        """
        name = self.numbers(number).name
        asks = bool(decisions)
        problem = None
        if number in self.rows:
            problem = "has a row already"
        elif asks and (legal is None or apply is None):
            problem = "asks a question, so it needs `legal` and `apply`"
        elif not asks and (legal is not None or apply is not None or run is None):
            problem = "asks nothing, so it needs `run` alone; or name its decision"
        elif asks and shows is None:
            problem = "asks a question, so it must say what of its frame is seen: shows=(...), () for nothing"
        elif len(decisions) > MAX_STAGES:
            problem = f"has {len(decisions)} stages; there may be {MAX_STAGES}"
        elif set(private) - set(shows or ()):
            problem = "hides a column that it does not show"
        elif isinstance(bounds, Sequence) and len(bounds) != len(decisions):
            problem = f"has bounds for {len(bounds)} stages; it has {len(decisions)}"
        if problem:
            raise ValueError(f"operation {name} {problem}")
        given = {"run": run, "legal": legal, "apply": apply}
        functions = {kind: function for kind, function in given.items() if function is not None}
        stages = max(len(decisions), 1)
        by_stage = bounds if isinstance(bounds, Sequence) else (bounds or {},) * stages
        usual: Bounds = {Frame.LEFT: ONE, Frame.MIN: ONE, Frame.STAGE: (0, stages - 1)} if asks else {}
        own = None if bounds is None else tuple({**usual, **numbers} for numbers in by_stage)
        self.rows[int(number)] = Operation(int(number), name.lower(), decisions, functions, shows or (), private, own)

    def check(self) -> None:
        """ValueError if a number has no row; called once all files with rows are imported."""
        missing = [number.name for number in self.numbers if number not in self.rows and number != 0]
        if missing:
            raise ValueError(f"operation {missing[0]} has no row: say operation({missing[0]}, ...) beside its verbs")

    def dispatch(self, kind: str) -> Callable:
        """One function that calls the row's own: run, legal or apply; a row without one does nothing."""
        functions = {number: row.functions[kind] for number, row in self.rows.items() if kind in row.functions}
        return rows.dispatch(f"{kind}_operation", functions, ARGUMENTS[kind], "False" if kind == "run" else None)

    @property
    def decisions(self) -> list[str]:
        """The names of all questions, in the order of their numbers in the observation."""
        names = [name for _, row in sorted(self.rows.items()) for name in row.decisions]
        return list(dict.fromkeys(names))

    def decision_numbers(self) -> np.ndarray:
        """The number of the decision by operation and stage, (numbers, MAX_STAGES) int64."""
        table = np.zeros((max(self.numbers) + 1, MAX_STAGES), np.int64)
        names = self.decisions
        for number, row in self.rows.items():
            for stage, name in enumerate(row.decisions):
                table[number, stage] = names.index(name)
        return table

    def seen(self, by_others: bool) -> np.ndarray:
        """1 for the columns of a frame that are seen, by operation, (numbers, FRAME_WIDTH) int64."""
        table = np.zeros((max(self.numbers) + 1, FRAME_WIDTH), np.int64)
        for number, row in self.rows.items():
            hidden = row.private if by_others else ()
            table[number, [*COUNTS, *(column for column in row.shows if column not in hidden)]] = 1
        return table

    def bounds(self, frame: Sequence[int], n: int, n_cards: int = 0) -> list[tuple[int, int]]:
        """The least and the greatest number of each column of a pending frame. n: seats. n_cards: cards of the game."""
        row = self.rows[int(frame[Frame.OP])]
        if row.bounds is None:
            return [(-SHORT, SHORT)] * FRAME_WIDTH
        stage = int(frame[Frame.STAGE]) if row.decisions else 0
        of_stage = row.bounds[min(max(stage, 0), len(row.bounds) - 1)]
        limits: dict[int, tuple[int, int]] = {
            Frame.OP: (row.number, row.number),
            Frame.SEAT: (0 if row.decisions else NOBODY, n - 1),
            Frame.CARD: (NO_CARD, n_cards - 1),
            **of_stage,
        }
        return [limits.get(column, NOTHING) for column in Frame]

    def check_frame(self, frame: Sequence[int], n: int, n_cards: int = 0) -> None:
        """ValueError names a number of a pending frame that is out of its bounds."""
        for column, (low, high) in zip(Frame, self.bounds(frame, n, n_cards)):
            if not low <= frame[column] <= high:
                told = f"{self.word(frame[Frame.OP])} is pending with {column.name.lower()} {frame[column]}"
                raise ValueError(f"{told}; that is {low if low == high else f'a number from {low} to {high}'}")

    def word(self, number: int) -> str:
        """The word of an operation, for positions."""
        return self.rows[int(number)].word

    def number(self, word: str) -> int:
        """The number of an operation's word. ValueError if there is none."""
        for number, row in self.rows.items():
            if row.word == word:
                return number
        words = ", ".join(row.word for row in self.rows.values())
        raise ValueError(f"there is no operation {word!r}; there is {words}")
