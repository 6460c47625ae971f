"""How good a position is for each seat, from -1 (lost) to 1 (won), when a search stops looking further."""

from __future__ import annotations

import numpy as np

from vitienv.agents.rules import RuleAgent
from vitienv.viticulture.batch import Batch
from vitienv.viticulture.kernel import observe_seat
from vitienv.viticulture.names import MAX_SEATS
from vitienv.viticulture.observation import N_OBSERVATION, OBSERVATION_DTYPE
from vitienv.viticulture.state import Rule, Status

POINT = 100.0  # worth is in hundredths of a victory point
MARGIN = 5.0  # points ahead at the end that count as clearly won
RESULT_SHARE = 0.8  # of the value of a game that is over; the rest is by how much it was won


def worths(batch: Batch, rows: np.ndarray, bot: RuleAgent) -> np.ndarray:
    """(len(rows), seats) float64: what each seat's position is worth by a rule bot's weights, in points."""
    seats = batch.options.num_players
    found = np.zeros((len(rows), seats))
    for seat in range(seats):
        seen = seen_by(batch, rows, np.full(len(rows), seat, np.int8))
        found[:, seat] = bot.worths(seen) / POINT
    return found


def seen_by(batch: Batch, rows: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    """What seat viewers[i] sees of game rows[i], (len(rows), N_OBSERVATION) int16."""
    octets = batch.octets[rows]
    games = octets.reshape(-1).view(batch.records.dtype).view(type(batch.records))
    out = np.zeros((len(rows), N_OBSERVATION), OBSERVATION_DTYPE)
    observe_seat(games, octets, octets.view(np.int16), viewers, out)
    return out


def values(batch: Batch, rows: np.ndarray, bot: RuleAgent, scale: float) -> np.ndarray:
    """(len(rows), MAX_SEATS) float64: how good each game is for each seat, from -1 to 1.

    A game that is over counts by its result and a little by its margin. One that is not counts by how much more a
    seat's position is worth than the best of the others, `scale` points ahead being clearly won. The solo player is
    compared with the Automa's marker.
    """
    found = np.zeros((len(rows), MAX_SEATS))
    seats = batch.options.num_players
    is_over = batch.games.status[rows] == Status.OVER
    if is_over.any():
        found[is_over, :seats] = final_values(batch, rows[is_over])
    if not is_over.all():
        going_on = rows[~is_over]
        found[~is_over, :seats] = np.tanh(lead(batch, going_on, worths(batch, going_on, bot)) / scale)
    return found


def final_values(batch: Batch, rows: np.ndarray) -> np.ndarray:
    """(len(rows), seats): the values of games that are over."""
    seats = batch.options.num_players
    points = batch.games.vp[rows][:, :seats].astype(np.float64)
    margin = np.tanh(lead(batch, rows, points) / MARGIN)
    ranks = batch.ranks[rows][:, :seats]
    is_first = ranks == 1
    # Who shares the first place with k others has a share of the win.
    result = np.where(is_first, 2.0 / np.maximum(is_first.sum(axis=1, keepdims=True), 1) - 1.0, -1.0)
    if plays_against_marker(batch):
        return margin  # a win that is rare, or nearly sure, would tell little about which action is better
    result = np.where((batch.games.lost[rows] == 1)[:, None], np.where(np.arange(seats) == 0, -1.0, 1.0), result)
    return RESULT_SHARE * result + (1 - RESULT_SHARE) * margin


def plays_against_marker(batch: Batch) -> bool:
    """Whether seat 0 plays against the Automa's marker; a second seat is then on the Automa's side."""
    return bool(batch.games.rules[0, Rule.MARKER] == 1)


def lead(batch: Batch, rows: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(len(rows), seats): how far each seat is ahead of the best of the others, or of the Automa's marker."""
    seats = points.shape[1]
    if plays_against_marker(batch):
        ahead = points[:, 0] - batch.games.automa_vp[rows]
        return np.stack([ahead, -ahead][:seats], axis=1)
    best = np.partition(points, seats - 2, axis=1)[:, -2:]
    others = np.where(points == best[:, 1:], best[:, :1], best[:, 1:])
    return points - others
