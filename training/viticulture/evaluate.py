"""Bots in the solo game, against the Automa or a bot in its place: how often they win, and their points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vitienv.agents.seating import game_seeds, make_bots
from vitienv.core.files import versions
from vitienv.training.measure.match import check_amount, in_parts
from vitienv.training.measure.ratings import bootstrap_mean, share
from vitienv.training.viticulture.solo import play_solo
from vitienv.training.workers import Bots, Executor, place
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
    made = make_bots(bots.specs, seed)  # refused before the first game
    cases = [(agent, options) for agent in agents for options in by_level]
    tasks = [
        (case, options.to_dict(), agent, stand_in, seed, numbers)
        for case, (agent, options) in enumerate(cases)
        for numbers in in_parts(games, made)
    ]
    parts: dict[int, list[tuple[int, dict[str, Any]]]] = {case: [] for case in range(len(cases))}
    done, total = 0, games * len(cases)
    if on_progress is not None:
        on_progress(done, total)
    for case, first, played in place(processes).run(play_part, tasks, bots):
        parts[case].append((first, played))
        done += len(played["points"])
        if on_progress is not None:
            on_progress(done, total)
    results = []
    for case, (agent, options) in enumerate(cases):
        told: dict[str, Any] = {"agent": agent, "against": opponent(options, stand_in), "level": options.difficulty}
        told |= {"aggressive": options.aggressive, "challenge": options.challenge}
        results.append(told | _summary(sorted(parts[case], key=lambda part: part[0]), seed))
    return {"games": games, "seed": seed, "seeds": game_seeds(seed, range(games)), "versions": versions(),
            "results": results}  # fmt: skip


def opponent(options: Options, stand_in: str | None) -> str:
    """Who plays against the bot, as tables say it."""
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
) -> tuple[int, int, dict[str, Any]]:
    """Some of the games of a bot at a level; returns the case, the first number and the columns of the games."""
    bot, *others = make_bots((agent,) if stand_in is None else (agent, stand_in), seed)
    other = others[0] if others else None
    played = play_solo(Options.of(**options), bot, game_seeds(seed, numbers), other)
    names = ("points", "against", "points_by_year", "outcome", "years", "tokens")
    return case, numbers.start, {name: getattr(played, name) for name in names}


def _summary(parts: list[tuple[int, dict[str, Any]]], seed: int) -> dict[str, Any]:
    """The rates and means of one bot at one level; parts in the order of their games."""
    def column(name: str) -> Any:
        return np.ma.concatenate([part[name] for _, part in parts])

    points, outcome, by_year = column("points"), column("outcome"), column("points_by_year")
    low, high = bootstrap_mean(points.data, seed)
    interval = {"low": None, "high": None} if np.isnan(low) else {"low": low, "high": high}
    n = len(points)
    return {
        "games": n,
        "win_rate": share(int((outcome == 1).sum()), n),
        "draw_rate": share(int((outcome == 0).sum()), n),
        "loss_rate": share(int((outcome == -1).sum()), n),
        "points": {"value": float(points.mean()), **interval},
        "points_against": float(column("against").mean()),
        "points_by_year": [
            {"year": year, "games": int(of_year.count()), "mean": float(of_year.mean()) if of_year.count() else None}
            for year, of_year in enumerate(by_year.T, 1)
        ],
        "mean_years": float(column("years").mean()),
        "tokens_left": float(column("tokens").mean()),
    }
