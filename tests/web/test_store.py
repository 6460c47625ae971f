"""Tables in memory and in their files: each is there once, and an answered move is in the file."""

import errno
import json
import random
import threading
import time

import pytest

from tests.web.test_table import GAME, table
from vitienv.web import store as module
from vitienv.web.store import Store
from vitienv.web.table import PERSON, Table

PATIENCE = 60.0


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "IN_MEMORY", 2)
    return Store(tmp_path, [GAME])


def people():
    return table((PERSON, PERSON))


def move(desk):
    desk.move(desk.view()["choices"][0]["action"], len(desk.game.moves))


def in_file(store, name):
    return json.loads((store.folder / f"{name}.json").read_text())


def test_a_locked_table_stays_in_memory(store):
    """However many others are looked at meanwhile; who asks for it waits, and finds what was done."""
    names, waited = [store.add(people()) for _ in range(5)], []

    def look():
        with store.lock(names[0]) as again:
            waited.append((again, len(again.game.moves)))

    with store.lock(names[0]) as desk:
        for name in names[1:]:
            with store.lock(name):
                pass
        waiting = threading.Thread(target=look)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive() and not waited
        move(desk)
    waiting.join(PATIENCE)
    assert waited == [(desk, 1)] and len(store._places) <= 2


def test_answered_moves_are_in_the_files(store):
    """Many requests at more tables than are kept in memory, all at once."""
    names, answered, errors, lengths, versions = [store.add(people()) for _ in range(6)], [], [], {}, {}

    def play(seed):
        rng = random.Random(seed)
        try:
            for _ in range(20):
                at = rng.randrange(6)
                with store.lock(names[at]) as desk:
                    move(desk)
                    answered.append(at)
                    lengths[at], versions[at] = len(desk.game.moves), desk.version
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not errors and len(answered) == 120 and sum(lengths.values()) >= 120
    for at in lengths:
        saved = in_file(store, names[at])
        assert (len(saved["moves"]), saved["version"]) == (lengths[at], versions[at])
    assert len(store._places) <= 2


def test_version_and_undo_survive_eviction(store):
    name = store.add(people())
    with store.lock(name) as desk:
        while not desk.can_undo():
            move(desk)
        moves = len(desk._past)
    for _ in range(3):
        store.add(people())
    assert name not in store._places
    with store.lock(name) as again:
        assert again is not desk and again.version == desk.version == len(desk.game.moves) > 0
        assert again.can_undo() and len(again._past) >= moves
        again.undo()
        desk.undo()
        assert again.game == desk.game and again.view() == desk.view() and again.version == moves + 1
    with store.lock(name) as again:
        assert again.version == moves + 1


FAILURES = [
    (module, "write_json", OSError(errno.ENOSPC, "No space left on device"), ValueError),
    (module, "write_json", KeyError("x"), KeyError),
    (Table, "_describe_move", ZeroDivisionError("x"), ZeroDivisionError),  # after the move is made
]


@pytest.mark.parametrize("owner, function, failure, error", FAILURES, ids=range(len(FAILURES)))
def test_a_move_is_made_and_saved_or_neither(store, monkeypatch, owner, function, failure, error):
    name = store.add(people())
    with store.lock(name) as desk:
        move(desk)

    def fail(*_):
        raise failure

    with monkeypatch.context() as patched:
        patched.setattr(owner, function, fail)
        with pytest.raises(error, match=r"No space left|x"), store.lock(name) as desk:
            move(desk)
    with store.lock(name) as desk:
        assert len(desk.game.moves) == len(desk.story) == len(desk.candidates) == desk.version == 1
        move(desk)
    assert len(in_file(store, name)["moves"]) == 2


def test_a_refused_move_loses_nothing(store):
    name = store.add(people())
    with store.lock(name) as desk:
        move(desk)
    could = desk.can_undo()
    with pytest.raises(ValueError), store.lock(name) as desk:
        desk.move(10**6, 1)
    with store.lock(name) as again:
        assert again is desk and again.can_undo() == could


def test_number_of_waiting_requests_is_limited(store, monkeypatch):
    monkeypatch.setattr(module, "MAX_WAITING", 3)
    name, go = store.add(people()), threading.Event()

    def hold():
        with store.lock(name):
            go.wait(PATIENCE)

    threads = [threading.Thread(target=hold) for _ in range(3)]
    for thread in threads:
        thread.start()
    until = time.monotonic() + PATIENCE
    while store._places[name].holders < 3 and time.monotonic() < until:
        time.sleep(0.01)
    with pytest.raises(ValueError, match="too many requests"), store.lock(name):
        pass
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    with store.lock(name):
        pass


DAMAGED = [
    "", "{", "[]", "3", "null", "{}", '{"agents": 3, "moves": []}', '{"agents": ["you"], "moves": 3}', "\ud800",
    '{"agents": ["you", "random"], "moves": [], "version": "x"}', '{"agents": null, "moves": [], "version": 1}',
    '{"agents": ["x", "\\ud800"], "moves": [], "seed": 1}', "[" * 100_000,
    # Values of single keys
    {"version": float("nan")}, {"version": None}, {"campaign": {}}, {"campaign": 3}, {"moves": [3]}, {"options": None},
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGED, ids=lambda damage: repr(damage)[:50])
def test_a_damaged_file_is_refused_in_one_line_and_kept(store, damage):
    desk = table((PERSON,), ruleset="solo")
    name = store.add(desk)
    file = store.folder / f"{name}.json"
    text = damage if isinstance(damage, str) else json.dumps(desk.to_dict() | damage)
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ValueError, match=r"\Athe file of this table cannot be used: .*\Z"):
        Store(store.folder, [GAME]).lock(name).__enter__()
    assert file.exists()
