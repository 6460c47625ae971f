"""Sockets, by which pages at a table hear that something has changed."""

import random
import time

import pytest
from starlette.websockets import WebSocketDisconnect

import vitienv
from tests.web.client import HOST, new, play
from vitienv.web import middleware, watch
from vitienv.web import store as store_module


def watching(client, table, **headers):
    return client.websocket_connect(f"{table}/watch", headers={"host": "127.0.0.1:8000", **headers})


def test_pages_are_notified_of_changes(client):
    table, other = new(client, seats=["you", "you"]), new(client)
    with watching(client, table) as first, watching(client, table) as two, watching(client, other) as elsewhere:
        assert [socket.receive_json() for socket in (first, two, elsewhere)] == [{"version": 0}] * 3
        view = play(client, table, 1, random.Random(1))
        assert view["version"] == 1 and first.receive_json() == two.receive_json() == {"version": 1}
        play(client, other, 1, random.Random(1))
        assert elsewhere.receive_json()["version"] > 0
    watchers, until = client.app.state.server.watchers, time.monotonic() + 60
    while watchers._at and time.monotonic() < until:  # closed sockets are removed
        time.sleep(0.01)
    assert not watchers._at


def test_notifications_continue_after_eviction(client, monkeypatch):
    """A page takes what has a higher version than it has seen; one that began at 0 again would be left aside."""
    monkeypatch.setattr(store_module, "IN_MEMORY", 1)
    table, rng, store = new(client, seats=["you", "you"]), random.Random(1), client.app.state.server.store
    version = play(client, table, 3, rng)["version"]
    with watching(client, table) as second:
        assert second.receive_json() == {"version": version} and version >= 3
        for _ in range(2):
            for _ in range(3):
                new(client)
            assert table.rpartition("/")[2] not in store._places
            before, version = version, play(client, table, 1, rng)["version"]  # forced answers count as well
            assert version > before and second.receive_json() == {"version": version}


def test_progress_of_a_compilation(client, monkeypatch):
    monkeypatch.setattr(watch.PROGRESS, "status", lambda: "compiling the bots, 2 %, 2 s")
    with watching(client, new(client)) as socket:
        assert socket.receive_json() == {"version": 0, "compiling": "compiling the bots, 2 %, 2 s"}


def test_progress_of_a_search(client):
    table = new(client)
    with client.app.state.server.store.lock(table.rpartition("/")[2]) as desk:
        thinking = desk.search_progress
    with watching(client, table) as socket:
        assert socket.receive_json() == {"version": 0}
        with thinking.track(vitienv.make_agent("ismcts:simulations=2000")):
            thinking._update(600, 2000)
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


@pytest.mark.parametrize("sent", ["{}", "x" * 100_000, b"\x00"])
def test_messages_of_a_page_close_its_socket(client, sent):
    with watching(client, new(client)) as socket:
        socket.receive_json()
        (socket.send_bytes if isinstance(sent, bytes) else socket.send_text)(sent)
        with pytest.raises(WebSocketDisconnect) as ended:
            socket.receive_json()
    assert ended.value.code == middleware.REFUSED


def test_number_of_sockets_is_limited(client, monkeypatch):
    monkeypatch.setattr(watch, "MAX_SOCKETS_PER_TABLE", 2)
    table = new(client)
    with watching(client, table), watching(client, table):
        with pytest.raises(WebSocketDisconnect) as ended, watching(client, table):
            pass
        assert ended.value.code == watch.FULL
        with watching(client, new(client)):
            monkeypatch.setattr(watch, "MAX_SOCKETS", 3)
            with pytest.raises(WebSocketDisconnect), watching(client, new(client)):
                pass
    with watching(client, table):
        pass
