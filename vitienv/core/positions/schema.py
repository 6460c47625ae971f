"""Keys of a position: conversion between JSON and the fields of a state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_choice, check_int, check_keys, list_of
from vitienv.core.fields import Field, Visibility

MISSING: Any = object()
Bound = int | Callable[[Any], int] | None  # None is the bound of the field; a function takes the state
Contradictions = Iterator[str]  # contradictions of a state, one line each


class Codec:
    """Conversion between JSON and a field of a state, or one seat's part of it."""

    def write(self, value: Any) -> Any:
        """Return the JSON of a field's value."""
        raise NotImplementedError

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> Any:
        """Return the field's value. ValueError if the JSON is invalid."""
        raise NotImplementedError

    def dump(self, state: Any, key: Key, seat: int | None) -> Any:
        """Return the JSON of a state."""
        return self.write(part(state, key.fields[0], seat))

    def view(self, state: Any, key: Key, seat: int | None, viewer: int | None, is_open: bool) -> Any:
        """Return the JSON that is visible to a viewer; viewer None sees all of it."""
        return self.dump(state, key, seat)

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        """Write JSON into a state. ValueError as for `read`."""
        put(state, key.fields[0], seat, self.read(value, name, key.of, state, seat))


@dataclass(frozen=True)
class Key:
    """A key of a position, or of a seat in it.

    field: names of the state's fields, separated by spaces. start: default JSON, or a function (state, seat) that
    returns it; without it the field stays empty. text: meaning, for the documentation. exact: function that derives the
    field from the other fields. condition: whether a state has the key. is_brief: omit empty values. is_implied:
    whether to omit the key for a state. hidden: function (state, seat, viewer) that returns the JSON of another seat's
    private value. role: "view" is only written for a viewer, "input" only read, "state" neither.
    """

    name: str
    field: str
    codec: Codec
    start: Any = MISSING
    text: str = ""
    exact: Callable[[Any, int | None], Any] | None = None
    condition: Callable[[Any], bool] = lambda state: True
    is_brief: bool = False
    is_implied: Callable[[Any], bool] = lambda state: False
    hidden: Callable[[Any, int, int], Any] | None = None
    role: str = ""
    visibility: Visibility | None = None  # None: visibility of the field
    fields: tuple[str, ...] = ()  # set by `Table`, like `of`
    of: Any = None


class Table:
    """The keys of a position, or of a seat, in reading and writing order."""

    def __init__(self, fields: Sequence[Field], keys: Iterable[Key], also: Iterable[str] = ()) -> None:
        """also: names of fields that the game does not use."""
        by_name = {item.name: item for item in fields}
        self.keys, self.fields = [], set(also)  # names of the fields with keys
        for key in keys:
            names = tuple(key.field.split())
            of = by_name[names[0]] if names else None
            visibility = key.visibility or (of.visibility if of and key.role != "view" else Visibility.PUBLIC)
            self.keys.append(replace(key, fields=names, of=of, visibility=visibility))
            self.fields.update(names, key.codec.table.fields if isinstance(key.codec, Group) else ())
        self.names = [key.name for key in self.keys if key.role not in ("view", "state")]

    def dump(self, state: Any, seat: int | None, viewer: int | None = None, is_open: bool = False) -> dict[str, Any]:
        """Return the JSON of a state. viewer: a seat, None for everything. is_open: whether hands are open."""
        written = {}
        for key in self.keys:
            if key.role not in ("", "view" if viewer is not None else "") or not key.condition(state):
                continue
            if viewer is not None and key.visibility in (Visibility.HIDDEN, Visibility.ENGINE):
                continue
            if viewer is not None and key.visibility is Visibility.PRIVATE and seat != viewer and not is_open:
                if key.hidden is not None and seat is not None:
                    written[key.name] = key.hidden(state, seat, viewer)
            elif not key.is_implied(state):
                value = key.codec.view(state, key, seat, viewer, is_open)
                if value or not key.is_brief:
                    written[key.name] = value
        return written

    def load(self, state: Any, mapping: Any, owner: str, seat: int | None = None, also: Iterable[str] = ()) -> None:
        """Write a mapping into a state. also: further allowed keys. ValueError for an unknown key or invalid value."""
        check_keys(mapping, (*also, *self.names), owner)
        for key in self.keys:
            name = key.name if seat is None else f"{key.name} of {owner}"
            if not key.condition(state):
                if key.name in mapping:
                    raise ValueError(f"{name} must be left out in this game, got {mapping[key.name]!r}")
                continue
            if has_value := key.role != "state" and key.name in mapping:
                key.codec.load(state, key, seat, mapping[key.name], name)
            if key.exact:
                exact = key.exact(state, seat)
                if has_value and part(state, key.fields[0], seat) != exact:
                    raise ValueError(f"{name} must be {exact}, got {mapping[key.name]!r}")
                put(state, key.fields[0], seat, exact)
            elif not has_value and key.start is not MISSING:
                start = key.start(state, seat) if callable(key.start) else key.start
                key.codec.load(state, key, seat, start, name)


