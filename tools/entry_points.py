"""Entry points of kernels in WebAssembly and C: named parameters, lengths of arrays, and constant arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from vitienv.core.batch import Batch
from vitienv.core.targets.llvm_modules import Kernel, kernels_of

GAMES = "n"  # number of games, the first length of most arrays
Array = tuple[str, tuple[int | str, ...]]  # dtype, as NumPy writes it, and shape


@dataclass(frozen=True)
class EntryPoint(Kernel):
    """Entry point of a compiled kernel.

    shapes: shapes of arrays without a row per game, by name; a length can be a name that the caller sets. names: names
    of arguments for callers, if they differ; fields of a named tuple follow after a dot. filled: arrays whose contents
    are constants.
    """

    shapes: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    filled: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of its entry point."""
        return self.function.__name__.lstrip("_")

    @cached_property
    def parts(self) -> list[Part]:
        """The arguments in order."""
        parts: list[Part] = []
        for name, value in _flat(self.arguments):
            root, dot, field_name = name.partition(".")
            shape: tuple[int | str, ...] = ()
            if isinstance(value, np.ndarray):
                shape = self.shapes.get(name, (GAMES, *value.shape[1:]))
            parent = next((part for part in parts if part.holds(value)), None)
            parts.append(Part(self.names.get(root, root) + dot + field_name, value, shape, parent))
        return parts

    @property
    def lengths(self) -> list[str]:
        """The named lengths, in order; they are the first parameters of the entry point."""
        lengths = {length: None for part in self.parts for length in part.shape if isinstance(length, str)}
        return list(lengths)

    @property
    def parameters(self) -> dict[str, Array | None]:
        """The parameters of the entry point after the lengths; None for an integer. Views of an array share one."""
        return {part.name: part.array for part in self.parts if part.within is None}

    @property
    def contents(self) -> dict[str, list[int]]:
        """The bytes of the constant arrays, by name for callers."""
        flat = dict(zip((name for name, _ in _flat(self.arguments)), self.parts))
        filled = {flat[name].name: flat[name].value for name in self.filled}
        return {name: np.frombuffer(value.tobytes(), np.uint8).tolist() for name, value in filled.items()}


@dataclass(frozen=True)
class Part:
    """Integer, record or array argument of a kernel. within: argument of which it is a view."""

    name: str
    value: Any
    shape: tuple[int | str, ...]
    within: Part | None

    @property
    def array(self) -> Array | None:
        """Dtype and shape; None for an integer."""
        if not isinstance(self.value, np.ndarray | np.void):
            return None
        if self.value.dtype.names is not None:
            return "u1", (*self.shape, self.value.dtype.itemsize)
        return self.value.dtype.str[1:], self.shape

    def holds(self, other: Any) -> bool:
        """Return whether another array starts in the memory of this one."""
        arrays = isinstance(self.value, np.ndarray) and isinstance(other, np.ndarray)
        return arrays and 0 <= self.offset(other) < self.value.nbytes and other.size > 0

    def offset(self, other: np.ndarray) -> int:
        """Return the offset of another array in bytes."""
        return other.ctypes.data - self.value.ctypes.data


def _flat(arguments: Mapping[str, Any]) -> list[tuple[str, Any]]:
    flat: list[tuple[str, Any]] = []
    for name, value in arguments.items():
        if hasattr(value, "_asdict"):
            flat += [(f"{name}.{part}", array) for part, array in value._asdict().items()]
        else:
            flat.append((name, value))
    return flat


def entry_points(batch: Batch) -> list[EntryPoint]:
    """Return the entry points of the loops of a game. ValueError if rules are interpreted."""
    return [EntryPoint(kernel.function, kernel.arguments, {"rules": batch.rules.shape}) for kernel in kernels_of(batch)]
