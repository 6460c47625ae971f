"""The loops of a game as entries of an engine that has a memory of its own: games are the same."""

import numpy as np
import pytest

import vitienv
from vitienv.core import targets
from vitienv.core.batch import Batch, keys_of
from vitienv.core.kernel import LOOPS, Run
from vitienv.core.targets.entries import Entries
from vitienv.core.targets.wasm import kernels_of

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
    monkeypatch.setattr(targets, "_used", targets.native)
    engine = Engine(Batch(GAMES, vitienv.definition("toscana").options.of()))
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
        batch.deal_anew(np.zeros(GAMES, np.int8), keys_of(seat, GAMES))
        told.append(batch.records.tobytes())
    return told


def test_games_of_an_engine_are_the_same(engine):
    there = Batch(GAMES, vitienv.definition("toscana").options.of())
    targets.use(targets.native)
    here = Batch(GAMES, vitienv.definition("toscana").options.of())
    assert played(there) == played(here)
    assert engine.called == set(LOOPS)
