"""Train a network with MaskablePPO against a mix of bots.

A run folder holds settings.json, checkpoint.zip (the last network, to go on with; written whole or not at all: at the
start, after the first seconds, then every minute, and at the end), curve.csv (measured as often: over time the win rate
against `random`, or alone against the Automa, and the points), agent.safetensors (the best network of those measured,
for `policy:FILE`) and tb/ (TensorBoard). A killed run goes on from its last checkpoint.
"""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vitienv import threads as pools
from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.registry import check_told
from vitienv.agents.seating import make_bot, make_bots, measuring_seeds
from vitienv.core.definition import Definition
from vitienv.core.files import atomic, machine, read_json, versions, write_json
from vitienv.core.options import Options
from vitienv.games import DEFAULT, definition, known_as, told_game
from vitienv.training.measure.match import play, warm_up
from vitienv.training.measure.tournament import default_folder
from vitienv.training.run_folder import (
    CURVE,
    KINDS,
    SETTINGS,
    WEIGHTS,
    WINS,
    add_point,
    check_agent_out,
    check_new,
    held,
    points,
)

KIND, CHECKPOINT = "ppo", KINDS["ppo"]
DEFAULT_MINUTES = 10.0
CHECKPOINT_SECONDS, FIRST_SECONDS = 60.0, 20.0  # between two checkpoints, and before the first that has learned
LINE_SECONDS = 10.0  # between two lines when there is no terminal
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
HIDDEN = 256  # of both layers; the first is shared


