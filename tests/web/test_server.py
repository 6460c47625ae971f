"""The server behind the page, asked by a client that does not always mean well."""

import asyncio
import json
import random
import socket
import threading
import time

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import vitienv
from vitienv import cli
from vitienv.agents.candidates import USUAL
from vitienv.core import progress
from vitienv.web import bodies, guard, preparing, server, watch
from vitienv.web import store as store_module
from vitienv.web.bodies import MOST_BYTES, MOST_OF_A_LOG, MOST_VALUES
from vitienv.web.listen import listening
from vitienv.web.server import STATIC, application, games_of, known_hosts
from vitienv.web.store import Store
from vitienv.web.table import MOST_MOVES

HOST = "http://127.0.0.1:8000"
TWO = {"seats": ["person", "random"], "seed": 5, "options": {"num_players": 2}}


def client_of(folder, game="viticulture", **more):
    app = application(Store(folder, games_of(game)), game, known_hosts("127.0.0.1", 8000))
    return TestClient(app, base_url=HOST, raise_server_exceptions=True, **more)


@pytest.fixture
def client(tmp_path):
    return client_of(tmp_path / "tables")


def new(client, **asked):
    answer = client.post("/api/tables", json=TWO | asked)
    assert answer.status_code == 201, answer.text
    return f"/api/tables/{answer.json()['id']}"


def game_of(client, table):
    with client.app.state.server.store.held(table.rpartition("/")[2]) as own:
        return own.game


def play(client, table, moves, rng):
    """So many moves of the person, with the bots' in between; the last view."""
    view = client.get(table).json()
    for _ in range(moves):
        while not view["is_over"] and view["actor"] not in view["people"]:
            view = client.post(f"{table}/advance", json={}).json()
        if view["is_over"]:
            break
        action = rng.choice(view["choices"])["action"]
        view = client.post(f"{table}/move", json={"action": action, "at": view["moves"]}).json()
    return view


def test_a_whole_game_is_played_and_its_log_taken_home(client):
    table = new(client, seats=["person", "heuristic"], options={"num_players": 2, "max_years": 2})
    early = client.get(f"{table}/log")
    assert early.status_code == 400 and "when the game is over" in early.json()["error"]
    view = play(client, table, 500, random.Random(1))
    assert view["is_over"] and view["result"]["words"] == "Cut off."
    assert [seat["name"] for seat in view["result"]["seats"]] == ["You", "heuristic"]
    log = client.get(f"{table}/log").json()
    assert vitienv.replay(log).is_over and any(log["candidates"])
    page = client.get(f"{table}/page")
    assert page.text.startswith("<!doctype html>") and "attachment" in page.headers["content-disposition"]
    again = client.post("/api/logs", json={"log": log, "seats": ["person", "random"]})
    assert client.get(f"/api/tables/{again.json()['id']}").json()["moves"] == view["moves"]


def test_the_level_of_the_one_who_plays_here_is_told(tmp_path, monkeypatch):
    """On a server for others it is not: their games are kept together."""
    monkeypatch.setenv("VITIENV_HOME", str(tmp_path))
    client = client_of(tmp_path / "tables", "toscana")
    table = new(client, game="toscana", seats=["person", "level:1"])
    assert "level" not in play(client, table, 500, random.Random(1))["result"]
    client.app.state.server.is_of_one = True
    told = client.get(table).json()["result"]["level"]
    assert told.startswith("Your level at this table: ") and told.endswith("by 1 game.")


def test_a_game_goes_on_after_a_restart(tmp_path):
    folder, rng = tmp_path / "tables", random.Random(2)
    first = client_of(folder)
    table = new(first)
    view = play(first, table, 6, rng)
    assert client_of(folder).get(table).json() == view | {"can_undo": False}
    assert play(client_of(folder), table, 3, rng)["moves"] > view["moves"]


def test_every_bot_and_option_of_a_new_game_has_a_line_of_words(client):
    told = client.get("/api/options").json()["rulesets"]
    assert all(own["usual"] in own["bots"] and all(own["bots"].values()) for own in told.values())
    asked = {one["name"]: one for own in told.values() for one in own["options"]}
    assert [name for name, one in asked.items() if not one["meaning"]] == ["preset"]  # whose choices say it
    assert asked["challenge"]["meaning"] == "1 to 8 of the campaign"


