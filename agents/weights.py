"""Validation of network files: metadata, and names, shapes and values of tensors. Errors name the tensor or the key."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import isfinite, prod
from typing import Any

import numpy as np

from vitienv.core.game_spec import GameSpec
from vitienv.core.observation_spec import Axis, Feature, ObservationSpec
from vitienv.core.options import is_int
from vitienv.registry import game_from_untrusted_file

KINDS = ("float16", "float32", "float64")
MAX_NAMES = 100_000  # a file of a few bytes can name any number
NEVER = -1000.0  # the logit of an action that was unknown when a network was trained


def layout_of(game: GameSpec) -> dict[str, Any]:
    """Return the layout of a game's observations and actions as plain JSON, for the metadata of files."""
    entries = [
        [entry.name, list(entry.shape), [list(axis.labels) for axis in entry.axes]]
        for entry in game.observation.features
    ]
    layout = {"digest": digest_of(game), "observation": game.observation.n, "actions": game.actions.n,
              "features": entries, "action_names": game.actions.names}  # fmt: skip
    return layout | ({"data": game.data} if game.data else {})


def digest_of(game: GameSpec) -> str:
    """Return a hash of the names of features and actions, and of the scales of the first layer."""
    scales = [game.observation.logs.tolist(), [round(float(x), 6) for x in game.observation.scales]]
    names = [game.observation.names, game.actions.names, scales]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]


def check_layout(layout: Mapping[str, Any], game: GameSpec) -> None:
    """Raise ValueError unless the layout of a file is that of a game."""
    if layout.get("digest") != digest_of(game):
        raise ValueError(f"layout digest must be {digest_of(game)!r} for {game.name}, got {layout.get('digest')!r}")


def names_in(layout: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the names of a network's features and actions. ValueError if it has none, or more than any game."""
    try:
        entries = [
            Feature(name, tuple(shape), "", 0, 0, tuple(Axis("", tuple(labels)) for labels in axes))
            for name, shape, axes in layout["features"]
        ]
        n, actions = sum(prod(entry.shape) for entry in entries), list(layout["action_names"])
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"invalid layout ({type(error).__name__}: {error})") from None
    if not (0 < n <= MAX_NAMES and 0 < len(actions) <= MAX_NAMES):
        raise ValueError(f"layout must have 1 to {MAX_NAMES} features and actions, got {n} and {len(actions)}")
    return ObservationSpec(entries).names, actions


def extend_tensors(tensors: dict[str, np.ndarray], layout: Mapping[str, Any], game: GameSpec) -> dict[str, np.ndarray]:
    """Return the tensors for a layout that may have grown. ValueError names a feature or action that was removed."""
    (features, actions), n = names_in(layout), game.observation.n
    if features == game.observation.names and actions == game.actions.names:
        return tensors
    at_features = _indices(features, game.observation.names, "feature")
    at_actions = _indices(actions, game.actions.names, "action")
    result, weights = dict(tensors), tensors["input.weight"]
    result["input.weight"] = np.zeros((len(weights), n + game.actions.n), weights.dtype)
    result["input.weight"][:, [*at_features, *(n + i for i in at_actions)]] = weights
    for name, empty in (("policy.weight", 0.0), ("policy.bias", NEVER)):
        result[name] = np.full((game.actions.n, *tensors[name].shape[1:]), empty, tensors[name].dtype)
        result[name][at_actions] = tensors[name]
    return result


def _indices(names: list[str], today: list[str], kind: str) -> list[int]:
    index = {name: i for i, name in enumerate(today)}
    for name in names:
        if name not in index:
            raise ValueError(f"{kind} {name!r} of the network does not exist in this version")
    return [index[name] for name in names]


def read_tensors(file: Any, expected: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Read the tensors of an open file. ValueError if names, shapes or types in its header are unexpected."""
    shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118 - no mapping
    for name, shape in expected.items():
        if name not in shapes:
            raise ValueError(f"missing tensor {name!r}")
        if shapes[name] != shape:
            raise ValueError(f"tensor {name!r} must have shape {shape}, got {shapes[name]}")
    unknown_tensors = sorted(set(shapes) - set(expected))
    if unknown_tensors:
        raise ValueError(f"unknown tensor {unknown_tensors[0]!r}")
    tensors = {name: file.get_tensor(name) for name in expected}
    for name, tensor in tensors.items():
        if tensor.dtype.name not in KINDS:
            raise ValueError(f"tensor {name!r} must be one of {', '.join(KINDS)}, got {tensor.dtype.name}")
        if not np.isfinite(tensor).all():
            raise ValueError(f"tensor {name!r} must be finite, got NaN or infinity")
    return tensors


def check_metadata(metadata: Mapping[str, Any], game: GameSpec) -> None:
    """Raise ValueError unless metadata match the game and the policy prior has no parameters, which can name files."""
    for name in ("architecture", "layout", "trained"):
        if not isinstance(metadata[name], Mapping):
            raise ValueError(f"{name} must be a mapping, got {metadata[name]!r}")
    trained_for = game_from_untrusted_file(metadata["layout"])
    if trained_for not in (game.name, game.options.home):
        raise ValueError(f"the network is for {trained_for}, not {game.name}")
    architecture = metadata["architecture"]
    unknown_keys = sorted(set(architecture) - {"hidden", "blocks", "lead", "policy_prior"})
    if unknown_keys:
        raise ValueError(f"unknown key {unknown_keys[0]!r} in the architecture")
    for name, minimum in (("hidden", 1), ("blocks", 0)):
        if not is_int(architecture.get(name)) or architecture[name] < minimum:
            raise ValueError(f"{name} must be an integer of at least {minimum}, got {architecture.get(name)!r}")
    lead, prior = architecture.get("lead"), architecture.get("policy_prior")
    if not isinstance(lead, int | float) or not isfinite(lead):
        raise ValueError(f"lead must be a finite number, got {lead!r}")
    if prior is not None and (not isinstance(prior, str) or ":" in prior):
        raise ValueError(f"policy_prior must be None or the name of a bot without parameters, got {prior!r}")


def shapes(file: Any, metadata: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor of an opened file. The width of the layer before the value is read from it."""
    numbers, actions = map(len, names_in(metadata["layout"]))
    names = list(file.keys())
    judge = file.get_slice("judge.weight").get_shape() if "judge.weight" in names else ()
    hidden, width = metadata["architecture"]["hidden"], next(iter(judge), 1)
    layers = {"input": (hidden, numbers + actions), "policy": (actions, hidden), "judge": (width, hidden)}
    layers |= {"value": (1, width)}
    layers |= {f"blocks.{i}": (hidden, hidden) for i in range(min(metadata["architecture"]["blocks"], len(names)))}
    shapes_of: dict[str, tuple[int, ...]] = {}
    for name, shape in layers.items():
        shapes_of |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    if metadata["architecture"].get("policy_prior") is not None:
        shapes_of |= {"trust": (), "worth": ()}
    return shapes_of
