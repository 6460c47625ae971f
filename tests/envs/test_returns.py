"""The table of what `reset` and `step` return is true: names, shapes, kinds, and who owns the arrays."""

from pathlib import Path

import gymnasium as gym
import numpy as np

import vitienv
from vitienv.commands.tables import around
from vitienv.core.text_utils import markdown
from vitienv.envs.sb3 import LearnerVecEnv

PAGE = Path(vitienv.__file__).parent.parent / "docs" / "environments.md"
GAMES, SEATS = 3, 2
TABLE = {"num_players": SEATS, "skip_forced": True}
STEP = ("observation", "reward", "terminated", "truncated")


def shown(value) -> str:
    """The shape with its axes named, and the kind."""
    if isinstance(value, np.ndarray):
        numbers = {vitienv.OBSERVATION.n: "observed numbers", vitienv.ACTIONS.n: "actions"}
        sizes = {GAMES: "games", SEATS: "seats", **numbers}
        axes = [sizes[n] for n in value.shape]
        return f"({', '.join(axes)}{',' * (len(axes) == 1)}) {value.dtype}"
    if isinstance(value, list):
        assert len(value) == GAMES
        return f"list with a {shown(value[0])} for each game"
    return type(value).__name__


def flat(values: dict) -> dict:
    """Values by their names, those of dicts as name["key"]; `_mask` words of Gymnasium's vectors left out."""
    found = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= {f'{name}["{key}"]': one for key, one in value.items() if key[0] != "_"}
        else:
            found[name] = value
    return found


def first(masks) -> np.ndarray:
    return np.asarray(masks).argmax(axis=-1)


def returned() -> dict[str, list[dict]]:
    """What each interface returned: by `reset`, by a step, and by the one after it."""
    returns = {}
    env = vitienv.env(**TABLE)
    env.reset(seed=1)
    steps = [dict(zip((*STEP, "info"), env.last()))]
    for _ in range(2):
        env.step(int(first(steps[-1]["observation"]["action_mask"])))
        steps.append(dict(zip((*STEP, "info"), env.last())))
    returns["`vitienv.env`, `last()`"] = steps
    for name, made in (
        ("`vitienv.make_vec`", vitienv.make_vec(num_envs=GAMES, **TABLE)),
        ("`gymnasium.make`", gym.make("vitienv/Viticulture-v0", opponents=["random"], **TABLE)),
        ("`gymnasium.make_vec`", gym.make_vec("vitienv/Viticulture-v0", GAMES, opponents=["random"], **TABLE)),
    ):
        steps = [dict(zip(("observation", "info"), made.reset(seed=1)))]
        for _ in range(2):
            steps.append(dict(zip((*STEP, "info"), made.step(first(steps[-1]["info"]["action_mask"])))))
        returns[name] = steps
    made = LearnerVecEnv(GAMES, opponents=["random"], **TABLE)
    made.seed(1)
    steps = [{"observation": made.reset()}]
    for _ in range(2):
        step = made.step(first(made.action_masks()))
        names = ("observation", "reward", "done", "infos", "`action_masks()`")
        steps.append(dict(zip(names, (*step, made.action_masks()))))
    returns["`envs.sb3.LearnerVecEnv`"] = steps
    return returns


def rows() -> list[list[str]]:
    lines = []
    for interface, (_, one, other) in returned().items():
        one, other = flat(one), flat(other)
        arrays = {name: value for name, value in one.items() if isinstance(value, np.ndarray)}
        (shared,) = {np.shares_memory(value, other[name]) for name, value in arrays.items()}
        values = [f"{f'`{name}`' if '`' not in name else name} {shown(value)}" for name, value in one.items()]
        lines.append([interface, "; ".join(values), "the environment" if shared else "you"])
    return lines


def test_the_table_is_what_is_returned():
    text = PAGE.read_text(encoding="utf-8")
    before, after = around(text, "returns", str(PAGE))
    made = markdown(("interface", "`step` returns", "its arrays belong to"), rows())
    assert text[len(before) : len(text) - len(after)].strip() == made


def test_reset_gives_observation_and_info_of_the_same_shapes():
    for interface, (reset, step, _) in returned().items():
        of_step = {name: shown(value) for name, value in flat(step).items()}
        of_reset = {name: shown(value) for name, value in flat(reset).items()}
        assert of_reset.items() <= of_step.items(), interface
