"""Target that runs the loops of games and searches in an engine with its own memory, such as WebAssembly."""

from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LOOPS, Kernels
from vitienv.core.search import simulate
from vitienv.core.targets import Target

# Methods: `of(game, n)` returns an object with `view(name, bytes)`, None for an unknown array, and
# `call(entry, names, numbers)`; `network(game, name)` one with `margin` and `evaluate(observations, masks)`.
Engine = Any
LENGTHS = ("nodes", "edges")  # named lengths of arrays, in addition to the number of games


class Entries(Target):
    """Target of an engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def loops(self, game_spec: GameSpec) -> Kernels:
        """See `Target.loops`."""
        kernels = game_spec.kernels
        loops: dict[str, Any] = {name: Entry(game_spec.name, getattr(kernels, name), self.engine) for name in LOOPS}
        return replace(kernels, **loops)

    def simulate(self, game_spec: GameSpec) -> "Entry":
        """See `Target.simulate`."""
        return Entry(game_spec.name, simulate.simulate, self.engine)

    def network(self, game_spec: GameSpec, name: str) -> "EntryNetwork":
        """See `Target.network`."""
        return EntryNetwork(game_spec, self.engine.network(game_spec.name, name))


class Entry:
    """Entry point of a loop; arrays are copied to the engine and back."""

    def __init__(self, game: str, loop: Any, engine: Engine) -> None:
        self.game, self.name, self.engine = game, loop.__name__, engine
        self.names = tuple(signature(loop).parameters)

    def __call__(self, *values: Any) -> Any:
        """Call the entry point. ValueError for an array that is not contiguous."""
        arguments = dict(zip(self.names, values, strict=True))
        engine = self.engine.of(self.game, len(arguments["games"]))
        numbers = {"n": len(arguments["games"])} | {name: len(arguments[name]) for name in LENGTHS if name in arguments}
        numbers |= {name: int(value) for name, value in arguments.items() if isinstance(value, int)}
        copies = []
        for name, value in arguments.items():
            # The engine has its own networks and views of the games.
            if isinstance(value, int | tuple) or (copy := engine.view(name, value.nbytes)) is None:
                continue
            memory = value.view(np.uint8).data
            copy.assign(memory)
            copies.append((copy, memory))
        result = engine.call(self.name, list(numbers), list(numbers.values()))
        for copy, memory in copies:
            copy.assign_to(memory)
        return result


class EntryNetwork:
    """A network of an engine, with the methods of `agents.network.Network`."""

    def __init__(self, game_spec: GameSpec, network: Any) -> None:
        self.game_spec, self.network, self.knows_margin = game_spec, network, bool(network.margin)

    def kernels_for(self, method: str) -> list[Any]:
        """Return no kernels."""
        return []

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the action with the highest logit of each row, (n,) int64."""
        return np.argmax(self.evaluate(observations, masks)[0], axis=1)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits (n, actions) and values (n,), both float32."""
        result = self.network.evaluate(observations.tobytes(), masks.tobytes())
        logits, values = (np.frombuffer(array.to_bytes(), np.float32) for array in (result.logits, result.values))
        return logits.reshape(masks.shape), values
