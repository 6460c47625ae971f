"""One training of any method: settings of a new run or of a resumed one, then updates until a limit is reached.

A method has an update, a checkpoint and an evaluation (`Training`); this module decides when each is due and when a run
ends.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Protocol, TypeVar, get_type_hints

from vitienv.agents.registry import check_told
from vitienv.core.files import machine, read_json, versions, write_json
from vitienv.core.text_utils import in_one_line
from vitienv.registry import DEFAULT, game_from_untrusted_file
from vitienv.training.run_dir import KINDS, SETTINGS, TITLES, check_new
from vitienv.training.schema import checked
from vitienv.training.settings import Call, Settings, nearest, split

FIRST_SECONDS = 20.0  # before the first checkpoint that has learned
EVALUATION_SHARE = 0.2  # largest share of the time for evaluations, those at the beginning and at the end apart
LINE_SECONDS = 10.0  # between two lines of progress when there is no terminal
C = TypeVar("C")


class Training(Protocol):
    """A method at work on a run."""

    @property
    def updates(self) -> int:
        """Updates of the run so far."""

    @property
    def taken(self) -> int:
        """Decisions of the run so far, of all processes."""

    def step(self, share: float) -> None:
        """One update. share: how much of the call is over, from 0 to 1."""

    def save(self) -> None:
        """Write the bot and the checkpoint. Every process calls it."""

    def evaluate(self) -> None:
        """Add a point to the curve. The first process alone calls it."""


def check_steps(steps: int | None, rollout: int) -> None:
    """ValueError if a run has to stop before its first rollout is complete, so that nothing would be learned."""
    if steps is not None and steps < rollout:
        raise ValueError(f"steps must be at least {rollout:,}, the decisions of one rollout, got {steps:,}")


class Loop:
    """Updates, and checkpoints and evaluations between them."""

    def __init__(
        self, training: Training, call: Call, from_first: Callable[[Any], Any] = lambda value: value,
        is_first: bool = True, evaluations: int = 1, evaluate_seconds: float = 0.0,
    ) -> None:  # fmt: skip
        """from_first: hands what the first process says to the others. evaluations: checkpoints for one evaluation;
        evaluate_seconds: at least between two."""
        self._training, self._call, self._ask, self._is_first = training, call, from_first, is_first
        self._evaluations, self._evaluate_seconds = evaluations, evaluate_seconds
        self._saved = self._evaluated = self.began = time.monotonic()
        self._n_saved, self._evaluating, self._is_kept = 0, 0.0, False  # is_kept: as it is now
        self._first = training.updates
        self.interrupt = Interrupt()

    def begin(self) -> None:
        """The first checkpoint and the first point of the curve: from here on the folder can be gone on with."""
        self.began = time.monotonic()
        self.checkpoint(is_end=True)

    def start(self) -> None:
        """Count minutes and updates from here on; the evaluation before it counts."""
        self.began, self._first = time.monotonic() - self._evaluating, self._training.updates
        self._is_kept = False

    def go(self) -> None:
        """Updates until a limit is reached or the user stops it, and the last checkpoint and evaluation."""
        share = self.ask(self.share)
        if self._is_first and not self.interrupt.came and 0 < (self._call.minutes or 0) <= self._spent():
            said = f"no update is made: measuring at the beginning and at the end takes {self._call.minutes:g} minutes"
            print(f"{said} or more; give more --minutes, or fewer --evaluation-games", file=sys.stderr)
        while share < 1:
            self._is_kept = False
            self._training.step(share)
            share = self.ask(self.share)
            if share < 1:
                self.checkpoint()
        if not self._is_kept:
            self.checkpoint(is_end=True)

    def ask(self, share: Callable[[], float]) -> float:
        """What the first process says is done, the same in all of them: 1.0 once the user, or the method itself, has
        had enough."""
        return self._ask(1.0 if self.interrupt.came or getattr(self._training, "is_over", False) else share())

    def share(self) -> float:
        """How much of the call is over, the evaluation at its end included; 1 or more at its end."""
        call, training = self._call, self._training
        return nearest(
            (training.updates - self._first, getattr(call, "updates", None)), (training.taken, call.steps),
            (self._spent(), call.minutes),
        )  # fmt: skip

    def _spent(self) -> float:
        """Minutes of the call, those at its end included: an evaluation, and that of the best network."""
        return (time.monotonic() - self.began + 2 * self._evaluating) / 60

    def checkpoint(self, is_end: bool = False) -> None:
        """When it is due: the second one after `FIRST_SECONDS`. is_end: the beginning or the end of the run."""
        seconds = self._call.checkpoint_seconds
        seconds = min(FIRST_SECONDS, seconds) if self._n_saved == 1 else seconds
        if not self._ask(is_end or time.monotonic() - self._saved >= seconds):
            return
        self._training.save()
        began = time.monotonic()
        pause = max(self._evaluate_seconds, self._evaluating * (1 / EVALUATION_SHARE - 1))
        is_due = self._n_saved % self._evaluations == 0 and began - self._evaluated >= pause
        if self._is_first and (is_end or is_due):
            self._training.evaluate()
            self._evaluated = time.monotonic()
            self._evaluating = self._evaluated - began
        self._saved, self._n_saved, self._is_kept = time.monotonic(), self._n_saved + 1, True


class Interrupt:
    """Turns the first Ctrl-C into an end after the update under way, so that nothing is lost; the second is one."""

    def __init__(self) -> None:
        self.came = False

    def __enter__(self) -> Interrupt:
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


class Progress:
    """How far a training is: a bar where there is a terminal, a line now and then where there is none."""

    def __init__(self, says: bool) -> None:
        self._says, self._bar, self._began, self._line_at = says, None, time.monotonic(), 0.0
        if says and sys.stderr.isatty():
            from rich import progress as rich
            from rich.console import Console

            description, said = (
                rich.TextColumn(text, markup=False) for text in ("{task.description}", "{task.fields[said]}")
            )
            columns = description, rich.BarColumn(20), rich.TimeElapsedColumn(), said
            self._bar = rich.Progress(*columns, console=Console(stderr=True))
            self._task = self._bar.add_task("", total=1.0, said="")

    def tell(self, phase: str, share: float, said: Callable[[], str]) -> None:
        """Show the phase, how much of it is done, and what is said of it."""
        if self._bar is not None:
            self._bar.start()  # only now, as compiling has a bar of its own
            self._bar.update(self._task, description=phase, completed=share, said=in_one_line(said()))
        elif self._says and time.monotonic() - self._line_at >= LINE_SECONDS:
            self._line_at = time.monotonic()
            seconds = self._line_at - self._began
            print(f"{phase} {share:4.0%} {seconds:,.0f} s: {in_one_line(said())}", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()


# The settings of a run.


def read_call(values: Mapping[str, Any], cls: type[C]) -> tuple[C, dict[str, Any]]:
    """The call and the settings among the keywords of a training; see `split`.

    A resumed run takes the options of its call that are saved from its settings file, unless others are given.
    ValueError if that file is missing, damaged, or names a stranger's code.
    """
    file = Path(values["run"]) / SETTINGS if values.get("resume") and values.get("run") else None
    about = {} if file is None else read_json(file)
    options = about.get("call") if isinstance(about, dict) else None
    if file is None or not isinstance(options, dict):
        return split(values, cls)
    names = [name for name in _saved_options(cls) if values.get(name) is None and name in options]
    saved = _checked(file, cls, {name: options[name] for name in names})
    _check_bots(file, about, cls, saved)
    return split({**values, **saved}, cls)


def _saved_options(cls: type) -> list[str]:
    return [one.name for one in fields(cls) if one.metadata["is_saved"]]


def _checked(file: Path, cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Check the types of values read from JSON; a list becomes a tuple. Values of unknown names are returned as is."""
    hints = get_type_hints(cls)
    try:
        return {name: checked(hints.get(name, Any), value, name) for name, value in values.items()}
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def _check_bots(file: Path, about: Any, cls: type, values: Mapping[str, Any]) -> None:
    """ValueError if a settings file names bots that are code."""
    bots = [values[one.name] for one in fields(cls) if one.metadata["bots"] and values.get(one.name) is not None]
    named = [bot for each in bots for bot in ([each] if isinstance(each, str) else each)]
    settings = about.get("settings", about)
    game = settings.get("game", DEFAULT) if isinstance(settings, dict) else DEFAULT
    game = game_from_untrusted_file(_checked(file, Settings, {"game": game}))
    check_told(named, repr(str(file)), game)


