"""Viticulture in words, see `vitienv.render.text`: made from the rows of the cards and the numbers of the rules."""

from __future__ import annotations

from typing import Any

from vitienv.core.text_utils import read_integer
from vitienv.viticulture.cards import CARD_IDS, CARD_NAMES
from vitienv.viticulture.enums import ACTS, STRUCTURES
from vitienv.viticulture.render.text.board import NEUTRAL, names_of_things, row_text, thing_text
from vitienv.viticulture.render.text.cards import CARDS, held
from vitienv.viticulture.render.text.choices import choice, choices, picks
from vitienv.viticulture.render.text.events import told
from vitienv.viticulture.render.text.phrases import sentence
from vitienv.viticulture.render.text.primer import primer
from vitienv.viticulture.render.text.prompts import Asked, begins_turn, question
from vitienv.viticulture.render.text.table import aim, table

__all__ = ["about", "aim", "begins_turn", "choices", "in_hand", "named", "picks", "question", "table", "things"]
__all__ += ["primer", "told"]


def about(word: str, game: Any = None) -> list[str]:
    """Paragraphs on a card, an action, a structure, a wake-up row or a term, by its name; [] if there is none."""
    rules = NEUTRAL if game is None else game.state.rules
    name = _plain_name(word)
    block, _, rest = name.partition(":")
    if game is not None and not game.is_over and name in game.legal_actions() and block not in ("card", "place"):
        found = choice(Asked(game), name)
        own = [sentence(f"{found.title}: {found.text}" if found.text else found.title)]
        return own + (about(rest, game) if rest and read_integer(rest) is None else [])  # a number alone names an order
    if block in ("card", "place", "structure", "deck"):
        name = rest.rpartition(":")[2] if block == "card" else rest.partition(":")[0]
    if block == "wake_up" and (row := read_integer(rest)) is not None and 1 <= row <= 7:
        return [sentence(f"wake-up row {row}: {row_text(row)}")]
    return [_card(card) for card in _cards(name)] or thing_text(name, rules)


def _plain_name(word: str) -> str:
    """A name however it was typed: "Jack of all trades" is jack_of_all_trades."""
    return "_".join(word.strip().lower().split())


def _cards(name: str) -> list[str]:
    """The cards meant: one by its id, or all whose id begins so."""
    if name in CARDS:
        return [name]
    if name in ACTS or name in STRUCTURES or not name or name in names_of_things():
        return []
    if (number := read_integer(name.removeprefix("order_"))) is not None:
        name = f"order_{number:02}"
    return [card for card in CARDS if card.startswith(name)]


def in_hand(game: Any, viewer: int) -> list[str]:
    """What the viewer's visitors do; the table has the rest of the hand."""
    held_ = held(game.state.hand[viewer])
    return [_card(CARD_IDS[kind]) for deck in ("summer", "winter") for kind in held_.get(deck, ())]


def _card(card: str) -> str:
    told_ = CARDS[card]
    return f"{told_.title}, {told_.kind}. {told_.text}"


def named(options: Any) -> list[tuple[str, ...]]:
    """The parents."""
    return [("parent", word) for word in sorted(CARDS) if CARDS[word].kind in ("mama", "papa")]


def things(game: Any = None) -> list[str]:
    """The words that `about` knows."""
    return sorted({*CARDS, *names_of_things(), *(name.rpartition(":")[2] for name in CARD_NAMES)})
