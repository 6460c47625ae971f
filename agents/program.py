"""A program, in any language, as a player: it is asked by a line of JSON on its stdin and answers by one on stdout."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, cast

import numpy as np

from vitienv.agents.disguise import speech
from vitienv.agents.protocol import Bot, Views
from vitienv.core.definition import Definition
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.kernel import LEAVE
from vitienv.game import Game
from vitienv.games import DEFAULT, definition

PROTOCOL = 1
MOST_BYTES = 1_000_000  # of an answer
MOST_MS = 3_600_000
CRASH, TIMEOUT, ILLEGAL = "crash", "timeout", "illegal"


@dataclass(frozen=True)
class Fault:
    """Why a player lost a game outside its rules. kind: "crash", "timeout" or "illegal". text: in one line."""

    kind: str
    text: str


class Failed(Exception):
    """A program did not answer."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.fault = Fault(kind, text)


class Program:
    """A running program: it is started when it is first asked, and again after it failed."""

    def __init__(self, command: list[str], limit_ms: int) -> None:
        self.command, self.limit_ms = command, limit_ms
        self._process: subprocess.Popen[bytes] | None = None
        self._left = b""  # what it wrote behind its last answer

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not failed since."""
        return self._process is not None

    def ask(self, question: bytes, limit_ms: int | None = None) -> bytes:
        """The line that answers a line. Failed if there is none in time; the program is then ended. limit_ms: if it is
        another one."""
        try:
            return self._asked(question, limit_ms or self.limit_ms)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program, with all that it started."""
        process, self._process, self._left = self._process, None, b""
        if process is not None:
            _end(process)

    def _asked(self, question: bytes, limit_ms: int) -> bytes:
        until = time.monotonic() + limit_ms / 1000
        process = self._process or self._started()
        out, back = cast(IO[bytes], process.stdin).fileno(), cast(IO[bytes], process.stdout).fileno()
        unsent, answer = memoryview(question), self._left
        with selectors.DefaultSelector() as ready:
            ready.register(out, selectors.EVENT_WRITE)
            ready.register(back, selectors.EVENT_READ)
            while unsent or b"\n" not in answer:
                events = ready.select(max(0.0, until - time.monotonic()))
                if not events:
                    raise Failed(TIMEOUT, f"did not answer within {limit_ms} ms")
                for key, _ in events:
                    if key.fd == back:
                        answer += self._read(process, back)
                        if len(answer) > MOST_BYTES:
                            raise Failed(ILLEGAL, f"wrote more than {MOST_BYTES} bytes for one answer")
                    else:
                        unsent = unsent[self._write(process, out, unsent) :]
                        if not unsent:
                            ready.unregister(out)
        line, _, self._left = answer.partition(b"\n")
        return line

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            process = subprocess.Popen(
                self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise Failed(CRASH, f"could not be started: {why}") from None
        self._process = process
        weakref.finalize(self, _end, process)
        for pipe in (process.stdin, process.stdout):
            os.set_blocking(cast(IO[bytes], pipe).fileno(), False)
        return process

    def _read(self, process: subprocess.Popen[bytes], pipe: int) -> bytes:
        try:
            data = os.read(pipe, 65_536)
        except BlockingIOError:
            return b""
        if not data:
            raise Failed(CRASH, _ended(process))
        return data

    def _write(self, process: subprocess.Popen[bytes], pipe: int, unsent: memoryview) -> int:
        try:
            return os.write(pipe, unsent)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise Failed(CRASH, _ended(process)) from None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill a program and all that it started, and wait for it."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _ended(process: subprocess.Popen[bytes]) -> str:
    """How a program that closed its pipe has ended."""
    try:
        status = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "closed its output"
    return f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"


class ProgramAgent(Bot):
    """A bot that is a program; docs/programs.md describes its questions and answers.

    A question has what the seat may know, in JSON and in sentences, and the choices. A program that ends, does not
    answer in time or names no legal action loses the game: `faults` says why, by the rows of the last `act`.
    """

    def __init__(
        self, command: str, limit_ms: int = 10_000, disguise: bool = False, game: str | Definition = DEFAULT
    ) -> None:
        """command: as in a shell, without one. limit_ms: for one answer, in milliseconds; the first one includes the
        program's start. disguise: cards and places have neutral names. ValueError for a command or a limit that is
        none, and for a game without such names."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"pipe: the command {command!r} cannot be read: {error}") from None
        if not words:
            raise ValueError("pipe: there is no command; it is given as in pipe:./mybot")
        if not 1 <= limit_ms <= MOST_MS:
            raise ValueError(f"pipe: limit_ms is {limit_ms}; it must be from 1 to {MOST_MS}")
        super().__init__(f"pipe:{command}", definition(game))
        self.program = Program(words, limit_ms)
        self.speech = speech(disguise, self.table)
        self.faults: dict[int, Fault] = {}

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} needs the games that it plays in")
        self.faults.clear()  # and not another one: at other tables a copy plays
        chosen = np.full(len(masks), LEAVE, np.int64)
        for row in range(len(masks)):
            game = games.determinize(row, seed=0)  # the question is the same under every deal
            try:
                chosen[row] = self._answer(game)
            except Failed as failed:
                self.faults[row] = failed.fault
        return chosen

    def _answer(self, game: Game) -> int:
        """The number of the action that the program names. Failed if it names none."""
        told = {"vitienv": PROTOCOL, "told": self.speech.told(game), "words": self.speech.words(game),
                "choices": self.speech.choices(game)}  # fmt: skip
        answer = self.program.ask(json.dumps(told).encode() + b"\n")
        try:
            return self.speech.parse(game, _action(answer))
        except (IllegalAction, ValueError, RecursionError) as error:
            raise Failed(ILLEGAL, str(error)) from None


def _action(answer: bytes) -> str:
    """What an answer names: {"action": a number, a name or a sentence}. ValueError for anything else."""
    wrong = f'an answer must be such as {{"action": 12}}, not {answer[:80]!a}'
    try:
        told: Any = from_json(answer.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{wrong}: {error}") from None
    action = told.get("action") if isinstance(told, dict) else None
    if isinstance(action, bool) or not isinstance(action, int | str):
        raise ValueError(wrong)
    return str(action)
