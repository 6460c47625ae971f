"""Train a network with MaskablePPO against a mix of bots.

A run folder holds settings.json, checkpoint.zip (the last network, to go on with; written whole or not at all: at the
start, after the first seconds, then every minute, and at the end), curve.csv (measured as often: over time the win rate
against `random`, or alone against the Automa, and the points), agent.safetensors (the best network of those measured,
for `policy:FILE`) and tb/ (TensorBoard). A killed run goes on from its last checkpoint.
"""

from __future__ import annotations

import io
import time
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vitienv import threads as pools
from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.seating import make_bot, make_bots, measuring_seeds
from vitienv.core.definition import Definition
from vitienv.core.files import atomic, versions
from vitienv.core.options import Options
from vitienv.games import definition, known_as
from vitienv.training.measure.match import play, warm_up
from vitienv.training.measure.tournament import default_folder
from vitienv.training.ppo.settings import HIDDEN, HYPERPARAMETERS, Call, Settings
from vitienv.training.run import Loop, Progress, check_steps, claim, read_call, settings_in
from vitienv.training.run_folder import (
    CURVE,
    KINDS,
    WEIGHTS,
    WINS,
    add_point,
    check_agent_out,
    check_new,
    held,
    is_evaluated,
    points,
)
from vitienv.training.settings import settings_of

KIND, CHECKPOINT = "ppo", KINDS["ppo"]
LAST_ROUND = 30  # games of beginners do not end by themselves


def train(opponents: Sequence[str] | None = None, **given: Any) -> dict[str, Any]:
    """Train, and return what was reached.

    opponents: the bots met; given: the other fields of `settings.Settings` and of `settings.Call`, and options of the
    games, such as ruleset="solo", difficulty="hard". A resumed run has its own settings. The bot of agent_out is the
    best one, or as MaskablePPO's .zip the last; play either as "policy:FILE". Raises ValueError for a wrong setting, a
    damaged run folder or one in use; OSError for a file that cannot be written, before the training if it is agent_out.
    """
    import torch
    from torch.distributions import Distribution

    Distribution.set_default_validate_args(False)  # of every distribution at every decision: a tenth of the time
    torch.set_flush_denormal(True)  # rewards are mostly zero: denormal numbers would slow torch down several times
    call, asked = read_call(given if opponents is None else {**given, "opponents": tuple(opponents)}, Call)
    folder = Path(call.run or default_folder(KIND))
    if call.agent_out is not None:
        check_agent_out(Path(call.agent_out), (".safetensors", ".zip"))
    settings = _saved(folder, asked) if call.resume else _settings(asked)
    if not call.resume:
        check_new(folder)
        for name in settings.opponents or ():
            make_agent(name, game=settings.game)
        check_steps(call.steps, HYPERPARAMETERS["n_steps"] * _num_envs(settings))
    torch.set_num_threads(pools.of_learner(call.threads))
    with held(folder):
        if not call.resume:
            claim(folder, KIND, settings, call, ppo=HYPERPARAMETERS)
        training = _Training(folder, settings, call)
        loop = Loop(training, call)
        try:
            with loop.interrupt:
                loop.begin()
                loop.go()
        finally:
            training.progress.stop()
        if call.agent_out is not None:
            _save_as(training.model, folder, Path(call.agent_out))
    reached = training.reached()
    return {"run": str(folder), "steps": training.taken, **reached, "is_interrupted": loop.interrupt.came}


def _settings(values: dict[str, Any]) -> Settings:
    """The settings of a new run; the remaining keywords of `given` are options of the games."""
    known = {one.name for one in fields(Settings)}
    settings = settings_of(Settings, {name: value for name, value in values.items() if name in known})
    of_game = ("ruleset", "difficulty")
    options = {name: value for name, value in values.items() if name not in known or name in of_game}
    made = definition(settings.game)
    played = made.options.of(num_players=settings.num_players, **options)
    usual = () if played.is_alone else tuple(dict.fromkeys(("random", made.rule_of_thumb)))
    return replace(
        settings, opponents=usual if settings.opponents is None else settings.opponents, ruleset=played.ruleset,
        num_players=played.num_players,
        options={key: value for key, value in options.items() if key not in (*of_game, played.LIMIT, "reward")},
    )  # fmt: skip


def _saved(folder: Path, asked: dict[str, Any]) -> Settings:
    known = {one.name for one in fields(Settings)}
    others = {name: value for name, value in asked.items() if name not in known}
    asked = {name: value for name, value in asked.items() if name in known} | ({"options": others} if others else {})
    return settings_in(folder, KIND, Settings, asked, lambda values: settings_of(Settings, values))


