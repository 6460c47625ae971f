"""Page of a tournament: standings, pairs of bots, seats, failures, and games with links to replays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vitienv.core.files import atomic, write_json
from vitienv.core.text_utils import count, sentence
from vitienv.registry import game_spec
from vitienv.render.text import seat_name
from vitienv.training.evaluation.notes import public_names
from vitienv.training.evaluation.result_table import cell_text
from vitienv.training.evaluation.standings import ON_FAILURE, describe_games, remarks_of, standing_rows, write_table
from vitienv.training.report.html_page import html_note, html_page, html_provenance, html_section, html_table

if TYPE_CHECKING:
    import pandas as pd

PAGE_FILE = "index.html"
REPLAYS = "replays"  # directory of the replays, one page per game
MAX_LISTED_GAMES = 5000


def write(folder: Path, frame: pd.DataFrame, results: dict[str, Any]) -> None:
    """Write games.parquet, table.csv, index.html and, last, results.json."""
    with atomic(folder / "games.parquet") as temporary:
        frame.to_parquet(temporary, index=False)
    write_table(folder / "table.csv", results)
    write_page(folder, frame, results)
    write_json(folder / "results.json", results)


def write_page(folder: Path, frame: pd.DataFrame, results: dict[str, Any]) -> None:
    """Write index.html, with links to the replays in the directory. frame: content of games.parquet."""
    replays = {path.stem: f"{REPLAYS}/{path.name}" for path in (folder / REPLAYS).glob("*.html")}
    with atomic(folder / PAGE_FILE) as temporary:
        temporary.write_text(page_of(frame, results, replays), encoding="utf-8")


def page_of(frame: pd.DataFrame, results: dict[str, Any], replays: Mapping[str, str]) -> str:
    """Return the page. replays: their addresses by number of the game. Names of bots are as in published files."""
    settings, bots = results["settings"], results["bots"]
    on_failure = settings["on_failure"]
    names = dict(zip(settings["agents"], public_names(settings["agents"]), strict=True))
    game = game_spec(settings["game"])
    ahead = {(pair["agent"], pair["than"]): cell_text(pair["ahead"], "%") for pair in results["ahead"]}
    pairs = [
        {"": str(place), "bot": names[bot["agent"]]}
        | {str(i): ahead.get((bot["agent"], other["agent"]), "") for i, other in enumerate(bots, 1)}
        for place, bot in enumerate(bots, 1)
    ]
    seats = [
        {"bot": bot} | {
            f"{seat_name(seat['seat'])}, {heading}": cell_text(seat[name], heading)
            for seat in by_seat
            for heading, name in (("wins %", "win_rate"), ("points", "mean_points"))
        }
        for bot, by_seat in [*((names[row["agent"]], row["by_seat"]) for row in bots), ("all bots", results["seats"])]
    ]  # fmt: skip
    kinds = sorted({kind for bot in bots for kind in bot["forfeits"]})
    failures = [
        {"bot": names[bot["agent"]], **{kind: str(bot["forfeits"].get(kind, 0)) for kind in kinds}}
        for bot in bots if bot["forfeits"]
    ]  # fmt: skip
    games = _games(frame.head(MAX_LISTED_GAMES * len(results["seats"])), names, game.rounds.word, on_failure == "void")
    cells = games[0] if games else {}
    options = ", ".join(f"{name} {value}" for name, value in settings["options"].items())
    return html_page(
        f"{game.title}: tournament of {count(len(bots), 'bot')}",
        html_note(describe_games(results)),
        html_section("standings", "Standings", html_table(standing_rows(results, names), ("bot", "bot or team")),
                     html_note(sentence("; ".join(remarks_of(results, names))))),
        *([] if "teams" in results else [
            html_section("pairs", "Pairs of bots", html_table(pairs, ("bot",)),
                         html_note("How often, in %, the bot of the row finished ahead of the bot of the column."))]),
        html_section("seats", "Seats", html_table(seats, ("bot",))),
        html_section("failures", "Failures", html_table(failures, ("bot",)),
                     *([html_note(ON_FAILURE[on_failure])] if failures else [])),
        html_section("games", "Games", html_table(games, [name for name in cells if "seat" in name], replays),
                     html_note(f"{len(games)} of {count(frame['game'].nunique(), 'game')}; all rows: games.parquet. "
                               "★: first place. Games on one seed have the same deal.")),
        html_provenance({
            "Game": f"{game.title}, {options}",
            "Seed": ", ".join(str(part["seed"]) for part in results.get("merged", [settings])),
            "Played with": ", ".join(f"{name} {version}" for name, version in results["versions"].items()),
        }),
    )  # fmt: skip


def _games(frame: pd.DataFrame, names: Mapping[str, str], word: str, has_void: bool) -> list[dict[str, str]]:
    games = []
    for number, seats in frame.groupby("game"):
        cells, is_void = {"game": str(number)}, has_void and seats["forfeit"].any()
        for row in seats.to_dict("records"):
            mark = (" ★" if row["win"] and not is_void else "") + (f" ({row['forfeit']})" if row["forfeit"] else "")
            cells[seat_name(row["seat"])] = f"{names[row['agent']]} {row['points']}{mark}"
        columns = {f"{word}s": "year", "decisions": "decisions", "seed": "seed"}
        games.append(cells | {heading: str(row[name]) for heading, name in columns.items()})
    return games
