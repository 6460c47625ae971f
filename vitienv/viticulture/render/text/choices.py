"""Titles and effects of the legal actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.render.text import Choice, Picks
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import CARD_IDS, FIRST_ORDER, FIRST_SUMMER, KIND, MAMAS, N_KINDS, PAPAS, VINES
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
from vitienv.viticulture.ops import offers
from vitienv.viticulture.positions.keys import capacities
from vitienv.viticulture.queries import Query, query, query_games
from vitienv.viticulture.render.text.board import (
    act_name,
    act_text,
    bonus_text,
    row_text,
    structure_price,
    structure_text,
)
from vitienv.viticulture.render.text.cards import CARDS, VISITORS, card_of, deck_of, gift_of, yields
from vitienv.viticulture.render.text.parts import branch_text, halves_of, options_of
from vitienv.viticulture.render.text.phrases import count, lira, plain, points, title
from vitienv.viticulture.render.text.prompts import Prompt
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import FIELD_NAMES

PLACING_TITLES = {
    "plain:regular": "worker",
    "plain:grande": "grande",
    "bonus:regular": "worker, bonus",
    "bonus:grande": "grande, bonus",
    "crowd:grande": "grande (full)",
}
Words = tuple[str, str]  # title and text


def choice(q: Prompt, name: str) -> Choice:
    """Return the title and effect of an action, by default its name."""
    block, _, argument = name.partition(":")
    if block == "pass":
        num_workers = int(q.state.free[q.seat].sum())
        season = "summer" if q.state.season == Season.SUMMER else "winter"
        argument = "left for winter" if season == "summer" else "unused"
        return Choice(name, "Pass", f"end your {season} with {count(num_workers, 'worker')} {argument}", is_grave=True)
    if block == "place":
        return _placing(q, name, argument)
    describe = BLOCKS.get(block)
    title, text = describe(q, argument) if describe else (name, "")
    return Choice(name, title, text)


def _placing(q: Prompt, name: str, argument: str) -> Choice:
    act_id, _, placing = argument.partition(":")
    act = ACTS.index(act_id)
    text = act_text(act, q.rules) if act != Act.BUILD_STRUCTURE or q.decision != "place_worker" else _affordable(q)
    if "bonus" in placing or (int(q.rules[Rule.SPACES]) & 2 and act < N_BOARD_ACTIONS):
        bonus = bonus_text(act, q.rules)
        text += f" (bonus: {bonus})" if bonus != "nothing" else ""
    if q.decision == "manage_action":
        return Choice(name, act_name(act), act_text(act, q.rules))
    return Choice(name, PLACING_TITLES[placing], text, act_name(act))


def _affordable(q: Prompt) -> str:
    affordable = [
        f"{plain(name)} {price}"
        for i, name in enumerate(STRUCTURES)
        if not q.state.structures[q.seat, i]
        and (price := structure_price(i, q.rules)) <= q.lira
        and (i != Structure.LARGE_CELLAR or q.state.structures[q.seat, Structure.MEDIUM_CELLAR])
    ]
    return f"pay for a structure: {', '.join(affordable)}"


def _option(q: Prompt, argument: str) -> Words:
    number = int(argument) - 1
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
            ("Give cards", count(offers.QUEEN_CARDS, "card") + " of your choice"),
            ("Pay", lira(offers.QUEEN_LIRA)),
        )[number]
    if q.decision == "choose_option":
        row = VISITORS[q[Frame.CARD] - FIRST_SUMMER]
        if q[Frame.OP] == FrameOp.ORDER:
            return branch_text(halves_of(row)[number]).capitalize() + " first", ""
        text = options_of(row)[number]
        return text[0].upper() + text[1:], ""
    return f"option {argument}", ""


def _yes(q: Prompt, argument: str) -> Words:
    return "Yes", ACCEPTANCES.get(Offer(q[Frame.A]), "") if q.decision == "offer" else ""


ACCEPTANCES = {
    Offer.BANKER: f"lose {points(1)}, receive {lira(offers.BANKER_LIRA)}",
    Offer.HANDYMAN: f"build for {lira(offers.HANDYMAN_DISCOUNT)} less",
    Offer.VOLUNTEER_CREW: "plant a vine",
    Offer.MENTOR: "make wine",
    Offer.GUEST_SPEAKER: f"train a worker for {lira(offers.GUEST_SPEAKER_PRICE)}",
    Offer.MOTIVATOR: "take your grande worker back",
    Offer.SWINDLER: f"pay {lira(offers.SWINDLER_LIRA)}",
    Offer.VENDOR: "draw a summer visitor",
}


def _card(q: Prompt, argument: str) -> Words:
    kind = KIND[argument]
    card = card_of(kind)
    is_order = FIRST_ORDER <= kind < FIRST_SUMMER
    return f"Order {CARD_IDS[kind][-2:]}" if is_order else card.title, card.short


def _field(q: Prompt, argument: str) -> Words:
    field = FIELD_NAMES.index(f"field:{argument}")
    games = query_games(q.state)
    limit, used = query(games, Query.FIELD_CAPACITY, field=field), query(games, Query.FIELD_TOTAL, q.seat, field)
    vines = vines_on(q.state, q.seat, field)
    text = f"{vines}; {used} of {limit} used" if vines else f"empty, limit {limit}"
    if q.decision == "sell":
        text = f"pay {lira(limit)} for it again" if q.state.sold[q.seat, field] else f"empty: {lira(limit)}"
    return field_name(q.state, field), text


def field_name(record: Any, field: int) -> str:
    """Return the name of a field: its capacity, or a letter if capacities are equal."""
    limits = capacities(record)
    return f"Field {limits[field]}" if len(set(limits)) == N_FIELDS else f"Field {'ABC'[field]}"


def vines_on(record: Any, seat: int, field: int) -> str:
    """Return the vines on a field with their values: "Pinot (red 1, white 1), Syrah (red 2)"."""
    vines = []
    for vine in np.flatnonzero(record.vines[seat, field]):
        n = int(record.vines[seat, field, vine])
        vines.append((f"{n} " if n > 1 else "") + f"{CARDS[CARD_IDS[int(vine)]].title} ({yields(VINES[int(vine)])})")
    return ", ".join(vines)


def _structure(q: Prompt, argument: str) -> Words:
    structure = STRUCTURES.index(argument)
    cost = structure_price(structure, q.rules)
    if q[Frame.OP] == FrameOp.BUILD:
        cost = max(0, cost - q[Frame.A]) if q[Frame.B] == NO_PRICE else q[Frame.B]
    return plain(argument).capitalize(), f"{lira(cost) if cost else 'free'}: {structure_text(structure, q.rules)}"


def _grape(q: Prompt, argument: str) -> Words:
    colour, _, value = argument.partition(":")
    price = f"for {lira(int(GRAPE_PRICE[int(value) - 1]))}" if q.decision == "sell" else ""
    return f"{colour.capitalize()} grape {value}", price


def _wine(q: Prompt, argument: str) -> Words:
    kind, _, value = argument.partition(":")
    return f"{kind.capitalize()} wine {value}", ""


def _make(q: Prompt, argument: str) -> Words:
    grapes = {"red": "a red grape", "white": "a white grape", "blush": "a red and a white grape",
          "sparkling": "two red grapes and a white one"}  # fmt: skip
    return f"{argument.capitalize()} wine", f"of {grapes[argument]}" if argument in grapes else ""


def _deck(q: Prompt, argument: str) -> Words:
    deck = DECKS.index(argument)
    if q.decision == "choose_pile":
        top = int(q.state.pile[deck, int(q.state.n_pile[deck]) - 1])
        return card_of(top).title, card_of(top).short
    return DECK_NOUNS[argument].capitalize(), f"{int(q.state.n_deck[deck])} left in the deck"


def _seat(q: Prompt, argument: str) -> Words:
    opponent = (q.seat + int(argument)) % int(q.rules[Rule.NUM_PLAYERS])
    return q.name_of(opponent), f"{points(int(q.state.vp[opponent]))}, {lira(int(q.state.lira[opponent]))}"


def _done(q: Prompt, argument: str) -> Words:
    titles = {"choose_option": "No", "import_card": "Give nothing"}
    return titles.get(q.decision, "That is all" if q[Frame.DONE] else "None"), ""


BLOCKS: dict[str, Callable[[Prompt, str], Words]] = {
    "yes": _yes,
    "no": lambda q, argument: ("No", ""),
    "done": _done,
    "option": _option,
    "wake_up": lambda q, row: (f"Row {row}", row_text(int(row))),
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
    """Return all cards that can be discarded, given or kept in a choice of several; the engine takes them in order."""
    q = Prompt(game, names)
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
        revealed = [q[Frame.P0 + deck] for deck in range(N_DECKS)]
        kinds = sorted(kind for kind in revealed if kind > q[Frame.B])
    else:
        return None
    return Picks(n, tuple(choice(q, f"card:{deck_of(kind)}:{CARD_IDS[kind]}") for kind in kinds))