def claim(folder: Path, kind: str, settings: Any, call: Call, **more: Any) -> None:
    """Write the settings of a new run and the options of its call. ValueError if the folder holds a run."""
    check_new(folder)
    options = {name: getattr(call, name) for name in _saved_options(type(call))}
    about = {"kind": kind, "settings": asdict(settings), "call": options, "versions": versions(),
             "machine": machine(), **more}  # fmt: skip
    write_json(folder / SETTINGS, json.loads(json.dumps(about)))


def settings_in(
    folder: Path, kind: str, cls: type, asked: Mapping[str, Any], make: Callable[[dict[str, Any]], Any],
    frozen: Mapping[str, Any] = {},
) -> Any:  # fmt: skip
    """The settings of a run, made by `make`.

    asked: what they are said to be. frozen: settings of before, with the one value that they may have. ValueError if
    there is no such run, if it names a stranger's code, or if it has others than are asked for.
    """
    saved = read_json(folder / SETTINGS)
    kept = saved.get("settings", saved) if isinstance(saved, dict) and saved.get("kind", kind) == kind else None
    if not isinstance(kept, dict) or "game" not in kept:
        raise ValueError(f"{str(folder)!r} does not hold {TITLES[kind]}")
    for name, value in frozen.items():
        if kept.get(name, value) != value:
            raise ValueError(f"the run in {str(folder)!r} has {name} = {kept[name]!r}, which is always {value!r} now")
    known = {one.name: one for one in fields(cls)}
    values = {
        name: value for name, value in kept.items() if name not in frozen and (kept is not saved or name in known)
    }
    values = _checked(folder / SETTINGS, cls, values)
    _check_bots(folder / SETTINGS, saved, cls, values)
    if not (folder / KINDS[kind]).exists():
        about = "nothing to go on with; begin anew without --resume"
        raise ValueError(f"{str(folder)!r} has no {KINDS[kind]} yet: {about}")
    made = make(values)
    for name, value in asked.items():
        if value != getattr(made, name, value):
            raise ValueError(f"{name} is {value!r}, but the run in {str(folder)!r} has {getattr(made, name)!r}")
    return made
