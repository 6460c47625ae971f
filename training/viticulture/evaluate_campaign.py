"""Bots in the campaign against the Automa: how many games they need for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from vitienv.agents.seating import make_bots
from vitienv.core.files import versions
from vitienv.training.intervals import clustered_share, independent_share
from vitienv.training.measure.match import check_amount
from vitienv.training.measure.remarks import Counted, counted, told
from vitienv.training.viticulture.campaign import Campaign, play_campaigns
from vitienv.training.workers import Bots, Executor, place

AT_ONCE = 16
MOST_CAMPAIGNS, MOST_IN_CAMPAIGN = 10_000, 1_000  # all are in memory at the end, with their games
QUARTILES = (0.25, 0.5, 0.75)


def evaluate_campaign(
    agents: list[str],
    campaigns: int = 20,
    level: str = "normal",
    aggressive: bool = False,
    max_games: int = 100,
    seed: int = 0,
    processes: int | Executor = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play the same campaigns with every bot: settings, versions and a result for each bot.

    Nothing in it depends on the processes, or on another place to play at (`places.executor`). ValueError, in one
    line, for a wrong setting.
    """
    check_amount("campaigns", campaigns, MOST_CAMPAIGNS)
    check_amount("max_games", max_games, MOST_IN_CAMPAIGN)
    Campaign(level, aggressive)
    if len(set(agents)) < len(agents):
        raise ValueError("a bot is named twice")
    make_bots(agents, seed)  # refused before the first game
    where = place(processes)
    tasks = [
        (number, spec, range(low, min(campaigns, low + AT_ONCE)), level, aggressive, seed, max_games)
        for number, spec in enumerate(agents)
        for low in range(0, campaigns, AT_ONCE)
    ]
    played: dict[int, dict[int, Campaign]] = {number: {} for number in range(len(agents))}
    spoken: dict[int, dict[int, Counted]] = {number: {} for number in played}
    total = campaigns * len(agents)
    if on_progress is not None:
        on_progress(0, total)

    def tell(done_now: int, _: int) -> None:
        if on_progress is not None:
            on_progress(sum(map(len, played.values())) + done_now, total)

    # Alone, this process can tell of every round; others tell only when a part is played.
    work = partial(play_part, on_progress=tell) if where.is_here(len(tasks)) else play_part
    for number, first, part, of_games in where.run(work, tasks, Bots(agents, seed)):
        played[number] |= dict(enumerate(part, first))
        spoken[number][first] = of_games
        tell(0, total)
    return {
        "campaigns": campaigns, "level": level, "aggressive": aggressive, "max_games": max_games, "seed": seed,
        "versions": versions(),
        "results": [
            {"agent": spec, **summary([played[number][i] for i in range(campaigns)]),
             **told(one for _, one in sorted(spoken[number].items()))}
            for number, spec in enumerate(agents)
        ],
    }  # fmt: skip


def play_part(
    number: int,
    spec: str,
    which: range,
    level: str,
    aggressive: bool,
    seed: int,
    max_games: int,
    on_progress: Callable[[int, int], None] | None = None,
) -> tuple[int, int, list[Campaign], Counted]:
    """Some of the campaigns of a bot; returns the bot's number, the first campaign's number, the campaigns, and the
    faults and notes of their games."""
    (bot,) = make_bots((spec,), seed)
    of_games: list[Counted] = []
    played = play_campaigns(
        bot, len(which), level, aggressive, seed, max_games, which.start, on_progress,
        lambda games: of_games.append(told(counted(games, (spec,)))),
    )  # fmt: skip
    return number, which.start, played, told(of_games)


def summary(campaigns: list[Campaign]) -> dict[str, Any]:
    """The distribution of the score, and the games that each challenge took.

    The quartiles are over all campaigns, the unfinished ones counted as worse than any finished one: null if they
    fall among those. The mean is over the finished ones only, null if there is none.
    """
    scores = sorted(campaign.score for campaign in campaigns if campaign.is_complete)
    n = len(campaigns)
    below = {q: scores[at] if (at := _place(q, n)) < len(scores) else None for q in QUARTILES}
    return {
        "campaigns": n,
        "finished": independent_share(len(scores), n),
        "score": {
            "lower_quartile": below[0.25],
            "median": below[0.5],
            "upper_quartile": below[0.75],
            "mean_of_finished": fmean(scores) if scores else None,
            "histogram": {str(score): count for score, count in sorted(Counter(scores).items())},
            "unfinished": n - len(scores),
        },
        "challenges": [_challenge(campaigns, number) for number in campaigns[0].challenges],
    }


def _place(q: float, n: int) -> int:
    """The index of a quantile among n sorted values: the least value that a share q of them does not exceed."""
    return max(0, -int(-q * n // 1) - 1)


def _challenge(campaigns: list[Campaign], number: int) -> dict[str, Any]:
    """How often a challenge was reached, won, drawn and lost, and the mean games where it was won."""
    own = [[result for result in campaign.results if result.challenge == number] for campaign in campaigns]
    reached = [games for games in own if games]
    outcomes = Counter(result.outcome for games in reached for result in games)
    wins = np.array([result.outcome == "win" for games in reached for result in games])
    numbers = np.repeat(np.arange(len(reached)), [len(games) for games in reached])  # of campaigns, as seeds
    needed = [len(games) for games in reached if games[-1].outcome == "win"]
    return {
        "challenge": number,
        "reached": len(reached),
        "won": len(needed),
        "games_needed": fmean(needed) if needed else None,
        "games": outcomes.total(),
        "game_win_rate": clustered_share(wins, numbers),
        "drawn": outcomes["draw"],
        "lost": outcomes["loss"],
    }
