"""Train a network with MaskablePPO against a mix of bots.

A run folder holds settings.json, checkpoint.zip (written atomically every few minutes and at the end), curve.csv
(over time the win rate against `random`, or alone against the Automa, and the points) and tb/ (TensorBoard). A killed
run goes on from its last checkpoint.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents import make_agent
from vitienv.core.files import atomic, machine, read_json, versions, write_json
from vitienv.core.options import Options
from vitienv.games import DEFAULT, definition, known_as
from vitienv.training.match import play
from vitienv.training.words import in_new_words

SETTINGS, CHECKPOINT, CURVE = "settings.json", "checkpoint.zip", "curve.csv"
DEFAULT_MINUTES = 10.0
CHECKPOINT_SECONDS = 60.0
EVALUATION_GAMES = 200
LAST_ROUND = 30  # games of beginners do not end by themselves
# Tuned for few cores: large minibatches, few epochs; the library's defaults learn six times slower.
NUM_ENVS = 64
HYPERPARAMETERS: dict[str, Any] = {
    "n_steps": 128,
    "batch_size": 2048,
    "n_epochs": 3,
    "gamma": 0.998,
    "gae_lambda": 0.95,
    "learning_rate": 4e-4,
    "ent_coef": 0.01,
    "clip_range": 0.2,
    "vf_coef": 0.5,
}
HIDDEN = [256, 256]


def train(
    opponents: Sequence[str] | None = None,
    num_players: int | None = None,
    minutes: float | None = None,
    steps: int | None = None,
    run: str | Path | None = None,
    agent_out: str | Path | None = None,
    resume: bool = False,
    seed: int = 0,
    num_envs: int | None = None,
    evaluation_games: int = EVALUATION_GAMES,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: bool = True,
    game: str = DEFAULT,
    games: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Train, and return what was reached.

    opponents: the bots met, an equal share of the games each; by default random and the rule of thumb, alone none.
    options: of the games, such as ruleset="solo", difficulty="hard"; game: its name. minutes, steps: stop after this
    much more time or this many decisions of the learner, whichever comes first (10 minutes if neither is given). run:
    the folder; resume goes on with the training in it. agent_out: where the finished bot is saved too; play it as
    "policy:FILE". num_envs: games at once, 64 if not given; games is its old name. Raises ValueError for a wrong
    setting or a damaged run folder.
    """
    import torch

    torch.set_flush_denormal(True)  # rewards are mostly zero: denormal numbers would slow torch down several times
    folder = Path(run) if run is not None else Path("runs") / time.strftime("train-%Y%m%d-%H%M%S")
    if minutes is None and steps is None:
        minutes = DEFAULT_MINUTES
    made = definition(game)
    played = made.options.of(num_players=num_players, **options)
    if opponents is None:
        opponents = [] if played.is_alone else list(dict.fromkeys(("random", made.rule_of_thumb)))
    options = {key: value for key, value in options.items() if key not in ("ruleset", played.LIMIT, "reward")}
    named = {name: n for name, n in (("games", games), ("num_envs", num_envs)) if n is not None}
    settings = _settings(
        folder, resume, opponents=list(opponents), ruleset=played.ruleset, num_players=played.num_players, seed=seed,
        options=options, game=game, **({"num_envs": NUM_ENVS} | in_new_words(named)),
    )  # fmt: skip
    played = _options(settings)
    env = make_training_env(settings["opponents"], played, settings["num_envs"])
    model = _model(folder, resume, env, settings["seed"], settings["game"])
    watch = _Watch(folder, minutes, steps, played, evaluation_games, checkpoint_seconds, progress)
    try:
        model.learn(10**12, callback=watch.callback(), reset_num_timesteps=not resume, tb_log_name="ppo")
    finally:
        watch.stop()
        save(model, folder / CHECKPOINT)
    watch.evaluate(model)
    if agent_out is not None:
        save(model, Path(agent_out))
    against = "automa" if played.is_alone else "random"
    return {"run": str(folder), "steps": int(model.num_timesteps), f"win_rate_against_{against}": watch.last_rate}


def _options(settings: dict[str, Any]) -> Options:
    """The options of the games. Alone the margin is the reward: a beginner never wins."""
    own = definition(settings["game"]).options
    reward = "margin" if settings["num_players"] == 1 else "win"
    return own.of(
        ruleset=settings["ruleset"], num_players=settings["num_players"], reward=reward,
        **{own.LIMIT: LAST_ROUND, **settings["options"]},
    )  # fmt: skip


