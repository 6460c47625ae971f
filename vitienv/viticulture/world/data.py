"""World's data files, with an owner's corrections laid over them, and the digest of what they say.

Every table there has its `source`; what nobody could look up is marked `reconstructed`, and a stand-in that an owner's
file replaces: tables called like the files, `[board.influence_track]`, `[[innovation_tiles.rectangular]]`. Entries of
a list are found by their letter, id, number or name; the events and the aims of a continent are replaced as a whole.
"""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core.checks import mapping_of

DATA = Path(__file__).with_name("data")
# By what the entries of a list are told apart.
KEYS = {
    "action": "letter", "position": "n", "rectangular": "letter", "oval": "id", "red": "id", "blue": "id",
    "continent": "id", "card": "name", "cards": "number",
}  # fmt: skip
WHOLE = ("event", "aim")  # lists that are replaced as a whole
# What an entry says of itself, which no rule reads.
ABOUT = (
    "source", "source_covers", "rest_source", "kind_source", "letter_source", "reconstructed", "why", "note", "balance",
    "doubt", "also_source", "confidence", "text", "name", "theme", "influence_max", "vp_needs_all_source",
    "penalty_text", "cost_source", "amounts_source", "amounts_also_source", "amounts_note", "space_fact_source", "id",
    "letter", "number", "gain_to",
)  # fmt: skip


@cache
def facts() -> dict[str, dict[str, Any]]:
    """The data by the names of their files."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(DATA.glob("*.toml"))}


def read(given: Any) -> dict[str, Any]:
    """An owner's corrections as plain nested mappings: such a mapping, or the path of a TOML file.

    ValueError, in one line, if it is neither or names a part that there is not.
    """
    if isinstance(given, str | Path):
        try:
            given = tomllib.loads(Path(given).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"components: cannot read {str(given)!r}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"components: {str(given)!r} is not TOML: {error}") from None
    if not isinstance(given, Mapping):
        raise ValueError(f"components is {given!r}; it must be a mapping or the path of a TOML file")
    return {str(key): value for key, value in given.items()}


def corrected(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The data with the corrections laid over them. ValueError names one that finds no place."""
    return _laid_over(facts(), given or {}, "components")


def _laid_over(own: Mapping[str, Any], given: Mapping[str, Any], where: str) -> dict[str, Any]:
    found = dict(own)
    for key, value in given.items():
        here = f"{where}.{key}"
        if key not in own and key not in ABOUT and where == "components":
            raise ValueError(f"components has {key!r}; known are {', '.join(own)}")
        if key in KEYS and isinstance(own.get(key), list):
            found[key] = _entries(own[key], value, KEYS[key], here)
        elif isinstance(own.get(key), Mapping) and key not in WHOLE:
            found[key] = _laid_over(own[key], mapping_of(value, here), here)
        else:
            found[key] = value
    return found


def _entries(own: list[Any], given: Any, key: str, where: str) -> list[Any]:
    """A list with the entries given in the places of those with the same key, or behind the others."""
    if not isinstance(given, list):
        raise ValueError(f"{where} must be a list of tables, not {given!r}")
    found = {entry.get(key): entry for entry in own}
    told = set()
    for entry in given:
        name = mapping_of(entry, where).get(key)
        if name in told:
            raise ValueError(f"{where} has the {key} {name!r} twice")
        told.add(name)
        found[name] = _laid_over(found.get(name, {}), entry, f"{where} {name}")
    return list(found.values())


def digest(told: Any) -> str:
    """A hash of what data say, the same on every machine."""
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
