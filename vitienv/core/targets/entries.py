"""The loops of games as entries that an engine runs in its own memory, as a page runs WebAssembly: arrays are copied
there and back."""

from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from vitienv.core.definition import Definition
from vitienv.core.kernel import LOOPS, Kernels

Engine = Any  # what runs them: `of(game, n)`, which has `view(name, bytes)` and `call(entry, names, numbers)`


class Entries:
    """The target of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def __call__(self, definition: Definition) -> Kernels:
        """The loops of a game."""
        own = definition.kernels
        loops: dict[str, Any] = {name: Entry(definition.name, getattr(own, name), self.engine) for name in LOOPS}
        return replace(own, **loops)


class Entry:
    """A loop of a game."""

    def __init__(self, game: str, loop: Any, engine: Engine) -> None:
        self.game, self.name, self.engine = game, loop.__name__, engine
        self.names = tuple(signature(loop).parameters)

    def __call__(self, *given: Any) -> Any:
        """What the entry gives. ValueError for an array that does not lie in one piece."""
        named = dict(zip(self.names, given, strict=True))
        own = self.engine.of(self.game, len(named["games"]))
        numbers = {"n": len(named["games"])} | {
            name: int(value) for name, value in named.items() if isinstance(value, int)
        }
        copied = []
        for name, value in named.items():
            if name in numbers or name in ("octets", "shorts"):  # other views of the games
                continue
            memory = value.view(np.uint8).data
            there = own.view(name, memory.nbytes)
            there.assign(memory)
            copied.append((there, memory))
        found = own.call(self.name, list(numbers), list(numbers.values()))
        for there, memory in copied:
            there.assign_to(memory)
        return found
