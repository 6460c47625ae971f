"""Train one network by self-play for all player counts, on one core or on many machines.

The program in short: `learner.Learner.update` in a loop, after `Learner.imitate` if asked. A run folder holds
settings.json, checkpoint.pt (all that a run is made of, written whole or not at all: at the start, after the first
seconds, then every minute, and at the end), agent.safetensors (the best network by its evaluations, for `policy:FILE`),
last.safetensors, curve.csv, curve.png and tb/ (TensorBoard). A killed run goes on from its last checkpoint; with the
same number of processes and threads it goes on bit for bit as if it had not been interrupted.

    vitienv train --method selfplay --minutes 60 --imitate heuristic --imitate-minutes 10 --run runs/mine
    torchrun --nproc-per-node 8 -m -- vitienv.cli train --method selfplay --device cuda --run runs/mine
"""

from __future__ import annotations

import time
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from vitienv import threads as pools
from vitienv.agents import make_agent
from vitienv.agents.network import read_network
from vitienv.agents.seeding import make_bot
from vitienv.registry import game_spec
from vitienv.training.checkpoint import read_checkpoint
from vitienv.training.eval_opponents import EvalOpponents
from vitienv.training.evaluation.tournament import default_folder
from vitienv.training.executors import LOCAL
from vitienv.training.monitor import Greedy, Monitor
from vitienv.training.run import Loop, check_steps, claim, read_call, settings_in
from vitienv.training.run_dir import WEIGHTS, check_agent_out, check_new, copy, lock_run_dir
from vitienv.training.selfplay.compiling import compile_for
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.learner import Learner
from vitienv.training.selfplay.network import load_network, widened, with_traits
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.run import CHECKPOINT, EVALUATIONS, FORMAT, write_run
from vitienv.training.selfplay.settings import FROZEN, WARM, Call, Settings, usual
from vitienv.training.selfplay.starts import parse_starts
from vitienv.training.selfplay.teacher import Teacher
from vitienv.training.settings import nearest, settings_of

KIND = "selfplay"
CARD = "card"  # an NVIDIA GPU plays the games


def train_selfplay(run: str | Path | None = None, **given: Any) -> dict[str, Any]:
    """Train, and return what was reached.

    given: fields of `settings.Call`, which says how, and of `settings.Settings`, which decide about what is learned; a
    resumed run has its own. minutes and updates are counted in this call; steps, decisions of the learner in self-play,
    from the beginning of the run, so that the same call goes on to the same end. ValueError says, in one line, what is
    wrong or who has the folder; OSError names a file that cannot be written, before the training if it is output.
    """
    call, asked = read_call({"run": run} | given, Call)
    _check_place(call.backend)
    if call.output is not None:
        check_agent_out(Path(call.output), (".safetensors",))
    settings = _settings(asked)
    processes, lock = Processes(call.device), ExitStack()
    try:
        folder = Path(processes.from_first(str(call.run or default_folder(KIND))))
        torch.set_num_threads(pools.of_learner(call.threads))
        phase, seconds = _Imitation(call.imitate_minutes, call.imitate_steps), 0.0
        if call.resume:
            settings = settings_in(folder, KIND, Settings, asked, _settings, FROZEN)
            lock.enter_context(lock_run_dir(folder) if processes.is_first else nullcontext())
            saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
            learner = _learner(call, settings, processes, before=saved["before"])
            own = saved["own"][processes.rank] if processes.rank < len(saved["own"]) else None
            learner.restore(saved["shared"], own)
            phase.restore(saved["imitation"])
            seconds = saved.get("seconds", 0.0)
        else:
            if settings.imitate is not None:
                phase.check(settings.imitate, settings.game)
            network, before = None, None
            if call.start is not None:
                network = load_network(call.start, game=settings.game)
                before = read_network(call.start, settings.game).about["trained"]
                if "hidden" in asked:
                    network = widened(network, settings.hidden, settings.seed)
                if settings.traits:
                    network = with_traits(network)
                made = network.architecture
                settings = replace(
                    settings, hidden=made.hidden, blocks=made.blocks, shaping=made.lead, policy_prior=made.policy_prior
                )  # fmt: skip
            check_steps(call.steps, processes.count * settings.num_envs * settings.num_steps)
            if processes.is_first:
                check_new(folder)
            learner = _learner(call, settings, processes, network, before)
            if processes.is_first:
                lock.enter_context(lock_run_dir(folder))
                claim(folder, KIND, settings, call)
        says = call.progress and processes.is_first
        decisions = processes.count * (learner.decisions + learner.imitated)
        watch = Monitor(folder, _eval_opponents(call, settings), says, seconds, decisions)
        lock.callback(watch.stop)
        training = _Training(folder, learner, phase, watch)
        loop = Loop(training, call, processes.from_first, processes.is_first, EVALUATIONS)
        with loop.interrupt:
            reached = training.carried_out(loop)
        if call.output is not None and processes.is_first:
            copy(folder / WEIGHTS, Path(call.output))
        return {"run": str(folder), **reached}
    finally:
        processes.close()
        lock.close()


def _learner(call: Call, settings: Settings, processes: Processes, *given: Any, **more: Any) -> Learner:
    """A learner, once what it needs is compiled. ValueError if games are to be on a card and cannot."""
    if call.backend == CARD:
        from vitienv.core.targets.cuda import Card

        more["card"] = Card(processes.device.index or 0)
        if processes.device.type != "cuda":
            raise ValueError(f"on is {CARD!r}, but device is {call.device!r}; with games there it must be 'cuda'")
    compile_for(settings, _eval_opponents(call, settings).compiled_bots)
    return Learner(settings, processes, *given, **more)


