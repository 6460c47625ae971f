"""Measurements of `vitienv bench`: a method of `SpeedTest` for each part."""

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
from vitienv.core.batch import Batch, make_keys
from vitienv.core.kernel import SKIP
from vitienv.registry import canonical_name

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.core.options import Options

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


class SpeedTest:
    """Speed of a table. rows: results with name, unit, median and the values of all runs."""

    def __init__(self, options: Options, runs: int, seconds: float, seed: int) -> None:
        self.options, self.runs, self.seconds, self.seed = options, runs, seconds, seed
        self.game = canonical_name(options.game_spec)
        self.rows: list[dict[str, Any]] = []

    def add(self, name: str, unit: str, values: list[float]) -> None:
        """Add a row with the values of its runs."""
        self.rows.append({"name": name, "unit": unit, "median": statistics.median(values), "runs": values})

    def rates(self, function: Callable[[], int]) -> list[float]:
        """Return the rate per second of the counts that a function returns, for each run."""
        rates = []
        for _ in range(self.runs):
            count, start_time, elapsed = 0, time.perf_counter(), 0.0
            while elapsed < self.seconds:
                count += function()
                elapsed = time.perf_counter() - start_time
            rates.append(count / elapsed)
        return rates

    def add_time(self, name: str, function: Callable[[], Any], n: int = 1) -> None:
        """Add the microseconds per item of a call on n items."""

        def calls() -> int:
            for _ in range(10):  # reads the clock less often
                function()
            return 10 * n

        self.add(name, "µs", [1e6 / rate for rate in self.rates(calls)])

    def add_steps(self, name: str, batch: Batch) -> None:
        """Add the rate of random decisions of a batch."""
        before = batch.bytes_view.copy()
        self.add(f"{name}, mask and observation", "decisions/s", self.rates(batch.step_random))
        if (batch.bytes_view == before).all(axis=1).any():  # steps without effect would look fast
            raise RuntimeError("a game of the bench did not change")

    def batch(self) -> None:
        """Measure batched random play on one thread and on two."""
        for n, threads in BATCHES:
            self.add_steps(f"batch of {n}", games_in_progress(self.options, n, self.seed, threads))
            self.rows[-1]["name"] += f", {threads} threads" if threads > 1 else ""

    def cuda(self) -> None:
        """Measure batched random play on a GPU."""
        from vitienv.core.targets.cuda import Gpu
        from vitienv.core.targets.device_batch import DeviceBatch

        gpu = Gpu()
        for n in CUDA_BATCHES:
            batch = DeviceBatch(n, self.options, gpu)
            batch.restore(games_in_progress(self.options, n, self.seed).saved())
            self.add_steps(f"batch of {n} on the GPU", batch)

    def playouts(self) -> None:
        """Measure random games from start to end inside the engine: mask, choice, step."""
        for skip in (False, True):
            batch = Batch(PLAYOUT_GAMES, self.options.replace(skip_forced=skip))
            batch.start(make_keys(self.seed, PLAYOUT_GAMES), observe=False)

            def playout(batch: Batch = batch) -> int:
                batch.playout(restart=True)
                return PLAYOUT_GAMES

            self.add("playouts" + (", forced decisions skipped" if skip else ""), "games/s", self.rates(playout))

    def envs(self) -> None:
        """Measure PettingZoo loops: last(), a random legal action, step()."""
        for make in (vitienv.raw_env, vitienv.env):
            env, rng = make(game=self.game, **self.options.to_dict()), np.random.default_rng(self.seed)
            env.reset(seed=self.seed)

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
            self.add(f"{make.__name__}(): last, choice, step", "steps/s", self.rates(steps))

    def single(self) -> None:
        """Measure a copy and one step of a game: in a batch, as in a search, and with `Game`."""
        for n, title in ((1, "one game"), (1024, "each of 1024 games")):
            batch = games_in_progress(self.options, n, self.seed)
            copy = batch.copy()
            copy.actions[:] = batch.masks.argmax(axis=1)

            def step(batch: Batch = batch, copy: Batch = copy) -> None:
                copy.bytes_view[:] = batch.bytes_view
                copy.step(observe=False)

            self.add_time(f"copy and one step, records, {title}", step, n)
        game = vitienv.Game.new(seed=self.seed, game=self.game, **self.options.to_dict())
        action = game.legal_actions()[0]
        self.add_time("copy and one step, Game", lambda: game.copy().step(action))

    def start(self) -> None:
        """Measure the time from `import vitienv` to the first step in a new process with the current cache."""
        times = [self._start_time() for _ in range(self.runs)]
        self.add("from import to the first step, warm cache", "s", times)

    def compile(self) -> None:
        """Measure the time to the first step with an empty cache, once."""
        with tempfile.TemporaryDirectory() as cache:
            self.add("first compilation, empty cache", "s", [self._start_time(VITIENV_CACHE=cache)])

    def _start_time(self, **environment: str) -> float:
        command = [sys.executable, "-c", FIRST_STEP, self.game, json.dumps(self.options.to_dict())]
        process = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
        if process.returncode:
            raise OSError(f"a new process failed: {process.stderr.strip().splitlines()[-1:]}")
        return float(process.stdout)

    def network(self) -> None:
        """Measure the time per observation of networks on one core at the smallest table."""
        from vitienv.agents.champions import Champions
        from vitienv.agents.network import Network
        from vitienv.core.networks.network import evaluate, pack, room_for

        spec = self.options.game_spec
        smallest = self.options.replace(num_players=self.options.players().start, skip_forced=True)
        batch = heuristic_games(smallest, self.seed)
        logits, values = np.empty(batch.masks.shape, np.float32), np.empty(NETWORK_ROWS, np.float32)
        nets, no_prior = {}, np.empty((NETWORK_ROWS, 0), np.int16)
        for width in NETWORK_WIDTHS:
            net = pack(random_weights(spec, width, self.seed), {"blocks": 2, "lead": 0.0}, spec)
            nets[f"network of width {width}, random weights"] = net, no_prior
        for network, _ in Champions(spec).parts(batch.obs) if spec.champions is not None else ():
            if isinstance(network, Network):
                nets["champion, network only"] = network.net, network.policy_prior(batch.obs, batch.masks)
        for name, (net, prior_scores) in nets.items():
            arguments = net, batch.obs, batch.masks, prior_scores, logits, values, room_for(net)
            self.add_time(name, lambda: evaluate(*arguments), NETWORK_ROWS)  # noqa: B023

    def search(self) -> None:
        """Measure simulations per second of searches at every table of the game on one core."""
        from vitienv.agents import GameViews
        from vitienv.agents.network import Network
        from vitienv.agents.search.agent import IsmctsAgent
        from vitienv.agents.search.networks import NetworkEvaluator

        spec, width = self.options.game_spec, NETWORK_WIDTHS[0]
        common: dict[str, Any] = {"seed": self.seed, "game": self.game}
        weights = random_weights(spec, width, self.seed)
        network = NetworkEvaluator(Network(weights, {"architecture": {"blocks": 2, "lead": 0.0}}, spec))
        guided = IsmctsAgent(
            SIMULATIONS, c_puct=5.0, prior_visits=30.0, value_scale=0.02, prune_margin=1000.0, **common
        )
        bots = {"no network, random playouts": IsmctsAgent(SIMULATIONS, playout="random", prior="uniform", **common),
                f"network of width {width}, random weights": guided.use_network(network)}  # fmt: skip
        if spec.champions is not None:
            bots["champion, default settings"] = IsmctsAgent(SIMULATIONS, policy="champion", **common)
        for table, settings in spec.tables.items():
            batch = heuristic_games(spec.options.of(**settings).replace(skip_forced=True), self.seed)
            positions = np.flatnonzero(batch.masks.sum(axis=1) >= min(MIN_LEGAL_ACTIONS, batch.masks.shape[1]))
            positions = positions[:: max(1, len(positions) // POSITIONS)]
            for name, bot in bots.items():
                views, indices = GameViews(batch, np.arange(len(batch))), cycle(positions.tolist())

                def search(bot: Any = bot, batch: Batch = batch, views: Any = views, indices: Any = indices) -> int:
                    simulations = 0
                    while simulations == 0:  # if the prior leaves a single action, nothing is searched
                        simulations = bot.search_row(batch.obs, batch.masks, views, next(indices)).simulations
                    return simulations

                search()
                self.add(f"search, table {table}, {name}", "simulations/s", self.rates(search))
            bots.pop("no network, random playouts", None)  # its speed depends little on the table


def games_in_progress(options: Options, n: int, seed: int, threads: int = 1) -> Batch:
    """Return a batch of n games in all stages, each with its own random key."""
    sources, snapshots = Batch(SOURCES, options), []
    sources.start(make_keys(seed, SOURCES), observe=False)
    for _ in range(SNAPSHOTS):
        for _ in range(STEPS_BETWEEN):
            sources.step_random(observe=False)
        snapshots.append(sources.bytes_view.copy())
    batch = Batch(n, sources.options, num_threads=threads)
    order = np.random.default_rng(seed).permutation(SOURCES * SNAPSHOTS)
    batch.bytes_view[:] = np.concatenate(snapshots)[np.resize(order, n)]
    batch.keys[:] = make_keys(seed + 1, n)
    batch.games.key[:] = batch.keys
    batch.refresh(observe=False)
    return batch


def heuristic_games(options: Options, seed: int) -> Batch:
    """Return NETWORK_ROWS games of heuristic bots after 0 to MAX_HEURISTIC_DECISIONS decisions."""
    from vitienv.agents.seeding import make_bot

    bot, batch = make_bot(options.game_spec.heuristic_bot, seed, game=options.game_spec), Batch(NETWORK_ROWS, options)
    batch.start(make_keys(seed, NETWORK_ROWS))
    for number in range(MAX_HEURISTIC_DECISIONS):
        is_played = np.arange(NETWORK_ROWS) % MAX_HEURISTIC_DECISIONS >= number
        batch.actions[:] = np.where(is_played, bot.act(batch.obs, batch.masks), SKIP)
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