def make_training_env(opponents: Sequence[str], options: Options, num_envs: int) -> Any:
    """A vector environment in which each bot is met in an equal share of the games."""
    from vitienv.envs.sb3 import LearnerVecEnv
    from vitienv.training.joined import JoinedVecEnv

    mix = [[name] for name in opponents] or [[]]
    share = max(1, num_envs // len(mix))
    told = {"game": known_as(options.definition), **options.to_dict()}
    parts = [LearnerVecEnv(share, opponents=bots, learner_seat="random", **told) for bots in mix]
    return JoinedVecEnv(parts)


def save(model: Any, path: Path) -> None:
    """Save a model so that a kill in the middle leaves the old file."""
    with atomic(path) as temporary, temporary.open("wb") as file:
        model.save(file)


def _settings(folder: Path, resume: bool, **wanted: Any) -> dict[str, Any]:
    """The settings of a new run, or those of the run to go on with."""
    if resume:
        settings = {"game": DEFAULT} | in_new_words(read_json(folder / SETTINGS))
        missing = [key for key in wanted if key not in settings]
        if missing:
            raise ValueError(f"{str(folder / SETTINGS)!r} is no training's settings: it has no {missing[0]!r}")
        return settings
    if (folder / CHECKPOINT).exists():
        raise ValueError(f"{str(folder)!r} holds a training already; go on with it (resume) or name another folder")
    for name in wanted["opponents"]:
        make_agent(name, game=wanted["game"])
    folder.mkdir(parents=True, exist_ok=True)
    write_json(folder / SETTINGS, wanted | {"versions": versions(), "machine": machine(), "ppo": HYPERPARAMETERS})
    return wanted


def _model(folder: Path, resume: bool, env: Any, seed: int, game: str) -> Any:
    from sb3_contrib import MaskablePPO

    from vitienv.agents.policy import find_weights, load_model
    from vitienv.training.features import CompressedFeatures

    if resume:
        model = load_model(find_weights(str(folder / CHECKPOINT)), "auto", game)
        model.set_env(env)
        return model
    policy = {"net_arch": HIDDEN, "features_extractor_class": CompressedFeatures}
    log = str(folder / "tb")
    return MaskablePPO("MlpPolicy", env, policy_kwargs=policy, seed=seed, tensorboard_log=log, **HYPERPARAMETERS)


def measure(model: Any, options: Options, games: int, seed: int = 1) -> tuple[float, float]:
    """The share of games that the model wins and its mean points, with `random` in all other seats.

    Ties count their share; alone, a draw with the Automa counts half.
    """
    num_players = options.num_players
    seats = np.arange(games) % num_players
    seating = np.where(np.arange(num_players) == seats[:, None], 0, 1)
    seeds = [seed * 1_000_000 + i // num_players for i in range(games)]
    other = make_agent("random", seed=seed, game=known_as(options.definition))
    played = play(options, seeds, seating, [_Playing(model), other])
    points = played.points[np.arange(games), seats]
    if num_players == 1:
        wins = (np.sign(played.rewards[:, 0]) + 1) / 2
    else:
        own = played.ranks[np.arange(games), seats]
        wins = np.where(own == 1, 1 / (played.ranks == 1).sum(axis=1), 0.0)
    return float(wins.mean()), float(points.mean())


class _Playing:
    """A model in training as a bot."""

    name = "learner"

    def __init__(self, model: Any) -> None:
        self._model = model

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Any = None) -> np.ndarray:
        return self._model.predict(observations, action_masks=masks, deterministic=True)[0]


class _Watch:
    """Ends the training in time, saves it, measures it and shows how far it is."""

    def __init__(
        self,
        folder: Path,
        minutes: float | None,
        steps: int | None,
        options: Options,
        games: int,
        checkpoint_seconds: float,
        progress: bool,
    ) -> None:
        self.folder, self.minutes, self.steps = folder, minutes, steps
        self.options, self.games, self.checkpoint_seconds = options, games, checkpoint_seconds
        self.against = "automa" if options.is_alone else "random"
        self.last_rate: float | None = None
        self._begun = self._saved = time.monotonic()
        self._first_step: int | None = None
        self._bar = None
        if progress:
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = (TextColumn("training"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                       TextColumn("{task.fields[said]}"))  # fmt: skip
            self._bar = Progress(*columns)
            self._task = self._bar.add_task("training", total=1.0, said="")
            self._bar.start()

    def callback(self) -> Any:
        """The library's callback that asks this object after every step."""
        from stable_baselines3.common.callbacks import BaseCallback

        watch = self

        class Callback(BaseCallback):
            def _on_step(self) -> bool:
                return watch.goes_on(self.model)

            def _on_rollout_end(self) -> None:
                watch.save_in_time(self.model)

        return Callback()

    def goes_on(self, model: Any) -> bool:
        """Whether neither time nor steps have run out."""
        if self._first_step is None:
            self._first_step = model.num_timesteps - model.n_envs
            self._begun = self._saved = time.monotonic()  # the engine is compiled by now
        taken, seconds = model.num_timesteps - self._first_step, time.monotonic() - self._begun
        shares = [taken / self.steps] if self.steps else []
        shares += [seconds / (60 * self.minutes)] if self.minutes else []
        if self._bar is not None:
            rate = "" if self.last_rate is None else f", {self.last_rate:.0%} against {self.against}"
            said = f"{model.num_timesteps:,} decisions, {taken / max(seconds, 1e-9):,.0f}/s{rate}"
            self._bar.update(self._task, completed=min(1.0, max(shares)), said=said)
        return max(shares) < 1.0

    def save_in_time(self, model: Any) -> None:
        """A checkpoint and a point of the curve, when the interval is over."""
        if time.monotonic() - self._saved >= self.checkpoint_seconds:
            save(model, self.folder / CHECKPOINT)
            self.evaluate(model)
            self._saved = time.monotonic()

    def evaluate(self, model: Any) -> None:
        """Measure the win rate and the points and add them to the curve."""
        self.last_rate, points = measure(model, self.options, self.games)
        path = self.folder / CURVE
        new = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if new:
                writer.writerow(["seconds", "decisions", f"win_rate_against_{self.against}", "points", "games"])
            seconds = round(time.monotonic() - self._begun, 1)
            writer.writerow([seconds, int(model.num_timesteps), round(self.last_rate, 4), round(points, 2), self.games])

    def stop(self) -> None:
        """Take the progress bar away."""
        if self._bar is not None:
            self._bar.stop()
