"""A tournament's folder as a table of games in the browser."""

import pytest
from starlette.testclient import TestClient

from vitienv import cli
from vitienv.commands import replay as command
from vitienv.training.evaluation.tournament import Settings, read_logs, run_tournament
from vitienv.web import games_page
from vitienv.web.games_page import Games, application
from vitienv.web.server import known_hosts


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "three"
    run_tournament(Settings(("random", "heuristic", "visitors"), num_players=2, games=6, seed=3), folder)
    return folder


@pytest.fixture
def games(folder):
    return Games(folder, lambda number: command.load(folder, number))


def client(games):
    return TestClient(application(games, known_hosts("127.0.0.1", 80)), base_url="http://127.0.0.1")


def test_games_of_one_bot_and_from_one_on(games, monkeypatch):
    for path, num_games in (("/", 6), ("/?bot=visitors", 4), ("/?from=4", 2)):
        page = client(games).get(path).text
        assert page.count('<a href="/game/') == num_games and ("heuristic" in page) and "standings" in page
    monkeypatch.setattr(games_page, "MAX_LISTED_GAMES", 4)
    assert '<a href="/?bot=&amp;from=4">from game 4</a>' in client(games).get("/").text


def test_a_game_opens_as_its_replay(folder, games):
    answer = client(games).get("/game/1")
    log = list(read_logs(folder))[1]
    assert answer.status_code == 200 and "script-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "1 heuristic" in answer.text or f"1 {log['agents'][1]}" in answer.text
    assert client(games).get("/").headers["content-security-policy"].startswith("default-src 'none'; style-src")


@pytest.mark.parametrize("path", ["/game/99", "/game/-1", "/game/x", "/?bot=nobody", "/?from=x", "/x"])
def test_unknown_paths(games, path):
    assert client(games).get(path).status_code == 404


def test_other_hosts_are_refused(games):
    assert client(games).get("/", headers={"host": "evil.example"}).status_code == 421


def test_command_without_tournament(tmp_path, capsys):
    assert cli.run(["replay", str(tmp_path / "no"), "--web"]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert cli.run(["replay", str(tmp_path), "--web"]) == 2
    assert "does not contain a tournament" in capsys.readouterr().err
