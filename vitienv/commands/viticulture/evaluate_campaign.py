"""vitienv evaluate --campaign: how many games bots need for the campaign against the Automa."""

from __future__ import annotations

from typing import Any

from vitienv.console import console, echo, print_json, print_remarks, progress, warn_few_seeds

BARS, BAR_WIDTH = 12, 40  # rows of the histogram at most, and characters of its longest bar


def show(asked: Any) -> None:
    """Measure bots in the campaign: the eight challenges in order, each until it is won, fewer games are better.

    A challenge that was lost or drawn is played again; each loss in a row gives a bonus action token for the next
    game, a draw neither adds one nor takes them away. The aggressive variant leaves out challenge 6.
    """
    from vitienv.training.viticulture.evaluate_campaign import evaluate_campaign

    options = asked.told("solo", "aggressive")
    with progress("campaigns") as tell:
        measured = evaluate_campaign(
            asked.bots, asked.campaigns, asked.difficulty or "normal", options.get("aggressive", False),
            100 if asked.max_games is None else asked.max_games, asked.seed, asked.where, tell,
        )  # fmt: skip
    warn_few_seeds(asked.campaigns)
    if asked.json:
        print_json(measured)
        return
    for result in measured["results"]:
        _print(result, measured)


def _print(result: dict[str, Any], measured: dict[str, Any]) -> None:
    from rich.table import Table

    from vitienv.training.intervals import percent

    score, limit = result["score"], measured["max_games"]

    def told(value: int | None) -> str:
        return f"more than {limit}" if value is None else str(value)

    mean = "none" if score["mean_of_finished"] is None else f"{score['mean_of_finished']:.1f}"
    variant = f"level {measured['level']}" + (", aggressive" if measured["aggressive"] else "")
    lines = [
        f"{result['agent']}, campaign against the Automa, {variant}, {result['campaigns']} campaigns, "
        f"seed {measured['seed']}",
        f"finished within {limit} games, in per cent: {percent(result['finished'])}",
        f"games needed: median {told(score['median'])}, quartiles {told(score['lower_quartile'])} and "
        f"{told(score['upper_quartile'])} (unfinished ones counted as more); mean of the finished ones {mean}",
        *_histogram({int(key): count for key, count in score["histogram"].items()}, score["unfinished"], limit),
    ]
    for line in lines:
        echo(line)
    table = Table(title=f"{result['agent']}: games needed for each challenge")
    for name in ("challenge", "reached by", "won by", "games needed, mean", "games", "won %", "drawn", "lost"):
        table.add_column(name, justify="right")
    for row in result["challenges"]:
        needed = "-" if row["games_needed"] is None else f"{row['games_needed']:.2f}"
        won = percent(row["game_win_rate"]) if row["games"] else "-"
        cells = (row["challenge"], row["reached"], row["won"], needed, row["games"], won, row["drawn"], row["lost"])
        table.add_row(*map(str, cells))
    console().print(table)
    print_remarks(result)


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
