"""Evaluation in the solo game, against the Automa or a replacement bot, and in the campaign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import Any

import numpy as np

from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.training.evaluation.evaluate import Case, Columns, Mode, Row
from vitienv.training.evaluation.match import check_amount
from vitienv.training.evaluation.notes import GameCounts, counts_by_game, sum_counts
from vitienv.training.intervals import clustered_mean, clustered_share, independent_share
from vitienv.training.viticulture.campaign import Campaign, Result, play_campaigns
from vitienv.training.viticulture.solo import play_solo
from vitienv.viticulture.options import Options
from vitienv.viticulture.rulesets.solo import DIFFICULTIES, MAY_BE_AGGRESSIVE, NORMAL, RIVAL, STAND_INS

AUTOMA, ALL = "automa", "all"
QUARTILES = {"lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


def _solo_tables(game: str, others: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    if len(others) > 1:
        raise ValueError(f"--opponents must be one bot that replaces the Automa, got {len(others)}")
    form, level = options.pop("automa_replacement", None), options.pop("difficulty", NORMAL)
    if form is not None and not others:
        raise ValueError("--automa-replacement requires --opponents BOT")
    if form not in (None, *STAND_INS):
        raise ValueError(f"unknown automa_replacement {form!r}; expected one of: {', '.join(map(repr, STAND_INS))}")
    if level not in (ALL, *DIFFICULTIES):
        raise ValueError(f"unknown difficulty {level!r}; expected one of: {', '.join(map(repr, (*DIFFICULTIES, ALL)))}")
    levels = (MAY_BE_AGGRESSIVE if options.get("aggressive") else DIFFICULTIES) if level == ALL else (level,)
    options |= {"ruleset": "solo", "automa_replacement": form or RIVAL if others else None}
    return [Options(**options, difficulty=name).to_dict() for name in levels]


def _play_solo(case: Case, numbers: range) -> Columns:
    bot, *others = make_bots((case.bot, *case.others), case.seed)
    played = play_solo(Options.of(**case.table), bot, game_seeds(case.seed, numbers), *others)
    columns = {name: getattr(played, name) for name in ("points", "against", "outcome", "years")}
    counts = counts_by_game(played.games, (case.bot, *(case.others or (AUTOMA,))))
    return columns | {"counts": np.array(counts, object)}


def _solo_row(case: Case, games: Columns) -> Row:
    table, points, outcome = case.table, games["points"], games["outcome"]
    n = len(points)
    return {
        "against": "Automa"
        if table["automa_replacement"] is None
        else f"{case.others[0]} as {table['automa_replacement']}",
        "level": table["difficulty"],
        "aggressive": table["aggressive"],
        "challenge": table["challenge"],
        "games": n,
        "win_rate": independent_share(int((outcome == 1).sum()), n),
        "draw_rate": independent_share(int((outcome == 0).sum()), n),
        "loss_rate": independent_share(int((outcome == -1).sum()), n),
        "points": clustered_mean(points, np.arange(n)),
        "points_against": float(games["against"].mean()),
        "mean_years": float(games["years"].mean()),
    }


SOLO = Mode(
    "a bot alone", "--players 1", _solo_tables, _play_solo, _solo_row,
    {**dict.fromkeys(("points", "against", "outcome", "years"), int), "counts": GameCounts},
    {"agent": "bot", "against": "opponent", "level": "level", "aggressive": "aggressive", "challenge": "challenge",
     "games": "games", "win_rate": "won %", "draw_rate": "drawn %", "loss_rate": "lost %",
     "difference": "to the first %", "points": "points", "points_against": "opponent's"},
    ("aggressive", "challenge"), "solo", wins=lambda case, games: games["outcome"] == 1,
)  # fmt: skip


def _campaign_tables(game: str, others: Sequence[str], options: dict[str, Any]) -> list[dict[str, Any]]:
    table: dict[str, Any] = {"difficulty": NORMAL, "aggressive": False, "max_games": 100} | options
    check_amount("max_games", table["max_games"], 1000)  # all games are in memory at the end
    Campaign(table["difficulty"], table["aggressive"])
    return [table]


def _play_campaign(case: Case, numbers: range) -> Columns:
    (bot,) = make_bots((case.bot,), case.seed)
    remarks: list[Any] = []
    campaigns = play_campaigns(
        bot, len(numbers), seed=case.seed, first=numbers.start, **case.table,
        on_played=lambda played: remarks.append(sum_counts(counts_by_game(played.games, (case.bot,)))),
    )  # fmt: skip
    sums = [sum_counts(remarks), *(sum_counts([]) for _ in numbers[1:])]  # the first row has the counts of the part
    return {
        "campaign": np.array([campaign.to_dict() for campaign in campaigns], object),
        "counts": np.array(sums, object),
    }


def _campaign_row(case: Case, games: Columns) -> Row:
    """Return the results; quartiles count unfinished campaigns as worst, and are None among these."""
    campaigns = [Campaign.from_dict(campaign) for campaign in games["campaign"]]
    scores, n = sorted(campaign.score for campaign in campaigns if campaign.is_complete), len(campaigns)
    at = {name: max(0, -int(-q * n // 1) - 1) for name, q in QUARTILES.items()}
    return {
        "level": case.table["difficulty"],
        "aggressive": case.table["aggressive"],
        "max_games": case.table["max_games"],
        "campaigns": n,
        "finished": independent_share(len(scores), n),
        "score": {
            **{name: scores[index] if index < len(scores) else None for name, index in at.items()},
            "mean_of_finished": fmean(scores) if scores else None,
            "histogram": {str(score): count for score, count in sorted(Counter(scores).items())},
            "unfinished": n - len(scores),
        },
        "challenges": [
            _challenge(
                number, [[game for game in campaign.results if game.challenge == number] for campaign in campaigns]
            )
            for number in campaigns[0].challenges
        ],
    }


def _challenge(number: int, results: list[list[Result]]) -> Row:
    series = [games for games in results if games]
    outcomes = Counter(result.outcome for games in series for result in games)
    wins = np.array([result.outcome == "win" for games in series for result in games])
    clusters = np.repeat(np.arange(len(series)), [len(games) for games in series])
    lengths = [len(games) for games in series if games[-1].outcome == "win"]
    return {
        "challenge": number,
        "reached": len(series),
        "won": len(lengths),
        "games_needed": fmean(lengths) if lengths else None,
        "games": outcomes.total(),
        "game_win_rate": clustered_share(wins, clusters),
        "drawn": outcomes["draw"],
        "lost": outcomes["loss"],
    }


CAMPAIGN = Mode(
    "a campaign", "--campaign N", _campaign_tables, _play_campaign, _campaign_row,
    {"campaign": dict[str, Any], "counts": GameCounts},
    {"agent": "bot", "level": "level", "aggressive": "aggressive", "campaigns": "campaigns", "finished": "finished %",
     "score.median": "median games", "score.lower_quartile": "lower quartile", "score.upper_quartile": "upper quartile",
     "score.mean_of_finished": "mean of finished", "challenges.won": "campaigns by challenge won",
     "challenges.games_needed": "games by challenge won", "challenges.game_win_rate": "games won %"},
    ("aggressive",), "solo", "campaigns", 20, 10_000, 16,
    check=lambda case, columns: all(map(Campaign.from_dict, columns["campaign"])),
)  # fmt: skip
