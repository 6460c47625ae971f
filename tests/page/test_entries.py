"""The loops of a game as entries of an engine that has a memory of its own: games are the same."""

from types import SimpleNamespace

import numpy as np
import pytest

import vitienv
from tools.page.entries import Entries, Entry
from vitienv.agents.champions import Champions
from vitienv.core import targets
from vitienv.core.batch import Batch, keys_of
from vitienv.core.kernel import LOOPS, Run
from vitienv.core.targets.llvm_modules import kernels_of

GAMES = 2
ROUND = Run.STEP | Run.RANDOM | Run.RESTART | Run.OBSERVE


class Engine:
    """The loops of this machine, on arrays of its own."""

    def __init__(self, batch):
        self.kernels = {kernel.name: kernel for kernel in kernels_of(batch)}
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
        kernel, given = self.kernels[entry], dict(zip(names, numbers))
        return kernel.function(*(given.get(name, value) for name, value in kernel.arguments.items()))


class Memory:
    def __init__(self, own):
        self.own = own

    def assign(self, other):
        self.own[:] = other.tobytes()

    def assign_to(self, other):
        np.asarray(other).reshape(-1)[:] = np.asarray(self.own)


@pytest.fixture
def engine(monkeypatch):
    monkeypatch.setattr(targets, "used", targets.used)
    engine = Engine(Batch(GAMES, vitienv.game_spec("toscana").options.of()))
    targets.use(Entries(engine))
    return engine


def played(batch):
    """What is seen of games on the way."""
    told = []
    batch.start(keys_of(3, GAMES))
    for seat in range(5):
        batch.run(int(ROUND))
        seen = batch.observe(np.full(GAMES, seat % 2, np.int8), np.zeros_like(batch.obs))
        told += [array.tobytes() for array in (seen, *batch.standing(), batch.records, batch.masks)]
        batch.determinize(np.zeros(GAMES, np.int8), keys_of(seat, GAMES))
        told.append(batch.records.tobytes())
    return told


def test_games_of_an_engine_are_the_same(engine):
    there = Batch(GAMES, vitienv.game_spec("toscana").options.of())
    targets.use(targets.Target())
    here = Batch(GAMES, vitienv.game_spec("toscana").options.of())
    assert played(there) == played(here)
    assert engine.called == set(LOOPS)


def test_a_loop_gets_what_the_engine_knows_with_its_lengths():
    there, asked = {"games": bytearray(12), "edges": bytearray(32)}, {}

    class Known:
        def of(self, game, n):
            return self

        def view(self, name, size):
            assert name not in there or size <= len(there[name])
            return Memory(there[name]) if name in there else None

        def call(self, entry, names, numbers):
            asked.update(zip(names, numbers), entry=entry)
            there["edges"][0] = 7
            return 3

    def simulate(games, bytes_view, edges, net, what):
        raise AssertionError("interpreted")

    games, edges = np.arange(3, dtype=np.int32), np.zeros((4, 2), np.int32)
    bytes_view = games[:, None].view(np.int8)[:, ::2]  # not in one piece, and of the engine's own
    assert Entry("toscana", simulate, Known())(games, bytes_view, edges, (games,), 5) == 3
    assert asked == {"n": 3, "edges": 4, "what": 5, "entry": "simulate"}
    assert there["games"] == games.tobytes() and edges[0, 0] == 7


def test_networks_that_ship_are_the_engines(monkeypatch):
    made = vitienv.game_spec("toscana")
    native = Champions(made)
    batch = Batch(GAMES, made.options.of())
    batch.start(keys_of(3, GAMES))

    def evaluate(seen, legal):
        rows = np.frombuffer(seen, np.int16).reshape(GAMES, -1), np.frombuffer(legal, np.int8).reshape(GAMES, -1)
        found = zip(("logits", "values"), native.networks[0].evaluate(*rows))
        return SimpleNamespace(**{name: SimpleNamespace(to_bytes=part.tobytes) for name, part in found})

    named = []

    def network(game, name):
        named.append((game, name))
        return SimpleNamespace(margin=False, evaluate=evaluate)

    monkeypatch.setattr(targets, "used", Entries(SimpleNamespace(network=network)))
    monkeypatch.setattr("vitienv.agents.champions._read", vitienv.agents.champions._read.__wrapped__)
    assert (Champions(made).best(batch.obs, batch.masks) == native.best(batch.obs, batch.masks)).all()
    found = Champions(made).evaluate(batch.obs, batch.masks)
    for one, other in zip(found, native.evaluate(batch.obs, batch.masks)):
        assert one.dtype == other.dtype and (one == other).all()
    assert named == 2 * [("toscana", name) for name in vitienv.agents.champions.files_in(made)]
