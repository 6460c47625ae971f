"""A bot's progress with a choice is shown while it thinks, and no longer."""

import re
import sys

import numpy as np
import pytest

import vitienv
from vitienv.agents.query import call_agent
from vitienv.agents.search_progress import SearchProgress
from vitienv.session import terminal
from vitienv.session.game_session import GameSession


def heard(spec):
    """What is told at every report while a bot makes one choice."""
    session, reports = GameSession(vitienv.Game.new(seed=1), 0, {1: spec}), []
    session.search_progress.on_update = lambda: reports.append(session.search_progress.describe())
    while not reports and session.game.current_seat == 1 and len(session.game.moves) < 20:
        session.play(session.next_move())
    assert session.search_progress.describe() == ""
    return reports


def test_simulations_done_of_those_asked_for():
    found = heard("ismcts:simulations=1200,seed=1,playout=none")
    done = [int(told.partition(" of ")[0].replace(",", "")) for told in found]
    assert found[-1] == "1,200 of 1,200 simulations" and done == sorted(done) and len(set(done)) > 2


def test_time_spent_of_the_time_there_is():
    found = heard("ismcts:milliseconds=60,playout=none")
    assert found and all(re.fullmatch(r"[\d,]+ simulations, 0\.[01] of 0\.06 s", told) for told in found)


def test_a_bot_that_does_not_say():
    assert heard("heuristic") == []


def test_a_terminal_tells_and_removes_it(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    session = GameSession(vitienv.Game.new(seed=1), 0, {1: "ismcts:simulations=64,seed=1,playout=none"})
    assert not terminal.Terminal(session, lambda: None, lambda file: None).play()
    told = capsys.readouterr().err
    assert "ismcts (64 simulations) thinks: 64 of 64 simulations" in told and told.endswith("\r\x1b[K")


@pytest.mark.parametrize("spec", ["ismcts:simulations=8,seed=3,playout=none"])
def test_who_listens_changes_no_choice(spec):
    game, agent = vitienv.Game.new(seed=2), vitienv.make_agent(spec)
    game._batch.refresh()
    before = call_agent(agent, game._batch, np.array([0]))
    with SearchProgress().track(agent):
        assert call_agent(agent, game._batch, np.array([0])) == before
