"""Tables in memory and in their files: each is there once, and an answered move is in the file."""

import errno
import json
import random
import threading
import time

import pytest

from tests.web.test_table import GAME, table
from vitienv.web import store as module
from vitienv.web.errors import BadRequest
from vitienv.web.store import NoTable, Store
from vitienv.web.table import PERSON, Table

PATIENCE = 60.0


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "IN_MEMORY", 2)
    return Store(tmp_path, [GAME])


def people():
    return table((PERSON, PERSON))


def move(one):
    one.move(one.view()["choices"][0]["action"], len(one.game.moves))


def in_file(store, name):
    return json.loads((store.folder / f"{name}.json").read_text())


def test_a_table_that_is_held_is_in_memory_once(store):
    """However many others are looked at meanwhile; who asks for it waits, and finds what was done."""
    names, waited = [store.add(people()) for _ in range(5)], []

    def look():
        with store.lock(names[0]) as again:
            waited.append((again, len(again.game.moves)))

    with store.lock(names[0]) as one:
        for name in names[1:]:
            with store.lock(name):
                pass
        waiting = threading.Thread(target=look)
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive() and not waited
        move(one)
    waiting.join(PATIENCE)
    assert waited == [(one, 1)] and len(store._places) <= 2


def test_moves_that_were_answered_are_in_the_files(store):
    """Many requests at more tables than are kept in memory, all at once."""
    names, answered, errors, lengths, versions = [store.add(people()) for _ in range(6)], [], [], {}, {}

    def play(seed):
        rng = random.Random(seed)
        try:
            for _ in range(20):
                at = rng.randrange(6)
                with store.lock(names[at]) as one:
                    move(one)
                    answered.append(at)
                    lengths[at], versions[at] = len(one.game.moves), one.version
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
        assert (len(saved["log"]["moves"]), saved["version"]) == (lengths[at], versions[at])
    assert len(store._places) <= 2


def test_a_table_has_its_version_after_it_was_put_away(store):
    name = store.add(people())
    with store.lock(name) as one:
        move(one)
        one.undo() if one.can_undo() else move(one)
    for _ in range(3):
        store.add(people())
    assert name not in store._places
    with store.lock(name) as again:
        assert again is not one and again.version == one.version == 2
    old = in_file(store, name)
    del old["version"]  # as the files of versions before
    (store.folder / f"{name}.json").write_text(json.dumps(old))
    assert Store(store.folder, [GAME]).lock(name).__enter__().version == 0


def test_a_table_can_be_undone_after_it_was_put_away(store):
    name = store.add(people())
    with store.lock(name) as one:
        while not one.can_undo():
            move(one)
        moves = len(one._past)
    for _ in range(3):
        store.add(people())
    with store.lock(name) as again:
        assert again is not one and again.can_undo() and len(again._past) >= moves
        again.undo()
        one.undo()
        assert again.game == one.game and again.view() == one.view()


@pytest.mark.parametrize("forfeit", [OSError(errno.ENOSPC, "No space left on device"), KeyError("x")])
def test_a_move_is_made_and_saved_or_neither(store, monkeypatch, forfeit):
    name = store.add(people())
    with store.lock(name) as one:
        move(one)

    def full(path, value):
        raise forfeit

    with monkeypatch.context() as patched:
        patched.setattr(module, "write_json", full)
        with pytest.raises((BadRequest, KeyError), match=r"No space left|x"), store.lock(name) as one:
            move(one)
    with store.lock(name) as again:
        assert len(again.game.moves) == len(again.story) == 1 and again.version == 1
        move(again)
    assert len(in_file(store, name)["log"]["moves"]) == 2


def test_what_fails_half_way_changes_nothing(store, monkeypatch):
    """The move is made and cannot be told of, say."""
    name = store.add(people())
    with monkeypatch.context() as patched:
        patched.setattr(Table, "_describe_move", lambda *all: 1 / 0)
        with pytest.raises(ZeroDivisionError), store.lock(name) as one:
            move(one)
    with store.lock(name) as again:
        assert not again.game.moves and not again._considered and again.version == 0


def test_a_refused_move_loses_nothing(store):
    name = store.add(people())
    with store.lock(name) as one:
        move(one)
    could = one.can_undo()
    with pytest.raises(BadRequest), store.lock(name) as one:
        one.move(10**6, 1)
    with store.lock(name) as again:
        assert again is one and again.can_undo() == could


def test_so_many_wait_for_a_table_and_no_more(store, monkeypatch):
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
    with pytest.raises(BadRequest, match="too much is asked"), store.lock(name):
        pass
    go.set()
    for thread in threads:
        thread.join(PATIENCE)
    with store.lock(name):
        pass


DAMAGED = ["", "{", "[]", "3", "null", "{}", '{"seats": 3, "log": {}}', '{"seats": ["person"], "log": 3}', "\ud800",
           '{"seats": ["person", "random"], "log": {}, "version": "x"}', "[" * 100_000]  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_told_in_a_line_and_kept(store, text):
    name = store.add(people())
    file = store.folder / f"{name}.json"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with (
        pytest.raises(BadRequest, match="the file of this table cannot be used") as error,
        Store(store.folder, [GAME]).lock(name),
    ):
        pass
    assert "\n" not in str(error.value) and file.exists()


def test_damage_of_any_part_is_told(store):
    """Whatever stands in the place of any part of a file: it is taken, or refused in a line."""
    one = table((PERSON,), ruleset="solo")
    for _ in range(4):
        move(one)
    name, whole = store.add(one), one.to_dict()
    rng, refused = random.Random(1), 0
    for wrong in (None, [], {}, "\ud800", 10**400, float("inf"), float("nan"), True, -1, "x"):
        for _ in range(8):
            told = json.loads(json.dumps(whole))
            at = told if rng.random() < 0.3 else told["log"] if rng.random() < 0.5 else told["log"]["options"]
            at[rng.choice(sorted(at))] = wrong
            (store.folder / f"{name}.json").write_text(json.dumps(told))
            try:
                with Store(store.folder, [GAME]).lock(name) as again:
                    json.dumps(again.view()).encode()
            except BadRequest as error:
                refused += 1
                assert "\n" not in str(error)
    assert refused > 30


def test_there_is_no_table_without_a_file(store):
    for name in ("x", "a" * 22, "../" + "a" * 19):
        with pytest.raises(NoTable), store.lock(name):
            pass
    assert not store._places
