"""Work that is killed at any moment and gone on with: what each process does, and what must be true after a kill.

A process that is killed is forked from one that has everything loaded and compiled, so that kills hit the work and not
the loading.
"""

from __future__ import annotations

import json
import os
import zipfile
from importlib import import_module
from pathlib import Path

import numpy as np
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
from vitienv.training.ppo import train
from vitienv.training.run_dir import add_point, is_evaluated, points
from vitienv.training.selfplay import train as selfplay
from vitienv.training.selfplay.learner import Learner
from vitienv.training.viticulture.campaign import Campaign

import_module("torch._dynamo")  # which takes seconds, and torch loads it when it makes the first optimiser
TOLD = "told"  # beside the work: what it had done, a number a line, as it went on


class Work:
    """Something that ends after a while. `do` begins it or goes on with it, `check` looks at it after a kill, and
    `result` is what must not depend on kills."""

    def do(self, folder: Path) -> None:
        raise NotImplementedError

    def check(self, folder: Path) -> None:
        pass

    def result(self, folder: Path) -> object:
        raise NotImplementedError


def tell(folder: Path, number: int) -> None:
    """Note at once how far the work is."""
    handle = os.open(folder / TOLD, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.write(handle, f"{number}\n".encode())
    os.close(handle)


def told(folder: Path) -> list[int]:
    return [int(line) for line in (folder / TOLD).read_text().splitlines()] if (folder / TOLD).exists() else []


class Tournament(Work):
    """Chunks of two games; finished, its files are those of an undisturbed one, byte for byte."""

    settings = Settings(("random", "random:seed=3", "heuristic"), 3, 24, seed=4, chunk_size=2, options={"max_years": 3})

    def do(self, folder: Path) -> None:
        run_tournament(self.settings, folder / "run", on_progress=lambda done, _: tell(folder, done))

    def check(self, folder: Path) -> None:
        run, done = folder / "run", max(told(folder), default=0)
        if not (run / "results.json").exists():
            assert 2 * len(list((run / "chunks").glob("[0-9]*"))) >= done

    def result(self, folder: Path) -> object:
        return contents(folder / "run")


class SelfPlay(Work):
    """Updates, each with a checkpoint: at the end network, games and chance are those of an undisturbed run."""

    steps = 1024  # the span of the learning rate, for every resumption
    settings = {
        "mix": "2:1,solo:1",
        "num_envs": 8,
        "num_steps": 16,
        "hidden": 8,
        "minibatch_size": 64,
        "num_snapshots": 1,
        "snapshot_interval": 3,
        "league": ("heuristic",),
        "max_years": 3,
        "value_warmup_updates": 0,
    }

    def do(self, folder: Path) -> None:
        update = Learner.update

        def noted(learner: Learner, share: float = 0.0) -> dict[str, float]:
            tell(folder, learner.updates)
            return update(learner, share)

        def measured(self: monitor.Monitor, learner: Learner, *_: object) -> None:
            row = {"decisions": learner.decisions, "updates": learner.updates}
            if not is_evaluated(self.folder / "curve.csv", row):
                add_point(self.folder / "curve.csv", row)

        Learner.update, monitor.Monitor.evaluate = noted, measured
        run = folder / "run"
        is_begun = (run / selfplay.CHECKPOINT).exists()
        if not is_begun or self.saved(folder)["own"][0]["decisions"] < self.steps:
            own = {"resume": True} if is_begun else self.settings
            selfplay.train_selfplay(
                run,
                steps=self.steps,
                device="cpu",
                threads=1,
                eval_opponents=[],
                checkpoint_seconds=0,
                progress=False,
                **own,
            )

    def saved(self, folder: Path) -> dict:
        return torch.load(folder / "run" / selfplay.CHECKPOINT, weights_only=True)

    def check(self, folder: Path) -> None:
        run, begun = folder / "run", told(folder)
        if begun:  # what it was about to learn from was saved before
            assert self.saved(folder)["shared"]["updates"] >= begun[-1]
            make_agent(f"policy:{run / 'agent.safetensors'}")
        measured = [int(row["decisions"]) for row in points(run / "curve.csv")]
        assert measured == sorted(set(measured))

    def result(self, folder: Path) -> object:
        whole = self.saved(folder)
        tensors: list[bytes] = []

        def flat(part: object) -> None:
            if isinstance(part, torch.Tensor):
                tensors.append(part.numpy().tobytes())
            elif isinstance(part, dict):
                for name in sorted(part, key=str):
                    tensors.append(str(name).encode())
                    flat(part[name])
            elif isinstance(part, list | tuple):
                for each in part:
                    flat(each)
            else:
                tensors.append(repr(part).encode())

        flat([whole["shared"], whole["own"]])
        return tensors


class Maskable(Work):
    """MaskablePPO: its decisions never become fewer than at the last checkpoint, and its curve says nothing twice."""

    n = 512

    def do(self, folder: Path) -> None:
        run = folder / "run"
        save = train._Training.save

        def noted(self: train._Training) -> None:
            save(self)
            tell(folder, self.taken)

        train._Training.save = noted
        train.HYPERPARAMETERS = train.HYPERPARAMETERS | {"n_steps": 16, "n_epochs": 1}
        is_begun = (run / train.CHECKPOINT).exists()
        train.train(["random"], run=run, resume=is_begun, steps=self.n, num_envs=8, evaluation_games=2, threads=1,
                    minibatch_size=64, checkpoint_seconds=0, progress=False)  # fmt: skip

    def check(self, folder: Path) -> None:
        run, done = folder / "run", told(folder)
        assert done == sorted(done)
        if done:
            with zipfile.ZipFile(run / train.CHECKPOINT) as archive:
                assert json.loads(archive.read("data"))["num_timesteps"] >= done[-1]
            make_agent(f"policy:{run / 'agent.safetensors'}")
        measured = [int(row["decisions"]) for row in points(run / "curve.csv")]
        assert measured == sorted(set(measured)) and (not measured or measured[-1] <= max(done))

    def result(self, folder: Path) -> object:
        assert self.n <= max(told(folder)) < self.n + 8 * 16 + 1
        return None


class Challenge(Work):
    """A challenge that is won after some 24 seeds: it is noted once, with the samples of an undisturbed one."""

    def do(self, folder: Path) -> None:
        file = folder / "ladder.json"
        if not file.exists():
            Ladder([Champion("2", "random", beaten="heuristic", game="viticulture")]).save(file)
        if len(Ladder.load(file).champions) == 1:
            play = ladder.play_seeds

            def noted(*arguments: object) -> object:
                tell(folder, int(arguments[-2]))
                return play(*arguments)

            ladder.play_seeds = noted
            told_ = [
                "ladder",
                "challenge",
                "heuristic",
                "--file",
                str(file),
                "--effect-size",
                "0.02",
                "--processes",
                "1",
            ]
            assert cli.run(told_) == 0

    def check(self, folder: Path) -> None:
        if (folder / "ladder.json").exists():
            assert len(Ladder.load(folder / "ladder.json").champions) in (1, 2)
        kept, begun = list(folder.glob(".challenge-*.json")), told(folder)
        if begun and len(Ladder.load(folder / "ladder.json").champions) == 1 and begun[-1] > 0:
            parts = json.loads(kept[0].read_text())["parts"]
            assert sum(len(part["samples"]) for part in parts) >= begun[-1]

    def result(self, folder: Path) -> object:
        assert [path.name for path in folder.iterdir() if path.name[0] != "." and path.name != TOLD] == ["ladder.json"]
        return Ladder.load(folder / "ladder.json").champions


class WholeCampaign(Work):
    """Twelve games of a campaign, each noted once."""

    n = 12

    def do(self, folder: Path) -> None:
        file, bot = folder / "campaign.json", make_agent("heuristic")
        campaign = Campaign.load(file) if file.exists() else Campaign(difficulty="very_easy", seed=3)
        while campaign.score < self.n and not campaign.is_complete:
            game = campaign.next_game()
            while not game.is_over:
                game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
            campaign.record(game)
            campaign.save(file)
            tell(folder, campaign.score)

    def check(self, folder: Path) -> None:
        done = told(folder)
        assert done == sorted(set(done))
        if done:
            assert done[-1] <= Campaign.load(folder / "campaign.json").score

    def result(self, folder: Path) -> object:
        return Campaign.load(folder / "campaign.json")


WORKS = {"tournament": Tournament(), "selfplay": SelfPlay(), "ppo": Maskable(), "ladder": Challenge(),
         "campaign": WholeCampaign()}  # fmt: skip


def do(name: str, folder: str) -> None:
    """What a process does; it says nothing."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    WORKS[name].do(Path(folder))


def warm_up() -> None:
    """Load and compile what the work needs; for the process from which the others are forked."""
    import sb3_contrib  # noqa: F401

    torch.set_num_threads(1)
    for options in ({"num_players": 2}, {"ruleset": "solo"}):
        game, bot = vitienv.Game.new(seed=1, **options), make_agent("heuristic")
        game.step(int(bot.act(game.observation()[None], game.mask[None])[0]))
    match.warm_up([make_agent("heuristic"), make_agent("random", seed=0)], game_spec())
    env = train.make_training_env(["random"], game_spec().options.of(num_players=2), 8)
    env.reset()
    env.step(np.stack(env.env_method("action_masks")).argmax(axis=1))


warm_up()
