"""vitienv evaluate campaign: how many games bots need for the campaign against the Automa."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from vitienv.commands.screen import JSON, ON, PROCESSES, SEED, TRUST, console, print_json, progress
from vitienv.commands.viticulture.evaluate_solo import percent, rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from vitienv.training.viticulture.campaign import Campaign
    from vitienv.training.workers import Executor

AT_ONCE = 16
MOST_CAMPAIGNS, MOST_IN_CAMPAIGN = 10_000, 1_000  # all are in memory at the end, with their games
QUARTILES = (0.25, 0.5, 0.75)
BARS, BAR_WIDTH = 12, 40  # rows of the histogram at most, and characters of its longest bar


def command(
    agent: list[str] = typer.Option(..., "--agent", help="The bot that is measured; give it again for more bots."),
    campaigns: int = typer.Option(20, help="Campaigns of each bot; all play on the same seeds."),
    level: str = typer.Option("normal", "--difficulty", help="very_easy, easy, normal, hard or very_hard."),
    aggressive: bool = typer.Option(False, "--aggressive", help="Variant: the Automa scores every year."),
    max_games: int = typer.Option(100, help="A campaign that is not complete after so many games is given up."),
    seed: int = SEED,
    processes: int = PROCESSES,
    on: str = ON,
    trust: bool = TRUST,
    json: bool = JSON,
) -> None:
    """Measure bots in the campaign: the eight challenges in order, each until it is won, fewer games are better.

    A challenge that was lost or drawn is played again; each loss in a row gives a bonus action token for the next
    game, a draw neither adds one nor takes them away. The aggressive variant leaves out challenge 6.
    """
    from vitienv.training.places import executor

    where = executor(on, processes)
    with progress("campaigns") as tell:
        found = evaluate_campaign(agent, campaigns, level, aggressive, max_games, seed, where, tell)
    if json:
        print_json(found)
        return
    for result in found["results"]:
        _print(result, found)


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
    from vitienv.agents.seating import make_bots
    from vitienv.core.files import versions
    from vitienv.training.measure.match import check_amount
    from vitienv.training.viticulture.campaign import Campaign
    from vitienv.training.workers import Bots, place

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
    total = campaigns * len(agents)
    if on_progress is not None:
        on_progress(0, total)

    def tell(done_now: int, _: int) -> None:
        if on_progress is not None:
            on_progress(sum(map(len, played.values())) + done_now, total)

    # Alone, this process can tell of every round; others tell only when a part is played.
    work = partial(play_part, on_progress=tell) if where.is_here(len(tasks)) else play_part
    for number, first, part in where.run(work, tasks, Bots(agents, seed)):
        played[number] |= dict(enumerate(part, first))
        tell(0, total)
    return {
        "campaigns": campaigns, "level": level, "aggressive": aggressive, "max_games": max_games, "seed": seed,
        "versions": versions(),
        "results": [
            {"agent": spec, **summary([played[number][i] for i in range(campaigns)])}
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
) -> tuple[int, int, list[Campaign]]:
    """Some of the campaigns of a bot; returns the bot's number, the first campaign's number and the campaigns."""
    from vitienv.agents.seating import make_bots
    from vitienv.training.viticulture.campaign import play_campaigns

    (bot,) = make_bots((spec,), seed)
    played = play_campaigns(bot, len(which), level, aggressive, seed, max_games, which.start, on_progress)
    return number, which.start, played


def summary(campaigns: list[Campaign]) -> dict[str, Any]:
    """The distribution of the score, and the games that each challenge took.

    The quartiles are over all campaigns, the unfinished ones counted as worse than any finished one: null if they
    fall among those. The mean is over the finished ones only, null if there is none.
    """
    from statistics import fmean

    scores = sorted(campaign.score for campaign in campaigns if campaign.is_complete)
    n = len(campaigns)
    below = {q: scores[at] if (at := _place(q, n)) < len(scores) else None for q in QUARTILES}
    return {
        "campaigns": n,
        "finished": rate(len(scores), n),
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
    from statistics import fmean

    own = [[result for result in campaign.results if result.challenge == number] for campaign in campaigns]
    reached = [games for games in own if games]
    outcomes = Counter(result.outcome for games in reached for result in games)
    needed = [len(games) for games in reached if games[-1].outcome == "win"]
    return {
        "challenge": number,
        "reached": len(reached),
        "won": len(needed),
        "games_needed": fmean(needed) if needed else None,
        "games": outcomes.total(),
        "game_win_rate": rate(outcomes["win"], outcomes.total()),
        "drawn": outcomes["draw"],
        "lost": outcomes["loss"],
    }


def _print(result: dict[str, Any], found: dict[str, Any]) -> None:
    from rich.table import Table

    screen = console()
    score, limit = result["score"], found["max_games"]

    def told(value: int | None) -> str:
        return f"more than {limit}" if value is None else str(value)

    mean = "none" if score["mean_of_finished"] is None else f"{score['mean_of_finished']:.1f}"
    variant = f"level {found['level']}" + (", aggressive" if found["aggressive"] else "")
    lines = [
        f"{result['agent']}, campaign against the Automa, {variant}, {result['campaigns']} campaigns, "
        f"seed {found['seed']}",
        f"finished within {limit} games, in per cent: {percent(result['finished'])}",
        f"games needed: median {told(score['median'])}, quartiles {told(score['lower_quartile'])} and "
        f"{told(score['upper_quartile'])} (unfinished ones counted as more); mean of the finished ones {mean}",
        *_histogram({int(key): count for key, count in score["histogram"].items()}, score["unfinished"], limit),
    ]
    for line in lines:
        screen.print(line, soft_wrap=True, markup=False)
    table = Table(title=f"{result['agent']}: games needed for each challenge")
    for name in ("challenge", "reached by", "won by", "games needed, mean", "games", "won %", "drawn", "lost"):
        table.add_column(name, justify="right")
    for row in result["challenges"]:
        needed = "-" if row["games_needed"] is None else f"{row['games_needed']:.2f}"
        won = percent(row["game_win_rate"]) if row["games"] else "-"
        cells = (row["challenge"], row["reached"], row["won"], needed, row["games"], won, row["drawn"], row["lost"])
        table.add_row(*map(str, cells))
    screen.print(table)


def _histogram(counts: dict[int, int], unfinished: int, limit: int) -> list[str]:
    """Bars over the score, in steps of equal width, and one for the campaigns given up."""
    bars: list[tuple[str, int]] = []
    if counts:
        least, most = min(counts), max(counts)
        width = -(-(most - least + 1) // BARS)
        for low in range(least, most + 1, width):
            name = f"{low}" if width == 1 else f"{low} to {low + width - 1}"
            bars.append((name, sum(counts.get(score, 0) for score in range(low, low + width))))
    if unfinished:
        bars.append((f"over {limit}", unfinished))
    widest, longest = max(len(name) for name, _ in bars), max(count for _, count in bars)
    return [f"  {name:>{widest}}  {'█' * round(BAR_WIDTH * count / longest)} {count}" for name, count in bars]
