"""The server behind the page, asked by a client that does not always mean well."""

import asyncio
import json
import random

import pytest
from starlette.websockets import WebSocketDisconnect

import vitienv
from tests.web.client import TWO, client_of, new, play, post, refused, upload
from vitienv.agents.candidates import DEFAULT_CANDIDATES
from vitienv.web import request_body
from vitienv.web import store as store_module
from vitienv.web.request_body import MAX_BYTES, MAX_LOG_BYTES, MAX_VALUES
from vitienv.web.server import known_hosts
from vitienv.web.table import MAX_MOVES

HOSTS = ["evil.example:8000", "127.0.0.1:9000", "localhost", "", "127.0.0.1.evil.example:8000"]
ORIGINS = ["http://evil.example", "null", "http://127.0.0.1:9000", "https://127.0.0.1:8000"]


@pytest.mark.parametrize("name, value, status", [
    *(("host", host, 421) for host in HOSTS), *(("origin", origin, 403) for origin in ORIGINS)
])  # fmt: skip
def test_another_host_or_origin_is_refused(client, name, value, status):
    """A foreign page can make its own name point here; its requests carry that name."""
    assert client.post("/api/tables", json=TWO, headers={name: value}).status_code == status
    assert client.get("/api/options", headers={name: value}).status_code == status


def test_names_of_loopback_are_accepted(client):
    for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000"):
        headers = {"host": host, "origin": f"http://{host}"}
        assert client.get("/api/options", headers=headers).status_code == 200


def test_a_server_for_all_addresses_knows_addresses_but_no_foreign_names():
    is_known = known_hosts("0.0.0.0", 80)
    assert all(map(is_known, ("192.168.0.7", "10.0.0.1:80", "localhost", "[fe80::1]:80", "[::1]")))
    assert not any(map(is_known, ("evil.example", "10.0.0.1:81", "", ":", "[evil]:80")))
    assert not known_hosts("127.0.0.1", 80)("192.168.0.7")


def test_forms_of_other_pages_are_refused(client):
    """Content types that a foreign page can send without a preflight request."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/api/tables", content=json.dumps(TWO), headers={"content-type": kind})
        assert answer.status_code == 415


NOT_JSON = "the request is not JSON"
SEATS = '{"seats": ["you", "random"], '
BAD_NEW = [
    (b"", NOT_JSON), (b"[]", "must be a JSON object"), (b"null", "must be a JSON object"),
    (b"{", NOT_JSON), (b"\xff\xfe", NOT_JSON),
    (b"[" * 100_000, NOT_JSON), (b"{}", "seats must be a list"), (b'{"seats": 3}', "seats must be a list"),
    (b'{"seats": [3, 4]}', "seats must be a list of strings"), (b'{"seats": []}', "seats must have"),
    (b'{"seats": ["you"]}', "seats must have 2 entries, got 1"),
    (b'{"seats": ["random", "random"]}', "at least one"),
    (b'{"seats": ["you", "os.getcwd"]}', "unknown player 'os.getcwd'"),
    (b'{"seats": ["you", "policy:/etc/passwd"]}', "unknown player 'policy:/etc/passwd'"),
    (SEATS + '"seed": "x"}', "seed must be"), (SEATS + '"seed": -1}', "seed must be"),
    (SEATS + '"seed": 1e400}', NOT_JSON), (SEATS + '"seed": true}', "seed must be"),
    (SEATS + '"options": []}', "options must be a mapping"),
    (SEATS + '"options": {"game": "os.path"}}', "unknown option 'game'"),
    (SEATS + '"options": {"seed": 3}}', "unknown option 'seed'"), (SEATS + '"options": {"x": 1}}', "option 'x'"),
    (SEATS + '"options": {"num_players": 99}}', "num_players"),
    (SEATS + '"options": {"max_years": 1e99}}', "max_years"),
    (SEATS + '"options": {"__class__": 1}}', "unknown option '__class__'"),
    (SEATS + f'"game": "world", "options": {{"components": "{__file__}"}}}}', "unknown option 'components'"),
]  # fmt: skip


@pytest.mark.parametrize("body, message", BAD_NEW, ids=range(len(BAD_NEW)))
def test_bad_new_games_are_refused_in_one_line(client, body, message):
    assert len(refused(post(client, "/api/tables", body), message)) < 600


@pytest.mark.parametrize("game", ["world", "toscana"])
def test_logs_with_custom_components_are_refused(tmp_path, monkeypatch, game):
    """Components of World would be compiled for minutes; only the server's user may name them."""
    monkeypatch.setattr(vitienv.Game, "new", lambda *all, **options: 1 / 0)
    monkeypatch.setattr(vitienv.Game, "from_dict", lambda *all: 1 / 0)
    client = client_of(tmp_path, game)
    log = {"format": 1, "game": game, "options": {}, "moves": [], "seed": 1}
    for components in ({}, {"influence": {"start": 7}}, "own.toml", [], 0):
        options = {"components": components}
        start = {"game": game, "options": options}
        for sent in (log | {"options": options}, log | {"position": start}):
            answer = upload(client, sent)
            refused(answer, "custom components")


