"""The table as text: seats, vineyards, hand, and workers on the board."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vitienv.viticulture.enums import (
    AUTOMA,
    COLOURS,
    N_BOARD_ACTIONS,
    N_FIELDS,
    N_SPACES,
    N_SUMMER_ACTIONS,
    NO_SEAT,
    SEASONS,
    STRUCTURES,
    WINES,
    Season,
    Space,
    Worker,
)
from vitienv.viticulture.positions.keys import is_blocker_seat, seen_kinds
from vitienv.viticulture.queries import Query, query, query_games
from vitienv.viticulture.render.text.board import act_name
from vitienv.viticulture.render.text.cards import card_of, card_summary, cards_drawn, hand_by_deck
from vitienv.viticulture.render.text.choices import field_name, vines_on
from vitienv.viticulture.render.text.phrases import count, lira, listed, plain, points
from vitienv.viticulture.state import Rule

LABEL = 12  # width of labels
HAND_WORDS = {"vine": "vines", "order": "orders", "summer": "summer", "winter": "winter"}


def aim(game: Any) -> str:
    """Return the goal of the game and the remaining time."""
    record, rules = game.state, game.state.rules
    last = int(rules[Rule.LAST_YEAR])
    if rules[Rule.MARKER]:
        marker = points(int(record.automa_vp))
        if rules[Rule.AGGRESSIVE]:
            return f"End every year with more points than the Automa, this one with more than {int(record.automa_vp)}."
        return f"Score more than {marker} by the end of year {last}."
    if last:
        return f"Most victory points after {last} years win."
    if record.goal_reached:
        return f"Someone has reached {points(int(rules[Rule.GOAL_VP]))}: this is the last year."
    return f"Most victory points win. The game ends after the year in which someone reaches {int(rules[Rule.GOAL_VP])}."


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """Return the state of the game as text. viewer: seat whose hand is shown; None shows all."""
    lines = textwrap.wrap(_headline(game), max(40, width))
    lines += seat_lines(game, viewer, names, width, lambda seat: _standing(game, seat))
    text = _board(game, names)
    return "\n".join([*lines, *(["", *lay_out([("On board", text)], width)] if text else [])])


def _headline(game: Any) -> str:
    last = int(game.state.rules[Rule.LAST_YEAR])
    time = f"Year {game.year}{f' of {last}' if last else ''}, {plain(SEASONS[int(game.state.season)])}"
    if game.state.season == Season.SETUP:
        time = "Before the first year"
    elif game.state.season == Season.YEAR_END:
        time = f"End of year {game.year}{f' of {last}' if last else ''}"
    if game.is_over:
        return f"{time}. The game was lost before its end." if game.state.lost else f"{time}."
    return f"{time}. {aim(game)}"


def seat_lines(
    game: Any, viewer: int | None, names: Sequence[str], width: int, standing: Callable[[int], list[str]]
) -> list[str]:
    """Return the seats with their vineyards. standing: returns the row, workers and tokens of a seat."""
    record, lines = game.state, []
    seats = list(range(game.num_players))
    if viewer is not None:  # the viewer's vineyard comes last, next to the question
        seats = seats[viewer + 1 :] + seats[: viewer + 1]
    for seat in seats:
        if is_blocker_seat(record, seat):
            continue  # it has no vineyard
        mark = ">" if seat == game.current_seat else " "
        money = f"{lira(int(record.lira[seat]))}, +{int(record.residual[seat])} a year"
        text = ", ".join([points(int(record.vp[seat])), money, *standing(seat)])
        lines += ["", *wrap(text, width, f"{mark} {names[seat]:<{LABEL + 1}} ", " " * (LABEL + 4))]
        is_own = viewer is None or viewer == seat or game.options.open_hands
        lines += lay_out(vineyard(game, seat, is_own, viewer), width)
    return lines


def _standing(game: Any, seat: int) -> list[str]:
    r = game.state
    parts = [f"row {int(r.row[seat])}"] if r.row[seat] else []
    in_play = r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if r.passed[seat] and in_play else _workers(r, seat))
    if r.rules[Rule.GLASS_TOKENS] or r.bonus_tokens[seat]:
        parts.append(count(int(r.bonus_tokens[seat]), "token"))
    return parts + ["first"] * bool(r.first_player == seat and game.num_players > 1)


def _workers(r: Any, seat: int) -> str:
    regular, grande, temporary = (int(r.free[seat, worker]) for worker in Worker)
    text = count(regular, "worker")
    return text + " + grande" * bool(grande) + " + temporary" * bool(temporary)


def vineyard(game: Any, seat: int, is_own: bool, viewer: int | None) -> list[tuple[str, str]]:
    """Return labels and texts of a vineyard. is_own: whether the viewer sees the hand."""
    r = game.state
    built = [plain(name) for i, name in enumerate(STRUCTURES) if r.structures[seat, i]]
    pad = "; ".join(_tokens(r.crush[seat], COLOURS))
    cellar = "; ".join(_tokens(r.cellar[seat], WINES))
    tokens = ", ".join([f"grapes: {pad}"] * bool(pad) + [f"wines: {cellar}"] * bool(cellar))
    parts = [("built", ", ".join(built))]
    parts += [("fields", "; ".join(_field(r, seat, field) for field in range(N_FIELDS))), ("in store", tokens)]
    if r.rules[Rule.GLASS_TOKENS] and r.glass[seat].any():
        parts.append(("rows left", listed(str(int(i) + 1) for i in np.flatnonzero(r.glass[seat]))))
    if is_own:
        return parts + _hand(r.hand[seat])
    known_cards = listed(card_of(kind).title for kind in seen_kinds(r, seat, viewer or 0))
    return [*parts, ("cards", cards_drawn(r.n_hand[seat]) + (f"; known: {known_cards}" if known_cards else ""))]


def _field(r: Any, seat: int, field: int) -> str:
    name, limit = field_name(r, field).removeprefix("Field "), query(query_games(r), Query.FIELD_CAPACITY, seat, field)
    if r.sold[seat, field]:
        return f"{name} sold"
    vines = vines_on(r, seat, field)
    limit_text = "" if name == str(limit) else f" (limit {limit})"
    return f"{name}{limit_text}: {vines or 'empty'}" + (" harvested" if r.harvested[seat, field] else "")


def _tokens(slots: Any, words: Sequence[str]) -> list[str]:
    """Return the values of each kind: "red 1 3"."""
    return [
        f"{word} {' '.join(str(int(value) + 1) for value in np.flatnonzero(slots[i]))}"
        for i, word in enumerate(words)
        if slots[i].any()
    ]


def _hand(hand: Any) -> list[tuple[str, str]]:
    decks = hand_by_deck(hand)
    parts = [(HAND_WORDS[deck], "; ".join(map(card_summary, kinds))) for deck, kinds in decks.items()]
    return parts or [("hand", "no cards")]


def _board(game: Any, names: Sequence[str]) -> str:
    r, lines = game.state, []
    past = N_SUMMER_ACTIONS if r.season >= Season.FALL else 0  # summer actions are over
    for act in range(past, N_BOARD_ACTIONS):
        occupied = [space for space in range(N_SPACES) if r.space_seat[act, space] != NO_SEAT]
        crowd = [name for seat, name in enumerate(names) if (int(r.crowd[act]) >> seat) & 1]
        workers = [_worker(r, act, space, names) for space in occupied]
        workers += [_with_remarks(name, ["grande"]) for name in crowd]
        if workers:
            lines.append(f"{act_name(act)}: {', '.join(workers)}")
    for seat in range(game.num_players):
        if (n := int(r.cart[seat].sum())) > 0:
            lines.append(f"Cart: {names[seat]}" + (f" ({n})" if n > 1 else ""))
    return "; ".join(lines)


def _worker(r: Any, act: int, space: int, names: Sequence[str]) -> str:
    seat = int(r.space_seat[act, space])
    remarks = ["grande"] * (seat != AUTOMA and int(r.space_worker[act, space]) == Worker.GRANDE)
    remarks += ["bonus"] * (space == Space.BONUS)
    return _with_remarks("Automa" if seat == AUTOMA else names[seat], remarks)


def _with_remarks(name: str, remarks: Sequence[str]) -> str:
    return name + (f" ({', '.join(remarks)})" if remarks else "")


def lay_out(parts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Return labelled lines; empty texts are omitted."""
    rows = [(label, text) for label, text in parts if text]
    return [line for label, text in rows for line in wrap(text, width, f"    {label:<{LABEL}}", " " * (LABEL + 4))]


def wrap(text: str, width: int, first: str, indent: str) -> list[str]:
    return textwrap.wrap(text, max(40, width), initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
