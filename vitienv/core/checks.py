"""Small checks of positions and files: ValueError names the wrong value and the right ones."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np


def mapping_of(value: Any, where: str) -> Mapping[str, Any]:
    """The value, which must be a mapping."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} must be a mapping, not {value!r}")
    return value


def list_of(value: Any, where: str, most: int | None = None) -> list[Any]:
    """The value, which must be a list of at most so many."""
    if not isinstance(value, list | tuple) or (most is not None and len(value) > most):
        bound = "" if most is None else f" of at most {most}"
        raise ValueError(f"{where} must be a list{bound}, not {value!r}")
    return list(value)


def check_keys(value: Any, known: Iterable[str], where: str, also: Iterable[str] = ()) -> None:
    """The value must be a mapping with these keys and no others. also: further keys, which messages do not list."""
    unknown = [key for key in mapping_of(value, where) if key not in (*known, *also)]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {where}; known are {', '.join(known)}")


def check_int(value: Any, low: int, high: int, where: str) -> int:
    """The value, which must be a whole number in these bounds."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{where} is {value!r}; it must be a whole number from {low} to {high}")
    return int(value)


def check_bool(value: Any, where: str) -> bool:
    """The value, which must be true or false."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{where} is {value!r}; it must be true or false")
    return bool(value)


def check_ints(value: Any, n: int, where: str, low: int = 0, high: int = 2**32 - 1) -> list[int]:
    """The value, which must be n whole numbers in these bounds."""
    if not isinstance(value, list | tuple) or len(value) != n:
        raise ValueError(f"{where} must be a list of {n} whole numbers, not {value!r}")
    return [check_int(x, low, high, where) for x in value]


def check_choice(value: Any, known: list[str] | tuple[str, ...], where: str) -> int:
    """The place of the value, which must be one of the known words."""
    if value not in known:
        raise ValueError(f"unknown {where}: {value!r}; there is {', '.join(known)}")
    return known.index(value)
