"""World's data files, with an owner's corrections laid over them, and the digest of what they say.

Every table there has its `source`; what nobody could look up is marked `reconstructed`, and a stand-in that an owner's
file replaces: tables called like the files, `[board.influence_track]`, `[[innovation_tiles.rectangular]]`. Entries of
a list are found by their letter, id, number or name; the events and the aims of a continent are replaced as a whole.
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
# By what the entries of a list are told apart.
KEYS = {
    "action": "letter", "position": "n", "rectangular": "letter", "oval": "id", "red": "id", "blue": "id",
    "continent": "id", "card": "name", "cards": "number",
}  # fmt: skip
WHOLE = ("event", "aim")  # lists that are replaced as a whole
# What an entry says of itself, which no rule reads: these, and whatever ends in `source`.
ABOUT = (
    "reconstructed", "why", "note", "balance", "doubt", "confidence", "affects", "against", "text", "name", "theme",
    "penalty_text", "reason", "where", "difficulty", "difficulty_rank", "source_covers", "influence_max", "id",
    "letter", "number", "schema", "facts", "public_hints", "also", "also_known", "readings",
)  # fmt: skip


def is_about(key: str) -> bool:
    """Whether a key says something of its entry, and sets nothing."""
    return key in ABOUT or key.endswith("source")


class Settings(Mapping[str, Any]):
    """A table of the data that remembers which of its keys somebody has read, those of its own tables too."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given, self._read = given, dict[str, Any]()

    def __getitem__(self, key: str) -> Any:
        if key not in self._read:
            self._read[key] = settings_of(self._given[key])
        return self._read[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def __contains__(self, key: object) -> bool:
        return key in self._given

    def __repr__(self) -> str:
        return repr(self._given)

    def unread(self) -> Iterator[str]:
        """The paths of settings that nobody has read, but for what an entry says of itself."""
        for key in self._given:
            if key in self._read:
                yield from (f"{key}.{path}" for path in _unread(self._read[key]))
            elif not is_about(key) and not _is_note(self._given[key]):
                yield key


def _is_note(value: Any) -> bool:
    """Whether a table says something of its neighbours and nothing else."""
    return isinstance(value, Mapping) and all(is_about(key) or _is_note(inner) for key, inner in value.items())


def settings_of(value: Any) -> Any:
    """The same data, whose tables remember what is read of them."""
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
    """What an entry of a list is called: by what tells it apart from the others, else by its place from 1."""
    names = ("letter", "id", "op", "number", "n", "name") if isinstance(entry, Mapping) else ()
    return next((entry[name] for name in names if name in entry), i + 1)


def all_read(value: Any, where: str) -> None:
    """ValueError names a setting in these tables that no rule has read, so that nobody is left to think it holds."""
    for path in _unread(value):
        raise ValueError(f"{path} of {where} is read by no rule; leave it out, or say it in a note")


@cache
def facts() -> dict[str, dict[str, Any]]:
    """The data by the names of their files."""
    return components.files(DATA)


def read(own: Any) -> dict[str, Any]:
    """An owner's corrections as plain nested mappings. own: see `core.components.given`."""
    return {str(key): value for key, value in components.given(own).items()}


def corrected(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The data with the corrections laid over them. ValueError names one that finds no place."""
    return _laid_over(facts(), given or {}, "components")


def _laid_over(own: Mapping[str, Any], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    merged = dict(own)
    for key, value in given.items():
        here = f"{where}.{key}"
        if key not in own and not is_about(key) and where == "components":
            raise ValueError(f"components has {key!r}; known are {', '.join(own)}")
        if key in KEYS and isinstance(own.get(key), list):
            merged[key] = _entries(own[key], value, KEYS[key], here)
        elif isinstance(own.get(key), Mapping) and key not in WHOLE:
            merged[key] = _laid_over(own[key], mapping_of(value, here), here)
        else:
            _fits(own.get(key, [{}] if key in WHOLE else value), value, here)
            merged[key] = value
    return merged


def _kind(value: Any) -> str:
    kinds = {str: "a text", Mapping: "a table", list | tuple: "a list", int | float: "a number, or true or false"}
    return next((word for kind, word in kinds.items() if isinstance(value, kind)), "something else")


def _fits(own: Any, given: Any, where: str) -> None:
    """ValueError unless a value is of the kind of the one whose place it takes, a list's entries of that of its own."""
    if _kind(given) != _kind(own):
        raise ValueError(f"{where} is {given!r}; it must be {_kind(own)}")
    if isinstance(own, list) and len({_kind(entry) for entry in own}) == 1:
        for entry in given:
            _fits(own[0], entry, f"an entry of {where}")


def _entries(own: list[Any], given: Any, key: str, where: str) -> list[Any]:
    """A list with the entries given in the places of those with the same key, or behind the others."""
    if not isinstance(given, list):
        raise ValueError(f"{where} must be a list of tables, not {given!r}")
    by_key = {entry.get(key): entry for entry in own}
    named = set()
    for entry in given:
        name = mapping_of(entry, where).get(key)
        _fits(own[0][key], name, f"the {key} of an entry of {where}")
        if not str(name).isprintable():
            raise ValueError(f"the {key} of an entry of {where} is {name!r}; it must be one line")
        if name in named:
            raise ValueError(f"{where} has the {key} {name!r} twice")
        named.add(name)
        by_key[name] = _laid_over(by_key.get(name, {}), entry, f"{where} {name}")
    return list(by_key.values())


def digest(told: Any) -> str:
    """A hash of what data say, the same on every machine."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