def part(state: Any, name: str, seat: int | None) -> Any:
    """Return a field of a state, or one seat's part of it."""
    return state[name] if seat is None else state[name][seat]


def put(state: Any, name: str, seat: int | None, value: Any) -> None:
    """Set a field of a state, or one seat's part of it."""
    if seat is not None:
        state[name][seat] = value
    else:
        state[name] = value


def distinct(items: list[Any], name: str, value: Any) -> list[Any]:
    """Return the items of a JSON value. ValueError if one is repeated."""
    if len(set(items)) < len(items):
        raise ValueError(f"{name} must name each at most once, got {value!r}")
    return items


def bound(of: Bound, state: Any, default: int) -> int:
    return default if of is None else of(state) if callable(of) else of


@dataclass(frozen=True)
class Int(Codec):
    """An integer. base: JSON of 0. null: the number whose JSON is None."""

    low: Bound = None
    high: Bound = None
    base: int = 0
    null: int | None = None

    def write(self, value: Any) -> int | None:
        return None if value == self.null else int(value) + self.base

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> int:
        if value is None and self.null is not None:
            return self.null
        low, high = bound(self.low, state, of.low + self.base), bound(self.high, state, of.high + self.base)
        return check_int(value, low, high, name) - self.base


class Flag(Codec):
    """A Boolean."""

    def write(self, value: Any) -> bool:
        return bool(value)

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> bool:
        return check_bool(value, name)


@dataclass(frozen=True)
class Word(Codec):
    """A number by its word. numbers: by default from 0."""

    words: Sequence[str]
    numbers: Sequence[int] = ()

    def write(self, value: Any) -> str:
        return self.words[self.numbers.index(value) if self.numbers else int(value)]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> int:
        index = check_choice(value, self.words, name)
        return self.numbers[index] if self.numbers else index


@dataclass(frozen=True)
class Named(Codec):
    """A row of numbers as a mapping by name. is_complete: a nonempty mapping has no defaults. is_brief: omit zeros."""

    names: Sequence[str]
    entry: Codec
    defaults: Callable[[Any, int | None], Any] | None = None  # (state, seat) -> numbers of missing names
    is_complete: bool = False
    is_brief: bool = False

    def write(self, value: Any) -> dict[str, Any]:
        return {name: self.entry.write(x) for name, x in zip(self.names, value) if x or not self.is_brief}

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        check_keys(value, self.names, name)
        has_defaults = self.defaults and not (value and self.is_complete)
        numbers = self.defaults(state, seat) if self.defaults and has_defaults else [0] * len(self.names)
        return [self.entry.read(value[word], f"{word} of {name}", of, state, seat) if word in value else int(number)
                for word, number in zip(self.names, numbers)]  # fmt: skip


@dataclass(frozen=True)
class Flags(Codec):
    """A row of flags as the list of the words that are set."""

    words: Sequence[Any]

    def write(self, value: Any) -> list[Any]:
        return [self.words[i] for i in np.flatnonzero(value).tolist()]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        indices = distinct([check_choice(word, self.words, name) for word in list_of(value, name)], name, value)
        return [int(i in indices) for i in range(len(self.words))]


@dataclass(frozen=True)
class Group(Codec):
    """A nested mapping."""

    table: Table

    def view(self, state: Any, key: Key, seat: int | None, viewer: int | None, is_open: bool) -> Any:
        return self.table.dump(state, seat, viewer, is_open)

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        self.table.load(state, value, name, seat)


@dataclass(frozen=True)
class Seats(Group):
    """A list of mappings, one per seat; missing seats get the defaults."""

    seats_of: Callable[[Any], int]

    def view(self, state: Any, key: Key, seat: int | None, viewer: int | None, is_open: bool) -> list[dict[str, Any]]:
        return [self.table.dump(state, owner, viewer, is_open) for owner in range(self.seats_of(state))]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        n = self.seats_of(state)
        seats = list_of(value, name, n)
        for i in range(n):
            self.table.load(state, seats[i] if i < len(seats) else {}, f"seat {i}", i)


@dataclass(frozen=True)
class Computed(Codec):
    """A value of a view that is not a field."""

    function: Callable[[Any, int | None], Any]

    def dump(self, state: Any, key: Key, seat: int | None) -> Any:
        return self.function(state, seat)


def view_key(name: str, function: Callable[[Any, int | None], Any]) -> Key:
    """Return a key that only occurs in views."""
    return Key(name, "", Computed(function), role="view")


def derived_key(field: str, exact: Callable[[Any, int | None], Any]) -> Key:
    """Return the entry of a field without a key that is derived from other fields."""
    return Key(field, field, Int(), exact=exact, role="state")