def test_each_ruleset_is_offered_with_what_it_has(client):
    """The team's continents from easy to hard, a partner for one seat alone, and who plays there."""
    told = client.get("/api/options").json()["rulesets"]
    world = {one["name"]: one for one in told["world"]["options"]}
    assert world["continent"]["choices"][0] == "greengully" and world["continent"]["meaning"] == "from easy to hard"
    assert world["partner"]["seats"] == [1] and world["partner"]["usual"] == "burattino"
    assert world.keys() >= {"events", "parents", "training_visitors", "open_hands"}
    assert told["world"]["usual_players"] == 2 and "influence" in told["world"]["things"]
    assert "policy:champion" in told["solo"]["bots"] and "policy:champion" in told["world"]["bots"]
    assert "cellar" in told["essential"]["bots"] and "cellar" not in told["world"]["bots"]
    assert "open_hands" not in {one["name"] for one in told["essential"]["options"]}


def test_no_file_is_opened_that_is_named_in_what_is_sent(client, tmp_path):
    """An option may be the path of a file; an empty one would do."""
    (tmp_path / "own.toml").touch()
    options = {"ruleset": "world", "components": str(tmp_path / "own.toml")}
    answer = client.post("/api/tables", json=TWO | {"options": options})
    assert answer.status_code == 400 and "'components' is not asked for" in answer.json()["error"]


@pytest.mark.parametrize("game", ["viticulture", "world", "toscana"])
def test_a_log_brings_no_data_of_its_own(tmp_path, monkeypatch, game):
    """World's would be compiled anew, for minutes; only files that the server's user names may do that."""
    monkeypatch.setattr(vitienv.Game, "new", lambda *all, **options: 1 / 0)
    monkeypatch.setattr(vitienv.Game, "from_dict", lambda *all: 1 / 0)
    client = client_of(tmp_path, game)
    ruleset = "world" if game == "viticulture" else game  # which is a game of its own, and was a ruleset
    log = {"format": 1, "game": game, "options": {"ruleset": ruleset}, "moves": [], "seed": 1}
    for own in ({}, {"influence": {"start": 7}}, "own.toml", [], 0):
        options = {"ruleset": ruleset, "components": own}
        start = {"game": game, "ruleset": ruleset, "options": options}
        for sent in (log | {"options": options}, log | {"position": start}):
            answer = client.post("/api/logs", json={"log": sent, "seats": ["person", "random"]})
            assert answer.status_code == 400 and "components of its own" in answer.json()["error"]


def test_whatever_stands_in_a_log_it_is_taken_or_refused_in_a_line(client):
    """What is taken can be looked at, saved and taken home again, in JSON that everybody reads."""
    table = new(client, seats=["person", "heuristic"], options={"num_players": 2, "max_years": 1})
    assert play(client, table, 500, random.Random(1))["is_over"]
    whole, rng, taken = client.get(f"{table}/log").json(), random.Random(2), 0
    strange = ["NaN", "Infinity", "1e400", str(10**400), '"\\ud800"', '"\\udc00x"', "null", "true", "-1", "[]", '"x"']
    for wrong in strange:
        for _ in range(6):
            log = json.loads(json.dumps(whole))
            at, keys = log, rng.choice([("candidates", None, "value"), ("moves", None), ("options", None), (None,)])
            for key in keys[:-1]:
                at = at[key] if key else rng.choice([own for own in at if own])
            own = at[rng.randrange(len(at))] if isinstance(at, list) and keys[0] == "candidates" else at
            key = rng.randrange(len(own)) if isinstance(own, list) else rng.choice(sorted(own))
            own[key] = "MARK"
            text = json.dumps({"log": log, "seats": ["person", "random"]}).replace('"MARK"', wrong)
            answer = client.post("/api/logs", content=text, headers={"content-type": "application/json"})
            assert answer.status_code in (201, 400), (wrong, key)
            if answer.status_code == 400:
                assert "\n" not in answer.json()["error"]
                continue
            taken += 1
            again = f"/api/tables/{answer.json()['id']}"
            assert client.get(again).status_code == 200 and client.get(f"{again}/page").status_code == 200
            json.loads(client.get(f"{again}/log").text, parse_constant=lambda word: 1 / 0)
    assert taken > 2
    for sent in (b'{"log": NaN}', b'{"log": "\\ud800"}', b'{"log": "\xed\xa0\x80"}', b'{"log": 1e999}'):
        answer = client.post("/api/logs", content=sent, headers={"content-type": "application/json"})
        assert answer.status_code == 400 and answer.json()["error"] == "what was sent is not JSON"


