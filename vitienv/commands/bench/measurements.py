"""The measurements of `vitienv bench`, at one table: batches, playouts, environments, networks, searches, start."""

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
from vitienv.games import known_as

if TYPE_CHECKING:
    from vitienv.agents.search.agent import IsmctsAgent
    from vitienv.core.definition import Definition
    from vitienv.core.options import Options

BATCHES = (64, 1024, 8192)
BATCHES_ON_CARD = (4096, 65_536, 262_144)
THREADS = 2
AT_ONCE = 64  # playouts
FIRST_STEP = (
    "import json, sys, time; t = time.perf_counter(); import vitienv; "
    "game = vitienv.Game.new(game=sys.argv[1], seed=1, **json.loads(sys.argv[2])); "
    "game.step(game.legal_actions()[0]); print(time.perf_counter() - t)"
)
TOGETHER = 10  # calls between two looks at the clock, of what takes microseconds
# A batch is measured with games at all their stages: snapshots of some games, taken on their way.
SOURCES, SNAPSHOTS, STEPS_BETWEEN = 64, 64, 16
ROWS, WIDTHS = 256, (128, 256)  # of networks: observations in a call, width of the layers
LONGEST = 128  # decisions into a game of the heuristic bot
POSITIONS, MIN_LEGAL_ACTIONS, SIMULATIONS = 16, 4, 256  # of searches


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


def games_under_way(options: Options, n: int, seed: int, threads: int = 1) -> Batch:
    """A batch of n games from their first year to their last one, each with chance of its own."""
    sources = Batch(SOURCES, options)
    sources.start(keys_of(seed, SOURCES), observe=False)
    snapshots = []
    for _ in range(SNAPSHOTS):
        for _ in range(STEPS_BETWEEN):
            sources.step_random(observe=False)
        snapshots.append(sources.octets.copy())
    batch = Batch(n, sources.options, num_threads=threads)
    order = np.random.default_rng(seed).permutation(SOURCES * SNAPSHOTS)
    batch.octets[:] = np.concatenate(snapshots)[np.resize(order, n)]
    batch.keys[:] = keys_of(seed + 1, n)
    batch.games.key[:] = batch.keys
    batch.refresh(observe=False)
    return batch


def decisions_per_game(options: Options, seed: int) -> float:
    """How many decisions a random game takes, in the mean."""
    batch = Batch(SOURCES, options)
    batch.start(keys_of(seed, SOURCES), observe=False)
    return batch.play_out() / SOURCES


