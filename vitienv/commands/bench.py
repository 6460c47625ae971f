"""vitienv bench: how fast the environment is on this machine."""

from __future__ import annotations

import json as json_
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.commands.screen import GAME, JSON, RULESET, SEED, SET, console, print_json, progress, set_options
from vitienv.extras import missing
from vitienv.games import DEFAULT, definition, known_as

if TYPE_CHECKING:
    from vitienv.core.options import Options

PLAYERS = 4
BATCHES = (64, 1024, 8192)
BATCHES_ON_CARD = (4096, 65_536, 262_144)
THREADS = 2
FIRST_STEP = (
    "import json, sys, time; t = time.perf_counter(); import vitienv; "
    "game = vitienv.Game.new(game=sys.argv[1], seed=1, **json.loads(sys.argv[2])); "
    "game.step(game.legal_actions()[0]); print(time.perf_counter() - t)"
)


def command(
    position: Path = typer.Argument(None, help="With --perft: a file with a position; a new game if not given."),
    runs: int = typer.Option(5, min=1, help="Runs of each measurement; the median is reported."),
    seconds: float = typer.Option(0.5, min=0.01, help="Length of each run."),
    only: str = typer.Option(
        None, help="Only these parts: batch, beside, playouts, envs, single, network, search, learning, start."
    ),
    compile: bool = typer.Option(False, "--compile", help="Measure the first compilation too, with an empty cache."),
    signature: bool = typer.Option(False, "--signature", help="Print only the bench signature and what it is made of."),
    perft: int = typer.Option(None, "--perft", min=1, max=64, metavar="N", help="Count action sequences of length N."),
    device: str = typer.Option("cpu", help="cpu, or cuda for an NVIDIA card: the part batch, or --signature."),
    seed: int = SEED,
    game: str = GAME,
    ruleset: str = RULESET,
    given: list[str] = SET,
    json: bool = JSON,
) -> None:
    """Measure speed: batches, playouts, environments, copies, networks, searches, start; mostly at a table of four."""
    options = set_options(given, game, ruleset)
    if perft is not None:
        from vitienv.commands.perft import show

        show(position, _table(game, options), seed, perft, json)
        return
    if position is not None:
        raise ValueError(f"the position {position} is for --perft, which is not given")
    if signature:
        _print_signature(json, game, _only_ruleset(options), device)
        return
    chosen = _parts(only) if device == "cpu" else _parts_on(device, only)
    result = bench(runs, seconds, chosen, seed, compile, game, options)
    if json:
        print_json(result)
        return
    _print(result)


def _parts(only: str | None) -> list[str]:
    if only is None:
        return [part for part in PARTS if part != "learning" or find_spec("torch") is not None]
    chosen = [part.strip() for part in only.split(",")]
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        raise ValueError(f"unknown part {unknown[0]!r}; there is {', '.join(PARTS)}")
    return chosen


def _only_ruleset(options: dict[str, Any]) -> str | None:
    """The ruleset whose signature is asked for. ValueError for other options: its tables are fixed."""
    others = [name for name in options if name != "ruleset"]
    if others:
        raise ValueError(f"--signature plays fixed tables: --set {others[0]} has no place there")
    return options.get("ruleset")


def _parts_on(device: str, only: str | None) -> list[str]:
    """The parts that are measured on a device. ValueError for others, and where the device is missing."""
    from vitienv.envs.device import device_of

    device_of(device)
    if only not in (None, "batch"):
        raise ValueError(f"--only is {only!r}; on {device!r} it must be 'batch'")
    return [device]


def _print_signature(json: bool, game: str, ruleset: str | None, device: str) -> None:
    from vitienv.envs.device import device_of
    from vitienv.signature import signature

    played_on = None if device == "cpu" else device_of(device)
    games, made = signature(game, ruleset, played_on), definition(game)
    if json:
        sizes = {"record": made.dtype.itemsize, "observed": made.observation.n, "actions": made.actions.n}
        print_json({"signature": games.total, "parts": games.parts, "sizes": sizes})
        return
    for name, part in games.parts.items():
        typer.echo(f"{name} {part}")
    typer.echo(games.total)


