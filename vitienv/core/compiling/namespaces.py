"""Enums whose members are int64 constants in compiled rules.

Numba types members of an `IntEnum` as an enum, which `max`, `int` and sums with narrow integers reject, and compiles a
function again for each. `numba_extensions.py` types members of `IntConstants` as int64.
"""

from collections.abc import Mapping
from enum import EnumMeta, IntEnum
from typing import Any


class IntConstantsMeta(EnumMeta):
    """Metaclass of the namespaces, on which Numba dispatches."""


class IntConstants(IntEnum, metaclass=IntConstantsMeta):
    """Namespace of integers: `class Deck(IntConstants): VINE = 0`."""


def namespace(name: str, members: Mapping[str, int]) -> Any:
    """Create a namespace from a table. name: with its module, as in f"{__name__}.At"."""
    module, _, class_name = name.rpartition(".")
    make: Any = IntConstants
    return make(class_name, dict(members), module=module)


def words(names: type[IntEnum]) -> list[str]:
    """Return the names of the members in lower case, in order."""
    return [member.name.lower() for member in names]
