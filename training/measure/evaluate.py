"""One bot against others, in every seat on the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.seating import game_seeds, make_bots
from vitienv.games import DEFAULT, definition
from vitienv.training.measure.match import check_amount, in_parts, play
from vitienv.training.measure.ratings import bootstrap_mean, share, win_shares
from vitienv.training.workers import Bots, Executor, place

# What is kept of a game: little, as there may be a million of them.
COLUMNS = [("game", "i8"), ("seat", "i8"), ("win", "f8"), ("points", "f8"), ("others", "f8"), ("year", "i8")]


def evaluate(
    bot: str,
    against: list[str],
    players: int = 2,
    games: int = 100,
    seed: int = 0,
    processes: int | Executor = 1,
    max_years: int = 60,
    on_progress: Any = None,
    game: str = DEFAULT,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Play `bot` in every seat on the same seeds; those in `against` take the other seats in turn."""
    check_amount("games", games)
    own = definition(game).options
    usual = {"num_players": players, "skip_forced": True, own.LIMIT: max_years}
    played = own.of(**usual | (options or {}))
    bots = Bots((bot, *against), seed, game)
    made = make_bots(bots.specs, seed, game)  # refused before the first game
    n_seeds = -(-games // players)
    n = n_seeds * players
    tasks = [
        (bot, against, game, played.to_dict(), seed, numbers) for numbers in in_parts(n, made)
    ]
    parts: list[np.ndarray] = []
    done = 0
    if on_progress is not None:
        on_progress(0, n)
    for part in place(processes).run(play_part, tasks, bots):
        parts.append(part)
        done += len(part)
        if on_progress is not None:
            on_progress(done, n)
    return _summary(sorted(parts, key=lambda part: part["game"][0]), players, seed) | {
        "agent": bot, "against": against, "players": players, "seeds": n_seeds, "seed": seed,
        "by_chance": None if played.definition.token else 1 / players,
    }  # fmt: skip


def play_part(
    bot: str, against: list[str], game: str, options: dict[str, Any], seed: int, numbers: range
) -> np.ndarray:
    """A record of COLUMNS for each of some games; game i is played on seed i // players, the bot in seat i % players.
    """


    chosen = definition(game).options.of(**options)
    players = chosen.num_players
    agents = make_bots((bot, *against), seed, game)
    seeds = game_seeds(seed, [i // players for i in numbers])
    seating = []
    for i in numbers:
        others = [1 + (i // players + k) % len(against) for k in range(players - 1)]
        others.insert(i % players, 0)
        seating.append(others)
    played = play(chosen, seeds, seating, agents)
    wins = (played.rewards > 0) * 1.0 if chosen.definition.token else win_shares(played.ranks)  # a team wins whole
    rows, seats = np.arange(len(numbers)), np.array(numbers) % players
    found = np.zeros(len(numbers), COLUMNS)
    found["game"], found["seat"], found["year"] = numbers, seats, played.years
    found["win"], found["points"] = wins[rows, seats], played.points[rows, seats]
    found["others"] = (played.points.sum(axis=1) - found["points"]) / (players - 1)
    return found


def _summary(parts: list[np.ndarray], players: int, seed: int) -> dict[str, Any]:
    """The rates and means of all games; parts in the order of their games."""


    rows = np.concatenate(parts)
    points = rows["points"]
    low, high = bootstrap_mean(points.reshape(-1, players).mean(axis=1), seed)
    interval = {"low": None, "high": None} if np.isnan(low) else {"low": low, "high": high}
    by_seat = [rows[rows["seat"] == seat] for seat in range(players)]
    return {
        "games": len(rows),
        "win_rate": share(float(rows["win"].sum()), len(rows)),
        "points": {"value": float(points.mean()), **interval},
        "points_of_others": float(rows["others"].mean()),
        "mean_years": float(rows["year"].mean()),
        "by_seat": [
            {"seat": seat, "games": len(own), "win_rate": share(float(own["win"].sum()), len(own)),
             "mean_points": float(own["points"].mean())}
            for seat, own in enumerate(by_seat)
        ],
    }
