"""Types of the arguments of kernels, stated with each kernel: a mapping from types to names of arguments.

A type is written as Numba writes it: "int64", "int8[:, ::1]" for a C-contiguous array, "int8[:]" for one with any
strides. `records` maps other names to record dtypes: "record[::1]" is an array, "record" a single record. A named tuple
of arrays is a pair of its class and the types of its fields.
"""

import hashlib
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

TYPE = re.compile(r"(\w+)(?:\[([:,1 ]+)\])?")
SIZES = ("N_ACTIONS", "N_OBSERVATION")  # globals of kernels with the widths of their arrays


@dataclass(frozen=True)
class Argument:
    """An integer (`ndim` is None), a record (0) or an array."""

    dtype: np.dtype
    ndim: int | None
    is_contiguous: bool

    @property
    def kind(self) -> str:
        """n: an integer, r: records, i, u or f: numbers, as NumPy's `dtype.kind`."""
        return "n" if self.ndim is None else "r" if self.dtype.names else self.dtype.kind

    def __str__(self) -> str:
        name = str(self.dtype)
        if self.dtype.names is not None:
            layout = [(field, str(kind), offset) for field, (kind, offset, *_) in (self.dtype.fields or {}).items()]
            name = f"record:{hashlib.sha256(repr(layout).encode()).hexdigest()[:16]}:{self.dtype.itemsize}"
        axes = [":"] * (self.ndim or 0)
        if axes and self.is_contiguous:
            axes[-1] = "::1"
        return f"{name}[{','.join(axes)}]" if axes else name


def argument(text: str, records: Mapping[str, Any]) -> Argument:
    """Return the argument of a type. ValueError if the type is malformed."""
    match = TYPE.fullmatch(text)
    if match is None:
        raise ValueError(f"type must be like 'int64' or 'int8[:, ::1]', got {text!r}")
    name, axes = match[1], match[2]
    dtype = np.dtype(records.get(name, name))
    if axes is None:
        return Argument(dtype, 0 if dtype.names is not None else None, True)
    return Argument(dtype, axes.count(",") + 1, axes.endswith("::1"))


@dataclass(frozen=True, eq=False)
class KernelSource:
    """Function of a kernel, directory of its machine code, part of the game, and argument types.

    types: argument names by type, "kernel.argument" if kernels of a module differ; None if unknown.
    """

    function: Callable
    folder: Path
    part: str
    types: Mapping[Any, str] | None = None
    records: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The kernel's name within its folder."""
        return f"{self.function.__module__}.{self.function.__name__}"

    @property
    def library(self) -> str:
        """The library that contains the kernel: the name of its game, or "networks"."""
        return self.folder.name.partition("-")[0]

    @cached_property
    def structure(self) -> list[tuple[str, type | None, list[Argument]]]:
        """Name, class (None unless it is a named tuple) and arguments of each parameter."""
        types = {name: kind for kind, names in (self.types or {}).items() for name in names.split()}
        parameters: list[tuple[str, type | None, list[Argument]]] = []
        for name in inspect.signature(self.function).parameters:
            key = f"{self.function.__name__}.{name}"
            value = types.get(key, types.get(name))
            if value is None:
                raise ValueError(f"types of kernel {self.name!r} must include {name!r}")
            kind, texts = (None, (value,)) if isinstance(value, str) else value
            parameters.append((name, kind, [argument(text, self.records) for text in texts]))
        return parameters

    @property
    def arguments(self) -> list[Argument]:
        """All arguments in order, named tuples flattened."""
        return [argument for _, _, arguments in self.structure for argument in arguments]

    def row(self) -> dict[str, Any]:
        """Return the entry of the kernel in a library's table: name, folder, argument types and sizes, as JSON."""
        names = self.function.__globals__  # type: ignore[attr-defined]
        return {
            "name": self.name,
            "folder": self.folder.name,
            "types": [str(argument) for argument in self.arguments],
            "sizes": {name: int(names[name]) for name in SIZES if name in names},
        }
