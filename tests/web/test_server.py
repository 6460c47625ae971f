"""HTTP API of the server: playing, saving, explanations, campaigns."""

import random

import vitienv
from tests.web.client import TWO, client_of, game_of, new, play, refused, upload


def test_whole_game_and_its_log(client):
    table = new(client, seats=["you", "heuristic"], options={"num_players": 2, "max_years": 2})
    refused(client.get(f"{table}/log"), "available after the game")
    view = play(client, table, 500, random.Random(1))
    assert view["is_over"] and view["result"]["text"] == "Cut off."
    assert [seat["name"] for seat in view["result"]["seats"]] == ["You", "heuristic"]
    log = client.get(f"{table}/log").json()
    assert vitienv.replay(log).is_over and any(log["candidates"])
    page = client.get(f"{table}/page")
    assert page.text.startswith("<!doctype html>") and "attachment" in page.headers["content-disposition"]
    again = upload(client, log).json()["id"]
    assert client.get(f"/api/tables/{again}").json()["moves"] == view["moves"]


def test_level_of_the_local_player(tmp_path, monkeypatch):
    """On a server for others it is not: their games are kept together."""
    monkeypatch.setenv("VITIENV_HOME", str(tmp_path))
    client = client_of(tmp_path / "tables", "toscana")
    table = new(client, game="toscana", seats=["you", "level:1"])
    assert "level" not in play(client, table, 500, random.Random(1))["result"]
    client.app.state.server.is_of_one = True
    sentences = client.get(table).json()["result"]["level"]
    assert sentences.startswith("Your level at this table: ") and sentences.endswith("by 1 game.")


def test_games_survive_a_restart(tmp_path):
    folder, rng = tmp_path / "tables", random.Random(2)
    first = client_of(folder)
    table = new(first)
    view = play(first, table, 6, rng)
    assert client_of(folder).get(table).json() == view
    assert play(client_of(folder), table, 3, rng)["moves"] > view["moves"]


def test_two_pages_advance_a_bot_once(client):
    table = new(client, seats=["random", "you"])
    view = client.get(table).json()
    while view["actor"] == 1:
        view = play(client, table, 1, random.Random(1))
    fields = {"at": view["moves"]}
    moves = [client.post(f"{table}/advance", json=fields).json()["moves"] for _ in range(2)]
    assert moves == [view["moves"] + 1] * 2
    refused(client.post(f"{table}/advance", json={"at": "x"}))


def test_hints_of_listed_bots(client):
    table = new(client, seats=["you", "you"])
    view = client.get(table).json()
    hint = client.get(f"{table}/hint").json()
    assert hint["action"] in [choice["action"] for choice in view["choices"]]
    refused(client.get(f"{table}/hint?bot=os.getcwd"))


def test_unwritable_directory_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    refused(client_of(tmp_path / "file").post("/api/tables", json=TWO), "cannot be saved")


def test_explanations(client):
    assert "scholar" in client.get("/api/options").json()["rulesets"]["essential"]["topics"]
    address = f"{new(client)}/explain"
    assert "train a worker" in client.get(f"{address}?word=scholar").json()["lines"][0]
    assert client.get(f"{address}?word=nothing&viewer=0").json()["lines"] == []
    assert client.get(address).status_code == 200
    refused(client.get(address, params={"word": "x" * 101}), "at most 100 letters")
    refused(client.get(f"{address}?word=scholar&viewer=x"))
    assert client.get("/api/tables/nobody/explain?word=scholar").status_code == 404


def test_choices_are_explained_to_the_deciding_seat(client):
    table = new(client, seats=["you", "you"])
    game = game_of(client, table)
    for seat in (0, 1):
        params = {"word": game.legal_actions()[0], "viewer": seat}
        lines = client.get(f"{table}/explain", params=params).json()["lines"]
        assert bool(lines) == (seat == game.current_seat)


def test_analysis_is_for_the_person_to_move(client):
    table = new(client)
    answer = client.get(f"{table}/analysis")
    assert answer.status_code == 200 or "not a person's turn" in answer.json()["error"]
    for fields in ("?at=0", "?at=x", "?bot=random"):
        refused(client.get(f"{table}/analysis{fields}"))
    assert client.get("/api/tables/nobody/analysis").status_code == 404


def test_campaign(tmp_path):
    """A draw or loss repeats the challenge; the campaign survives a restart."""
    client = client_of(tmp_path)
    assert client.get("/api/options").json()["rulesets"]["solo"]["options"][0]["name"] == "campaign"
    level = {"ruleset": "solo", "difficulty": "very_easy"}
    fields = {"options": level, "seats": ["you"], "seed": 5, "campaign": True}
    table = f"/api/tables/{client.post('/api/tables', json=fields).json()['id']}"
    assert "challenge 1, game 1; 0 of 8" in client.get(table).json()["campaign"]["text"]
    refused(client.post(f"{table}/next", json={}), "not over")
    client = client_of(tmp_path)  # the server was started again
    view = play(client, table, 400, random.Random(1))
    assert view["is_over"] and view["campaign"]["has_next"] and "game 2" in view["campaign"]["text"]
    after = f"/api/tables/{client.post(f'{table}/next', json={}).json()['id']}"
    won = view["result"]["text"].startswith("A win")
    assert f"challenge {1 + won}, game 2; {int(won)} of 8" in client.get(after).json()["campaign"]["text"]


def test_invalid_campaigns_are_refused(client):
    refused(client.post(f"{new(client)}/next", json={}), "is not part of a campaign")
    for level in ({"difficulty": "nosuch"}, {"aggressive": 5}):
        fields = {"options": level, "seats": ["you"], "campaign": True}
        refused(client.post("/api/tables", json=fields))
    fields = {"options": {}, "seats": ["you", "random"], "campaign": True}
    refused(client.post("/api/tables", json=fields), "seats")
