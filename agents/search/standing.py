"""How good a position is for each seat, from -1 (lost) to 1 (won), when a search stops looking further."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.core.batch import OVER, Batch

POINT = 100.0  # worth is in hundredths of a victory point
MARGIN = 5.0  # points ahead at the end that count as clearly won
RESULT_SHARE = 0.8  # of the value of a game that is over; the rest is by how much it was won


def worths(batch: Batch, rows: np.ndarray, bot: Any) -> np.ndarray:
    """(len(rows), seats) float64: what each seat's position is worth by a rule bot's weights, in points.

    A bot that does not say what a position is worth leaves the points as they are.
    """
    seats = batch.options.num_players
    if not hasattr(bot, "worths"):
        return batch.standing()[0][rows, :seats].astype(np.float64)
    found = np.zeros((len(rows), seats))
    for seat in range(seats):
        found[:, seat] = bot.worths(batch.observe_rows(rows, np.full(len(rows), seat, np.int8))) / POINT
    return found


def values(batch: Batch, rows: np.ndarray, bot: Any, scale: float) -> np.ndarray:
    """(len(rows), most seats) float64: how good each game is for each seat, from -1 to 1.

    A game that is over counts by its result and a little by its margin. One that is not counts by how much more a
    seat's position is worth than the best of the others, `scale` points ahead being clearly won. A single player is
    compared with what it plays against.
    """
    found = np.zeros((len(rows), batch.definition.max_seats))
    seats = batch.options.num_players
    is_over = batch.status[rows] == OVER
    if is_over.any():
        found[is_over, :seats] = final_values(batch, rows[is_over])
    if not is_over.all():
        going_on = rows[~is_over]
        found[~is_over, :seats] = np.tanh(lead(batch, going_on, worths(batch, going_on, bot)) / scale)
    return found


def final_values(batch: Batch, rows: np.ndarray) -> np.ndarray:
    """(len(rows), seats): the values of games that are over."""
    seats = batch.options.num_players
    points = batch.scores[rows][:, :seats].astype(np.float64)
    margin = np.tanh(lead(batch, rows, points) / MARGIN)
    if plays_against_rival(batch):
        return margin  # a win that is rare, or nearly sure, would tell little about which action is better
    is_first = batch.ranks[rows][:, :seats] == 1
    # Who shares the first place with k others has a share of the win.
    result = np.where(is_first, 2.0 / np.maximum(is_first.sum(axis=1, keepdims=True), 1) - 1.0, -1.0)
    return RESULT_SHARE * result + (1 - RESULT_SHARE) * margin


def plays_against_rival(batch: Batch) -> bool:
    """Whether seat 0 plays against what is no seat, such as a marker; a second seat is then on its side."""
    told = batch.definition.lead
    if told is None or told.rival is None or told.rival_lever is None:
        return False
    return bool(batch.games.rules[0, batch.definition.lever(told.rival_lever)] == 1)


def lead(batch: Batch, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(len(rows), seats): how far each seat is ahead of the best of the others, or of what it plays against alone."""
    seats = points.shape[1]
    if plays_against_rival(batch):
        ahead = points[:, 0] - batch.games.view(np.ndarray)[batch.definition.lead.rival][rows]  # type: ignore[union-attr]
        return np.stack([ahead, -ahead][:seats], axis=1)
    best = np.partition(points, seats - 2, axis=1)[:, -2:]
    others = np.where(points == best[:, 1:], best[:, :1], best[:, 1:])
    return points - others
