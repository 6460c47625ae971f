"""Keys of a position: the conversion between JSON and the fields of a state, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vitienv.core.batch import key_of
from vitienv.core.checks import check_bool, check_int, check_ints, check_keys, list_of
from vitienv.core.fields import Field, Visibility
from vitienv.core.frames import Frame

MAX_SEED = 2**63 - 1
MISSING: Any = object()
Bound = int | Callable[[Any], int] | None  # None is the bound of the field; a function takes the state
Faults = Iterator[str]  # contradictions of a state, one line each


class Codec:
    """Conversion between JSON and a field of a state: all of it, or the part of one seat."""

    def write(self, value: Any) -> Any:
        """Return the JSON of a field's value."""
        raise NotImplementedError

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> Any:
        """Return the field's value. ValueError names what the JSON must be."""
        raise NotImplementedError

    def dump(self, state: Any, key: Key, seat: int | None) -> Any:
        """Return the JSON of a state."""
        value = state[key.fields[0]]
        return self.write(value if seat is None else value[seat])

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        """Put JSON into a state. ValueError as for `read`."""
        put(state, key.fields[0], seat, self.read(value, name, key.of, state, seat))


@dataclass(frozen=True)
class Key:
    """A key of a position, or of a seat in it.

    field: names of the state's fields, separated by spaces. start: JSON of a missing key, or a function of state and
    seat; without it the field stays empty. text: meaning, for the documentation. exact: the field's value where it
    follows from the rest. condition: of states that have the key. is_brief: not written while empty. hidden: JSON of
    another seat's secret, a function of state, seat and viewer. role: "view" is written for seats alone, "input" is
    read alone, "state" is neither: a field that follows from the rest.
    """

    name: str
    field: str
    codec: Codec
    start: Any = MISSING
    text: str = ""
    exact: Callable[[Any, int | None], Any] | None = None
    condition: Callable[[Any], bool] | None = None
    is_brief: bool = False
    hidden: Callable[[Any, int, int], Any] | None = None
    role: str = ""
    sees: Visibility | None = None  # None: that of the field
    fields: tuple[str, ...] = ()  # set by `Table`, as is the one below
    of: Any = None


class Table:
    """The keys of a position, or of a seat, in the order in which they are read and written."""

    def __init__(self, fields: Sequence[Field], keys: Iterable[Key], also: Iterable[str] = ()) -> None:
        """also: names of fields that stay empty in this game."""
        self.also = set(also)
        by_name = {item.name: item for item in fields}
        self.keys = []
        for key in keys:
            names = tuple(key.field.split())
            of = by_name[names[0]] if names else None
            sees = key.sees or (of.sees if of and key.role != "view" else Visibility.PUBLIC)
            self.keys.append(replace(key, fields=names, of=of, sees=sees))
        self.names = [key.name for key in self.keys if key.role not in ("view", "state")]

    @property
    def fields(self) -> set[str]:
        """Names of the fields that have keys."""
        inner = [key.codec.table.fields for key in self.keys if isinstance(key.codec, Seats | Group)]
        return {name for key in self.keys for name in key.fields}.union(self.also, *inner)

    def dump(self, state: Any, seat: int | None, viewer: int | None = None, is_open: bool = False) -> dict[str, Any]:
        """Return the JSON of a state. viewer: who sees it, None for everything. is_open: hands are seen by all."""
        written = {}
        for key in self.keys:
            if key.role not in ("", "view" if viewer is not None else "") or (
                key.condition and not key.condition(state)
            ):
                continue
            if viewer is not None and key.sees in (Visibility.HIDDEN, Visibility.ENGINE):
                continue
            if viewer is not None and key.sees is Visibility.PRIVATE and seat != viewer and not is_open:
                if key.hidden is not None and seat is not None:
                    written[key.name] = key.hidden(state, seat, viewer)
                continue
            value = key.codec.view(state, viewer, is_open) if isinstance(key.codec, Seats) else None
            value = key.codec.dump(state, key, seat) if value is None else value
            if not key.is_brief or value:
                written[key.name] = value
        return written

    def load(self, state: Any, mapping: Any, owner: str, seat: int | None = None, also: Iterable[str] = ()) -> None:
        """Put a mapping into a state. also: keys that are read elsewhere. ValueError names a wrong key or value."""
        check_keys(mapping, (*also, *self.names), owner)
        for key in self.keys:
            name = key.name if seat is None else f"{key.name} of {owner}"
            if key.condition and not key.condition(state):
                if key.name in mapping:
                    raise ValueError(f"{name} must be left out in this game, got {mapping[key.name]!r}")
            elif key.role != "state" and key.name in mapping:
                key.codec.load(state, key, seat, mapping[key.name], name)
                if key.exact:
                    value = state[key.fields[0]] if seat is None else state[key.fields[0]][seat]
                    if not np.array_equal(value, expected := key.exact(state, seat)):
                        raise ValueError(f"{name} must be {key.codec.write(expected)!r}, got {mapping[key.name]!r}")
            elif key.exact:
                put(state, key.fields[0], seat, key.exact(state, seat))
            elif key.start is not MISSING:
                start = key.start(state, seat) if callable(key.start) else key.start
                key.codec.load(state, key, seat, start, name)

    def faults(self, state: Any, seat: int | None = None) -> Faults:
        """Yield what follows from the rest of a state and differs from it."""
        for key in self.keys:
            if isinstance(key.codec, Seats):
                for i in range(key.codec.seats_of(state)):
                    yield from key.codec.table.faults(state, i)
            elif key.exact and not (key.condition and not key.condition(state)):
                value = state[key.fields[0]] if seat is None else state[key.fields[0]][seat]
                if not np.array_equal(value, expected := key.exact(state, seat)):
                    yield f"{key.name}{'' if seat is None else f' of seat {seat}'} must be {expected!r}, got {value!r}"


