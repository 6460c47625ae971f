"""Batches of solo games against the Automa or a replacement bot, with the points after each year.

>>> from vitienv.agents import make_agent
>>> played = play_solo(Options(ruleset="solo"), make_agent("heuristic"), seeds=range(100))
>>> (played.outcome == 1).mean(), played.points_by_year.mean(axis=0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vitienv.agents import Agent
from vitienv.core.batch import PLAYING, Batch, key_of
from vitienv.training.evaluation.match import Forfeits, Notes, choose
from vitienv.viticulture.options import Options
from vitienv.viticulture.state import Rule

PLAYER = 0  # the seats
STAND_IN = 1


@dataclass(frozen=True)
class SoloGames:
    """Results of finished solo games; entry i of each array is game i.

    seeds: as for `Game.new`. points (games,): the agent's final victory points. against (games,): final position of the
    Automa's marker, or points of a rival. points_by_year (games, years): the agent's points at the end of each year,
    masked after the end of the game. outcome (games,): 1 win, 0 draw, -1 loss. years (games,): last year. tokens
    (games,): remaining bonus action tokens. forfeits, notes: as in `match.Played`.
    """

    options: Options
    seeds: list[int]
    points: np.ndarray
    against: np.ndarray
    points_by_year: np.ma.MaskedArray
    outcome: np.ndarray
    years: np.ndarray
    tokens: np.ndarray
    forfeits: Forfeits
    notes: Notes

    def __len__(self) -> int:
        return len(self.seeds)

    @property
    def seating(self) -> np.ndarray:
        """The bot in each seat, (games, seats)."""
        return np.tile(np.arange(2), (len(self), 1))


def play_solo(
    options: Options, agent: Agent, seeds: Sequence[int], automa_replacement: Agent | None = None
) -> SoloGames:
    """Play one game of ruleset "solo" per seed to its end, all in one batch.

    The agent plays seat 0, and `automa_replacement` seat 1 if the options have one. Game i is that of
    `Game.new(seed=seeds[i])`, independent of the others. The option `reward` is ignored. A failing external program
    forfeits its game. ValueError for invalid options, and if another bot fails or returns an illegal action.
    """
    _check_options(options, seeds, automa_replacement)
    agents = [agent] if automa_replacement is None else [agent, automa_replacement]
    n = len(seeds)
    # Forced decisions are skipped here, because the engine could skip across the end of a year.
    batch = Batch(n, options.with_(reward="win", skip_forced=False))
    batch.start(np.concatenate([key_of(int(seed)) for seed in seeds]))
    by_year = np.zeros((n, int(batch.rules[Rule.LAST_YEAR])), np.int16)
    is_reached = np.zeros(by_year.shape, bool)
    forfeits, notes = Forfeits(), Notes()
    games = batch.games.view(np.ndarray)
    status, years, points = games["status"], games["year"], games["vp"]  # views
    while True:
        playing = np.flatnonzero(status == PLAYING)
        if len(playing) == 0:
            break
        masks = batch.masks[playing]
        is_free = masks.sum(axis=1) > 1
        batch.actions[playing] = masks.argmax(axis=1)
        for seat, bot in enumerate(agents):
            rows = playing[is_free & (batch.seats[playing] == seat)]
            if len(rows):
                batch.actions[rows] = choose(bot, batch, rows, seeds, forfeits, notes)
        before = years[playing]
        batch.step()
        is_over = (before > 0) & ((status[playing] != PLAYING) | (years[playing] != before))
        rows, year = playing[is_over], before[is_over] - 1
        by_year[rows, year] = points[rows, PLAYER]
        is_reached[rows, year] = True
        if lost := [row for row in playing.tolist() if row in forfeits]:
            batch.end_rows(np.array(lost))
    outcome = np.sign(batch.rewards[:, PLAYER]).astype(np.int64)
    for row, (seat, _) in forfeits.items():
        outcome[row] = -1 if seat == PLAYER else 1
    return SoloGames(
        options=options,
        seeds=[int(seed) for seed in seeds],
        points=points[:, PLAYER].astype(np.int64),
        against=(games["automa_vp"] if batch.rules[Rule.MARKER] else points[:, STAND_IN]).astype(np.int64),
        points_by_year=np.ma.MaskedArray(by_year, ~is_reached),
        outcome=outcome,
        years=years.astype(np.int64),
        tokens=games["bonus_tokens"][:, PLAYER].astype(np.int64),
        forfeits=forfeits,
        notes=notes,
    )


def _check_options(options: Options, seeds: Sequence[int], automa_replacement: Agent | None) -> None:
    if options.ruleset != "solo":
        raise ValueError(f"ruleset must be 'solo', got {options.ruleset!r}")
    if options.max_years is not None:
        raise ValueError(f"max_years must be unset in solo games, got {options.max_years}")
    if (automa_replacement is None) != (options.automa_replacement is None):
        reason = "no bot was passed" if automa_replacement is None else "a bot was passed"
        raise ValueError(f"automa_replacement is {options.automa_replacement!r}, but {reason}")
    if len(seeds) == 0:
        raise ValueError("seeds must not be empty")
