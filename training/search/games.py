"""Games of self-play whose decisions are searched, and the files of training samples that they make.

A file has whole games and is a function of the settings, its number and the network: a process killed in the middle of
one plays it again. A share of the decisions, the dear ones, get a full search, whose race draws its actions; they are
the training targets. The others get a fast search (the playout cap of KataGo, Wu 2019). The targets of a decision are
the policy that the search makes of the prior, and the result of the game for the deciding seat as value.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from vitienv.agents import GameViews
from vitienv.agents.network import Network, read_network
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.agents.search.searcher import Limits, SearchResult, search
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import TRUNCATED, Batch, key_of
from vitienv.core.files import atomic, from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.networks.network import draw
from vitienv.data import COLUMNS as OF_ALL
from vitienv.data import Column, as_bytes, numbers_in
from vitienv.registry import canonical_name, game_spec
from vitienv.training.evaluation.data_sets import PARQUET
from vitienv.training.run_dir import WEIGHTS
from vitienv.training.search.settings import Settings
from vitienv.training.selfplay.envs import Kind, parse_mix

FORMAT = "vitienv-searched-1"
COUNTS = ("games", "decisions", "searched", "learned", "simulations")
# As in data sets (`vitienv.data`), but for the bot, which is the network alone; the game is counted in its file.
COLUMNS = (
    *(column for column in OF_ALL if column.name != "agent"),
    Column("policy", "<f4", "what the search made of the actions' probabilities", wide="actions"),
    Column("players", "<i1", "seats at the table"),
    Column("round", "<i2", "the round, from 1; 0 during the set-up"),
    Column("simulations", "<i4", "of the search"),
)
LEARNED = ("observation", "mask", "reward", "policy")  # in the order of the columns


def play_file(weights: str | bytes, settings: Settings, number: int, folder: str) -> int:
    """Play the games of a file by a network and write them into the folder, whole or not at all.

    weights: the network's file as it is when the games begin, or what such a file holds. The file that is written says
    how many `games`, `decisions`, of them `searched` and `learned` from, and `simulations` there were.
    Returns the number.
    """
    game = game_spec(settings.game)
    written = Path(weights).stat().st_mtime_ns if isinstance(weights, str) else 0
    network = _network(weights, written, canonical_name(game))
    gathered, counts = Rows(game), dict.fromkeys(COUNTS, 0)
    mix = parse_mix(settings.mix, game)
    total = sum(kind.share for kind in mix)
    for i, kind in enumerate(mix):
        n = max(1, round(settings.games * kind.share / total))
        _play(kind, n, [settings.seed, number, i], game, network, settings, gathered, counts)
    gathered.write(file_of(Path(folder), number), counts)
    return number


@lru_cache(maxsize=2)
def _network(weights: str | bytes, written: int, game: str) -> Network:
    """The network of a file, or of its bytes. written: the file's time, which keys the cache."""
    if isinstance(weights, str):
        return read_network(weights, game)
    with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
        path = Path(folder) / WEIGHTS
        path.write_bytes(weights)
        return read_network(path, game)


def file_of(folder: Path, number: int) -> Path:
    """The file of a number."""
    return folder / f"{number:07d}.parquet"


def _play(
    kind: Kind, n: int, seed: list[int], game: GameSpec, network: Network, settings: Settings, gathered: Rows,
    counts: dict[str, int],
) -> None:  # fmt: skip
    reward = settings.reward if kind.num_players > 1 else settings.solo_reward
    limit = {game.options.LIMIT: settings.max_years}
    batch = Batch(n, game.options.of(**kind.table, skip_forced=True, reward=reward, **limit))
    first = int(np.random.SeedSequence(seed).generate_state(1)[0])
    batch.start(np.concatenate([key_of(own) for own in game_seeds(first, range(n))]))
    chance, views = np.random.default_rng([*seed, 1]), GameViews(batch, np.arange(n))
    evaluator = NetworkEvaluator(network)
    full_simulations, fast_simulations = (
        limits_of(settings, most, game) for most in (settings.full_simulations, max(1, settings.fast_simulations))
    )
    guide = IsmctsAgent(1, game=canonical_name(game)).use_network(evaluator, playout=settings.playout).guide
    while len(rows := batch.playing()):
        is_dear = chance.random(len(rows)) < settings.full_fraction
        for part, limits in ((rows[is_dear], full_simulations), (rows[~is_dear], fast_simulations)):
            seeds = chance.integers(0, 2**32, (len(part), 2), dtype=np.uint32)
            if not len(part):
                continue
            if limits is fast_simulations and settings.fast_simulations == 0:
                batch.actions[part] = drawn(network, batch.obs[part], batch.masks[part], chance)
                continue
            results = search(batch.obs[part], batch.masks[part], views, part, seeds, guide, limits)
            batch.actions[part] = [each.actions[0] for each in results]
            counts["searched"] += sum(each.simulations > 0 for each in results)
            counts["simulations"] += sum(each.simulations for each in results)
            if limits is full_simulations:
                is_new = np.array([each.simulations > 0 for each in results])
                gathered.add(batch, part[is_new], [each for each in results if each.simulations])
        counts["decisions"] += len(rows)
        batch.step()
    counts["games"] += n
    counts["learned"] += gathered.end(batch)


