"""The table as people want to see it: who stands how, the vineyards, one's own hand, where workers stand."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.cards import CARD_IDS, N_KINDS
from vitienv.viticulture.names import (
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
from vitienv.viticulture.render.words.board import act_name
from vitienv.viticulture.render.words.cards import card_of, cards_drawn, held
from vitienv.viticulture.render.words.choices import field_name, vines_on
from vitienv.viticulture.render.words.plain import count, lira, listed, plain, points
from vitienv.viticulture.rulesets.solo import BLOCKER
from vitienv.viticulture.state import Rule

STAND_IN = 1
LABEL = 12  # columns for what a line is about
HAND_WORDS = {"vine": "vines", "order": "orders", "summer": "summer", "winter": "winter"}


def aim(game: Any) -> str:
    """What wins, and how much time is left."""
    record, rules = game.record, game.record.rules
    last = int(rules[Rule.LAST_YEAR])
    if rules[Rule.MARKER]:
        marker = points(int(record.automa_vp))
        if rules[Rule.AGGRESSIVE]:
            return f"End every year with more points than the Automa, this one with more than {int(record.automa_vp)}."
        return f"Pass the Automa's {marker} by the end of year {last}."
    if last:
        return f"Most points after {last} years win."
    if record.goal_reached:
        return f"Somebody has reached {points(int(rules[Rule.GOAL_VP]))}: this is the last year."
    return f"Most points win; reaching {int(rules[Rule.GOAL_VP])} makes it the last year."


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """The state of the game in lines. viewer: whose hand is shown; None shows all."""
    lines = textwrap.wrap(_headline(game), max(40, width))
    seats = list(range(game.num_players))
    if viewer is not None:  # the reader's own vineyard stands last, next to the question
        seats = [(viewer + k) % game.num_players for k in range(1, game.num_players)] + [viewer]
    for seat in seats:
        if seat == STAND_IN and game.options.stand_in == BLOCKER:
            continue  # it has no vineyard
        is_own = viewer is None or viewer == seat or game.options.open_hands
        lines += ["", *_standing(game, seat, names, width), *_vineyard(game, seat, is_own, width)]
    board = _board(game, names)
    return "\n".join([*lines, *(["", *_labelled("On board", board, width)] if board else [])])


def _headline(game: Any) -> str:
    last = int(game.record.rules[Rule.LAST_YEAR])
    when = f"Year {game.year}{f' of {last}' if last else ''}, {plain(SEASONS[int(game.record.season)])}"
    if game.record.season == Season.SETUP:
        when = "Before the first year"
    elif game.record.season == Season.YEAR_END:
        when = f"End of year {game.year}{f' of {last}' if last else ''}"
    if game.is_over:
        return f"{when}. The game was lost before its end." if game.record.lost else f"{when}."
    return f"{when}. {aim(game)}"


def _standing(game: Any, seat: int, names: Sequence[str], width: int) -> list[str]:
    """A seat's numbers, in a line if there is room."""
    r = game.record
    parts = [points(int(r.vp[seat])), lira(int(r.lira[seat])), f"+{int(r.residual[seat])} a year"]
    if r.row[seat]:
        parts.append(f"row {int(r.row[seat])}")
    in_play = r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if r.passed[seat] and in_play else _workers(r, seat))
    if r.rules[Rule.GLASS_TOKENS] or r.bonus_tokens[seat]:
        parts.append(count(int(r.bonus_tokens[seat]), "token"))
    if r.first_player == seat and game.num_players > 1:
        parts.append("first")
    mark = ">" if seat == game.seat else " "
    first = f"{mark} {names[seat]:<{LABEL + 1}} "
    text = ", ".join(parts)
    return textwrap.wrap(text, max(40, width), initial_indent=first, subsequent_indent=" " * (LABEL + 4))


def _workers(r: Any, seat: int) -> str:
    regular, grande, temporary = (int(r.free[seat, worker]) for worker in Worker)
    found = count(regular, "worker")
    return found + " + grande" * bool(grande) + " + temporary" * bool(temporary)


