"""Requests of a table's page, the same for the server and the static page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from vitienv.registry import game_spec
from vitienv.web.start_form import form_fields
from vitienv.web.table import Table

MAX_INTEGER, MAX_WORD_CHARS = 2**63, 100
LEVEL = ("difficulty", "aggressive")  # options of a campaign
TEXTS = {"hint": "bot", "explain": "word"}  # text parameters of requests


def new_table(tables: type[Table], games: Sequence[str], game: Any, body: Mapping[str, Any]) -> Table:
    """Return the table of a request for a new game. ValueError for other games, as they would be imported by name."""
    if game not in games:
        raise ValueError(f"unknown game {game!r}; expected one of: {', '.join(games)}")
    seats, seed, options = seats_of(body), body.get("seed"), body.get("options", {})
    if seed is not None and not is_number(seed):
        raise ValueError("seed must be an integer of at least 0")
    if not isinstance(options, dict):
        raise ValueError("options must be a mapping")
    if body.get("campaign") is True:
        return tables.of_campaign(game, seats, seed, {key: options[key] for key in LEVEL if key in options})
    fields = form_fields(game_spec(game).options.of(**{k: v for k, v in options.items() if k == "ruleset"}))
    for name in options:
        if name not in ("ruleset", "num_players", *fields):  # some options name files
            raise ValueError(f"unknown option {name!r}; expected one of: {', '.join(fields)}")
    return tables.new(game, seats, seed, options)


def respond(table: Table, request: str, query: Mapping[str, str], body: Mapping[str, Any]) -> Any:
    """Return the response of a table: JSON, the text of a file, or a new table. request: "" for the view."""
    numbers = numbers_of(query, TEXTS.get(request, ""))
    at = body.get("at")
    if request == "next":
        return table.next_of_campaign()
    if request == "again":
        return table.again(body.get("is_new_deal") is True)
    if request == "hint":
        bot = query.get("bot") or table.game.game_spec.heuristic_bot
        return {"action": table.hint(bot), "bot": bot}
    if request == "analysis":
        return table.analyse(numbers.get("at"))
    if request == "explain":
        word = query.get("word", "")
        if len(word) > MAX_WORD_CHARS:
            raise ValueError(f"word must have at most {MAX_WORD_CHARS} letters")
        return {"word": word, "lines": table.explain(word, numbers.get("viewer"))}
    if request in ("log", "page"):
        return _file(table, request)
    if request == "move":
        action = body.get("action")
        if not all(map(is_number, action if isinstance(action, list) else [action])) or not is_number(at):
            raise ValueError("action must be an integer or a list of integers, and at an integer")
        table.move(body["action"], body["at"])
    elif request == "advance":
        if at is not None and not is_number(at):
            raise ValueError("at must be an integer")
        table.advance(at)
    elif request == "undo":
        table.undo()
    return table.view(**numbers)


def _file(table: Table, kind: str) -> str:
    """Return the log or the replay of a finished game; seed and moves reveal hidden information before the end."""
    if not table.game.is_over:
        raise ValueError("the log is available after the game, as it reveals hidden information")
    log = {**table.log, "agents": table.names}
    if kind == "log":
        return json.dumps(log, indent=2, allow_nan=False)
    from vitienv.web.replay_page import replay_page

    return replay_page(log)


def numbers_of(query: Mapping[str, str], text: str = "") -> dict[str, int]:
    """Return the integers of a query string; ValueError for other keys than the known ones and `text`."""
    numbers = {}
    for key, value in query.items():
        if key == text:
            continue
        if key not in ("viewer", "columns", "at", "since") or not value.isascii() or not value.isdigit():
            raise ValueError(f"{key} must be an integer parameter of this address")
        if len(value) > 9:
            raise ValueError(f"{key} must have at most 9 digits")
        numbers[key] = int(value)
    return numbers


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_INTEGER


def seats_of(body: Mapping[str, Any]) -> list[str]:
    seats = body.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise ValueError("seats must be a list of strings")
    return seats
