"""A trained network as a file of numbers, evaluated by NumPy: what it takes in, its layers, and how it is kept.

The file is in the safetensors format. Its metadata name the architecture, the layout of observations and actions
that the network was trained for, and how it was trained. `vitienv.training.network` is the same network in torch.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, safe_open

from vitienv.viticulture.observation import N_OBSERVATION, OBSERVATION
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS

FORMAT = "vitienv-network-1"
CHUNK = 512  # rows evaluated at a time, for memory only
CLOSE = 1e-3  # a difference of logits that single precision does not settle; its errors stay below 1e-5
# Entries that may grow large, taken in as sign(x) * log(1 + |x|): 40 lira become 3.7.
WIDE = ("lira", "vp", "n_hand", "n_deck", "n_pile", "year", "automa_vp", "rules", "pending", "stack", "stack_left",
        "space_owner")  # fmt: skip
# Small numbers are divided by what is large for them; those not named here by their upper bound, by 3 at most.
DIVISORS = {"row": 5, "place_in_order": 5, "mamas": 17, "papas": 17}
# How a game is run, not how it stands: nothing that a network may lean on, since it differs between uses.
IGNORED = (Rule.MAX_YEARS, Rule.SKIP_FORCED)
LEAD_UNIT = 20.0  # victory points
ADVICE_UNIT = 25.0  # hundredths of a victory point
TRUST = 4.0  # in the adviser, at first: drawn from its logits alone, a game is not much worse than the adviser's own
WORTH_UNIT = 2000.0  # hundredths of a victory point
MOST_WORTH = 30_000


@cache
def wide_places() -> np.ndarray:
    """The places of the observation that are taken in by their logarithm, (w,) int64."""
    return np.concatenate([np.arange(s.start, s.stop) for s in map(OBSERVATION.slice, WIDE)])


@cache
def scales() -> np.ndarray:
    """What each number of the observation is multiplied by, after the logarithm, (N_OBSERVATION,) float32."""
    from vitienv.envs.common import observation_bounds

    low, high = observation_bounds()
    found = 1.0 / np.clip(np.maximum(np.abs(low.astype(float)), high), 1, 3)
    for name, divisor in DIVISORS.items():
        found[OBSERVATION.slice(name)] = 1.0 / divisor
    found[wide_places()] = 1.0
    for rule in IGNORED:
        found[OBSERVATION.start("rules") + rule] = 0.0
    return found.astype(np.float32)


@cache
def layout_digest() -> str:
    """A hash of what the numbers of observations and actions mean: a network is of use with the same layout only."""
    entries = [[entry.name, list(entry.shape), list(entry.labels)] for entry in OBSERVATION.entries]
    scaling = [wide_places().tolist(), [round(float(x), 6) for x in scales()]]
    return hashlib.sha256(json.dumps([entries, ACTIONS.names, scaling]).encode()).hexdigest()[:16]


def lead(observations: np.ndarray) -> np.ndarray:
    """How far the viewer is ahead of the best other seat, or of the Automa, in [-1, 1], (n,) float64."""
    points = observations[:, OBSERVATION.slice("vp")].astype(np.float64)
    is_there = observations[:, OBSERVATION.slice("present")] != 0
    others = np.where(is_there[:, 1:], points[:, 1:], -np.inf).max(axis=1)
    best = np.where(is_there[:, 1:].any(axis=1), others, observations[:, OBSERVATION.start("automa_vp")])
    return np.clip((points[:, 0] - best) / LEAD_UNIT, -1, 1)


def heeded(advice: np.ndarray) -> np.ndarray:
    """What the adviser's preferences (n, N_ACTIONS) are taken in as: 0 for the best action, less for the others."""
    return -np.log1p(advice / -ADVICE_UNIT)


