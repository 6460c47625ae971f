"""Measurements of `vitienv bench`: each function returns rows with name, unit, median and runs."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

import vitienv
from vitienv.core.batch import Batch, keys_of
from vitienv.core.kernel import LEAVE
from vitienv.registry import canonical_name

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.core.options import Options

Rows = list[dict[str, Any]]
BATCHES, CUDA_BATCHES = ((64, 1), (1024, 1), (8192, 1), (1024, 2), (8192, 2)), (4096, 65_536, 262_144)
PLAYOUT_GAMES = 64
FIRST_STEP = (
    "import json, sys, time; t = time.perf_counter(); import vitienv; "
    "game = vitienv.Game.new(game=sys.argv[1], seed=1, **json.loads(sys.argv[2])); "
    "game.step(game.legal_actions()[0]); print(time.perf_counter() - t)"
)
# Batches contain games in all stages: snapshots of random games at regular intervals.
SOURCES, SNAPSHOTS, STEPS_BETWEEN = 64, 64, 16
NETWORK_ROWS, NETWORK_WIDTHS = 256, (128, 256)
MAX_HEURISTIC_DECISIONS = 128
POSITIONS, MIN_LEGAL_ACTIONS, SIMULATIONS = 16, 4, 256


def batches(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure batched random play with mask and observation on one thread and on two."""
    games = Batch(SOURCES, options)
    games.start(keys_of(seed, SOURCES), observe=False)
    length, rows = games.playout() / SOURCES, []
    for n, threads in BATCHES:
        rates = _step_rates(games_in_progress(options, n, seed, threads), runs, seconds)
        name = f"batch of {n}, mask and observation" + (f", {threads} threads" if threads > 1 else "")
        rows += [row(name, "decisions/s", rates), row(name, "games/s", [rate / length for rate in rates])]
    return rows


