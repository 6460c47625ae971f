"""Differences in play between the champions and the heuristic bot: `python -m studies.learned`.

Each bot plays all seats on the same seeds, and its actions are counted in the replayed games. All values are means over
games with 95 % intervals. `--write results/2026-11-26-learned.md` writes the tables to the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tools.markdown_tables import write_marked
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.core.text_utils import markdown
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import GameResults, play
from vitienv.training.intervals import clustered_mean
from vitienv.training.report.facts import Facts
from vitienv.training.report.traces import Trace, trace
from vitienv.training.viticulture.report.facts import facts_of
from vitienv.training.viticulture.report.sources import SOURCES
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDERS
from vitienv.viticulture.enums import ACTS, STRUCTURES

if TYPE_CHECKING:
    import pandas as pd

BOTS = ("policy:champion", "heuristic")
TABLES = {"2 players": "2", "3 players": "3", "4 players": "4", "solo, normal level": "solo"}
LAST_YEAR = 30
BATCH_GAMES = 200
MAX_ROWS = 12  # rows of a section, those with the largest differences

Figures = dict[str, dict[str, np.ndarray]]  # values (games,) keyed by section and row


def logged(played: GameResults, bot: str, first: int) -> list[dict[str, Any]]:
    """Return the games in the form of a tournament's logs, numbered from `first`."""
    agents = {"agents": [bot] * played.options.num_players}
    return [{"number": first + i, "seed_number": first + i, **agents, **played.log(i)} for i in range(len(played))]


def figures_of(bot: str, table: str, games: int, seed: int) -> Figures:
    """Return the values of a bot's games against itself."""
    definition = game_spec()
    settings: dict[str, Any] = {"skip_forced": True, **definition.tables[table]}
    if table.isdecimal():
        settings["max_years"] = LAST_YEAR
    options, parts = definition.options.of(**settings), []
    for first in range(0, games, BATCH_GAMES):
        seeds = game_seeds(seed, range(first, min(games, first + BATCH_GAMES)))
        played = play(options, seeds, [[0] * options.num_players] * len(seeds), make_bots([bot], seed))
        replayed = trace(logged(played, bot, first))
        parts.append(values_of(replayed, facts_of(replayed), played))
    sections = {section: list(dict.fromkeys(row for part in parts for row in part[section])) for section in parts[0]}
    none = [np.zeros(len(part["Games"]["years"])) for part in parts]

    def together(section: str, row: str) -> np.ndarray:
        return np.concatenate([part[section].get(row, zero) for part, zero in zip(parts, none)])

    return {section: {row: together(section, row) for row in rows} for section, rows in sections.items()}