def networks(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """A network's answer to one of many observations, on one core, at the smallest table."""
    from vitienv.agents.champions import Champions
    from vitienv.agents.network import Network
    from vitienv.core.networks.network import evaluate, packed, room_for

    made = options.definition
    batch = games_of_rules(options.with_(num_players=options.players().start, skip_forced=True), seed)
    masks, logits, values = batch.masks, np.empty(batch.masks.shape, np.float32), np.empty(ROWS, np.float32)
    nets = {
        f"network of width {width}, weights drawn": (
            packed(drawn_weights(made, width, seed), {"blocks": 2, "lead": 0.0}, made), np.empty((ROWS, 0), np.int16)
        )
        for width in WIDTHS
    }  # fmt: skip
    for network, _ in Champions(made).parts(batch.obs) if made.champions is not None else ():
        if isinstance(network, Network):
            nets["champion, its network alone"] = network.net, network.adviser(batch.obs, masks)
    rows = []
    for name, (net, advice) in nets.items():
        room = room_for(net)

        def once(net: Any = net, advice: np.ndarray = advice, room: Any = room) -> None:
            evaluate(net, batch.obs, masks, advice, logits, values, room)

        rows.append(value(name, "µs", microseconds(once, runs, seconds, ROWS)))
    return rows


def games_of_rules(options: Options, seed: int) -> Batch:
    """ROWS games that rules of thumb play, each another number of decisions on."""
    from vitienv.agents.seating import make_bot

    bot = make_bot(options.definition.rule_of_thumb, seed, game=options.definition)
    batch = Batch(ROWS, options)
    batch.start(keys_of(seed, ROWS))
    for done in range(LONGEST):
        goes_on = np.arange(ROWS) % LONGEST >= done
        batch.actions[:] = np.where(goes_on, bot.act(batch.obs, batch.masks), LEAVE)
        batch.step(restart=True)
    return batch


def drawn_weights(made: Definition, width: int, seed: int) -> dict[str, np.ndarray]:
    """Weights of a new network, as torch draws them."""
    rng, n, n_actions, judge = np.random.default_rng(seed), made.observation.n, made.actions.n, WIDTHS[0]
    sizes = {"input": (width, n + n_actions), "blocks.0": (width, width), "blocks.1": (width, width)}
    sizes |= {"judge": (judge, width), "value": (1, judge), "policy": (n_actions, width)}
    drawn = {}
    for name, (n_out, n_in) in sizes.items():
        for what, shape in (("weight", (n_out, n_in)), ("bias", (n_out,))):
            drawn[f"{name}.{what}"] = rng.uniform(-1, 1, shape) / n_in**0.5
    drawn["input.weight"][:, :n] *= made.observation.scales
    return drawn


def searches(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Simulations of searches at every table of the game, on one core."""
    from vitienv.agents.network import Network
    from vitienv.agents.search.agent import IsmctsAgent
    from vitienv.agents.search.networks import NetworkEvaluator

    made, width = options.definition, WIDTHS[0]
    game = known_as(made)
    network = Network(drawn_weights(made, width, seed), {"architecture": {"blocks": 2, "lead": 0.0}}, made)
    guided = IsmctsAgent(SIMULATIONS, explore=5.0, trust=30.0, slope=0.02, cut=1000.0, seed=seed, game=game)
    bots = {f"network of width {width}, weights drawn": guided.use_network(NetworkEvaluator(network))}
    if made.champions is not None:
        bots["champion, the usual settings"] = IsmctsAgent(SIMULATIONS, policy="champion", seed=seed, game=game)
    bare = IsmctsAgent(SIMULATIONS, playout="random", prior="uniform", seed=seed, game=game)
    first = {"no network, played out at random": bare}  # at the first table alone
    rows = []
    for table, settings in made.tables.items():
        batch = games_of_rules(made.options.of(**settings).with_(skip_forced=True), seed)
        positions = np.flatnonzero(batch.masks.sum(axis=1) >= min(MIN_LEGAL_ACTIONS, batch.masks.shape[1]))
        positions = positions[:: max(1, len(positions) // POSITIONS)]
        for name, bot in (first | bots).items():
            once = _searching(bot, batch, positions)
            once()
            rows.append(value(f"search, table {table}, {name}", "simulations/s", rates(once, runs, seconds)))
        first = {}
    return rows


def _searching(bot: IsmctsAgent, batch: Batch, rows: np.ndarray) -> Callable[[], int]:
    from vitienv.agents import Views

    views, next_row = Views(batch, np.arange(len(batch))), cycle(rows.tolist())

    def search() -> int:
        """Search the next position to which the prior leaves more than one action."""
        simulations = 0
        while simulations == 0:
            simulations = bot.look(batch.obs, batch.masks, views, next(next_row)).simulations
        return simulations

    return search


def value(name: str, unit: str, values: list[float]) -> dict[str, Any]:
    """A row of the result."""
    return {"name": name, "unit": unit, "median": statistics.median(values), "runs": values}


def rates(once: Callable[[], int], runs: int, seconds: float) -> list[float]:
    """The sum that `once` returns in a second, for each run that calls it until the time is over."""
    measured = []
    for _ in range(runs):
        count, start, passed = 0, time.perf_counter(), 0.0
        while passed < seconds:
            count += once()
            passed = time.perf_counter() - start
        measured.append(count / passed)
    return measured


def microseconds(once: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    """The microseconds of a call for each of its n things, for each run."""

    def calls() -> int:
        for _ in range(TOGETHER):
            once()
        return TOGETHER

    return [1e6 / rate / n for rate in rates(calls, runs, seconds)]
