"""What the environments share: spaces with honest bounds, seeds, saved batches, and steps of some games of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from gymnasium import spaces

from vitienv.game import IllegalAction
from vitienv.viticulture import kernel
from vitienv.viticulture.batch import Batch, keys_of
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.kernel import LEAVE, OBSERVE, RESTART
from vitienv.viticulture.machine import DECISIONS
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.observation import BY_SEAT, N_OBSERVATION, OBSERVATION, OBSERVATION_DTYPE, OF_TABLE
from vitienv.viticulture.state import FIELDS, SHORT, Status
from vitienv.viticulture.vocabulary import ACTIONS, N_ACTIONS

# The least and the greatest number of each part of an observation that is not copied from a field of the state.
_card_high = next(field.high for field in FIELDS if field.name == "hand")
DERIVED_BOUNDS: dict[str, tuple[int, int]] = {
    "hand": (0, _card_high),
    "known_vines": (0, _card_high),
    "known_holder": (0, MAX_SEATS - 1),
    "unseen": (0, _card_high),
    "pile_top": (0, 1),
    "in_play": (0, 1),
    "space_owner": (0, MAX_SEATS + 1),
    "crowd": (0, 1),
    "place_in_order": (0, MAX_SEATS),
    "first_player": (0, 1),
    "actor": (0, 1),
    "turn_seat": (0, 1),
    "present": (0, 1),
    "decision": (0, 1),
    "pending": (-SHORT, SHORT),
    "stack": (0, len(FrameOp) - 1),
    "stack_left": (-SHORT, SHORT),
}

# The kernel's arrays of a batch, a row for each game, besides the records themselves.
ARRAYS = ("keys", "actions", "masks", "seats", "decisions", "obs", "rewards", "ended", "scores", "ranks")


@cache
def observation_bounds() -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest value of each number of an observation, two read-only arrays (N_OBSERVATION,)."""
    fields = {field.name: (field.low, field.high) for field in FIELDS}
    low, high = np.empty(N_OBSERVATION, OBSERVATION_DTYPE), np.empty(N_OBSERVATION, OBSERVATION_DTYPE)
    for entry in OBSERVATION.entries:
        bounds = fields if entry.name in BY_SEAT + OF_TABLE else DERIVED_BOUNDS
        place = OBSERVATION.slice(entry.name)
        low[place], high[place] = bounds[entry.name]
    low.flags.writeable = high.flags.writeable = False
    return low, high


def observation_space() -> spaces.Box:
    """The space of one seat's observation, (N_OBSERVATION,) int16."""
    low, high = observation_bounds()
    return spaces.Box(low, high, dtype=OBSERVATION_DTYPE)


def action_space() -> spaces.Discrete:
    """The space of actions: the numbers of `vitienv.ACTIONS`."""
    return spaces.Discrete(N_ACTIONS)


def decision_in(batch: Batch, i: int = 0) -> str | None:
    """The name of the decision pending in game i; None when it is over."""
    number = batch.decisions.item(i)
    return None if number < 0 else DECISIONS[number]


def illegal_action(batch: Batch, i: int, action: object, who: str) -> IllegalAction:
    """The error for an action that game i does not allow. who: whose action it is, "seat 1" or "game 7"."""
    if isinstance(action, int | np.integer) and 0 <= action < N_ACTIONS:
        what = f"{ACTIONS.name(int(action))!r} (number {int(action)})"
    else:
        what = f"{action!r}, which is not a number from 0 to {N_ACTIONS - 1},"
    legal = ", ".join(f"{ACTIONS.name(int(number))} ({number})" for number in np.flatnonzero(batch.masks[i]))
    return IllegalAction(f"{who}: {what} is not legal for the decision {decision_in(batch, i)!r}; legal: {legal}")


def checked_seed(seed: object) -> int | None:
    """A seed as a plain number. ValueError unless it is None or a whole number from 0."""
    if seed is None:
        return None
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ValueError(f"seed is {seed!r}; it must be None or a whole number from 0")
    return int(seed)


def start(batch: Batch, seed: int | None, is_first: bool) -> None:
    """New games in the whole batch.

    seed: game i depends on it and on i only. None: fresh chance if this is the first start, afterwards the
    successors of the games before, as an automatic reset would give them.
    """
    seed = checked_seed(seed)
    if seed is not None or is_first:
        batch.start(keys_of(seed, len(batch)))
        return
    batch.games["status"][:] = Status.OVER  # the kernel deals a game's successor when the game is over
    batch.run(RESTART | OBSERVE)


def clear_results(batch: Batch) -> None:
    """Forget what earlier games ended with."""
    for results in (batch.ended, batch.rewards, batch.scores, batch.ranks):
        results[:] = 0


def saved(batch: Batch) -> dict[str, np.ndarray]:
    """All that changes in a batch, as independent arrays."""
    return {"octets": batch.octets.copy(), **{name: getattr(batch, name).copy() for name in ARRAYS}}


def restore(batch: Batch, state: Mapping[str, np.ndarray]) -> None:
    """Put back what `saved` gave. ValueError if it belongs to a batch of another size or layout."""
    for name in ("octets", *ARRAYS):
        own = getattr(batch, name)
        if own.shape != np.shape(state[name]):
            raise ValueError(f"this state does not fit: {name} has shape {np.shape(state[name])}, not {own.shape}")
    for name in ("octets", *ARRAYS):
        getattr(batch, name)[:] = state[name]


def step_rows(batch: Batch, rows: np.ndarray, actions: np.ndarray) -> None:
    """Step the games `rows` (m,) by actions (m,), which must be legal, and leave the others alone."""
    batch.actions[:] = LEAVE
    batch.actions[rows] = actions
    batch.step()


def restart_rows(batch: Batch, rows: np.ndarray) -> None:
    """Start the successors of the games `rows`, which are over, and leave the others alone."""
    batch.actions[:] = LEAVE
    batch.actions[rows] = 0  # any number but LEAVE: a game that is over takes no action
    batch.step(restart=True)


def observe_rows(batch: Batch, rows: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    """What seat viewers[k] sees of game rows[k], over or not: a new array (m, N_OBSERVATION)."""
    out = np.zeros((len(rows), N_OBSERVATION), OBSERVATION_DTYPE)
    kernel.observe_seat(batch.records[rows], batch.octets[rows], batch.shorts[rows], viewers, out)
    return out
