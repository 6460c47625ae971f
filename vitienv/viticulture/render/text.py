"""A game in words, for terminals: the table, each vineyard, and the hands that the reader may see."""

from __future__ import annotations

from typing import Any

from vitienv.core.words import seat_name, seat_title

COLUMNS = ("seat", "points", "lira", "residual", "wake-up", "workers left", "cards")
INDENT = "  "
AUTOMA, BLOCKER, STAND_IN = "automa", "blocker", 1


def render(game: Any, viewer: int | None = None) -> str:
    """The state of a game as lines of text.

    viewer: the seat that reads; only its hand is shown, unless the game is played with open hands. None shows every
    hand.
    """
    position = game.to_dict()
    lines = [_headline(game), ""]
    lines += _table([COLUMNS, *(_seat_row(game, seat, place) for seat, place in enumerate(position["seats"]))])
    for seat, place in enumerate(position["seats"]):
        if seat == STAND_IN and game.options.stand_in == BLOCKER:
            continue  # it has no vineyard
        is_shown = viewer is None or viewer == seat or game.options.open_hands
        lines += ["", seat_title(seat), *_vineyard(place), *(_hand(place["hand"]) if is_shown else [])]
    if "automa_points" in position:
        lines += ["", "Automa", *_automa(game, position)]
    if position["board"]:
        lines += ["", "Board", *_pairs([(action, _stands(stands)) for action, stands in position["board"].items()])]
    return "\n".join(lines)


def _headline(game: Any) -> str:
    when = f"Year {game.year}, {game.to_dict()['season']}" if game.year else "Set-up"
    if game.is_over:
        if game.outcome is not None:
            lost_early = ", lost before the end" if game.record.lost else ""
            return f"{when}. Over: {game.outcome}, {game.scores[0]} points, the Automa {game.automa_score}{lost_early}."
        ranks = ", ".join(f"{seat_name(seat)}: rank {rank}" for seat, rank in enumerate(game.ranking))
        return f"{when}. {'Cut off' if game.is_truncated else 'Over'}: {ranks}."
    return f"{when}. {seat_title(game.seat)} decides: {game.decision}."


def _seat_row(game: Any, seat: int, place: dict[str, Any]) -> tuple[str, ...]:
    workers = [f"{n} {name}" for name, n in place["workers"].items() if n]
    cards = sum(len(held) for held in place["hand"].values())
    return (
        f"{'>' if seat == game.seat else ' '} {seat + 1}{' (first)' if seat == int(game.record.first_player) else ''}",
        str(place["victory_points"]),
        str(place["lira"]),
        str(place["residual"]),
        str(place["wake_up"] or "-") + (" passed" if place["passed"] else ""),
        ", ".join(workers) or "-",
        str(cards),
    )


def _automa(game: Any, position: dict[str, Any]) -> list[str]:
    """The Automa's marker, and its cards still to come if there are any."""
    marker = f"{position['automa_points']} points"
    marker += " (to be passed by the end of the year)" if game.options.aggressive else ""
    cards = [] if game.options.stand_in else [("deck", f"{len(position['automa_deck'])} cards")]
    return _pairs([("marker", marker), *cards])


def _vineyard(place: dict[str, Any]) -> list[str]:
    tokens = []
    if "glass_tokens" in place:
        rows = " ".join(map(str, place["glass_tokens"])) or "-"
        tokens = [("tokens", f"bonus action {place['bonus_tokens']}; glass on wake-up rows {rows}")]
    return _pairs(
        [
            ("structures", ", ".join(place["structures"]) or "-"),
            ("fields", "; ".join(f"{field['capacity']}: {_field(field)}" for field in place["fields"])),
            ("crush pad", _tokens(place["crush_pad"])),
            ("cellar", _tokens(place["cellar"])),
            *tokens,
        ]
    )


def _field(field: dict[str, Any]) -> str:
    if field["sold"]:
        return "sold"
    return (", ".join(field["vines"]) or "empty") + (" (harvested)" if field["harvested"] else "")


def _tokens(kinds: dict[str, list[int]]) -> str:
    return "; ".join(f"{kind} {' '.join(map(str, values))}" for kind, values in kinds.items() if values) or "-"


def _hand(hand: dict[str, list[str]]) -> list[str]:
    held = [f"{deck}: {', '.join(cards)}" for deck, cards in hand.items() if cards]
    return _pairs([("hand", "; ".join(held) or "-")])


def _stands(stands: list[dict[str, Any]]) -> str:
    return ", ".join(
        f"Automa ({stand['space']})"
        if stand["seat"] == AUTOMA
        else f"{seat_name(stand['seat'])} ({stand['worker']}, {stand['space']})"
        for stand in stands
    )


def _pairs(pairs: list[tuple[str, str]]) -> list[str]:
    width = max(11, *(len(name) for name, _ in pairs))
    return [f"{INDENT}{name:<{width}} {text}" for name, text in pairs]


def _table(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [INDENT.join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def standing(game: Any) -> str:
    """Points and lira of each seat, in one line."""
    lira = game.record.lira
    return ", ".join(f"{seat_name(seat)} {points} VP {int(lira[seat])} lira" for seat, points in enumerate(game.scores))
