"""Loops of games as entries of WebAssembly, called from a page's Python. `install` comes before games are imported."""

from __future__ import annotations

import inspect
from typing import Any

from vitienv.core import jit

LOOPS = ("run", "observe_seat", "stand", "determinize")  # of `core.kernel`, which is imported later

Engine = Any  # what the worker gives: `of(game, n)`, with `view(name, bytes)` and `call(entry, numbers)`


def memory_of(array: Any) -> memoryview:
    """The bytes of an array, which must lie in one piece."""
    starts, run = array._runs()
    if len(starts) != 1:
        raise ValueError("this array does not lie in one piece")
    unit = array.dtype.unit
    return array._memory.raw[starts[0] * unit : (starts[0] + run) * unit]


class Entry:
    """A loop of a game: the arrays are copied to the engine's memory, and back."""

    def __init__(self, loop: Any, engine: Engine) -> None:
        self.game, self.name = loop.__globals__["__name__"].split(".")[-2], loop.__name__
        self.names, self.engine = tuple(inspect.signature(loop).parameters), engine

    def __call__(self, *given: Any) -> Any:
        named = dict(zip(self.names, given, strict=True))
        n = len(named["games"])
        own = self.engine.of(self.game, n)
        numbers = {"n": n} | {name: int(value) for name, value in named.items() if isinstance(value, int)}
        copied = []
        for name, value in named.items():
            if name in numbers or name in ("octets", "shorts"):  # other views of the games
                continue
            memory = memory_of(value)
            there = own.view(name, len(memory))
            there.assign(memory)
            copied.append((there, memory))
        found = own.call(self.name, list(numbers), list(numbers.values()))
        for there, memory in copied:
            there.assign_to(memory)
        return found


def install(engine: Engine) -> None:
    """From now on the loops of games that are imported are the engine's; all else is interpreted."""

    def kept(function: Any, folder: Any, part: str | None = None) -> Any:
        is_loop = function.__name__ in LOOPS and function.__globals__["__name__"].endswith(".kernel")
        return Entry(function, engine) if is_loop else function

    jit.kept = kept
