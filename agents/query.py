"""Queries of bots: failures are reported with the name of the bot, and the position is saved."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from vitienv.agents.protocol import Agent, GameViews
from vitienv.core.batch import integers
from vitienv.core.errors import IllegalAction
from vitienv.core.text_utils import in_one_line
from vitienv.game import Game
from vitienv.session.saves import save_failure

if TYPE_CHECKING:
    from vitienv.agents.program import Forfeit
    from vitienv.core.batch import Batch


class BotCrashed(ValueError):
    """The bot raised an exception or returned invalid actions; the message has its name and the saved position."""


class PolicyPriorError(BotCrashed):
    """The policy prior of a network failed. name: its name. row: the first row that fails."""

    def __init__(self, message: str, name: str = "", row: int = 0) -> None:
        super().__init__(message)
        self.name, self.row = name, row


def query_agent(
    agent: Agent,
    batch: Batch,
    rows: np.ndarray,
    player_name: Callable[[int], str] | None = None,
    forfeits: dict[int, Forfeit] | None = None,
) -> np.ndarray:
    """Return a bot's legal actions in some games of a batch, (m,) int64.

    rows: (m,) the games, in which the bot's seat is to act. player_name: returns the bot's name in a game for errors.
    forfeits: receives, by game, the reasons for which an external player returned no action; these actions are SKIP.
    The bot gets copies of the arrays. On failure, the position is saved in the user's data directory as a log for
    `vitienv.replay`. BotCrashed if the bot raises, does not return m integers, or forfeits while `forfeits` is None;
    IllegalAction if an action is illegal.
    """
    describe = player_name or (lambda game: f"{agent.name} in seat {int(batch.seats[game])} of game {game}")
    try:
        answers = call_agent(agent, batch, rows)
    except ConnectionError as error:  # an unreachable service, independent of the position
        raise BotCrashed(f"{describe(int(rows[0]))}: {in_one_line(str(error))}") from error
    except (Exception, SystemExit) as error:
        row, cause = _bisect_failure(lambda subset: call_agent(agent, batch, subset), rows, error)
        message = _error_text(cause)
        report = save_position(agent.name, batch, row, message, cause)
        raise BotCrashed(f"{describe(row)} failed: {message}; {report}") from cause
    try:
        actions = np.array(integers("its actions", answers, len(rows)))  # a copy that the bot cannot change
    except ValueError as error:
        row, message = int(rows[0]), str(error)
        raise BotCrashed(f"{describe(row)}: {message}; {save_position(agent.name, batch, row, message)}") from None
    agent_forfeits: dict[int, Forfeit] = getattr(agent, "forfeits", {})
    if agent_forfeits and forfeits is None:
        raise BotCrashed(
            f"{describe(int(rows[min(agent_forfeits)]))} forfeited: {agent_forfeits[min(agent_forfeits)].text}"
        )
    legal = batch.are_legal(actions, rows)
    for i, forfeit in agent_forfeits.items():
        legal[i] = True
        cast(dict, forfeits)[int(rows[i])] = forfeit
    if not legal.all():
        row = int(rows[np.flatnonzero(~legal)[0]])
        try:
            batch.check(actions, rows, describe)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; {save_position(agent.name, batch, row, str(error))}") from None
    return actions.astype(np.int64, copy=False)


def call_agent(agent: Agent, batch: Batch, rows: np.ndarray) -> Any:
    """Return a bot's answer to copies of observations and masks."""
    return agent.act(batch.obs[rows], batch.masks[rows], games=GameViews(batch, rows))


def query_policy_prior(bot: Any, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Return a heuristic bot's scores, (n, actions + 1) int16. PolicyPriorError if it raises or is invalid."""
    try:
        prior_scores = np.asarray(bot.prior_scores(observations, masks))
    except (Exception, SystemExit) as error:
        row, cause = _bisect_failure(
            lambda subset: bot.prior_scores(observations[subset], masks[subset]), np.arange(len(masks)), error
        )
        raise PolicyPriorError(f"{bot.name} failed as policy prior: {_error_text(cause)}", bot.name, row) from cause
    n, actions = masks.shape
    if prior_scores.shape != (n, actions + 1) or prior_scores.dtype != np.int16:
        received = f"{prior_scores.dtype} of shape {prior_scores.shape}"
        raise PolicyPriorError(
            f"{bot.name}: prior scores must be int16 of shape {(n, actions + 1)}, got {received}", bot.name
        )
    return prior_scores


def _error_text(error: BaseException) -> str:
    message = in_one_line(str(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _bisect_failure(
    call: Callable[[np.ndarray], Any], rows: np.ndarray, error: BaseException
) -> tuple[int, BaseException]:
    """Return the row that fails by itself and its error; the first row if only the whole batch fails."""
    for row in rows if len(rows) > 1 else ():
        try:
            call(np.array([row]))
        except (Exception, SystemExit) as cause:
            return int(row), cause
    return int(rows[0]), error


def save_position(name: str, batch: Batch, row: int, message: str, error: BaseException | None = None) -> str:
    """Save the position at which a bot failed, with the message and the error's traceback; return where, or why not."""
    from vitienv.core.batch import Batch

    game = Game(Batch.from_bytes(batch.bytes_view[row][None], batch.options, observe=False), None)
    failure: dict[str, Any] = {"agent": name, "seat": game.current_seat, "decision": game.decision, "error": message}
    if error is not None:
        failure["traceback"] = "".join(traceback.format_exception(error))
    try:
        log = Game.from_dict(game.to_dict()).log | {"failure": failure}
        return f"position saved in {save_failure(name, log)}"
    except (OSError, ValueError) as error:
        return f"position not saved: {error}"
