"""Self-play training of one network for all player counts, on one core or on several machines.

The main loop calls `learner.Learner.update`, after `Learner.imitate` if configured. A run directory contains
settings.json, checkpoint.pt (the complete state, written atomically at the start, after the first seconds, every
minute, and at the end), agent.safetensors (the best network by its evaluations, for `policy:FILE`), last.safetensors,
curve.csv and tb/ (TensorBoard). A killed run resumes from its last checkpoint, bit for bit if the numbers of
processes and threads are the same.

    vitienv train --method selfplay --minutes 60 --imitate heuristic --imitate-minutes 10 --run runs/mine
    torchrun --nproc-per-node 8 -m -- vitienv.cli train --method selfplay --device cuda --run runs/mine
"""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from vitienv import threads as pools
from vitienv.agents import make_agent
from vitienv.agents.champions import file_at, path_of
from vitienv.agents.policy import weight_digests
from vitienv.agents.seeding import make_bot
from vitienv.core.files import versions
from vitienv.registry import game_spec
from vitienv.training.checkpoint import read_checkpoint, write_checkpoint
from vitienv.training.eval_opponents import EvalOpponents
from vitienv.training.executors import LOCAL
from vitienv.training.monitor import Monitor
from vitienv.training.run import Loop, check_steps, claim, read_call, settings_in
from vitienv.training.run_dir import KINDS, LAST, check_new, lock_run_dir, run_path
from vitienv.training.selfplay.compiling import compile_for
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.network import read_start, save_network
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.settings import WARM, Call, Settings, default_settings, exploit_settings
from vitienv.training.settings import nearest, settings_of

KIND, CHECKPOINT = "selfplay", KINDS["selfplay"]
FORMAT = 3  # checkpoint format
EVALUATIONS = 2  # checkpoints per evaluation
CUDA = "cuda"  # backend: games on an NVIDIA GPU


def train_selfplay(run: str | Path | None = None, **kwargs: Any) -> dict[str, Any]:
    """Train by self-play and return the results.

    Keyword arguments are fields of `settings.Call` and of `settings.Settings`, which are fixed in a resumed run.
    minutes and updates count from this call; steps, the learner's decisions in self-play, count from the start of the
    run, so that the same call resumes to the same end. ValueError for invalid settings or a locked directory; OSError
    if a file cannot be written.
    """
    defaults = {} if (bot := kwargs.get("exploit")) is None else exploit_settings(bot)
    for name in ("league", "league_share", "eval_opponents"):
        if defaults and kwargs.get(name) is not None:
            raise ValueError(f"{name} must not be given with exploit, got {kwargs[name]!r}")
    if kwargs.get("resume") and defaults:
        defaults = {"league": defaults["league"]}  # the others are those of the run
    call, values = read_call({"run": run} | defaults | kwargs, Call)
    _check_backend(call.backend)
    settings = _settings(values)
    processes, lock = Processes(call.device), ExitStack()
    try:
        folder = Path(processes.broadcast_object(str(call.run or run_path(KIND))))
        torch.set_num_threads(pools.learner_threads(call.threads))
        imitation, seconds = _Imitation(call.imitate_minutes, call.imitate_steps), 0.0
        if call.resume:
            settings = settings_in(folder, KIND, Settings, values, _settings)
            lock.enter_context(lock_run_dir(folder) if processes.is_first else nullcontext())
            saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
            learner = _learner(call, settings, processes, start_metadata=saved["before"])
            local_state = saved["own"][processes.rank] if processes.rank < len(saved["own"]) else None
            learner.restore(saved["shared"], local_state)
            imitation.restore(saved["imitation"])
            seconds = saved["seconds"]
        else:
            if settings.imitate is not None:
                imitation.check(settings.imitate, settings.game)
            network, start_metadata = None, None
            champion = _champion(settings) if call.exploit else None
            if (start := call.start or champion) is None and call.exploit:
                raise ValueError(f"exploit requires start at tables without a champion, got mix={settings.mix!r}")
            if start is not None:
                network, start_metadata, settings = read_start(start, settings, "hidden" in values)
            check_steps(call.steps, processes.count * settings.num_envs * settings.num_steps)
            if processes.is_first:
                check_new(folder)
            learner = _learner(call, settings, processes, network, start_metadata)
            if processes.is_first:
                lock.enter_context(lock_run_dir(folder))
                digests = weight_digests([f"policy:{start}"] if start else [])
                claim(folder, KIND, settings, call, exploit=call.exploit, start=digests)
        verbose = call.progress and processes.is_first
        decisions = processes.count * (learner.decisions + learner.imitated)
        monitor = Monitor(folder, settings.game, _eval_opponents(call, settings), verbose, seconds, decisions)
        lock.callback(monitor.stop)
        training = _Training(folder, learner, imitation, monitor)
        loop = Loop(training, call, processes.broadcast_object, processes.is_first, EVALUATIONS)
        with loop.interrupt:
            results = training.run(loop)
        return {"run": str(folder), **results}
    finally:
        processes.close()
        lock.close()


