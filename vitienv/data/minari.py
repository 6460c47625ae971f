"""Conversion of data sets to Minari: an episode for each seat of a bot, as in `SingleAgentEnv`.

Observations have the format "dict", as the action spaces that Minari stores do not support masks. Games are replayed
for the final observations of episodes, which data sets do not contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.registry import check_untrusted_specs
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import Batch, make_key
from vitienv.data import CARD, DataSet, read
from vitienv.envs.registration import SINGLE_ENV
from vitienv.extras import missing_message

MINARI_NAME = re.compile(r"([\w-]+/)*[\w-]+-v\d+", re.ASCII)
USED_COLUMNS = ("observation", "mask", "action", "seat", "game", "agent", "reward", "truncated")


def to_minari(folder: Path | str, name: str, bot: str | None = None) -> Any:
    """Create a Minari data set of a bot's decisions in MINARI_DATASETS_PATH, and return it.

    name: Minari name, such as `viticulture/heuristic-v0`. bot: a bot of the data set; None if it has only one.
    ValueError if Minari is not installed, the name is invalid or exists, the bot is unknown, or the seating order of
    the other bots varies, which `SingleAgentEnv` does not support.
    """
    try:
        minari = import_module("minari")
        storage = import_module("minari.storage")
        buffers = import_module("minari.data_collector.episode_buffer")
    except ImportError as error:
        raise ValueError(missing_message("a Minari data set", error.name or "minari", "train")) from None
    if not MINARI_NAME.fullmatch(name):
        raise ValueError(f"name must end in a version, as viticulture/heuristic-v0, got {name!r}")
    data = read(folder)
    bot_index = _bot(data, bot)
    spec = env_spec(data, bot_index)
    if storage.get_dataset_path(name).exists():
        raise ValueError(f"Minari data set {name!r} already exists")
    episodes = [buffers.EpisodeBuffer(id=i, **episode) for i, episode in enumerate(_episodes(data, bot_index))]
    card = data.card
    packages = ", ".join(f"{package} {version}" for package, version in card["versions"].items())
    return minari.create_dataset_from_buffers(
        name, episodes, env=spec, algorithm_name=card["agents"][bot_index], data_format="arrow",
        description=f"{card['agents'][bot_index]} in {card['games']} games of {card['agents']}, "
        f"seed {card.get('seed')}; vitienv data set {card['mark']} ({packages})",
    )  # fmt: skip


def env_spec(data: DataSet, bot: int) -> Any:
    """Return the spec of the environment with a bot, by index, as the learner.

    ValueError if the seating order varies, or the metadata name a bot whose code would run.
    """
    from gymnasium.envs.registration import EnvSpec

    agents, seats = data.card["agents"], data.card["options"]["num_players"]
    check_untrusted_specs(agents, repr(str(data.folder / CARD)), data.game_spec)
    if seats % len(agents):
        raise ValueError(
            f"number of bots must divide the {seats} seats for a constant seating order, got {len(agents)}"
        )
    opponents = [agents[(bot + after) % len(agents)] for after in range(1, seats)]
    options = {name: value for name, value in data.card["options"].items() if name != "num_players" or seats > 1}
    kwargs = {"opponents": opponents, "learner_seat": "random", "illegal_action": "lose", "observation": "dict",
             "game": data.card["game"], **options}  # fmt: skip
    return EnvSpec("vitienv/Recorded-v0", entry_point=SINGLE_ENV, kwargs=kwargs, disable_env_checker=True)


def _bot(data: DataSet, agent: str | None) -> int:
    agents = data.card["agents"]
    if (agent is None and len(agents) > 1) or (agent is not None and agent not in agents):
        raise ValueError(f"unknown agent {agent!r}; expected one of: {', '.join(agents)}")
    return 0 if agent is None else agents.index(agent)


def _episodes(data: DataSet, bot: int) -> Iterator[dict[str, Any]]:
    for part in range(len(data.parts)):
        rows: Any = data.arrays(USED_COLUMNS, [part])
        numbers, firsts = np.unique(rows["game"], return_index=True)
        last = replay(data, numbers, np.split(rows["action"], firsts[1:]))
        rows_of_bot = np.flatnonzero(rows["agent"] == bot)
        of_seat = np.stack([rows["game"][rows_of_bot], rows["seat"][rows_of_bot]], axis=1)
        for game, seat in np.unique(of_seat, axis=0):
            rows_of_seat = rows_of_bot[(of_seat == (game, seat)).all(axis=1)]
            i = int(np.searchsorted(numbers, game))
            end = last.observe_rows(np.array([i]), np.array([seat]))
            is_last = np.arange(len(rows_of_seat)) == len(rows_of_seat) - 1
            is_truncated = bool(rows["truncated"][rows_of_seat[-1]])
            yield {
                "observations": {
                    "observation": np.concatenate([rows["observation"][rows_of_seat], end]),
                    "action_mask": np.concatenate([rows["mask"][rows_of_seat], np.zeros_like(rows["mask"][:1])]),
                },
                "actions": rows["action"][rows_of_seat].astype(np.int64),
                "rewards": np.where(is_last, rows["reward"][rows_of_seat], 0.0),
                "terminations": is_last & (not is_truncated),
                "truncations": is_last & is_truncated,
            }


def replay(data: DataSet, games: np.ndarray, actions: list[np.ndarray]) -> Batch:
    """Replay games, by index, to their ends. ValueError if the actions do not end them."""
    batch = Batch(len(games), data.game_spec.options.of(**data.card["options"]))
    batch.start(np.concatenate([make_key(seed) for seed in game_seeds(data.card["seed"], games.tolist())]))
    lengths = np.array([len(game_actions) for game_actions in actions])
    for step in range(int(lengths.max())):
        rows = np.flatnonzero(lengths > step)
        step_actions = np.array([actions[row][step] for row in rows], np.int64)
        batch.check(step_actions, rows)
        batch.step_rows(rows, step_actions)
    if len(batch.active_rows()):
        raise ValueError(f"{str(data.folder)!r}: the actions do not end the games under the rules of this version")
    return batch
