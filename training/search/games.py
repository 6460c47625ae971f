"""Self-play games with searched decisions, and their files of training samples.

A file contains complete games and is a function of the settings, its index and the network, so a killed process plays
it again. A fraction of the decisions get a full search with Gumbel noise and are the training targets; the others get a
fast search (playout cap randomization of KataGo, Wu 2019). The targets are the improved policy of the search and, as
value, the result of the game for the deciding seat.
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
from vitienv.core.batch import TRUNCATED, Batch, make_key
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
from vitienv.trust import check_regular

FORMAT = "vitienv-searched-1"
COUNTS = ("games", "decisions", "searched", "learned", "simulations")
# The columns of data sets (`vitienv.data`) except the bot, which is always the network; games are counted per file.
COLUMNS = (
    *(column for column in OF_ALL if column.name != "agent"),
    Column("policy", "<f4", "improved policy of the search", axis="actions"),
    Column("players", "<i1", "seats at the table"),
    Column("round", "<i2", "the round, from 1; 0 during the set-up"),
    Column("simulations", "<i4", "simulations of the search"),
)
LEARNED = ("observation", "mask", "reward", "policy")  # training columns, in the order of `COLUMNS`


def play_file(weights: str | bytes, settings: Settings, number: int, folder: str) -> int:
    """Play the games of a file with a network and write it to a directory, atomically; return its index.

    weights: path or content of the network's file. The metadata of the written file has the numbers of `games`,
    `decisions`, `searched` and `learned` decisions, and `simulations`.
    """
    game = game_spec(settings.game)
    written = Path(weights).stat().st_mtime_ns if isinstance(weights, str) else 0
    network = _network(weights, written, canonical_name(game))
    counts, decisions = dict.fromkeys(COUNTS, 0), list[dict[str, Any]]()
    mix = parse_mix(settings.mix, game)
    total = sum(kind.share for kind in mix)
    for i, kind in enumerate(mix):
        n = max(1, round(settings.games * kind.share / total))
        decisions += _play(kind, n, [settings.seed, number, i], game, network, settings, counts)
    arrays = {}
    for column in COLUMNS:
        width = (column.width(game),) if column.axis else ()
        values = np.array([decision[column.name] for decision in decisions], column.kind).reshape(-1, *width)
        arrays[column.name] = as_bytes(values, column)
    metadata = {"format": FORMAT, "game": canonical_name(game), "counts": json.dumps(counts)}
    with atomic(file_of(Path(folder), number)) as temporary:
        parquet.write_table(pa.table(arrays, metadata=metadata), temporary, **PARQUET)
    return number


@lru_cache(maxsize=2)
def _network(weights: str | bytes, written: int, game: str) -> Network:
    """Read a network from a path or bytes. written: modification time, part of the cache key."""
    if isinstance(weights, str):
        return read_network(weights, game)
    with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
        path = Path(folder) / WEIGHTS
        path.write_bytes(weights)
        return read_network(path, game)


def file_of(folder: Path, number: int) -> Path:
    """Return the path of a file."""
    return folder / f"{number:07d}.parquet"


def _play(
    kind: Kind, n: int, seed: list[int], game: GameSpec, network: Network, settings: Settings, counts: dict[str, int]
) -> list[dict[str, Any]]:
    """Play n games; return the training decisions with their columns, sorted by game, and update the counts."""
    reward = settings.reward if kind.num_players > 1 else settings.solo_reward
    limit = {game.options.LIMIT: settings.max_years}
    batch = Batch(n, game.options.of(**kind.table, skip_forced=True, reward=reward, **limit))
    first = int(np.random.SeedSequence(seed).generate_state(1)[0])
    batch.start(np.concatenate([make_key(game_seed) for game_seed in game_seeds(first, range(n))]))
    rng, views = np.random.default_rng([*seed, 1]), GameViews(batch, np.arange(n))
    evaluator = NetworkEvaluator(network)
    full_simulations, fast_simulations = (
        limits_of(settings, simulations, game)
        for simulations in (settings.full_simulations, max(1, settings.fast_simulations))
    )
    decisions: list[dict[str, Any]] = []
    guide = IsmctsAgent(1, game=canonical_name(game)).use_network(evaluator, playout=settings.playout).guide
    while len(rows := batch.active_rows()):
        is_full = rng.random(len(rows)) < settings.full_fraction
        for part, limits in ((rows[is_full], full_simulations), (rows[~is_full], fast_simulations)):
            seeds = rng.integers(0, 2**32, (len(part), 2), dtype=np.uint32)
            if not len(part):
                continue
            if limits is fast_simulations and settings.fast_simulations == 0:
                batch.actions[part] = _sample_actions(network, batch.obs[part], batch.masks[part], rng)
                continue
            results = search(batch.obs[part], batch.masks[part], views, part, seeds, guide, limits)
            batch.actions[part] = [result.actions[0] for result in results]
            counts["searched"] += sum(result.simulations > 0 for result in results)
            counts["simulations"] += sum(result.simulations for result in results)
            if limits is full_simulations:
                searched = zip(part.tolist(), results, strict=True)
                decisions += [_decision(batch, row, result) for row, result in searched if result.simulations]
        counts["decisions"] += len(rows)
        batch.step()
    decisions.sort(key=lambda decision: decision["game"])
    for decision in decisions:
        row, seat = decision["game"], decision["seat"]
        decision |= {
            "game": counts["games"] + row, "reward": batch.rewards[row, seat], "points": batch.scores[row, seat],
            "rank": batch.ranks[row, seat], "truncated": batch.status[row] == TRUNCATED,
        }  # fmt: skip
    counts["games"] += n
    counts["learned"] += len(decisions)
    return decisions


def _decision(batch: Batch, row: int, result: SearchResult) -> dict[str, Any]:
    policy, visits = np.zeros(batch.masks.shape[1], np.float32), np.zeros(batch.masks.shape[1], np.int32)
    policy[result.actions], visits[result.actions] = result.policy, result.visits
    return {
        "observation": batch.obs[row].copy(), "mask": batch.masks[row].copy(), "action": result.actions[0],
        "seat": batch.seats[row], "game": row, "decision": batch.decisions[row], "visits": visits,
        "value": result.values[0], "policy": policy, "players": batch.options.num_players,
        "round": batch.game_spec.round_numbers(batch)[row], "simulations": result.simulations,
    }  # fmt: skip


def limits_of(settings: Settings, simulations: int, game: GameSpec) -> Limits:
    """Return the limits of a search."""
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


def _sample_actions(
    network: Network, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    actions, log_probs = np.empty(len(masks), np.int64), np.empty(len(masks), np.float32)
    draw(network.evaluate(observations, masks)[0], rng.random(len(masks)), actions, log_probs)
    return actions


@dataclass(frozen=True)
class Decisions:
    """Training samples, whose policies sum to 1."""

    observations: np.ndarray  # (n, features) int16
    masks: np.ndarray  # (n, actions) int8
    policies: np.ndarray  # (n, actions) float32
    results: np.ndarray  # (n,) float32
    counts: dict[str, int]  # see `play_file`

    def __len__(self) -> int:
        return len(self.results)


def read_file(path: Path, game: GameSpec) -> Decisions:
    """Read the decisions of a file. ValueError if it is damaged or of another game or layout."""
    try:
        check_regular(path)
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read()
    except FileNotFoundError:
        raise ValueError(f"file {str(path)!r} does not exist") from None
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"{str(path)!r} is damaged: {str(error).splitlines()[0]}") from None
    meta = {key.decode(): value.decode() for key, value in (table.schema.metadata or {}).items()}
    if meta.get("format") != FORMAT or meta.get("game") != canonical_name(game):
        raise ValueError(
            f"{str(path)!r} must contain {FORMAT!r} of {canonical_name(game)!r}, got {meta.get('format')!r} of "
            f"{meta.get('game')!r}"
        )
    arrays = []
    for column in COLUMNS:
        width = (column.width(game),) if column.axis else ()
        like = as_bytes(np.empty((0, *width), column.kind), column).type
        if column.name not in table.schema.names or table.schema.field(column.name).type != like:
            raise ValueError(f"{str(path)!r} is of another layout: column {column.name!r} differs")
        if column.name in LEARNED:
            chunks = [numbers_in(chunk, column) for chunk in table[column.name].chunks]
            arrays.append(np.concatenate(chunks) if chunks else np.empty((0, *width), column.kind))
    observations, masks, rewards, policies = arrays
    if not (np.isfinite(policies).all() and np.isfinite(rewards).all()):
        raise ValueError(f"{str(path)!r} is damaged: it contains numbers that are not finite")
    counts = from_json(meta["counts"])
    return Decisions(observations, masks, policies, rewards, {name: counts[name] for name in COUNTS})


def files_in(folder: Path) -> Iterator[int]:
    """Yield the indices of the files in a directory in order."""
    yield from sorted(int(path.stem) for path in folder.glob("*.parquet") if path.stem.isdigit())
