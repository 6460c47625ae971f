"""Training loop of all methods, and the settings of new and resumed runs.

A method implements update, checkpoint and evaluation (`Training`); the loop schedules them and ends the run.
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

from vitienv.agents.registry import check_untrusted_specs
from vitienv.core.files import machine, read_json, versions, write_json
from vitienv.core.text_utils import in_one_line
from vitienv.registry import DEFAULT, game_from_untrusted_file
from vitienv.training.json_dataclasses import checked
from vitienv.training.run_dir import KINDS, SETTINGS, check_new
from vitienv.training.settings import Call, Settings, nearest, split

FIRST_SECONDS = 20.0  # time of the first checkpoint after the initial one
EVALUATION_SHARE = 0.2  # maximum share of the time for evaluations, except the first and the last
LINE_SECONDS = 10.0  # interval of progress lines without a terminal
C = TypeVar("C")


class Training(Protocol):
    """A training method working on a run."""

    @property
    def updates(self) -> int:
        """Updates of the run so far."""

    @property
    def decisions(self) -> int:
        """Decisions of the run so far, of all processes."""

    def step(self, share: float) -> None:
        """Run one update. share: progress of the call, from 0 to 1."""

    def save(self) -> None:
        """Write the network and the checkpoint. All processes call it."""

    def evaluate(self) -> None:
        """Add a point to the curve. Only the first process calls it."""


def check_steps(steps: int | None, rollout: int) -> None:
    """Raise ValueError if a run would end before its first rollout is complete."""
    if steps is not None and steps < rollout:
        raise ValueError(f"steps must be at least {rollout:,}, the decisions of one rollout, got {steps:,}")


class Loop:
    """Loop of updates with checkpoints and evaluations.

    broadcast_object: returns the first process's value in all processes. evaluations: checkpoints per evaluation.
    evaluate_seconds: minimum interval of evaluations.
    """

    def __init__(
        self, training: Training, call: Call, broadcast_object: Callable[[Any], Any] = lambda value: value,
        is_first: bool = True, evaluations: int = 1, evaluate_seconds: float = 0.0,
    ) -> None:  # fmt: skip
        self._training, self._call, self._broadcast, self._is_first = training, call, broadcast_object, is_first
        self._evaluations, self._evaluate_seconds = evaluations, evaluate_seconds
        self._save_time = self._evaluate_time = self.start_time = time.monotonic()
        self._num_checkpoints, self._evaluate_duration, self._is_saved = 0, 0.0, False
        self._first_update = training.updates
        self.interrupt = Interrupt()

    def save_initial(self) -> None:
        """Write the first checkpoint and evaluation; the run can be resumed from now on."""
        self.start_time = time.monotonic()
        self.checkpoint(is_end=True)

    def restart_clock(self) -> None:
        """Count minutes and updates from now on, including the evaluation before."""
        self.start_time, self._first_update = time.monotonic() - self._evaluate_duration, self._training.updates
        self._is_saved = False

    def run(self) -> None:
        """Run updates until a limit or an interrupt, then write the last checkpoint and evaluation."""
        share = self.sync_progress(self.share)
        if self._is_first and not self.interrupt.is_requested and 0 < (self._call.minutes or 0) <= self._minutes():
            minutes = f"the first and the last evaluation take {self._call.minutes:g} minutes or more"
            print(f"no update: {minutes}; increase --minutes or decrease --evaluation-games", file=sys.stderr)
        while share < 1:
            self._is_saved = False
            self._training.step(share)
            share = self.sync_progress(self.share)
            if share < 1:
                self.checkpoint()
        if not self._is_saved:
            self.checkpoint(is_end=True)

    def sync_progress(self, share: Callable[[], float]) -> float:
        """Return the first process's progress in all processes: 1.0 after an interrupt or the end of the method."""
        return self._broadcast(
            1.0 if self.interrupt.is_requested or getattr(self._training, "is_over", False) else share()
        )

    def share(self) -> float:
        """Return the progress of the call including its last evaluation; 1 or more at its end."""
        call, training = self._call, self._training
        return nearest(
            (training.updates - self._first_update, getattr(call, "updates", None)), (training.decisions, call.steps),
            (self._minutes(), call.minutes),
        )  # fmt: skip

    def _minutes(self) -> float:
        """Return the minutes of the call, including the evaluations of the last and of the best network."""
        return (time.monotonic() - self.start_time + 2 * self._evaluate_duration) / 60

    def checkpoint(self, is_end: bool = False) -> None:
        """Write a checkpoint and an evaluation if due. is_end: whether this is the start or the end of the run."""
        seconds = self._call.checkpoint_seconds
        seconds = min(FIRST_SECONDS, seconds) if self._num_checkpoints == 1 else seconds
        if not self._broadcast(is_end or time.monotonic() - self._save_time >= seconds):
            return
        self._training.save()
        start = time.monotonic()
        pause = max(self._evaluate_seconds, self._evaluate_duration * (1 / EVALUATION_SHARE - 1))
        is_due = self._num_checkpoints % self._evaluations == 0 and start - self._evaluate_time >= pause
        if self._is_first and (is_end or is_due):
            self._training.evaluate()
            self._evaluate_time = time.monotonic()
            self._evaluate_duration = self._evaluate_time - start
        self._save_time, self._num_checkpoints, self._is_saved = time.monotonic(), self._num_checkpoints + 1, True


