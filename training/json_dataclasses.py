"""Dataclasses from JSON of unknown origin: every field must have the type that the class declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from math import isfinite
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints, is_typeddict

T = TypeVar("T")

MAX_NUMBER = 2**64  # above all seeds and counts, and exact enough as a float
MAX_QUOTED_CHARS = 80
SCALARS = {str: "a string", int: "an integer", float: "a finite number", bool: "true or false", NoneType: "null"}


def structured(cls: type[T], values: Any, name: str) -> T:
    """Make a dataclass of a mapping as read from JSON; a list becomes a tuple where the class has one.

    name: of the mapping, in errors. ValueError, in one line, for an unknown or a missing field, for a value of another
    type, and for what the class itself refuses.
    """
    if not isinstance(values, Mapping):
        raise _type_error(name, "an object", values)
    hints = get_type_hints(cls)
    members = {member.name: member for member in fields(cls)}  # type: ignore[arg-type]
    required = [key for key, field in members.items() if field.default is field.default_factory is MISSING]
    unknown, missing = [key for key in values if key not in members], [key for key in required if key not in values]
    if unknown or missing:
        raise ValueError(f"{name} has an unknown {unknown[0]!r}" if unknown else f"{name} has no {missing[0]!r}")
    return cls(**{key: checked(hints[key], value, key) for key, value in values.items()})


def checked(hint: Any, value: Any, name: str) -> Any:
    """Check that a value read from JSON has a declared type, such as `dict[str, float] | None`; return it.

    Numbers must be finite and below 2**64. Raises ValueError, in one line, with the name.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any:
        return value
    if origin in (Union, UnionType):
        if value is None and NoneType in arguments:
            return None
        return checked(next(argument for argument in arguments if argument is not NoneType), value, name)
    if origin in (list, tuple):
        if not isinstance(value, list):
            raise _type_error(name, "a list", value)
        return origin(checked(arguments[0], item, f"{name}[{i}]") for i, item in enumerate(value))
    if origin in (dict, Mapping):
        if not isinstance(value, dict):
            raise _type_error(name, "an object", value)
        return {key: checked(arguments[1], item, f"{name}.{key}") for key, item in value.items()}
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        missing = [key for key in hints if not isinstance(value, dict) or key not in value]
        if missing:
            raise _type_error(name, f"an object with {', '.join(hints)}", value)
        return value | {key: checked(hint, value[key], f"{name}.{key}") for key, hint in hints.items()}
    if is_dataclass(hint):
        return structured(hint, value, name)  # type: ignore[arg-type]
    allowed = (int, float) if hint is float else hint
    if not isinstance(value, allowed) or (isinstance(value, bool) and hint is not bool):
        raise _type_error(name, SCALARS[hint], value)
    if isinstance(value, int | float) and not (-MAX_NUMBER < value < MAX_NUMBER and isfinite(value)):
        raise _type_error(name, SCALARS[hint], value)
    return value


def _type_error(name: str, expected: str, value: Any) -> ValueError:
    quote = repr(value)
    quote = quote if len(quote) <= MAX_QUOTED_CHARS else f"{quote[:MAX_QUOTED_CHARS]} …"
    return ValueError(f"{name} must be {expected}, got {quote}")
