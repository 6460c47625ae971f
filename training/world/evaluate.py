"""Evaluation of teams in Viticulture World, by continent and number of seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.options import SHORT
from vitienv.training.evaluation.evaluate import Case, Columns, Mode, Row, seats_of
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.notes import FORFEITS, GameCounts, counts_by_game
from vitienv.training.intervals import clustered_mean, clustered_share, independent_share
from vitienv.world.enums import CONTINENTS
from vitienv.world.options import Options

ALL = "all"


def _tables(game: str, others: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    if others:
        raise ValueError(f"others must be empty for a team, got {', '.join(others)}")
    continents = options.pop("continent", ALL)
    names = CONTINENTS if continents == ALL else [name.strip() for name in continents.split(",")]
    seats = seats_of(options.pop("num_players", 2))
    tables = [options | {"continent": name, "num_players": n} for name in names for n in seats]
    for table in tables:
        if table["continent"] == "greengully":
            table["events"] = "ordered"  # its events are never shuffled
    return [Options.of(**table).to_dict() for table in tables]


def _cross_play_tables(game: str, others: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    tables = _tables(game, others, options)
    if any(table["num_players"] == 1 for table in tables):
        raise ValueError("num_players must be at least 2 for cross-play, got 1")
    return tables


def _play(case: Case, numbers: range) -> Columns:
    """Game i is played on seed i; in cross-play the bot has seat i % players, its partner the others.

    Columns: points (games, seats); missing (games,), the missing influence; `counts`, forfeits and notes.
    """
    options, specs = Options.of(**case.table), (case.bot, *(case.others or (case.bot,)))
    n = options.num_players
    seating = [[int(seat != i % n) if case.others else seat % 2 for seat in range(n)] for i in numbers]
    bots = make_bots(specs, case.seed, case.game)
    played = play(options, game_seeds(case.seed, numbers), seating, bots)
    spec = options.game_spec
    games = played.records.reshape(-1).view(spec.dtype)
    missing = (games["rules"][:, spec.rule_parameter("influence_end")] - games["influence"]).astype(np.int64)
    remarks = np.array(counts_by_game(played, specs), object)
    return {"points": played.points.astype(np.int64), "missing": missing, "counts": remarks}


def _check(case: Case, games: Columns) -> bool:
    points, missing = games["points"], games["missing"]
    seats = case.table["num_players"]
    is_possible = points.shape == (len(missing), seats) and (np.abs(points) <= SHORT).all() and (missing >= 0).all()
    return bool(is_possible)


def _is_lost(games: Columns) -> np.ndarray:
    return np.array([bool(remark[FORFEITS]) for remark in games["counts"]])


def _goal(case: Case) -> int:
    """Return the points that every seat needs to win."""
    options = Options.of(**case.table)
    return int(options.rules()[options.game_spec.rule_parameter("vp_each")])


def wins(case: Case, games: Columns) -> np.ndarray:
    """Return a mask (games,) of the games that the team won; see `_play` for the columns."""
    return (games["points"] >= _goal(case)).all(axis=1) & (games["missing"] == 0) & ~_is_lost(games)


def _row(case: Case, games: Columns) -> Row:
    points, missing, is_lost, n = games["points"], games["missing"], _is_lost(games), len(games["missing"])
    is_reached = points >= _goal(case)
    with_points, with_token = is_reached.all(axis=1), missing == 0
    seeds = np.repeat(np.arange(n), points.shape[1])
    return {
        **({"partner": case.others[0]} if case.others else {}),
        **{name: case.table[name] for name in ("continent", "num_players", "events", "open_hands")},
        "games": n,
        "win_rate": independent_share(int(wins(case, games).sum()), n),
        "lost_by_points": float((~with_points & with_token & ~is_lost).mean()),
        "lost_by_token": float((with_points & ~with_token & ~is_lost).mean()),
        "lost_by_both": float((~with_points & ~with_token & ~is_lost).mean()),
        "seats_there": clustered_share(is_reached.reshape(-1), seeds),
        "points": clustered_mean(points.reshape(-1), seeds),
        "lowest": float(points.min(axis=1).mean()),
        "token_missing": float(missing.mean()),
    }


TEAM = Mode(
    "a team", "no --opponents", _tables, _play, _row,
    {"points": list[int], "missing": int, "counts": GameCounts},
    {"agent": "team", "continent": "continent", "events": "events", "open_hands": "open hands",
     "num_players": "seats", "games": "games", "win_rate": "won %", "difference": "to the first %",
     "lost_by_points": "token only %", "lost_by_token": "points only %", "lost_by_both": "neither %",
     "seats_there": "there %", "lowest": "lowest", "points": "mean", "token_missing": "steps lacking"},
    ("continent", "events", "open_hands"), "world", games=2000, wins=wins, check=_check,
)  # fmt: skip
CROSS_PLAY = replace(
    TEAM, title="cross-play", usage="--cross-play with two or more --players", tables=_cross_play_tables, games=200,
    headings={"agent": "bot", "partner": "partner", **dict(list(TEAM.headings.items())[1:])}, is_cross_play=True,
)  # fmt: skip
