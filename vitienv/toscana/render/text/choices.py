"""Titles and effects of the legal actions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.text_utils import count, listed
from vitienv.render.text import Choice
from vitienv.toscana.enums import (
    ABANDONED,
    FULL_SQUARE,
    GOODS,
    KINDS,
    LEVELS,
    N_GOODS,
    NO_SEAT,
    WINEMASTERS,
    Good,
    around,
)
from vitienv.toscana.render.table import printed_price, tile_name
from vitienv.toscana.render.text.prompts import Prompt, boxes, crossroad_name, piece_name, square_name
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

TURN_WORDS = {"hiring": "hire", "winemaking": "make wine", "trading": "trade"}
SIGN_WORDS = {1: "plus", -1: "minus"}
DONE_TITLES = {"mr_rose": "No deal", "place_water": "No more water: make wine"}
Words = tuple[str, str]  # title and text


def choice(q: Prompt, name: str) -> Choice:
    """Return the title and the effect of a legal action."""
    block, _, argument = name.partition(":")
    return Choice(name, *BLOCKS[block](q, argument))


def cost(q: Prompt, rule_parameter: int) -> str:
    """Return the cost of a piece or a service: "1 red box"."""
    numbers = zip(GOODS, q.rules[rule_parameter : rule_parameter + N_GOODS])
    return listed(count(int(n), f"{good} box", f"{good} boxes") for good, n in numbers if n) or "nothing"


def price_of_piece(q: Prompt) -> int:
    """Return the rule parameter of the cost of the next piece."""
    if q.state.workers[q.seat] > 0:
        return int(Rule.WORKER_COST)
    return Rule.WINEMASTER_COST + N_GOODS * (WINEMASTERS - int(q.state.winemasters[q.seat]))


def _take(q: Prompt, argument: str) -> Words:
    text = {
        "hiring": f"a {piece_name(q.state, q.seat)}, a service, or both",
        "winemaking": f"with up to {count(q.has(Good.WATER), 'box', 'boxes')} of water",
        "trading": "with the market" + (" and other seats" if q.rules[Rule.PLAYER_TRADES] else ""),
    }[argument]
    return TURN_WORDS[argument].capitalize(), text


def _pass(q: Prompt, argument: str) -> Words:
    turn, _, good = argument.partition(":")
    title = f"Pass {turn}" + (f" for 1 {good}" if good else "")
    return title, f"takes 1 box of {good} from the bank" if good else ""


def _square(q: Prompt, argument: str) -> Words:
    square = SQUARE_NAMES.index(argument)
    place = square_name(q.state, square)
    if q.decision == "start_worker":
        return f"Start worker on {place}", makes(q, square, 1)
    piece, owner = piece_name(q.state, q.seat), int(q.state.square_owner[square])
    text = makes(q, square, FULL_SQUARE if piece != "worker" or owner == q.seat else 1)
    if owner == q.seat:
        text = f"next to your worker, {text}"
    elif owner != NO_SEAT:
        text = f"in place of the winemaster of {q.name_of(owner)}, {text}"
    return f"{piece.capitalize()} on {place}", f"for {cost(q, price_of_piece(q))}; {text}"


def makes(q: Prompt, square: int, strength: int) -> str:
    """Return the production of a square with pieces of a strength: one worker 1, two or a winemaster 2."""
    kind = int(q.state.square_kind[square])
    if kind == ABANDONED and strength < FULL_SQUARE:
        return "makes nothing yet"
    production = "a box of your choice" if kind == ABANDONED else f"{strength} {KINDS[kind]}"
    return f"makes {production}{' from the next round on' if q.state.square_produced[square] else ''}"


def _price_change(q: Prompt, good: int, by: int) -> str:
    level = int(q.state.price[good])
    return f"{GOODS[good]} {printed_price(level)} -> {printed_price(min(max(level + by, 0), LEVELS - 1))}"


def _tile(q: Prompt, argument: str) -> Words:
    good, empty = GOODS.index(argument), list(q.state.sign).index(0)
    sign = int(q.state.sign[good])
    title = f"{SIGN_WORDS[sign].capitalize()} of {argument} to {GOODS[empty]}"
    return title, f"price: {_price_change(q, empty, sign)}"


def _price(q: Prompt, argument: str) -> Words:
    good, _, direction = argument.partition(":")
    by = 1 if direction == "up" else -1
    return f"{good.capitalize()} {direction}", f"price: {_price_change(q, GOODS.index(good), by)}"


def _crossroad(q: Prompt, argument: str) -> Words:
    crossroad = CROSSROAD_NAMES.index(argument)
    return f"Water {crossroad_name(crossroad)}", _production_at(q, crossroad)


def _production_at(q: Prompt, crossroad: int) -> str:
    """Return the additional production of the squares around a crossroad."""
    r = q.state
    wet = {square for wet_crossroad in np.flatnonzero(r.water) for square in around(int(wet_crossroad))}
    production, kinds = np.zeros(N_GOODS, int), 0
    for square in around(crossroad):
        if int(r.square_owner[square]) != q.seat or square in wet or r.square_produced[square]:
            continue
        strength = int(r.square_workers[square]) + FULL_SQUARE * int(r.square_winemaster[square])
        if r.square_kind[square] == ABANDONED:
            kinds += strength == FULL_SQUARE
        else:
            production[r.square_kind[square]] += strength
    parts = [boxes(production), f"{kinds} of your choice" if kinds else ""]
    result = ", ".join(part for part in parts if part)
    return f"makes {result}" if result else "makes nothing more"


def _deal(q: Prompt, verb: str, argument: str, rule_parameter: int) -> Words:
    good, _, n = argument.partition(":")
    money = int(n) * q.price(GOODS.index(good), rule_parameter)
    return f"{verb} {n} {good}", "" if q.decision == "offer_boxes" else f"for {money} money"


def _service(q: Prompt, argument: str) -> Words:
    if argument == "lobbyist":
        return "Lobbyist", f"for {cost(q, Rule.LOBBYIST_COST)}: two recommendations move"
    return "Mr Rose", f"for {cost(q, Rule.MR_ROSE_COST)}: two prices change, one box may be dealt"


def _seat(q: Prompt, argument: str) -> Words:
    seat = (q.seat + int(argument)) % q.game.num_players
    return f"Make an offer to {q.name_of(seat)}", f"who holds {boxes(q.state.boxes[seat]) or 'no boxes'}"


BLOCKS: dict[str, Callable[[Prompt, str], Words]] = {
    "done": lambda q, argument: (DONE_TITLES.get(q.decision, "Nothing more"), ""),
    "yes": lambda q, argument: ("Accept", ""),
    "no": lambda q, argument: ("Decline", ""),
    "take": _take,
    "pass": _pass,
    "square": _square,
    "service": _service,
    "tile": _tile,
    "price": _price,
    "crossroad": _crossroad,
    "good": lambda q, good: (f"1 {good}", ""),
    "buy": lambda q, argument: _deal(q, "Buy", argument, Rule.BUYING),
    "sell": lambda q, argument: _deal(q, "Sell", argument, Rule.SELLING),
    "taste": lambda q, tile: (f"Tile {tile_name(q.state, int(tile))}", ""),
    "seat": _seat,
    "at": lambda q, price: (f"{price} money a box", f"{int(price) * abs(q[Frame.B])} in all"),
}
