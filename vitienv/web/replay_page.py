"""A replay as one self-contained HTML page."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Mapping
from html import escape
from importlib.resources import files
from typing import Any

from vitienv.render.text import choices, seat_name, seat_title
from vitienv.session.replay import (
    describe_candidate,
    describe_forfeit,
    display_names,
    position_after,
    read_agents,
    replay,
    short_name,
    visible_candidates,
)
from vitienv.web.score_sheet import score_chart

FORMS = (3, 1)  # columns of the drawing on wide and on narrow pages
PANEL = re.compile(r'(<g transform="[^"]*">)')  # start of a piece of a drawing; equal pieces are stored once


def replay_page(log: Mapping[str, Any], report: Callable[[int, int], None] | None = None) -> str:
    """Return a log as an HTML page with stepping, playback and the points over time.

    report: called with the numbers of drawn and of all moves. ValueError if the log is damaged or the game has no
    drawing.
    """
    static = files("vitienv.web") / "static"
    data = story(log, report)
    page = (static / "replay.html").read_text(encoding="utf-8")
    for mark, text in {
        "<!-- title -->": escape(data["title"]),
        "/* style */": (static / "replay.css").read_text(encoding="utf-8"),
        "/* script */": (static / "replay.js").read_text(encoding="utf-8"),
        "<!-- data -->": _encode(data),
    }.items():
        page = page.replace(mark, text)
    return page


def _encode(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode("utf-8", "backslashreplace"), 9)).decode("ascii")


def story(log: Mapping[str, Any], report: Callable[[int, int], None] | None = None) -> dict[str, Any]:
    """Return the data of the page: drawings, descriptions of the moves, first move of each round, chart of points."""
    considered = visible_candidates(log, replay(log))  # refuses a damaged log before drawing
    game = position_after(log, 0)
    forfeit = describe_forfeit(log, game.num_players)
    agents = read_agents(log, game.num_players)
    names = [f"{seat + 1} {short_name(agent)}" if agent else seat_title(seat) for seat, agent in enumerate(agents)]
    full = [f"{seat + 1} {agent}" if agent else seat_name(seat) for seat, agent in enumerate(agents)]
    people, describe_move = display_names(agents), game.game_spec.text_module.describe_move
    pieces: dict[str, int] = {}  # indices
    drawings, moves, points = [], [], []
    years: list[dict[str, int]] = []
    for number in range(len(log["moves"]) + 1):
        if number:
            before = game.copy()
            game.step(log["moves"][number - 1])
            sentences = " ".join(describe_move(before, game, game.moves[-1], people))
            move: dict[str, Any] = {"seat": before.current_seat, "text": sentences}
            if actions := considered[number - 1]:
                titles = {row.action: row.name for row in choices(before, people)}
                move["considered"] = [
                    {"title": titles.get(row["action"], row["action"]), "text": describe_candidate(row),
                     "chosen": row["action"] == game.moves[-1]} for row in actions
                ]  # fmt: skip
            moves.append(move)
        parts_by_form = [filter(None, PANEL.split(game.svg(None, names, columns))) for columns in FORMS]
        drawings.append([[pieces.setdefault(part, len(pieces)) for part in parts] for parts in parts_by_form])
        points.append(game.scores)
        if not years or years[-1]["year"] != game.round:
            years.append({"year": game.round, "at": number})
        if report is not None:
            report(number, len(log["moves"]))
    word = game.game_spec.rounds.word
    return {
        "title": f"{game.game_spec.title}: {game.options.ruleset}, {', '.join(full)}",
        "word": word.capitalize(),
        "names": names,
        "forms": list(FORMS),
        "pieces": list(pieces),
        "shown": drawings,
        "moves": moves,
        "chart": score_chart(points, {year["year"]: year["at"] for year in years}, names),
        "years": years,
        "ranks": game.ranks if game.is_over else None,
        "forfeit": forfeit,
    }
