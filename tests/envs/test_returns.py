"""The table of return values of `reset` and `step`: names, shapes, types, and ownership of the arrays."""

from pathlib import Path

import gymnasium as gym
import numpy as np

import vitienv
from tools.markdown_tables import around
from vitienv.core.text_utils import markdown
from vitienv.envs.sb3 import SingleAgentVecEnv

PAGE = Path(vitienv.__file__).parent.parent / "docs" / "environments.md"
GAMES, SEATS = 3, 2
TABLE = {"num_players": SEATS, "skip_forced": True}
STEP = ("observation", "reward", "terminated", "truncated")


def describe_value(value) -> str:
    """Return the shape with named axes, and the type."""
    if isinstance(value, np.ndarray):
        numbers = {vitienv.OBSERVATION.n: "features", vitienv.ACTIONS.n: "actions"}
        sizes = {GAMES: "games", SEATS: "seats", **numbers}
        axes = [sizes[n] for n in value.shape]
        return f"({', '.join(axes)}{',' * (len(axes) == 1)}) {value.dtype}"
    if isinstance(value, list):
        assert len(value) == GAMES
        return f"list with a {describe_value(value[0])} for each game"
    return type(value).__name__


def flat(values: dict) -> dict:
    """Return values by name, those of dicts as name["key"], without the `_mask` keys of Gymnasium's vectors."""
    arrays = {}
    for name, value in values.items():
        if isinstance(value, dict):
            arrays |= {f'{name}["{key}"]': item for key, item in value.items() if key[0] != "_"}
        else:
            arrays[name] = value
    return arrays


def first(masks) -> np.ndarray:
    return np.asarray(masks).argmax(axis=-1)


def returned() -> dict[str, list[dict]]:
    """Return the values of each interface from `reset`, a step, and the next one."""
    returns = {}
    env = vitienv.env(**TABLE)
    env.reset(seed=1)
    steps = [dict(zip((*STEP, "info"), env.last()))]
    for _ in range(2):
        env.step(int(first(steps[-1]["observation"]["action_mask"])))
        steps.append(dict(zip((*STEP, "info"), env.last())))
    returns["`vitienv.env`, `last()`"] = steps
    for name, venv in (
        ("`vitienv.make_vec`", vitienv.make_vec(num_envs=GAMES, **TABLE)),
        ("`gymnasium.make`", gym.make("vitienv/Viticulture-v0", opponents=["random"], **TABLE)),
        ("`gymnasium.make_vec`", gym.make_vec("vitienv/Viticulture-v0", GAMES, opponents=["random"], **TABLE)),
    ):
        steps = [dict(zip(("observation", "info"), venv.reset(seed=1)))]
        for _ in range(2):
            steps.append(dict(zip((*STEP, "info"), venv.step(first(steps[-1]["info"]["action_mask"])))))
        returns[name] = steps
    venv = SingleAgentVecEnv(GAMES, opponents=["random"], **TABLE)
    venv.seed(1)
    steps = [{"observation": venv.reset()}]
    for _ in range(2):
        step = venv.step(first(venv.action_masks()))
        names = ("observation", "reward", "done", "infos", "`action_masks()`")
        steps.append(dict(zip(names, (*step, venv.action_masks()))))
    returns["`envs.sb3.SingleAgentVecEnv`"] = steps
    return returns


def rows() -> list[list[str]]:
    lines = []
    for interface, (_, first_step, second_step) in returned().items():
        first_step, second_step = flat(first_step), flat(second_step)
        arrays = {name: value for name, value in first_step.items() if isinstance(value, np.ndarray)}
        (shared,) = {np.shares_memory(value, second_step[name]) for name, value in arrays.items()}
        values = [
            f"{f'`{name}`' if '`' not in name else name} {describe_value(value)}" for name, value in first_step.items()
        ]
        lines.append([interface, "; ".join(values), "environment" if shared else "caller"])
    return lines


def test_table_of_return_values():
    text = PAGE.read_text(encoding="utf-8")
    before, after = around(text, "returns", str(PAGE))
    table = markdown(("interface", "`step` returns", "owner of the arrays"), rows())
    assert text[len(before) : len(text) - len(after)].strip() == table


def test_reset_returns_the_shapes_of_step():
    for interface, (reset, step, _) in returned().items():
        of_step = {name: describe_value(value) for name, value in flat(step).items()}
        of_reset = {name: describe_value(value) for name, value in flat(reset).items()}
        assert of_reset.items() <= of_step.items(), interface
