"""Works that are killed at any moment and resumed: their processes, and the checks after a kill.

`run` starts or resumes a work, `check` follows a kill, and `result` must not depend on kills. Killed processes are
forked from one with all modules and kernels, so that kills hit the work instead of imports.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path

import torch

import vitienv
from tests.command import contents
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.registry import game_spec
from vitienv.training import monitor
from vitienv.training.evaluation import ladder, match
from vitienv.training.evaluation.ladder import Champion, Ladder
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.run_dir import add_point, is_evaluated, points
from vitienv.training.selfplay import train as selfplay
from vitienv.training.selfplay.learner import Learner

import_module("torch._dynamo")  # takes seconds; torch imports it with the first optimiser
PROGRESS = "progress"  # file with the progress of the work, a number per line


def report(folder: Path, number: int) -> None:
    handle = os.open(folder / PROGRESS, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{number}\n".encode())
    os.close(handle)


def progress_of(folder: Path) -> list[int]:
    file = folder / PROGRESS
    return [int(line) for line in file.read_text().splitlines()] if file.exists() else []


class Tournament:
    """Chunks of two games; the files of a finished one equal those of an undisturbed one byte for byte."""

    settings = Settings(("random", "random:seed=3", "heuristic"), 3, 24, seed=4, chunk_size=2, options={"max_years": 3})

    def run(self, folder: Path) -> None:
        run_tournament(self.settings, folder / "run", on_progress=lambda done, _: report(folder, done))

    def check(self, folder: Path) -> None:
        run, num_games = folder / "run", max(progress_of(folder), default=0)
        if not (run / "results.json").exists():
            assert 2 * len(list((run / "chunks").glob("[0-9]*"))) >= num_games

    def result(self, folder: Path) -> object:
        return contents(folder / "run")


class SelfPlay:
    """Updates with a checkpoint each; network, games and RNGs of a finished run equal those of an undisturbed one."""

    steps = 1024
    settings = {
        "mix": "2:1,solo:1", "num_envs": 8, "num_steps": 16, "hidden": 8, "minibatch_size": 64, "num_snapshots": 1,
        "snapshot_interval": 3, "league": ("heuristic",), "max_years": 3, "value_warmup_updates": 0,
    }  # fmt: skip

    def run(self, folder: Path) -> None:
        update = Learner.update

        def reported_update(learner: Learner, share: float = 0.0) -> dict[str, float]:
            report(folder, learner.updates)
            return update(learner, share)

        def evaluate(self: monitor.Monitor, learner: Learner, *_: object) -> None:
            row = {"decisions": learner.decisions, "updates": learner.updates}
            if not is_evaluated(self.folder / "curve.csv", row):
                add_point(self.folder / "curve.csv", row)

        Learner.update, monitor.Monitor.evaluate = reported_update, evaluate
        run = folder / "run"
        is_resumed = (run / selfplay.CHECKPOINT).exists()
        if not is_resumed or self.saved(folder)["own"][0]["decisions"] < self.steps:
            settings = {"resume": True} if is_resumed else self.settings
            selfplay.train_selfplay(run, steps=self.steps, device="cpu", threads=1, eval_opponents=[],
                                    checkpoint_seconds=0, progress=False, **settings)  # fmt: skip

    def saved(self, folder: Path) -> dict:
        return torch.load(folder / "run" / selfplay.CHECKPOINT, weights_only=True)

    def check(self, folder: Path) -> None:
        run, updates = folder / "run", progress_of(folder)
        if updates:  # each update is preceded by a checkpoint
            assert self.saved(folder)["shared"]["updates"] >= updates[-1]
            make_agent(f"policy:{run / 'agent.safetensors'}")
        evaluated = [int(row["decisions"]) for row in points(run / "curve.csv")]
        assert evaluated == sorted(set(evaluated))

    def result(self, folder: Path) -> object:
        checkpoint = self.saved(folder)
        return _as_bytes([checkpoint["shared"], checkpoint["own"]])


def _as_bytes(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return value.numpy().tobytes()
    if isinstance(value, dict):
        return {name: _as_bytes(item) for name, item in value.items()}
    return [_as_bytes(item) for item in value] if isinstance(value, list | tuple) else value


class Challenge:
    """A challenge that is accepted after about 24 seeds: recorded once, with the samples of an undisturbed one."""

    def run(self, folder: Path) -> None:
        file = folder / "ladder.json"
        if not file.exists():
            Ladder([Champion("2", "random", beaten="heuristic", game="viticulture")]).save(file)
        if len(Ladder.load(file).champions) == 1:
            play = ladder.play_seeds

            def reported_play(*arguments: object) -> object:
                report(folder, int(arguments[-2]))
                return play(*arguments)

            ladder.play_seeds = reported_play
            command = f"ladder challenge heuristic --file {file} --effect-size 0.02 --processes 1"
            assert cli.run(command.split()) == 0

    def check(self, folder: Path) -> None:
        if (folder / "ladder.json").exists():
            assert len(Ladder.load(folder / "ladder.json").champions) in (1, 2)
        saved_parts, first_seeds = list(folder.glob(".challenge-*.jsonl")), progress_of(folder)
        if first_seeds and len(Ladder.load(folder / "ladder.json").champions) == 1 and first_seeds[-1] > 0:
            parts = [json.loads(line) for line in saved_parts[0].read_text().splitlines()[1:] if line.endswith("}")]
            assert sum(len(part["samples"]) for part in parts) >= first_seeds[-1]

    def result(self, folder: Path) -> object:
        names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
        assert names - {PROGRESS} == {"ladder.json"}
        return Ladder.load(folder / "ladder.json").champions


WORKS = {"tournament": Tournament(), "selfplay": SelfPlay(), "ladder": Challenge()}


def run_work(name: str, folder: str) -> None:
    """Run a work without output."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    WORKS[name].run(Path(folder))


def warm_up() -> None:
    """Load and compile everything in the process from which others are forked."""
    torch.set_num_threads(1)
    for options in ({"num_players": 2}, {"ruleset": "solo"}):
        game, bot = vitienv.Game.new(seed=1, **options), make_agent("heuristic")
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
    match.warm_up([make_agent("heuristic"), make_agent("random", seed=0)], game_spec())


warm_up()
