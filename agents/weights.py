"""What a file of weights must hold before it plays: each tensor, of its shape, of finite numbers; and metadata that
have nothing else loaded. What is wrong is told by its name."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np

from vitienv.agents.layouts import names_in
from vitienv.core.definition import Definition
from vitienv.core.options import is_whole
from vitienv.games import DEFAULT, told_game

KINDS = ("float16", "float32", "float64")


def check_weights(tensors: Mapping[str, np.ndarray], about: Mapping[str, Any], game: Definition) -> None:
    """ValueError names the first thing that is wrong. about: the metadata; see `vitienv.agents.network.Network`."""
    check_about(about, game)
    check_tensors(tensors, shapes(tensors, about, game))


def check_tensors(tensors: Mapping[str, np.ndarray], wanted: Mapping[str, tuple[int, ...]]) -> None:
    """ValueError names the first tensor that is missing, of another shape, of other numbers, or too many."""
    for name, shape in wanted.items():
        if name not in tensors:
            raise ValueError(f"it has no tensor {name!r}")
        tensor = tensors[name]
        if tensor.shape != shape:
            raise ValueError(f"the tensor {name!r} has shape {tensor.shape}; it must be {shape}")
        if tensor.dtype.name not in KINDS:
            raise ValueError(f"the tensor {name!r} is of {tensor.dtype.name}; it must be of {', '.join(KINDS)}")
        if not np.isfinite(tensor).all():
            raise ValueError(f"the tensor {name!r} holds nan or inf")
    strange = sorted(set(tensors) - set(wanted))
    if strange:
        raise ValueError(f"it has a tensor {strange[0]!r}, which no network of this version has")


def check_about(about: Mapping[str, Any], game: Definition) -> None:
    """ValueError if the metadata are not those of a network of this game. An adviser has no parameters: a file from
    somebody else must not have another file read."""
    for name in ("architecture", "layout", "trained"):
        if not isinstance(about[name], Mapping):
            raise ValueError(f"its {name} is {about[name]!r}; it must be a mapping")
    trained_for = told_game(about["layout"].get("game", DEFAULT))
    if trained_for not in (game.name, game.options.home, game.varies):
        raise ValueError(f"it is a network for {trained_for}; this table is of {game.name}")
    made = about["architecture"]
    strange = sorted(set(made) - {"hidden", "blocks", "lead", "advice"})
    if strange:
        raise ValueError(f"its architecture has {strange[0]!r}, which this version does not know")
    for name, least in (("hidden", 1), ("blocks", 0)):
        if not is_whole(made.get(name)) or made[name] < least:
            raise ValueError(f"its {name} is {made.get(name)!r}; it must be a whole number from {least}")
    lead, advice = made.get("lead"), made.get("advice")
    if not isinstance(lead, int | float) or not isfinite(lead):
        raise ValueError(f"its lead is {lead!r}; it must be a finite number")
    if advice is not None and (not isinstance(advice, str) or ":" in advice):
        raise ValueError(f"its advice is {advice!r}; it must be None or the name of a bot, without parameters")


def shapes(
    tensors: Mapping[str, np.ndarray], about: Mapping[str, Any], game: Definition
) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor, in the layout that the file was written for. The width of the layer before the value
    is the file's own. ValueError if the layout is not known."""
    try:
        numbers, actions = (len(names) for names in names_in(about["layout"]))
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"its layout is damaged ({type(error).__name__}: {error})") from None
    hidden, judge = about["architecture"]["hidden"], len(np.atleast_1d(tensors.get("judge.weight", 0)))
    layers = {"input": (hidden, numbers + actions), "policy": (actions, hidden), "judge": (judge, hidden)}
    layers |= {"value": (1, judge)}
    layers |= {f"blocks.{i}": (hidden, hidden) for i in range(min(about["architecture"]["blocks"], len(tensors)))}
    shapes_of: dict[str, tuple[int, ...]] = {}
    for name, shape in layers.items():
        shapes_of |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    if about["architecture"].get("advice") is not None:
        shapes_of |= {"trust": (), "worth": ()}
    return shapes_of
