"""Results of a tournament: ratings, win rates and means, as JSON and as tables."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.text_utils import count
from vitienv.registry import game_spec
from vitienv.render.text import seat_name
from vitienv.training.evaluation.notes import FORFEITS, NOTES, names_of, remarks
from vitienv.training.evaluation.result_table import cell_text, text_rows, write_csv
from vitienv.training.intervals import Share, clustered_mean, clustered_share, few_seeds, shares
from vitienv.training.ratings import rate, win_shares

if TYPE_CHECKING:
    import pandas as pd
    from rich.table import Table

    from vitienv.core.game_spec import GameSpec


NOTE = "note_"  # prefix of columns with counters of bots
ON_FAILURE = {
    "forfeit": "A program that fails is last in that game, and the others share the first place.",
    "void": "A game in which a program fails does not count.",
    "replace": "The bot random plays on for a program that fails, and its result counts for the program.",
}
TABLE = "agent", "games", "rating", "win_rate", "points", "mean_rank", "mean_years"  # columns of table.csv
FULL_WIDTH = 110  # characters per line required by the full table


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
    rated = [agent for agent in agents if (frame["agent"] == agent).any()]
    number = {agent: i for i, agent in enumerate(rated)}
    bot_ids = frame["agent"].map(number).to_numpy(np.int64).reshape(-1, num_players)
    ranks = frame["rank"].to_numpy().reshape(-1, num_players)
    ranks = np.where(frame["truncated"].to_numpy().reshape(-1, num_players), 1, ranks)  # a truncated game is a draw
    seeds = frame["seed_number"].to_numpy()[::num_players]
    ratings = dict(zip(rated, rate(len(rated), bot_ids, ranks, seeds), strict=True)) if rated else {}
    bots = []
    for agent in agents:
        rating = ratings.get(agent, dict.fromkeys(("value", "low", "high")))
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
        "ahead": _pairwise(bot_ids, ranks, seeds, rated),
    }


def _teams(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return games, win rate and mean points of each set of bots that played together, in any seats."""
    team_names = frame.groupby("game")["agent"].transform(lambda agents: " + ".join(sorted(agents)))
    teams = [
        {"agents": team_name, **{name: _seat(rows, 0)[name] for name in ("games", "win_rate")},
         "points": float(rows["points"].mean())}
        for team_name, rows in frame.groupby(team_names)
    ]  # fmt: skip
    return sorted(teams, key=lambda team: (-(team["win_rate"]["value"] or 0), -team["points"], team["agents"]))


def _bot(rows: pd.DataFrame, agent: str, rating: dict[str, float | None], num_players: int) -> dict[str, Any]:
    return {
        "agent": agent,
        "games": int(rows["game"].nunique()),
        "seats": len(rows),
        "rating": rating,
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


def _pairwise(bot_ids: np.ndarray, ranks: np.ndarray, seeds: np.ndarray, agents: list[str]) -> list[dict[str, Any]]:
    """Return for each pair of bots how often the first finished ahead of the second; ties count half."""
    import pandas as pd

    parts = []
    for i, j in permutations(range(bot_ids.shape[1]), 2):
        ahead = (ranks[:, i] < ranks[:, j]) + 0.5 * (ranks[:, i] == ranks[:, j])
        parts.append(pd.DataFrame({"bot": bot_ids[:, i], "than": bot_ids[:, j], "seed_number": seeds, "ahead": ahead}))
    rows = pd.concat(parts, ignore_index=True)
    table = shares(rows[rows["bot"] != rows["than"]], ["bot", "than"], "ahead")
    return [
        {"agent": agents[bot], "than": agents[than], "met": int(row["n"]), "ahead": {
            "value": float(row["share"]), "low": row["low"], "high": row["high"], "seeds": int(row["seeds"])}}
        for (bot, than), row in zip(table.index, table.to_dict("records"), strict=True)
    ]  # fmt: skip


def write_table(path: Path, results: dict[str, Any]) -> None:
    """Write table.csv: a row per bot, with a column for each kind of forfeit or counter."""
    bots, rows = results["bots"], []
    counts = [(kind, key) for kind in (FORFEITS, NOTES) for key in sorted({key for bot in bots for key in bot[kind]})]
    for place, bot in enumerate(bots, 1):
        row = {"place": place} | {name: bot[name] for name in TABLE}
        row |= {f"win_rate_seat_{seat['seat']}": seat["win_rate"] for seat in bot["by_seat"]}
        rows.append(row | {f"{kind}_{name}": bot[kind].get(name, 0) for kind, name in counts})
    write_csv(path, {name: name for name in rows[0]}, rows)


def show(results: dict[str, Any], width: int = FULL_WIDTH) -> Table:
    """Return the results as a table for a terminal of some width in characters; narrow ones get fewer columns."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    rows = standing_rows(results, names_of(bot["agent"] for bot in results["bots"]), width < FULL_WIDTH)
    if width >= FULL_WIDTH and "teams" not in results:
        for row, bot in zip(rows, results["bots"], strict=True):
            row |= {f"{seat_name(seat['seat'])} %": cell_text(seat["win_rate"], "%") for seat in bot["by_seat"]}
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
        bots = [bot | {"agents": names[bot["agent"]], "points": bot["points"]["value"]} for bot in results["bots"]]
        teams = [
            team | {"agents": " + ".join(names.get(bot, bot) for bot in team["agents"].split(" + "))}
            for team in results["teams"]
        ]
        headings = {"agents": "bot or team", "games": "games", "win_rate": "won %", "points": "points a seat"}
        return text_rows(headings, bots + teams)
    headings = {
        "place": "", "agent": "bot", "games": "games", "rating": "rating", "win_rate": "wins %",
        "points.value" if is_narrow else "points": "points", **({} if is_narrow else {"mean_rank": "rank"}),
        "mean_years": f"{_game_of(results).rounds.word}s",
    }  # fmt: skip
    places = enumerate(results["bots"], 1)
    return text_rows(headings, [bot | {"place": place, "agent": names[bot["agent"]]} for place, bot in places])


def _game_of(results: dict[str, Any]) -> GameSpec:
    return game_spec(results["settings"]["game"])


def describe_games(results: dict[str, Any]) -> str:
    """Return the number of games and of seats in one line."""
    seats, cut_off = len(results["seats"]), f", {results['truncated']} cut off" if results["truncated"] else ""
    cut_off += f", {results['void']} void" if "void" in results else ""
    average = f"{seats} at a table, {cell_text(results['mean_years'])} {_game_of(results).rounds.word}s on average"
    table = f"a team of {seats}" if "teams" in results else average
    return f"{count(results['games'], 'game')} on {count(results['seeds'], 'seed')}{cut_off}, {table}"


def remarks_of(results: dict[str, Any], names: dict[str, str] | None = None) -> list[str]:
    """Return the remarks below a table. A bot's seeds may be fewer than all, because tables may be sampled."""
    is_of_team = "teams" in results
    description = "all seats win together or lose together; in brackets: 95 % intervals" if is_of_team else (
        "in brackets: 95 % intervals; rating: Elo above the mean of the bots, by the Plackett-Luce model"
    )  # fmt: skip
    warning = few_seeds(min(bot["win_rate"]["seeds"] for bot in results["bots"]))
    bots = {(names or {}).get(bot["agent"], bot["agent"]): bot for bot in results["bots"]}
    counts = {kind: {name: bot[kind] for name, bot in bots.items()} for kind in (FORFEITS, NOTES)}
    verb = "lost" if results["settings"]["on_failure"] == "forfeit" else "failed in"
    return [description, *([warning] if warning else []), *remarks(counts, verb=verb)]
