"""What all tests share: nothing of the user's own is read or written."""

import os

import pytest

from vitienv import console
from vitienv.core.compiling import code_cache
from vitienv.session import saves


@pytest.fixture(autouse=True, scope="session")
def own_folder(tmp_path_factory):
    """The key, the ladder and the games of whoever runs the tests are left alone, by what tests start too."""
    os.environ[saves.HOME] = str(tmp_path_factory.mktemp("home"))


@pytest.fixture(autouse=True)
def no_lines(monkeypatch):
    """What a test reads does not depend on how busy the machine is, nor on what is compiled already."""
    monkeypatch.setattr(code_cache, "silent", True)
    monkeypatch.setattr(console, "LINE_SECONDS", float("inf"))
