"""The network of `vitienv train` (MaskablePPO) as a file, evaluated by NumPy.

Two tanh towers for policy and value, over observations scaled by sign(x) * log(1 + |x|). The file is in the safetensors
format, with the metadata of `vitienv.agents.network`; `input` is the concatenation of the first layers of both towers.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.weights import check_layout, layout_of, read_tensors
from vitienv.core.files import atomic, from_json
from vitienv.core.game_spec import GameSpec
from vitienv.registry import DEFAULT, canonical_name, game_from_untrusted_file, game_spec

FORMAT = "vitienv-mlp-1"
CHUNK = 512  # rows, bounds the memory


class Mlp:
    """A network that evaluates batches of observations: logits of actions, and the value for the learner."""

    def __init__(self, tensors: dict[str, np.ndarray], metadata: dict[str, Any], game: GameSpec) -> None:
        """tensors: by name, see `read_tensors`; metadata: `architecture`, `layout` and `trained`."""
        self.metadata, self.game_spec = metadata, game
        self.policy, self.value = _tower_widths(metadata)
        self._tensors = {name: np.ascontiguousarray(x.astype(np.float64).T) for name, x in tensors.items()}

    @property
    def knows_margin(self) -> bool:
        """See `Network.knows_margin`."""
        return self.metadata["trained"].get("reward") == "margin"

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the action with the highest logit of each row, (n,) int64."""
        return self.evaluate(observations, masks)[0].argmax(axis=1)

    def evaluate(self, observations: np.ndarray, masks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See `Network.evaluate`; in double precision."""
        logits = np.empty((len(observations), self.game_spec.actions.n))
        values = np.empty(len(observations))
        for first in range(0, len(observations), CHUNK):
            part = slice(first, first + CHUNK)
            logits[part], values[part] = self._evaluate(np.asarray(observations[part], np.float64))
        return np.where(np.asarray(masks) != 0, logits, -np.inf), values

    def _evaluate(self, observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        def layer(name: str, x: np.ndarray) -> np.ndarray:
            return x @ self._tensors[f"{name}.weight"] + self._tensors[f"{name}.bias"]

        inputs = np.sign(observations) * np.log1p(np.abs(observations))
        hidden = np.tanh(inputs @ self._tensors["input.weight"] + self._tensors["input.bias"])
        towers = []
        for name, x, width in (("policy", hidden[:, : self.policy[0]], self.policy),
                               ("value", hidden[:, self.policy[0] :], self.value)):  # fmt: skip
            for i in range(1, len(width)):
                x = np.tanh(layer(f"{name}.{i}", x))
            towers.append(layer(name, x))
        return towers[0], towers[1][:, 0]


def _tower_widths(metadata: dict[str, Any]) -> tuple[list[int], list[int]]:
    policy, value = ([int(n) for n in metadata["architecture"][tower]] for tower in ("policy", "value"))
    return policy, value


def _shapes(metadata: dict[str, Any], game: GameSpec) -> dict[str, tuple[int, ...]]:
    (policy, value), n_actions = _tower_widths(metadata), game.actions.n
    layers = {"input": (policy[0] + value[0], game.observation.n)}
    for name, width, n_out in (("policy", policy, n_actions), ("value", value, 1)):
        layers |= {f"{name}.{i}": (width[i], width[i - 1]) for i in range(1, len(width))}
        layers[name] = (n_out, width[-1])
    weights = {f"{name}.weight": shape for name, shape in layers.items()}
    return weights | {f"{name}.bias": shape[:1] for name, shape in layers.items()}


def save_mlp(
    path: Path, policy: list[tuple[np.ndarray, np.ndarray]], value: list[tuple[np.ndarray, np.ndarray]],
    trained: dict[str, Any], game: GameSpec,
) -> None:  # fmt: skip
    """Write the weights atomically for `policy:FILE`.

    policy, value: weights (out, in) and biases (out,) of each layer of the towers. trained: training settings, as JSON.
    """
    from safetensors.numpy import save

    tensors = {"input.weight": np.concatenate([policy[0][0], value[0][0]]),
               "input.bias": np.concatenate([policy[0][1], value[0][1]])}  # fmt: skip
    for name, tower in (("policy", policy), ("value", value)):
        for i, (weights, biases) in enumerate(tower[1:], 1):
            layer = name if i == len(tower) - 1 else f"{name}.{i}"
            tensors |= {f"{layer}.weight": weights, f"{layer}.bias": biases}
    description = {
        "architecture": {name: [len(biases) for _, biases in tower[:-1]]
                         for name, tower in (("policy", policy), ("value", value))},
        "layout": {"game": canonical_name(game), **layout_of(game)}, "trained": trained,
    }  # fmt: skip
    metadata = {"format": FORMAT} | {name: json.dumps(section) for name, section in description.items()}
    with atomic(path) as temporary:
        temporary.write_bytes(save({name: np.ascontiguousarray(x) for name, x in tensors.items()}, metadata))


def read_mlp(path: Path, metadata: dict[str, str], game: str | GameSpec = DEFAULT) -> Mlp:
    """Read a network of this format. ValueError if it is damaged or of another game."""
    from safetensors import SafetensorError, safe_open

    table = game_spec(game)
    try:
        description = {name: from_json(metadata[name]) for name in ("architecture", "layout", "trained")}
        trained_for = game_spec(game_from_untrusted_file(description["layout"]))
        if trained_for is not table:
            raise ValueError(f"the network is for {trained_for.name}, not {table.name}")
        check_layout(description["layout"], table)
        return Mlp(read_tensors(safe_open(path, framework="numpy"), _shapes(description, table)), description, table)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OSError, SafetensorError) as error:
        reason = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise ValueError(f"{str(path)!r} is not a valid network: {reason}") from None
