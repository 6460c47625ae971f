"""Typing at the prompt: completion and `vitienv play` in a real terminal, and capital letters everywhere."""

import io
import os
import sys

import pexpect
import pytest

import vitienv
from vitienv.session import saves
from vitienv.session.game_session import GameSession
from vitienv.session.terminal import Terminal

readline = pytest.importorskip("readline")


def table(typed="", is_terminal=True):
    stdin = io.StringIO(typed)
    stdin.isatty = lambda: is_terminal
    sys.stdin = stdin
    game = vitienv.Game.new(num_players=2, seed=5)
    return Terminal(GameSession(game, ["you", "random"]), lambda: None, lambda file: None)


@pytest.fixture(autouse=True)
def typing(monkeypatch):
    """The completion and the stream of the process are put back."""
    monkeypatch.setattr("sys.stdin", sys.stdin)
    before = readline.get_completer()
    readline.set_completer(None)
    yield
    readline.set_completer(before)


def test_tab_completes_commands():
    table("quit\n").play()
    complete = readline.get_completer()
    assert complete is not None and complete("hin", 0) == complete("HIN", 0) == "hint" and complete("zz", 0) is None


def test_pipe_has_no_completion():
    table("quit\n", is_terminal=False).play()
    assert readline.get_completer() is None


def test_input_is_case_insensitive(capsys):
    at = table("1\n2\nPASS\nquit\n", is_terminal=False)
    at.play()
    assert "not a legal choice" not in capsys.readouterr().out and "pass" in at.session.game.moves


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
