"""World's data files, merged with a user's corrections, and their digest.

Every table has its `source`. Undocumented components are stand-ins, marked `reconstructed`, that a user's file can
replace: its tables are named after the files, `[board.influence_track]`, `[[innovation_tiles.rectangular]]`. Entries of
a list are matched by letter, id, number or name; the events and the aims of a continent are replaced as a whole.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core import components
from vitienv.core.checks import mapping_of

DATA = Path(__file__).with_name("data")
# The key that identifies the entries of a list.
KEYS = {
    "action": "letter", "position": "n", "rectangular": "letter", "oval": "id", "red": "id", "blue": "id",
    "continent": "id", "card": "name", "cards": "number",
}  # fmt: skip
WHOLE = ("event", "aim")  # lists that are replaced as a whole
# Keys of notes, which no rule reads, besides those that end in `source`.
NOTE_KEYS = (
    "reconstructed", "why", "note", "balance", "doubt", "confidence", "affects", "against", "text", "name", "theme",
    "penalty_text", "reason", "where", "difficulty", "difficulty_rank", "source_covers", "influence_max", "id",
    "letter", "number", "schema", "facts", "public_hints", "also", "also_known", "readings",
)  # fmt: skip


def is_note_key(key: str) -> bool:
    """Return whether a key is a note, not a setting."""
    return key in NOTE_KEYS or key.endswith("source")


class Settings(Mapping[str, Any]):
    """A table of the data that records which of its keys were read, in nested tables too."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table, self._read = table, dict[str, Any]()

    def __getitem__(self, key: str) -> Any:
        if key not in self._read:
            self._read[key] = settings_of(self._table[key])
        return self._read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, key: object) -> bool:
        return key in self._table

    def __repr__(self) -> str:
        return repr(self._table)

    def unread(self) -> Iterator[str]:
        """Yield the paths of unread settings, without notes."""
        for key in self._table:
            if key in self._read:
                yield from (f"{key}.{path}" for path in _unread(self._read[key]))
            elif not is_note_key(key) and not _is_note(self._table[key]):
                yield key


def _is_note(value: Any) -> bool:
    return isinstance(value, Mapping) and all(is_note_key(key) or _is_note(inner) for key, inner in value.items())


def settings_of(value: Any) -> Any:
    """Wrap the tables of nested data in `Settings`."""
    if isinstance(value, list | tuple):
        return [settings_of(inner) for inner in value]
    return Settings(value) if isinstance(value, Mapping) and not isinstance(value, Settings) else value


def _unread(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for i, inner in enumerate(value):
            yield from (f"{_name(inner, i)}.{path}" for path in _unread(inner))
    elif isinstance(value, Settings):
        yield from value.unread()


def _name(entry: Any, i: int) -> Any:
    """Return the identifying value of an entry of a list, else its index from 1."""
    names = ("letter", "id", "op", "number", "n", "name") if isinstance(entry, Mapping) else ()
    return next((entry[name] for name in names if name in entry), i + 1)


def check_all_read(value: Any, label: str) -> None:
    """Raise ValueError for the first unread setting, as it would have no effect."""
    for path in _unread(value):
        raise ValueError(f"{path} of {label} is not read by any rule; leave it out or write a note")


@cache
def facts() -> dict[str, dict[str, Any]]:
    """Load the data, a mapping from file name to table."""
    return components.files(DATA)


def read(corrections: Any) -> dict[str, Any]:
    """Return a user's corrections as nested mappings. corrections: see `core.components.read_corrections`."""
    return {str(key): value for key, value in components.read_corrections(corrections).items()}


def merge_corrections(corrections: Mapping[str, Any] | None) -> dict[str, Any]:
    """Merge corrections into the data. Raises ValueError for an unknown or invalid entry."""
    return _merge(facts(), corrections or {}, "components")


def _merge(table: Mapping[str, Any], corrections: Mapping[str, Any], label: str) -> dict[str, Any]:
    merged = dict(table)
    for key, value in corrections.items():
        key_label = f"{label}.{key}"
        if key not in table and not is_note_key(key) and label == "components":
            raise ValueError(f"unknown table {key!r} in components; expected one of: {', '.join(table)}")
        if key in KEYS and isinstance(table.get(key), list):
            merged[key] = _merge_entries(table[key], value, KEYS[key], key_label)
        elif isinstance(table.get(key), Mapping) and key not in WHOLE:
            merged[key] = _merge(table[key], mapping_of(value, key_label), key_label)
        else:
            _check_kind(table.get(key, [{}] if key in WHOLE else value), value, key_label)
            merged[key] = value
    return merged


def _kind(value: Any) -> str:
    kinds = {str: "a text", Mapping: "a table", list | tuple: "a list", int | float: "a number, or true or false"}
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "something else")


def _check_kind(default: Any, value: Any, label: str) -> None:
    """Raise ValueError unless a value, and each entry of a list, has the kind of its default."""
    if _kind(value) != _kind(default):
        raise ValueError(f"{label} must be {_kind(default)}, got {value!r}")
    if isinstance(default, list) and len({_kind(entry) for entry in default}) == 1:
        for entry in value:
            _check_kind(default[0], entry, f"an entry of {label}")


def _merge_entries(entries: list[Any], corrections: Any, key: str, label: str) -> list[Any]:
    """Merge corrections into the entries with the same key; append the others."""
    if not isinstance(corrections, list):
        raise ValueError(f"{label} must be a list of tables, got {corrections!r}")
    by_key = {entry.get(key): entry for entry in entries}
    names = set()
    for entry in corrections:
        name = mapping_of(entry, label).get(key)
        _check_kind(entries[0][key], name, f"the {key} of an entry of {label}")
        if not str(name).isprintable():
            raise ValueError(f"the {key} of an entry of {label} must be one line, got {name!r}")
        if name in names:
            raise ValueError(f"duplicate {key} {name!r} in {label}")
        names.add(name)
        by_key[name] = _merge(by_key.get(name, {}), entry, f"{label} {name}")
    return list(by_key.values())


def digest(data: Any) -> str:
    """Return a hash of JSON data that is the same on every machine."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]