def train(
    opponents: Sequence[str] | None = None,
    num_players: int | None = None,
    minutes: float | None = None,
    steps: int | None = None,
    run: str | Path | None = None,
    agent_out: str | Path | None = None,
    resume: bool = False,
    seed: int = 0,
    num_envs: int = NUM_ENVS,
    evaluation_games: int = EVALUATION_GAMES,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: bool = True,
    game: str = DEFAULT,
    threads: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """Train, and return what was reached.

    opponents: the bots met, an equal share of the games each; by default random and the rule of thumb, alone none.
    options: of the games, such as ruleset="solo", difficulty="hard"; game: its name. minutes, steps: stop after this
    much more time, measuring included, or this many decisions of the learner, those before resume too, whichever
    comes first (10 minutes if neither is given). run: the folder; resume goes on with the training in it. agent_out:
    where the best bot is saved too, as .safetensors, or the last as MaskablePPO's .zip; play either as "policy:FILE".
    num_envs: games at once. threads: of torch; as `vitienv.threads.of_learner` says if not given. Raises ValueError for
    a wrong setting, a damaged run folder or one in use; OSError for a file that cannot be written, before the training
    if it is agent_out.
    """
    import torch
    from torch.distributions import Distribution

    Distribution.set_default_validate_args(False)  # of every distribution at every decision: a tenth of the time
    torch.set_flush_denormal(True)  # rewards are mostly zero: denormal numbers would slow torch down several times
    folder = Path(run or default_folder(KIND))
    if minutes is None and steps is None:
        minutes = DEFAULT_MINUTES
    if agent_out is not None:
        check_agent_out(Path(agent_out), (".safetensors", ".zip"))
    made = definition(game)
    played = made.options.of(num_players=num_players, **options)
    if opponents is None:
        opponents = [] if played.is_alone else list(dict.fromkeys(("random", made.rule_of_thumb)))
    options = {key: value for key, value in options.items() if key not in ("ruleset", played.LIMIT, "reward")}
    wanted: dict[str, Any] = dict(
        opponents=list(opponents), ruleset=played.ruleset, num_players=played.num_players, seed=seed,
        options=options, game=game, num_envs=num_envs,
    )  # fmt: skip
    if resume:
        _saved(folder, wanted)
    else:
        check_new(folder)
        for name in wanted["opponents"]:
            make_agent(name, game=game)
    torch.set_num_threads(pools.of_learner(threads))
    with held(folder):
        settings = _saved(folder, wanted) if resume else _claim(folder, wanted)
        played = _options(settings)
        env = make_training_env(settings["opponents"], played, settings["num_envs"])
        model = _model(folder, resume, env, settings["seed"], settings["game"])
        told = {"method": KIND, "settings": settings, "reward": played.reward, "versions": versions()}
        watch = _Watch(folder, told, minutes, steps, played, evaluation_games, checkpoint_seconds, progress)
        try:
            watch.begin(model)
            if watch.goes_on(model):
                model.learn(10**12, callback=watch.callback(), reset_num_timesteps=not resume, tb_log_name=KIND)
        finally:
            watch.stop()
            watch.save(model)
        watch.evaluate(model)
        if agent_out is not None:
            _save_as(model, folder, Path(agent_out))
    return {"run": str(folder), "steps": int(model.num_timesteps), **watch.reached()}


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
    from vitienv.training.ppo.joined import JoinedVecEnv

    mix = [[name] for name in opponents] or [[]]
    share = max(1, num_envs // len(mix))
    told = {"game": known_as(options.definition), **options.to_dict()}
    parts = [LearnerVecEnv(share, opponents=bots, learner_seat="random", **told) for bots in mix]
    return JoinedVecEnv(parts)


def save(model: Any, path: Path) -> None:
    """Save a model with the user's seal, so that a kill in the middle leaves the old file."""
    packed = io.BytesIO()
    model.save(packed)
    with atomic(path) as temporary:
        temporary.write_bytes(trust.seal_zip(packed.getvalue()))


def save_weights(model: Any, path: Path, trained: dict[str, Any], game: Definition) -> None:
    """Write what a model plays by as numbers alone, to be played as policy:FILE. trained: how it came about."""
    from vitienv.agents.mlp import save_mlp

    policy = model.policy
    first = [layer for layer in (policy.features_extractor.first,) if layer is not None]
    policy_tower, value_tower = [
        [(layer.weight.detach().cpu().numpy(), layer.bias.detach().cpu().numpy())
         for layer in (*first, *net, head) if hasattr(layer, "weight")]
        for net, head in ((policy.mlp_extractor.policy_net, policy.action_net),
                          (policy.mlp_extractor.value_net, policy.value_net))
    ]  # fmt: skip
    save_mlp(path, policy_tower, value_tower, trained | {"decisions": int(model.num_timesteps)}, game)


def _save_as(model: Any, folder: Path, path: Path) -> None:
    if path.suffix == ".zip":
        save(model, path)
    else:
        with atomic(path) as temporary:
            temporary.write_bytes((folder / WEIGHTS).read_bytes())


def _saved(folder: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """The settings of the run to go on with. ValueError if there is none, or if it would run a stranger's code."""
    saved = read_json(folder / SETTINGS)
    if not isinstance(saved, dict) or saved.get("kind", KIND) != KIND:
        raise ValueError(f"{str(folder)!r} does not hold a training with MaskablePPO")
    settings = {key: value for key, value in saved.items() if key != trust.SEAL}
    missing = [key for key in wanted if key not in settings]
    if missing:
        raise ValueError(f"{str(folder / SETTINGS)!r} is no training's settings: it has no {missing[0]!r}")
    if not (folder / CHECKPOINT).exists():
        raise ValueError(f"{str(folder)!r} has no {CHECKPOINT} yet: nothing to go on with; begin anew without --resume")
    if not trust.is_own(saved):
        check_told(settings["opponents"], repr(str(folder / SETTINGS)), told_game(settings["game"]))
    return {key: settings[key] for key in wanted}


def _claim(folder: Path, wanted: dict[str, Any]) -> dict[str, Any]:
    """Write the settings of a new run."""
    check_new(folder)  # another process may have been here
    about = {"kind": KIND, **wanted, "versions": versions(), "machine": machine(), "ppo": HYPERPARAMETERS}
    write_json(folder / SETTINGS, trust.sealed(about))
    return wanted


def _model(folder: Path, resume: bool, env: Any, seed: int, game: str) -> Any:
    from sb3_contrib import MaskablePPO

    from vitienv.agents.policy import find_weights, load_model
    from vitienv.training.ppo.features import CompressedFeatures

    if resume:
        model = load_model(find_weights(str(folder / CHECKPOINT)), "auto", game)
        model.set_env(env)
        return model
    policy = {"net_arch": [HIDDEN], "features_extractor_class": CompressedFeatures,
              "features_extractor_kwargs": {"hidden": HIDDEN}}  # fmt: skip
    log = str(folder / "tb")
    return MaskablePPO("MlpPolicy", env, policy_kwargs=policy, seed=seed, tensorboard_log=log, **HYPERPARAMETERS)


def measure(model: Any, options: Options, games: int, seed: int = 1) -> tuple[float, float]:
    """The share of games that the model wins and its mean points, with `random` in all other seats.

    Ties count their share; alone, a draw with the Automa counts half.
    """
    num_players = options.num_players
    seats = np.arange(games) % num_players
    seating = np.where(np.arange(num_players) == seats[:, None], 0, 1)
    seeds = measuring_seeds(seed, games, num_players)
    other = make_bot("random", seed, known_as(options.definition))
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


class _Measured(NamedTuple):
    """A network as it was measured; the larger the better."""

    rate: float  # games won, of those measured
    points: float  # on the mean
    decisions: int  # after which it was measured


def _best(curve: Path, column: str) -> _Measured | None:
    """The best of the networks measured so far: what a run that is gone on with has kept."""
    found = [_Measured(float(row[column]), float(row["points"]), int(row["decisions"])) for row in points(curve)]
    return max(found, default=None)


class _Watch:
    """Ends the training in time, saves it, measures it and shows how far it is."""

    def __init__(
        self,
        folder: Path,
        told: dict[str, Any],
        minutes: float | None,
        steps: int | None,
        options: Options,
        games: int,
        checkpoint_seconds: float,
        progress: bool,
    ) -> None:
        """told: how the weights came about, for their file."""
        self.folder, self.told, self.minutes, self.steps = folder, told, minutes, steps
        self.options, self.games, self.checkpoint_seconds = options, games, checkpoint_seconds
        self.against = "automa" if options.is_alone else "random"
        self.last: _Measured | None = None
        self.best = _best(folder / CURVE, f"{WINS}{self.against}")
        self._measuring = 0.0  # seconds that it took the last time
        self._begun = self._saved = self._told_at = time.monotonic()
        self._first_step = 0
        self._says, self._bar = progress, None
        if progress and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

            columns = (TextColumn("training"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
                       TextColumn("{task.fields[said]}"))  # fmt: skip
            self._bar = Progress(*columns, console=Console(stderr=True))
            self._task = self._bar.add_task("training", total=1.0, said="")

    def begin(self, model: Any) -> None:
        """The first checkpoint, and the first point of the curve: from here on the folder can be gone on with."""
        own = self.options.definition
        named = dict.fromkeys(("random", own.rule_of_thumb, *self.told["settings"]["opponents"]))
        warm_up(make_bots(named, 0, known_as(own)), own)  # what is compiled takes no time
        if self._bar is not None:
            self._bar.start()
        self._first_step = model.num_timesteps
        self._begun = time.monotonic()
        self.save(model)
        self.evaluate(model)
        self._saved = time.monotonic() + min(0.0, FIRST_SECONDS - self.checkpoint_seconds)

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
        now = time.monotonic()
        taken, seconds = model.num_timesteps - self._first_step, now - self._begun
        shares = [model.num_timesteps / self.steps] if self.steps else []
        shares += [(seconds + self._measuring) / (60 * self.minutes)] if self.minutes else []
        share = min(1.0, max(shares))
        if self._says and (self._bar is not None or now - self._told_at >= LINE_SECONDS):
            rate = f", won {self.last.rate:.0%} of {self.games} games against {self.against}" if self.last else ""
            said = f"{model.num_timesteps:,} decisions, {taken / max(seconds, 1e-9):,.0f}/s{rate}"
            if self._bar is not None:
                self._bar.update(self._task, completed=share, said=said)
            else:
                print(f"training {share:4.0%} {seconds:,.0f} s: {said}", file=sys.stderr, flush=True)
                self._told_at = now
        return share < 1.0

    def save(self, model: Any) -> None:
        """The checkpoint; where there is no bot yet, one before it."""
        if not (self.folder / WEIGHTS).exists():
            save_weights(model, self.folder / WEIGHTS, self.told, self.options.definition)
        save(model, self.folder / CHECKPOINT)

    def save_in_time(self, model: Any) -> None:
        """A checkpoint and a point of the curve, when the interval is over."""
        if time.monotonic() - self._saved >= self.checkpoint_seconds:
            self.save(model)
            self.evaluate(model)
            self._saved = time.monotonic()

    def evaluate(self, model: Any) -> None:
        """Measure the win rate and the points, keep the network if none was better, and add a point to the curve."""
        began = time.monotonic()
        with pools.one_torch_thread():
            rate, points = measure(model, self.options, self.games)
        self.last = now = _Measured(round(rate, 4), round(points, 2), int(model.num_timesteps))
        if self.best is None or now >= self.best:
            save_weights(model, self.folder / WEIGHTS, self.told, self.options.definition)
            self.best = now
        add_point(self.folder / CURVE, {
            "seconds": round(time.monotonic() - self._begun, 1), "decisions": now.decisions,
            f"{WINS}{self.against}": now.rate, "points": now.points, "games": self.games,
        })  # fmt: skip
        self._measuring = time.monotonic() - began

    def reached(self) -> dict[str, Any]:
        """What was measured, for the result of a run: the best network, when that was, and the last one."""
        if self.best is None or self.last is None:
            return {}
        return {
            f"{WINS}{self.against}": self.best.rate, "best_after": self.best.decisions, "last_win_rate": self.last.rate,
            "measured_games": self.games,
        }  # fmt: skip

    def stop(self) -> None:
        """Take the progress bar away."""
        if self._bar is not None:
            self._bar.stop()