def test_a_damaged_table_is_told(tmp_path):
    client = client_of(tmp_path)
    table = new(client)
    (tmp_path / f"{table.rpartition('/')[2]}.json").write_text("{")
    client = client_of(tmp_path)
    for answer in (client.get(table), client.post(f"{table}/advance", json={}), client.get(f"{table}/log")):
        assert answer.status_code == 400 and "the file of this table cannot be used" in answer.json()["error"]
    assert new(client)


def test_a_move_that_cannot_be_kept_is_not_made(client, monkeypatch):
    def full(path, value):
        raise OSError(28, "No space left on device")

    table = new(client, seats=["person", "person"])
    view = client.get(table).json()
    asked = {"action": view["choices"][0]["action"], "at": 0}
    with monkeypatch.context() as patched:
        patched.setattr(store_module, "write_json", full)
        answer = client.post(f"{table}/move", json=asked)
        assert answer.status_code == 400 and "No space left" in answer.json()["error"]
    assert client.get(table).json() == view
    assert client.post(f"{table}/move", json=asked).json()["moves"] == 1


def test_a_body_that_does_not_come_ends_the_request(client, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.05)

    async def stream(request):
        yield b"{"
        await asyncio.sleep(5)

    monkeypatch.setattr(bodies.Request, "stream", stream)
    answer = client.post("/api/tables", json={})
    assert answer.status_code == 400 and "did not come" in answer.json()["error"]


def test_a_fault_of_the_server_is_not_called_a_missing_table(client, monkeypatch):
    monkeypatch.setattr(server, "offered", lambda games: {}["lost"])
    with pytest.raises(KeyError):
        client.get("/api/options")


def test_an_address_that_is_told_can_be_asked():
    with listening("127.0.0.1", 0) as at:
        socket.create_connection(at.getsockname(), 5).close()
        with pytest.raises(OSError, match="in use"):
            listening(*at.getsockname())


def test_it_is_told_how_far_a_compilation_is(client, monkeypatch):
    assert client.get("/api/compiling").json() == {"told": "", "share": None}
    monkeypatch.setattr(progress, "rules_below", lambda kernel: rules)

    class Rule:
        signatures: list[int] = []

    rules = [Rule() for _ in range(4)]
    now = progress._Compilation()
    now.add("the engine", "a kernel")
    for rule in rules[:2]:
        rule.signatures = [1]
    monkeypatch.setattr(progress.WATCH, "_under_way", now)
    assert client.get("/api/compiling").json()["told"] == ""  # what takes no time is not told of
    now._start -= 11
    assert client.get("/api/compiling").json()["told"].startswith("compiling the engine, 33 %, 11")
    assert client.get("/api/compiling").json()["share"] == pytest.approx(2 / 6)
    for rule in rules:
        rule.signatures = [1]  # the kernel is put together, which takes its time: not all is done
    assert client.get("/api/compiling").json()["share"] == pytest.approx(4 / 6)


