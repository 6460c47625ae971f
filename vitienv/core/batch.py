"""A batch of games in arrays, stepped by the compiled kernel. All environments and `Game` use it."""

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
from vitienv.core.kernel import SKIP, Run, Status
from vitienv.core.options import Options, is_int
from vitienv.core.targets.parallel import ThreadPool, call_all

# Output arrays of the kernel, indexed by game.
ARRAYS = ("keys", "actions", "masks", "seats", "decisions", "obs", "rewards", "ended", "scores", "ranks")
PLAYING, OVER, TRUNCATED = (int(Status.PLAYING), int(Status.OVER), int(Status.TRUNCATED))
NO_DECISION = -1  # decision of a finished game
LOSS_REWARD = -1.0  # minimum of the rewards "win" and "rank"
DEFAULT_MEMORY = 2**36  # bytes, on platforms that do not report their memory
MAX_THREADS = 1024


def make_keys(seed: int | None, n: int) -> np.ndarray:
    """Return the RNG keys of n games, (n, 2) uint32; that of game i depends on seed and i only. None: random seed."""
    sequence = np.random.SeedSequence(seed)
    root = sequence.generate_state(2, np.uint32)
    keys = np.empty((n, 2), np.uint32)
    for i in range(n):
        keys[i] = np.random.SeedSequence([int(root[0]), int(root[1]), i]).generate_state(2, np.uint32)
    return keys


def make_key(seed: int | None) -> np.ndarray:
    """Return the RNG key of a single game, (1, 2) uint32, equal to that of the first game of a batch."""
    return make_keys(seed, 1)


def check_seeds(seeds: Sequence[object], n: int) -> list[int | None]:
    """Return the seeds of n games. ValueError unless they are n integers from 0 or None."""
    checked = [check_seed(seed) for seed in seeds]
    if len(checked) != n:
        raise ValueError(f"seed must be an integer or a list of {n}, got a list of {len(checked)}")
    return checked


def check_seed(seed: object) -> int | None:
    """Return a seed as int or None. ValueError unless it is None or an integer from 0."""
    if seed is None:
        return None
    if not is_int(seed) or seed < 0:  # type: ignore[operator]
        raise ValueError(f"seed must be None or an integer from 0, got {seed!r}")
    return int(seed)  # type: ignore[call-overload]


def integers(name: str, values: Any, n: int, xp: Any = np) -> Any:
    """Return values as an array (n,) of integers, possibly a view. xp: array module.

    ValueError for Booleans, floats, masked arrays and other shapes.
    """
    array, is_masked = xp.asarray(values), np.ma.isMaskedArray(values)
    if is_masked or array.shape != (n,) or array.dtype.kind not in "iu":
        kind = "a masked array" if is_masked else str(array.dtype)
        raise ValueError(f"{name} must be integers of shape ({n},), got {kind} of shape {array.shape}")
    return array


