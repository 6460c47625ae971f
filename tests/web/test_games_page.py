"""A tournament's folder as a table of games in the browser."""

import json

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
    return Games("three", read_logs(folder), lambda number: command.load(folder / command.TOURNAMENT_LOGS, number))


def client(games):
    return TestClient(application(games, known_hosts("127.0.0.1", 80)), base_url="http://127.0.0.1")


def test_table_has_all_games(folder, games):
    page = client(games).get("/").text
    logs = list(read_logs(folder))
    assert page.count("<tr>") == len(logs) + 1
    for number, log in enumerate(logs):
        row = next(row for row in page.split("<tr>") if f'"/game/{number}"' in row)
        assert all(f"{bot} <b>{points}</b>" in row for bot, points in zip(log["agents"], log["scores"], strict=True))
        assert row.count("★") == log["ranks"].count(1) and str(log["seed"]) in row


def test_games_of_one_bot_and_pages(games, monkeypatch):
    page = client(games).get("/?bot=visitors").text
    rows = [row for row in page.split("<tr>")[2:]]
    assert rows and all("visitors <b>" in row for row in rows) and len(rows) < len(games.rows)
    monkeypatch.setattr(games_page, "GAMES_PER_PAGE", 4)
    assert client(games).get("/?from=4").text.count("<tr>") == len(games.rows) - 4 + 1


def test_a_game_opens_as_its_replay(folder, games):
    answer = client(games).get("/game/1")
    log = list(read_logs(folder))[1]
    assert answer.status_code == 200 and "script-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert "1 heuristic" in answer.text or f"1 {log['agents'][1]}" in answer.text
    assert client(games).get("/").headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")


@pytest.mark.parametrize("path", ["/game/99", "/game/-1", "/game/x", "/?bot=nobody", "/?from=x", "/x"])
def test_unknown_paths(games, path):
    assert client(games).get(path).status_code == 404


def test_other_hosts_are_refused(games):
    assert client(games).get("/", headers={"host": "evil.example"}).status_code == 421


def test_names_of_bots_are_escaped(games):
    games.rows[0]["agents"][0] = "<script>x</script>"
    page = client(games).get("/").text
    assert "<script>x" not in page and "&lt;script&gt;x" in page


WHOLE = {"seed": 1, "year": 2, "moves": [], "agents": ["random", "heuristic"], "scores": [3, 4], "ranks": [2, 1]}
DAMAGED = [{key: WHOLE[key] for key in WHOLE.keys() - {"year"}}, WHOLE | {"seed": "x"}, WHOLE | {"year": float("inf")},
           WHOLE | {"scores": [3]}, WHOLE | {"ranks": []}, WHOLE | {"agents": {}}, WHOLE | {"agents": ["\ud800", "x"]},
           WHOLE | {"moves": 3}]  # fmt: skip


@pytest.mark.parametrize("damaged", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_log_is_refused_in_one_line(damaged):
    """At once: it would take the table of all games with it."""
    assert "random <b>3</b>" in Games("x", [WHOLE], lambda number: {})._page("", 0)
    with pytest.raises(ValueError, match=r"\Agame 0 is not a log of a tournament: .*\Z"):
        Games("x", [json.loads(json.dumps(damaged))], lambda number: {})


def test_failures_are_listed():
    failed = WHOLE | {"forfeit": {"seat": 1, "kind": "crash", "text": "<b>"}}
    page = Games("x", [WHOLE, failed], lambda number: {})._page("", 0)
    assert "<td>Forfeit: seat 2 heuristic lost by crash: &lt;b&gt;</td>" in page and page.count("lost by") == 1
    assert ">failure</th>" in page and ">failure</th>" not in Games("x", [WHOLE], lambda number: {})._page("", 0)


def test_command_without_logs(tmp_path, capsys):
    assert cli.run(["replay", str(tmp_path / "no"), "--web"]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert cli.run(["replay", str(tmp_path), "--web"]) == 2
    assert "has no logs" in capsys.readouterr().err
