"""A batch of games in arrays, and the calls of the compiled kernel on it.

Everything that steps games goes through here: `make_vec`, the PettingZoo environment, one readable `Game`.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from threading import RLock
from typing import Any

import numpy as np

from vitienv.core import targets
from vitienv.core.compiling.jit import is_compiled
from vitienv.core.errors import IllegalAction
from vitienv.core.kernel import LEAVE, Run, Status
from vitienv.core.options import Options, is_int
from vitienv.core.targets.parallel import ThreadPool, call_all

# The arrays that the kernel writes besides the games, a row for each game.
ARRAYS = ("keys", "actions", "masks", "seats", "decisions", "obs", "rewards", "ended", "scores", "ranks")
PLAYING, OVER, TRUNCATED = (int(Status.PLAYING), int(Status.OVER), int(Status.TRUNCATED))
NO_DECISION = -1  # the number of the decision of a game that is over
LOST = -1.0  # the lowest reward of "win" and "rank"
MOST_BYTES = 2**36  # where the machine does not tell how much memory it has
MOST_THREADS = 1024


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


def checked_seeds(seeds: Sequence[object], n: int) -> list[int | None]:
    """A seed for each of n games. ValueError unless there are n, each None or a whole number from 0."""
    found = [checked_seed(seed) for seed in seeds]
    if len(found) != n:
        raise ValueError(f"there are {len(found)} seeds for {n} games; give one number for all, or one for each game")
    return found


def checked_seed(seed: object) -> int | None:
    """A seed as a plain number. ValueError unless it is None or a whole number from 0."""
    if seed is None:
        return None
    if not is_int(seed) or seed < 0:  # type: ignore[operator]
        raise ValueError(f"seed is {seed!r}; it must be None or a whole number from 0")
    return int(seed)  # type: ignore[call-overload]


def integers(name: str, values: Any, n: int, xp: Any = np) -> Any:
    """Values as an array (n,) of integers, which may share memory with them. xp: the library of the array. ValueError
    for Booleans, floats, masked arrays and other shapes."""
    array, is_masked = xp.asarray(values), np.ma.isMaskedArray(values)
    if is_masked or array.shape != (n,) or array.dtype.kind not in "iu":
        kind = "a masked array" if is_masked else str(array.dtype)
        raise ValueError(f"{name} must be integers of shape ({n},), got {kind} of shape {array.shape}")
    return array


class Batch:
    """n games of one set of options, and what the kernel says of them.

    games (n,) records; masks (n, actions) int8; seats (n,) int8, -1 when over; decisions (n,) int8, numbers of the
    definition's decisions, -1 when over; obs (n, observed numbers) int16; ended (n,) int8, 1 terminated and 2
    truncated; rewards (n, seats) float32; scores, ranks (n, seats) int16, seats being the most that the game allows.
    All are written in place by every call. lock: for the `exclusive` methods of what owns the batch.
    """

    def __init__(self, n: int, options: Options, num_threads: int = 1) -> None:
        if not is_int(n) or n < 1:
            raise ValueError(f"the number of games is {n!r}; it must be a whole number from 1")
        n = int(n)  # a NumPy integer may be too small for what is computed of it
        if not is_int(num_threads) or not 1 <= num_threads <= MOST_THREADS:
            raise ValueError(f"num_threads is {num_threads!r}; it must be a number from 1 to {MOST_THREADS}")
        self.options = options
        self.game_spec = game_spec = options.game_spec
        check_memory(n, game_spec)
        self.kernels = targets.used.loops(game_spec)
        self.rules = options.rules()
        self.reward_number = options.reward_number
        self._own(np.zeros(n, game_spec.dtype))
        seats = game_spec.max_seats
        self.keys = np.zeros((n, 2), np.uint32)
        self.actions = np.zeros(n, np.int64)
        self.masks = np.zeros((n, game_spec.actions.n), np.int8)
        self.seats = np.full(n, -1, np.int8)
        self.decisions = np.full(n, NO_DECISION, np.int8)
        self.obs = np.zeros((n, game_spec.observation.n), np.int16)
        self.ended = np.zeros(n, np.int8)
        self.rewards = np.zeros((n, seats), np.float32)
        self.scores = np.zeros((n, seats), np.int16)
        self.ranks = np.zeros((n, seats), np.int16)
        self.num_threads = min(int(num_threads), n)
        self.lock = RLock()
        self._pool = ThreadPool(self.num_threads) if self.num_threads > 1 else None
        self._arguments = self._slices()

    def _own(self, records: np.ndarray) -> None:
        self.games = records.view(np.recarray)
        self.status = records.view(np.ndarray)["status"]  # a view, which follows the games
        # Numba looks up the type of a plain array ten times as fast; interpreted rules need the attributes.
        self.records = records if is_compiled(self.game_spec.kernels.run) else self.games
        raw = records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
        self.bytes_view = raw.view(np.int8)
        self.int16_view = raw.view(np.int16)

    def _slices(self) -> list[tuple]:
        """The kernel's arguments for each thread's share of the games."""
        whole = (
            self.records, self.bytes_view, self.int16_view, self.actions, self.keys, self.rules, self.masks, self.seats,
            self.decisions, self.obs, self.rewards, self.ended, self.scores, self.ranks,
        )  # fmt: skip
        if self.num_threads == 1:
            return [whole]
        bounds = np.linspace(0, len(self.games), self.num_threads + 1).astype(int)
        return [
            tuple(array if array is self.rules else array[low:high] for array in whole)
            for low, high in pairwise(bounds)
        ]

    def __len__(self) -> int:
        return len(self.games)

    def fetch(self, array: np.ndarray) -> np.ndarray:
        """A copy of one of the arrays."""
        return array.copy()

    def here(self) -> "Batch":
        """The games where Python can look at them: this batch, as it lies in the machine's own memory."""
        return self

    # Playing.

    def run(self, what: int) -> int:
        """Call the kernel on all games; returns the decisions taken."""
        if self._pool is None:
            return self.kernels.run(what, self.reward_number, *self._arguments[0])
        parts = [partial(self.kernels.run, what, self.reward_number, *part) for part in self._arguments]
        return sum(call_all(self._pool, parts))

    def start(self, keys: np.ndarray, observe: bool = True, rows: np.ndarray | None = None) -> None:
        """New games under the chance keys (n, 2), in the places `rows` (m,) or in every place."""
        self.keys[:] = keys
        what = START | (OBSERVE if observe else 0)
        if rows is not None:
            self._leave_all_but(rows)
            what |= STEP
        self.run(what)

    def start_anew(
        self, seed: int | Sequence[int | None] | None, is_first: bool, rows: np.ndarray | None = None
    ) -> None:
        """New games in the places `rows` (m,) or in every place, with nothing of what earlier ones ended with.

        seed: game i depends on it and on i only. None: fresh chance if this is the first start, afterwards the
        successors of the games before, as an automatic reset would give them. A list has a seed, or None, for each
        game of the batch, which is then the game that a batch of one has under that seed.
        """
        seeds = checked_seeds(seed, len(self)) if isinstance(seed, list | tuple | np.ndarray) else None
        seed = None if seeds is not None else checked_seed(seed)
        is_next = seed is None and not is_first
        at: Any = slice(None) if rows is None else rows
        if is_next:
            self.status[at] = OVER  # the kernel deals a game's successor when the game is over
            if rows is None:
                self.run(RESTART | OBSERVE)
            else:
                self.restart_rows(rows)
        if not is_next or seeds is not None:
            keys = self.fetch(self.keys)
            if not is_next:
                keys[at] = keys_of(seed, len(self))[at]
            for i in range(len(self)) if rows is None else rows.tolist():
                if seeds is not None and seeds[i] is not None:
                    keys[i] = key_of(seeds[i])
            self.start(keys, rows=rows)
        for results in (self.ended, self.rewards, self.scores, self.ranks):
            results[at] = 0

    def step(self, restart: bool = False, observe: bool = True) -> None:
        """Step every game by `self.actions`, which must be legal (not checked here); LEAVE leaves a game alone."""
        self.run(STEP | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def step_rows(self, rows: np.ndarray, actions: np.ndarray, observe: bool = True) -> None:
        """Step the games `rows` (m,) by actions (m,), which must be legal, and leave the others alone."""
        self.actions.fill(LEAVE)
        self.actions[rows] = actions
        self.step(observe=observe)

    def step_random(self, restart: bool = True, observe: bool = True) -> int:
        """Step every game by a random legal action of its own stream."""
        return self.run(STEP | RANDOM | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def playout(self, restart: bool = False) -> int:
        """Play every game at random to its end; returns the decisions taken."""
        return self.run(STEP | RANDOM | PLAYOUT | (RESTART if restart else 0))

    def restart_rows(self, rows: np.ndarray) -> None:
        """Start the successors of the games `rows`, which are over, and leave the others alone."""
        self._leave_all_but(rows)
        self.step(restart=True)

    def _leave_all_but(self, rows: np.ndarray) -> None:
        self.actions.fill(LEAVE)
        self.actions[rows] = 0  # any number but LEAVE: a game that is over or that starts takes no action

    def refresh(self, observe: bool = True) -> None:
        """Write masks and observations anew after the records were changed from outside."""
        self.run(REFRESH | (OBSERVE if observe else 0))

    def end_rows(self, rows: np.ndarray) -> None:
        """End the games `rows` as they stand, over by no rule of theirs."""
        self.games["status"][rows] = OVER
        self.games["depth"][rows] = 0
        self.refresh(observe=False)

    def forfeit_rows(self, rows: np.ndarray, seats: np.ndarray) -> None:
        """End the games `rows` as they stand. In each a seat, (m,), has lost and is last; the others share the first
        place, as a game cut off by one seat says nothing about them. A team loses as one."""
        n = self.options.num_players
        self.end_rows(rows)
        if self.game_spec.is_of_team:
            self.rewards[rows, :n] = np.minimum(self.rewards[rows, :n], LOST)
            self.ranks[rows, :n] = 2
            return
        self.rewards[rows, seats] = np.minimum(self.rewards[rows, seats], LOST)
        self.ranks[rows, :n] = 1
        self.ranks[rows, seats] = max(n, 2)  # alone, second is to lose

    def playing(self) -> np.ndarray:
        """The indices of the games that go on."""
        return np.flatnonzero(self.seats >= 0)

    # Looking.

    def observe(self, viewers: np.ndarray, out: np.ndarray) -> np.ndarray:
        """What seat viewers[i] of each game sees, into out (n, observed numbers)."""
        self.kernels.observe_seat(self.records, self.bytes_view, self.int16_view, viewers, out)
        return out

    def observe_rows(self, rows: np.ndarray, viewers: np.ndarray, open_hands: bool = False) -> np.ndarray:
        """What seat viewers[k] sees of game rows[k], over or not: a new array (m, observed numbers).

        open_hands: it sees what all seats hold.
        """
        out = np.zeros((len(rows), self.obs.shape[1]), self.obs.dtype)
        bytes_view = self.bytes_view[rows]
        games = bytes_view.reshape(-1).view(self.records.dtype).view(type(self.records))
        if open_hands:
            games["rules"][:, self.game_spec.rule_parameter("open_hands")] = 1
        self.kernels.observe_seat(games, bytes_view, bytes_view.view(np.int16), np.asarray(viewers, np.int8), out)
        return out

    def standing(self) -> tuple[np.ndarray, np.ndarray]:
        """Points and ranks as things stand, new arrays (n, seats)."""
        scores, ranks = np.zeros_like(self.scores), np.zeros_like(self.ranks)
        self.kernels.stand(self.records, scores, ranks)
        return scores, ranks

    def determinize(self, viewers: np.ndarray, keys: np.ndarray) -> None:
        """Deal anew what seat viewers[i] of each game cannot see, under the chance keys (n, 2) uint32.

        Masks and observations are as before; see `refresh`.
        """
        self.kernels.determinize(self.records, viewers, keys)

    def decision(self, i: int = 0) -> str | None:
        """The name of the decision pending in game i; None when it is over."""
        number = self.decisions.item(i)
        return None if number < 0 else self.game_spec.decisions[number]

    # Checking actions.

    def are_legal(self, actions: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
        """Whether actions[k] is legal in game rows[k], by default in every game, (m,) bool. `actions` must be an array
        that nobody else can write before the step."""
        rows = np.arange(len(self)) if rows is None else rows
        in_range = (actions >= 0) & (actions < self.masks.shape[1])
        return in_range & (self.masks[rows, np.where(in_range, actions, 0)] == 1)

    def check(
        self, actions: np.ndarray, rows: np.ndarray | None = None, who: Callable[[int], str] | None = None
    ) -> None:
        """IllegalAction names the first game in which an action is illegal, and how many there are.

        who: says whose action the one in game i is, by default "game i".
        """
        good = self.are_legal(actions, rows)
        if good.all():
            return
        bad = np.flatnonzero(~good)
        games = bad if rows is None else rows[bad]
        first = int(games[0])
        told = f"game {first}" if who is None else who(first)
        others = f" (and in {len(bad) - 1} more games)" if len(bad) > 1 else ""
        raise self.illegal(first, actions[bad[0]], told + others)

    def illegal(self, i: int, action: object, who: str) -> IllegalAction:
        """The error for an action that game i does not allow. who: whose action it is, "seat 1" or "game 7"."""
        layout = self.game_spec.actions
        if isinstance(action, int | np.integer) and 0 <= action < layout.n:
            what = f"{layout.name(int(action))!r} (number {int(action)})"
        else:
            what = f"{action!r}, which is not a number from 0 to {layout.n - 1},"
        legal = ", ".join(f"{layout.name(int(number))} ({number})" for number in np.flatnonzero(self.masks[i]))
        return IllegalAction(f"{who}: {what} is not legal for the decision {self.decision(i)!r}; legal: {legal}")

    # Copies.

    def copy(self) -> "Batch":
        """An independent copy of the games and of what is known of them."""
        other = Batch.__new__(Batch)
        other.__dict__.update(self.__dict__, lock=RLock())
        other._own(self.records.view(np.ndarray).copy())
        for name in ARRAYS:
            setattr(other, name, getattr(self, name).copy())
        other._arguments = other._slices()
        return other

    def saved(self) -> dict[str, np.ndarray]:
        """All that changes, as independent arrays."""
        return {name: self.fetch(getattr(self, name)) for name in ("bytes_view", *ARRAYS)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Put back what `saved` gave. ValueError if it belongs to a batch of another size or layout."""
        for name in ("bytes_view", *ARRAYS):
            own = getattr(self, name)
            if own.shape != np.shape(state[name]):
                raise ValueError(f"this state does not fit: {name} has shape {np.shape(state[name])}, not {own.shape}")
        for name in ("bytes_view", *ARRAYS):
            getattr(self, name)[:] = state[name]

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options, "num_threads": self.num_threads, "games": self.saved()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(len(state["games"]["keys"]), state["options"], state["num_threads"])  # type: ignore[misc]
        self.restore(state["games"])


START, STEP, RESTART = int(Run.START), int(Run.STEP), int(Run.RESTART)
OBSERVE, RANDOM, REFRESH, PLAYOUT = int(Run.OBSERVE), int(Run.RANDOM), int(Run.REFRESH), int(Run.PLAYOUT)


def check_memory(n: int, game_spec: Any, most: int | None = None) -> None:
    """ValueError if n games and their arrays would not fit into `most` bytes, this machine's memory if None."""
    where = "this machine" if most is None else "the card"
    try:
        most = most or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not on every platform
        most = MOST_BYTES
    a_game = game_spec.dtype.itemsize + 2 * game_spec.observation.n + game_spec.actions.n + 8 * game_spec.max_seats
    if n * a_game > most:
        took = f"{n} games would take {n * a_game / 2**30:,.0f} GiB"
        raise ValueError(f"{took}; {where} has {most / 2**30:,.0f}: take at most {most // a_game}")
