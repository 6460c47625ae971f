"""What the champions do and the heuristic bot does not: `python studies/learned.py`.

Each bot plays by itself, in all seats, the same seeds; what it did is read from the replayed games, as in a report.
Every figure is a mean over games with its 95 % interval. `--write results/2026-11-26-learned.md` puts the
tables into the page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.commands.tables import write_marked
from vitienv.core.text_utils import markdown
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import Played, play
from vitienv.training.intervals import mean
from vitienv.training.report.facts import Facts
from vitienv.training.report.traces import Trace, trace
from vitienv.training.viticulture.report.facts import facts_of
from vitienv.training.viticulture.report.sources import SOURCES
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, ORDERS
from vitienv.viticulture.enums import ACTS, STRUCTURES

if TYPE_CHECKING:
    import pandas as pd

BOTS = ("policy:champion", "heuristic")
TABLES = {"2 players": "2", "3 players": "3", "4 players": "4", "solo, normal level": "solo"}  # by their headings
LAST_YEAR = 30
AT_ONCE = 200  # games that are played and replayed side by side
MOST = 12  # rows of a table that has one for each card: those in which the bots differ most

Figures = dict[str, dict[str, np.ndarray]]  # by section and row, (games,)


def logged(played: Played, bot: str, first: int) -> list[dict[str, Any]]:
    """The games as a tournament logs them, numbered from `first` on."""
    about = {"agents": [bot] * played.options.num_players}
    return [{"number": first + i, "seed_number": first + i, **about, **played.log(i)} for i in range(len(played))]


def figures_of(bot: str, table: str, games: int, seed: int) -> Figures:
    """What a bot does in so many games with itself."""
    made = game_spec()
    settings: dict[str, Any] = {"skip_forced": True, **made.tables[table]}
    if table.isdecimal():
        settings["max_years"] = LAST_YEAR
    options, parts = made.options.of(**settings), []
    for first in range(0, games, AT_ONCE):
        seeds = game_seeds(seed, range(first, min(games, first + AT_ONCE)))
        played = play(options, seeds, [[0] * options.num_players] * len(seeds), make_bots([bot], seed))
        found = trace(logged(played, bot, first))
        parts.append(told(found, facts_of(found), played))
    sections = {section: list(dict.fromkeys(row for part in parts for row in part[section])) for section in parts[0]}
    none = [np.zeros(len(part["Games"]["years"])) for part in parts]

    def together(section: str, row: str) -> np.ndarray:
        return np.concatenate([part[section].get(row, zero) for part, zero in zip(parts, none)])

    return {section: {row: together(section, row) for row in rows} for section, rows in sections.items()}


def told(games: Trace, facts: Facts, played: Played) -> Figures:
    """The figures of some games, each (games,): of a seat, the mean of the game's."""
    n, seats = games.points.shape
    frames = facts.frames

    def counted(rows: pd.DataFrame, of: Any = None) -> np.ndarray:
        """How often a seat did it, or how much it brought."""
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
    chosen = np.maximum(1, sum(rows.values()))
    last = {"won": (played.outcomes == 1) * 1.0} if seats == 1 else {"points of the best": games.points.max(axis=1)}
    return {
        "Games": {"years": years, "points": games.points.mean(axis=1), **last},
        "Points from": split(frames["points"], "kind", lambda kind: SOURCES[kind], "points"),
        "Wake-up rows, share of choices": {row: times / chosen for row, times in rows.items()},
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


def rows_of(section: str, found: Sequence[Figures]) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """The rows of a section, each with the figures of all bots. Of many rows those that differ most."""
    names = list(dict.fromkeys(name for figures in found for name in figures[section]))
    none = np.zeros(len(found[0]["Games"]["years"]))
    rows = [(name, [mean(figures[section].get(name, none)) for figures in found]) for name in names]
    if len(rows) > MOST:

        def apart(row: tuple[str, list[tuple[float, float]]]) -> float:
            (a, half_a), (b, half_b) = row[1]
            return -abs(a - b) / max(1e-9, float(np.hypot(half_a, half_b)))

        rows = sorted(sorted(rows, key=apart)[:MOST], key=lambda row: row[1][1][0] - row[1][0][0])
    yield from rows


def page(table: str, games: int, seed: int) -> str:
    """The figures of a table of the ladder as one Markdown table; what differs beyond chance is marked."""
    figures = [figures_of(bot, table, games, seed) for bot in BOTS]
    lines = []
    for section in figures[0]:
        is_share = "share" in section
        lines.append([f"**{section}**", "", "", ""])
        for name, both in rows_of(section, figures):
            cells = [f"{100 * a:.1f} % ± {100 * half:.1f}" if is_share or name == "won" else f"{a:.2f} ± {half:.2f}"
                     for a, half in both]  # fmt: skip
            (a, half_a), (b, half_b) = both
            is_other = abs(a - b) > np.hypot(half_a, half_b)
            lines.append([name, *cells, ("more" if a > b else "less") if is_other else ""])
    return markdown(["", *(f"`{bot}`" for bot in BOTS), "the champion"], lines)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python studies/learned.py", description=__doc__)
    parser.add_argument("--games", type=int, default=500, help="of each bot at each table, at least 2")
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--tables", default=",".join(TABLES.values()), help="of the ladder, separated by commas")
    parser.add_argument("--write", type=Path, help="the page whose tables are written anew")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"games is {args.games}; there must be at least 2")
    heading = {table: name for name, table in TABLES.items()}
    for table in args.tables.split(","):
        made = page(table, args.games, args.seed)
        how = f"`--games {args.games} --seed {args.seed}`"
        sentence = f"{args.games:,} games of each bot with itself, on the same seeds ({how})."
        if args.write is not None:
            write_marked(args.write, f"learned-{table}", "What the champions have learned", [made, sentence])
        else:
            print(f"\n## {heading.get(table, table)}\n\n{made}\n\n{sentence}")


if __name__ == "__main__":
    main()
