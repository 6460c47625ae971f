"""The data of a game's components in TOML files, and an owner's file with corrections."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def files(folder: Path) -> dict[str, dict[str, Any]]:
    """The data by the names of their files."""
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.toml"))}


def given(components: Any) -> Mapping[str, Any]:
    """An owner's corrections: a mapping, or the path of a TOML file.

    ValueError, in one line, if it is neither or cannot be read.
    """
    if isinstance(components, str | Path):
        try:
            components = tomllib.loads(Path(components).read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"components: cannot read {str(components)!r}: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"components: {str(components)!r} is not TOML: {error}") from None
    if not isinstance(components, Mapping):
        raise ValueError(f"components is {components!r}; it must be a mapping or the path of a TOML file")
    return components
