"""Random legal play beside other libraries: decisions a second of processor time, on one core.

    python benchmarks/others.py [--rounds N] [--seconds S] [--write results/2026-11-22-other-libraries.md]

Each library is installed from PyPI into an environment of its own in build/benchmarks. Then they play in turn, some
seconds each, several rounds, so that other work of the machine affects all of them; the table has the best round of
each. Every decision takes a random legal action. With `--write` the table takes its place in a page.
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
WHERE = ROOT / "build" / "benchmarks"
# What is installed for each library, and by what name its version is asked for.
LIBRARIES = {
    "vitienv": ([], "vitienv"),
    "PettingZoo": (["pettingzoo[classic]==1.27.0"], "pettingzoo"),
    "OpenSpiel": (["open_spiel==2.0.2"], "open_spiel"),
    "Pgx": (["pgx==2.6.0"], "pgx"),
    "catanatron": (["catanatron==3.2.1"], "catanatron"),
}
AT_ONCE = 1024  # games of a batch
SEES, MASK = "observation and mask", "mask"

# A run yields (decisions, games) now and then; those after the first are counted, so that nothing is compiled in them.
Runs = Iterator[tuple[int, int]]


def vitienv_batch(game: str) -> Runs:
    """The compiled loop over a batch, as `make_vec` steps it."""
    from vitienv.core.batch import Batch, keys_of
    from vitienv.registry import game_spec

    batch = Batch(AT_ONCE, game_spec(game).options.of(num_players=4, skip_forced=False))
    batch.start(keys_of(1, AT_ONCE))
    while True:
        taken = ended = 0
        for _ in range(100):
            taken += batch.step_random()
            ended += int((batch.ended != 0).sum())
        yield taken, ended


def aec(make: Callable[[], object]) -> Runs:
    """PettingZoo's own loop."""
    env = make()
    generator = random.Random(1)
    for game in range(10**9):
        env.reset(seed=game)
        taken = 0
        for _ in env.agent_iter():
            seen, _, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            env.step(generator.choice(mask.nonzero()[0].tolist()))
            taken += 1
        yield taken, 1


def vitienv_aec(game: str) -> Runs:
    """The loop of `aec` over PettingZoo's environment of a game."""
    import vitienv

    return aec(lambda: vitienv.env(game=game, num_players=4))


def pettingzoo(game: str) -> Runs:
    """One of PettingZoo's own games."""
    from importlib import import_module

    return aec(import_module(f"pettingzoo.classic.{game}").env)


def open_spiel(game: str) -> Runs:
    """One of OpenSpiel's games."""
    import pyspiel

    made, generator = pyspiel.load_game(game), random.Random(1)
    while True:
        state, taken = made.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes())
                state.apply_action(generator.choices(outcomes, chances)[0])
            else:
                state.apply_action(generator.choice(state.legal_actions()))
                taken += 1
        yield taken, 1


def pgx(game: str) -> Runs:
    """One of Pgx's games, a batch compiled as a whole."""
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax
    import jax.numpy as jnp
    import pgx as library
    from pgx.experimental import auto_reset

    env = library.make(game)
    step = auto_reset(env.step, env.init)

    def move(state, key):
        own, other = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        after = jax.vmap(step)(state, jax.random.categorical(own, logits), jax.random.split(other, AT_ONCE))
        return after, after.terminated.sum()

    @jax.jit
    def moves(state, key):
        return jax.lax.scan(move, state, jax.random.split(key, 20))

    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, AT_ONCE))
    while True:
        key, own = jax.random.split(key)
        state, ended = moves(state, own)
        yield 20 * AT_ONCE, int(ended.sum())


def catanatron(game: str) -> Runs:
    """Catan for four."""
    from catanatron import Color, Game, RandomPlayer

    players = [RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)]
    for seed in range(10**9):
        table = Game(players, seed=seed)
        table.play()
        yield len(table.state.actions), 1


