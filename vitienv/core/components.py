"""The data of a game's components in TOML files, and an owner's file with corrections."""

import tomllib
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from vitienv.core.files import read_text

DEEPEST = 20  # tables and lists in one another


def files(folder: Path) -> dict[str, dict[str, Any]]:
    """The data by the names of their files."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}


def given(components: Any) -> Mapping[str, Any]:
    """An owner's corrections: a mapping, or the path of a TOML file.

    ValueError, in one line, if it is neither or cannot be read.
    """
    if isinstance(components, str | Path):
        try:
            components = tomllib.loads(read_text(Path(components)))
        except OSError as error:
            raise ValueError(f"components: cannot read {str(components)!r}: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"components: {str(components)!r} is not TOML: {error}") from None
    if not isinstance(components, Mapping):
        raise ValueError(f"components is {components!r}; it must be a mapping or the path of a TOML file")
    _check(components, DEEPEST)
    return components


def _check(value: Any, left: int) -> None:
    """ValueError for what no line or log could show: keys that are no words, dates, tables in tables without end."""
    if not left:
        raise ValueError(f"components has more than {DEEPEST} tables and lists in one another")
    for key in value if isinstance(value, Mapping) else ():
        if not isinstance(key, str) or not key.isprintable():
            raise ValueError(f"components has the key {key!r}; a key is a word")
    if isinstance(value, Mapping | list | tuple):
        for inner in value.values() if isinstance(value, Mapping) else value:
            _check(inner, left - 1)
    elif not (value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))):
        raise ValueError(f"components has {value!r}; a value is a text, a finite number, true or false")
