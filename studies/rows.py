"""What each wake-up row is worth to a bot: it must take one, and the others play as ever.

    python -m studies.rows --games 4000
    python -m studies.rows --games 4000 --write results/2026-11-26-learned.md

Seat 0 must take a row wherever it is free when it chooses, in the first year alone or in every year. All seats are
filled by the same bot and who chooses first is drawn, so that without the rule seat 0 wins an even share. What the rule
changes is the difference on the same seeds, with its 95 % interval.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from studies.deciding import Restrained, Rule
from vitienv.agents.seating import game_seeds, make_bots
from vitienv.commands.tables import check_marked, write_marked
from vitienv.core.english import markdown
from vitienv.games import definition
from vitienv.training.intervals import mean
from vitienv.training.measure.ladder import options_of
from vitienv.training.measure.match import play
from vitienv.training.measure.ratings import win_shares

TABLE = "learned-rows"
ASKED = "wake_up"
AT_ONCE = 250  # games side by side
EVER = 99  # a year that no game reaches
FIRST_YEAR, WHENEVER = (1, 1), (1, EVER)


def results(bot: str, row: str | None, years: tuple[int, int], table: str, games: int, seed: int) -> np.ndarray:
    """What seat 0 won of each game, (games,), where it must take a row, an action's name, or with None none."""
    game, parts = definition(), []
    options = options_of(table, game)
    for first in range(0, games, AT_ONCE):
        (made,) = make_bots([bot], seed)
        forced = made if row is None else Restrained(made, Rule(ASKED, (row,), forced=True, years=years), game)
        seeds = game_seeds(seed, range(first, min(games, first + AT_ONCE)))
        seating = [[0, *[1] * (options.num_players - 1)]] * len(seeds)
        parts.append(win_shares(play(options, seeds, seating, [forced, made]).ranks)[:, 0])
    return np.concatenate(parts)


def page(bot: str, tables: Sequence[str], games: int, seed: int) -> str:
    """A line for each row, a column for each table and each span of years."""
    columns, names = [], definition().actions.blocks[ASKED]
    for table in tables:
        free = results(bot, None, FIRST_YEAR, table, games, seed)
        value, half = mean(free)
        for years in (FIRST_YEAR, WHENEVER):
            cells = [f"{100 * value:.1f} % ± {100 * half:.1f}"]
            for row in names:
                apart, half_apart = mean(results(bot, row, years, table, games, seed) - free)
                cells.append(f"{100 * apart:+.1f} ± {100 * half_apart:.1f}")
            columns.append(cells)
    spans = [f"{table} players, {span}" for table in tables for span in ("in the first year", "in every year")]
    lines = [[what, *cells] for what, *cells in zip(["as it plays", *names], *columns, strict=True)]
    return markdown(["", *spans], lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m studies.rows", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agent", default="policy:champion")
    parser.add_argument("--games", type=int, default=500, help="of each row, at least 2")
    parser.add_argument("--tables", default="2", help="of the ladder, separated by commas")
    parser.add_argument("--seed", type=int, default=62)
    parser.add_argument("--write", type=Path, help="the page whose table is written anew")
    args = parser.parse_args(arguments)
    if args.games < 2:
        parser.error(f"games is {args.games}; there must be at least 2")
    if args.write is not None:
        check_marked(args.write, TABLE)
    made = page(args.agent, args.tables.split(","), args.games, args.seed)
    sentence = f"{args.games:,} games of each, the same seeds (`--tables {args.tables} --games {args.games}`)."
    if args.write is not None:
        write_marked(args.write, TABLE, "What a wake-up row is worth", [made, sentence])
    else:
        print(f"{made}\n\n{sentence}")


if __name__ == "__main__":
    main()