# library, game, how it is called in the table, what plays it, what is made for each decision
ROWS = (
    ("vitienv", "viticulture", "Viticulture, 4 players, a batch of 1,024", vitienv_batch, SEES),
    ("vitienv", "toscana", "Toscana, 4 players, a batch of 1,024", vitienv_batch, SEES),
    ("vitienv", "viticulture", "Viticulture, 4 players, as PettingZoo's `env`", vitienv_aec, SEES),
    ("PettingZoo", "connect_four_v3", "Connect Four", pettingzoo, SEES),
    ("PettingZoo", "texas_holdem_v4", "Texas Hold'em", pettingzoo, SEES),
    ("PettingZoo", "chess_v6", "Chess", pettingzoo, SEES),
    ("OpenSpiel", "connect_four", "Connect Four", open_spiel, MASK),
    ("OpenSpiel", "gin_rummy", "Gin Rummy", open_spiel, MASK),
    ("OpenSpiel", "chess", "Chess", open_spiel, MASK),
    ("Pgx", "connect_four", "Connect Four, a batch of 1,024", pgx, SEES),
    ("Pgx", "othello", "Othello, a batch of 1,024", pgx, SEES),
    ("catanatron", "catan", "Catan, 4 players", catanatron, MASK),
)  # fmt: skip


def measure(number: int, seconds: float) -> dict[str, float]:
    """Play a row for some seconds of this process, on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    _, game, _, play, _ = ROWS[number]
    runs = play(game)
    next(runs)
    decisions = games = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        taken, ended = next(runs)
        decisions, games = decisions + taken, games + ended
    return {"decisions": decisions, "games": games, "seconds": spent}


def python_of(library: str) -> str:
    """The interpreter of a library's environment, which is made if need be."""
    needed, _ = LIBRARIES[library]
    if not needed:
        return sys.executable
    folder = WHERE / library
    python = folder / "bin" / "python"
    if not (folder / "done").exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check", *needed], check=True)
        (folder / "done").touch()
    return str(python)


def version_of(python: str, package: str) -> str:
    """The version of an installed package."""
    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def play_in_turn(rounds: int, seconds: float) -> Iterator[str]:
    """Play all rows in turn; after each round the table so far, in Markdown."""
    pythons = {library: python_of(library) for library in LIBRARIES}
    versions = {library: version_of(pythons[library], package) for library, (_, package) in LIBRARIES.items()}
    results: list[list[dict[str, float]]] = [[] for _ in ROWS]
    for turn in range(rounds):
        for number, (library, _, called, _, _) in enumerate(ROWS):
            done = subprocess.run(
                [pythons[library], __file__, "--row", str(number), "--seconds", str(seconds)],
                capture_output=True,
                text=True,
                env=os.environ | {"PYTHONPATH": str(ROOT) if library == "vitienv" else ""},
            )
            if done.returncode != 0:
                told = (done.stderr.strip().splitlines() or ["no word"])[-1]
                raise SystemExit(f"{library}, {called}: {told}")
            results[number].append(json.loads(done.stdout.splitlines()[-1]))
            rate = results[number][-1]["decisions"] / results[number][-1]["seconds"]
            print(f"round {turn + 1}: {library}, {called}: {rate:,.0f}", file=sys.stderr, flush=True)
        yield table(results, versions)


def table(found: list[list[dict[str, float]]], versions: dict[str, str]) -> str:
    """The best run of each row, and what it was measured on."""
    from vitienv.core.files import machine

    lines = ["| library | game | decisions/s | games/s | made for each decision |", "| --- | --- | --- | --- | --- |"]
    for (library, _, called, _, makes), runs in zip(ROWS, found):
        best = max(runs, key=lambda run: run["decisions"] / run["seconds"])
        rates = [_digits(best[what] / best["seconds"]) for what in ("decisions", "games")]
        lines.append(f"| {library} {versions[library]} | {called} | {rates[0]} | {rates[1]} | {makes} |")
    about = machine()
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    best_of = f"the best of {len(found[0])} rounds in turn" if len(found[0]) > 1 else "one round"
    lines += [
        "",
        f"One core of {about['cores']} ({about['processor']}{load}), Python {sys.version.split()[0]}; processor time, "
        f"{best_of} (`python benchmarks/others.py`). A decision is not the same unit in every game.",
    ]
    return "\n".join(lines)


def _digits(rate: float) -> str:
    """A rate with two digits that count."""
    if rate < 10:
        return f"{rate:.2g}"
    step = 10 ** (len(str(int(rate))) - 2)
    return f"{round(rate / step) * step:,}"


def main() -> None:
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--row", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, help="the page whose table is written anew")
    options = parser.parse_args()
    if options.row is not None:
        print(json.dumps(measure(options.row, options.seconds)))
        return
    sys.path.insert(0, str(ROOT))
    from vitienv.commands.tables import write_marked

    for made in play_in_turn(options.rounds, options.seconds):
        if options.write is not None:
            write_marked(options.write, "others", "Beside other libraries", [made])
    if options.write is None:
        print(made)


if __name__ == "__main__":
    main()