def _vineyard(game: Any, seat: int, is_own: bool, width: int) -> list[str]:
    r = game.record
    built = [plain(name) for i, name in enumerate(STRUCTURES) if r.structures[seat, i]]
    pad = "; ".join(_tokens(r.crush[seat], COLOURS))
    cellar = "; ".join(_tokens(r.cellar[seat], WINES))
    lines = _labelled("built", ", ".join(built), width)
    lines += _labelled("fields", "; ".join(_field(r, seat, field) for field in range(N_FIELDS)), width)
    tokens = ", ".join([f"grapes: {pad}"] * bool(pad) + [f"wines: {cellar}"] * bool(cellar))
    lines += _labelled("in store", tokens, width)
    if r.rules[Rule.GLASS_TOKENS] and r.glass[seat].any():
        rows = listed(str(int(i) + 1) for i in np.flatnonzero(r.glass[seat]))
        lines += _labelled("rows left", rows, width)
    if is_own:
        return lines + _hand(r.hand[seat], width)
    known = _known(r, seat)
    cards = cards_drawn(r.n_hand[seat]) + (f"; known: {known}" if known else "")
    return lines + _labelled("cards", cards, width)


def _known(r: Any, seat: int) -> str:
    """Cards of another hand that everybody has seen."""
    kinds = [kind for kind in range(N_KINDS) if r.hand[seat, kind] and r.shown[seat, kind] == 63]
    return listed(card_of(kind).title for kind in kinds)


def _field(r: Any, seat: int, field: int) -> str:
    name, limit = field_name(r, field).removeprefix("Field "), ask(asked_of(r), Ask.FIELD_CAPACITY, seat, field)
    if r.sold[seat, field]:
        return f"{name} sold"
    vines = vines_on(r, seat, field)
    limit_told = "" if name == str(limit) else f" (limit {limit})"
    return f"{name}{limit_told} {vines or 'empty'}" + (" harvested" if r.harvested[seat, field] else "")


def _tokens(slots: Any, words: Sequence[str]) -> list[str]:
    """The values of each kind: "red 1 3"."""
    return [
        f"{word} {' '.join(str(int(value) + 1) for value in np.flatnonzero(slots[i]))}"
        for i, word in enumerate(words)
        if slots[i].any()
    ]


def _hand(hand: Any, width: int) -> list[str]:
    """The own cards, vines and orders with what they need and bring."""
    lines = []
    for deck, kinds in held(hand).items():
        lines += _labelled(HAND_WORDS[deck], "; ".join(_card(deck, kind) for kind in kinds), width)
    return lines or _labelled("hand", "no cards", width)


def _card(deck: str, kind: int) -> str:
    card = card_of(kind)
    if deck == "order":
        return f"no. {int(CARD_IDS[kind][-2:])}, {card.short}"
    return f"{card.title} ({card.short})" if deck == "vine" else card.title


def _board(game: Any, names: Sequence[str]) -> str:
    """Who stands where, action by action."""
    r, found = game.record, []
    past = N_SUMMER_ACTIONS if r.season >= Season.FALL else 0  # what stands on summer actions matters no more
    for act in range(past, N_BOARD_ACTIONS):
        stand = [_worker(r, act, space, names) for space in range(N_SPACES) if r.space_seat[act, space] != NO_SEAT]
        stand += [f"{names[seat]} (grande)" for seat in range(game.num_players) if (int(r.crowd[act]) >> seat) & 1]
        if stand:
            found.append(f"{act_name(act)}: {', '.join(stand)}")
    for seat in range(game.num_players):
        if (n := int(r.cart[seat].sum())) > 0:
            found.append(f"Cart: {names[seat]}" + (f" ({n})" if n > 1 else ""))
    return "; ".join(found)


def _worker(r: Any, act: int, space: int, names: Sequence[str]) -> str:
    seat = int(r.space_seat[act, space])
    name = "Automa" if seat == AUTOMA else names[seat]
    remarks = ["grande"] * (seat != AUTOMA and int(r.space_worker[act, space]) == Worker.GRANDE)
    remarks += ["bonus"] * (space == Space.BONUS)
    return name + (f" ({', '.join(remarks)})" if remarks else "")


def _labelled(label: str, text: str, width: int) -> list[str]:
    """A line that begins with what it is about, broken where the width ends; nothing where there is nothing to say."""
    if not text:
        return []
    indent = " " * (LABEL + 4)
    first = f"    {label:<{LABEL}}"
    return textwrap.wrap(text, max(40, width), initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)