def batches_on_gpu(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure batched random play with mask and observation on a GPU."""
    from vitienv.core.targets.cuda import Gpu
    from vitienv.core.targets.device import DeviceBatch

    rows, card = [], Gpu()
    for n in CUDA_BATCHES:
        batch = DeviceBatch(n, options, card)
        batch.restore(games_in_progress(options, n, seed).saved())
        rows.append(row(f"batch of {n} on the GPU, mask and observation", "decisions/s",
                        _step_rates(batch, runs, seconds)))  # fmt: skip
    return rows


def _step_rates(batch: Batch, runs: int, seconds: float) -> list[float]:
    before = batch.bytes_view.copy()
    rates = rates_of(batch.step_random, runs, seconds)
    if (batch.bytes_view == before).all(axis=1).any():  # steps without effect would look fast
        raise RuntimeError("a game of the bench did not change")
    return rates


def playouts(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure random games from start to end inside the engine: mask, choice, step."""
    rows = []
    for skip in (False, True):
        batch = Batch(PLAYOUT_GAMES, options.with_(skip_forced=skip))
        batch.start(keys_of(seed, PLAYOUT_GAMES), observe=False)
        decisions, games = [], []
        for _ in range(runs):
            num_rounds, num_decisions, start_time, elapsed = 0, 0, time.perf_counter(), 0.0
            while elapsed < seconds:
                num_decisions += batch.playout(restart=True)
                num_rounds += 1
                elapsed = time.perf_counter() - start_time
            decisions.append(num_decisions / elapsed)
            games.append(num_rounds * PLAYOUT_GAMES / elapsed)
        name = "playouts" + (", forced decisions skipped" if skip else "")
        rows += [row(name, "games/s", games), row(name, "decisions/s", decisions)]
    return rows


def environments(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure PettingZoo loops: last(), a random legal action, step()."""
    rows = []
    for name, make in (("raw_env()", vitienv.raw_env), ("env()", vitienv.env)):
        env, rng = make(**_keywords(options)), np.random.default_rng(seed)
        env.reset(seed=seed)

        def steps(env: Any = env, rng: np.random.Generator = rng) -> int:
            for number in rng.integers(2**31, size=100).tolist():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.reset(seed=number)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(int(legal[number % len(legal)]))
            return 100

        steps()
        rows.append(row(f"{name}: last, choice, step", "steps/s", rates_of(steps, runs, seconds)))
    return rows


def single(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure a copy and one step of a game: in a batch, as in a search, and with `Game`."""

    def from_records(n: int) -> list[float]:
        batch = games_in_progress(options, n, seed)
        other = batch.copy()
        other.actions[:] = batch.masks.argmax(axis=1)

        def step() -> None:
            other.bytes_view[:] = batch.bytes_view
            other.step(observe=False)

        return microseconds(step, runs, seconds, n)

    game = vitienv.Game.new(seed=seed, **_keywords(options))
    action = game.legal_actions()[0]
    return [
        row("copy and one step, records, one game", "µs", from_records(1)),
        row("copy and one step, records, each of 1024 games", "µs", from_records(1024)),
        row("copy and one step, Game", "µs", microseconds(lambda: game.copy().step(action), runs, seconds, 1)),
    ]


def start(options: Options, runs: int, seconds: float, seed: int, environment: dict[str, str] | None = None) -> Rows:
    """Measure the time from `import vitienv` to the first step in a new process with the current cache."""
    command = [sys.executable, "-c", FIRST_STEP, canonical_name(options.game_spec), json.dumps(options.to_dict())]
    times = []
    for _ in range(runs):
        process = subprocess.run(command, env=os.environ | (environment or {}), capture_output=True, text=True)
        if process.returncode:
            raise OSError(f"a new process failed: {process.stderr.strip().splitlines()[-1:]}")
        times.append(float(process.stdout))
    return [row("from import to the first step, warm cache", "s", times)]


def first_compilation(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure the time to the first step with an empty cache, once."""
    with tempfile.TemporaryDirectory() as folder:
        (measured,) = start(options, 1, seconds, seed, {"VITIENV_CACHE": folder})
    return [measured | {"name": "first compilation, empty cache"}]


def networks(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure the time per observation of networks on one core at the smallest table."""
    from vitienv.agents.champions import Champions
    from vitienv.agents.network import Network
    from vitienv.core.networks.network import evaluate, packed, room_for

    game = options.game_spec
    batch = heuristic_games(options.with_(num_players=options.players().start, skip_forced=True), seed)
    masks, logits, values = batch.masks, np.empty(batch.masks.shape, np.float32), np.empty(NETWORK_ROWS, np.float32)
    nets, no_prior = {}, np.empty((NETWORK_ROWS, 0), np.int16)
    for width in NETWORK_WIDTHS:
        net = packed(random_weights(game, width, seed), {"blocks": 2, "lead": 0.0}, game)
        nets[f"network of width {width}, random weights"] = net, no_prior
    for network, _ in Champions(game).parts(batch.obs) if game.champions is not None else ():
        if isinstance(network, Network):
            nets["champion, network only"] = network.net, network.policy_prior(batch.obs, masks)
    rows = []
    for name, (net, prior_scores) in nets.items():
        arguments = net, batch.obs, masks, prior_scores, logits, values, room_for(net)
        times = microseconds(lambda: evaluate(*arguments), runs, seconds, NETWORK_ROWS)  # noqa: B023
        rows.append(row(name, "µs", times))
    return rows


def searches(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Measure simulations per second of searches at every table of the game on one core."""
    from vitienv.agents import GameViews
    from vitienv.agents.network import Network
    from vitienv.agents.search.agent import IsmctsAgent
    from vitienv.agents.search.networks import NetworkEvaluator

    spec, width = options.game_spec, NETWORK_WIDTHS[0]
    game = canonical_name(spec)
    network = Network(random_weights(spec, width, seed), {"architecture": {"blocks": 2, "lead": 0.0}}, spec)
    guided = IsmctsAgent(
        SIMULATIONS, c_puct=5.0, prior_visits=30.0, value_scale=0.02, prune_margin=1000.0, seed=seed, game=game
    )
    bots = {f"network of width {width}, random weights": guided.use_network(NetworkEvaluator(network))}
    if spec.champions is not None:
        bots["champion, default settings"] = IsmctsAgent(SIMULATIONS, policy="champion", seed=seed, game=game)
    no_network = IsmctsAgent(SIMULATIONS, playout="random", prior="uniform", seed=seed, game=game)
    first_table_bots = {"no network, random playouts": no_network}
    rows = []
    for table, settings in spec.tables.items():
        batch = heuristic_games(spec.options.of(**settings).with_(skip_forced=True), seed)
        positions = np.flatnonzero(batch.masks.sum(axis=1) >= min(MIN_LEGAL_ACTIONS, batch.masks.shape[1]))
        positions = positions[:: max(1, len(positions) // POSITIONS)]
        for name, bot in (first_table_bots | bots).items():
            views, indices = GameViews(batch, np.arange(len(batch))), cycle(positions.tolist())

            def search(bot: Any = bot, batch: Batch = batch, views: Any = views, indices: Any = indices) -> int:
                simulations = 0
                while simulations == 0:  # if the prior leaves a single action, nothing is searched
                    simulations = bot.search_row(batch.obs, batch.masks, views, next(indices)).simulations
                return simulations

            search()
            rows.append(row(f"search, table {table}, {name}", "simulations/s", rates_of(search, runs, seconds)))
        first_table_bots = {}
    return rows


def games_in_progress(options: Options, n: int, seed: int, threads: int = 1) -> Batch:
    """Return a batch of n games in all stages, each with its own random key."""
    sources, snapshots = Batch(SOURCES, options), []
    sources.start(keys_of(seed, SOURCES), observe=False)
    for _ in range(SNAPSHOTS):
        for _ in range(STEPS_BETWEEN):
            sources.step_random(observe=False)
        snapshots.append(sources.bytes_view.copy())
    batch = Batch(n, sources.options, num_threads=threads)
    order = np.random.default_rng(seed).permutation(SOURCES * SNAPSHOTS)
    batch.bytes_view[:] = np.concatenate(snapshots)[np.resize(order, n)]
    batch.keys[:] = keys_of(seed + 1, n)
    batch.games.key[:] = batch.keys
    batch.refresh(observe=False)
    return batch


def heuristic_games(options: Options, seed: int) -> Batch:
    """Return NETWORK_ROWS games of heuristic bots after 0 to MAX_HEURISTIC_DECISIONS decisions."""
    from vitienv.agents.seeding import make_bot

    bot, batch = make_bot(options.game_spec.heuristic_bot, seed, game=options.game_spec), Batch(NETWORK_ROWS, options)
    batch.start(keys_of(seed, NETWORK_ROWS))
    for number in range(MAX_HEURISTIC_DECISIONS):
        is_played = np.arange(NETWORK_ROWS) % MAX_HEURISTIC_DECISIONS >= number
        batch.actions[:] = np.where(is_played, bot.act(batch.obs, batch.masks), LEAVE)
        batch.step(restart=True)
    return batch


def random_weights(game: GameSpec, width: int, seed: int) -> dict[str, np.ndarray]:
    """Return random weights of a network with torch's default initialisation."""
    rng, n, n_actions, judge = np.random.default_rng(seed), game.observation.n, game.actions.n, NETWORK_WIDTHS[0]
    sizes = {"input": (width, n + n_actions), "blocks.0": (width, width), "blocks.1": (width, width),
             "judge": (judge, width), "value": (1, judge), "policy": (n_actions, width)}  # fmt: skip
    weights = {}
    for name, (n_out, n_in) in sizes.items():
        for part, shape in (("weight", (n_out, n_in)), ("bias", (n_out,))):
            weights[f"{name}.{part}"] = rng.uniform(-1, 1, shape) / n_in**0.5
    weights["input.weight"][:, :n] *= game.observation.scales
    return weights


def _keywords(options: Options) -> dict[str, Any]:
    return {"game": canonical_name(options.game_spec), **options.to_dict()}


def row(name: str, unit: str, values: list[float]) -> dict[str, Any]:
    """Return a row of the results."""
    return {"name": name, "unit": unit, "median": statistics.median(values), "runs": values}


def rates_of(function: Callable[[], Any], runs: int, seconds: float) -> list[float]:
    """Return the rate per second of the counts that a function returns, for each run."""
    rates = []
    for _ in range(runs):
        count, start_time, elapsed = 0, time.perf_counter(), 0.0
        while elapsed < seconds:
            count += function()
            elapsed = time.perf_counter() - start_time
        rates.append(count / elapsed)
    return rates


def microseconds(function: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    """Return the microseconds per item of a call on n items, for each run."""

    def calls() -> int:
        for _ in range(10):  # reads the clock less often
            function()
        return 10

    return [1e6 / rate / n for rate in rates_of(calls, runs, seconds)]
