"""The table as people want to see it: who stands how, the vineyards, one's own hand, where workers stand."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from enum import IntEnum
from typing import Any

import numpy as np

from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.cards import CARD_IDS
from vitienv.viticulture.names import (
    AUTOMA,
    COLOURS,
    DECKS,
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
from vitienv.viticulture.positions.told import kinds_seen
from vitienv.viticulture.render.words.board import act_name
from vitienv.viticulture.render.words.cards import card_of, cards_drawn, held, vine_row
from vitienv.viticulture.render.words.choices import field_name, vines_on
from vitienv.viticulture.render.words.plain import count, lira, listed, plain, points
from vitienv.viticulture.rulesets.solo import BLOCKER
from vitienv.viticulture.state import Rule

STAND_IN = 1
LABEL = 12  # columns for what a line is about
SIGNS = {"bonus": "*", "grande": " G"}  # in the brief form
HAND_WORDS = {"vine": "vines", "order": "orders", "summer": "summer", "winter": "winter"}


class Form(IntEnum):
    """How the table is put into lines: with empty ones between the seats; without; what a seat has in one paragraph;
    other seats with letters for colours and decks; of other seats how they stand alone."""

    WHOLE = 0
    CLOSE = 1
    RUN_ON = 2
    BRIEF = 3
    OWN = 4


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


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80, height: int | None = None) -> str:
    """The state of the game in lines. viewer: whose hand is shown; None shows all. height: lines that there are room
    for; the whole is then put as briefly as needed, and what does not fit however brief is longer."""
    lines: list[str] = []
    for form in Form:
        lines = _lines(game, viewer, names, width, form)
        if height is None or len(lines) <= height:
            break
    return "\n".join(lines)


def _lines(game: Any, viewer: int | None, names: Sequence[str], width: int, form: Form) -> list[str]:
    lines = textwrap.wrap(_headline(game), max(40, width))
    seats = list(range(game.num_players))
    if viewer is not None:  # the reader's own vineyard stands last, next to the question
        seats = [(viewer + k) % game.num_players for k in range(1, game.num_players)] + [viewer]
    for seat in seats:
        if seat == STAND_IN and game.options.stand_in == BLOCKER:
            continue  # it has no vineyard
        is_own = viewer is None or viewer == seat or game.options.open_hands
        if form == Form.BRIEF and not is_own:
            lines += in_brief(game, seat, names, width)
            continue
        lines += [""] * (form == Form.WHOLE) + _standing(game, seat, names, width)
        if form < Form.OWN or is_own:
            lines += laid_out(vineyard(game, seat, is_own, viewer), width, form)
    board = [("On board", text)] if (text := _board(game, names, form >= Form.BRIEF)) else []
    return lines + [""] * (form == Form.WHOLE and bool(board)) + laid_out(board, width, form)


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


def _standing(game: Any, seat: int, names: Sequence[str], width: int, more: str = "") -> list[str]:
    """A seat's numbers, in a line if there is room. more: further words of that line, for the brief form."""
    r = game.record
    a_year = f"+{int(r.residual[seat])}"
    money = f"{lira(int(r.lira[seat]))} {a_year}" if more else f"{lira(int(r.lira[seat]))}, {a_year} a year"
    parts = [points(int(r.vp[seat])), money]
    if r.row[seat]:
        parts.append(f"row {int(r.row[seat])}")
    in_play = r.season in (Season.SUMMER, Season.WINTER)
    parts.append("passed" if r.passed[seat] and in_play else _workers(r, seat))
    if r.rules[Rule.GLASS_TOKENS] or r.bonus_tokens[seat]:
        parts.append(count(int(r.bonus_tokens[seat]), "token"))
    if r.first_player == seat and game.num_players > 1:
        parts.append("first")
    mark = ">" if seat == game.seat else " "
    text = ", ".join([*parts, *([more] if more else [])])
    return wrapped(text, width, f"{mark} {names[seat]:<{LABEL + 1}} ", " " * (LABEL + 4))


def in_brief(game: Any, seat: int, names: Sequence[str], width: int) -> list[str]:
    """Another seat in two lines or three: cards by the letter of their deck, and the vineyard."""
    cards = cards_in_brief(game.record, seat)
    return _standing(game, seat, names, width, cards) + vineyard_in_brief(game, seat, width)


def cards_in_brief(r: Any, seat: int) -> str:
    """How many cards a seat holds, by the letter of their deck."""
    return " ".join(f"{int(n)}{deck[0]}" for deck, n in zip(DECKS, r.n_hand[seat], strict=True) if n) or "no cards"


