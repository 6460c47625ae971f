"""Train one network by self-play for all player counts, on one core or on many machines.

The program in short: `learner.Learner.update` in a loop, after `Learner.imitate` if asked. A run folder holds
settings.json, checkpoint.pt (all that a run is made of, written whole or not at all: at the start, after the first
seconds, then every minute, and at the end), agent.safetensors (the bot as it is now, for `policy:FILE`), curve.csv and
tb/ (TensorBoard). A killed run goes on from its last checkpoint; with the
same number of processes and threads it goes on bit for bit as if it had not been interrupted.

    vitienv train --method selfplay --minutes 60 --imitate heuristic --imitate-minutes 10 --run runs/mine
    torchrun --nproc-per-node 8 -m -- vitienv.cli train --method selfplay --device cuda --run runs/mine
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import asdict, fields, replace
from math import isfinite
from pathlib import Path
from typing import Any

import torch

from vitienv import threads as pools
from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.network import read_network
from vitienv.agents.registry import check_told
from vitienv.agents.seating import make_bot
from vitienv.core.definition import Definition
from vitienv.core.files import machine, read_json, versions, write_json
from vitienv.games import DEFAULT, definition, told_game
from vitienv.training.checkpoint import read_checkpoint
from vitienv.training.measure.match import warm_up
from vitienv.training.places import LOCAL, executor
from vitienv.training.run_folder import SETTINGS, check_agent_out, check_new, held, refuse_unknown
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.network import load_network, save_network, widened, with_traits
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.run import CHECKPOINT, EVALUATIONS, FIRST_SECONDS, FORMAT, about, decisions_of, write_run
from vitienv.training.selfplay.starts import parse_starts
from vitienv.training.selfplay.teacher import Teacher
from vitienv.training.watch import Watch
from vitienv.training.workers import PlaceLost

KIND = "selfplay"
DEFAULT_MINUTES = 10.0
CHECKPOINT_SECONDS = 60.0
BOTS = ("advice", "imitate", "teacher")  # settings that name one, or nobody


def train_selfplay(
    run: str | Path | None = None,
    minutes: float | None = None,
    steps: int | None = None,
    updates: int | None = None,
    resume: bool = False,
    device: str = "auto",
    threads: int | None = None,
    imitate_minutes: float | None = None,
    imitate_steps: int | None = None,
    start: str | Path | None = None,
    agent_out: str | Path | None = None,
    yardsticks: Sequence[str] | None = None,
    evaluation_games: int = 100,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    progress: bool = True,
    on: str = LOCAL,
    actors: int = 0,
    learners: int = 0,
    staleness: int = 1,
    **settings: Any,
) -> dict[str, Any]:
    """Train, and return what was reached.

    minutes, steps, updates: stop when the first of them is over; 10 minutes if none is given. minutes, measurements
    included, and updates are counted in this call; steps, decisions of the learner in self-play, from the beginning of
    the run, so that the same call goes on to the same end. imitate_minutes, imitate_steps: how long the bot of the
    setting `imitate` is imitated before, in time or in decisions, not counted in the others. start: weights to begin
    with, of which a network with a larger `hidden` is made if that is given.
    threads: of torch in each process; as `vitienv.threads.of_learner` says if not given. agent_out: where the finished
    bot is saved too, as .safetensors. settings: those of `learner.Settings`; a resumed run has its own. ValueError
    says, in one line, what is wrong or who has the folder; OSError names a file that cannot be written, before the
    training if it is agent_out.

    on: "local", or a cluster as of `places.executor`, with so many actors that play (0: one on each core that is left)
    and learners (0: one on each GPU, or one), each with `threads`, one if not given; staleness: the updates by which a
    network that played may be older than the one that learns from it.
    """
    from vitienv.training.measure.tournament import default_folder

    place = _cluster(on, actors, learners, staleness)

    limits = {"minutes": minutes, "steps": steps, "updates": updates}
    if all(limit is None for limit in limits.values()):
        minutes = DEFAULT_MINUTES
    if agent_out is not None:
        check_agent_out(Path(agent_out), (".safetensors",))
    given = _settings(settings)
    processes, lock = Processes("cpu" if place else device), ExitStack()
    try:
        folder = Path(processes.from_first(str(run or default_folder(KIND))))
        torch.set_num_threads(pools.of_learner(threads))
        phase = _Imitation(imitate_minutes, imitate_steps)
        if resume:
            given = _saved_settings(folder, settings)
            lock.enter_context(held(folder) if processes.is_first else nullcontext())
            saved = read_checkpoint(folder / CHECKPOINT, FORMAT)
            learner = Learner(given, processes, before=saved["before"], plays=place is None)
            own = saved["own"][processes.rank] if processes.rank < len(saved["own"]) else None
            learner.restore(saved["shared"], own if place is None else None)
            learner.decisions = learner.decisions if place is None else decisions_of(saved)
            phase.restore(saved["imitation"])
            if place is not None and given.imitate is not None and not phase.is_over:
                raise ValueError(_imitated_here(given.imitate))
        else:
            if given.imitate is not None:
                if place is not None:
                    raise ValueError(_imitated_here(given.imitate))
                phase.check(given.imitate, given.game)
            network, before = None, None
            if start is not None:
                network = load_network(start, game=given.game)
                before = read_network(start, given.game).about["trained"]
                if "hidden" in settings:
                    network = widened(network, given.hidden, given.seed)
                if given.traits:
                    network = with_traits(network)
                made = network.architecture
                given = replace(
                    given, hidden=made.hidden, blocks=made.blocks, shaping=made.lead, advice=made.advice
                )  # fmt: skip
            if processes.is_first:
                check_new(folder)
            learner = Learner(given, processes, network, before, plays=place is None)
            if processes.is_first:
                lock.enter_context(held(folder))
                _claim(folder, given)
        if yardsticks is None:
            yardsticks = list(dict.fromkeys((definition(given.game).rule_of_thumb, "random")))
        watch = Watch(folder, list(yardsticks), evaluation_games, given, progress and processes.is_first)
        try:
            with _Interrupt() as interrupt:
                if place is None:
                    reached = _run(
                        learner, phase, watch, folder, minutes, steps, updates, checkpoint_seconds, interrupt
                    )  # fmt: skip
                else:
                    from vitienv.training.cluster.desk import Limits
                    from vitienv.training.cluster.selfplay import train_on_ray

                    if not resume:
                        write_run(folder, learner, [], phase.state())
                    until = Limits(minutes, steps, updates, checkpoint_seconds)
                    try:
                        reached = train_on_ray(
                            place, learner, watch, folder, until, device, threads or 1, learners, staleness, interrupt
                        )  # fmt: skip
                    except PlaceLost as error:
                        raise PlaceLost(f"{error}; to go on: vitienv train --resume --run {folder}") from None
        finally:
            watch.stop()
        if agent_out is not None and processes.is_first:
            save_network(agent_out, learner.network, about(learner))
        return {"run": str(folder), **reached}
    finally:
        processes.close()
        lock.close()


def _run(
    learner: Learner, phase: _Imitation, watch: Watch, folder: Path, minutes: float | None, steps: int | None,
    updates: int | None, checkpoint_seconds: float, interrupt: _Interrupt,
) -> dict[str, Any]:  # fmt: skip
    """Imitate, then play, until a limit is reached or the user stops it; checkpoints in between and at the end."""
    processes, settings = learner.processes, learner.settings
    saved_at, n_saved = time.monotonic(), 0

    def checkpoint(is_end: bool = False) -> None:
        """When it is due: the second one after `FIRST_SECONDS`. is_end: the beginning or the end of the run."""
        nonlocal saved_at, n_saved
        interval = min(FIRST_SECONDS, checkpoint_seconds) if n_saved == 1 else checkpoint_seconds
        if not processes.from_first(is_end or time.monotonic() - saved_at >= interval):
            return
        _save(folder, learner, phase)
        if processes.is_first and (is_end or n_saved % EVALUATIONS == 0):
            watch.evaluate(learner)
        saved_at, n_saved = time.monotonic(), n_saved + 1

    if watch.bots:
        warm_up(watch.bots, learner.definition)  # what is compiled takes no time of the training's
    checkpoint(is_end=True)
    if settings.imitate is not None and not phase.is_over:
        bot = make_bot(settings.imitate, settings.seed, settings.game)
        phase.begin()
        while (share := processes.from_first(interrupt.at_once(phase.share(learner)))) < 1:
            found = learner.imitate(bot, share)
            watch.tell(learner, found, f"imitating {settings.imitate}", share)
            checkpoint()
        if not processes.from_first(interrupt.came):
            learner.end_imitation()
            phase.is_over = True
        _save(folder, learner, phase)
    began, first, first_steps = time.monotonic() - watch.seconds, learner.updates, learner.decisions
    learner.seconds.clear()

    def share_done() -> float:
        done = [(learner.updates - first) / updates] if updates else []
        done += [processes.count * learner.decisions / steps] if steps else []
        done += [(time.monotonic() - began + watch.seconds) / (60 * minutes)] if minutes else []
        return max(done)

    while (share := processes.from_first(interrupt.at_once(share_done()))) < 1:
        found = learner.update(share)
        watch.tell(learner, found, "self-play", min(1.0, share_done()))
        checkpoint()
    busy, decisions = sum(learner.seconds.values()), processes.count * (learner.decisions - first_steps)
    checkpoint(is_end=True)
    return {
        "updates": learner.updates,
        "steps": processes.count * learner.decisions,
        "decisions_per_second": round(decisions / max(busy, 1e-9)),
        "time": {name: round(spent / busy, 3) for name, spent in learner.seconds.items()},
        **watch.reached(),
    }


def _cluster(on: str, actors: int, learners: int, staleness: int) -> Any:
    """The cluster to train on, None for this machine. ValueError if there is none, or for what makes no sense there."""
    if staleness < 0 or learners < 0:
        raise ValueError(f"staleness is {staleness} and learners {learners}; they must be at least 0")
    place = executor(on, actors)
    if on != LOCAL:
        return place
    for name, value in (("actors", actors), ("learners", learners)):
        if value:
            raise ValueError(f"{name} is {value}, which is for training on a cluster (on='ray')")
    return None


def _imitated_here(bot: str) -> str:
    return f"{bot!r} is imitated on one machine: train without --on until that is over, and go on with --resume --on"


class _Interrupt:
    """Turns the first Ctrl-C into an end after the update under way, so that nothing is lost; the second is one."""

    def __init__(self) -> None:
        self.came = False

    def at_once(self, share: float) -> float:
        """The share of the work that is done: all of it once the user has had enough."""
        return 1.0 if self.came else share

    def __enter__(self) -> _Interrupt:
        self._is_ours = threading.current_thread() is threading.main_thread()  # others may not have handlers
        if self._is_ours:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        self.came = True
        signal.signal(signal.SIGINT, self._before)
        print("\nstopping after this update, with a checkpoint; Ctrl-C again stops at once", file=sys.stderr)


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
        """From 0 to 1, which is the end."""
        self._spent = time.monotonic() - self._since
        done = [self._spent / (60 * self.minutes)] if self.minutes else []
        done += [learner.processes.count * learner.imitated / self.steps] if self.steps else []
        return min(1.0, max(done, default=1.0))

    def state(self) -> dict[str, Any]:
        return {"minutes": self.minutes, "steps": self.steps, "spent": self._spent, "is_over": self.is_over}

    def restore(self, state: dict[str, Any]) -> None:
        """A resumed run keeps to its own limits unless it is given new ones."""
        if self.minutes is None and self.steps is None:
            self.minutes, self.steps = state["minutes"], state["steps"]
        self._spent, self.is_over = state["spent"], state["is_over"]


# Files.


def _settings(given: dict[str, Any]) -> Settings:
    refuse_unknown(given, [field.name for field in fields(Settings)])
    game = definition(given.get("game", DEFAULT))
    settings = replace(Settings(**usual(game)), **given)
    parse_mix(settings.mix, game)
    parse_starts(settings.starts, game)
    for bot in settings.league:
        make_agent(bot, game=settings.game)
    for name in ("num_envs", "num_steps", "update_epochs", "minibatch_size", "snapshot"):
        if getattr(settings, name) < 1:
            raise ValueError(f"{name} is {getattr(settings, name)}; it must be at least 1")
    for name, value in asdict(settings).items():
        if isinstance(value, float) and not isfinite(value):
            raise ValueError(f"{name} is {value}; it must be a finite number")
    if not 0 < settings.sure_share <= 1:
        raise ValueError(f"sure_share is {settings.sure_share}; it must be above 0 and at most 1")
    if (settings.teacher is None) != (settings.kl_coef == 0) or settings.kl_coef < 0:
        about = f"teacher is {settings.teacher!r} and kl_coef {settings.kl_coef}"
        raise ValueError(f"{about}; a teacher has a weight above 0, and nobody none")
    if settings.teacher is not None:
        Teacher(settings.teacher, settings.game)
    return settings


def usual(game: Definition) -> dict[str, Any]:
    """What stands where a setting is not given and depends on the game: its tables, and the bots it has."""
    if not game.training:
        return {"mix": next(iter(game.tables), "2"), "league": (), "advice": game.adviser}
    return dict(game.training)


def _saved_settings(folder: Path, asked: dict[str, Any]) -> Settings:
    """The settings of a run. ValueError if it is none, or if others are asked for."""
    saved = read_json(folder / SETTINGS)
    if not isinstance(saved, dict) or saved.get("kind") != KIND or not isinstance(saved.get("settings"), dict):
        raise ValueError(f"{str(folder)!r} does not hold a self-play run")
    given = saved["settings"]
    if not trust.is_own(saved):
        bots = [*given["league"], *(given[name] for name in BOTS if given.get(name) is not None)]
        check_told(bots, repr(str(folder / SETTINGS)), told_game(given["game"]))
    own = _settings(given | {"league": tuple(given["league"])})
    for name, value in asked.items():
        if value != getattr(own, name):
            raise ValueError(f"{name} is {value!r}, but the run in {str(folder)!r} has {getattr(own, name)!r}")
    return own


def _claim(folder: Path, settings: Settings) -> None:
    """Write the settings of a new run."""
    check_new(folder)  # another process may have been here
    about = {"kind": KIND, "settings": asdict(settings), "versions": versions(), "machine": machine()}
    write_json(folder / SETTINGS, trust.sealed(json.loads(json.dumps(about))))


def _save(folder: Path, learner: Learner, phase: _Imitation) -> None:
    """Write the run as it is now; with several processes, the first writes for all."""
    own = learner.processes.gathered(learner.own_state())
    if learner.processes.is_first:
        write_run(folder, learner, own, phase.state())
