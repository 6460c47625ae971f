"""Rule parameters: integers in the state by which rulesets and options differ, so that a batch can mix them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.core.compiling.namespaces import namespace


@dataclass(frozen=True)
class RuleParameter:
    """A rule parameter.

    neutral: default value, or a sequence of them for a table. text: meaning. labels: names of the table's entries.
    """

    name: str
    neutral: int | Sequence[int]
    text: str
    labels: Sequence[str] = ()

    @property
    def values(self) -> tuple[int, ...]:
        """The neutral values, one per entry."""
        return tuple(self.neutral) if isinstance(self.neutral, Sequence) else (self.neutral,)


class RuleParameters:
    """Concatenated rule parameters: `numbers` is the namespace of their offsets, `names` has a name per entry."""

    def __init__(self, name: str, rows: Iterable[RuleParameter], before: "RuleParameters | None" = None) -> None:
        """Concatenate rule parameters.

        name: name of the namespace, with its module. before: rule parameters of the base game, placed first.
        ValueError for a duplicate name or a table with missing labels.
        """
        self.before: list[RuleParameter] = list(before.rows) if before else []
        self.rows: list[RuleParameter] = [*self.before, *rows]
        self.names: list[str] = []
        offsets: dict[str, int] = {}
        for row in self.rows:
            if row.name in offsets:
                raise ValueError(f"duplicate rule parameter {row.name!r}")
            if len(row.labels) != (len(row.values) if len(row.values) > 1 else len(row.labels)):
                raise ValueError(
                    f"rule parameter {row.name!r} must have {len(row.values)} labels, got {len(row.labels)}"
                )
            offsets[row.name] = len(self.names)
            self.names += list(row.labels) or [row.name]
        self.numbers: Any = namespace(name, {row.upper(): offset for row, offset in offsets.items()})

    def neutral(self) -> np.ndarray:
        """Return the default values, (entries,) int64."""
        return np.array([value for row in self.rows for value in row.values], np.int64)

    def __len__(self) -> int:
        return len(self.names)
