"""Batches of solo games against the Automa or a replacement bot.

>>> from vitienv.agents import make_agent
>>> played = play_solo(Options(ruleset="solo"), make_agent("heuristic"), seeds=range(100))
>>> (played.outcome == 1).mean(), played.points.mean()
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vitienv.agents import Agent
from vitienv.training.evaluation.match import GameResults, play
from vitienv.viticulture.options import Options
from vitienv.viticulture.state import Rule

PLAYER = 0  # seats
RIVAL = 1


@dataclass(frozen=True)
class SoloGames:
    """Results of finished solo games; entry i of each array is game i.

    games: as from `match.play`. points (games,): the agent's final victory points. against (games,): final position of
    the Automa's marker, or points of a rival. outcome (games,): 1 win, 0 draw, -1 loss. years (games,): last year.
    """

    games: GameResults
    points: np.ndarray
    against: np.ndarray
    outcome: np.ndarray
    years: np.ndarray


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
    settings = options.replace(reward="win", skip_forced=True)
    played = play(settings, seeds, [range(len(agents))] * len(seeds), agents)
    games = played.records.reshape(-1).view(settings.game_spec.dtype)
    outcome = played.outcomes
    for row, (seat, _) in played.forfeits.items():
        outcome[row] = -1 if seat == PLAYER else 1
    points = games["vp"].astype(np.int64)
    return SoloGames(
        games=played,
        points=points[:, PLAYER],
        against=games["automa_vp"].astype(np.int64) if options.rules()[Rule.MARKER] else points[:, RIVAL],
        outcome=outcome,
        years=games["year"].astype(np.int64),
    )


def _check_options(options: Options, seeds: Sequence[int], automa_replacement: Agent | None) -> None:
    if options.ruleset != "solo":
        raise ValueError(f"ruleset must be 'solo', got {options.ruleset!r}")
    if options.max_years is not None:
        raise ValueError(f"max_years must be unset in solo games, got {options.max_years}")
    if (automa_replacement is None) != (options.automa_replacement is None):
        reason = (
            "automa_replacement requires a bot" if automa_replacement is None else "a bot requires automa_replacement"
        )
        raise ValueError(f"{reason}, got automa_replacement={options.automa_replacement!r}")
    if len(seeds) == 0:
        raise ValueError("seeds must not be empty")
