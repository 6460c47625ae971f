"""A trained network as a file of numbers, evaluated by NumPy: what it takes in, its layers, and how it is kept.

The file is in the safetensors format. Its metadata name the architecture, the layout of observations and actions
that the network was trained for, the game, and how it was trained. `vitienv.training.network` is the same in torch.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from vitienv.agents.layouts import laid_out
from vitienv.core.definition import Definition
from vitienv.games import DEFAULT, definition

FORMAT = "vitienv-network-1"
CHUNK = 512  # rows evaluated at a time, for memory only
CLOSE = 1e-3  # a difference of logits that single precision does not settle; its errors stay below 1e-5
ADVICE_UNIT = 25.0  # hundredths of a victory point
TRUST = 4.0  # in the adviser, at first: drawn from its logits alone, a game is not much worse than the adviser's own
WORTH_UNIT = 2000.0  # hundredths of a victory point
MOST_WORTH = 30_000


def lead(game: Definition, observations: np.ndarray) -> np.ndarray:
    """How far the viewer is ahead of the best other seat, or of what a single seat plays against, in [-1, 1], (n,)."""
    if game.lead is None:
        return np.zeros(len(observations))
    seen, told = game.observation, game.lead
    points = observations[:, seen.slice(told.points)].astype(np.float64)
    is_there = observations[:, seen.slice(told.present)] != 0
    best = np.where(is_there[:, 1:], points[:, 1:], -np.inf).max(axis=1)
    if told.rival is not None:
        best = np.where(is_there[:, 1:].any(axis=1), best, observations[:, seen.start(told.rival)])
    return np.clip((points[:, 0] - best) / told.unit, -1, 1)


def heeded(advice: np.ndarray) -> np.ndarray:
    """What the adviser's preferences (n, actions) are taken in as: 0 for the best action, less for the others."""
    return -np.log1p(advice / -ADVICE_UNIT)


