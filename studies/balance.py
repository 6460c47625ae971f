"""Plausibility of the reconstructed values of Toscana: `python studies/balance.py`.

Prints the table of results/2026-11-23-toscana.md. `--games` sets the number of games of each value.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.agents.seeding import make_bots
from vitienv.registry import game_spec
from vitienv.toscana.enums import GOODS, KINDS, MAX_SEATS, MIN_SEATS, NO_SEAT, SERVICES
from vitienv.toscana.state import LAST_ROUND
from vitienv.training.evaluation.match import Played, play

GAME = "toscana"
BOTS = ("heuristic", "pieces", "market")
SEATS = range(MIN_SEATS, MAX_SEATS + 1)
WINES = GOODS[:-1]
# Alternative reconstructed values, as `components`.
VARIANTS: dict[str, dict[str, Any]] = {
    "as shipped": {},
    "all prices 3": {"start": {"price_level": dict.fromkeys(GOODS, 2)}},
    "signs exchanged": {"recommendations": {"start_signs": {
        "red": "minus", "white": "minus", "rose": "plus", "champagne": "plus"}}},
    "three boxes of each": {"start": {"stock": dict.fromkeys(GOODS, 3)}},
    "tiles exchanged": {"tile": [
        {"id": i + 1, "good": good, "mark": mark}
        for i, (good, mark) in enumerate([*((wine, -1) for wine in WINES), *((wine, 1) for wine in WINES[:3])])
    ]},
}  # fmt: skip


def games_of(bots: Sequence[str], seating: np.ndarray, seed: int, **options: Any) -> Played:
    """Play a game of these bots for each row of `seating`."""
    options_of_games = game_spec(GAME).options.of(num_players=seating.shape[1], skip_forced=True, **options)
    return play(options_of_games, range(seed, seed + len(seating)), seating, make_bots(bots, seed, GAME))


def facts(bots: Sequence[str], num_players: int, games: int, seed: int, **options: Any) -> dict[str, float]:
    """Return means, and shares in percent, of games with rotated seats."""
    seating = (np.arange(num_players) + np.arange(games)[:, None]) % len(bots)
    played = games_of(bots, seating, seed, **options)
    records = played.records.view(game_spec(GAME).dtype).reshape(games)
    names, n = game_spec(GAME).actions.names, played.points.size
    times = np.bincount(np.concatenate(played.moves), minlength=len(names))
    in_order = np.sort(played.points, axis=1)[:, ::-1]
    first = (records["start_seat"].astype(int) - (played.years - 1)) % num_players  # first seat of the first round
    figures = {
        "winner's money": in_order[:, 0].mean(), "second's": in_order[:, 1].mean(), "rounds": played.years.mean(),
        "end early, %": 100 * (played.years < LAST_ROUND).mean(),
        "start seat wins, %": 100 * played.wins[np.arange(games), first].mean(),
        "pieces hired": 7 - (records["workers"] + records["winemasters"])[:, :num_players].mean(),
    }  # fmt: skip
    for good in GOODS:
        figures[f"{good} sold"] = (
            sum(
                int(name.rpartition(":")[2]) * times[i]
                for i, name in enumerate(names)
                if name.startswith(f"sell:{good}")
            )
            / n
        )
    for i, good in enumerate(GOODS):
        figures[f"{good} price"] = float(records["price"][:, i].mean()) + 1
    for service in SERVICES:
        figures[service] = times[names.index(f"service:{service}")] / n
    is_owned = records["square_owner"] != NO_SEAT
    for i, kind in enumerate(KINDS):
        figures[f"{kind} squares held, %"] = 100 * is_owned[records["square_kind"] == i].mean()
    return figures


def balance(games: int, seed: int) -> list[str]:
    """Return a Markdown table with a column per variant: means of heuristic bots and of three bots at 2 to 5 seats."""
    columns = []
    for components in VARIANTS.values():
        tables = [
            facts(bots, n, games, seed, components=components or None) for bots in (BOTS[:1], BOTS) for n in SEATS
        ]
        columns.append({key: float(np.mean([values[key] for values in tables])) for key in tables[0]})
    lines = ["| a seat and game | " + " | ".join(VARIANTS) + " |", "| --- " * (len(VARIANTS) + 1) + "|"]
    return lines + [f"| {key} | {' | '.join(f'{column[key]:.1f}' for column in columns)} |" for key in columns[0]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=10_000)
    args = parser.parse_args(arguments)
    print("\n".join(balance(args.games, args.seed)), flush=True)


if __name__ == "__main__":
    main()