def vineyard_in_brief(game: Any, seat: int, width: int) -> list[str]:
    """Structures by their first letters, tokens by r, w, b or s for the colour and the value, fields by what they
    yield."""
    r = game.record
    fields = [_yield_in_brief(r, seat, field) for field in range(N_FIELDS)]
    parts = [
        ("", " ".join(name[:4] for i, name in enumerate(STRUCTURES) if r.structures[seat, i])),
        ("fields", " ".join(fields)),
        ("grapes", letters(r.crush[seat], COLOURS)),
        ("wines", letters(r.cellar[seat], WINES)),
    ]
    text = " | ".join(f"{label} {text}".strip() for label, text in parts if text)
    return wrapped(text, width, " " * 4, " " * 6)


def _yield_in_brief(r: Any, seat: int, field: int) -> str:
    if r.sold[seat, field]:
        return "sold"
    vines = [(vine_row(int(vine)), int(r.vines[seat, field, vine])) for vine in np.flatnonzero(r.vines[seat, field])]
    red, white = (sum(getattr(row, colour) * n for row, n in vines) for colour in COLOURS)
    return f"r{red}" * bool(red) + f"w{white}" * bool(white) or "-"


def letters(slots: Any, words: Sequence[str]) -> str:
    """Tokens by letter and value: "r1 r3 w2"."""
    rows = zip(words, slots, strict=True)
    return " ".join(f"{word[0]}{int(i) + 1}" for word, row in rows for i in np.flatnonzero(row))


def _workers(r: Any, seat: int) -> str:
    regular, grande, temporary = (int(r.free[seat, worker]) for worker in Worker)
    found = count(regular, "worker")
    return found + " + grande" * bool(grande) + " + temporary" * bool(temporary)


def vineyard(game: Any, seat: int, is_own: bool, viewer: int | None) -> list[tuple[str, str]]:
    """What a seat has: what it is about, and the words. is_own: whether the viewer sees its hand."""
    r = game.record
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
    known = listed(card_of(kind).title for kind in kinds_seen(r, seat, viewer or 0))
    return [*parts, ("cards", cards_drawn(r.n_hand[seat]) + (f"; known: {known}" if known else ""))]


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


def _hand(hand: Any) -> list[tuple[str, str]]:
    """The own cards, vines and orders with what they need and bring."""
    parts = [(HAND_WORDS[deck], "; ".join(_card(deck, kind) for kind in kinds)) for deck, kinds in held(hand).items()]
    return parts or [("hand", "no cards")]


def _card(deck: str, kind: int) -> str:
    card = card_of(kind)
    if deck == "order":
        return f"no. {int(CARD_IDS[kind][-2:])}, {card.short}"
    return f"{card.title} ({card.short})" if deck == "vine" else card.title


def _board(game: Any, names: Sequence[str], is_brief: bool) -> str:
    """Who stands where, action by action. is_brief: with signs for the bonus and the grande worker."""
    r, lines = game.record, []
    past = N_SUMMER_ACTIONS if r.season >= Season.FALL else 0  # what stands on summer actions matters no more
    for act in range(past, N_BOARD_ACTIONS):
        taken = [space for space in range(N_SPACES) if r.space_seat[act, space] != NO_SEAT]
        crowd = [name for seat, name in enumerate(names) if (int(r.crowd[act]) >> seat) & 1]
        stand = [_worker(r, act, space, names, is_brief) for space in taken]
        stand += [_with_remarks(name, ["grande"], is_brief) for name in crowd]
        if stand:
            lines.append(f"{act_name(act)}: {', '.join(stand)}")
    for seat in range(game.num_players):
        if (n := int(r.cart[seat].sum())) > 0:
            lines.append(f"Cart: {names[seat]}" + (f" ({n})" if n > 1 else ""))
    return "; ".join(lines)


def _worker(r: Any, act: int, space: int, names: Sequence[str], is_brief: bool) -> str:
    seat = int(r.space_seat[act, space])
    remarks = ["grande"] * (seat != AUTOMA and int(r.space_worker[act, space]) == Worker.GRANDE)
    remarks += ["bonus"] * (space == Space.BONUS)
    return _with_remarks("Automa" if seat == AUTOMA else names[seat], remarks, is_brief)


def _with_remarks(name: str, remarks: Sequence[str], is_brief: bool) -> str:
    if is_brief:
        return name + "".join(SIGNS[remark] for remark in remarks)
    return name + (f" ({', '.join(remarks)})" if remarks else "")


def laid_out(parts: Sequence[tuple[str, str]], width: int, form: Form) -> list[str]:
    """Lines that begin with what they are about, or all of them in one paragraph; what says nothing is left out."""
    rows = [(label, text) for label, text in parts if text]
    if form >= Form.RUN_ON:
        text = " | ".join(f"{label} {text}" for label, text in rows)
        return wrapped(text, width, " " * 4, " " * 6)
    return [line for label, text in rows for line in wrapped(text, width, f"    {label:<{LABEL}}", " " * (LABEL + 4))]


def wrapped(text: str, width: int, first: str, indent: str) -> list[str]:
    return textwrap.wrap(text, max(40, width), initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