def _options(settings: Settings) -> Options:
    """The options of the games. Alone the margin is the reward: a beginner never wins."""
    of_game = definition(settings.game).options
    reward = "margin" if settings.num_players == 1 else "win"
    return of_game.of(
        ruleset=settings.ruleset, num_players=settings.num_players, reward=reward,
        **{of_game.LIMIT: LAST_ROUND, **settings.options},
        **({} if settings.difficulty is None else {"difficulty": settings.difficulty}),
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


def _num_envs(settings: Settings) -> int:
    parts = max(1, len(settings.opponents or ()))
    return parts * max(1, settings.num_envs // parts)


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
    return MaskablePPO("MlpPolicy", env, policy_kwargs=policy, seed=seed, **HYPERPARAMETERS)


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


def _rows(curve: Path, column: str) -> list[_Measured]:
    return [_Measured(float(row[column]), float(row["points"]), int(row["decisions"])) for row in points(curve)]


def _best(curve: Path, column: str) -> _Measured | None:
    """The best of the networks measured so far: what a run that is gone on with has kept."""
    return max(_rows(curve, column), default=None)


class _Training:
    """MaskablePPO at work on a run; see `run.Training`."""

    def __init__(self, folder: Path, settings: Settings, call: Call) -> None:
        from stable_baselines3.common.logger import configure

        self.folder, self.options, self.games = folder, _options(settings), call.evaluation_games
        own = self.options.definition
        named = dict.fromkeys(("random", own.rule_of_thumb, *(settings.opponents or ())))
        warm_up(make_bots(named, 0, known_as(own)), own)  # compiling takes no time of the run
        env = make_training_env(settings.opponents or (), self.options, settings.num_envs)
        self.model = _model(folder, call.resume, env, settings.seed, settings.game)
        self.model.set_logger(configure(str(folder / "tb" / f"{KIND}_1"), ["tensorboard"]))
        self.about = {
            "method": KIND, "settings": asdict(settings), "reward": self.options.reward, "versions": versions(),
        }  # fmt: skip
        self.against = "automa" if self.options.is_alone else "random"
        self.last = next(reversed(_rows(folder / CURVE, f"{WINS}{self.against}")), None)
        self.best = _best(folder / CURVE, f"{WINS}{self.against}")
        self.updates = 0  # of this call
        self.progress = Progress(call.progress)
        self._call_began, self._first_step = time.monotonic(), self.taken
        self._began = self._call_began - getattr(self.model, "run_seconds", 0.0)

    @property
    def taken(self) -> int:
        """Decisions of the learner."""
        return int(self.model.num_timesteps)

    def step(self, share: float) -> None:
        """Play a rollout and learn from it."""
        self.model.learn(self.model.n_steps * self.model.n_envs, reset_num_timesteps=False)
        self.updates += 1
        self.progress.tell("training", share, self._line)

    def _line(self) -> str:
        seconds = max(time.monotonic() - self._call_began, 1e-9)
        last, rate = self.last, ""
        if last is not None:
            won = f"won {last.rate:.0%} of {self.games} games against {self.against}"
            rate = f"; after {last.decisions:,} decisions {won}"
        return f"{self.taken:,} decisions, {(self.taken - self._first_step) / seconds:,.0f}/s{rate}"

    def save(self) -> None:
        """The checkpoint; where there is no bot yet, one before it."""
        if not (self.folder / WEIGHTS).exists():
            save_weights(self.model, self.folder / WEIGHTS, self.about, self.options.definition)
        self.model.run_seconds = time.monotonic() - self._began
        save(self.model, self.folder / CHECKPOINT)

    def evaluate(self) -> None:
        """Measure the win rate and the points, keep the network if none was better, and add a point to the curve."""
        if not self.games or is_evaluated(self.folder / CURVE, {"decisions": self.taken}):
            return
        with pools.one_torch_thread():
            rate, points = measure(self.model, self.options, self.games)
        self.last = now = _Measured(round(rate, 4), round(points, 2), self.taken)
        if self.best is None or now >= self.best:
            save_weights(self.model, self.folder / WEIGHTS, self.about, self.options.definition)
            self.best = now
        add_point(self.folder / CURVE, {
            "seconds": round(time.monotonic() - self._began, 1), "decisions": now.decisions,
            f"{WINS}{self.against}": now.rate, "points": now.points, "games": self.games,
        })  # fmt: skip

    def reached(self) -> dict[str, Any]:
        """What was measured, for the result of a run: the best network, when that was, and the last one."""
        trained = {"policy_updates": self.taken // (self.model.n_steps * self.model.n_envs)}
        if self.best is None or self.last is None:
            return trained
        return trained | {
            f"{WINS}{self.against}": self.best.rate, "best_after": self.best.decisions, "last_win_rate": self.last.rate,
            "measured_games": self.games,
        }  # fmt: skip
