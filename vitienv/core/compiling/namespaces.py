"""Names for numbers: enums whose members are plain whole numbers to compiled rules.

Numba knows `IntEnum`, but takes its members for a type of their own that is no integer everywhere: `max`, `int` and
sums with narrow numbers refuse it, and a function that is passed one is compiled once more. Members of `Numbers` are
int64 constants there; `taught.py` says so to Numba.
"""

from collections.abc import Mapping
from enum import EnumMeta, IntEnum
from typing import Any


class NumbersMeta(EnumMeta):
    """The class of the namespaces, by which Numba tells them from other enums."""


class Numbers(IntEnum, metaclass=NumbersMeta):
    """A namespace of numbers: `class Deck(Numbers): VINE = 0`. Members are assigned one by one."""


def namespace(name: str, members: Mapping[str, int]) -> Any:
    """A namespace made from a table. name: with its module, as in f"{__name__}.At"."""
    module, _, own = name.rpartition(".")
    make: Any = Numbers
    return make(own, dict(members), module=module)


def words(names: type[IntEnum]) -> list[str]:
    """The members in lower case, in order."""
    return [member.name.lower() for member in names]
