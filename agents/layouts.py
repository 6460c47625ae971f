"""Weights in another layout than that of their training: each input and output goes to the place of its name.

A new input has weight 0, and a new action is the least likely until it is learned. Only a missing name is refused.
"""

from __future__ import annotations

import hashlib
import json
from math import prod
from typing import Any

import numpy as np

from vitienv.core.definition import Definition
from vitienv.core.layout import Axis, Entry, VectorLayout
from vitienv.games import relatives

MOST_NAMES = 100_000  # a file of a few bytes can name any number
NEVER = -1000.0  # the logit of an action that was unknown when a network was trained


def layout_of(game: Definition) -> dict[str, Any]:
    """What the numbers of a game's observations and actions mean, as plain JSON for the file of a network."""
    entries = [
        [entry.name, list(entry.shape), [list(axis.labels) for axis in entry.axes]]
        for entry in game.observation.entries
    ]
    told = {"digest": digest_of(game), "observation": game.observation.n, "actions": game.actions.n,
            "entries": entries, "action_names": game.actions.names}  # fmt: skip
    return told | ({"data": game.data} if game.data else {})


def table_of(layout: Any, game: Definition) -> Definition:
    """The game or the relative of it that has a file's layout; the game itself if none has."""
    if not isinstance(layout, dict) or layout.get("digest") == digest_of(game):
        return game
    return next((own for own in relatives(game) if layout.get("digest") == digest_of(own)), game)


def digest_of(game: Definition) -> str:
    """A hash of those names and of how a network takes the numbers in."""
    taken = [game.observation.logs.tolist(), [round(float(x), 6) for x in game.observation.scales]]
    told = [game.observation.names, game.actions.names, taken]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def names_in(layout: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The names of the observed numbers and of the actions that a file was trained for. ValueError if it has none, or
    more than any game."""
    if "entries" not in layout:
        raise ValueError(f"its layout names no numbers; it has {', '.join(layout) or 'nothing'}")
    entries = [
        Entry(name, tuple(shape), "", 0, 0, tuple(Axis("", tuple(labels)) for labels in axes))
        for name, shape, axes in layout["entries"]
    ]
    n, n_actions = sum(prod(entry.shape) for entry in entries), len(layout["action_names"])
    if not (0 < n <= MOST_NAMES and 0 < n_actions <= MOST_NAMES):
        raise ValueError(f"its layout has {n} numbers and {n_actions} actions; each is a number from 1 to {MOST_NAMES}")
    return VectorLayout(entries).names, list(layout["action_names"])


def places_in(layout: dict[str, Any], game: Definition) -> tuple[np.ndarray, np.ndarray]:
    """Today's places of a file's observed numbers and of its actions, two arrays. ValueError names one that is gone."""
    numbers, actions = names_in(layout)
    return _places(numbers, game.observation.names, "observed number"), _places(actions, game.actions.names, "action")


def laid_out(tensors: dict[str, np.ndarray], layout: dict[str, Any], game: Definition) -> dict[str, np.ndarray]:
    """The tensors of a file for the layout of today. ValueError names an input or an action that went away."""
    numbers, actions = names_in(layout)
    if numbers == game.observation.names and actions == game.actions.names:
        return tensors
    seen, acts = places_in(layout, game)
    laid = dict(tensors)
    taken, n, n_actions = tensors["input.weight"], game.observation.n, game.actions.n
    weights = np.zeros((len(taken), n + n_actions), taken.dtype)
    weights[:, seen] = taken[:, : len(numbers)]
    weights[:, n + acts] = taken[:, len(numbers) :]
    laid["input.weight"] = weights
    for name, empty in (("policy.weight", 0.0), ("policy.bias", NEVER)):
        old = tensors[name]
        laid[name] = np.full((n_actions, *old.shape[1:]), empty, old.dtype)
        laid[name][acts] = old
    return laid


def _places(old: list[str], new: list[str], what: str) -> np.ndarray:
    """Today's place of each old name, (len(old),) int64."""
    at = {name: place for place, name in enumerate(new)}
    gone = [name for name in old if name not in at]
    if gone:
        raise ValueError(f"it was made with the {what} {gone[0]!r}, which this version does not have")
    return np.array([at[name] for name in old], np.int64)
