"""Fixtures of all tests."""

import io
import os

import pytest

from tests.command import run
from vitienv import console, trust
from vitienv.core.compiling import code_cache
from vitienv.session import saves


@pytest.fixture(autouse=True, scope="session")
def separate_home(tmp_path_factory):
    """Use another directory for key, ladder and games, in child processes as well."""
    os.environ[saves.HOME] = str(tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def no_progress_messages(monkeypatch):
    """Suppress messages that depend on the speed of the machine or on cached code."""
    monkeypatch.setattr(code_cache, "silent", True)
    monkeypatch.setattr(console, "LINE_SECONDS", float("inf"))


@pytest.fixture(autouse=True)
def restored_trust(monkeypatch):
    """Forget the option --trust of a command in this process after a test."""
    monkeypatch.setenv(trust.VARIABLE, os.environ.get(trust.VARIABLE, ""))


@pytest.fixture
def play(capsys, monkeypatch):
    """Return a function that plays in the terminal with typed input; it returns status, stdout and stderr."""

    def play(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return run(capsys, "play", *arguments)

    return play
