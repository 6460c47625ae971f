"""What `vitienv bench` measures of the engine and the environments, at one table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import vitienv
from vitienv.commands.bench.games import beside, decisions_per_game, games_under_way
from vitienv.commands.bench.timing import microseconds, rates, value
from vitienv.core.batch import Batch, keys_of
from vitienv.core.options import Options
from vitienv.games import known_as

BATCHES = (64, 1024, 8192)
BATCHES_ON_CARD = (4096, 65_536, 262_144)
THREADS = 2
AT_ONCE = 64  # playouts
FIRST_STEP = (
    "import json, sys, time; t = time.perf_counter(); import vitienv; "
    "game = vitienv.Game.new(game=sys.argv[1], seed=1, **json.loads(sys.argv[2])); "
    "game.step(game.legal_actions()[0]); print(time.perf_counter() - t)"
)


def batches(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Batched random play with mask and observation, for one thread and for two."""
    length = decisions_per_game(options, seed)
    rows = []
    for n, threads in [(n, 1) for n in BATCHES] + [(n, THREADS) for n in BATCHES[1:]]:
        batch = games_under_way(options, n, seed, threads)
        measured = _stepping(batch, runs, seconds)
        name = f"batch of {n}, mask and observation" + (f", {threads} threads" if threads > 1 else "")
        rows += [value(name, "decisions/s", measured), value(name, "games/s", [rate / length for rate in measured])]
    return rows


def batches_on_card(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Decisions a second of batches on an NVIDIA card."""
    from vitienv.core.targets.cuda import Card
    from vitienv.core.targets.device import DeviceBatch

    rows, card = [], Card()
    for n in BATCHES_ON_CARD:
        batch = DeviceBatch(n, options, card)
        batch.restore(games_under_way(options, n, seed).saved())
        name = f"batch of {n} on the card, mask and observation"
        rows.append(value(name, "decisions/s", _stepping(batch, runs, seconds)))
    return rows


def _stepping(batch: Batch, runs: int, seconds: float) -> list[float]:
    """Random decisions a second of games that go on: a fast loop in which nothing happens is worth nothing."""
    before = batch.octets.copy()
    measured = rates(batch.step_random, runs, seconds)
    if (batch.octets == before).all(axis=1).any():
        raise RuntimeError("the games of the bench do not go on")
    return measured


def beside_usual(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """How many times as much processor time a decision takes as at the usual table, where `--set` gives another; in
    turns, as both are slower on a busy machine."""
    rows = []
    for name, (own, usual) in beside(options, seed).items():
        ratios = []
        for _ in range(runs):
            (fast,), (slow,) = (rates(once, 1, seconds, time.process_time) for once in (usual, own))
            ratios.append(fast / slow)
        rows.append(value(name, "times", ratios))
    return rows


def playouts(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Random games from start to end inside the engine: mask, choice, step."""
    rows = []
    for skip in (False, True):
        batch = Batch(AT_ONCE, options.with_(skip_forced=skip))
        batch.start(keys_of(seed, AT_ONCE), observe=False)
        decisions, games = [], []
        for _ in range(runs):
            played = [0]

            def once(batch: Batch = batch, played: list[int] = played) -> int:
                played[0] += AT_ONCE
                return batch.play_out(restart=True)

            start = time.perf_counter()
            decisions += rates(once, 1, seconds)
            games.append(played[0] / (time.perf_counter() - start))
        name = "playouts" + (", forced decisions skipped" if skip else "")
        rows += [value(name, "games/s", games), value(name, "decisions/s", decisions)]
    return rows


def environments(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """PettingZoo loops: last(), a random legal action, step()."""
    rows = []
    for name, make in (("raw_env()", vitienv.raw_env), ("env()", vitienv.env)):
        env = make(**_as_given(options))
        env.reset(seed=seed)
        once = _env_loop(env, seed)
        once()
        rows.append(value(f"{name}: last, choice, step", "steps/s", rates(once, runs, seconds)))
    return rows


def _env_loop(env: Any, seed: int) -> Callable[[], int]:
    """A hundred steps of an environment, with new games as they are needed."""
    words = np.random.default_rng(seed).integers(2**31, size=4096).tolist()
    played = [0]

    def once() -> int:
        for _ in range(100):
            observation, _, terminated, truncated, _ = env.last()
            played[0] += 1
            if terminated or truncated:
                env.reset(seed=seed + played[0])
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[words[played[0] % 4096] % len(legal)]))
        return 100

    return once


def single(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Copy and one step of a game: through the records, as a search does it, and through `Game`."""

    def from_records(n: int) -> list[float]:
        batch = games_under_way(options, n, seed)
        other = batch.copy()
        other.actions[:] = batch.masks.argmax(axis=1)
        return microseconds(lambda: _copy_and_step(batch, other), runs, seconds, n)

    def through_game() -> list[float]:
        game = vitienv.Game.new(seed=seed, **_as_given(options))
        action = game.legal_actions()[0]
        return microseconds(lambda: len(game.copy().step(action).moves), runs, seconds, 1)

    return [
        value("copy and one step, records, one game", "µs", from_records(1)),
        value("copy and one step, records, each of 1024 games", "µs", from_records(1024)),
        value("copy and one step, Game", "µs", through_game()),
    ]


def _copy_and_step(batch: Batch, other: Batch) -> None:
    other.octets[:] = batch.octets
    other.step(observe=False)


def start(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """The time from `import vitienv` to the first step in a new process, with the cache as it is."""
    taken = [_in_new_process(options, {}) for _ in range(runs)]
    return [value("from import to the first step, warm cache", "s", taken)]


def first_compilation(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """The time to the first step with an empty cache, once."""
    with tempfile.TemporaryDirectory() as folder:
        taken = _in_new_process(options, {"VITIENV_CACHE": folder})
    return [value("first compilation, empty cache", "s", [taken])]


def _as_given(options: Options) -> dict[str, Any]:
    """A table as environments and games are given it."""
    return {"game": known_as(options.definition), **options.to_dict()}


def _in_new_process(options: Options, environment: dict[str, str]) -> float:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP, known_as(options.definition), json.dumps(options.to_dict())],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"a new process could not play: {done.stderr.strip().splitlines()[-1:]}")
    return float(done.stdout)
