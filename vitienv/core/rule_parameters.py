"""RuleParameters: numbers by which rulesets and options differ, kept in each game's record so that one batch can mix
them.

A rule parameter is one row, with its name and the value that it has where nobody says otherwise; an operation reads it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.core.compiling.namespaces import namespace


@dataclass(frozen=True)
class RuleParameter:
    """A row. neutral: its value, or a table of values. text: what it means. labels: the names of a table's places."""

    name: str
    neutral: int | Sequence[int]
    text: str
    labels: Sequence[str] = ()

    @property
    def values(self) -> tuple[int, ...]:
        """The neutral values, one for each place."""
        return tuple(self.neutral) if isinstance(self.neutral, Sequence) else (self.neutral,)


class RuleParameters:
    """Rows laid end to end: `numbers` is the namespace of their places, `names` has a name for each number."""

    def __init__(self, name: str, rows: Iterable[RuleParameter], before: "RuleParameters | None" = None) -> None:
        """name: of the namespace, with its module. before: rule parameters that come first, as they are there.

        ValueError if a name stands twice or a table lacks labels.
        """
        self.before: list[RuleParameter] = list(before.rows) if before else []
        self.rows: list[RuleParameter] = [*self.before, *rows]
        self.names: list[str] = []
        places: dict[str, int] = {}
        for row in self.rows:
            if row.name in places:
                raise ValueError(f"the rule parameter {row.name!r} stands twice")
            if len(row.labels) != (len(row.values) if len(row.values) > 1 else len(row.labels)):
                raise ValueError(
                    f"the rule parameter {row.name!r} has {len(row.values)} places and {len(row.labels)} labels"
                )
            places[row.name] = len(self.names)
            self.names += list(row.labels) or [row.name]
        self.numbers: Any = namespace(name, {row.upper(): place for row, place in places.items()})

    def neutral(self) -> np.ndarray:
        """The rules of a game in which no rule parameter is moved, (numbers,) int64."""
        return np.array([value for row in self.rows for value in row.values], np.int64)

    def __len__(self) -> int:
        return len(self.names)
