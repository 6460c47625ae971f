"""`vitienv play` in a real terminal: on the full screen or in plain lines."""

import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

from vitienv import trust
from vitienv.commands.play import _is_screen

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0  # seconds for what may be compiled first


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(trust.HOME, str(tmp_path / "data"))


def test_a_terminal_without_a_screen_gets_lines(monkeypatch):
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    for kind, is_screen in (("xterm-256color", True), ("dumb", False)):
        monkeypatch.setenv("TERM", kind)
        assert _is_screen() == is_screen


def in_terminal(*arguments, typed):
    """`vitienv play` in a real terminal: its status and what it wrote. typed: keys, by words of the question alone."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(ROOT)
        os.environ.update(TERM="xterm-256color")
        os.execv(sys.executable, [sys.executable, "-m", "vitienv.cli", "play", *arguments])
    termios.tcsetwinsize(terminal, (24, 80))
    written, todo, until = b"", dict(typed), time.monotonic() + PATIENCE
    try:
        while time.monotonic() < until:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    new = os.read(terminal, 65536)
                except OSError:  # it has ended
                    break
                if not new:
                    break
                written += new
            for shown, keys in list(todo.items()):
                if shown in written:
                    os.write(terminal, keys)
                    del todo[shown]
        else:
            os.kill(pid, signal.SIGKILL)
    finally:
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
    return os.waitstatus_to_exitcode(status), written


def test_a_real_terminal_gets_the_screen_and_gets_it_back():
    status, written = in_terminal("--seed", "4", "--bots", "random", typed={b"The trellis": b"\r", b"Row 3": b"q"})
    assert status == 0
    assert b"\x1b[?1049h" in written and b"\x1b[?1049l" in written.partition(b"Row 3")[2]
    assert b"vitienv play --resume" in written.rpartition(b"\x1b[?1049l")[2]


def test_plain_lines_in_a_real_terminal():
    status, written = in_terminal("--plain", "--seed", "4", "--bots", "random", typed={b"> ": b"quit\n"})
    assert status == 0 and b"\x1b[?1049h" not in written and b"Type help for help." in written
