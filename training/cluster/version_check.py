"""Version check between machines: a digest of everything that affects games."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import vitienv
import vitienv.agents
import vitienv.training
from vitienv.core.files import versions

# Installed files, see pyproject.toml: sources and data.
ENDINGS = {".py", ".json", ".npz", ".toml", ".safetensors"}
LIBRARIES = ("vitienv", "numpy", "numba")


@cache
def digest() -> str:
    """Return a hash of this package's files and of the versions of libraries that affect games."""
    sha = hashlib.sha256()
    for name, path in sorted(_files().items()):
        sha.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    sha.update("\n".join(f"{name} {number}" for name, number in versions().items() if name in LIBRARIES).encode())
    return sha.hexdigest()[:16]


def describe() -> str:
    """Return the version with the digest, which changes with any edit."""
    return f"{versions()['vitienv']} (digest {digest()})"


def _files() -> dict[str, Path]:
    files: dict[str, Path] = {}
    for package in (vitienv, vitienv.agents, vitienv.training):
        directory, prefix = Path(str(package.__file__)).parent, package.__name__.replace(".", "/")
        files |= {
            f"{prefix}/{path.relative_to(directory).as_posix()}": path
            for path in directory.rglob("*") if path.suffix in ENDINGS and path.is_file()
        }  # fmt: skip
    return files