def test_damaged_logs_are_accepted_or_refused_in_one_line(client):
    """Accepted logs can be viewed, saved and downloaded as standard JSON."""
    table = new(client, seats=["you", "heuristic"], options={"num_players": 2, "max_years": 1})
    assert play(client, table, 500, random.Random(1))["is_over"]
    whole, rng, num_accepted = client.get(f"{table}/log").json(), random.Random(2), 0
    strange = ["NaN", "Infinity", "1e400", str(10**400), '"\\ud800"', '"\\udc00x"', "null", "true", "-1", "[]", '"x"']
    for value in strange:
        for _ in range(9):
            log = json.loads(json.dumps(whole))
            at, keys = log, rng.choice([("candidates", None, "value"), ("moves", None), ("options", None), (None,)])
            for key in keys[:-1]:
                at = at[key] if key else rng.choice([components for components in at if components])
            components = at[rng.randrange(len(at))] if isinstance(at, list) and keys[0] == "candidates" else at
            key = rng.randrange(len(components)) if isinstance(components, list) else rng.choice(sorted(components))
            components[key] = "MARK"
            text = json.dumps({"log": log, "seats": ["you", "random"]}).replace('"MARK"', value)
            answer = post(client, "/api/logs", text)
            assert answer.status_code in (201, 400), (value, key)
            if answer.status_code == 400:
                refused(answer)
                continue
            num_accepted += 1
            again = f"/api/tables/{answer.json()['id']}"
            assert client.get(again).status_code == 200 and client.get(f"{again}/page").status_code == 200
            json.loads(client.get(f"{again}/log").text, parse_constant=lambda word: 1 / 0)
    assert num_accepted > 2
    for text in (b'{"log": NaN}', b'{"log": "\\ud800"}', b'{"log": "\xed\xa0\x80"}', b'{"log": 1e999}'):
        refused(post(client, "/api/logs", text), NOT_JSON)


def test_the_longest_log_is_read(client):
    """It is read, as long as one may be; without a seed, so that nothing is played."""
    name = max(map(vitienv.ACTIONS.name, range(vitienv.ACTIONS.n)), key=len)
    candidates = [{"action": name, "visits": 100_000, "value": -0.123}] * DEFAULT_CANDIDATES
    log = {"game": "viticulture", "moves": [name] * MAX_MOVES, "candidates": [candidates] * MAX_MOVES}
    refused(upload(client, log), "cannot be continued")


def test_size_of_bodies_is_limited(client):
    for path, limit in (("/api/tables", MAX_BYTES), ("/api/logs", MAX_LOG_BYTES)):
        refused(post(client, path, b" " * (limit + 1)), f"at most {limit} bytes")


@pytest.mark.parametrize("value", ["1.0", "[]", '{"a": 1}'])
def test_number_of_values_is_limited(client, monkeypatch, value):
    """Four million of them fit into a log, and nobody is answered while they are read."""
    monkeypatch.setattr(json, "loads", lambda *all, **options: pytest.fail("read"))
    answer = post(client, "/api/logs", f'{{"log": [{value}{f",{value}" * MAX_VALUES}]}}')
    assert answer.status_code == 400 and b"at most 500000 values" in answer.content


def test_incomplete_bodies_time_out(client, monkeypatch):
    monkeypatch.setattr(request_body, "BODY_SECONDS", 0.05)

    async def stream(request):
        yield b"{"
        await asyncio.sleep(5)

    monkeypatch.setattr(request_body.Request, "stream", stream)
    refused(client.post("/api/tables", json={}), "was not complete")


@pytest.mark.parametrize(
    "sent", [{}, {"action": 1}, {"action": "pass", "at": 0}, {"action": -1, "at": 0}, {"action": 10**30, "at": 0},
             {"action": 10**9, "at": 0}, {"action": [0], "at": 0}, {"action": 1.5, "at": 0},
             {"action": True, "at": 0}, {"action": 1, "at": 7}],
)  # fmt: skip
def test_bad_moves_change_nothing(client, sent):
    table = new(client, seats=["you", "you"])
    before = client.get(table).json()
    refused(client.post(f"{table}/move", json=sent))
    double_click = {"action": before["choices"][0]["action"], "at": before["moves"] + 1}
    refused(client.post(f"{table}/move", json=double_click), "changed since")
    assert client.get(table).json() == before


@pytest.mark.parametrize("query", ["viewer=1", "viewer=-1", "viewer=99999999999", "columns=5", "columns=x", "at=5",
                                   "since=٣", "other=1", "viewer=0&viewer=1"])  # fmt: skip
def test_bad_addresses_are_refused(client, query):
    refused(client.get(f"{new(client)}?{query}"))


@pytest.mark.parametrize("name", ["x", "a" * 22, "..%2F..%2Fetc%2Fpasswd", "%00" * 22, "a" * 5000])
def test_unknown_ids(client, name):
    assert client.get(f"/api/tables/{name}").status_code == 404
    headers = {"host": "127.0.0.1:8000"}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/tables/{name}/watch", headers=headers):
        pass
    assert not client.app.state.server.store._places


def test_ids_cannot_be_guessed(client):
    names = {new(client).rpartition("/")[2] for _ in range(5)}
    assert len(names) == 5 and all(len(name) == 22 for name in names)
    assert client.get("/api/tables").status_code == 405


def test_number_of_tables_is_limited(client, monkeypatch):
    monkeypatch.setattr(store_module, "MAX_TABLES", 3)
    for _ in range(3):
        new(client)
    refused(client.post("/api/tables", json=TWO), "3 tables")
