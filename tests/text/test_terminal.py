"""`vitienv play` in a real terminal."""

import io
import os
import sys

import pexpect

from vitienv.session import saves


def test_play_in_a_real_terminal(tmp_path):
    env = os.environ | {"TERM": "xterm-256color", saves.HOME: str(tmp_path)}
    words = ["-m", "vitienv.cli", "play", "--seed", "4", "--bots", "random"]
    output = io.BytesIO()
    terminal = pexpect.spawn(sys.executable, words, timeout=300, env=env, dimensions=(24, 80))
    terminal.logfile_read = output
    terminal.expect_exact("> ")
    terminal.sendline("quit")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0 and b"Type help for help." in output.getvalue()
