"""Moves and their results in sentences: differences of two states that are visible to a viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vitienv.core.text_utils import does, listed
from vitienv.render.text import name_in_sentence
from vitienv.toscana.enums import GOODS, NO_SEAT, Phase
from vitienv.toscana.render.table import printed_price, tile_name
from vitienv.toscana.render.text.choices import SIGN_WORDS, TURN_WORDS
from vitienv.toscana.render.text.prompts import Prompt, boxes, crossroad_name, piece_name, square_name
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES


def describe_move(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """Return a move and its results in sentences with information visible to the viewer."""
    q = Prompt(before, names)
    is_open = viewer in (None, q.seat) or before.options.open_hands
    verb, phrase = _describe(q, action, is_open)
    seats = [q.partner] if q.decision == "offer_price" else [q.offered_by] if q.decision == "answer_offer" else []
    lines = [does(names[q.seat], verb, phrase) + _changes(q, after, names, seats) + "."]
    return [*lines, *_round_end(before, after, names)]


def _describe(q: Prompt, action: str, is_open: bool) -> tuple[str, str]:
    """Return the verb and the object of the sentence about a move."""
    block, _, argument = action.partition(":")
    good, _, n = argument.partition(":")
    if block == "square":
        square = SQUARE_NAMES.index(argument)
        piece = "start worker" if q.decision == "start_worker" else piece_name(q.state, q.seat)
        owner = int(q.state.square_owner[square])
        instead = f" in place of the winemaster of {q.name_of(owner)}" if owner not in (NO_SEAT, q.seat) else ""
        return "place", f"a {piece} on {square_name(q.state, square)}{instead}"
    if block in ("buy", "sell") and q.decision == "offer_boxes":
        return "offer", f"to {block} {n} {good}, {'from' if block == 'buy' else 'to'} {q.name_of(q.partner)}"
    if block == "taste" and not is_open:
        return "choose", "a tile"
    return PHRASES[block](q, argument)


PHRASES: dict[str, Callable[[Prompt, str], tuple[str, str]]] = {
    "take": lambda q, turn: ("begin", f"to {TURN_WORDS[turn]}"),
    "pass": lambda q, argument: ("pass", argument.partition(":")[0]),
    "service": lambda q, service: ("hire", "the lobbyist" if service == "lobbyist" else "Mr Rose"),
    "tile": lambda q, good: (
        "move",
        f"the {SIGN_WORDS[int(q.state.sign[GOODS.index(good)])]} of {good} to {GOODS[list(q.state.sign).index(0)]}",
    ),
    "price": lambda q, argument: ("move", f"the price of {argument.replace(':', ' ')}"),
    "crossroad": lambda q, name: ("place", f"water {crossroad_name(CROSSROAD_NAMES.index(name))}"),
    "good": lambda q, good: ("choose", f"{good} from an abandoned square"),
    "buy": lambda q, argument: ("buy", " ".join(reversed(argument.split(":")))),
    "sell": lambda q, argument: ("sell", " ".join(reversed(argument.split(":")))),
    "taste": lambda q, tile: ("choose", f"tile {tile_name(q.state, int(tile))}"),
    "seat": lambda q, k: ("turn", f"to {q.name_of((q.seat + int(k)) % q.game.num_players)}"),
    "at": lambda q, price: ("name", f"{price} money a box"),
    "yes": lambda q, _: ("accept", f"the offer of {q.name_of(q.offered_by)}"),
    "no": lambda q, _: ("decline", f"the offer of {q.name_of(q.offered_by)}"),
    "done": lambda q, _: ("make", "wine") if q.decision == "place_water" else ("stop", "there"),
}


def _changes(q: Prompt, after: Any, names: Sequence[str], partners: Sequence[int]) -> str:
    """Return the direct gains and losses of seats: ": -1 red, +3 money"."""
    old, new = q.state, after.state
    if old.phase == Phase.TASTING:  # reported at the end of the round
        return ""
    gains = []
    for seat in [q.seat, *partners]:
        change = new.boxes[seat].astype(int) - old.boxes[seat]
        parts = [f"{int(n):+d} {good}" for good, n in zip(GOODS, change) if n]
        if money := int(new.money[seat]) - int(old.money[seat]):
            parts.append(f"{money:+d} money")
        if parts:
            gains.append(("" if seat == q.seat else f"{name_in_sentence(names[seat])} ") + ", ".join(parts))
    if new.phase == old.phase and (prices := _prices(old, new)):
        gains.append(prices)
    return f" ({'; '.join(gains)})" if gains else ""


def _prices(old: Any, new: Any) -> str:
    """Return the price changes: "red 2 -> 3"."""
    pairs = [(good, printed_price(old.price[i]), printed_price(new.price[i])) for i, good in enumerate(GOODS)]
    return listed(f"{good} {first} -> {last}" for good, first, last in pairs if first != last)


def _round_end(before: Any, after: Any, names: Sequence[str]) -> list[str]:
    old, new = before.state, after.state
    if old.phase == Phase.ACTIONS and new.phase == Phase.TASTING:
        prices = _prices(old, new)
        return [f"All actions are used. Prices: {prices}." if prices else "All actions are used; no price moves."]
    if old.phase != Phase.TASTING or (new.phase == Phase.TASTING and not after.is_over):
        return []
    revealed = [int(np.flatnonzero(new.played[seat] > old.played[seat])[0]) + 1 for seat in range(before.num_players)]
    tiles = ", ".join(f"{name_in_sentence(names[seat])}: {tile_name(old, tile)}" for seat, tile in enumerate(revealed))
    prices = _prices(old, new)
    lines = [f"The tasting: {tiles}.", f"Prices: {prices}." if prices else "No price moves."]
    if not after.is_over:
        return [*lines, f"Round {after.round}: {does(names[int(new.start_seat)], 'begin')}."]
    if after.is_truncated:
        return [*lines, "The game is truncated."]
    gains = new.money.astype(int) - old.money
    sales = [
        f"{name_in_sentence(names[seat])}: {boxes(old.boxes[seat])} for {gains[seat]} money"
        for seat in range(before.num_players) if old.boxes[seat].any()
    ]  # fmt: skip
    return [*lines, *([f"The last sale: {'; '.join(sales)}."] if sales else []), "The game is over."]
