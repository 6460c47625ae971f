"""A program, in any language, as a player: it is asked by a line of JSON on its stdin and answers by one on stdout."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vitienv.agents.anonymize import speech
from vitienv.agents.protocol import Bot, GameViews
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LEAVE
from vitienv.core.text_utils import in_one_line
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec

PROTOCOL = 1
MOST_BYTES = 1_000_000  # of an answer
MOST_MS = 3_600_000
LAST_WORDS = 500  # characters of stderr that are told with a fault
# Parts of the names of environment variables that no program gets.
SECRET = ("KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "DATABASE_URL")
# Ends a process group when its stdin ends, which is when the process that started it has ended, killed or not.
WATCH = 'read -r _; kill -s KILL -- "-$1"'
CRASH, TIMEOUT, ILLEGAL = "crash", "timeout", "illegal"


@dataclass(frozen=True)
class Forfeit:
    """Why a player lost a game outside its rules. kind: "crash", "timeout", "illegal", or "unanswered" by a server.
    text: in one line."""

    kind: str
    text: str


class BotFailure(Exception):
    """A program did not answer."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.forfeit = Forfeit(kind, text)


class Program:
    """A running program: it is started when it is first asked, and again after a fault."""

    def __init__(self, command: list[str], limit_ms: int, env: dict[str, str] | None = None) -> None:
        """env: its environment, by default that of this process."""
        self.command, self.limit_ms, self.env = command, limit_ms, env
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        self._errors = b""  # the last that it wrote to stderr

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not failed since."""
        return self._process is not None

    @property
    def last_words(self) -> str:
        """The end of its stderr since it was last started, in one line without control characters."""
        return in_one_line(self._errors.decode("utf-8", "replace"))[-LAST_WORDS:]

    def ask(self, question: bytes, limit_ms: int | None = None) -> bytes:
        """The line that answers a line. Failed if there is none in time, or more than one; the program is then ended.
        limit_ms: if it is another one."""
        try:
            return self._asked(question, limit_ms or self.limit_ms)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the program, with all that it started."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(BlockingIOError):
                self._hear(os.read(_descriptor(process.stderr), 1 << 20))
            self._end()

    def _asked(self, question: bytes, limit_ms: int) -> bytes:
        until = time.monotonic() + limit_ms / 1000
        if self._process is not None and (early := self._read(self._process)):
            raise BotFailure(ILLEGAL, f"wrote before it was asked: {early[:80]!a}")
        process = self._process or self._started()
        out, back, errors = (_descriptor(pipe) for pipe in (process.stdin, process.stdout, process.stderr))
        unsent, answer = memoryview(question), b""
        with selectors.DefaultSelector() as ready:
            ready.register(out, selectors.EVENT_WRITE)
            ready.register(back, selectors.EVENT_READ)
            ready.register(errors, selectors.EVENT_READ)
            while unsent or b"\n" not in answer:
                events = ready.select(max(0.0, until - time.monotonic()))
                # What it writes to stderr is no answer, however much it is.
                if time.monotonic() >= until and all(key.fd == errors for key, _ in events):
                    raise BotFailure(TIMEOUT, f"did not answer within {limit_ms} ms")
                for key, _ in events:
                    if key.fd == back:
                        answer += self._read(process)
                        if len(answer) > MOST_BYTES:
                            raise BotFailure(ILLEGAL, f"wrote more than {MOST_BYTES} bytes for one answer")
                    elif key.fd == errors:
                        if not self._hear(os.read(errors, 65_536)):
                            ready.unregister(errors)
                    else:
                        unsent = unsent[self._write(process, out, unsent) :]
                        if not unsent:
                            ready.unregister(out)
        line, _, more = answer.partition(b"\n")
        if more:
            raise BotFailure(ILLEGAL, f"wrote more than one line for one question: {more[:80]!a}")
        return line

    def _started(self) -> subprocess.Popen[bytes]:
        pipe, self._errors = subprocess.PIPE, b""
        try:
            process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, env=self.env
            )
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise BotFailure(CRASH, f"could not be started: {why}") from None
        # Not the signal that Linux sends when a parent ends: it is sent when the thread ends, and to one process alone.
        watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, "sh", str(process.pid)], stdin=pipe, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self._process, self._end = process, weakref.finalize(self, _end, process, watch)
        for own in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(_descriptor(own), False)
        return process

    def _hear(self, said: bytes) -> bytes:
        self._errors = (self._errors + said)[-4 * LAST_WORDS :]  # a character has four bytes at most
        return said

    def _read(self, process: subprocess.Popen[bytes]) -> bytes:
        try:
            data = os.read(_descriptor(process.stdout), 65_536)
        except BlockingIOError:
            return b""
        if not data:
            raise BotFailure(CRASH, _ended(process))
        return data

    def _write(self, process: subprocess.Popen[bytes], pipe: int, unsent: memoryview) -> int:
        try:
            return os.write(pipe, unsent)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise BotFailure(CRASH, _ended(process)) from None


def _descriptor(pipe: Any) -> int:
    return pipe.fileno()


def _end(process: subprocess.Popen[bytes], watch: subprocess.Popen[bytes]) -> None:
    """Kill a program and all that it started, and wait for it. watch: ends first, as the number of a program that has
    ended may go to another process."""
    watch.kill()
    watch.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (watch.stdin, process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _ended(process: subprocess.Popen[bytes]) -> str:
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
        self, command: str, limit_ms: int = 10_000, anonymize: bool = False, game: str | GameSpec = DEFAULT
    ) -> None:
        """command: as in a shell, without one. limit_ms: for one answer, in milliseconds; the first one includes the
        program's start. anonymize: cards and places have neutral names. ValueError for a command that cannot be
        started, and for a limit that is none."""
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"program: the command {command!r} cannot be read: {error}") from None
        if not words:
            raise ValueError("program: there is no command; it is given as in program:./mybot")
        if not 1 <= limit_ms <= MOST_MS:
            raise ValueError(f"program: limit_ms is {limit_ms}; it must be from 1 to {MOST_MS}")
        if shutil.which(words[0]) is None:
            raise ValueError(
                f"program: {words[0]!r} cannot be started: there is no such program, or it is not executable"
            )
        super().__init__(f"program:{command}", game_spec(game))
        env = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in SECRET)}
        self.program = Program(words, limit_ms, env)
        self.speech = speech(anonymize, self.table)
        self.forfeits: dict[int, Forfeit] = {}

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} needs the games that it plays in")
        self.forfeits.clear()  # and not another one: at other tables a copy plays
        chosen = np.full(len(action_masks), LEAVE, np.int64)
        for row in range(len(action_masks)):
            game = games.determinize(row, seed=0)  # the question is the same under every deal
            try:
                chosen[row] = self._answer(game)
            except BotFailure as failed:
                self.program.close()  # so that nothing of this game reaches another one
                said = self.program.last_words
                text = f"{failed}; the end of its stderr: {said}" if said else str(failed)
                self.forfeits[row] = replace(failed.forfeit, text=text)
        return chosen

    def _answer(self, game: Game) -> int:
        """The number of the action that the program names. Failed if it names none."""
        told = {"vitienv": PROTOCOL, "told": self.speech.view(game), "words": self.speech.describe(game),
                "choices": self.speech.describe_actions(game)}  # fmt: skip
        answer = self.program.ask(json.dumps(told).encode() + b"\n")
        try:
            return self.speech.parse_action(game, _action(answer))
        except (IllegalAction, ValueError, RecursionError) as error:
            raise BotFailure(ILLEGAL, str(error)) from None


def _action(answer: bytes) -> str:
    """What an answer names: {"action": a number, a name or a sentence, in one line}. ValueError for anything else."""
    wrong = f'an answer must be such as {{"action": 12}}, not {answer[:80]!a}'
    try:
        told: Any = from_json(answer.decode("utf-8"), tuple)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{wrong}: {error}") from None
    actions = [value for key, value in told if key == "action"] if isinstance(told, tuple) else []
    if len(actions) > 1:
        raise ValueError(f"{wrong}: it has {len(actions)} actions")
    action = actions[0] if actions else None
    if isinstance(action, bool) or not isinstance(action, int | str):
        raise ValueError(wrong)
    if len(str(action).splitlines()) > 1:
        raise ValueError(f"an action must be in one line, not {str(action)[:80]!a}")
    return str(action)
