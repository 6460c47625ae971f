"""`vitienv play` in a real terminal."""

import os
import pty
import select
import signal
import sys
import termios
import time
from pathlib import Path

import pytest

from vitienv.session import saves

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0  # seconds for what may be compiled first


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(saves.HOME, str(tmp_path / "data"))


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
            for prompt, keys in list(todo.items()):
                if prompt in written:
                    os.write(terminal, keys)
                    del todo[prompt]
        else:
            os.kill(pid, signal.SIGKILL)
    finally:
        _, status = os.waitpid(pid, 0)
        os.close(terminal)
    return os.waitstatus_to_exitcode(status), written


def test_lines_in_a_real_terminal():
    status, written = in_terminal("--seed", "4", "--bots", "random", typed={b"> ": b"quit\n"})
    assert status == 0 and b"\x1b[?1049h" not in written and b"Type help for help." in written