class Adviser:
    """A bot by rule of thumb at a network's side: the network learns where to depart from it, and by how much."""

    def __init__(self, name: str | None, game: Definition) -> None:
        """name: of the bot; None for nobody. ValueError if it is no bot by rule of thumb."""
        from vitienv.agents.registry import make_agent

        bot: Any = None if name is None else make_agent(name, game=game.name)
        if bot is not None and not (hasattr(bot, "preferences") and hasattr(bot, "worths")):
            raise ValueError(f"advice comes from a bot by rule of thumb, not from {name!r}")
        self._bot = bot
        self.width = 0 if bot is None else game.actions.n + 1

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n, width) int16: the bot's `preferences` of the rows, and last what the viewer's position is worth."""
        advice = np.zeros((len(masks), self.width), np.int16)
        if self._bot is not None:
            advice[:, :-1] = self._bot.preferences(observations, masks)
            advice[:, -1] = np.clip(self._bot.worths(observations), -MOST_WORTH, MOST_WORTH)
        return advice


class Network:
    """Logits of the actions and the expected result of the viewing seat, for many observations at once."""

    def __init__(self, tensors: dict[str, np.ndarray], about: dict[str, Any], game: Definition) -> None:
        """tensors: by the names in the file; about: the metadata (`architecture`, `layout`, `trained`)."""
        self.about = about
        self.definition = game
        self.blocks = int(about["architecture"]["blocks"])
        self.lead = float(about["architecture"]["lead"])
        self.adviser = Adviser(about["architecture"].get("advice"), game)
        self._tensors: dict[type, dict[str, np.ndarray]] = {
            kind: {name: np.ascontiguousarray(value.astype(kind).T) for name, value in tensors.items()}
            for kind in (np.float32, np.float64)
        }

    @property
    def knows_margin(self) -> bool:
        """Whether its value of a game alone is the margin, in units of `Lead.unit`, and not the result."""
        return self.about.get("trained", {}).get("settings", {}).get("reward_alone") == "margin"

    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The action with the highest logit of each row, (n,) int64, whatever other rows there are.

        A product of another size sums up in another order, and the last bits of a float32 would let the size of a
        batch decide between two actions that are nearly equal: such rows are evaluated again in double precision.
        """
        logits, _ = self.evaluate(observations, masks, np.float32)
        actions = logits.argmax(axis=1)
        highest = np.partition(logits, -2, axis=1)[:, -2:]
        is_close = highest[:, 1] - highest[:, 0] < CLOSE * (1 + np.abs(highest[:, 1]))
        rows = np.flatnonzero(is_close)
        if len(rows):
            actions[rows] = self.evaluate(observations[rows], masks[rows])[0].argmax(axis=1)
        return actions

    def evaluate(
        self, observations: np.ndarray, masks: np.ndarray, kind: type = np.float64
    ) -> tuple[np.ndarray, np.ndarray]:
        """logits (n, actions), minus infinity where illegal, and values (n,).

        observations (n, observed numbers) and masks (n, actions) as the environments give them. A value is the
        expected result of the game in units of the reward that the network was trained for. kind: the precision.
        """
        logits: np.ndarray = np.empty((len(observations), self.definition.actions.n), kind)
        values: np.ndarray = np.empty(len(observations), kind)
        for first in range(0, len(observations), CHUNK):
            part = slice(first, first + CHUNK)
            logits[part], values[part] = self._evaluate(np.asarray(observations[part]), np.asarray(masks[part]), kind)
        return logits, values

    def _evaluate(self, observations: np.ndarray, masks: np.ndarray, kind: type) -> tuple[np.ndarray, np.ndarray]:
        tensors, seen, n = self._tensors[kind], self.definition.observation, self.definition.observation.n

        def layer(name: str, x: np.ndarray) -> np.ndarray:
            return x @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

        taken: np.ndarray = np.empty((len(observations), n + masks.shape[1]), kind)
        taken[:, :n] = observations
        taken[:, n:] = masks
        if self.adviser.width:
            advice = self.adviser(observations, masks)
            liked: np.ndarray = heeded(advice[:, :-1]).astype(kind)
            taken[:, n:] *= np.exp(liked)
        wide = taken[:, seen.logs]
        taken[:, seen.logs] = np.sign(wide) * np.log1p(np.abs(wide))
        x = np.maximum(layer("input", taken), 0)  # the scales are part of the weights in the file
        for i in range(self.blocks):
            x += np.maximum(layer(f"blocks.{i}", x), 0)
        logits = layer("policy", x)
        if self.adviser.width:
            logits += tensors["trust"] * liked
        logits = np.where(masks != 0, logits, -np.inf)
        value = layer("value", np.maximum(layer("judge", x), 0))[:, 0]
        if self.adviser.width:
            value += tensors["worth"] * (advice[:, -1] / WORTH_UNIT)
        return logits, value + self.lead * lead(self.definition, observations)


def read_network(path: str | Path, game: str = DEFAULT) -> Network:
    """The network in a .safetensors file. ValueError, in one line, if it cannot be read or is of another game."""
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        if metadata.get("format") != FORMAT:
            raise ValueError(f"{str(path)!r} is no network of this project: its format is {metadata.get('format')!r}")
        about = {name: json.loads(metadata[name]) for name in ("architecture", "layout", "trained")}
    except (SafetensorError, KeyError, json.JSONDecodeError, OSError) as error:
        raise ValueError(f"{str(path)!r} cannot be read as a network ({type(error).__name__}: {error})") from None
    made = definition(game)
    trained_for = definition(about["layout"].get("game", DEFAULT))
    if trained_for is not made:
        raise ValueError(f"{str(path)!r} is a network for {trained_for.name}; this table is of {made.name}")
    try:
        return Network(laid_out(tensors, about["layout"], made), about, made)
    except ValueError as error:
        raise ValueError(f"{str(path)!r} does not fit: {error}") from None
