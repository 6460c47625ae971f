"""One-step lookahead of bots: a function for each row of the rules applies it to a simulated position.

Rows with a fixed value need none; rows with the value BY_LOOKAHEAD require one.
"""

from collections.abc import Callable, Mapping
from typing import Any

from vitienv.core import rows
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD


class LookaheadFunctions:
    """Lookahead functions of rows by their numbers. kind: of the rows, for errors."""

    def __init__(self, kind: str, numbers: type[IntConstants], table: Mapping[Any, Any]) -> None:
        self.kind, self.numbers, self.table = kind, numbers, table
        self.does: dict[int, Callable] = {}

    def add(self, number: int) -> Callable[[Callable], Callable]:
        """Return a decorator that registers the function of a row. ValueError if there is one."""
        if number in self.does:
            raise ValueError(f"{self.kind} {self.numbers(number).name}: duplicate lookahead function")

        def register(handler: Callable) -> Callable:
            self.does[int(number)] = handler
            return handler

        return register

    def check(self) -> None:
        """Raise ValueError unless each row has either a fixed value or a function."""
        for number, row in self.table.items():
            if (row.worth is BY_LOOKAHEAD) != (number in self.does):
                name = self.numbers(number).name
                raise ValueError(f"{self.kind} {name} must have either a fixed value or a lookahead function")

    def dispatch(self, name: str, arguments: str, otherwise: str) -> Callable:
        """Return a function that applies the row of a number. otherwise: its result for rows without a function."""
        self.check()
        return rows.dispatch(name, self.does, arguments, otherwise)