def limits_of(settings: Settings, simulations: int, game: GameSpec) -> Limits:
    """How a decision is searched."""
    bot = IsmctsAgent(
        simulations,
        root="gumbel",
        max_considered_actions=settings.max_considered_actions,
        c_puct=settings.c_puct,
        prior_visits=settings.prior_visits,
        value_scale=settings.value_scale,
        prune_margin=settings.prune_margin,
        years=settings.years,
        game=canonical_name(game),
    )
    return replace(bot.limits, is_noisy=simulations == settings.full_simulations)


def drawn(network: Network, observations: np.ndarray, masks: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """Actions by the network's probabilities, (n,) int64."""
    actions, log_probs = np.empty(len(masks), np.int64), np.empty(len(masks), np.float32)
    draw(network.evaluate(observations, masks)[0], chance.random(len(masks)), actions, log_probs)
    return actions


class Rows:
    """The decisions to learn from, gathered game by game."""

    def __init__(self, game: GameSpec) -> None:
        self.game = game
        self._rows: list[dict[str, Any]] = []
        self._open: list[dict[str, Any]] = []
        self._first = 0

    def add(self, batch: Batch, rows: np.ndarray, found: list[SearchResult]) -> None:
        """Note the decisions of some games, with the results of their searches."""
        for row, each in zip(rows.tolist(), found, strict=True):
            policy, visits = np.zeros(batch.masks.shape[1], np.float32), np.zeros(batch.masks.shape[1], np.int32)
            policy[each.actions], visits[each.actions] = each.policy, each.visits
            self._open.append({
                "observation": batch.obs[row].copy(), "mask": batch.masks[row].copy(), "action": each.actions[0],
                "seat": batch.seats[row], "game": row, "decision": batch.decisions[row], "visits": visits,
                "value": each.values[0], "policy": policy, "players": batch.options.num_players,
                "round": self.game.rounds(batch)[row], "simulations": each.simulations,
            })  # fmt: skip

    def end(self, batch: Batch) -> int:
        """The games of the batch are over: what was noted of them gets its results. Returns how many decisions."""
        noted, self._open = sorted(self._open, key=lambda each: each["game"]), []
        for each in noted:
            row, seat = each["game"], each["seat"]
            each |= {
                "game": self._first + row, "reward": batch.rewards[row, seat], "points": batch.scores[row, seat],
                "rank": batch.ranks[row, seat], "truncated": batch.status[row] == TRUNCATED,
            }  # fmt: skip
        self._first += len(batch)
        self._rows += noted
        return len(noted)

    def write(self, path: Path, counts: dict[str, int]) -> None:
        """Write all decisions as a Parquet file, whole or not at all."""
        arrays = {}
        for column in COLUMNS:
            width = (column.width(self.game),) if column.wide else ()
            values = np.array([each[column.name] for each in self._rows], column.kind).reshape(-1, *width)
            arrays[column.name] = as_bytes(values, column)
        told = {"format": FORMAT, "game": canonical_name(self.game), "counts": json.dumps(counts)}
        with atomic(path) as temporary:
            parquet.write_table(pa.table(arrays, metadata=told), temporary, **PARQUET)


@dataclass(frozen=True)
class Decisions:
    """Training samples: observations (n, observed numbers) int16, masks (n, actions) int8, policies (n, actions)
    float32, which add up to 1, and results (n,) float32. counts: of the file, see `play_file`."""

    observations: np.ndarray
    masks: np.ndarray
    policies: np.ndarray
    results: np.ndarray
    counts: dict[str, int]

    def __len__(self) -> int:
        return len(self.results)


def read_file(path: Path, game: GameSpec) -> Decisions:
    """The decisions in a file. ValueError, in one line, if it is damaged or of another game or layout."""
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
    except FileNotFoundError:
        raise ValueError(f"there is no file {str(path)!r}") from None
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {str(error).splitlines()[0]}") from None
    meta = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    if meta.get("format") != FORMAT or meta.get("game") != canonical_name(game):
        raise ValueError(
            f"{str(path)!r} holds {meta.get('format')!r} of {meta.get('game')!r}, not {FORMAT!r} of "
            f"{canonical_name(game)!r}"
        )
    arrays = []
    for column in COLUMNS:
        width = (column.width(game),) if column.wide else ()
        like = as_bytes(np.empty((0, *width), column.kind), column).type
        if column.name not in table.schema.names or table.schema.field(column.name).type != like:
            raise ValueError(f"{str(path)!r} does not fit this version: its column {column.name!r} differs")
        if column.name in LEARNED:
            chunks = [numbers_in(chunk, column) for chunk in table[column.name].chunks]
            arrays.append(np.concatenate(chunks) if chunks else np.empty((0, *width), column.kind))
    observations, masks, rewards, policies = arrays
    if not (np.isfinite(policies).all() and np.isfinite(rewards).all()):
        raise ValueError(f"{str(path)!r} is damaged: it has numbers that are not finite")
    counts = from_json(meta["counts"])
    return Decisions(observations, masks, policies, rewards, {name: counts[name] for name in COUNTS})


def files_in(folder: Path) -> Iterator[int]:
    """The numbers of the files in a folder, in their order."""
    yield from sorted(int(path.stem) for path in folder.glob("*.parquet") if path.stem.isdigit())
