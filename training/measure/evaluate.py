"""One bot against others, in every seat on the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from vitienv.agents.seating import game_seeds, make_bots
from vitienv.games import DEFAULT, definition
from vitienv.training.intervals import clustered_mean, clustered_share
from vitienv.training.measure.cases import Columns, play_cases
from vitienv.training.measure.match import check_amount, play
from vitienv.training.measure.remarks import counted, told
from vitienv.training.workers import Bots, Executor


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
    """Play `bot` in every seat on the same seeds; those in `against` take the other seats in turn.

    A game that is cut off is not won; `cut_off` is the number of these games.
    """
    check_amount("games", games)
    own = definition(game).options
    usual = {"num_players": players, "skip_forced": True, own.LIMIT: max_years}
    played = own.of(**usual | (options or {}))
    bots = Bots((bot, *against), seed, game)
    n_seeds = -(-games // players)
    case = (bot, against, game, played.to_dict(), seed)
    (columns,) = play_cases(play_part, [case], n_seeds * players, bots, processes, on_progress)
    return _summary(columns, players) | {
        "agent": bot, "against": against, "players": players, "seeds": n_seeds, "seed": seed,
        "by_chance": None if played.definition.token else 1 / players,
    }  # fmt: skip


def play_part(
    case: int, bot: str, against: list[str], game: str, options: dict[str, Any], seed: int, numbers: range
) -> tuple[int, int, Columns]:
    """Some of the games, see `play_cases`; game i is played on seed i // players, the bot in seat i % players."""
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
    rows, seats = np.arange(len(numbers)), np.array(numbers) % players
    points = played.points[rows, seats]
    return case, numbers.start, {
        "seat": seats, "win": played.wins[rows, seats], "cut_off": played.truncated, "points": points,
        "year": played.years, "others": (played.points.sum(axis=1) - points) / (players - 1),
        "told": np.array(counted(played, (bot, *against)), object),
    }  # fmt: skip


def _summary(games: Columns, players: int) -> dict[str, Any]:
    """The rates and means of all games."""
    points, wins, n = games["points"], games["win"], len(games["win"])
    seeds = np.arange(n) // players
    by_seat = [games["seat"] == seat for seat in range(players)]
    return {
        "games": n,
        "cut_off": int(games["cut_off"].sum()),
        "win_rate": clustered_share(wins, seeds),
        "points": clustered_mean(points, seeds),
        "points_of_others": float(games["others"].mean()),
        "mean_years": float(games["year"].mean()),
        "by_seat": [
            {
                "seat": seat,
                "games": int(own.sum()),
                "win_rate": clustered_share(wins[own], seeds[own]),
                "mean_points": float(points[own].mean()),
            }
            for seat, own in enumerate(by_seat)
        ],
        **told(games["told"]),
    }
