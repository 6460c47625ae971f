"""Bots in the solo game, against the Automa or a bot in its place: how often they win, and their points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vitienv.agents.seating import game_seeds, make_bots
from vitienv.core.files import versions
from vitienv.training.intervals import clustered_mean, independent_share
from vitienv.training.measure.cases import Columns, play_cases
from vitienv.training.measure.match import check_amount
from vitienv.training.measure.remarks import counted, told
from vitienv.training.viticulture.solo import play_solo
from vitienv.training.workers import Bots, Executor
from vitienv.viticulture.options import Options
from vitienv.viticulture.rulesets.solo import DIFFICULTIES, MAY_BE_AGGRESSIVE, RIVAL, STAND_INS

AUTOMA = "automa"
ALL = "all"


def evaluate_solo(
    agents: list[str],
    against: str = AUTOMA,
    form: str | None = None,
    level: str = "normal",
    aggressive: bool = False,
    challenge: int | None = None,
    games: int = 100,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play every bot at every level on the same seeds: settings, versions, and a result for each bot and level.

    Nothing in it depends on the processes, or on another place to play at (`places.executor`). ValueError, in one
    line, for a wrong setting.
    """
    check_amount("games", games)
    by_level = _options(against, form, level, aggressive, challenge)
    stand_in = None if against == AUTOMA else against
    if len(set(agents)) < len(agents):
        raise ValueError("a bot is named twice")
    bots = Bots((*agents, *([stand_in] if stand_in else [])), seed)
    cases = [(agent, options) for agent in agents for options in by_level]
    given = [(options.to_dict(), agent, stand_in, seed) for agent, options in cases]
    played = play_cases(play_part, given, games, bots, processes, on_progress)
    results = []
    for (agent, options), columns in zip(cases, played, strict=True):
        about: dict[str, Any] = {"agent": agent, "against": opponent(options, stand_in), "level": options.difficulty}
        about |= {"aggressive": options.aggressive, "challenge": options.challenge}
        results.append(about | _summary(columns))
    return {"games": games, "seed": seed, "seeds": game_seeds(seed, range(games)), "versions": versions(),
            "results": results}  # fmt: skip


def opponent(options: Options, stand_in: str | None) -> str:
    """The bot's opponent, as tables name it."""
    return "Automa" if options.stand_in is None else f"{stand_in} as {options.stand_in}"


def _options(against: str, form: str | None, level: str, aggressive: bool, challenge: int | None) -> list[Options]:
    """The options of each level asked for."""
    if form is not None and against == AUTOMA:
        raise ValueError("--form is for a bot in the Automa's place; give it with --against BOT")
    if form not in (None, *STAND_INS):
        raise ValueError(f"unknown form {form!r}; there is {', '.join(map(repr, STAND_INS))}")
    if level != ALL and level not in DIFFICULTIES:
        raise ValueError(f"unknown difficulty {level!r}; there is {', '.join(map(repr, (*DIFFICULTIES, ALL)))}")
    stand_in = None if against == AUTOMA else form or RIVAL
    every = MAY_BE_AGGRESSIVE if aggressive else DIFFICULTIES
    return [
        Options(ruleset="solo", difficulty=one, aggressive=aggressive, challenge=challenge, stand_in=stand_in)
        for one in (every if level == ALL else (level,))
    ]


def play_part(
    case: int, options: dict[str, Any], agent: str, stand_in: str | None, seed: int, numbers: range
) -> tuple[int, int, Columns]:
    """Some of the games of a bot at a level; see `play_cases`."""
    bot, *others = make_bots((agent,) if stand_in is None else (agent, stand_in), seed)
    other = others[0] if others else None
    played = play_solo(Options.of(**options), bot, game_seeds(seed, numbers), other)
    names = ("points", "against", "points_by_year", "outcome", "years", "tokens")
    columns = {name: getattr(played, name) for name in names}
    return case, numbers.start, columns | {"told": np.array(counted(played, (agent, stand_in or AUTOMA)), object)}


def _summary(games: Columns) -> dict[str, Any]:
    """The rates and means of one bot at one level."""
    points, outcome, by_year = games["points"], games["outcome"], games["points_by_year"]
    n = len(points)
    return {
        "games": n,
        "win_rate": independent_share(int((outcome == 1).sum()), n),
        "draw_rate": independent_share(int((outcome == 0).sum()), n),
        "loss_rate": independent_share(int((outcome == -1).sum()), n),
        "points": clustered_mean(points, np.arange(n)),
        "points_against": float(games["against"].mean()),
        "points_by_year": [
            {"year": year, "games": int(of_year.count()), "mean": float(of_year.mean()) if of_year.count() else None}
            for year, of_year in enumerate(by_year.T, 1)
        ],
        "mean_years": float(games["years"].mean()),
        "tokens_left": float(games["tokens"].mean()),
        **told(games["told"]),
    }
