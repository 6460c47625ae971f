"""The measurements of `vitienv bench`, each at one table: rows with name, unit, median and single runs."""

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
AT_ONCE = 64  # playouts
FIRST_STEP = (
    "import json, sys, time; t = time.perf_counter(); import vitienv; "
    "game = vitienv.Game.new(game=sys.argv[1], seed=1, **json.loads(sys.argv[2])); "
    "game.step(game.legal_actions()[0]); print(time.perf_counter() - t)"
)
# A batch has games at all their stages: snapshots of some games, taken on their way.
SOURCES, SNAPSHOTS, STEPS_BETWEEN = 64, 64, 16
ROWS, WIDTHS = 256, (128, 256)  # of networks: observations in a call, width of the layers
LONGEST = 128  # decisions into a game of the heuristic bot
POSITIONS, MIN_LEGAL_ACTIONS, SIMULATIONS = 16, 4, 256  # of searches


def batches(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Batched random play with mask and observation, for one thread and for two."""
    games = Batch(SOURCES, options)
    games.start(keys_of(seed, SOURCES), observe=False)
    length, rows = games.playout() / SOURCES, []
    for n, threads in BATCHES:
        rates = _stepping(games_under_way(options, n, seed, threads), runs, seconds)
        name = f"batch of {n}, mask and observation" + (f", {threads} threads" if threads > 1 else "")
        rows += [row(name, "decisions/s", rates), row(name, "games/s", [rate / length for rate in rates])]
    return rows


def batches_on_card(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Decisions a second of batches on a GPU."""
    from vitienv.core.targets.cuda import Gpu
    from vitienv.core.targets.device import DeviceBatch

    rows, card = [], Gpu()
    for n in CUDA_BATCHES:
        batch = DeviceBatch(n, options, card)
        batch.restore(games_under_way(options, n, seed).saved())
        rows.append(row(f"batch of {n} on the card, mask and observation", "decisions/s",
                        _stepping(batch, runs, seconds)))  # fmt: skip
    return rows


def _stepping(batch: Batch, runs: int, seconds: float) -> list[float]:
    before = batch.bytes_view.copy()
    rates = rates_of(batch.step_random, runs, seconds)
    if (batch.bytes_view == before).all(axis=1).any():  # a fast loop in which nothing happens is worth nothing
        raise RuntimeError("the games of the bench do not go on")
    return rates


def playouts(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Random games from start to end inside the engine: mask, choice, step."""
    rows = []
    for skip in (False, True):
        batch = Batch(AT_ONCE, options.with_(skip_forced=skip))
        batch.start(keys_of(seed, AT_ONCE), observe=False)
        decisions, games = [], []
        for _ in range(runs):
            num_rounds, num_decisions, began, passed = 0, 0, time.perf_counter(), 0.0
            while passed < seconds:
                num_decisions += batch.playout(restart=True)
                num_rounds += 1
                passed = time.perf_counter() - began
            decisions.append(num_decisions / passed)
            games.append(num_rounds * AT_ONCE / passed)
        name = "playouts" + (", forced decisions skipped" if skip else "")
        rows += [row(name, "games/s", games), row(name, "decisions/s", decisions)]
    return rows


def environments(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """PettingZoo loops: last(), a random legal action, step()."""
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
    """Copy and one step of a game: through the records, as a search does it, and through `Game`."""

    def from_records(n: int) -> list[float]:
        batch = games_under_way(options, n, seed)
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
    """The time from `import vitienv` to the first step in a new process, with the cache as it is."""
    command = [sys.executable, "-c", FIRST_STEP, canonical_name(options.game_spec), json.dumps(options.to_dict())]
    times = []
    for _ in range(runs):
        process = subprocess.run(command, env=os.environ | (environment or {}), capture_output=True, text=True)
        if process.returncode:
            raise OSError(f"a new process could not play: {process.stderr.strip().splitlines()[-1:]}")
        times.append(float(process.stdout))
    return [row("from import to the first step, warm cache", "s", times)]


def first_compilation(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """The time to the first step with an empty cache, once."""
    with tempfile.TemporaryDirectory() as folder:
        (measured,) = start(options, 1, seconds, seed, {"VITIENV_CACHE": folder})
    return [measured | {"name": "first compilation, empty cache"}]


def networks(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """A network's answer to one of many observations, on one core, at the smallest table."""
    from vitienv.agents.champions import Champions
    from vitienv.agents.network import Network
    from vitienv.core.networks.network import evaluate, packed, room_for

    game = options.game_spec
    batch = heuristic_games(options.with_(num_players=options.players().start, skip_forced=True), seed)
    masks, logits, values = batch.masks, np.empty(batch.masks.shape, np.float32), np.empty(ROWS, np.float32)
    nets = {
        f"network of width {width}, weights drawn":
            (packed(random_weights(game, width, seed), {"blocks": 2, "lead": 0.0}, game), np.empty((ROWS, 0), np.int16))
        for width in WIDTHS
    }  # fmt: skip
    for network, _ in Champions(game).parts(batch.obs) if game.champions is not None else ():
        if isinstance(network, Network):
            nets["champion, its network alone"] = network.net, network.policy_prior(batch.obs, masks)
    rows = []
    for name, (net, prior_scores) in nets.items():
        arguments = net, batch.obs, masks, prior_scores, logits, values, room_for(net)
        times = microseconds(lambda: evaluate(*arguments), runs, seconds, ROWS)  # noqa: B023
        rows.append(row(name, "µs", times))
    return rows


def searches(options: Options, runs: int, seconds: float, seed: int) -> Rows:
    """Simulations of searches at every table of the game, on one core."""
    from vitienv.agents import GameViews
    from vitienv.agents.network import Network
    from vitienv.agents.search.agent import IsmctsAgent
    from vitienv.agents.search.networks import NetworkEvaluator

    made, width = options.game_spec, WIDTHS[0]
    game = canonical_name(made)
    network = Network(random_weights(made, width, seed), {"architecture": {"blocks": 2, "lead": 0.0}}, made)
    guided = IsmctsAgent(
        SIMULATIONS, c_puct=5.0, prior_visits=30.0, value_scale=0.02, prune_margin=1000.0, seed=seed, game=game
    )
    bots = {f"network of width {width}, weights drawn": guided.use_network(NetworkEvaluator(network))}
    if made.champions is not None:
        bots["champion, the usual settings"] = IsmctsAgent(SIMULATIONS, policy="champion", seed=seed, game=game)
    bare = IsmctsAgent(SIMULATIONS, playout="random", prior="uniform", seed=seed, game=game)
    first = {"no network, played out at random": bare}  # at the first table alone
    rows = []
    for table, settings in made.tables.items():
        batch = heuristic_games(made.options.of(**settings).with_(skip_forced=True), seed)
        positions = np.flatnonzero(batch.masks.sum(axis=1) >= min(MIN_LEGAL_ACTIONS, batch.masks.shape[1]))
        positions = positions[:: max(1, len(positions) // POSITIONS)]
        for name, bot in (first | bots).items():
            views, indices = GameViews(batch, np.arange(len(batch))), cycle(positions.tolist())

            def search(bot: Any = bot, batch: Batch = batch, views: Any = views, indices: Any = indices) -> int:
                simulations = 0
                while simulations == 0:  # the prior may leave one action
                    simulations = bot.search_row(batch.obs, batch.masks, views, next(indices)).simulations
                return simulations

            search()
            rows.append(row(f"search, table {table}, {name}", "simulations/s", rates_of(search, runs, seconds)))
        first = {}
    return rows


def games_under_way(options: Options, n: int, seed: int, threads: int = 1) -> Batch:
    """Return a batch of n games from their first year to their last one, each with its own chance."""
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
    """Return ROWS games of heuristic bots, each another number of decisions on."""
    from vitienv.agents.seeding import make_bot

    bot, batch = make_bot(options.game_spec.heuristic_bot, seed, game=options.game_spec), Batch(ROWS, options)
    batch.start(keys_of(seed, ROWS))
    for number in range(LONGEST):
        is_played = np.arange(ROWS) % LONGEST >= number
        batch.actions[:] = np.where(is_played, bot.act(batch.obs, batch.masks), LEAVE)
        batch.step(restart=True)
    return batch


def random_weights(game: GameSpec, width: int, seed: int) -> dict[str, np.ndarray]:
    """Return the weights of a new network, as torch draws them."""
    rng, n, n_actions, judge = np.random.default_rng(seed), game.observation.n, game.actions.n, WIDTHS[0]
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
    """Return a row of the result."""
    return {"name": name, "unit": unit, "median": statistics.median(values), "runs": values}


def rates_of(function: Callable[[], Any], runs: int, seconds: float) -> list[float]:
    """Return the sum of what a function returns in a second, for each run."""
    rates = []
    for _ in range(runs):
        count, began, passed = 0, time.perf_counter(), 0.0
        while passed < seconds:
            count += function()
            passed = time.perf_counter() - began
        rates.append(count / passed)
    return rates


def microseconds(function: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    """Return the microseconds of a call for each of its n items, for each run."""

    def calls() -> int:
        for _ in range(10):  # between two looks at the clock
            function()
        return 10

    return [1e6 / rate / n for rate in rates_of(calls, runs, seconds)]
