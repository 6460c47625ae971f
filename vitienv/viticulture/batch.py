"""A batch of games: one array of records and the arrays that the kernel writes."""

import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from vitienv.core.jit import cache_folder, interpreted
from vitienv.viticulture import kernel
from vitienv.viticulture.kernel import OBSERVE, RANDOM, REFRESH, RESTART, START, STEP
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.observation import N_OBSERVATION, OBSERVATION_DTYPE
from vitienv.viticulture.rulesets import Options
from vitienv.viticulture.state import GAME_DTYPE
from vitienv.viticulture.vocabulary import N_ACTIONS

# The arrays that the kernel writes besides the games.
WRITTEN = ("keys", "actions", "masks", "seats", "decisions", "obs", "ended", "rewards", "scores", "ranks")
_compiled = threading.Lock()
_told = False


def keys_of(seed: int | None, n: int) -> np.ndarray:
    """The chance keys of n games, (n, 2) uint32: game i depends on the seed and i only. None takes fresh entropy."""
    sequence = np.random.SeedSequence(seed)
    root = sequence.generate_state(2, np.uint32)
    keys = np.empty((n, 2), np.uint32)
    for i in range(n):
        keys[i] = np.random.SeedSequence([int(root[0]), int(root[1]), i]).generate_state(2, np.uint32)
    return keys


def key_of(seed: int | None) -> np.ndarray:
    """The chance key of a single game, (1, 2) uint32; the same as that of the first game of a batch."""
    return keys_of(seed, 1)


class Batch:
    """n games of one set of options, and what the kernel says of them.

    games (n,) records; masks (n, N_ACTIONS) int8; seats (n,) int8, -1 when over; decisions (n,) int8, numbers in
    DECISIONS, -1 when over; obs (n, N_OBSERVATION);
    ended (n,) int8, 1 terminated and 2 truncated; rewards (n, 6) float32; scores, ranks (n, 6) int16.
    All are written in place by every call.
    """

    def __init__(self, n: int, options: Options, num_threads: int = 1) -> None:
        if n < 1:
            raise ValueError(f"a batch needs at least 1 game, not {n}")
        if num_threads < 1:
            raise ValueError(f"num_threads is {num_threads}; it must be at least 1")
        self.options = options
        self.rules = options.rules()
        self.reward_number = options.reward_number
        self._own(np.zeros(n, GAME_DTYPE))
        self.keys = np.zeros((n, 2), np.uint32)
        self.actions = np.zeros(n, np.int64)
        self.masks = np.zeros((n, N_ACTIONS), np.int8)
        self.seats = np.full(n, -1, np.int8)
        self.decisions = np.full(n, -1, np.int8)
        self.obs = np.zeros((n, N_OBSERVATION), OBSERVATION_DTYPE)
        self.ended = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, MAX_SEATS), np.float32)
        self.scores = np.zeros((n, MAX_SEATS), np.int16)
        self.ranks = np.zeros((n, MAX_SEATS), np.int16)
        self.num_threads = min(num_threads, n)
        self._pool = ThreadPoolExecutor(self.num_threads) if self.num_threads > 1 else None
        self._arguments = self._slices()

    def _own(self, records: np.ndarray) -> None:
        self.games = records.view(np.recarray)
        # Numba looks up the type of a plain array ten times as fast; interpreted rules need the attributes.
        self.records = self.games if interpreted() else records
        n, size = len(records), GAME_DTYPE.itemsize
        raw = records.view(np.uint8).reshape(n, size)
        self.octets = raw.view(np.int8)
        self.shorts = raw.view(np.int16)

    def _slices(self) -> list[tuple]:
        """The kernel's arguments for each thread's share of the games."""
        bounds = np.linspace(0, len(self.games), self.num_threads + 1).astype(int)
        parts = []
        for low, high in pairwise(bounds):
            s = slice(low, high)
            parts.append(
                (self.records[s], self.octets[s], self.shorts[s], self.actions[s], self.keys[s], self.rules,
                 self.masks[s], self.seats[s], self.decisions[s], self.obs[s], self.rewards[s], self.ended[s],
                 self.scores[s], self.ranks[s])
            )  # fmt: skip
        return parts

    def __len__(self) -> int:
        return len(self.games)

    def copy(self) -> "Batch":
        """An independent copy of the games and of what is known of them."""
        other = Batch.__new__(Batch)
        other.__dict__.update(self.__dict__)
        other._own(self.records.view(np.ndarray).copy())
        for name in WRITTEN:
            setattr(other, name, getattr(self, name).copy())
        if self._pool is not None:
            other._pool = ThreadPoolExecutor(self.num_threads)
        other._arguments = other._slices()
        return other

    def run(self, what: int) -> int:
        """Call the kernel on all games; returns the decisions taken."""
        _announce_compilation()
        if self._pool is None:
            return kernel.run(what, self.reward_number, *self._arguments[0])
        calls = [self._pool.submit(kernel.run, what, self.reward_number, *part) for part in self._arguments]
        return sum(call.result() for call in calls)

    def start(self, keys: np.ndarray, observe: bool = True) -> None:
        """New games under the chance keys (n, 2)."""
        self.keys[:] = keys
        self.run(START | (OBSERVE if observe else 0))

    def step(self, restart: bool = False, observe: bool = True) -> None:
        """Step every game by `self.actions`, which must be legal (not checked here); LEAVE leaves a game alone."""
        self.run(STEP | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def step_random(self, restart: bool = True, observe: bool = True) -> int:
        """Step every game by a random legal action of its own stream."""
        return self.run(STEP | RANDOM | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def refresh(self, observe: bool = True) -> None:
        """Write masks and observations anew after the records were changed from outside."""
        self.run(REFRESH | (OBSERVE if observe else 0))

    def observe(self, viewers: np.ndarray, out: np.ndarray) -> np.ndarray:
        """What seat viewers[i] of each game sees, into out (n, N_OBSERVATION)."""
        kernel.observe_seat(self.records, self.octets, self.shorts, viewers, out)
        return out

    def illegal(self, actions: np.ndarray) -> np.ndarray:
        """The indices of games in which an action is illegal or out of range."""
        in_range = (actions >= 0) & (actions < N_ACTIONS)
        chosen = np.where(in_range, actions, 0)
        return np.flatnonzero(~(in_range & (self.masks[np.arange(len(actions)), chosen] == 1)))


def _announce_compilation() -> None:
    """Tell once, on a terminal or a log, that the first call compiles; nothing when the code is cached."""
    global _told
    if _told:
        return
    with _compiled:
        if _told:
            return
        _told = True
        if interpreted() or any(cache_folder().glob("**/*.nbi")):
            return
        from vitienv.core.progress import show_compilation

        show_compilation(sys.stderr)
