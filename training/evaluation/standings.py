"""Results of a tournament: ratings, win rates and means, as JSON and as tables."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from vitienv.core.files import read_json
from vitienv.core.text_utils import count
from vitienv.registry import DEFAULT, game_spec
from vitienv.render.text import seat_name
from vitienv.training.evaluation.notes import FORFEITS, NOTES, names_of, remarks
from vitienv.training.intervals import Share, clustered_mean, clustered_share, few_seeds, percent, shares
from vitienv.training.ratings import rate, win_shares
from vitienv.training.schema import checked

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from vitienv.core.game_spec import GameSpec
    from vitienv.training.evaluation.tournament import Settings


class Mean(TypedDict):
    """A mean or a rating with its 95 % interval; the bounds are None for a single seed, all None without games."""

    value: float | None
    low: float | None
    high: float | None


class WinRate(TypedDict):
    """Win rate (0 to 1) with its 95 % interval, and the number of seeds; value is None without games."""

    value: float | None
    low: float
    high: float
    seeds: int


class SeatResults(TypedDict):
    """Results of one seat."""

    seat: int
    games: int
    win_rate: WinRate
    mean_points: float | None


class BotResults(TypedDict):
    """Results of a bot. notes, forfeits: counts by name."""

    agent: str
    games: int
    rating: Mean
    win_rate: WinRate
    points: Mean
    mean_rank: float | None
    mean_years: float | None
    by_seat: list[SeatResults]
    notes: dict[str, int]
    forfeits: dict[str, int]


class CompanyResults(TypedDict):
    """Results of bots that played together as a team."""

    agents: str
    games: int
    win_rate: WinRate
    points: float


class Results(TypedDict):
    """Part of results.json shown in tables."""

    games: int
    seeds: int
    mean_years: float | None
    bots: list[BotResults]
    seats: list[SeatResults]


class TeamResults(Results):
    """Results of a cooperative game."""

    teams: list[CompanyResults]


NOTE = "note_"  # prefix of columns with counters of bots
ON_FAILURE = {
    "forfeit": "A program that fails is last in that game, and the others share the first place.",
    "void": "A game in which a program fails does not count.",
    "replace": "The bot random plays on for a program that fails, and its result counts for the program.",
}
WIDE = 110  # characters per line required by the full table


def games_frame(games: list[dict[str, Any]], is_of_team: bool = False) -> pd.DataFrame:
    """Return one row per game and seat. win: as `win_shares`. forfeit: kind of the seat's failure, or ""."""
    import pandas as pd

    rows = []
    for game in games:
        kinds = {row["seat"]: row["kind"] for row in [*game.get("replaced", ()), *filter(None, [game.get("forfeit")])]}
        wins = win_shares(np.array([game["ranks"]]), np.array([game["truncated"]]), is_of_team)[0].tolist()
        for seat, agent in enumerate(game["agents"]):
            rank = game["ranks"][seat]
            rows.append({
                "game": game["number"], "seed": game["seed"], "seed_number": game["seed_number"],
                "seat": seat, "agent": intern(agent), "points": game["scores"][seat], "rank": rank,
                "win": wins[seat], "year": game["year"], "truncated": game["truncated"],
                "decisions": game["decisions"], "state": game["state"],
                "forfeit": kinds.get(seat, ""),
                **{NOTE + name: n for name, n in game.get("notes", {}).get(str(seat), {}).items()},
            })  # fmt: skip
    return pd.DataFrame(rows)


def results_of(
    frame: pd.DataFrame, agents: tuple[str, ...], num_players: int, is_of_team: bool = False,
    on_failure: str = "forfeit",
) -> dict[str, Any]:  # fmt: skip
    """Return the results of a tournament's bots and seats as plain JSON, best bot first.

    In cooperative games all ranks are equal: bots are sorted by win rate, and "teams" has the results of each set of
    bots that played together. on_failure: see `Settings`; void games count for the failures only.
    """
    failures = frame.groupby("agent")["forfeit"].value_counts().to_dict()
    failed = frame["forfeit"].ne("").groupby(frame["game"]).transform("any")
    frame, num_void = (frame[~failed], int(frame["game"][failed].nunique())) if on_failure == "void" else (frame, 0)
    number = {agent: i for i, agent in enumerate(agents)}
    sat = frame["agent"].map(number).to_numpy(np.int64).reshape(-1, num_players)
    ranks = frame["rank"].to_numpy().reshape(-1, num_players)
    ranks = np.where(frame["truncated"].to_numpy().reshape(-1, num_players), 1, ranks)  # a truncated game is a draw
    seeds = frame["seed_number"].to_numpy()[::num_players]
    ratings = rate(len(agents), sat, ranks, seeds)
    bots = []
    for agent, rating in zip(agents, ratings, strict=True):
        counts = {str(kind): int(n) for (bot, kind), n in failures.items() if bot == agent and kind}
        bots.append(_bot(frame[frame["agent"] == agent], agent, rating, num_players) | {FORFEITS: counts})
    one_seat = frame[frame["seat"] == 0]
    if is_of_team:
        order = [(-(bot["win_rate"]["value"] or 0), -(bot["points"]["value"] or 0), bot["agent"]) for bot in bots]
    else:
        order = [(-bot["rating"]["value"] if bot["games"] else np.inf, 0, bot["agent"]) for bot in bots]
    return {
        "games": len(one_seat),
        "seeds": int(one_seat["seed_number"].nunique()),
        "truncated": int(one_seat["truncated"].sum()),
        **({"void": num_void} if num_void else {}),
        "mean_years": _mean(one_seat["year"]),
        "bots": [bot for _, bot in sorted(zip(order, bots, strict=True), key=lambda pair: pair[0])],
        **({"teams": _teams(frame)} if is_of_team else {}),
        "seats": [_seat(frame, seat) for seat in range(num_players)],
        "ahead": _ahead(sat, ranks, seeds, agents),
    }