def put(state: Any, name: str, seat: int | None, value: Any) -> None:
    """Set a field of a state, or the part of one seat."""
    if seat is not None:
        state[name][seat] = value
    else:
        state[name] = value


def choice(value: Any, words: Sequence[Any], name: str) -> int:
    """Return the index of a word. ValueError if there is none."""
    if not isinstance(value, type(words[0])) or isinstance(value, bool) or value not in words:
        raise ValueError(f"unknown {name} {value!r}; expected one of: {', '.join(map(str, words))}")
    return words.index(value)


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
        index = choice(value, self.words, name)
        return self.numbers[index] if self.numbers else index


@dataclass(frozen=True)
class Named(Codec):
    """A row of numbers as a mapping. defaults: numbers of missing names, of state and seat. is_int: of an empty
    mapping alone. is_brief: 0 has no entry."""

    names: Sequence[str]
    entry: Codec
    defaults: Callable[[Any, int | None], Any] | None = None
    is_int: bool = False
    is_brief: bool = False

    def write(self, value: Any) -> dict[str, Any]:
        return {name: self.entry.write(x) for name, x in zip(self.names, value) if x or not self.is_brief}

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        check_keys(value, self.names, name)
        defaults = (
            self.defaults(state, seat) if self.defaults and not (value and self.is_int) else [0] * len(self.names)
        )
        return [self.entry.read(value[word], f"{word} of {name}", of, state, seat) if word in value else int(number)
                for word, number in zip(self.names, defaults)]  # fmt: skip


@dataclass(frozen=True)
class Flags(Codec):
    """A row of flags as the list of the words that hold. is_set: each at most once."""

    words: Sequence[Any]
    is_set: bool = True

    def write(self, value: Any) -> list[Any]:
        return [self.words[i] for i in np.flatnonzero(value).tolist()]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        places = [choice(word, self.words, name) for word in list_of(value, name)]
        if self.is_set and len(set(places)) < len(places):
            raise ValueError(f"{name} must name each at most once, got {value!r}")
        return [int(i in places) for i in range(len(self.words))]


@dataclass(frozen=True)
class Seats(Codec):
    """The seats, each with a table; missing ones have the start values."""

    table: Table
    seats_of: Callable[[Any], int]

    def view(self, state: Any, viewer: int | None, is_open: bool) -> list[dict[str, Any]]:
        """Return the JSON of all seats, as a seat sees them."""
        return [self.table.dump(state, seat, viewer, is_open) for seat in range(self.seats_of(state))]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        n = self.seats_of(state)
        seats = list_of(value, name, n)
        for i in range(n):
            self.table.load(state, seats[i] if i < len(seats) else {}, f"seat {i}", i)


@dataclass(frozen=True)
class Group(Codec):
    """A mapping with inner keys. is_written: of a state."""

    table: Table
    is_written: Callable[[Any], bool] = lambda state: True

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, Any] | None:
        return self.table.dump(state, seat) if self.is_written(state) else None

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        self.table.load(state, value, name, seat)


class Chance(Codec):
    """The RNG key of a game and how many of its words are used."""

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, list[int]]:
        return {"key": state["key"].tolist(), "used": state["chance"].tolist()}

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, ("key", "used"), name)
        n = len(state["chance"])
        state["key"] = check_ints(value.get("key", state["key"].tolist()), 2, f"{name} key")
        state["chance"] = check_ints(value.get("used", [0] * n), n, f"{name} used")


class Seed(Codec):
    """A seed in place of the RNG key."""

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        state["key"] = key_of(check_int(value, 0, MAX_SEED, name))[0]


@dataclass(frozen=True)
class Computed(Codec):
    """A value of a view that is not a field."""

    of: Callable[[Any, int | None], Any]

    def dump(self, state: Any, key: Key, seat: int | None) -> Any:
        return self.of(state, seat)


class Input(Codec):
    """A key that the game reads in its `finish`. dump: the seat of the pending decision."""

    def dump(self, state: Any, key: Key, seat: int | None) -> int | None:
        return int(state["frames"][int(state["depth"]) - 1][Frame.SEAT]) if state["depth"] else None

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        if value is not None:
            check_int(value, 0, 127, name)


# Keys of every game with a list.
SEED = Key("seed", "key", Seed(), 0, "RNG seed; `chance` replaces it", role="input")
CHANCE = Key("chance", "key chance", Chance(), text="RNG key and the words used of each stream")
TO_ACT = Key("to_act", "", Input(), text="the seat to decide; by default the next in order that can")


def key_rows(table: Table, prefix: str = "") -> list[tuple[str, str]]:
    """Return keys and meanings, for the documentation."""
    rows = [(f"{prefix}`{key.name}`", key.text) for key in table.keys if key.text]
    inner = [key_rows(key.codec.table, "of a seat: ") for key in table.keys if isinstance(key.codec, Seats)]
    return [*rows, *(row for rows_of_seat in inner for row in rows_of_seat)]
