"""Progress of a search, shown during the search only."""

import re
import sys

import numpy as np

import vitienv
from vitienv.agents.query import call_agent
from vitienv.agents.search_progress import SearchProgress
from vitienv.session import terminal
from vitienv.session.game_session import GameSession


def progress_reports(spec):
    """Return the progress reports during one decision of a bot."""
    session, reports = GameSession(vitienv.Game.new(seed=1), ["you", spec]), []
    session.search_progress.on_update = lambda: reports.append(session.search_progress.describe())
    while not reports and session.game.current_seat == 1 and len(session.game.moves) < 20:
        session.advance()
    assert session.search_progress.describe() == ""
    return reports


def test_progress_counts_simulations():
    reports = progress_reports("ismcts:simulations=1200,seed=1,playout=none")
    done = [int(report.partition(" of ")[0].replace(",", "")) for report in reports]
    assert reports[-1] == "1,200 of 1,200 simulations" and done == sorted(done) and len(set(done)) > 2


def test_progress_shows_elapsed_time():
    reports = progress_reports("ismcts:milliseconds=60,playout=none")
    assert reports and all(re.fullmatch(r"[\d,]+ simulations, 0\.[01] of 0\.06 s", report) for report in reports)


def test_bot_without_search_has_no_progress():
    assert progress_reports("heuristic") == []


def test_terminal_shows_and_removes_progress(monkeypatch, capsys):
    monkeypatch.setattr(terminal, "PROGRESS_INTERVAL", 0.0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    bot = vitienv.make_agent("ismcts:simulations=64,seed=1,playout=none")
    session = GameSession(vitienv.Game.new(seed=1), ["you", bot.name], bots={1: bot})
    assert not terminal.Terminal(session, lambda: None, lambda file: None).play()
    output = capsys.readouterr().err
    assert "ismcts (64 simulations) is thinking: 64 of 64 simulations" in output and output.endswith("\r\x1b[K")


def test_progress_does_not_change_the_choice():
    game, agent = vitienv.Game.new(seed=2), vitienv.make_agent("ismcts:simulations=8,seed=3,playout=none")
    game._batch.refresh()
    before = call_agent(agent, game._batch, np.array([0]))
    with SearchProgress().track(agent):
        assert call_agent(agent, game._batch, np.array([0])) == before
