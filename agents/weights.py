"""Checks of a file of weights: it has each tensor, of the right shape, with finite numbers, and metadata that load
nothing else. An error names the tensor or the key."""

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


def shapes(file: Any, about: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor of an opened file, in the layout that it was written for. The width of the layer before
    the value is the file's own. ValueError if the layout is not known."""
    numbers, actions = lengths(about)
    names = list(file.keys())
    judge = file.get_slice("judge.weight").get_shape() if "judge.weight" in names else ()
    hidden, width = about["architecture"]["hidden"], next(iter(judge), 1)
    layers = {"input": (hidden, numbers + actions), "policy": (actions, hidden), "judge": (width, hidden)}
    layers |= {"value": (1, width)}
    layers |= {f"blocks.{i}": (hidden, hidden) for i in range(min(about["architecture"]["blocks"], len(names)))}
    shapes_of: dict[str, tuple[int, ...]] = {}
    for name, shape in layers.items():
        shapes_of |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    if about["architecture"].get("advice") is not None:
        shapes_of |= {"trust": (), "worth": ()}
    return shapes_of


def lengths(about: Mapping[str, Any]) -> tuple[int, int]:
    """How many numbers and actions a file's layout has. ValueError if it is not known."""
    try:
        numbers, actions = names_in(about["layout"])
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"its layout is damaged ({type(error).__name__}: {error})") from None
    return len(numbers), len(actions)
