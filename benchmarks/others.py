"""Speed of random play compared with other libraries: decisions per second of processor time on one core.

    python -m benchmarks.others [--rounds N] [--seconds S] [--write results/2026-11-22-other-libraries.md]

Each library is installed from PyPI into a separate environment in build/benchmarks. All play in turn for some seconds,
in several rounds, so that the load of the machine affects all; the table has the best round of each. Every decision is
a random legal action. `--write` replaces the table of a page.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENTS = ROOT / "build" / "benchmarks"
# Requirements of each library, and the package whose version is reported.
LIBRARIES = {
    "vitienv": ([], "vitienv"),
    "PettingZoo": (["pettingzoo[classic]==1.27.0"], "pettingzoo"),
    "OpenSpiel": (["open_spiel==2.0.2"], "open_spiel"),
    "Pgx": (["pgx==2.6.0"], "pgx"),
    "catanatron": (["catanatron==3.2.1"], "catanatron"),
}
BATCH_SIZE = 1024
FULL, MASK = "observation and mask", "mask"

# A run yields numbers of decisions and games; the first is not counted, as it compiles.
Runs = Iterator[tuple[int, int]]


def vitienv_batch(game: str) -> Runs:
    """Play a batch with the kernels of `make_vec`."""
    from vitienv.core.batch import Batch, make_keys
    from vitienv.registry import game_spec

    batch = Batch(BATCH_SIZE, game_spec(game).options.of(num_players=4, skip_forced=False))
    batch.start(make_keys(1, BATCH_SIZE))
    while True:
        decisions = games = 0
        for _ in range(100):
            decisions += batch.step_random()
            games += int((batch.ended != 0).sum())
        yield decisions, games


def aec(make: Callable[[], object]) -> Runs:
    """Play with the PettingZoo API."""
    env = make()
    rng = random.Random(1)
    for game in range(10**9):
        env.reset(seed=game)
        decisions = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = observation["action_mask"] if "action_mask" in observation else info["action_mask"]
            env.step(rng.choice(mask.nonzero()[0].tolist()))
            decisions += 1
        yield decisions, 1


def vitienv_aec(game: str) -> Runs:
    """Play the PettingZoo environment of a game."""
    import vitienv

    return aec(lambda: vitienv.env(game=game, num_players=4))


def pettingzoo(game: str) -> Runs:
    """Play a game of PettingZoo."""
    from importlib import import_module

    return aec(import_module(f"pettingzoo.classic.{game}").env)


def open_spiel(game: str) -> Runs:
    """Play a game of OpenSpiel."""
    import pyspiel

    spec, rng = pyspiel.load_game(game), random.Random(1)
    while True:
        state, decisions = spec.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        yield decisions, 1


def pgx(game: str) -> Runs:
    """Play a batch of a game of Pgx."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(game)
    step = auto_reset(env.step, env.init)

    def move(state, key):
        action_key, step_key = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        actions = jax.random.categorical(action_key, logits)
        after = jax.vmap(step)(state, actions, jax.random.split(step_key, BATCH_SIZE))
        return after, after.terminated.sum()

    @jax.jit
    def moves(state, key):
        return jax.lax.scan(move, state, jax.random.split(key, 20))

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH_SIZE))
    while True:
        key, moves_key = jax.random.split(key)
        state, ended = moves(state, moves_key)
        yield 20 * BATCH_SIZE, int(ended.sum())


