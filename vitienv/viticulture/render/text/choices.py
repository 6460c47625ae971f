"""The legal actions in words: what each is called and what it does in this position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.render.text import Choice, Picks
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, FIRST_SUMMER, MAMAS, N_KINDS, PAPAS
from vitienv.viticulture.cards.parts import NO_PRICE, Offer
from vitienv.viticulture.enums import (
    ACTS,
    DECK_NOUNS,
    DECKS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    STRUCTURES,
    Act,
    Season,
    Structure,
)
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.ops import opponents
from vitienv.viticulture.positions.keys import capacities
from vitienv.viticulture.queries import Ask, ask, asked_of
from vitienv.viticulture.render.text.board import (
    act_name,
    act_text,
    bonus_text,
    row_text,
    structure_price,
    structure_text,
)
from vitienv.viticulture.render.text.cards import (
    CARDS,
    card_of,
    deck_of,
    gift_of,
    number_of,
    vine_row,
    visitor_row,
    yields,
)
from vitienv.viticulture.render.text.parts import branch_text, halves_of, options_of
from vitienv.viticulture.render.text.phrases import count, lira, plain, points, title
from vitienv.viticulture.render.text.prompts import Asked
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import FIELD_NAMES

HOW = {
    "plain:regular": "worker",
    "plain:grande": "grande",
    "bonus:regular": "worker, bonus",
    "bonus:grande": "grande, bonus",
    "crowd:grande": "grande (full)",
}
Words = tuple[str, str]  # title and text


def choices(game: Any, names: Sequence[str] = ()) -> list[Choice]:
    """The legal actions in the order of their numbers."""
    q = Asked(game, names)
    return [choice(q, name) for name in game.legal_actions()]


def choice(q: Asked, name: str) -> Choice:
    """An action in words. One without words is shown by its name."""
    block, _, rest = name.partition(":")
    if block == "pass":
        left = int(q.state.free[q.seat].sum())
        season = "summer" if q.state.season == Season.SUMMER else "winter"
        rest = "left for winter" if season == "summer" else "unused"
        return Choice(name, "Pass", f"end your {season} with {count(left, 'worker')} {rest}", is_grave=True)
    if block == "place":
        return _placing(q, name, rest)
    made = BLOCKS.get(block)
    called, text = made(q, rest) if made else (name, "")
    return Choice(name, called, text)


def _placing(q: Asked, name: str, rest: str) -> Choice:
    act_id, _, how = rest.partition(":")
    act = ACTS.index(act_id)
    text = act_text(act, q.rules) if act != Act.BUILD_STRUCTURE or q.decision != "place_worker" else _affordable(q)
    if "bonus" in how or (int(q.rules[Rule.SPACES]) & 2 and act < N_BOARD_ACTIONS):
        bonus = bonus_text(act, q.rules)
        text += f" (bonus: {bonus})" if bonus != "nothing" else ""
    if q.decision == "manage_action":
        return Choice(name, act_name(act), act_text(act, q.rules))
    return Choice(name, HOW[how], text, act_name(act))


def _affordable(q: Asked) -> str:
    """What can be built, with its price."""
    open_ = [
        f"{plain(name)} {price}"
        for i, name in enumerate(STRUCTURES)
        if not q.state.structures[q.seat, i]
        and (price := structure_price(i, q.rules)) <= q.lira
        and (i != Structure.LARGE_CELLAR or q.state.structures[q.seat, Structure.MEDIUM_CELLAR])
    ]
    return f"pay for a structure: {', '.join(open_)}"


def _option(q: Asked, rest: str) -> Words:
    number = int(rest) - 1
    seat, record = q.seat, q.state
    if q.decision in ("choose_mama", "choose_papa"):
        rows, dealt = (MAMAS, record.mamas) if q.decision == "choose_mama" else (PAPAS, record.papas)
        parent = rows[int(dealt[seat, number])]
        return title(parent.id), CARDS[parent.id].short
    if q.decision == "papa_gift":
        papa = PAPAS[int(record.papas[seat, 0])]
        if number:
            return f"{papa.gift_lira} lira", ""
        structure = STRUCTURES[papa.gift] if papa.gift < len(STRUCTURES) else ""
        return gift_of(papa).capitalize(), structure_text(papa.gift, q.rules) if structure else ""
    if q.decision == "yoke":
        return (("Uproot", "a vine goes back to your hand"), ("Harvest", "a field"))[number]
    if q.decision == "queen":
        return (
            ("Lose a point", ""),
            ("Give cards", count(opponents.QUEEN_CARDS, "card") + " of your choice"),
            ("Pay", lira(opponents.QUEEN_LIRA)),
        )[number]
    if q.decision == "choose_option":
        row = visitor_row(q[Frame.CARD])
        if q[Frame.OP] == FrameOp.ORDER:
            return branch_text(halves_of(row)[number]).capitalize() + " first", ""
        text = options_of(row)[number]
        return text[0].upper() + text[1:], ""
    return f"option {rest}", ""


def _answer(q: Asked, is_yes: bool) -> Words:
    text = ""
    if q.decision == "offer" and is_yes:
        text = _accepted(Offer(q[Frame.A]))
    return ("Yes" if is_yes else "No"), text


def _accepted(offer: Offer) -> str:
    """What a seat does that accepts an offer."""
    return {
        Offer.BANKER: f"lose {points(1)}, receive {lira(opponents.BANKER_LIRA)}",
        Offer.HANDYMAN: f"build for {lira(opponents.HANDYMAN_DISCOUNT)} less",
        Offer.VOLUNTEER_CREW: "plant a vine",
        Offer.MENTOR: "make wine",
        Offer.GUEST_SPEAKER: f"train a worker for {lira(opponents.GUEST_SPEAKER_PRICE)}",
        Offer.MOTIVATOR: "take your grande worker back",
        Offer.SWINDLER: f"pay {lira(opponents.SWINDLER_LIRA)}",
        Offer.VENDOR: "draw a summer visitor",
    }.get(offer, "")


def _wake(q: Asked, rest: str) -> Words:
    return f"Row {rest}", row_text(int(rest))


def _card(q: Asked, rest: str) -> Words:
    kind = number_of(rest)
    card = card_of(kind)
    is_order = FIRST_ORDER <= kind < FIRST_SUMMER
    return f"Order {CARD_IDS[kind][-2:]}" if is_order else card.title, card.short


def _field(q: Asked, rest: str) -> Words:
    field = FIELD_NAMES.index(f"field:{rest}")
    games = asked_of(q.state)
    limit, used = ask(games, Ask.FIELD_CAPACITY, field=field), ask(games, Ask.FIELD_TOTAL, q.seat, field)
    vines = vines_on(q.state, q.seat, field)
    text = f"{vines}; {used} of {limit} used" if vines else f"empty, limit {limit}"
    if q.decision == "sell":
        text = f"pay {lira(limit)} for it again" if q.state.sold[q.seat, field] else f"empty: {lira(limit)}"
    return field_name(q.state, field), text


def field_name(record: Any, field: int) -> str:
    """A field is called by its limit, or by its place where two have the same."""
    limits = capacities(asked_of(record))
    return f"Field {limits[field]}" if len(set(limits)) == N_FIELDS else f"Field {'ABC'[field]}"


def vines_on(record: Any, seat: int, field: int) -> str:
    """The vines on a field, with what they yield: "Pinot (red 1, white 1), Syrah (red 2)"."""
    vines = []
    for vine in np.flatnonzero(record.vines[seat, field]):
        n = int(record.vines[seat, field, vine])
        vines.append((f"{n} " if n > 1 else "") + f"{CARDS[CARD_IDS[int(vine)]].title} ({yields(vine_row(int(vine)))})")
    return ", ".join(vines)


def _structure(q: Asked, rest: str) -> Words:
    structure = STRUCTURES.index(rest)
    cost = structure_price(structure, q.rules)
    if q[Frame.OP] == FrameOp.BUILD:
        cost = max(0, cost - q[Frame.A]) if q[Frame.B] == NO_PRICE else q[Frame.B]
    return plain(rest).capitalize(), f"{lira(cost) if cost else 'free'}: {structure_text(structure, q.rules)}"


def _grape(q: Asked, rest: str) -> Words:
    colour, _, value = rest.partition(":")
    price = f"for {lira(int(GRAPE_PRICE[int(value) - 1]))}" if q.decision == "sell" else ""
    return f"{colour.capitalize()} grape {value}", price


def _wine(q: Asked, rest: str) -> Words:
    kind, _, value = rest.partition(":")
    return f"{kind.capitalize()} wine {value}", ""


def _make(q: Asked, rest: str) -> Words:
    of = {"red": "a red grape", "white": "a white grape", "blush": "a red and a white grape",
          "sparkling": "two red grapes and a white one"}  # fmt: skip
    return f"{rest.capitalize()} wine", f"of {of[rest]}" if rest in of else ""


def _deck(q: Asked, rest: str) -> Words:
    deck = DECKS.index(rest)
    if q.decision == "choose_pile":
        top = int(q.state.pile[deck, int(q.state.n_pile[deck]) - 1])
        return card_of(top).title, card_of(top).short
    return DECK_NOUNS[rest].capitalize(), f"{int(q.state.n_deck[deck])} left in the deck"


def _seat(q: Asked, rest: str) -> Words:
    other = (q.seat + int(rest)) % int(q.rules[Rule.NUM_PLAYERS])
    return q.who(other), f"{points(int(q.state.vp[other]))}, {lira(int(q.state.lira[other]))}"


def _done(q: Asked, rest: str) -> Words:
    told = {"choose_option": "No", "import_card": "Give nothing"}
    return told.get(q.decision, "That is all" if q[Frame.DONE] else "None"), ""


BLOCKS: dict[str, Callable[[Asked, str], Words]] = {
    "yes": lambda q, rest: _answer(q, True),
    "no": lambda q, rest: _answer(q, False),
    "done": _done,
    "option": _option,
    "wake_up": _wake,
    "card": _card,
    "field": _field,
    "structure": _structure,
    "grape": _grape,
    "wine": _wine,
    "make": _make,
    "deck": _deck,
    "seat": _seat,
}


def picks(game: Any, names: Sequence[str] = ()) -> Picks | None:
    """The cards to discard, give or keep: all that can be named, though the engine takes them in order."""
    q = Asked(game, names)
    n = q[Frame.LEFT]
    if q[Frame.OP] == FrameOp.CARDS and n > 1:
        allowed, lowest = q[Frame.A], q[Frame.B]
        kinds = [
            kind
            for kind in range(lowest, N_KINDS)
            if (allowed >> DECKS.index(deck_of(kind))) & 1
            for _ in range(int(q.state.hand[q.seat, kind]))
        ]
    elif q[Frame.OP] == FrameOp.CARAVAN and n > 1:
        turned = [q[Frame.P0 + deck] for deck in range(N_DECKS)]
        kinds = sorted(kind for kind in turned if kind > q[Frame.B])
    else:
        return None
    return Picks(n, tuple(choice(q, f"card:{deck_of(kind)}:{CARD_IDS[kind]}") for kind in kinds))
