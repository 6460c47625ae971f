"""Loops as entry points of an engine with its own memory play the same games."""

import json
import re
from types import SimpleNamespace

import numpy as np
import pytest

import vitienv
from tools.entry_points import entry_points
from tools.page.build import ROOT
from tools.page.entries import Entries, Entry
from tools.page.service import Service
from vitienv.agents.champions import Champions
from vitienv.core import targets
from vitienv.core.batch import Batch, make_keys
from vitienv.core.kernel import LOOPS, Run

GAMES = 2
RANDOM_STEP = Run.STEP | Run.RANDOM | Run.RESTART | Run.OBSERVE


class Engine:
    """Native loops on separate arrays."""

    def __init__(self, batch):
        self.kernels = {kernel.name: kernel for kernel in entry_points(batch)}
        self.called = set()

    def of(self, game, n):
        assert (game, n) == ("toscana", GAMES)
        return self

    def view(self, name, size):
        (array, *_) = (kernel.arguments[name] for kernel in self.kernels.values() if name in kernel.arguments)
        assert array.nbytes == size
        return Memory(array.view(np.uint8).reshape(-1).data)

    def call(self, entry, names, numbers):
        self.called.add(entry)
        kernel, parameters = self.kernels[entry], dict(zip(names, numbers))
        return kernel.function(*(parameters.get(name, value) for name, value in kernel.arguments.items()))


class Memory:
    def __init__(self, memory):
        self.memory = memory

    def assign(self, source):
        self.memory[:] = source.tobytes()

    def assign_to(self, target):
        np.asarray(target).reshape(-1)[:] = np.asarray(self.memory)


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(targets, "used", targets.used)
    engine = Engine(Batch(GAMES, vitienv.game_spec("toscana").options.of()))
    targets.use(Entries(engine))
    return engine


def play(batch):
    """Return the bytes of all arrays during random games."""
    states = []
    batch.start(make_keys(3, GAMES))
    for seat in range(5):
        batch.run(int(RANDOM_STEP))
        observations = batch.observe(np.full(GAMES, seat % 2, np.int8), np.zeros_like(batch.obs))
        states += [array.tobytes() for array in (observations, *batch.standings(), batch.records, batch.masks)]
        batch.determinize(np.zeros(GAMES, np.int8), make_keys(seat, GAMES))
        states.append(batch.records.tobytes())
    return states


def test_games_of_an_engine_equal_native_games(engine):
    batch = Batch(GAMES, vitienv.game_spec("toscana").options.of())
    targets.use(targets.Target())
    native = Batch(GAMES, vitienv.game_spec("toscana").options.of())
    assert play(batch) == play(native)
    assert engine.called == set(LOOPS)


def test_entry_copies_arrays_and_passes_lengths():
    memory, request = {"games": bytearray(12), "edges": bytearray(32)}, {}

    class Recorder:
        def of(self, game, n):
            return self

        def view(self, name, size):
            assert name not in memory or size <= len(memory[name])
            return Memory(memory[name]) if name in memory else None

        def call(self, entry, names, numbers):
            request.update(zip(names, numbers), entry=entry)
            memory["edges"][0] = 7
            return 3

    def simulate(games, bytes_view, edges, net, limit):
        raise AssertionError("interpreted")

    games, edges = np.arange(3, dtype=np.int32), np.zeros((4, 2), np.int32)
    bytes_view = games[:, None].view(np.int8)[:, ::2]  # not contiguous, and unknown to the engine
    assert Entry("toscana", simulate, Recorder())(games, bytes_view, edges, (games,), 5) == 3
    assert request == {"n": 3, "edges": 4, "limit": 5, "entry": "simulate"}
    assert memory["games"] == games.tobytes() and edges[0, 0] == 7


def test_bundled_networks_are_those_of_the_engine(monkeypatch):
    spec = vitienv.game_spec("toscana")
    native = Champions(spec)
    batch = Batch(GAMES, spec.options.of())
    batch.start(make_keys(3, GAMES))

    def evaluate(observations, masks):
        rows = [np.frombuffer(data, kind).reshape(GAMES, -1) for data, kind in ((observations, "i2"), (masks, "i1"))]
        arrays = zip(("logits", "values"), native.networks[0].evaluate(*rows))
        return SimpleNamespace(**{name: SimpleNamespace(to_bytes=array.tobytes) for name, array in arrays})

    names = []

    def network(game, name):
        names.append((game, name))
        return SimpleNamespace(margin=False, evaluate=evaluate)

    monkeypatch.setattr(targets, "used", Entries(SimpleNamespace(network=network)))
    monkeypatch.setattr("vitienv.agents.champions._read", vitienv.agents.champions._read.__wrapped__)
    assert (Champions(spec).best(batch.obs, batch.masks) == native.best(batch.obs, batch.masks)).all()
    for array, expected in zip(
        Champions(spec).evaluate(batch.obs, batch.masks), native.evaluate(batch.obs, batch.masks)
    ):
        assert array.dtype == expected.dtype and (array == expected).all()
    assert Champions(spec).kernels_for("best") == []
    assert names == 3 * [("toscana", name) for name in vitienv.agents.champions.files_in(spec)]


def test_saved_table_is_restored():
    service = Service(None, ["toscana"])
    response = json.loads(service.answer("/api/tables", json.dumps({"game": "toscana", "seats": ["you", "random"]})))
    assert response["status"] == 201
    name = response["body"]["id"]
    restored = Service(None, ["toscana"])
    restored.restore(name, service.saved(name))
    assert restored.has(name) and restored.answer(f"/api/tables/{name}", "") == service.answer(
        f"/api/tables/{name}", ""
    )
    called = set(re.findall(r"\bservice\.(\w+)", (ROOT / "tools/page/static/worker.js").read_text(encoding="utf-8")))
    assert called <= set(dir(Service)) and len(called) > 4
