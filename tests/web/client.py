"""The server behind the page and a client of it, in this process."""

from starlette.testclient import TestClient

import vitienv
from vitienv.web.server import application, games_of, known_hosts
from vitienv.web.store import Store

HOST = "http://127.0.0.1:8000"
TWO = {"seats": ["you", "random"], "seed": 5, "options": {"num_players": 2}}


def client_of(folder, game="viticulture", ruleset=""):
    app = application(Store(folder, games_of(game)), game, known_hosts("127.0.0.1", 8000), ruleset)
    return TestClient(app, base_url=HOST)


def new(client, **fields):
    """The address of a new table."""
    answer = client.post("/api/tables", json=TWO | fields)
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['id']}"


def post(client, path, content):
    """Return the response to any content sent as JSON."""
    return client.post(path, content=content, headers={"content-type": "application/json"})


def upload(client, log):
    """Return the response to the log of a game to be continued."""
    return client.post("/api/logs", json={"log": log, "seats": ["you", "random"]})


def refused(answer, message=""):
    """The line by which it is refused, with these words."""
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert error and "\n" not in error and message in error, error
    return error


def asked_for_two_cards():
    """A game whose seat 0 has to discard two of three cards."""
    seat = {"lira": 3, "wake_up": 1, "workers": {"regular": 2, "grande": 1}}
    seat["hand"] = {"summer": ["auctioneer"], "vine": ["pinot"], "order": ["order_01"], "winter": ["queen"]}
    position = {"num_players": 2, "year": 2, "season": "summer", "seats": [seat, {"wake_up": 2}]}
    game = vitienv.Game.from_dict(position)
    return game.step("place:play_summer_visitor:plain:regular").step("card:summer:auctioneer").step("option:1")


def game_of(client, table):
    with client.app.state.server.store.lock(table.rpartition("/")[2]) as desk:
        return desk.game


def play(client, table, moves, rng):
    """Play a number of moves of the person, and those of the bots; return the last view."""
    view = client.get(table).json()
    for _ in range(moves):
        while not view["is_over"] and view["actor"] not in view["people"]:
            view = client.post(f"{table}/advance", json={}).json()
        if view["is_over"]:
            break
        actions = [choice["action"] for choice in rng.sample(view["choices"], view["picks"] or 1)]
        action = actions if view["picks"] else actions[0]
        view = client.post(f"{table}/move", json={"action": action, "at": view["moves"]}).json()
    return view