def test_what_is_compiled_can_begin_while_other_rules_are_not(client, monkeypatch):
    """The ruleset that was chosen last comes first, hints come when nothing else is asked for; a fault ends nothing."""
    done, started, go_on = [], threading.Event(), threading.Event()

    def first_game(game, ruleset):
        started.set()
        assert go_on.wait(60)
        done.append(ruleset)
        if ruleset == "original":
            raise ValueError("a fault")

    monkeypatch.setattr(preparing, "first_game", first_game)
    monkeypatch.setattr(preparing, "hints", lambda game, ruleset: done.append(f"hints of {ruleset}"))

    def is_ready(ruleset, game="viticulture"):
        return client.post("/api/prepare", json={"game": game, "ruleset": ruleset}).json()["is_ready"]

    assert not is_ready("essential") and started.wait(60)
    assert not is_ready("world", "world") and not is_ready("original") and not is_ready("toscana", "toscana")
    go_on.set()
    assert client.app.state.server.preparing.wait(60)
    assert done[:4] == ["essential", "toscana", "original", "world"]
    assert sorted(done[4:]) == [f"hints of {own}" for own in sorted(done[:4])]
    go_on.clear()
    assert not is_ready("solo") and is_ready("world", "world") and all(map(is_ready, ("essential", "original")))
    go_on.set()
    assert client.app.state.server.preparing.wait(60)
    wrong = {"game": "os.path", "ruleset": "world"}, {"ruleset": "nosuch"}, {"game": "toscana", "ruleset": "solo"}
    for asked in wrong:
        assert client.post("/api/prepare", json=asked).status_code == 400


def test_all_games_are_on_one_start_page(tmp_path):
    """Whatever the server was started with is chosen at first, and every other game begins as well."""
    client = client_of(tmp_path)
    told = client.get("/api/options").json()
    assert told["first"] == "essential"
    assert told["rulesets"].keys() >= {"toscana", "essential", "original", "solo", "world"}
    assert told["rulesets"]["toscana"]["title"] == "Toscana"
    assert told["rulesets"]["world"]["title"] == "Viticulture World"
    hosts = known_hosts("127.0.0.1", 8000)
    for game, ruleset in (("toscana", ""), ("world", "world"), ("tests.toy.definition", "")):
        app = application(Store(tmp_path, games_of(game)), game, hosts, ruleset)
        told = TestClient(app, base_url=HOST).get("/api/options").json()
        first = told["rulesets"][told["first"]]
        assert first["game"] == game and first["ruleset"] == (ruleset or vitienv.definition(game).rulesets[0])
    for game, options in (("toscana", {"ruleset": "toscana"}), ("viticulture", {"ruleset": "world"})):
        table = new(client, game=game, options=options | {"num_players": 2})
        for asked in (client, client_of(tmp_path)):  # after a restart, too
            view = asked.get(table).json()
            own = "world" if options["ruleset"] == "world" else game
            assert (view["game"], view["ruleset"]) == (own, options["ruleset"])
    assert client.post("/api/tables", json=TWO | {"game": "os.path"}).status_code == 400


def test_the_strength_of_every_bot_is_said_in_words(client):
    bots = client.get("/api/options").json()["rulesets"]["essential"]["bots"]
    assert bots["random"] == "Easy: any legal move (random)"
    assert bots["heuristic"].startswith("Medium: ") and bots["policy:champion"].startswith("Strong: ")
    strongest = [bot for bot, told in bots.items() if told.startswith("Strongest: ")]
    assert strongest == ["ismcts:milliseconds=1000,policy=champion"]
    assert all(told.endswith(f"({bot})") for bot, told in bots.items())


def test_files_of_the_page_and_nothing_else(client):
    assert client.get("/").text.startswith("<!doctype html>")
    for name in STATIC:
        if name:
            assert client.get(f"/static/{name}").status_code == 200
    for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static/server.py", "/static//etc/passwd", "/x"):
        assert client.get(path).status_code in (404, 405)


def test_the_page_names_no_script_of_others(client):
    for name in ("", *(f"static/{own}" for own in STATIC if own)):
        text = client.get(f"/{name}").text
        assert "http://" not in text and "https://" not in text and "eval(" not in text
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy and "script-src 'self';" in policy


