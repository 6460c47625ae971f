"""Checks of values in positions and files."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np


def mapping_of(value: Any, name: str) -> Mapping[str, Any]:
    """Return value. ValueError unless it is a mapping."""
    if not isinstance(value, Mapping):
        raise ValueError(f"{name} must be a mapping, got {value!r}")
    return value


def list_of(value: Any, name: str, max_length: int | None = None) -> list[Any]:
    """Return value as a list. ValueError unless it is a list of at most max_length items."""
    if not isinstance(value, list | tuple) or (max_length is not None and len(value) > max_length):
        bound = "" if max_length is None else f" of at most {max_length}"
        raise ValueError(f"{name} must be a list{bound}, got {value!r}")
    return list(value)


def check_keys(value: Any, allowed: Iterable[str], name: str, hidden: Iterable[str] = ()) -> None:
    """ValueError unless value is a mapping with allowed keys only. hidden: allowed keys that messages do not list."""
    unknown = [key for key in mapping_of(value, name) if key not in (*allowed, *hidden)]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {name}; expected one of: {', '.join(allowed)}")


def check_int(value: Any, low: int, high: int, name: str) -> int:
    """Return value as an int. ValueError unless it is an integer from low to high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{name} must be an integer from {low} to {high}, got {value!r}")
    return int(value)


def check_bool(value: Any, name: str) -> bool:
    """Return value as a bool. ValueError unless it is a Boolean."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"{name} must be true or false, got {value!r}")
    return bool(value)


def check_ints(value: Any, length: int, name: str, low: int = 0, high: int = 2**32 - 1) -> list[int]:
    """Return value as a list of ints. ValueError unless it is a list of `length` integers from low to high."""
    if not isinstance(value, list | tuple) or len(value) != length:
        raise ValueError(f"{name} must be a list of {length} integers, got {value!r}")
    return [check_int(item, low, high, name) for item in value]


def check_choice(value: Any, choices: Sequence[Any], name: str) -> int:
    """Return the index of value in choices, which have one type. ValueError if it is not one of them."""
    if not isinstance(value, type(choices[0])) or isinstance(value, bool) or value not in choices:
        raise ValueError(f"unknown {name} {value!r}; expected one of: {', '.join(map(str, choices))}")
    return choices.index(value)
