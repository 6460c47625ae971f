"""Data sets as Minari's: an episode for each seat of a bot, as the environment of one learner gives it.

Observations are of the form "dict", with the mask of legal actions beside them, as the action spaces that Minari stores
know no masks. Rows have no observation of a game that is over, and an episode ends with one: so the games are played
again by their actions.
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
from vitienv.core.batch import Batch, key_of
from vitienv.data import CARD, DataSet, read
from vitienv.envs.registration import SINGLE_ENV
from vitienv.extras import missing

MINARI_NAME = re.compile(r"([\w-]+/)*[\w-]+-v\d+", re.ASCII)
NEEDED = ("observation", "mask", "action", "seat", "game", "agent", "reward", "truncated")


def to_minari(folder: Path | str, name: str, agent: str | None = None) -> Any:
    """Make a Minari data set of a bot's decisions; returns it. Minari keeps it where its MINARI_DATASETS_PATH says.

    name: as Minari calls data sets, `viticulture/heuristic-v0`. agent: the bot, one of the card's; None where there is
    one alone. ValueError if Minari is not installed, the name is none of Minari's or taken, the bot has no games there,
    or no environment of one learner gives such games: where the other bots do not always sit in one order after it.
    """
    try:
        minari = import_module("minari")
        storage = import_module("minari.storage")
        buffers = import_module("minari.data_collector.episode_buffer")
    except ImportError as error:
        raise ValueError(missing("a Minari data set", error.name or "minari", "train")) from None
    if not MINARI_NAME.fullmatch(name):
        raise ValueError(f"name is {name!r}; Minari's names end in a version, as viticulture/heuristic-v0")
    data = read(folder)
    bot = _bot(data, agent)
    spec = env_spec(data, bot)
    if storage.get_dataset_path(name).exists():
        raise ValueError(f"there is a Minari data set {name!r} already; name another")
    episodes = [buffers.EpisodeBuffer(id=i, **episode) for i, episode in enumerate(_episodes(data, bot))]
    card = data.card
    made = ", ".join(f"{package} {version}" for package, version in card["versions"].items())
    return minari.create_dataset_from_buffers(
        name, episodes, env=spec, algorithm_name=card["agents"][bot], data_format="arrow",
        description=f"{card['agents'][bot]} in {card['games']} games of {card['agents']}, seed {card.get('seed')}; "
        f"vitienv data set {card['mark']} ({made})",
    )  # fmt: skip


def env_spec(data: DataSet, bot: int) -> Any:
    """The environment in which a bot, by its number, is the learner. ValueError if there is none, and if the card names
    a bot whose code would run."""
    from gymnasium.envs.registration import EnvSpec

    agents, seats = data.card["agents"], data.card["options"]["num_players"]
    check_untrusted_specs(agents, repr(str(data.folder / CARD)), data.game_spec)
    if seats % len(agents):
        raise ValueError(f"{len(agents)} bots take {seats} seats in turn, so their order changes from game to game; "
                         "no environment of one learner does that")  # fmt: skip
    others = [agents[(bot + after) % len(agents)] for after in range(1, seats)]
    options = {name: value for name, value in data.card["options"].items() if name != "num_players"}
    options |= {"num_players": seats} if seats > 1 else {}
    given = {"opponents": others, "learner_seat": "random", "illegal_action": "lose", "observation": "dict",
             "game": data.card["game"], **options}  # fmt: skip
    return EnvSpec("vitienv/Recorded-v0", entry_point=SINGLE_ENV, kwargs=given, disable_env_checker=True)


def _bot(data: DataSet, agent: str | None) -> int:
    agents = data.card["agents"]
    if agent is None and len(agents) > 1:
        raise ValueError(f"agent is not given; it must be one of {', '.join(agents)}")
    if agent is not None and agent not in agents:
        raise ValueError(f"agent is {agent!r}; it must be one of {', '.join(agents)}")
    return 0 if agent is None else agents.index(agent)


def _episodes(data: DataSet, bot: int) -> Iterator[dict[str, Any]]:
    for part in range(len(data.parts)):
        rows: Any = data.arrays(NEEDED, [part])
        numbers, firsts = np.unique(rows["game"], return_index=True)
        last = played_again(data, numbers, np.split(rows["action"], firsts[1:]))
        own = np.flatnonzero(rows["agent"] == bot)
        of_seat = np.stack([rows["game"][own], rows["seat"][own]], axis=1)
        for game, seat in np.unique(of_seat, axis=0):
            mine = own[(of_seat == (game, seat)).all(axis=1)]
            i = int(np.searchsorted(numbers, game))
            end = last.observe_rows(np.array([i]), np.array([seat]))
            is_last = np.arange(len(mine)) == len(mine) - 1
            cut = bool(rows["truncated"][mine[-1]])
            yield {
                "observations": {
                    "observation": np.concatenate([rows["observation"][mine], end]),
                    "action_mask": np.concatenate([rows["mask"][mine], np.zeros_like(rows["mask"][:1])]),
                },
                "actions": rows["action"][mine].astype(np.int64),
                "rewards": np.where(is_last, rows["reward"][mine], 0.0),
                "terminations": is_last & (not cut),
                "truncations": is_last & cut,
            }


def played_again(data: DataSet, games: np.ndarray, actions: list[np.ndarray]) -> Batch:
    """The games of these numbers after their actions, all over. ValueError if they do not lead there."""
    batch = Batch(len(games), data.game_spec.options.of(**data.card["options"]))
    batch.start(np.concatenate([key_of(seed) for seed in game_seeds(data.card["seed"], games.tolist())]))
    lengths = np.array([len(own) for own in actions])
    for step in range(int(lengths.max())):
        rows = np.flatnonzero(lengths > step)
        chosen = np.array([actions[row][step] for row in rows], np.int64)
        batch.check(chosen, rows)
        batch.step_rows(rows, chosen)
    if len(batch.playing()):
        raise ValueError(f"{str(data.folder)!r}: its games go otherwise under this version's rules")
    return batch
