"""Fixtures of all tests, which isolate them from the user's files."""

import os

import pytest

from vitienv import console
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
