"""Training with MaskablePPO against a mix of bots.

A run directory contains settings.json, checkpoint.zip (written atomically at the start, after the first seconds, every
minute, and at the end), curve.csv (evaluations), agent.safetensors (the best network by its evaluations, for
`policy:FILE`), last.safetensors and tb/ (TensorBoard). A killed run resumes from its last checkpoint.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from vitienv import threads as pools
from vitienv.agents import make_agent
from vitienv.agents.seeding import make_bots
from vitienv.core.compiling.progress import PROGRESS
from vitienv.core.files import atomic, versions
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.registry import canonical_name, game_spec
from vitienv.training.eval_opponents import EvalOpponents
from vitienv.training.evaluation.match import warm_up
from vitienv.training.monitor import Monitor
from vitienv.training.ppo.settings import HYPERPARAMETERS, Call, Settings
from vitienv.training.run import Loop, check_steps, claim, read_call, settings_in
from vitienv.training.run_dir import KINDS, LAST, check_new, lock_run_dir, run_path
from vitienv.training.settings import settings_of
from vitienv.trust import check_regular

KIND, CHECKPOINT = "ppo", KINDS["ppo"]
LAST_ROUND = 30  # year limit: games of untrained networks might not end otherwise


def train(opponents: Sequence[str] | None = None, callback: Any = None, **kwargs: Any) -> dict[str, Any]:
    """Train with MaskablePPO and return the results.

    opponents: specs of bots. callback: of Stable-Baselines3, or a list of them, or a function (locals, globals) ->
    bool; False ends the run after the current update. kwargs: other fields of `settings.Settings` and of
    `settings.Call`, and game options, such as ruleset="solo", difficulty="hard"; settings are fixed in a resumed run.

    ValueError for invalid settings and for a damaged or locked run directory; OSError if a file cannot be written.
    """
    import torch
    from torch.distributions import Distribution

    Distribution.set_default_validate_args(False)  # the validation takes a tenth of the time
    torch.set_flush_denormal(True)  # rewards are mostly zero, and denormal numbers are slow
    call, values = read_call(kwargs if opponents is None else {**kwargs, "opponents": tuple(opponents)}, Call)
    folder = Path(call.run or run_path(KIND))
    settings = _saved(folder, values) if call.resume else _settings(values)
    if not call.resume:
        check_new(folder)
        for name in settings.opponents or ():
            make_agent(name, game=settings.game)
        check_steps(call.steps, HYPERPARAMETERS["n_steps"] * settings.num_envs)
    torch.set_num_threads(pools.learner_threads(call.threads))
    with lock_run_dir(folder):
        if not call.resume:
            claim(folder, KIND, settings, call, ppo=HYPERPARAMETERS)
        training = _Training(folder, settings, call, callback)
        loop = Loop(training, call)
        try:
            with loop.interrupt:
                loop.save_initial()
                loop.run()
            finish = training.finish(loop.interrupt.is_requested)
        finally:
            if training.callback is not None:
                training.callback.end()
            training.monitor.stop()
    return {"run": str(folder), **finish, "is_interrupted": loop.interrupt.is_requested}


def _settings(values: dict[str, Any]) -> Settings:
    """Return the settings of a new run. Keywords that are not settings are game options."""
    names = {member.name for member in fields(Settings)}
    settings = settings_of(Settings, {name: value for name, value in values.items() if name in names})
    of_game = ("ruleset", "difficulty")
    options = {name: value for name, value in values.items() if name not in names or name in (*of_game, "reward")}
    definition = game_spec(settings.game)
    played = definition.options.of(num_players=settings.num_players, **options)
    defaults = () if played.is_alone else tuple(dict.fromkeys(("random", definition.heuristic_bot)))
    return replace(
        settings, opponents=defaults if settings.opponents is None else settings.opponents, ruleset=played.ruleset,
        num_players=played.num_players,
        options={key: value for key, value in options.items() if key not in (*of_game, "reward")},
    )  # fmt: skip


def _saved(folder: Path, values: dict[str, Any]) -> Settings:
    names = {member.name for member in fields(Settings)}
    others = {name: value for name, value in values.items() if name not in names}
    values = {name: value for name, value in values.items() if name in names} | ({"options": others} if others else {})
    return settings_in(folder, KIND, Settings, values, lambda values: settings_of(Settings, values))


def _options(settings: Settings) -> Options:
    """Return the game options. The reward of solo games is the margin, because an untrained network never wins."""
    of_game = game_spec(settings.game).options
    reward = "margin" if settings.num_players == 1 else settings.reward
    return of_game.of(
        ruleset=settings.ruleset, num_players=settings.num_players, reward=reward,
        **{of_game.LIMIT: LAST_ROUND, **settings.options},
        **({} if settings.difficulty is None else {"difficulty": settings.difficulty}),
    )  # fmt: skip


def make_training_env(opponents: Sequence[str], options: Options, num_envs: int) -> Any:
    """Create a vector environment with the opponents in equal shares of the games."""
    from vitienv.envs.sb3 import SingleAgentVecEnv

    pool: Any = dict.fromkeys(opponents, 1) or []
    game = canonical_name(options.game_spec)
    return SingleAgentVecEnv(num_envs, opponents=pool, learner_seat="random", game=game, **options.to_dict())


def save(model: Any, path: Path) -> None:
    """Save a model, atomically."""
    with atomic(path) as temporary, temporary.open("wb") as file:
        model.save(file)


def save_weights(model: Any, path: Path, trained: dict[str, Any], game: GameSpec) -> None:
    """Write the weights of a model for policy:FILE. trained: training metadata."""
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


def _model(folder: Path, resume: bool, env: Any, settings: Settings) -> Any:
    from sb3_contrib import MaskablePPO

    from vitienv.training.ppo.features import CompressedFeatures

    policy = {"net_arch": [settings.hidden], "features_extractor_class": CompressedFeatures,
              "features_extractor_kwargs": {"hidden": settings.hidden}}  # fmt: skip
    model = MaskablePPO(
        "MlpPolicy", env, policy_kwargs=policy, seed=settings.seed, learning_rate=settings.learning_rate,
        batch_size=settings.minibatch_size, gamma=settings.gamma, ent_coef=settings.ent_coef, **HYPERPARAMETERS,
    )  # fmt: skip
    if resume:
        _restore(model, folder / CHECKPOINT)
    return model


def _restore(model: Any, file: Path) -> None:
    """Restore weights, optimizer and counters of a checkpoint without unpickling code."""
    import torch

    try:
        check_regular(file)
        with zipfile.ZipFile(file) as archive:
            for name, part in (("policy", model.policy), ("policy.optimizer", model.policy.optimizer)):
                weights = io.BytesIO(archive.read(f"{name}.pth"))
                part.load_state_dict(torch.load(weights, map_location=model.device, weights_only=True))
            data = json.loads(archive.read("data"))
        model.num_timesteps, model._n_updates = int(data["num_timesteps"]), int(data["_n_updates"])
        model.run_seconds = float(data["run_seconds"])
    except Exception as error:  # a damaged file may raise any
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{str(file)!r} cannot be read as a MaskablePPO: {reason}") from None


def _callback(callback: Any, model: Any) -> Any:
    """Wrap a callback for repeated calls of `learn`.

    It starts only once, and its False sets `is_over` instead of ending a rollout, which would not be trained on.
    """
    from stable_baselines3.common.callbacks import BaseCallback, CallbackList, ConvertCallback

    if isinstance(callback, list):
        callback = CallbackList(callback)
    elif not isinstance(callback, BaseCallback):
        callback = ConvertCallback(callback)

    class Forward(BaseCallback):
        is_over = False

        def _on_rollout_start(self) -> None:
            callback.on_rollout_start()

        def _on_step(self) -> bool:
            callback.update_locals(self.locals)
            self.is_over |= not callback.on_step()
            return True

        def _on_rollout_end(self) -> None:
            callback.update_locals(self.locals)
            callback.on_rollout_end()

        def end(self) -> None:
            callback.on_training_end()

    callback.init_callback(model)
    callback.on_training_start({"self": model}, {})
    return Forward()


def _eval_opponents(call: Call, settings: Settings, options: Options) -> EvalOpponents:
    alone = {"automa": options} if options.is_alone else {}
    return EvalOpponents(call, settings.opponents or (), None if options.is_alone else options, alone)


class _Training:
    imitated = 0  # required by `Monitor`
    processes = SimpleNamespace(count=1, is_first=True)
    league = SimpleNamespace(standing=dict)

    def __init__(self, folder: Path, settings: Settings, call: Call, callback: Any = None) -> None:
        from stable_baselines3.common.logger import Logger

        self.folder, self.game, options = folder, settings.game, _options(settings)
        eval_opponents, definition = _eval_opponents(call, settings, options), options.game_spec
        specs = dict.fromkeys((*eval_opponents.compiled_bots, *(settings.opponents or ())))
        with PROGRESS.group([definition.kernels.observe_seat]):  # compilation does not count as time of the run
            warm_up(make_bots(specs, 0, canonical_name(definition)), definition)
            Game.new(game=canonical_name(definition), num_players=2, seed=0).observation(0)
        env = make_training_env(settings.opponents or (), options, settings.num_envs)
        self.model = _model(folder, call.resume, env, settings)
        self.model.set_logger(Logger(None, []))
        self.callback = None if callback is None else _callback(callback, self.model)
        self.metadata = {
            "method": KIND, "settings": asdict(settings), "reward": options.reward, "versions": versions(),
        }  # fmt: skip
        seconds = getattr(self.model, "run_seconds", 0.0)
        self.monitor = Monitor(folder, settings.game, eval_opponents, call.progress, seconds, self.decisions)

    @property
    def rollout(self) -> int:
        return int(self.model.n_steps * self.model.n_envs)

    @property
    def updates(self) -> int:
        return self.decisions // self.rollout

    policy_updates = updates

    @property
    def decisions(self) -> int:
        return int(self.model.num_timesteps)

    def report(self) -> dict[str, float]:
        games = self.model.ep_info_buffer or ()
        return {"reward": float(np.mean([game["r"] for game in games]))} if games else {}

    def step(self, share: float) -> None:
        self.model.learn(self.rollout, self.callback, reset_num_timesteps=False, log_interval=None)
        means = {name.removeprefix("train/"): float(value) for name, value in self.model.logger.name_to_value.items()}
        self.monitor.update(self, means, KIND, min(1.0, share))

    @property
    def is_over(self) -> bool:
        return self.callback is not None and self.callback.is_over

    def save(self) -> None:
        save_weights(self.model, self.folder / LAST, self.metadata, game_spec(self.game))
        self.model.run_seconds = self.monitor.seconds
        save(self.model, self.folder / CHECKPOINT)
        self.monitor.save()

    def evaluate(self) -> None:
        self.monitor.evaluate(self)

    def finish(self, is_interrupted: bool) -> dict[str, Any]:
        return {
            "updates": self.updates, "policy_updates": self.updates, "steps": self.decisions,
            **self.monitor.finish(not is_interrupted),
        }  # fmt: skip