class Interrupt:
    """Handler that turns the first Ctrl-C into an end after the current update; the second one interrupts."""

    def __init__(self) -> None:
        self.is_requested = False

    def __enter__(self) -> Interrupt:
        self._is_main_thread = threading.current_thread() is threading.main_thread()  # signals require the main thread
        if self._is_main_thread:
            self._previous_handler = signal.signal(signal.SIGINT, self._request)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_main_thread:
            signal.signal(signal.SIGINT, self._previous_handler)

    def _request(self, *_: object) -> None:
        self.is_requested = True
        signal.signal(signal.SIGINT, self._previous_handler)
        print(
            "\nstopping after this update, with a checkpoint; press Ctrl-C again to stop immediately", file=sys.stderr
        )


class Progress:
    """Progress of a training: a bar in a terminal, else a line every `LINE_SECONDS`."""

    def __init__(self, verbose: bool) -> None:
        self._is_verbose, self._bar, self._start_time, self._line_time = verbose, None, time.monotonic(), 0.0
        if verbose and sys.stderr.isatty():
            from rich import progress as rich
            from rich.console import Console

            description, text_column = (
                rich.TextColumn(text, markup=False) for text in ("{task.description}", "{task.fields[stats]}")
            )
            columns = description, rich.BarColumn(20), rich.TimeElapsedColumn(), text_column
            self._bar = rich.Progress(*columns, console=Console(stderr=True))
            self._task = self._bar.add_task("", total=1.0, stats="")

    def update(self, phase: str, share: float, describe: Callable[[], str]) -> None:
        """Show the phase, its progress, and a description."""
        if self._bar is not None:
            self._bar.start()  # after the bar of the compilation
            self._bar.update(self._task, description=phase, completed=share, stats=in_one_line(describe()))
        elif self._is_verbose and time.monotonic() - self._line_time >= LINE_SECONDS:
            self._line_time = time.monotonic()
            seconds = self._line_time - self._start_time
            print(f"{phase} {share:4.0%} {seconds:,.0f} s: {in_one_line(describe())}", file=sys.stderr, flush=True)

    def stop(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()


# The settings of a run.


def read_call(values: Mapping[str, Any], cls: type[C]) -> tuple[C, dict[str, Any]]:
    """Return the call options, and the settings among the keywords of a training; see `split`.

    The saved options of a resumed run are its defaults. ValueError if its settings file is missing or damaged, or
    contains untrusted code.
    """
    file = Path(values["run"]) / SETTINGS if values.get("resume") and values.get("run") else None
    content = {} if file is None else read_json(file)
    options = content.get("call") if isinstance(content, dict) else None
    if file is None or not isinstance(options, dict):
        return split(values, cls)
    names = [name for name in _saved_options(cls) if values.get(name) is None and name in options]
    saved = _checked(file, cls, {name: options[name] for name in names})
    _check_bots(file, content, cls, saved)
    return split({**values, **saved}, cls)


def _saved_options(cls: type) -> list[str]:
    return [member.name for member in fields(cls) if member.metadata["is_saved"]]


def _checked(file: Path, cls: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Check the types of values from JSON; lists become tuples, and values of unknown names are not checked."""
    hints = get_type_hints(cls)
    try:
        return {name: checked(hints.get(name, Any), value, name) for name, value in values.items()}
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def _check_bots(file: Path, content: Any, cls: type, values: Mapping[str, Any]) -> None:
    bots = [
        values[member.name] for member in fields(cls) if member.metadata["bots"] and values.get(member.name) is not None
    ]
    specs = [bot for names in bots for bot in ([names] if isinstance(names, str) else names)]
    settings = content.get("settings", content)
    game = settings.get("game", DEFAULT) if isinstance(settings, dict) else DEFAULT
    game = game_from_untrusted_file(_checked(file, Settings, {"game": game}))
    check_untrusted_specs(specs, repr(str(file)), game)


def claim(folder: Path, kind: str, settings: Any, call: Call, **extra: Any) -> None:
    """Write the settings and call options of a new run. ValueError if the directory contains a run."""
    check_new(folder)
    options = {name: getattr(call, name) for name in _saved_options(type(call))}
    content = {"kind": kind, "settings": asdict(settings), "call": options, "versions": versions(),
             "machine": machine(), **extra}  # fmt: skip
    write_json(folder / SETTINGS, json.loads(json.dumps(content)))


def settings_in(
    folder: Path, kind: str, cls: type, expected: Mapping[str, Any], make: Callable[[dict[str, Any]], Any]
) -> Any:  # fmt: skip
    """Read the settings of a run with `make`.

    expected: settings of the call, which must be equal. ValueError if there is no such run, if it contains untrusted
    code, or if settings differ.
    """
    saved = read_json(folder / SETTINGS)
    values_of_run = saved.get("settings") if isinstance(saved, dict) and saved.get("kind") == kind else None
    if not isinstance(values_of_run, dict) or "game" not in values_of_run:
        raise ValueError(f"{str(folder)!r} does not contain a run of --method {kind}")
    values = _checked(folder / SETTINGS, cls, values_of_run)
    _check_bots(folder / SETTINGS, saved, cls, values)
    if not (folder / KINDS[kind]).exists():
        raise ValueError(f"{str(folder)!r} does not contain {KINDS[kind]}; start again without --resume")
    settings = make(values)
    for name, value in expected.items():
        if value != getattr(settings, name, value):
            raise ValueError(f"{name} must be {getattr(settings, name)!r} as in {str(folder)!r}, got {value!r}")
    return settings
