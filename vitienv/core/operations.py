"""What a frame on the stack does: a row for each operation, from which all that depends on every one of them is made.

    operation(FrameOp.BUILD, "build_structure", legal=legal_build, apply=apply_build, shows=(Frame.A, Frame.B))

stands beside the functions it names. The dispatch of the machine, the names of decisions, and what of a pending frame
is observed and what is hidden come from the rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.core.frames import COUNTS, FRAME_WIDTH
from vitienv.core.namespaces import Numbers

MAX_STAGES = 4
# The functions of a row and what the machine calls them with: run says whether it did something, the others nothing.
ARGUMENTS = {"run": "g, t", "legal": "g, t, mask", "apply": "g, t, action"}


@dataclass(frozen=True)
class Operation:
    """A row; see `Operations.add`."""

    number: int
    word: str
    decisions: tuple[str, ...]
    functions: dict[str, Callable]
    shows: tuple[int, ...]
    private: tuple[int, ...]


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
    ) -> None:
        """Say what a frame of this number does. ValueError for a row that the machine could not carry out.

        decisions: the names of its questions, by stage; none for a frame that asks nobody. run(g, t): do what needs no
        choice, False when it waits for the seat. legal(g, t, mask), apply(g, t, action): what the seat may do, and
        doing it. shows: the columns of the frame that a seat sees beside the counts, `()` for none; columns that hold
        numbers of seats are not to be shown, as they would not be turned. private: those of them that only the seat
        itself sees.
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
        if problem:
            raise ValueError(f"operation {name} {problem}")
        given = {"run": run, "legal": legal, "apply": apply}
        functions = {kind: function for kind, function in given.items() if function is not None}
        self.rows[int(number)] = Operation(int(number), name.lower(), decisions, functions, shows or (), private)

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
        found = np.zeros((max(self.numbers) + 1, MAX_STAGES), np.int64)
        names = self.decisions
        for number, row in self.rows.items():
            for stage, name in enumerate(row.decisions):
                found[number, stage] = names.index(name)
        return found

    def seen(self, by_others: bool) -> np.ndarray:
        """1 for the columns of a frame that are seen, by operation, (numbers, FRAME_WIDTH) int64."""
        found = np.zeros((max(self.numbers) + 1, FRAME_WIDTH), np.int64)
        for number, row in self.rows.items():
            hidden = row.private if by_others else ()
            found[number, [*COUNTS, *(column for column in row.shows if column not in hidden)]] = 1
        return found

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