def catanatron(game: str) -> Runs:
    """Play Catan with four players."""
    from catanatron import Color, Game, RandomPlayer

    players = [RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
    for seed in range(10**9):
        table = Game(players, seed=seed)
        table.play()
        yield len(table.state.actions), 1


# Library, game, title, function, and data computed for each decision.
ROWS = (
    ("vitienv", "viticulture", "Viticulture, 4 players, a batch of 1,024", vitienv_batch, FULL),
    ("vitienv", "toscana", "Toscana, 4 players, a batch of 1,024", vitienv_batch, FULL),
    ("vitienv", "viticulture", "Viticulture, 4 players, as PettingZoo's `env`", vitienv_aec, FULL),
    ("PettingZoo", "connect_four_v3", "Connect Four", pettingzoo, FULL),
    ("PettingZoo", "texas_holdem_v4", "Texas Hold'em", pettingzoo, FULL),
    ("PettingZoo", "chess_v6", "Chess", pettingzoo, FULL),
    ("OpenSpiel", "connect_four", "Connect Four", open_spiel, MASK),
    ("OpenSpiel", "gin_rummy", "Gin Rummy", open_spiel, MASK),
    ("OpenSpiel", "chess", "Chess", open_spiel, MASK),
    ("Pgx", "connect_four", "Connect Four, a batch of 1,024", pgx, FULL),
    ("Pgx", "othello", "Othello, a batch of 1,024", pgx, FULL),
    ("catanatron", "catan", "Catan, 4 players", catanatron, MASK),
)  # fmt: skip


def measure(number: int, seconds: float) -> dict[str, float]:
    """Play a row on one core for some seconds of processor time."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    _, game, _, play, _ = ROWS[number]
    runs = play(game)
    next(runs)
    decisions = games = 0
    start = time.process_time()
    while (elapsed := time.process_time() - start) < seconds:
        new_decisions, new_games = next(runs)
        decisions, games = decisions + new_decisions, games + new_games
    return {"decisions": decisions, "games": games, "seconds": elapsed}


def python_of(library: str) -> str:
    """Return the interpreter of a library's environment, which is created if it does not exist."""
    requirements, _ = LIBRARIES[library]
    if not requirements:
        return sys.executable
    folder = ENVIRONMENTS / library
    python = folder / "bin" / "python"
    if not (folder / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements], check=True
        )
        (folder / "done").touch()
    return str(python)


def version_of(python: str, package: str) -> str:
    """Return the version of an installed package."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def play_in_turn(rounds: int, seconds: float) -> Iterator[str]:
    """Play all rows in turn; yield the table in Markdown after each round."""
    pythons = {library: python_of(library) for library in LIBRARIES}
    versions = {library: version_of(pythons[library], package) for library, (_, package) in LIBRARIES.items()}
    results: list[list[dict[str, float]]] = [[] for _ in ROWS]
    for turn in range(rounds):
        for number, (library, _, title, _, _) in enumerate(ROWS):
            process = subprocess.run(
                [pythons[library], __file__, "--row", str(number), "--seconds", str(seconds)],
                capture_output=True,
                text=True,
                env=os.environ | {"PYTHONPATH": str(ROOT) if library == "vitienv" else ""},
            )
            if process.returncode != 0:
                message = (process.stderr.strip().splitlines() or ["no output"])[-1]
                raise SystemExit(f"{library}, {title}: {message}")
            results[number].append(json.loads(process.stdout.splitlines()[-1]))
            rate = results[number][-1]["decisions"] / results[number][-1]["seconds"]
            print(f"round {turn + 1}: {library}, {title}: {rate:,.0f}", file=sys.stderr, flush=True)
        yield table(results, versions)


def table(results: list[list[dict[str, float]]], versions: dict[str, str]) -> str:
    """Return the best run of each row and the machine."""
    from vitienv.core.files import machine

    lines = ["| library | game | decisions/s | games/s | data per decision |", "| --- | --- | --- | --- | --- |"]
    for (library, _, title, _, data), runs in zip(ROWS, results):
        best = max(runs, key=lambda run: run["decisions"] / run["seconds"])
        rates = [_digits(best[unit] / best["seconds"]) for unit in ("decisions", "games")]
        lines.append(f"| {library} {versions[library]} | {title} | {rates[0]} | {rates[1]} | {data} |")
    hardware = machine()
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    best_of = f"the best of {len(results[0])} rounds in turn" if len(results[0]) > 1 else "one round"
    lines += [
        "",
        f"One core of {hardware['cores']} ({hardware['processor']}{load}), "
        f"Python {sys.version.split()[0]}; processor time, "
        f"{best_of} (`python -m benchmarks.others`). A decision is not the same unit in every game.",
    ]
    return "\n".join(lines)


def _digits(rate: float) -> str:
    """Return a rate with two significant digits."""
    if rate < 10:
        return f"{rate:.2g}"
    step = 10 ** (len(str(int(rate))) - 2)
    return f"{round(rate / step) * step:,}"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, help="page whose table is replaced")
    options = parser.parse_args()
    if options.row is not None:
        print(json.dumps(measure(options.row, options.seconds)))
        return
    sys.path.insert(0, str(ROOT))
    from tools.markdown_tables import write_marked

    for table_text in play_in_turn(options.rounds, options.seconds):
        if options.write is not None:
            write_marked(options.write, "others", "Other libraries", [table_text])
    if options.write is None:
        print(table_text)


if __name__ == "__main__":
    main()