def bench(
    runs: int,
    seconds: float,
    parts: list[str],
    seed: int = 0,
    compile: bool = False,
    game: str = DEFAULT,
    given: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """All measurements as plain JSON: name, unit, median and the single runs of each. given: options of the table.

    They take minutes where rules are interpreted.
    """
    from vitienv.core.files import machine, versions
    from vitienv.core.jit import interpreted
    from vitienv.signature import signature

    table = _table(game, given or {})
    measured: list[dict[str, Any]] = []
    shares: dict[str, float] = {}
    todo = [*parts, *(["compile"] if compile else []), "signature"]
    with progress("measuring") as tell:
        for i, part in enumerate(todo):
            tell(i, len(todo))
            if part == "compile":
                measured.append(_value("first compilation, empty cache", "s", [first_compilation(table)]))
            elif part == "cuda":
                measured += measure_cuda(table, runs, seconds, seed)
            elif part != "signature":
                wall, cpu = time.perf_counter(), time.process_time()
                measured += PARTS[part](table, runs, seconds, seed)
                shares[part] = round((time.process_time() - cpu) / (time.perf_counter() - wall), 2)
        made = signature(game, table.ruleset)
        tell(len(todo), len(todo))
    return {
        "machine": machine() | {"load": _load()},
        "versions": versions(),
        "interpreted": interpreted(),
        "game": game,
        "players": table.num_players,
        "options": given or {},
        "bytes_per_game": table.definition.dtype.itemsize,
        "measured": measured,
        "core_share": {part: share for part, share in shares.items() if part != "start"},
        "signature": made.total,
        "signature_parts": made.parts,
    }


def _table(game: str, given: dict[str, Any]) -> Options:
    """A table of four, or of as many as the game allows. given: its options."""
    options = definition(game).options
    most = options.of(**given).players().stop - 1
    return options.of(**{"num_players": min(PLAYERS, most), **given})


def _as_given(options: Options) -> dict[str, Any]:
    """A table as environments and games are given it."""
    return {"game": known_as(options.definition), **options.to_dict()}


def _load() -> list[float] | None:
    """How busy the machine is: figures taken beside other work are too low."""
    return [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None


def _value(name: str, unit: str, values: list[float]) -> dict[str, Any]:
    return {"name": name, "unit": unit, "median": statistics.median(values), "runs": values}


def _timed(
    once: Callable[[], int], seconds: float, now: Callable[[], float] = time.perf_counter
) -> tuple[int, float]:  # fmt: skip
    """Call `once` until the time is over; what it returned in sum, and the time. now: the clock."""
    count, start = 0, now()
    while True:
        count += once()
        passed = now() - start
        if passed >= seconds:
            return count, passed


def measure_batches(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Batched random play with mask and observation, for one thread and for two."""
    from vitienv.commands.bench_games import decisions_per_game, games_under_way

    length = decisions_per_game(options, seed)
    rows = []
    for n, threads in [(n, 1) for n in BATCHES] + [(n, THREADS) for n in BATCHES[1:]]:
        batch = games_under_way(options, n, seed, threads)
        before = batch.octets.copy()
        rates = []
        for _ in range(runs):
            count, passed = _timed(batch.step_random, seconds)
            rates.append(count / passed)
        # A fast loop in which nothing happens is worth nothing.
        if (batch.octets == before).all(axis=1).any():
            raise RuntimeError("the games of the bench do not go on")
        name = f"batch of {n}, mask and observation" + (f", {threads} threads" if threads > 1 else "")
        rows += [
            _value(name, "decisions/s", rates),
            _value(name, "games/s", [rate / length for rate in rates]),
        ]
    return rows


def measure_cuda(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """The same on an NVIDIA card."""
    from vitienv.core.batch import keys_of
    from vitienv.core.targets.cuda import Card
    from vitienv.core.targets.device import DeviceBatch

    rows, card = [], Card()
    for n in BATCHES_ON_CARD:
        batch = DeviceBatch(n, options, card)
        batch.start(keys_of(seed, n))
        rates = []
        for _ in range(runs):
            count, passed = _timed(batch.step_random, seconds)
            rates.append(count / passed)
        rows.append(_value(f"batch of {n} on the card, mask and observation", "decisions/s", rates))
    return rows


def measure_beside(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """How many times as much processor time a decision takes as at the usual table, where `--set` gives another; in
    turns, as both are slower on a busy machine."""
    from vitienv.commands.bench_games import beside

    rows = []
    for name, both in beside(options, seed).items():
        ratios = []
        for _ in range(runs):
            turn = [_timed(once, seconds, time.process_time) for once in both]
            own, usual = (passed / count for count, passed in turn)
            ratios.append(own / usual)
        rows.append(_value(name, "times", ratios))
    return rows


def measure_playouts(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Random games from start to end inside the engine: mask, choice, step."""
    from vitienv.core.batch import Batch, keys_of


    rows, at_once = [], 64
    for skip in (False, True):
        batch = Batch(at_once, options.with_(skip_forced=skip))
        batch.start(keys_of(seed, at_once), observe=False)
        decisions, games = [], []
        for _ in range(runs):
            rounds = [0]

            def once(batch: Any = batch, rounds: list[int] = rounds) -> int:
                rounds[0] += 1
                return batch.play_out(restart=True)

            count, passed = _timed(once, seconds)
            decisions.append(count / passed)
            games.append(rounds[0] * at_once / passed)
        name = "playouts" + (", forced decisions skipped" if skip else "")
        rows += [_value(name, "games/s", games), _value(name, "decisions/s", decisions)]
    return rows


def measure_envs(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """PettingZoo loops: last(), a random legal action, step()."""
    import vitienv

    rows = []
    for name, make in (("raw_env()", vitienv.raw_env), ("env()", vitienv.env)):
        env = make(**_as_given(options))
        env.reset(seed=seed)
        once = _env_loop(env, seed)
        once()
        rates = []
        for _ in range(runs):
            count, passed = _timed(once, seconds)
            rates.append(count / passed)
        rows.append(_value(f"{name}: last, choice, step", "steps/s", rates))
    return rows


def _env_loop(env: Any, seed: int) -> Callable[[], int]:
    """A hundred steps of an environment, with new games as they are needed."""
    import numpy as np

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


def measure_single(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Copy and one step of a game: through the records, as a search does it, and through `Game`."""
    import vitienv

    def from_records(n: int) -> list[float]:
        from vitienv.commands.bench_games import games_under_way

        batch = games_under_way(options, n, seed)
        other = batch.copy()
        other.actions[:] = batch.masks.argmax(axis=1)
        return _microseconds(lambda: _copy_and_step(batch, other), runs, seconds, n)

    def through_game() -> list[float]:
        game = vitienv.Game.new(seed=seed, **_as_given(options))
        action = game.legal_actions()[0]
        return _microseconds(lambda: len(game.copy().step(action).moves), runs, seconds, 1)

    return [
        _value("copy and one step, records, one game", "µs", from_records(1)),
        _value("copy and one step, records, each of 1024 games", "µs", from_records(1024)),
        _value("copy and one step, Game", "µs", through_game()),
    ]


def _copy_and_step(batch: Any, other: Any) -> int:
    other.octets[:] = batch.octets
    other.step(observe=False)
    return 1


def _microseconds(once: Callable[[], Any], runs: int, seconds: float, n: int) -> list[float]:
    times = []
    for _ in range(runs):
        calls, start, passed = 0, time.perf_counter(), 0.0
        while passed < seconds:
            for _ in range(10):
                once()
            calls += 10
            passed = time.perf_counter() - start
        times.append(1e6 * passed / calls / n)
    return times


def measure_network(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """A network's answer to an observation, each of many at once, on one core."""
    from vitienv.commands.bench_network import ROWS, measured

    calls = measured(options, seed)
    return [_value(name, "µs", _microseconds(once, runs, seconds, ROWS)) for name, once in calls.items()]


def measure_search(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Simulations of searches at every table of the game, on one core."""
    from vitienv.commands.bench_search import measured

    rows = []
    for name, once in measured(options.definition, seed).items():
        once()
        rates = [count / passed for count, passed in (_timed(once, seconds) for _ in range(runs))]
        rows.append(_value(name, "simulations/s", rates))
    return rows


def measure_learning(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Decisions of self-play that learns, and searched ones, for a second of one core."""
    try:
        from vitienv.commands.bench_learning import measured
    except ModuleNotFoundError as error:
        raise ValueError(missing("the part learning", error.name, "train")) from None

    rows = []
    for name, once in measured(options.definition, seed).items():
        once()
        rates = [count / passed for count, passed in (_timed(once, seconds, time.process_time) for _ in range(runs))]
        rows.append(_value(f"{name}, for a second of one core", "decisions/s", rates))
    return rows


def measure_start(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """From `import vitienv` to the first step in a new process, with what the cache holds."""
    seconds_taken = [_in_new_process(options, {}) for _ in range(runs)]
    return [_value("from import to the first step, warm cache", "s", seconds_taken)]


def first_compilation(options: Options) -> float:
    """Seconds from `import vitienv` to the first step in a new process with an empty cache."""
    with tempfile.TemporaryDirectory() as folder:
        return _in_new_process(options, {"VITIENV_CACHE": folder})


def _in_new_process(options: Options, environment: dict[str, str]) -> float:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP, known_as(options.definition), json_.dumps(options.to_dict())],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"a new process could not play: {done.stderr.strip().splitlines()[-1:]}")
    return float(done.stdout)


PARTS: dict[str, Callable[[Options, int, float, int], list[dict[str, Any]]]] = {
    "batch": measure_batches,
    "beside": measure_beside,
    "playouts": measure_playouts,
    "envs": measure_envs,
    "single": measure_single,
    "network": measure_network,
    "search": measure_search,
    "learning": measure_learning,
    "start": measure_start,
}


def _print(result: dict[str, Any]) -> None:
    from rich.table import Table

    machine = result["machine"]
    screen = console()
    screen.print(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, load {machine['load']}")
    screen.print(", ".join(f"{name} {number}" for name, number in result["versions"].items()))
    if result["interpreted"]:
        screen.print("interpreted (NUMBA_DISABLE_JIT=1)")
    table = Table(title=f"random play, {result['players']} players, medians; {result['bytes_per_game']} bytes a game")
    for name, side in (("what", "left"), ("median", "right"), ("unit", "left"), ("least to most", "right")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for row in result["measured"]:
        spread = f"{_number(min(row['runs']))} to {_number(max(row['runs']))}" if len(row["runs"]) > 1 else ""
        table.add_row(row["name"], _number(row["median"]), row["unit"], spread)
    screen.print(table)
    shares = ", ".join(f"{part} {share}" for part, share in result["core_share"].items())
    if shares:
        screen.print(f"Cores that this process had on average, below 1 on a busy machine: {shares}")
    screen.print(f"Signature: {result['signature']}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
