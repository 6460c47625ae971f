"""The operations of frames: a table entry per operation, from which all dependent tables are generated.

    operation(
        FrameOp.BUILD, "build_structure", legal=legal_build, apply=apply_build,
        shows=(Frame.A, Frame.B), bounds={Frame.A: (0, 9), Frame.B: (-1, 1)},
    )

is written next to its functions. The dispatch, the names of decisions, the observed and hidden columns of pending
frames and their bounds in positions are derived from the entries.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vitienv.core import rows
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import COUNTS, FRAME_WIDTH, NO_CARD, NOBODY, Frame
from vitienv.core.options import SHORT

MAX_STAGES = 4
# Arguments of the functions of an operation; run returns a Boolean, the others None.
ARGUMENTS = {"run": "g, t", "legal": "g, t, mask", "apply": "g, t, action"}
# Bounds (low, high) by column of a frame.
Bounds = Mapping[int, tuple[int, int]]
NOTHING, ONE = (0, 0), (1, 1)


@dataclass(frozen=True)
class Operation:
    """Operation of a game; see `Operations.add`."""

    number: int
    word: str
    decisions: tuple[str, ...]
    functions: dict[str, Callable]
    shows: tuple[int, ...]
    private: tuple[int, ...]
    bounds: tuple[Bounds, ...] | None  # one per stage


class Operations:
    """The operations of a game by number."""

    def __init__(self, numbers: type[IntConstants]) -> None:
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
        """Add an operation. ValueError for an inconsistent one.

        decisions: names of its decisions by stage; none for a frame without decisions. run(g, t): play forced steps,
        False when it waits for the seat. legal(g, t, mask): write the legal actions. apply(g, t, action): apply one.
        shows: observed columns of the frame besides the counts, `()` for none; not columns of absolute seat numbers,
        as observations rotate the seats. private: columns of `shows` that only the acting seat sees. bounds: bounds of
        the columns while the frame is pending, one mapping for all stages or one per stage; other columns are 0, of a
        decision LEFT and MIN are 1. None: positions may have any numbers.
        """
        name = self.numbers(number).name
        has_decision = bool(decisions)
        problem = None
        if number in self.rows:
            problem = "is already defined"
        elif has_decision and (legal is None or apply is None):
            problem = "has decisions and must define `legal` and `apply`"
        elif not has_decision and (legal is not None or apply is not None or run is None):
            problem = "has no decisions and must define `run` only"
        elif has_decision and shows is None:
            problem = "has decisions and must define its observed columns: shows=(...), () for none"
        elif len(decisions) > MAX_STAGES:
            problem = f"must have at most {MAX_STAGES} stages, got {len(decisions)}"
        elif set(private) - set(shows or ()):
            problem = "has private columns that are not in `shows`"
        elif isinstance(bounds, Sequence) and len(bounds) != len(decisions):
            problem = f"must have bounds for {len(decisions)} stages, got {len(bounds)}"
        if problem:
            raise ValueError(f"operation {name} {problem}")
        handlers = {"run": run, "legal": legal, "apply": apply}
        functions = {kind: handler for kind, handler in handlers.items() if handler is not None}
        stages = max(len(decisions), 1)
        by_stage = bounds if isinstance(bounds, Sequence) else (bounds or {},) * stages
        default_bounds: Bounds = {Frame.LEFT: ONE, Frame.MIN: ONE, Frame.STAGE: (0, stages - 1)} if has_decision else {}
        stage_bounds = None if bounds is None else tuple({**default_bounds, **numbers} for numbers in by_stage)
        self.rows[int(number)] = Operation(
            int(number), name.lower(), decisions, functions, shows or (), private, stage_bounds
        )

    def check(self) -> None:
        """Raise ValueError if an operation is undefined; called after all modules with operations are imported."""
        missing = [number.name for number in self.numbers if number not in self.rows and number != 0]
        if missing:
            raise ValueError(f"operation {missing[0]} is undefined; define it with operation({missing[0]}, ...)")

    def dispatch(self, kind: str) -> Callable:
        """Compile the dispatch of run, legal or apply by operation; an operation without one does nothing."""
        functions = {number: row.functions[kind] for number, row in self.rows.items() if kind in row.functions}
        return rows.dispatch(f"{kind}_operation", functions, ARGUMENTS[kind], "False" if kind == "run" else None)

    @property
    def decisions(self) -> list[str]:
        """The names of all decisions, in index order."""
        names = [name for _, row in sorted(self.rows.items()) for name in row.decisions]
        return list(dict.fromkeys(names))

    def decision_numbers(self) -> np.ndarray:
        """Return the index of the decision by operation and stage, (numbers, MAX_STAGES) int64."""
        table = np.zeros((max(self.numbers) + 1, MAX_STAGES), np.int64)
        names = self.decisions
        for number, row in self.rows.items():
            for stage, name in enumerate(row.decisions):
                table[number, stage] = names.index(name)
        return table

    def observed(self, by_others: bool) -> np.ndarray:
        """Return a mask of the observed columns by operation, (numbers, FRAME_WIDTH) int64."""
        table = np.zeros((max(self.numbers) + 1, FRAME_WIDTH), np.int64)
        for number, row in self.rows.items():
            hidden = row.private if by_others else ()
            table[number, [*COUNTS, *(column for column in row.shows if column not in hidden)]] = 1
        return table

    def bounds(self, frame: Sequence[int], n: int) -> list[tuple[int, int]]:
        """Return the bounds of each column of a pending frame. n: number of seats."""
        row = self.rows[int(frame[Frame.OP])]
        if row.bounds is None:
            return [(-SHORT, SHORT)] * FRAME_WIDTH
        stage = int(frame[Frame.STAGE]) if row.decisions else 0
        of_stage = row.bounds[min(max(stage, 0), len(row.bounds) - 1)]
        limits: dict[int, tuple[int, int]] = {
            Frame.OP: (row.number, row.number),
            Frame.SEAT: (0 if row.decisions else NOBODY, n - 1),
            Frame.CARD: (NO_CARD, NO_CARD),
            **of_stage,
        }
        return [limits.get(column, NOTHING) for column in Frame]

    def word(self, number: int) -> str:
        """Return the name of an operation in positions."""
        return self.rows[int(number)].word

    def number(self, word: str) -> int:
        """Return the number of an operation from its name. ValueError if it is unknown."""
        for number, row in self.rows.items():
            if row.word == word:
                return number
        words = ", ".join(row.word for row in self.rows.values())
        raise ValueError(f"unknown operation {word!r}; expected one of: {words}")
