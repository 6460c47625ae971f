"""What `vitienv bench` measures of learning: self-play as it comes, and games whose decisions are all searched.

Decisions are counted for each second of processor time: beside other work too, that is what a quiet core makes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from vitienv.commands.bench.timing import rates, value
from vitienv.games import definition, known_as
from vitienv.threads import one_torch_thread
from vitienv.training.search.games import Settings as Searched
from vitienv.training.search.games import file_of, play_file, read_file
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.network import Architecture, PolicyValue, save_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.train import usual

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.core.options import Options

GAMES, SIMULATIONS, WIDTH = 32, 32, 128


def measure(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Decisions of self-play that learns, and searched ones, for a second of one core."""
    rows = []
    for name, once in _calls(options.definition, seed).items():
        once()
        measured = rates(once, runs, seconds, time.process_time)
        rows.append(value(f"{name}, for a second of one core", "decisions/s", measured))
    return rows


def _calls(made: Definition, seed: int) -> dict[str, Callable[[], int]]:
    """What is measured, by its name: each call plays, or plays and learns, and returns the decisions made."""
    game = known_as(made)
    learner = Learner(Settings(**usual(made) | {"game": game, "seed": seed, "warm": 0}), Processes("cpu"))
    table = next(iter(made.tables))
    how = Searched(game=game, mix=f"{table}:1", games=GAMES, seed=seed, dear=SIMULATIONS, dear_share=1.0, hidden=WIDTH)
    files = iter(range(10**9))

    def learned() -> int:
        before = learner.decisions
        with one_torch_thread():
            learner.update()
        return learner.decisions - before

    def searched() -> int:
        with tempfile.TemporaryDirectory() as folder:
            weights, number = Path(folder) / "weights.safetensors", next(files)
            torch.manual_seed(seed)
            save_network(weights, PolicyValue(Architecture(WIDTH), game), {"settings": {}})
            play_file(str(weights), how, number, folder)
            return read_file(file_of(Path(folder), number), definition(game)).counts["searched"]

    return {
        f"self-play, {learner.settings.mix}, decisions learned from": learned,
        f"searched decisions, table {table}, width {WIDTH}, {SIMULATIONS} simulations": searched,
    }