def _learner(call: Call, settings: Settings, processes: Processes, *args: Any, **kwargs: Any) -> Learner:
    if call.backend == CUDA:
        from vitienv.core.targets.cuda import Gpu

        kwargs["gpu"] = Gpu(processes.device.index or 0)
        if processes.device.type != "cuda":
            raise ValueError(f"device must be 'cuda' with backend {CUDA!r}, got {call.device!r}")
    compile_for(settings, _eval_opponents(call, settings).compiled_bots)
    return Learner(settings, processes, *args, **kwargs)


def _eval_opponents(call: Call, settings: Settings) -> EvalOpponents:
    game = game_spec(settings.game)
    return EvalOpponents.of_mix(call, settings.league or (game.heuristic_bot,), settings.mix, game, settings.max_years)


class _Training:
    def __init__(self, folder: Path, learner: Learner, imitation: _Imitation, monitor: Monitor) -> None:
        self.folder, self.learner, self.imitation, self.monitor = folder, learner, imitation, monitor
        self._update_seconds = 0.0

    @property
    def updates(self) -> int:
        return self.learner.updates

    @property
    def decisions(self) -> int:
        return self.learner.processes.count * self.learner.decisions

    def step(self, share: float) -> None:
        start, learner = time.monotonic(), self.learner
        means = learner.update(share)
        self._update_seconds += time.monotonic() - start
        phase = "self-play"
        if not learner.policy_updates:
            warm = learner.settings.value_warmup_updates
            phase += f": value only, update {learner.updates} of {f'at most {WARM}' if warm is None else warm},"
        self.monitor.update(learner, means, phase, min(1.0, share))

    def save(self) -> None:
        local_states = self.learner.processes.gather(self.learner.local_state())
        if self.learner.processes.is_first:
            write_run(self.folder, self.learner, local_states, self.imitation.state(), self.monitor.seconds)
            self.monitor.save()

    def evaluate(self) -> None:
        self.monitor.evaluate(self.learner)

    def run(self, loop: Loop) -> dict[str, Any]:
        """Imitate, then play; return the results."""
        learner, imitate = self.learner, self.learner.settings.imitate
        loop.save_initial()
        if imitate is not None and not self.imitation.is_over:
            bot = make_bot(imitate, learner.settings.seed, learner.settings.game)
            self.imitation.start_clock()
            while (share := loop.sync_progress(lambda: self.imitation.share(learner))) < 1:
                self.monitor.update(learner, learner.imitate(bot, share), f"imitating {imitate}", share)
                loop.checkpoint()
            if not learner.processes.broadcast_object(loop.interrupt.is_requested):
                learner.end_imitation()
                self.imitation.is_over = True
            self.save()
            loop.restart_clock()
        first = self.decisions
        loop.run()

        return {
            "updates": self.updates,
            "policy_updates": learner.policy_updates,
            "steps": self.decisions,
            "imitated": learner.processes.count * learner.imitated,
            "decisions_per_second": round((self.decisions - first) / max(self._update_seconds, 1e-9)),
            **self.monitor.finish(learner.processes.is_first and not loop.interrupt.is_requested),
            "is_interrupted": loop.interrupt.is_requested,
        }


