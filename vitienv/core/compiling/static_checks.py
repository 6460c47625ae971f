"""Checks of the names in rule functions when a game is defined, as Python would find a missing one only at run time."""

import dis
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from types import CodeType, FunctionType, ModuleType
from typing import Any

from vitienv.core.compiling.namespaces import IntConstantsMeta
from vitienv.core.rule_parameters import RuleParameters

HAS_NUMBA = find_spec("numba") is not None
RULES: dict[Any, None] = {}  # all rule functions, in the order of their definition


def skip_without_numba(check: Callable[..., None]) -> Callable[..., None]:
    """Decorate a check to run only with Numba; elsewhere rules have been checked and reading them slows the import."""
    return check if HAS_NUMBA else lambda *_: None


def plain(rule: Any) -> FunctionType:
    """Return the Python function of a rule function, compiled or not."""
    return getattr(rule, "py_func", rule)


def rules_below(kernel: Any) -> list[Any]:
    """Return the rule functions that a kernel calls, directly or not."""
    rules: dict[Any, None] = {}
    pending = [plain(kernel)]
    while pending:
        function = pending.pop()
        names, namespace = function.__code__.co_names, function.__globals__
        referenced = [namespace.get(name) for name in names]
        referenced += [getattr(module, name, None) for module in referenced if isinstance(module, ModuleType)
                      for name in names]  # fmt: skip
        for rule in referenced:
            if isinstance(rule, FunctionType) and rule in RULES and rule not in rules:
                rules[rule] = None
                pending.append(rule)
    return list(rules)


def members_of(rule: Any) -> Iterable[tuple[IntConstantsMeta, str]]:
    """Yield the members of namespaces that a rule function uses, such as (Frame, "SEAT")."""
    function = plain(rule)
    names: IntConstantsMeta | None = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_ATTR" and names is not None:
            yield names, str(step.argval)
        value = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        names = value if isinstance(value, IntConstantsMeta) else None


def used_members(rules: Iterable[Any], names: IntConstantsMeta) -> set[str]:
    """Return the members of a namespace that any of the rule functions uses."""
    return {member for rule in rules for namespace, member in members_of(rule) if namespace is names}


@skip_without_numba
def check_members(rules: Iterable[Any]) -> None:
    """Raise ValueError if a rule function uses a member that its namespace does not have."""
    for rule in rules:
        for names, member in members_of(rule):
            if not hasattr(names, member):
                code: CodeType = plain(rule).__code__
                function_name = f"{plain(rule).__module__}.{code.co_name}"
                raise ValueError(f"{function_name} uses {names.__name__}.{member}, which does not exist")


@skip_without_numba
def check_read(rules: Iterable[Any], rule_parameters: RuleParameters) -> None:
    """Raise ValueError if no rule function reads a rule parameter; the loops read NUM_PLAYERS and SKIP_FORCED."""
    used = used_members(rules, rule_parameters.numbers) | {"NUM_PLAYERS", "SKIP_FORCED"}
    parameters = rule_parameters.rows[len(rule_parameters.before) :]
    missing = [row.name for row in parameters if row.name.upper() not in used]
    if missing:
        raise ValueError(
            f"rule parameter {missing[0]!r} is unused; read "
            f"{rule_parameters.numbers.__name__}.{missing[0].upper()} in a rule function"
        )


@skip_without_numba
def check_written(rules: Iterable[Any], names: Any, features: Iterable[str]) -> None:
    """Raise ValueError if no rule function writes a feature.

    names: namespace of the offsets of the features. features: names of the features that rules must write.
    """
    used = used_members(rules, names)
    missing = [name for name in features if name.upper() not in used]
    if missing:
        raise ValueError(f"feature {missing[0]!r} is never written; write {names.__name__}.{missing[0].upper()}")
