"""Checks of a file of weights: it has each tensor, of the right shape, with finite numbers, and metadata that load
nothing else. An error names the tensor or the key."""

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
from vitienv.registry import game_from_untrusted_file, relatives

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


def table_of(layout: Any, game: GameSpec) -> GameSpec:
    """Return the game, or the related game, that has the layout of a file; the game itself if none has."""
    digest = layout.get("digest") if isinstance(layout, Mapping) else None
    return next((table for table in (game, *relatives(game)) if digest == digest_of(table)), game)


def check_layout(layout: Mapping[str, Any], game: GameSpec) -> None:
    """Raise ValueError unless the layout of a file is that of a game."""
    if layout.get("digest") != digest_of(game):
        raise ValueError(f"its layout has digest {layout.get('digest')!r}; that of {game.name} is {digest_of(game)!r}")


def names_in(layout: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the names of the features and actions that a network was trained for. ValueError if it has none, or more
    than any game."""
    try:
        entries = [
            Feature(name, tuple(shape), "", 0, 0, tuple(Axis("", tuple(labels)) for labels in axes))
            for name, shape, axes in layout["features"]
        ]
        n, actions = sum(prod(entry.shape) for entry in entries), list(layout["action_names"])
    except (TypeError, KeyError, ValueError) as error:
        raise ValueError(f"its layout is damaged ({type(error).__name__}: {error})") from None
    if not (0 < n <= MAX_NAMES and 0 < len(actions) <= MAX_NAMES):
        raise ValueError(f"its layout has {n} features and {len(actions)} actions; each must be 1 to {MAX_NAMES}")
    return ObservationSpec(entries).names, actions


def extended(tensors: dict[str, np.ndarray], layout: Mapping[str, Any], game: GameSpec) -> dict[str, np.ndarray]:
    """Return the tensors of a file for a layout that may have grown: a new feature has weight 0, a new action is the
    least likely. ValueError names a feature or an action that is gone."""
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
            raise ValueError(f"it was trained with the {kind} {name!r}, which this version does not have")
    return [index[name] for name in names]


def read_tensors(file: Any, wanted: Mapping[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    """The tensors of an opened file. ValueError names the first one that is missing, of another shape, too many, or of
    other numbers. The head of the file is looked at first: one that does not fit is not read, however large it is."""
    shapes = {name: tuple(file.get_slice(name).get_shape()) for name in file.keys()}  # noqa: SIM118 - no mapping
    for name, shape in wanted.items():
        if name not in shapes:
            raise ValueError(f"it has no tensor {name!r}")
        if shapes[name] != shape:
            raise ValueError(f"the tensor {name!r} has shape {shapes[name]}; it must be {shape}")
    strange = sorted(set(shapes) - set(wanted))
    if strange:
        raise ValueError(f"it has a tensor {strange[0]!r}, which no network of this version has")
    tensors = {name: file.get_tensor(name) for name in wanted}
    for name, tensor in tensors.items():
        if tensor.dtype.name not in KINDS:
            raise ValueError(f"the tensor {name!r} is of {tensor.dtype.name}; it must be of {', '.join(KINDS)}")
        if not np.isfinite(tensor).all():
            raise ValueError(f"the tensor {name!r} holds nan or inf")
    return tensors


def check_about(about: Mapping[str, Any], game: GameSpec) -> None:
    """ValueError if the metadata are not those of a network of this game. A policy prior has no parameters: a file from
    somebody else must not have another file read."""
    for name in ("architecture", "layout", "trained"):
        if not isinstance(about[name], Mapping):
            raise ValueError(f"its {name} is {about[name]!r}; it must be a mapping")
    trained_for = game_from_untrusted_file(about["layout"])
    if trained_for not in (game.name, game.options.home):
        raise ValueError(f"it is a network for {trained_for}; this table is of {game.name}")
    made = about["architecture"]
    strange = sorted(set(made) - {"hidden", "blocks", "lead", "policy_prior"})
    if strange:
        raise ValueError(f"its architecture has {strange[0]!r}, which this version does not know")
    for name, least in (("hidden", 1), ("blocks", 0)):
        if not is_int(made.get(name)) or made[name] < least:
            raise ValueError(f"its {name} is {made.get(name)!r}; it must be a whole number from {least}")
    lead, prior = made.get("lead"), made.get("policy_prior")
    if not isinstance(lead, int | float) or not isfinite(lead):
        raise ValueError(f"its lead is {lead!r}; it must be a finite number")
    if prior is not None and (not isinstance(prior, str) or ":" in prior):
        raise ValueError(f"its policy_prior is {prior!r}; it must be None or the name of a bot, without parameters")


def shapes(file: Any, about: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Return the shape of each tensor of an opened file. The width of the layer before the value is read from it."""
    numbers, actions = map(len, names_in(about["layout"]))
    names = list(file.keys())
    judge = file.get_slice("judge.weight").get_shape() if "judge.weight" in names else ()
    hidden, width = about["architecture"]["hidden"], next(iter(judge), 1)
    layers = {"input": (hidden, numbers + actions), "policy": (actions, hidden), "judge": (width, hidden)}
    layers |= {"value": (1, width)}
    layers |= {f"blocks.{i}": (hidden, hidden) for i in range(min(about["architecture"]["blocks"], len(names)))}
    shapes_of: dict[str, tuple[int, ...]] = {}
    for name, shape in layers.items():
        shapes_of |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    if about["architecture"].get("policy_prior") is not None:
        shapes_of |= {"trust": (), "worth": ()}
    return shapes_of