def _metadata(learner: Learner) -> dict[str, Any]:
    """Return the training metadata of a weights file."""
    return {
        "method": KIND, "settings": json.loads(json.dumps(asdict(learner.settings))), "updates": learner.updates,
        "decisions": learner.processes.count * learner.decisions,
        "imitated": learner.processes.count * learner.imitated, "versions": versions(),
        "before": learner.start_metadata,
    }  # fmt: skip


def write_run(
    folder: Path, learner: Learner, local_states: list[dict[str, Any]], imitation: dict[str, Any], seconds: float = 0.0
) -> None:
    """Write the last network, then the checkpoint, so that the network is never older.

    local_states: local states of all processes. seconds: duration of the run so far.
    """
    save_network(folder / LAST, learner.average, _metadata(learner))
    checkpoint = {"format": FORMAT, "shared": learner.state(), "own": local_states, "before": learner.start_metadata,
                  "imitation": imitation, "seconds": seconds}  # fmt: skip
    write_checkpoint(folder / CHECKPOINT, checkpoint)


def decisions_in(folder: Path) -> int:
    """Return the learner's decisions up to a checkpoint. ValueError if it is damaged or of another format."""
    return sum(local_state["decisions"] for local_state in read_checkpoint(folder / CHECKPOINT, FORMAT)["own"])


def _check_backend(backend: str) -> None:
    if backend not in (LOCAL, CUDA):
        raise ValueError(f"unknown backend {backend!r}; expected one of: {LOCAL}, {CUDA}")


def _champion(settings: Settings) -> Path | None:
    """Return the file of the champion at the first table of the mix, or None. ValueError without opponents."""
    game = game_spec(settings.game)
    first = parse_mix(settings.mix, game)[0]
    if first.num_players == 1 or game.is_of_team:
        raise ValueError(f"exploit requires opponents, got the table {first.name!r} of {game.name}")
    name = file_at(game.options.of(**first.table))
    return None if name is None else path_of(name, game)


class _Imitation:
    """Progress of imitation by time or decisions, resumed after interruptions."""

    def __init__(self, minutes: float | None, steps: int | None) -> None:
        self.minutes, self.steps = minutes, steps
        self.is_over = False
        self._seconds, self._start_time = 0.0, time.monotonic()

    def check(self, bot: str, game: str) -> None:
        """Raise ValueError for an unknown bot or an unset duration."""
        if self.minutes is None and self.steps is None:
            raise ValueError(f"imitate requires imitate_minutes or imitate_steps, got imitate={bot!r} alone")
        make_agent(bot, game=game)

    def start_clock(self) -> None:
        self._start_time = time.monotonic() - self._seconds

    def share(self, learner: Learner) -> float:
        """Return the progress, from 0 to 1."""
        self._seconds = time.monotonic() - self._start_time
        imitated = learner.processes.count * learner.imitated
        return min(1.0, nearest((self._seconds / 60, self.minutes), (imitated, self.steps)))

    def state(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "steps": self.steps, "spent": self._seconds, "is_over": self.is_over}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`; limits of the call override those of the run."""
        if self.minutes is None and self.steps is None:
            self.minutes, self.steps = state["minutes"], state["steps"]
        self._seconds, self.is_over = state["spent"], state["is_over"]


def _settings(kwargs: dict[str, Any]) -> Settings:
    settings = settings_of(Settings, kwargs, default_settings)
    game = game_spec(settings.game)
    parse_mix(settings.mix, game)
    for bot in settings.league:
        make_agent(bot, game=settings.game)
    return settings
