"""Variants of rule functions: copies with some callees replaced.

A ruleset with a larger record reuses the functions of its base: those that call a replaced function, directly or not,
are copied with other globals; all others are shared. Games of the base ruleset compile nothing of the variant.
"""

from collections.abc import Iterable
from types import FunctionType
from typing import Any

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.static_checks import RULES, plain


class Variant:
    """Copies of rule functions with replaced callees.

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
        """Define the replacements.

        module: module of the copies, that of the kernel. replaced: pairs of a function or table and its replacement; a
        replacement may call the original.
        """
        self._module = module
        self._pairs = list(replaced)
        self._new = {id(old): new for old, new in self._pairs}
        self._made: dict[tuple[int, int], Any] = {}
        self._used: set[int] = set()
        self._under_way: list[FunctionType] = []

    def __call__(self, rule: Any) -> Any:
        """Return the variant of a rule: itself if none of its callees is replaced."""
        if id(rule) in self._new:
            return self._replacement(rule)
        return self._copy(rule, None)

    def unused(self) -> list[str]:
        """Return the names of replaced functions that no rule calls."""
        return [getattr(old, "__name__", "a table") for old, _ in self._pairs if id(old) not in self._used]

    def _replacement(self, old: Any) -> Any:
        self._used.add(id(old))
        new = self._new[id(old)]
        return self._copy(new, old) if _is_rule(new) else new

    def _copy(self, rule: Any, original: Any) -> Any:
        """original: function that the rule replaces and may call."""
        key = (id(rule), id(original))
        if key in self._made:
            return self._made[key]
        function = plain(rule)
        if function in self._under_way:
            cycle = " -> ".join(rule_in_cycle.__name__ for rule_in_cycle in [*self._under_way, function])
            raise ValueError(f"rule functions must not be mutually recursive: {cycle}")
        self._under_way.append(function)
        changed, own_names = {}, []
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if value is rule:
                own_names.append(name)  # recursion
            elif id(value) in self._new and value is not original:
                changed[name] = self._replacement(value)
            elif _is_rule(value):
                changed[name] = self._copy(value, None)
        self._under_way.pop()
        if all(changed[name] is function.__globals__[name] for name in changed):
            variant = rule
        else:
            names = function.__globals__ | changed | {"__name__": self._module}
            variant = jit(FunctionType(function.__code__, names, function.__name__, function.__defaults__))
            names.update(dict.fromkeys(own_names, variant))
        self._made[key] = variant
        return variant


def _is_rule(value: Any) -> bool:
    return isinstance(value, FunctionType) and value in RULES