class Adviser:
    """A bot by rule of thumb at a network's side: the network learns where to depart from it, and by how much."""

    def __init__(self, name: str | None) -> None:
        """name: of the bot; None for nobody. ValueError if it is no bot by rule of thumb."""
        from vitienv.agents.registry import make_agent
        from vitienv.agents.rules import RuleAgent

        bot = None if name is None else make_agent(name)
        if bot is not None and not isinstance(bot, RuleAgent):
            raise ValueError(f"advice comes from a bot by rule of thumb, not from {name!r}")
        self._bot = bot
        self.width = 0 if bot is None else N_ACTIONS + 1

    def __call__(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """(n, width) int16: `RuleAgent.preferences` of the rows, and last what the viewer's position is worth."""
        advice = np.zeros((len(masks), self.width), np.int16)
        if self._bot is not None:
            advice[:, :-1] = self._bot.preferences(observations, masks)
            advice[:, -1] = np.clip(self._bot.worths(observations), -MOST_WORTH, MOST_WORTH)
        return advice


class Network:
    """Logits of the actions and the expected result of the viewing seat, for many observations at once."""

    def __init__(self, tensors: dict[str, np.ndarray], about: dict[str, Any]) -> None:
        """tensors: by the names in the file; about: the metadata (`architecture`, `layout`, `trained`)."""
        self.about = about
        self.blocks = int(about["architecture"]["blocks"])
        self.lead = float(about["architecture"]["lead"])
        self.adviser = Adviser(about["architecture"].get("advice"))
        self._tensors: dict[type, dict[str, np.ndarray]] = {
            kind: {name: np.ascontiguousarray(value.astype(kind).T) for name, value in tensors.items()}
            for kind in (np.float32, np.float64)
        }

    @property
    def knows_margin(self) -> bool:
        """Whether its value of a solo game is the margin in units of LEAD_UNIT, not the result."""
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
        """logits (n, N_ACTIONS), minus infinity where illegal, and values (n,).

        observations (n, N_OBSERVATION) and masks (n, N_ACTIONS) as the environments give them. A value is the
        expected result of the game in units of the reward that the network was trained for. kind: the precision.
        """
        logits: np.ndarray = np.empty((len(observations), N_ACTIONS), kind)
        values: np.ndarray = np.empty(len(observations), kind)
        for first in range(0, len(observations), CHUNK):
            part = slice(first, first + CHUNK)
            logits[part], values[part] = self._evaluate(np.asarray(observations[part]), np.asarray(masks[part]), kind)
        return logits, values

    def _evaluate(self, observations: np.ndarray, masks: np.ndarray, kind: type) -> tuple[np.ndarray, np.ndarray]:
        tensors = self._tensors[kind]

        def layer(name: str, x: np.ndarray) -> np.ndarray:
            return x @ tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

        taken: np.ndarray = np.empty((len(observations), N_OBSERVATION + N_ACTIONS), kind)
        taken[:, :N_OBSERVATION] = observations
        taken[:, N_OBSERVATION:] = masks
        if self.adviser.width:
            advice = self.adviser(observations, masks)
            liked: np.ndarray = heeded(advice[:, :-1]).astype(kind)
            taken[:, N_OBSERVATION:] *= np.exp(liked)
        wide = taken[:, wide_places()]
        taken[:, wide_places()] = np.sign(wide) * np.log1p(np.abs(wide))
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
        return logits, value + self.lead * lead(observations)


def read_network(path: str | Path) -> Network:
    """The network in a .safetensors file. ValueError, in one line, if it cannot be read or is of another layout."""
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - no mapping
        if metadata.get("format") != FORMAT:
            raise ValueError(f"{str(path)!r} is no network of this project: its format is {metadata.get('format')!r}")
        about = {name: json.loads(metadata[name]) for name in ("architecture", "layout", "trained")}
    except (SafetensorError, KeyError, json.JSONDecodeError, OSError) as error:
        raise ValueError(f"{str(path)!r} cannot be read as a network ({type(error).__name__}: {error})") from None
    if about["layout"]["digest"] != layout_digest():
        seen, acts = about["layout"].get("observation"), about["layout"].get("actions")
        raise ValueError(
            f"{str(path)!r} was trained for another layout ({seen} observed numbers, {acts} actions, digest "
            f"{about['layout']['digest']}); this version has {N_OBSERVATION}, {N_ACTIONS}, {layout_digest()}"
        )
    return Network(tensors, about)