def _eval_opponents(call: Call, settings: Settings) -> EvalOpponents:
    game = game_spec(settings.game)
    return EvalOpponents.of_mix(call, settings.league or (game.heuristic_bot,), settings.mix, game, settings.max_years)


class _Training:
    """Self-play at work on a run; see `run.Training`."""

    def __init__(self, folder: Path, learner: Learner, phase: _Imitation, watch: Monitor) -> None:
        self.folder, self.learner, self.phase, self.watch = folder, learner, phase, watch

    @property
    def updates(self) -> int:
        """Updates of self-play."""
        return self.learner.updates

    @property
    def taken(self) -> int:
        """Decisions of the learner in self-play, of all processes."""
        return self.learner.processes.count * self.learner.decisions

    def step(self, share: float) -> None:
        """One update, with its report."""
        learner, means = self.learner, self.learner.update(share)
        phase = "self-play"
        if not learner.policy_updates:
            warm = learner.settings.value_warmup_updates
            phase += f": value only, update {learner.updates} of {f'at most {WARM}' if warm is None else warm},"
        self.watch.tell(learner, means, phase, min(1.0, share))

    def save(self) -> None:
        """Write the run as it is now; with several processes, the first writes for all."""
        own = self.learner.processes.gathered(self.learner.local_state())
        if self.learner.processes.is_first:
            write_run(self.folder, self.learner, own, self.phase.state(), self.watch.seconds)
            self.watch.save()

    def evaluate(self) -> None:
        """Against the yardsticks."""
        self.watch.evaluate(self.learner, Greedy(self.learner.average))

    def carried_out(self, loop: Loop) -> dict[str, Any]:
        """Imitate, then play; what was reached."""
        learner, imitate = self.learner, self.learner.settings.imitate
        loop.begin()
        if imitate is not None and not self.phase.is_over:
            bot = make_bot(imitate, learner.settings.seed, learner.settings.game)
            self.phase.begin()
            while (share := loop.ask(lambda: self.phase.share(learner))) < 1:
                self.watch.tell(learner, learner.imitate(bot, share), f"imitating {imitate}", share)
                loop.checkpoint()
            if not learner.processes.from_first(loop.interrupt.came):
                learner.end_imitation()
                self.phase.is_over = True
            self.save()
            loop.start()
        first = self.taken
        learner.seconds.clear()
        loop.go()
        busy = max(sum(learner.seconds.values()), 1e-9)

        def best() -> Greedy:
            return Greedy(load_network(self.folder / WEIGHTS, game=learner.settings.game))

        return {
            "updates": self.updates,
            "policy_updates": learner.policy_updates,
            "steps": self.taken,
            "decisions_per_second": round((self.taken - first) / busy),
            "time": {name: round(spent / busy, 3) for name, spent in learner.seconds.items()},
            **self.watch.reached(best if learner.processes.is_first and not loop.interrupt.came else None),
            "is_interrupted": loop.interrupt.came,
        }


def _check_place(backend: str) -> None:
    if backend not in (LOCAL, CARD):
        raise ValueError(f"on must be {LOCAL!r} or {CARD!r} for self-play, got {backend!r}")


class _Imitation:
    """How far imitation is: by time or by decisions, kept over interruptions."""

    def __init__(self, minutes: float | None, steps: int | None) -> None:
        self.minutes, self.steps = minutes, steps
        self.is_over = False
        self._spent, self._since = 0.0, time.monotonic()

    def check(self, bot: str, game: str) -> None:
        """ValueError if nobody says how long, or if there is no such bot."""
        if self.minutes is None and self.steps is None:
            raise ValueError(f"imitate is {bot!r}, but neither imitate_minutes nor imitate_steps says how long")
        make_agent(bot, game=game)

    def begin(self) -> None:
        self._since = time.monotonic() - self._spent

    def share(self, learner: Learner) -> float:
        """The share of the call that is over, from 0 to 1."""
        self._spent = time.monotonic() - self._since
        imitated = learner.processes.count * learner.imitated
        return min(1.0, nearest((self._spent / 60, self.minutes), (imitated, self.steps)))

    def state(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "steps": self.steps, "spent": self._spent, "is_over": self.is_over}

    def restore(self, state: dict[str, Any]) -> None:
        """A resumed run keeps its limits unless the call has new ones."""
        if self.minutes is None and self.steps is None:
            self.minutes, self.steps = state["minutes"], state["steps"]
        self._spent, self.is_over = state["spent"], state["is_over"]


def _settings(given: dict[str, Any]) -> Settings:
    settings = settings_of(Settings, given, usual)
    game = game_spec(settings.game)
    parse_mix(settings.mix, game)
    parse_starts(settings.start_states, game)
    for bot in settings.league:
        make_agent(bot, game=settings.game)
    if (settings.teacher is None) != (settings.kl_coef == 0):
        about = f"teacher is {settings.teacher!r} and kl_coef {settings.kl_coef}"
        raise ValueError(f"{about}; a teacher has a weight above 0, and nobody none")
    if settings.teacher is not None:
        Teacher(settings.teacher, settings.game)
    return settings
