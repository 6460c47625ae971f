"""Asking a bot for its actions, wherever it plays: what it does wrong is said with its name and the position kept."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.protocol import Agent, Views
from vitienv.core.errors import IllegalAction
from vitienv.game import Game
from vitienv.kept import keep_failure

if TYPE_CHECKING:
    from vitienv.core.batch import Batch


class BotError(ValueError):
    """A bot raised an exception, or its answer is none. The message names the bot, its game and the kept position."""


def ask(agent: Agent, batch: Batch, rows: np.ndarray, who: Callable[[int], str] | None = None) -> np.ndarray:
    """A bot's actions in some games of a batch, (m,) int64, all of them legal.

    rows: (m,) the games; in each of them the bot's seat decides. who: how the bot is called in a game, by default by
    its name and the game. The bot gets copies, so that it cannot write into the batch. Where it fails, the position
    is kept in the user's data folder as a log that `vitienv.replay` reads. BotError if it raises or gives something
    that is no array of m whole numbers, IllegalAction if an action is not legal.
    """
    called = who or (lambda game: f"{agent.name} in seat {int(batch.seats[game])} of game {game}")
    try:
        given = agent.act(*_seen(batch, rows), games=Views(batch, rows))
    except Exception as error:
        row, error = _culprit(agent, batch, rows, error)
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        kept = _keep(agent, batch, row, what, "".join(traceback.format_exception(error)))
        raise BotError(f"{called(row)} failed: {what}; {kept}") from error
    actions = np.asarray(given)
    if actions.shape != rows.shape or actions.dtype.kind not in "iu":
        row, what = int(rows[0]), f"gave {actions.dtype} of shape {actions.shape}, not {len(rows)} whole numbers"
        raise BotError(f"{called(row)} {what}; {_keep(agent, batch, row, what)}")
    legal = batch.are_legal(actions, rows)
    if not legal.all():
        row = int(rows[np.flatnonzero(~legal)[0]])
        try:
            batch.check(actions, rows, called)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; {_keep(agent, batch, row, str(error))}") from None
    return actions.astype(np.int64, copy=False)


def _seen(batch: Batch, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Copies of observations and masks as bots of the game know them, without zeros that are laid behind."""
    seen, masks = batch.obs[rows], batch.masks[rows]
    if batch.definition.own_sizes is None:
        return seen, masks
    numbers, actions = batch.definition.own_sizes
    return seen[:, :numbers].copy(), masks[:, :actions].copy()


def _culprit(agent: Agent, batch: Batch, rows: np.ndarray, error: Exception) -> tuple[int, Exception]:
    """The game in which the bot fails, asked one by one; the first one if it fails in all of them together only."""
    for row in rows if len(rows) > 1 else ():
        one = np.array([row])
        try:
            agent.act(*_seen(batch, one), games=Views(batch, one))
        except Exception as own:
            return int(row), own
    return int(rows[0]), error


def _keep(agent: Agent, batch: Batch, row: int, what: str, trace: str = "") -> str:
    """Keep the position of a game; says where it is, or why it is not kept."""
    from vitienv.core.batch import Batch

    single = Batch(1, batch.options)
    single.octets[:] = batch.octets[row]
    single.refresh(observe=False)
    game = Game(single, None)
    failure: dict[str, Any] = {"agent": agent.name, "seat": game.seat, "decision": game.decision, "error": what}
    try:
        log = Game.from_dict(game.to_dict()).log | {"failure": failure | ({"traceback": trace} if trace else {})}
        return f"the position is kept in {keep_failure(agent.name, log)}"
    except (OSError, ValueError) as error:
        return f"the position could not be kept: {error}"