class Batch:
    """n games with the same options, and the outputs of the kernel.

    games (n,) records; masks (n, actions) int8; seats (n,) int8, -1 when over; decisions (n,) int8, indices of the
    decisions of the spec, -1 when over; obs (n, features) int16; ended (n,) int8, 1 terminated and 2 truncated; rewards
    (n, max seats) float32; scores, ranks (n, max seats) int16. Every call updates them in place. lock: lock of the
    `exclusive` methods of the owner.
    """

    def __init__(self, n: int, options: Options, num_threads: int = 1) -> None:
        if not is_int(n) or n < 1:
            raise ValueError(f"the number of games must be an integer from 1, got {n!r}")
        n = int(n)  # a small NumPy integer would overflow below
        if not is_int(num_threads) or not 1 <= num_threads <= MAX_THREADS:
            raise ValueError(f"num_threads must be an integer from 1 to {MAX_THREADS}, got {num_threads!r}")
        self.options = options
        self.game_spec = game_spec = options.game_spec
        check_memory(n, game_spec)
        self.kernels = targets.used.loops(game_spec)
        self.rules = options.rules()
        self.reward_number = options.reward_number
        self._set_records(np.zeros(n, game_spec.dtype))
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

    @classmethod
    def from_bytes(cls, records: np.ndarray, options: Options, observe: bool = True) -> "Batch":
        """Return a batch of games in positions, the bytes (n, bytes) int8 of their records, as in `bytes_view`."""
        batch = cls(len(records), options)
        batch.bytes_view[:] = records
        batch.refresh(observe)
        return batch

    def _set_records(self, records: np.ndarray) -> None:
        self.games = records.view(np.recarray)
        self.status = records.view(np.ndarray)["status"]
        # Numba dispatches on plain arrays ten times faster; interpreted rules need the attributes of a recarray.
        self.records = records if is_compiled(self.game_spec.kernels.run) else self.games
        raw = records.view(np.uint8).reshape(len(records), records.dtype.itemsize)
        self.bytes_view = raw.view(np.int8)
        self.int16_view = raw.view(np.int16)

    def _slices(self) -> list[tuple]:
        """Return the arguments of the kernel for each thread, converted in advance if it is prebuilt."""
        arguments = (
            self.records, self.bytes_view, self.int16_view, self.actions, self.keys, self.rules, self.masks, self.seats,
            self.decisions, self.obs, self.rewards, self.ended, self.scores, self.ranks,
        )  # fmt: skip
        parts: list[tuple] = [arguments]
        if self.num_threads > 1:
            bounds = np.linspace(0, len(self.games), self.num_threads + 1).astype(int)
            parts = [
                tuple(array if array is self.rules else array[low:high] for array in arguments)
                for low, high in pairwise(bounds)
            ]
        pack = getattr(self.kernels.run, "pack", None)  # Numba has none
        return parts if pack is None else [(pack(*part),) for part in parts]

    def __len__(self) -> int:
        return len(self.games)

    def fetch(self, array: np.ndarray) -> np.ndarray:
        """Return a copy of one of the arrays in host memory."""
        return array.copy()

    def to_host(self) -> "Batch":
        """Return the batch in host memory: itself."""
        return self

    # Playing.

    def run(self, flags: int) -> int:
        """Call the kernel on all games; returns the number of decisions taken."""
        if self._pool is None:
            return self.kernels.run(flags, self.reward_number, *self._arguments[0])
        calls = [partial(self.kernels.run, flags, self.reward_number, *part) for part in self._arguments]
        return sum(call_all(self._pool, calls))

    def start(self, keys: np.ndarray, observe: bool = True, rows: np.ndarray | None = None) -> None:
        """Start games with the RNG keys (n, 2), in `rows` (m,) or all rows."""
        self.keys[:] = keys
        flags = START | (OBSERVE if observe else 0)
        if rows is not None:
            self._skip_all_but(rows)
            flags |= STEP
        self.run(flags)

    def reset(self, seed: int | Sequence[int | None] | None, is_first: bool, rows: np.ndarray | None = None) -> None:
        """Start games in `rows` (m,) or all rows, and clear the results of earlier ones.

        seed: game i depends on seed and i only. None: random if is_first, else the successors of the previous games, as
        in an automatic reset. A list has a seed or None per game; game i is then that of a batch of one with its seed.
        """
        seeds = check_seeds(seed, len(self)) if isinstance(seed, list | tuple | np.ndarray) else None
        seed = None if seeds is not None else check_seed(seed)
        is_next = seed is None and not is_first
        index: Any = slice(None) if rows is None else rows
        if is_next:
            self.status[index] = OVER  # the kernel restarts finished games only
            if rows is None:
                self.run(RESTART | OBSERVE)
            else:
                self.restart_rows(rows)
        if not is_next or seeds is not None:
            keys = self.fetch(self.keys)
            if not is_next:
                keys[index] = make_keys(seed, len(self))[index]
            for i in range(len(self)) if rows is None else rows.tolist():
                if seeds is not None and seeds[i] is not None:
                    keys[i] = make_key(seeds[i])
            self.start(keys, rows=rows)
        for results in (self.ended, self.rewards, self.scores, self.ranks):
            results[index] = 0

    def step(self, restart: bool = False, observe: bool = True) -> None:
        """Step every game by `self.actions`, which must be legal (not checked); SKIP skips a game."""
        self.run(STEP | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def step_rows(self, rows: np.ndarray, actions: np.ndarray, observe: bool = True) -> None:
        """Step the games `rows` (m,) by legal actions (m,)."""
        self.actions.fill(SKIP)
        self.actions[rows] = actions
        self.step(observe=observe)

    def step_random(self, restart: bool = True, observe: bool = True) -> int:
        """Step every game by a random legal action from its RNG stream."""
        return self.run(STEP | RANDOM | (RESTART if restart else 0) | (OBSERVE if observe else 0))

    def playout(self, restart: bool = False) -> int:
        """Play every game at random to its end; returns the number of decisions taken."""
        return self.run(STEP | RANDOM | PLAYOUT | (RESTART if restart else 0))

    def restart_rows(self, rows: np.ndarray) -> None:
        """Start the successors of the finished games `rows`."""
        self._skip_all_but(rows)
        self.step(restart=True)

    def _skip_all_but(self, rows: np.ndarray) -> None:
        self.actions.fill(SKIP)
        self.actions[rows] = 0  # any value but SKIP; the kernel ignores it for games that restart

    def refresh(self, observe: bool = True) -> None:
        """Recompute masks and observations after a change of the records."""
        self.run(REFRESH | (OBSERVE if observe else 0))

    def end_rows(self, rows: np.ndarray) -> None:
        """End the games `rows` with their current scores."""
        self.games["status"][rows] = OVER
        self.games["depth"][rows] = 0
        self.refresh(observe=False)

    def forfeit_rows(self, rows: np.ndarray, seats: np.ndarray) -> None:
        """End the games `rows` (m,) by a forfeit of `seats` (m,).

        The forfeiting seat is last and the others share first place, as an aborted game does not rank them. A team
        loses together.
        """
        n = self.options.num_players
        self.end_rows(rows)
        if self.game_spec.is_of_team:
            self.rewards[rows, :n] = np.minimum(self.rewards[rows, :n], LOSS_REWARD)
            self.ranks[rows, :n] = 2
            return
        self.rewards[rows, seats] = np.minimum(self.rewards[rows, seats], LOSS_REWARD)
        self.ranks[rows, :n] = 1
        self.ranks[rows, seats] = max(n, 2)  # rank 2 is a loss for a single player

    def active_rows(self) -> np.ndarray:
        """Return the indices of the games in progress."""
        return np.flatnonzero(self.seats >= 0)

    # Observations.

    def observe(self, viewers: np.ndarray, out: np.ndarray) -> np.ndarray:
        """Write the observation of seat viewers[i] of each game into out (n, features)."""
        self.kernels.observe_seat(self.records, self.bytes_view, self.int16_view, viewers, out)
        return out

    def observe_rows(self, rows: np.ndarray, viewers: np.ndarray, open_hands: bool = False) -> np.ndarray:
        """Return the observations of seats viewers[k] in games rows[k], finished or not, a new array (m, features).

        open_hands: include the hidden cards of all seats.
        """
        out = np.zeros((len(rows), self.obs.shape[1]), self.obs.dtype)
        bytes_view = self.bytes_view[rows]
        games = bytes_view.reshape(-1).view(self.records.dtype).view(type(self.records))
        if open_hands:
            games["rules"][:, self.game_spec.rule_parameter("open_hands")] = 1
        self.kernels.observe_seat(games, bytes_view, bytes_view.view(np.int16), np.asarray(viewers, np.int8), out)
        return out

    def standings(self) -> tuple[np.ndarray, np.ndarray]:
        """Return current scores and ranks, new arrays (n, max seats)."""
        scores, ranks = np.zeros_like(self.scores), np.zeros_like(self.ranks)
        self.kernels.write_standings(self.records, scores, ranks)
        return scores, ranks

    def determinize(self, viewers: np.ndarray, keys: np.ndarray) -> None:
        """Redeal everything that seat viewers[i] of each game cannot see, with the RNG keys (n, 2) uint32.

        Masks and observations are not updated; see `refresh`.
        """
        self.kernels.determinize(self.records, viewers, keys)

    def decision(self, i: int = 0) -> str | None:
        """Return the name of the pending decision of game i; None when it is over."""
        number = self.decisions.item(i)
        return None if number < 0 else self.game_spec.decisions[number]

    # Checking actions.

    def are_legal(self, actions: np.ndarray, rows: np.ndarray | None = None) -> np.ndarray:
        """Return whether actions[k] is legal in game rows[k], by default in every game, (m,) bool.

        Other threads must not write `actions` before the step.
        """
        rows = np.arange(len(self)) if rows is None else rows
        in_range = (actions >= 0) & (actions < self.masks.shape[1])
        return in_range & (self.masks[rows, np.where(in_range, actions, 0)] == 1)

    def check(
        self, actions: np.ndarray, rows: np.ndarray | None = None, label_of: Callable[[int], str] | None = None
    ) -> None:
        """Raise IllegalAction if an action is illegal. label_of: name of game i in the error, by default "game i"."""
        is_legal = self.are_legal(actions, rows)
        if is_legal.all():
            return
        illegal = np.flatnonzero(~is_legal)
        games = illegal if rows is None else rows[illegal]
        first = int(games[0])
        label = f"game {first}" if label_of is None else label_of(first)
        suffix = f" (and in {len(illegal) - 1} more games)" if len(illegal) > 1 else ""
        raise self.illegal(first, actions[illegal[0]], label + suffix)

    def illegal(self, i: int, action: object, label: str) -> IllegalAction:
        """Return the error for an illegal action in game i. label: "seat 1" or "game 7"."""
        layout = self.game_spec.actions
        if isinstance(action, int | np.integer) and 0 <= action < layout.n:
            description = f"{layout.name(int(action))!r} (number {int(action)})"
        else:
            description = f"{action!r}, not an integer from 0 to {layout.n - 1},"
        legal = ", ".join(f"{layout.name(int(number))} ({number})" for number in np.flatnonzero(self.masks[i]))
        return IllegalAction(
            f"{label}: {description} is not legal for the decision {self.decision(i)!r}; legal: {legal}"
        )

    # Copies.

    def copy(self) -> "Batch":
        """Return an independent copy."""
        batch = Batch.__new__(Batch)
        batch.__dict__.update(self.__dict__, lock=RLock())
        batch._set_records(self.records.view(np.ndarray).copy())
        for name in ARRAYS:
            setattr(batch, name, getattr(self, name).copy())
        batch._arguments = batch._slices()
        return batch

    def saved(self) -> dict[str, np.ndarray]:
        """Return copies of all mutable arrays, for `restore`."""
        return {name: self.fetch(getattr(self, name)) for name in ("bytes_view", *ARRAYS)}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Restore the arrays of `saved`. ValueError if their shapes or types differ."""
        if not isinstance(state, Mapping):
            raise ValueError(f"games of the state must be arrays by name, got {state!r}")
        arrays = {name: getattr(self, name) for name in ("bytes_view", *ARRAYS)}
        for name, array in arrays.items():
            dtype, shape = (getattr(state.get(name), attribute, None) for attribute in ("dtype", "shape"))
            if (dtype, shape) != (array.dtype, array.shape):
                expected = f"{array.dtype} of shape {array.shape}"
                raise ValueError(f"{name} of the state must be {expected}, got {dtype} of shape {shape}")
        for name, array in arrays.items():
            array[:] = state[name]

    def __getstate__(self) -> dict[str, Any]:
        return {"options": self.options, "num_threads": self.num_threads, "games": self.saved()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(len(state["games"]["keys"]), state["options"], state["num_threads"])  # type: ignore[misc]
        self.restore(state["games"])


START, STEP, RESTART = int(Run.START), int(Run.STEP), int(Run.RESTART)
OBSERVE, RANDOM, REFRESH, PLAYOUT = int(Run.OBSERVE), int(Run.RANDOM), int(Run.REFRESH), int(Run.PLAYOUT)


def check_memory(n: int, game_spec: Any, memory: int | None = None) -> None:
    """Raise ValueError if n games do not fit into `memory` bytes, by default that of this machine."""
    device = "this machine" if memory is None else "the GPU"
    try:
        memory = memory or os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # not available on every platform
        memory = DEFAULT_MEMORY
    bytes_per_game = (
        game_spec.dtype.itemsize + 2 * game_spec.observation.n + game_spec.actions.n + 8 * game_spec.max_seats
    )
    if n * bytes_per_game > memory:
        required = f"{n} games require {n * bytes_per_game / 2**30:,.0f} GiB"
        raise ValueError(
            f"{required}; {device} has {memory / 2**30:,.0f} GiB, enough for {memory // bytes_per_game} games"
        )