def values_of(games: Trace, facts: Facts, played: GameResults) -> Figures:
    """Return the values (games,) of games, means over the seats."""
    n, seats = games.points.shape
    frames = facts.frames

    def counted(rows: pd.DataFrame, of: Any = None) -> np.ndarray:
        """Return the number of events per seat, or the sum of a value."""
        return np.bincount(rows["unit"] // seats, weights=of, minlength=n) / seats

    def split(rows: pd.DataFrame, column: str, names: Any, of: str | None = None) -> dict[str, np.ndarray]:
        return {
            str(names(key)): counted(part, None if of is None else part[of]) for key, part in rows.groupby(column)
        }  # fmt: skip

    wakes, orders, structures = frames["wake_ups"], frames["orders"], frames["structures"]
    placed, openings = frames["placements"], frames["openings"]
    first = openings[openings["kind"] == "placements"]
    years = played.years.astype(float)
    vp = np.array([ORDERS[card - FIRST_ORDER].vp for card in orders["card"]])
    rows, workers = split(wakes, "row", "row {}".format), split(placed, "action", lambda act: ACTS[act])
    last_years = played.years[orders["unit"] // seats]
    num_choices = np.maximum(1, sum(rows.values()))
    last = {"won": (played.outcomes == 1) * 1.0} if seats == 1 else {"points of the best": games.points.max(axis=1)}
    return {
        "Games": {"years": years, "points": games.points.mean(axis=1), **last},
        "Points from": split(frames["points"], "kind", lambda kind: SOURCES[kind], "points"),
        "Wake-up rows, share of choices": {row: times / num_choices for row, times in rows.items()},
        "First three workers, share of seats": split(first, "opening", str),
        "Workers a year": {name: times / years for name, times in workers.items()},
        "Structures, share of seats": split(structures.drop_duplicates(["unit", "structure"]), "structure",
                                            lambda structure: STRUCTURES[structure]),
        "Orders": {
            "filled": counted(orders), "in the last year": counted(orders[orders["year"] == last_years]),
            **{f"of {points} points": counted(orders[vp == points]) for points in sorted({o.vp for o in ORDERS})},
        },
        "Visitors played": {"summer": counted(frames["visitors"].query("deck == 'summer'")),
                            "winter": counted(frames["visitors"].query("deck == 'winter'"))},
        "Visitors, each": split(frames["visitors"], "card", lambda card: CARD_IDS[card]),
    }  # fmt: skip


def rows_of(section: str, values_of_bots: Sequence[Figures]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Yield the rows of a section with the values of all bots, at most `MAX_ROWS` with the largest differences."""
    names = list(dict.fromkeys(name for figures in values_of_bots for name in figures[section]))
    none = np.zeros(len(values_of_bots[0]["Games"]["years"]))

    def mean(figures: Figures, name: str) -> tuple[float, float]:
        interval: Any = clustered_mean(values := figures[section].get(name, none), np.arange(len(values)))
        return interval["value"], interval["high"] - interval["value"]

    rows = [(name, [mean(figures, name) for figures in values_of_bots]) for name in names]
    if len(rows) > MAX_ROWS:

        def distance(row: tuple[str, list[tuple[float, float]]]) -> float:
            (a, half_a), (b, half_b) = row[1]
            return -abs(a - b) / max(1e-9, float(np.hypot(half_a, half_b)))

        rows = sorted(sorted(rows, key=distance)[:MAX_ROWS], key=lambda row: row[1][1][0] - row[1][0][0])
    yield from rows


def page(table: str, games: int, seed: int) -> str:
    """Return the values at a table of the ladder as Markdown; significant differences are marked."""
    figures = [figures_of(bot, table, games, seed) for bot in BOTS]
    lines = []
    for section in figures[0]:
        is_share = "share" in section
        lines.append([f"**{section}**", "", "", ""])
        for name, cells_of_bots in rows_of(section, figures):
            cells = [f"{100 * a:.1f} % ± {100 * half:.1f}" if is_share or name == "won" else f"{a:.2f} ± {half:.2f}"
                     for a, half in cells_of_bots]  # fmt: skip
            (a, half_a), (b, half_b) = cells_of_bots
            is_other = abs(a - b) > np.hypot(half_a, half_b)
            lines.append([name, *cells, ("more" if a > b else "less") if is_other else ""])
    return markdown(["", *(f"`{bot}`" for bot in BOTS), "the champion"], lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m studies.learned", description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="games per bot and table, at least 2")
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--tables", default=",".join(TABLES.values()), help="tables of the ladder, comma-separated")
    parser.add_argument("--write", type=Path, help="page whose tables are replaced")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"games must be at least 2, got {args.games}")
    heading = {table: name for name, table in TABLES.items()}
    for table in args.tables.split(","):
        markdown_table = page(table, args.games, args.seed)
        options = f"`--games {args.games} --seed {args.seed}`"
        sentence = f"{args.games:,} games of each bot with itself, on the same seeds ({options})."
        if args.write is not None:
            write_marked(args.write, f"learned-{table}", "What the champions have learned", [markdown_table, sentence])
        else:
            print(f"\n## {heading.get(table, table)}\n\n{markdown_table}\n\n{sentence}")


if __name__ == "__main__":
    main()