def _teams(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return games, win rate and mean points of each set of bots that played together, in any seats."""
    if frame.empty:
        return []
    companies = frame.groupby("game")["agent"].apply(lambda agents: " + ".join(sorted(agents)))
    teams = []
    for company, games in companies.groupby(companies):
        rows = frame[frame["game"].isin(games.index) & (frame["seat"] == 0)]
        points = frame.loc[frame["game"].isin(games.index), "points"]
        teams.append({"agents": company, "games": len(rows), "win_rate": _rate(rows), "points": float(points.mean())})
    return sorted(teams, key=lambda team: (-(team["win_rate"]["value"] or 0), -team["points"], team["agents"]))


def _bot(rows: pd.DataFrame, agent: str, rating: dict[str, float | None], num_players: int) -> dict[str, Any]:
    return {
        "agent": agent,
        "games": int(rows["game"].nunique()),
        "seats": len(rows),
        "rating": dict.fromkeys(rating) if rows.empty else rating,
        "win_rate": _rate(rows),
        "points": clustered_mean(rows["points"].to_numpy(), rows["seed_number"].to_numpy()),
        "mean_rank": _mean(rows["rank"]),
        "mean_years": _mean(rows["year"]),
        "by_seat": [_seat(rows, seat) for seat in range(num_players)],
        "notes": {
            name.removeprefix(NOTE): int(rows[name].sum())
            for name in rows
            if name.startswith(NOTE) and rows[name].notna().any()
        },
    }


def _mean(values: pd.Series) -> float | None:
    return None if values.empty else float(values.mean())


def _rate(rows: pd.DataFrame) -> Share:
    return clustered_share(rows["win"].to_numpy(), rows["seed_number"].to_numpy())


def _seat(rows: pd.DataFrame, seat: int) -> dict[str, Any]:
    games = rows[rows["seat"] == seat]
    return {"seat": seat, "games": len(games), "win_rate": _rate(games), "mean_points": _mean(games["points"])}


def _ahead(sat: np.ndarray, ranks: np.ndarray, seeds: np.ndarray, agents: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return for each pair of bots how often the first finished ahead of the second; ties count half."""
    import pandas as pd

    parts = []
    for i, j in permutations(range(sat.shape[1]), 2):
        ahead = (ranks[:, i] < ranks[:, j]) + 0.5 * (ranks[:, i] == ranks[:, j])
        parts.append(pd.DataFrame({"bot": sat[:, i], "than": sat[:, j], "seed_number": seeds, "ahead": ahead}))
    rows = pd.concat(parts, ignore_index=True)
    table = shares(rows[rows["bot"] != rows["than"]], ["bot", "than"], "ahead")
    return [
        {"agent": agents[bot], "than": agents[than], "met": int(row["n"]), "ahead": {
            "value": float(row["share"]), "low": row["low"], "high": row["high"], "seeds": int(row["seeds"])}}
        for (bot, than), row in zip(table.index, table.to_dict("records"), strict=True)
    ]  # fmt: skip


def table_of(results: dict[str, Any]) -> pd.DataFrame:
    """Return one row per bot, with a column for each kind of forfeit or counter."""
    import pandas as pd

    bots = results["bots"]
    counts = [
        (kind, name) for kind in (FORFEITS, NOTES) for name in sorted({name for bot in bots for name in bot[kind]})
    ]
    rows = []
    for place, bot in enumerate(bots, 1):
        row = {"place": place, "agent": bot["agent"], "games": bot["games"]}
        row |= _spread("rating", bot["rating"])
        row |= _spread("win_rate", bot["win_rate"]) | _spread("points", bot["points"])
        row |= {"mean_rank": bot["mean_rank"], "mean_years": bot["mean_years"]}
        for seat in bot["by_seat"]:
            row |= _spread(f"win_rate_seat_{seat['seat']}", seat["win_rate"])
        row |= {f"{kind}_{name}": bot[kind].get(name, 0) for kind, name in counts}
        rows.append(row)
    return pd.DataFrame(rows)


def read_results(folder: Path, settings: Settings) -> dict[str, Any]:
    """Read results.json. ValueError unless it has the results of the bots in these settings."""
    file = folder / "results.json"
    results = read_json(file)
    try:
        checked(TeamResults if settings.game_options().game_spec.is_of_team else Results, results, "results")
        agents = sorted(bot["agent"] for bot in results["bots"])
        if results.get("settings") != settings.to_dict() or agents != sorted(settings.agents):
            raise ValueError("its settings or bots differ from those of settings.json")
        by_seat = [results["seats"], *(bot["by_seat"] for bot in results["bots"])]
        if any(len(seats) != settings.num_players for seats in by_seat):
            raise ValueError(f"it must have {settings.num_players} seats")
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None
    return results


def _spread(name: str, value: dict[str, float | None]) -> dict[str, float | None]:
    return {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}


def show(results: dict[str, Any], width: int = WIDE) -> Table:
    """Return the results as a table for a terminal of some width in characters; narrow ones get fewer columns."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    rows = standing_rows(results, names_of(bot["agent"] for bot in results["bots"]), width < WIDE)
    if width >= WIDE and "teams" not in results:
        for row, bot in zip(rows, results["bots"], strict=True):
            row |= {f"{seat_name(seat['seat'])} %": percent(seat["win_rate"]) for seat in bot["by_seat"]}
    table = Table(title=describe_games(results), caption="; ".join(remarks_of(results)), box=SIMPLE_HEAD)
    for heading in rows[0]:
        justify: Any = "left" if heading.startswith("bot") else "right"
        table.add_column(heading, justify=justify, overflow="fold", min_width=14 if heading == "bot" else None)
    for i, row in enumerate(rows):
        table.add_row(*row.values(), end_section=i == len(results["bots"]) - 1)
    return table


def standing_rows(results: dict[str, Any], names: dict[str, str], is_narrow: bool = False) -> list[dict[str, str]]:
    """Return a row of texts by heading for each bot, and in cooperative games for each team. names: by spec."""
    if "teams" in results:
        rows = [(names[bot["agent"]], bot, bot["points"]["value"]) for bot in results["bots"]]
        for team in results["teams"]:
            rows.append((" + ".join(names.get(bot, bot) for bot in team["agents"].split(" + ")), team, team["points"]))
        return [
            {"bot or team": name, "games": str(row["games"]), "won %": percent(row["win_rate"]),
             "points a seat": decimals(points)}
            for name, row, points in rows
        ]  # fmt: skip
    rounds = f"{_game_of(results).clock.word}s"
    return [
        {"": str(place), **_cells(names[bot["agent"]], bot, rounds, is_narrow)}
        for place, bot in enumerate(results["bots"], 1)
    ]


def _cells(name: str, bot: dict[str, Any], rounds: str, is_narrow: bool) -> dict[str, str]:
    points = bot["points"]
    spread = "" if points["low"] is None or is_narrow else f" ({points['low']:.1f} to {points['high']:.1f})"
    rank = {} if is_narrow else {"rank": decimals(bot["mean_rank"], 2)}
    return {
        "bot": name, "games": str(bot["games"]), "rating": _rating(bot["rating"]), "wins %": percent(bot["win_rate"]),
        "points": decimals(points["value"]) + spread, **rank, rounds: decimals(bot["mean_years"]),
    }  # fmt: skip


def decimals(value: float | None, digits: int = 1) -> str:
    """Return a number with some decimals; "-" for None."""
    return "-" if value is None else f"{value:.{digits}f}"


def _rating(rating: dict[str, float | None]) -> str:
    bounds = "" if rating["low"] is None else f" ({rating['low']:+.0f} to {rating['high']:+.0f})"
    return "-" if rating["value"] is None else f"{rating['value']:+.0f}{bounds}"


def _game_of(results: dict[str, Any]) -> GameSpec:
    return game_spec(results["settings"].get("game", DEFAULT))


def describe_games(results: dict[str, Any]) -> str:
    """Return the number of games and of seats in one line."""
    seats, cut_off = len(results["seats"]), f", {results['truncated']} cut off" if results["truncated"] else ""
    cut_off += f", {results['void']} void" if "void" in results else ""
    average = f"{seats} at a table, {decimals(results['mean_years'])} {_game_of(results).clock.word}s on average"
    table = f"a team of {seats}" if "teams" in results else average
    return f"{count(results['games'], 'game')} on {count(results['seeds'], 'seed')}{cut_off}, {table}"


def remarks_of(results: dict[str, Any], names: dict[str, str] | None = None) -> list[str]:
    """Return the remarks below a table. A bot's seeds may be fewer than all, because tables may be sampled."""
    is_of_team = "teams" in results
    legend = "all seats win together or lose together; in brackets: 95 % intervals" if is_of_team else (
        "in brackets: 95 % intervals; rating: Elo above the mean of the bots, by the Plackett-Luce model"
    )  # fmt: skip
    few = few_seeds(min(bot["win_rate"]["seeds"] for bot in results["bots"]))
    counts = {
        kind: {(names or {}).get(bot["agent"], bot["agent"]): bot[kind] for bot in results["bots"]}
        for kind in (FORFEITS, NOTES)
    }
    verb = "failed in" if "on_failure" in results["settings"] else "lost"
    return [legend, *([few] if few else []), *remarks(counts, verb=verb)]