@pytest.mark.parametrize(
    "host", ["evil.example:8000", "127.0.0.1:9000", "localhost", "", "127.0.0.1.evil.example:8000"]
)
def test_another_host_is_refused(client, host):
    """A foreign page can make its own name point here; its requests carry that name."""
    assert client.get("/api/options", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:9000", "https://127.0.0.1:8000"])
def test_another_origin_is_refused(client, origin):
    assert client.post("/api/tables", json=TWO, headers={"origin": origin}).status_code == 403
    assert client.get("/api/options", headers={"origin": origin}).status_code == 403


def test_the_own_origin_and_other_names_of_loopback_are_heard(client):
    for host in ("127.0.0.1:8000", "localhost:8000", "[::1]:8000"):
        headers = {"host": host, "origin": f"http://{host}"}
        assert client.get("/api/options", headers=headers).status_code == 200


def test_a_server_for_all_addresses_knows_addresses_but_no_foreign_names():
    is_known = known_hosts("0.0.0.0", 80)
    assert all(map(is_known, ("192.168.0.7", "10.0.0.1:80", "localhost", "[fe80::1]:80", "[::1]")))
    assert not any(map(is_known, ("evil.example", "10.0.0.1:81", "", ":", "[evil]:80")))
    assert not known_hosts("127.0.0.1", 80)("192.168.0.7")


def test_forms_of_other_pages_are_refused(client):
    """What a page can send to others without asking first is not JSON."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = client.post("/api/tables", content=json.dumps(TWO), headers={"content-type": kind})
        assert answer.status_code == 415


# Sockets.


def watching(client, table, **headers):
    return client.websocket_connect(f"{table}/watch", headers={"host": "127.0.0.1:8000", **headers})


def test_pages_at_a_table_are_told_that_it_has_changed(client):
    table, other = new(client, seats=["person", "person"]), new(client)
    with watching(client, table) as one, watching(client, table) as two, watching(client, other) as elsewhere:
        assert [own.receive_json() for own in (one, two, elsewhere)] == [{"version": 0}] * 3
        view = play(client, table, 1, random.Random(1))
        assert view["version"] == 1 and one.receive_json() == two.receive_json() == {"version": 1}
        play(client, other, 1, random.Random(1))
        assert elsewhere.receive_json()["version"] > 0
    watchers, until = client.app.state.server.watchers, time.monotonic() + 60
    while watchers._at and time.monotonic() < until:  # who has gone leaves nothing behind
        time.sleep(0.01)
    assert not watchers._at


def test_a_second_page_goes_on_following_a_table_that_was_put_away(client, monkeypatch):
    """A page takes what has a higher version than it has seen; one that began at 0 again would be left aside."""
    monkeypatch.setattr(store_module, "IN_MEMORY", 1)
    table, rng, store = new(client, seats=["person", "person"]), random.Random(1), client.app.state.server.store
    seen = play(client, table, 3, rng)["version"]
    with watching(client, table) as second:
        assert second.receive_json() == {"version": seen} == {"version": 3}
        for more in (4, 5):
            for _ in range(3):
                new(client)
            assert table.rpartition("/")[2] not in store._places
            assert play(client, table, 1, rng)["version"] == more and second.receive_json() == {"version": more}


def test_a_socket_tells_how_far_a_compilation_is(client, monkeypatch):
    monkeypatch.setattr(watch.WATCH, "told", lambda: "compiling the bots, 2 %, 2 s")
    with watching(client, new(client)) as own:
        assert own.receive_json() == {"version": 0, "compiling": "compiling the bots, 2 %, 2 s"}


def test_a_socket_tells_how_far_a_bot_is(client):
    table = new(client)
    with client.app.state.server.store.held(table.rpartition("/")[2]) as held:
        own = held.thinking
    with watching(client, table) as socket:
        assert socket.receive_json() == {"version": 0}
        with own.of(vitienv.agent("ismcts:simulations=2000")):
            own._tell(600, 2000)
            assert socket.receive_json() == {"thinking": "600 of 2,000 simulations"}
        assert socket.receive_json() == {"thinking": ""}


@pytest.mark.parametrize("headers", [{"host": "evil.example:8000"}, {"origin": "http://evil.example"},
                                     {"origin": "null"}, {"origin": "https://127.0.0.1:8000"}])  # fmt: skip
def test_a_socket_of_another_page_is_refused(client, headers):
    """A page may open a socket to any server: its browser asks nobody, and says only where it comes from."""
    table = new(client)
    with watching(client, table, origin=HOST):
        pass
    with pytest.raises(WebSocketDisconnect), watching(client, table, **headers):
        pass


@pytest.mark.parametrize("name", ["x", "a" * 22, "..%2F..%2Fetc%2Fpasswd", "a" * 5000])
def test_a_socket_needs_a_table(client, name):
    with pytest.raises(WebSocketDisconnect), watching(client, f"/api/tables/{name}"):
        pass
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/", headers={"host": "127.0.0.1:8000"}):
        pass


@pytest.mark.parametrize("sent", ["{}", "x" * 100_000, b"\x00"])
def test_what_a_page_sends_on_a_socket_ends_it(client, sent):
    with watching(client, new(client)) as own:
        own.receive_json()
        (own.send_bytes if isinstance(sent, bytes) else own.send_text)(sent)
        with pytest.raises(WebSocketDisconnect) as ended:
            own.receive_json()
    assert ended.value.code == guard.REFUSED


def test_there_are_so_many_sockets_and_no_more(client, monkeypatch):
    monkeypatch.setattr(watch, "MOST_AT_A_TABLE", 2)
    table = new(client)
    with watching(client, table), watching(client, table):
        with pytest.raises(WebSocketDisconnect) as ended, watching(client, table):
            pass
        assert ended.value.code == watch.FULL
        with watching(client, new(client)):
            monkeypatch.setattr(watch, "MOST_SOCKETS", 3)
            with pytest.raises(WebSocketDisconnect), watching(client, new(client)):
                pass
    with watching(client, table):
        pass


def test_two_pages_that_ask_for_a_bots_move_get_one(client):
    table = new(client, seats=["random", "person"])
    view = client.get(table).json()
    while view["actor"] == 1:
        view = play(client, table, 1, random.Random(1))
    asked = {"at": view["moves"]}
    moves = [client.post(f"{table}/advance", json=asked).json()["moves"] for _ in range(2)]
    assert moves == [view["moves"] + 1] * 2
    assert client.post(f"{table}/advance", json={"at": "x"}).status_code == 400


BAD_NEW = [
    b"", b"[]", b"3", b"null", b"{", b"\xff\xfe", b"[" * 100_000, b'{"seats": 3}', b'{"seats": [3, 4]}',
    b'{"seats": ["person", "os.getcwd"]}', b'{"seats": ["person", "policy:/etc/passwd"]}',
    b'{"seats": ["person", "random"], "seed": "x"}', b'{"seats": ["person", "random"], "seed": -1}',
    b'{"seats": ["person", "random"], "seed": 1e400}', b'{"seats": ["person", "random"], "seed": true}',
    b'{"seats": ["person", "random"], "options": []}',
    b'{"seats": ["person", "random"], "options": {"game": "os.path"}}',
    b'{"seats": ["person", "random"], "options": {"seed": 3}}', b'{"seats": ["person", "random"], "options": {"x": 1}}',
    b'{"seats": ["person", "random"], "options": {"num_players": 99}}',
    b'{"seats": ["person", "random"], "options": {"max_years": 1e99}}',
    b'{"seats": ["person", "random"], "options": {"__class__": 1}}', b'{"seats": []}', b"{}",
]  # fmt: skip


@pytest.mark.parametrize("sent", BAD_NEW, ids=range(len(BAD_NEW)))
def test_bad_new_games_are_refused_in_one_line(client, sent):
    answer = client.post("/api/tables", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and "\n" not in answer.json()["error"] and len(answer.json()["error"]) < 600


def test_too_much_is_refused(client):
    for where, most in (("/api/tables", MOST_BYTES), ("/api/logs", MOST_OF_A_LOG)):
        answer = client.post(where, content=b" " * (most + 1), headers={"content-type": "application/json"})
        assert answer.status_code == 400 and f"at most {most} bytes" in answer.json()["error"]


@pytest.mark.parametrize("value", ["1.0", "[]", '{"a": 1}'])
def test_too_many_values_are_refused_before_they_are_read(client, monkeypatch, value):
    """Four million of them fit into a log, and nobody is answered while they are read."""
    monkeypatch.setattr(json, "loads", lambda *all, **more: pytest.fail("read"))
    sent = f'{{"log": [{value}{f",{value}" * MOST_VALUES}]}}'
    answer = client.post("/api/logs", content=sent, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and b"at most 500000 values can be sent" in answer.content


def test_what_is_offered_is_made_once(client, monkeypatch):
    told = client.get("/api/options").json()
    monkeypatch.setattr(server, "offered", lambda games: pytest.fail("made again"))
    assert client.get("/api/options").json() == told


def test_the_longest_log_with_all_that_was_considered_is_taken_up(client):
    """It is read, as long as one may be; without a seed, so that nothing is played."""
    name = max(map(vitienv.ACTIONS.name, range(vitienv.ACTIONS.n)), key=len)
    found = [{"action": name, "visits": 100_000, "value": -0.123}] * USUAL
    log = {"game": "viticulture", "moves": [name] * MOST_MOVES, "candidates": [found] * MOST_MOVES}
    answer = client.post("/api/logs", json={"log": log, "seats": ["person", "random"]})
    assert answer.status_code == 400 and "cannot be taken up" in answer.json()["error"]


@pytest.mark.parametrize(
    "sent", [{}, {"action": 1}, {"action": "pass", "at": 0}, {"action": -1, "at": 0}, {"action": 10**30, "at": 0},
             {"action": 10**9, "at": 0}, {"action": 1.5, "at": 0}, {"action": True, "at": 0}, {"action": 1, "at": 7}],
)  # fmt: skip
def test_bad_moves_change_nothing(client, sent):
    table = new(client, seats=["person", "person"])
    before = client.get(table).json()
    answer = client.post(f"{table}/move", json=sent)
    assert answer.status_code == 400 and answer.json()["error"]
    assert client.get(table).json() == before


@pytest.mark.parametrize("asked", ["viewer=1", "viewer=-1", "viewer=99999999999", "columns=5", "columns=x", "at=5",
                                   "since=٣", "other=1", "viewer=0&viewer=1"])  # fmt: skip
def test_bad_addresses_are_refused(client, asked):
    answer = client.get(f"{new(client)}?{asked}")
    assert answer.status_code == 400 and answer.json()["error"]


def test_hints_come_from_bots_that_are_offered(client):
    table = new(client, seats=["person", "person"])
    view = client.get(table).json()
    hint = client.get(f"{table}/hint").json()
    assert hint["action"] in [choice["action"] for choice in view["choices"]]
    assert client.get(f"{table}/hint?bot=os.getcwd").status_code == 400


@pytest.mark.parametrize("name", ["x", "a" * 22, "..%2F..%2Fetc%2Fpasswd", "%00" * 22, "a" * 5000])
def test_a_table_is_known_by_its_id_alone(client, name):
    assert client.get(f"/api/tables/{name}").status_code == 404


def test_ids_cannot_be_guessed(client):
    names = {new(client).rpartition("/")[2] for _ in range(5)}
    assert len(names) == 5 and all(len(name) == 22 for name in names)
    assert client.get("/api/tables").status_code == 405


def test_two_hundred_tables_at_once(client, monkeypatch):
    """Most of them are in their files only, and come back when they are asked for."""
    monkeypatch.setattr(store_module, "IN_MEMORY", 20)
    tables = [new(client, seed=seed) for seed in range(200)]
    views = [client.get(table).json() for table in tables[::17]]
    assert len({view["svg"] for view in views}) > 3 and all(view["moves"] == 0 for view in views)


def test_there_are_so_many_tables_and_no_more(client, monkeypatch):
    monkeypatch.setattr(store_module, "MOST_TABLES", 3)
    for _ in range(3):
        new(client)
    answer = client.post("/api/tables", json=TWO)
    assert answer.status_code == 400 and "3 tables" in answer.json()["error"]


def test_a_folder_that_cannot_be_written_is_said_so(tmp_path):
    (tmp_path / "file").write_text("")
    answer = client_of(tmp_path / "file").post("/api/tables", json=TWO)
    assert answer.status_code == 400 and "cannot be kept" in answer.json()["error"]


def test_nothing_hidden_is_sent(tmp_path):
    """In all that is sent to a person no card of another hand, no deck, no seed."""
    client, rng = client_of(tmp_path / "tables"), random.Random(3)
    seats = ["random", "person", "random"]
    table = new(client, seats=seats, seed=123456789, options={"num_players": 3, "max_years": 3})
    checked = 0
    for _ in range(40):
        view = play(client, table, 1, rng)
        game = game_of(client, table)
        if view["is_over"]:
            break
        sent = json.dumps(view)
        assert "123456789" not in sent and str(int(game.record.key[0])) not in sent
        checked += 1
        for seed in (1, 2):  # whatever the others hold, the drawing is the same
            assert game.determinize(1, seed).svg(1, view["names"]) == view["svg"]
    assert checked > 15


def test_what_the_page_asks_for_is_refused_on_the_command_line(capsys):
    assert cli.run(["play", "--web", "--bots", "random"]) == cli.BAD_INPUT
    assert "chosen on the page; leave out --bots" in capsys.readouterr().err


def test_a_port_that_is_taken_is_one_line(capsys):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert cli.run(["play", "--web", "--port", str(taken.getsockname()[1])]) == cli.BAD_INPUT
    assert capsys.readouterr().err.count("\n") == 1


def test_words_are_explained(client):
    assert "scholar" in client.get("/api/options").json()["rulesets"]["essential"]["things"]
    about = f"{new(client)}/about"
    assert "train a worker" in client.get(f"{about}?word=scholar").json()["told"][0]
    assert client.get(f"{about}?word=nothing&viewer=0").json()["told"] == []
    assert client.get(about).status_code == 200
    answer = client.get(about, params={"word": "x" * 101})
    assert answer.status_code == 400 and "at most 100 letters" in answer.json()["error"]
    assert client.get(f"{about}?word=scholar&viewer=x").status_code == 400
    assert client.get("/api/tables/nobody/about?word=scholar").status_code == 404


def test_words_about_a_choice_are_for_the_one_whose_it_is(client):
    table = new(client, seats=["person", "person"])
    game = game_of(client, table)
    told = [client.get(f"{table}/about", params={"word": game.legal_actions()[0], "viewer": seat}).json()["told"]
            for seat in (game.seat, 1 - game.seat)]  # fmt: skip
    assert told[0] and not told[1]


def test_chances_are_for_the_one_who_is_to_move(client):
    table = new(client)
    found = client.get(f"{table}/thought")
    assert found.status_code == 200 or "not a person's turn" in found.json()["error"]
    for asked in ("?at=0", "?at=x", "?bot=random"):
        assert client.get(f"{table}/thought{asked}").status_code == 400
    assert client.get("/api/tables/nobody/thought").status_code == 404


def test_a_campaign_goes_from_game_to_game(tmp_path):
    """The seed decides; a draw or loss repeats the challenge; it goes on after a restart."""
    client = client_of(tmp_path)
    assert client.get("/api/options").json()["rulesets"]["solo"]["options"][0]["name"] == "campaign"
    level = {"ruleset": "solo", "difficulty": "very_easy"}
    asked = {"options": level, "seats": ["person"], "seed": 5, "campaign": True}
    table = f"/api/tables/{client.post('/api/tables', json=asked).json()['id']}"
    assert "challenge 1, game 1; 0 of 8" in client.get(table).json()["campaign"]["words"]
    assert "not over" in client.post(f"{table}/next", json={}).json()["error"]
    client = client_of(tmp_path)  # the server was started again
    view = play(client, table, 400, random.Random(1))
    assert view["is_over"] and view["campaign"]["goes_on"] and "game 2" in view["campaign"]["words"]
    after = f"/api/tables/{client.post(f'{table}/next', json={}).json()['id']}"
    won = view["result"]["words"].startswith("A win")
    assert f"challenge {1 + won}, game 2; {int(won)} of 8" in client.get(after).json()["campaign"]["words"]


def test_what_is_no_campaign(client):
    assert "belongs to no campaign" in client.post(f"{new(client)}/next", json={}).json()["error"]
    for level in ({"difficulty": "nosuch"}, {"aggressive": 5}):
        asked = {"options": level, "seats": ["person"], "campaign": True}
        assert client.post("/api/tables", json=asked).status_code == 400
    asked = {"options": {}, "seats": ["person", "random"], "campaign": True}
    assert "seats" in client.post("/api/tables", json=asked).json()["error"]
