"""The rules of one ruleset out of those of another: the same functions, with some of what they call replaced.

Rules are plain functions that find each other by name, and are compiled when a kernel calls them. So a ruleset with a
larger record can take over every function that it does not change: a copy of each is made that finds the replaced
ones, and functions that never come to one are shared. Who plays the first ruleset compiles nothing of the second.
"""

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.static_checks import RULES, plain


class Variant:
    """Copies of rule functions in which some names mean something else.

    >>> from vitienv.core.compiling.jit import jit
    >>> @jit
    ... def price(g): return 4
    >>> @jit
    ... def dear(g): return price(g) > 5
    >>> @jit
    ... def higher(g): return price(g) + 2
    >>> Variant(__name__, [(price, higher)])(dear) is dear
    False
    """

    def __init__(self, module: str, replaced: Iterable[tuple[Any, Any]]) -> None:
        """module: where the copies are said to be, the one that builds the kernel. replaced: pairs of a function, or of
        a table of numbers, and what stands in its place; what replaces a function may call that function as it is."""
        self._module = module
        self._pairs = list(replaced)
        self._new = {id(old): new for old, new in self._pairs}
        self._made: dict[tuple[int, int], Any] = {}
        self._used: set[int] = set()
        self._under_way: list[FunctionType] = []

    def __call__(self, rule: Any) -> Any:
        """The rule as this ruleset has it: itself where nothing that it comes to is replaced."""
        if id(rule) in self._new:
            return self._replacement(rule)
        return self._copy(rule, None)

    def unused(self) -> list[str]:
        """The names of replaced functions that nothing calls."""
        return [getattr(old, "__name__", "a table") for old, _ in self._pairs if id(old) not in self._used]

    def _replacement(self, old: Any) -> Any:
        self._used.add(id(old))
        new = self._new[id(old)]
        return self._copy(new, old) if _is_rule(new) else new

    def _copy(self, rule: Any, spared: Any) -> Any:
        """spared: the function that the rule stands in for, which it may call as it was."""
        key = (id(rule), id(spared))
        if key in self._made:
            return self._made[key]
        function = plain(rule)
        if function in self._under_way:
            told = " -> ".join(one.__name__ for one in [*self._under_way, function])
            raise ValueError(f"a rule comes back to itself: {told}")
        self._under_way.append(function)
        changed, own_names = {}, []
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if value is rule:
                own_names.append(name)  # it calls itself
            elif id(value) in self._new and value is not spared:
                changed[name] = self._replacement(value)
            elif _is_rule(value):
                changed[name] = self._copy(value, None)
        self._under_way.pop()
        if all(changed[name] is function.__globals__[name] for name in changed):
            made = rule
        else:
            names = function.__globals__ | changed | {"__name__": self._module}
            made = jit(FunctionType(function.__code__, names, function.__name__, function.__defaults__))
            names.update(dict.fromkeys(own_names, made))
        self._made[key] = made
        return made


def _is_rule(value: Any) -> bool:
    return isinstance(value, FunctionType) and value in RULES
