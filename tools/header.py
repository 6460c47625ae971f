"""C headers of prebuilt kernels: a function for each loop of a game's engine, sizes, and the rules of each table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tools.entry_points import EntryPoint, Part, entry_points
from tools.wasm.emit import tables
from vitienv.core.batch import Batch
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import Run
from vitienv.version import __version__

C_TYPES = {"i1": "int8_t", "i2": "int16_t", "i8": "int64_t", "u1": "uint8_t", "u4": "uint32_t", "f4": "float"}
BREAK = ",\n        "


def header(game: GameSpec, library: str, symbols: Mapping[str, str]) -> str:
    """Return the header of a game. symbols: of the library, by the names of the loops."""
    batch, prefix = Batch(1, game.options.of()), library.upper()
    sizes = {"RECORD_BYTES": game.dtype.itemsize, "ACTIONS": game.actions.n, "OBSERVATION": game.observation.n,
             "SEATS": game.max_seats, "RULES": len(batch.rules)}  # fmt: skip
    bits = ", ".join(f"VITIENV_{bit.name} = {int(bit)}" for bit in Run)
    rules = [
        f"static const int64_t {prefix}_{name.upper().replace('/', '_').replace('-', '_')}[{prefix}_RULES] = "
        f"{{{', '.join(map(str, options.rules()))}}};"
        for name, options in tables(game).items()
    ]
    lines = [
        f"/* {game.title}: kernels of vitienv {__version__}. Link with {library}-x86-64-v3.so or {library}-x86-64.so.",
        "   Arrays are C-contiguous with a row for each of n games; records start as zeros. A call returns a negative",
        "   number if it fails. Arguments: vitienv/core/kernel.py. */",
        f"#ifndef VITIENV_{prefix}_H",
        f"#define VITIENV_{prefix}_H",
        "#include <stdint.h>",
        "#ifndef VITIENV_BITS",
        "#define VITIENV_BITS",
        f"enum {{ {bits} }};",
        "#endif",
        f"enum {{ {', '.join(f'{prefix}_{name} = {size}' for name, size in sizes.items())} }};",
        *rules,
        *(function(kernel, library, symbols[kernel.name]) for kernel in entry_points(batch)),
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def function(kernel: EntryPoint, library: str, symbol: str) -> str:
    """Return a C function that calls a kernel's entry with a frame of 64-bit words, see `native.c`."""
    parameters = ["int64_t n", *(_parameter(part) for part in kernel.parts if part.within is None)]
    words = [", ".join(_words(part)) for part in kernel.parts]
    return f"""
int32_t {symbol}(int64_t *frame);
static inline int64_t {library}_{kernel.name}({", ".join(parameters)}) {{
    int64_t frame[] = {{
        {BREAK.join(["0", *words])}}};
    return {symbol}(frame) == 0 ? frame[0] : -1;
}}"""


def _parameter(part: Part) -> str:
    if part.array is None:
        return f"int64_t {part.name}"
    constant = "const " if part.name == "rules" else ""
    return f"{constant}{C_TYPES[part.array[0]]} *{part.name}"


def _words(part: Part) -> list[str]:
    """Return the words of a frame for an argument: an integer, or an array's address, lengths and strides."""
    if part.array is None:
        return [part.name]
    address = part.name if part.within is None else f"{part.within.name} + {part.offset(part.value)}"
    value: Any = part.value
    shape: list[Any] = ["n" if length == "n" else int(length) for length in part.shape]
    steps = [value.itemsize * math.prod(np.shape(value)[axis + 1 :]) for axis in range(value.ndim)]
    return [f"(int64_t)(intptr_t)({address})", *map(str, shape), *map(str, steps)]
