"""Players that are programs in any language: JSON lines on stdin and stdout."""

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
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.anonymize import game_text
from vitienv.agents.protocol import Bot, GameViews
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import SKIP
from vitienv.core.text_utils import in_one_line
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec

if TYPE_CHECKING:
    from vitienv.core.batch import Batch

PROTOCOL = 1
MAX_ANSWER_BYTES = 1_000_000
MAX_LIMIT_MS = 3_600_000
STDERR_TAIL_CHARS = 500  # quoted with a failure
# Environment variables with these words in their names are not passed to programs.
SECRET = ("KEY", "TOKEN", "SECRET", "PASS", "CREDENTIAL", "DATABASE_URL")
# Kills a process group when its stdin closes, which happens even if the parent process is killed.
WATCHDOG = 'read -r _; kill -s KILL -- "-$1"'
CRASH, TIMEOUT, ILLEGAL = "crash", "timeout", "illegal"


@dataclass(frozen=True)
class Forfeit:
    """Reason of a forfeit. kind: "crash", "timeout", "illegal", or "unanswered" by a server. text: in one line."""

    kind: str
    text: str


class BotFailure(Exception):
    """A program did not return a valid answer."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.forfeit = Forfeit(kind, text)


class Program:
    """A program that is started at its first query and restarted after a failure."""

    def __init__(self, command: list[str], limit_ms: int, env: dict[str, str] | None = None) -> None:
        """env: its environment, by default inherited."""
        self.command, self.limit_ms, self.env = command, limit_ms, env
        self._process: subprocess.Popen[bytes] | None = None
        self._end: Callable[[], object] = lambda: None
        self._errors = b""  # the end of its stderr

    @property
    def is_running(self) -> bool:
        """Whether the process is started and has not failed."""
        return self._process is not None

    @property
    def stderr_tail(self) -> str:
        """The end of its stderr since the last start, in one line without control characters."""
        return in_one_line(self._errors.decode("utf-8", "replace"))[-STDERR_TAIL_CHARS:]

    def ask(self, question: bytes, limit_ms: int | None = None) -> bytes:
        """Return the one line that answers a question in time; otherwise kill the program and raise BotFailure."""
        try:
            return self._query(question, self.limit_ms if limit_ms is None else limit_ms)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Kill the program and its children."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(BlockingIOError):
                self._append_stderr(os.read(_descriptor(process.stderr), 1 << 20))
            self._end()

    def _query(self, question: bytes, limit_ms: int) -> bytes:
        deadline = time.monotonic() + limit_ms / 1000
        if self._process is not None and (early := self._read(self._process)):
            raise BotFailure(ILLEGAL, f"wrote before the query: {early[:80]!a}")
        process = self._process or self._start()
        out, back, errors = (_descriptor(pipe) for pipe in (process.stdin, process.stdout, process.stderr))
        unsent, answer = memoryview(question), b""
        with selectors.DefaultSelector() as ready:
            ready.register(out, selectors.EVENT_WRITE)
            ready.register(back, selectors.EVENT_READ)
            ready.register(errors, selectors.EVENT_READ)
            while unsent or b"\n" not in answer:
                events = ready.select(max(0.0, deadline - time.monotonic()))
                # Output on stderr does not extend the time limit.
                if time.monotonic() >= deadline and all(key.fd == errors for key, _ in events):
                    raise BotFailure(TIMEOUT, f"did not answer within {limit_ms} ms")
                for key, _ in events:
                    if key.fd == back:
                        answer += self._read(process)
                        if len(answer) > MAX_ANSWER_BYTES:
                            raise BotFailure(ILLEGAL, f"wrote more than {MAX_ANSWER_BYTES} bytes for one answer")
                    elif key.fd == errors:
                        if not self._append_stderr(os.read(errors, 65_536)):
                            ready.unregister(errors)
                    else:
                        unsent = unsent[self._write(process, out, unsent) :]
                        if not unsent:
                            ready.unregister(out)
        line, _, extra = answer.partition(b"\n")
        if extra:
            raise BotFailure(ILLEGAL, f"wrote more than one line per query: {extra[:80]!a}")
        return line

    def _start(self) -> subprocess.Popen[bytes]:
        pipe, self._errors = subprocess.PIPE, b""
        try:
            process = subprocess.Popen(
                self.command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, start_new_session=True, env=self.env
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise BotFailure(CRASH, f"could not be started: {reason}") from None
        # The parent-death signal of Linux is sent at the end of the thread, and to a single process.
        watchdog = subprocess.Popen(
            ["/bin/sh", "-c", WATCHDOG, "sh", str(process.pid)], stdin=pipe, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self._process, self._end = process, weakref.finalize(self, _end, process, watchdog)
        for pipe_end in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(_descriptor(pipe_end), False)
        return process

    def _append_stderr(self, data: bytes) -> bytes:
        self._errors = (self._errors + data)[-4 * STDERR_TAIL_CHARS :]  # up to four bytes per character
        return data

    def _read(self, process: subprocess.Popen[bytes]) -> bytes:
        try:
            data = os.read(_descriptor(process.stdout), 65_536)
        except BlockingIOError:
            return b""
        if not data:
            raise BotFailure(CRASH, _exit_text(process))
        return data

    def _write(self, process: subprocess.Popen[bytes], pipe: int, unsent: memoryview) -> int:
        try:
            return os.write(pipe, unsent)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise BotFailure(CRASH, _exit_text(process)) from None


class Clock:
    """Time of a seat for its decisions in one game. remaining_ms: None without a limit."""

    def __init__(self, limit_ms: int | None) -> None:
        self.limit_ms = self.remaining_ms = limit_ms

    def ask(self, program: Program, question: bytes) -> bytes:
        """Return `Program.ask` within the time limits of the decision and of the game, and subtract its time."""
        if self.remaining_ms is None:
            return program.ask(question)
        start = time.monotonic()
        try:
            return program.ask(question, min(program.limit_ms, self.remaining_ms))
        except BotFailure as failed:
            if failed.forfeit.kind == TIMEOUT and self.remaining_ms <= program.limit_ms:
                raise BotFailure(TIMEOUT, f"exceeded the {self.limit_ms} ms of game_limit_ms") from None
            raise
        finally:
            self.remaining_ms = max(0, self.remaining_ms - round(1000 * (time.monotonic() - start)))


def _descriptor(pipe: Any) -> int:
    return pipe.fileno()


def _end(process: subprocess.Popen[bytes], watchdog: subprocess.Popen[bytes]) -> None:
    """Kill a program and its children, and wait for it. The watchdog ends first, as the process id may be reused."""
    watchdog.kill()
    watchdog.wait()
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (watchdog.stdin, process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()


def _exit_text(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        return "closed its stdout"
    return f"exited with status {status}" if status >= 0 else f"was killed by signal {-status}"


class ProgramAgent(Bot):
    """Bot that is a program; see docs/programs.md for the protocol.

    A query contains the view of the seat in JSON and in text, and the legal actions. The program forfeits the game if
    it exits, exceeds the time limit or returns no legal action; `forfeits` has the reasons by rows of the last `act`.
    """

    def __init__(
        self, command: str, limit_ms: int = 10_000, game_limit_ms: int | None = None, anonymize: bool = False,
        game: str | GameSpec = DEFAULT,
    ) -> None:  # fmt: skip
        """Start a command, split like a shell command. ValueError if it cannot start or a limit is out of range.

        limit_ms: time limit of an answer; the first includes the start. game_limit_ms: time limit of all answers of a
        seat in one game, None for no limit. anonymize: neutral names of cards and places.
        """
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"program: cannot parse the command {command!r}: {error}") from None
        if not words:
            raise ValueError("program: missing command; expected program:COMMAND such as program:./mybot")
        for name, limit in (("limit_ms", limit_ms), ("game_limit_ms", game_limit_ms)):
            if limit is not None and not 1 <= limit <= MAX_LIMIT_MS:
                raise ValueError(f"program: {name} must be from 1 to {MAX_LIMIT_MS}, got {limit}")
        if shutil.which(words[0]) is None:
            raise ValueError(f"program: {words[0]!r} does not exist or is not executable")
        super().__init__(f"program:{command}", game_spec(game))
        env = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in SECRET)}
        self.program = Program(words, limit_ms, env)
        self.game_text = game_text(anonymize, self.table)
        self.game_limit_ms = game_limit_ms
        self._clocks: weakref.WeakKeyDictionary[Batch, dict[tuple, Clock]] = weakref.WeakKeyDictionary()
        self.forfeits: dict[int, Forfeit] = {}

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} requires `games` in `act`")
        self.forfeits.clear()  # Shared: copies for other tables share it
        actions = np.full(len(action_masks), SKIP, np.int64)
        for row in range(len(action_masks)):
            game = games.determinize(row, seed=0)  # the query does not depend on the seed
            try:
                actions[row] = self._answer(game, self._clock(games, row))
            except BotFailure as failed:
                self.program.close()  # its state must not leak into another game
                stderr_tail = self.program.stderr_tail
                text = f"{failed}; end of stderr: {stderr_tail}" if stderr_tail else str(failed)
                self.forfeits[row] = replace(failed.forfeit, text=text)
        return actions

    def _clock(self, games: GameViews, i: int) -> Clock:
        batch, row = games._batch, int(games._rows[i])
        clocks = self._clocks.setdefault(batch, {})
        # The RNG key distinguishes the successive games of a row.
        return clocks.setdefault((row, games.seat(i), *batch.keys[row].tolist()), Clock(self.game_limit_ms))

    def _answer(self, game: Game, clock: Clock) -> int:
        question = {"vitienv": PROTOCOL, "view": self.game_text.view(game), "text": self.game_text.describe(game),
                "choices": self.game_text.describe_actions(game)}  # fmt: skip
        if clock.remaining_ms is not None:
            question["remaining_ms"] = clock.remaining_ms
        answer = clock.ask(self.program, json.dumps(question).encode() + b"\n")
        try:
            return self.game_text.parse_action(game, _parse_answer(answer))
        except (IllegalAction, ValueError, RecursionError) as error:
            raise BotFailure(ILLEGAL, str(error)) from None


def _parse_answer(answer: bytes) -> str:
    """Return the action of an answer {"action": index, name or sentence}. ValueError for other answers."""
    message = f'answer must be JSON such as {{"action": 12}}, got {answer[:80]!a}'
    try:
        pairs: Any = from_json(answer.decode("utf-8"), tuple)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{message}: {error}") from None
    actions = [value for key, value in pairs if key == "action"] if isinstance(pairs, tuple) else []
    if len(actions) > 1:
        raise ValueError(f"{message}: it has {len(actions)} actions")
    action = actions[0] if actions else None
    if isinstance(action, bool) or not isinstance(action, int | str):
        raise ValueError(message)
    if len(str(action).splitlines()) > 1:
        raise ValueError(f"action must be one line, got {str(action)[:80]!a}")
    return str(action)
