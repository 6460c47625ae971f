"""What rule functions mention. Python looks a name up when a function runs, so one that is missing would go unnoticed
until a game comes there; these checks read the functions instead, when a game is defined."""

import dis
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from types import CodeType, FunctionType, ModuleType
from typing import Any

from vitienv.core.compiling.namespaces import NumbersMeta
from vitienv.core.rule_parameters import RuleParameters

HAS_NUMBA = find_spec("numba") is not None
RULES: dict[Any, None] = {}  # every rule function, see `core.compiling.jit`


def where_compiled(check: Callable[..., None]) -> Callable[..., None]:
    """A check that is made where rules can be compiled. Without Numba, as in a page, they come from where they were
    checked, and reading all of them would take most of the time in which a game is imported."""
    return check if HAS_NUMBA else lambda *_: None


def plain(rule: Any) -> FunctionType:
    """A rule function as Python has it, whether it is compiled or not."""
    return getattr(rule, "py_func", rule)


def rules_below(kernel: Any) -> list[Any]:
    """Return the rule functions that a kernel calls, directly or not."""
    rules: dict[Any, None] = {}
    todo = [plain(kernel)]
    while todo:
        function = todo.pop()
        names, known = function.__code__.co_names, function.__globals__
        mentioned = [known.get(name) for name in names]
        mentioned += [getattr(module, name, None) for module in mentioned if isinstance(module, ModuleType)
                      for name in names]  # fmt: skip
        for rule in mentioned:
            if isinstance(rule, FunctionType) and rule in RULES and rule not in rules:
                rules[rule] = None
                todo.append(rule)
    return list(rules)


def members_of(rule: Any) -> Iterable[tuple[NumbersMeta, str]]:
    """The members of namespaces that a rule function mentions, such as (Frame, "SEAT")."""
    function = plain(rule)
    names: NumbersMeta | None = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_ATTR" and names is not None:
            yield names, str(step.argval)
        found = function.__globals__.get(step.argval) if step.opname == "LOAD_GLOBAL" else None
        names = found if isinstance(found, NumbersMeta) else None


def mentioned(rules: Iterable[Any], names: NumbersMeta) -> set[str]:
    """The members of one namespace that any of the rule functions mentions."""
    return {member for rule in rules for found, member in members_of(rule) if found is names}


@where_compiled
def check_members(rules: Iterable[Any]) -> None:
    """ValueError names a rule function that mentions a number which its namespace does not have."""
    for rule in rules:
        for names, member in members_of(rule):
            if not hasattr(names, member):
                code: CodeType = plain(rule).__code__
                where = f"{plain(rule).__module__}.{code.co_name}"
                raise ValueError(f"{where} uses {names.__name__}.{member}, which does not exist")


@where_compiled
def check_read(rules: Iterable[Any], rule_parameters: RuleParameters) -> None:
    """ValueError names a rule parameter that no rule function reads; those of the loops themselves are NUM_PLAYERS and
    SKIP_FORCED."""
    used = mentioned(rules, rule_parameters.numbers) | {"NUM_PLAYERS", "SKIP_FORCED"}
    own = rule_parameters.rows[len(rule_parameters.before) :]
    missing = [row.name for row in own if row.name.upper() not in used]
    if missing:
        raise ValueError(
            f"no rule reads the rule parameter {missing[0]!r}: use "
            f"{rule_parameters.numbers.__name__}.{missing[0].upper()}"
        )


@where_compiled
def check_filled(rules: Iterable[Any], names: Any, needed: Iterable[str]) -> None:
    """ValueError names an entry of the observation that no rule function fills in: none mentions its place.

    names: the namespace of the places. needed: the entries that are not copied.
    """
    used = mentioned(rules, names)
    missing = [name for name in needed if name.upper() not in used]
    if missing:
        raise ValueError(f"nothing fills in the entry {missing[0]!r}: write {names.__name__}.{missing[0].upper()}")
