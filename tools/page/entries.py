"""The loops of games and searches as entries that an engine runs in its own memory, as a page runs WebAssembly: arrays
are copied there and back."""

from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LOOPS, Kernels
from vitienv.core.search import simulate
from vitienv.core.targets import Target

# What runs them: `of(game, n)`, which has `view(name, bytes)`, None for an array that it does not know, and
# `call(entry, names, numbers)`; `network(game, name)`, which has `margin` and `evaluate(observations, masks)`.
Engine = Any
LENGTHS = ("nodes", "edges")  # of arrays, besides the number of games


class Entries(Target):
    """The target of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def loops(self, game_spec: GameSpec) -> Kernels:
        """See `Target.loops`."""
        own = game_spec.kernels
        loops: dict[str, Any] = {name: Entry(game_spec.name, getattr(own, name), self.engine) for name in LOOPS}
        return replace(own, **loops)

    def simulate(self, game_spec: GameSpec) -> "Entry":
        """See `Target.simulate`."""
        return Entry(game_spec.name, simulate.simulate, self.engine)

    def network(self, game_spec: GameSpec, name: str) -> "EntryNetwork":
        """See `Target.network`."""
        return EntryNetwork(game_spec, self.engine.network(game_spec.name, name))


class Entry:
    """A loop of a game."""

    def __init__(self, game: str, loop: Any, engine: Engine) -> None:
        self.game, self.name, self.engine = game, loop.__name__, engine
        self.names = tuple(signature(loop).parameters)

    def __call__(self, *given: Any) -> Any:
        """What the entry gives. ValueError for an array that does not lie in one piece."""
        named = dict(zip(self.names, given, strict=True))
        engine = self.engine.of(self.game, len(named["games"]))
        numbers = {"n": len(named["games"])} | {name: len(named[name]) for name in LENGTHS if name in named}
        numbers |= {name: int(value) for name, value in named.items() if isinstance(value, int)}
        copied = []
        for name, value in named.items():
            # Networks are the engine's own; it does not know other views of the games.
            if isinstance(value, int | tuple) or (there := engine.view(name, value.nbytes)) is None:
                continue
            memory = value.view(np.uint8).data
            there.assign(memory)
            copied.append((there, memory))
        result = engine.call(self.name, list(numbers), list(numbers.values()))
        for there, memory in copied:
            there.assign_to(memory)
        return result


class EntryNetwork:
    """A network that an engine has, asked as `agents.network.Network` is."""

    def __init__(self, game_spec: GameSpec, own: Any) -> None:
        self.game_spec, self.own, self.knows_margin = game_spec, own, bool(own.margin)

    def kernels_for(self, method: str = "act") -> list[Any]:
        """Return no kernels, as nothing is compiled here."""
        return []

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The action with the highest logit of each row, (n,) int64."""
        return np.argmax(self.evaluate(observations, masks)[0], axis=1)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """logits (n, actions) and values (n,), both float32."""
        told = self.own.evaluate(observations.tobytes(), masks.tobytes())
        logits, values = (np.frombuffer(part.to_bytes(), np.float32) for part in (told.logits, told.values))
        return logits.reshape(masks.shape), values
