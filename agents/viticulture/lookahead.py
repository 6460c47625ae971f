"""What bots make of rows of the rules: a function for each that tries it on an imagined position.

A row of the rules that says what it is worth needs none; one that says IMAGINED is refused without it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from vitienv.core import rows
from vitienv.core.compiling.namespaces import Numbers
from vitienv.viticulture.ops.parts import IMAGINED


class Imaginations:
    """The functions for some rows, by their numbers. what: what a row is, for errors."""

    def __init__(self, what: str, numbers: type[Numbers], told: Mapping[Any, Any]) -> None:
        self.what, self.numbers, self.told = what, numbers, told
        self.does: dict[int, Callable] = {}

    def add(self, number: int) -> Callable[[Callable], Callable]:
        """Decorates the function with which bots try a row. ValueError if there is one."""
        if number in self.does:
            raise ValueError(f"{self.what} {self.numbers(number).name}: bots know it already")

        def known(does: Callable) -> Callable:
            self.does[int(number)] = does
            return does

        return known

    def check(self) -> None:
        """ValueError if bots know nothing of a row, or are told twice."""
        for number, row in self.told.items():
            if (row.worth is IMAGINED) != (number in self.does):
                name = self.numbers(number).name
                raise ValueError(f"{self.what} {name}: bots know it, or its row says what it is worth, but not both")

    def dispatch(self, name: str, arguments: str, otherwise: str) -> Callable:
        """One function that tries the row of a number. otherwise: what it answers where bots need know nothing."""
        self.check()
        return rows.dispatch(name, self.does, arguments, otherwise)
