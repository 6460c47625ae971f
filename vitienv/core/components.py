"""Component data of a game in TOML files, and corrections to them from a user's file."""

import tomllib
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from vitienv.core.files import read_text

MAX_DEPTH = 20  # nested tables and lists


def files(folder: Path) -> dict[str, dict[str, Any]]:
    """Read the TOML files of a directory, by file name without suffix."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}


def read_corrections(components: Any) -> Mapping[str, Any]:
    """Return the option `components`, a mapping or the path of a TOML file, as a mapping.

    ValueError if it is neither, cannot be read, or contains values that JSON cannot represent.
    """
    if isinstance(components, str | Path):
        try:
            components = tomllib.loads(read_text(Path(components)))
        except OSError as error:
            raise ValueError(f"components: cannot read {str(components)!r}: {error.strerror}") from None
        except (ValueError, RecursionError) as error:
            raise ValueError(f"components: {str(components)!r} is not TOML: {error}") from None
    if not isinstance(components, Mapping):
        raise ValueError(f"components must be a mapping or the path of a TOML file, got {components!r}")
    _check(components, MAX_DEPTH)
    return components


def _check(value: Any, max_depth: int) -> None:
    # Corrections are written to logs, so keys must be printable and values JSON.
    if not max_depth:
        raise ValueError(f"components must have at most {MAX_DEPTH} nested tables and lists")
    for key in value if isinstance(value, Mapping) else ():
        if not isinstance(key, str) or not key.isprintable():
            raise ValueError(f"keys of components must be printable strings, got {key!r}")
    if isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            _check(item, max_depth - 1)
    elif not (value is None or isinstance(value, str | int) or (isinstance(value, float) and isfinite(value))):
        raise ValueError(f"values of components must be strings, finite numbers or Booleans, got {value!r}")
