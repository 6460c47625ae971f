"""Asking a bot for its actions, wherever it plays: what it does wrong is said with its name and the position kept."""

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
from vitienv.session.saves import keep_failure

if TYPE_CHECKING:
    from vitienv.agents.program import Forfeit
    from vitienv.core.batch import Batch


class BotCrashed(ValueError):
    """A bot raised an exception, or its answer is none. The message names the bot, its game and the kept position."""


class PolicyPriorError(BotCrashed):
    """A network's policy prior failed. name: of the policy prior. row: the first that fails, so that the caller can
    keep the position."""

    def __init__(self, message: str, name: str = "", row: int = 0) -> None:
        super().__init__(message)
        self.name, self.row = name, row


def query_agent(
    agent: Agent,
    batch: Batch,
    rows: np.ndarray,
    who: Callable[[int], str] | None = None,
    forfeits: dict[int, Forfeit] | None = None,
) -> np.ndarray:
    """A bot's actions in some games of a batch, (m,) int64, all of them legal.

    rows: (m,) the games; in each of them the bot's seat decides. who: how the bot is called in a game, by default by
    its name and the game. The bot gets copies, so that it cannot write into the batch. Where it fails, the position
    is kept in the user's data folder as a log that `vitienv.replay` reads. BotCrashed if it raises or gives something
    that is no array of m whole numbers, IllegalAction if an action is not legal.
    forfeits: takes, by game, why a player outside this process gave no action, which is then LEAVE; without it that is
    a BotCrashed.
    """
    called = who or (lambda game: f"{agent.name} in seat {int(batch.seats[game])} of game {game}")
    try:
        answers = call_agent(agent, batch, rows)
    except ConnectionError as error:  # of a service, whatever the position
        raise BotCrashed(f"{called(int(rows[0]))}: {in_one_line(str(error))}") from error
    except (Exception, SystemExit) as error:
        row, cause = _bisect_failure(lambda one: call_agent(agent, batch, one), rows, error)
        what = _told(cause)
        kept = keep_position(agent.name, batch, row, what, cause)
        raise BotCrashed(f"{called(row)} failed: {what}; {kept}") from cause
    try:
        actions = np.array(integers("its actions", answers, len(rows)))  # a copy, which the bot cannot write
    except ValueError as error:
        row, what = int(rows[0]), str(error)
        raise BotCrashed(f"{called(row)}: {what}; {keep_position(agent.name, batch, row, what)}") from None
    own_forfeits: dict[int, Forfeit] = getattr(agent, "forfeits", {})
    if own_forfeits and forfeits is None:
        raise BotCrashed(f"{called(int(rows[min(own_forfeits)]))} gave up: {own_forfeits[min(own_forfeits)].text}")
    legal = batch.are_legal(actions, rows)
    for i, forfeit in own_forfeits.items():
        legal[i] = True
        cast(dict, forfeits)[int(rows[i])] = forfeit
    if not legal.all():
        row = int(rows[np.flatnonzero(~legal)[0]])
        try:
            batch.check(actions, rows, called)
        except IllegalAction as error:
            raise IllegalAction(f"{error}; {keep_position(agent.name, batch, row, str(error))}") from None
    return actions.astype(np.int64, copy=False)


def call_agent(agent: Agent, batch: Batch, rows: np.ndarray) -> Any:
    """What a bot answers to copies of observations and masks."""
    return agent.act(batch.obs[rows], batch.masks[rows], games=GameViews(batch, rows))


def query_policy_prior(bot: Any, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """What a heuristic bot says to n rows, (n, actions + 1) int16. PolicyPriorError if it raises or gives another
    array."""
    try:
        prior_scores = np.asarray(bot.prior_scores(observations, masks))
    except (Exception, SystemExit) as error:
        row, cause = _bisect_failure(
            lambda one: bot.prior_scores(observations[one], masks[one]), np.arange(len(masks)), error
        )
        raise PolicyPriorError(f"{bot.name} failed as policy prior: {_told(cause)}", bot.name, row) from cause
    n, actions = masks.shape
    if prior_scores.shape != (n, actions + 1) or prior_scores.dtype != np.int16:
        gave = f"{prior_scores.dtype} of shape {prior_scores.shape}, not int16 of shape {(n, actions + 1)}"
        raise PolicyPriorError(f"{bot.name} gave as policy prior {gave}", bot.name)
    return prior_scores


def _told(error: BaseException) -> str:
    said = in_one_line(str(error))
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _bisect_failure(
    ask: Callable[[np.ndarray], Any], rows: np.ndarray, error: BaseException
) -> tuple[int, BaseException]:
    """The row in which a bot fails, asked one by one; the first one if it fails in all of them together only."""
    for row in rows if len(rows) > 1 else ():
        try:
            ask(np.array([row]))
        except (Exception, SystemExit) as own:
            return int(row), own
    return int(rows[0]), error


def keep_position(name: str, batch: Batch, row: int, what: str, error: BaseException | None = None) -> str:
    """Keep the position of a game at which a bot failed; says where it is, or why it is not kept.

    what: it did wrong. error: what it raised.
    """
    from vitienv.core.batch import Batch

    single = Batch(1, batch.options)
    single.bytes_view[:] = batch.bytes_view[row]
    single.refresh(observe=False)
    game = Game(single, None)
    failure: dict[str, Any] = {"agent": name, "seat": game.current_seat, "decision": game.decision, "error": what}
    if error is not None:
        failure["traceback"] = "".join(traceback.format_exception(error))
    try:
        log = Game.from_dict(game.to_dict()).log | {"failure": failure}
        return f"the position is kept in {keep_failure(name, log)}"
    except (OSError, ValueError) as error:
        return f"the position could not be kept: {error}"
