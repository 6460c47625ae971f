"""The legal actions in words: what each is called and what it does in this position."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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
from vitienv.toscana.render.table import printed, tile_name
from vitienv.toscana.render.text.prompts import Asked, boxes, crossroad_name, piece_name, square_name
from vitienv.toscana.state import Rule
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

TURN_WORDS = {"hiring": "hire", "winemaking": "make wine", "trading": "trade"}
SIGN_WORDS = {1: "plus", -1: "minus"}


def choices(game: Any, names: Sequence[str] = ()) -> list[Choice]:
    """The legal actions in the order of their numbers."""
    q = Asked(game, names)
    return [choice(q, name) for name in game.legal_actions()]


def choice(q: Asked, name: str) -> Choice:
    """A legal action in words."""
    block, _, rest = name.partition(":")
    return BLOCKS[block](q, name, rest)


def cost(q: Asked, rule_parameter: int) -> str:
    """What a piece or a service costs: "1 red box"."""
    numbers = zip(GOODS, q.state.rules[rule_parameter : rule_parameter + N_GOODS])
    return listed(count(int(n), f"{good} box", f"{good} boxes") for good, n in numbers if n) or "nothing"


def price_of_piece(q: Asked) -> int:
    """The rule parameter of what the next piece costs."""
    if q.state.workers[q.seat] > 0:
        return int(Rule.WORKER_COST)
    return Rule.WINEMASTER_COST + N_GOODS * (WINEMASTERS - int(q.state.winemasters[q.seat]))


def _done(q: Asked, name: str, rest: str) -> Choice:
    said = {"hire": "Nothing more", "mr_rose": "No deal", "place_water": "No more water: make wine"}
    return Choice(name, said.get(q.decision, "Nothing more"))


def _answer(q: Asked, name: str, rest: str) -> Choice:
    return Choice(name, "Accept" if name == "yes" else "Decline")


def _take(q: Asked, name: str, rest: str) -> Choice:
    text = {
        "hiring": f"a {piece_name(q.state, q.seat)}, a service, or both",
        "winemaking": f"with up to {count(q.has(Good.WATER), 'box', 'boxes')} of water",
        "trading": "with the market" + (" and other seats" if q.state.rules[Rule.PLAYER_TRADES] else ""),
    }[rest]
    return Choice(name, TURN_WORDS[rest].capitalize(), text)


def _pass(q: Asked, name: str, rest: str) -> Choice:
    turn, _, good = rest.partition(":")
    title = f"Pass {turn}" + (f" for 1 {good}" if good else "")
    return Choice(name, title, f"takes 1 box of {good} from the bank" if good else "")


def _square(q: Asked, name: str, rest: str) -> Choice:
    square = SQUARE_NAMES.index(rest)
    where = square_name(q.state, square)
    if q.decision == "start_worker":
        return Choice(name, f"Start worker on {where}", makes(q, square, 1))
    piece, owner = piece_name(q.state, q.seat), int(q.state.square_owner[square])
    text = makes(q, square, FULL_SQUARE if piece != "worker" or owner == q.seat else 1)
    if owner == q.seat:
        text = f"beside your worker, {text}"
    elif owner != NO_SEAT:
        text = f"in place of the winemaster of {q.who(owner)}, {text}"
    return Choice(name, f"{piece.capitalize()} on {where}", f"for {cost(q, price_of_piece(q))}; {text}")


def makes(q: Asked, square: int, strength: int) -> str:
    """What a square makes with pieces of a strength: one worker 1, two or a winemaster 2."""
    kind = int(q.state.square_kind[square])
    if kind == ABANDONED and strength < FULL_SQUARE:
        return "makes nothing yet"
    made = "a box of your choice" if kind == ABANDONED else f"{strength} {KINDS[kind]}"
    return f"makes {made}{' from the next round on' if q.state.square_produced[square] else ''}"


def _service(q: Asked, name: str, rest: str) -> Choice:
    if rest == "lobbyist":
        return Choice(name, "Lobbyist", f"for {cost(q, Rule.LOBBYIST_COST)}: two recommendations move")
    return Choice(name, "Mr Rose", f"for {cost(q, Rule.MR_ROSE_COST)}: two prices change, one box may be dealt")


def _moved(q: Asked, good: int, by: int) -> str:
    """What a price becomes: "red 2 -> 3"."""
    level = int(q.state.price[good])
    return f"{GOODS[good]} {printed(level)} -> {printed(min(max(level + by, 0), LEVELS - 1))}"


def _tile(q: Asked, name: str, rest: str) -> Choice:
    good, empty = GOODS.index(rest), list(q.state.sign).index(0)
    sign = int(q.state.sign[good])
    title = f"{SIGN_WORDS[sign].capitalize()} of {rest} to {GOODS[empty]}"
    return Choice(name, title, f"price: {_moved(q, empty, sign)}")


def _price(q: Asked, name: str, rest: str) -> Choice:
    good, _, way = rest.partition(":")
    by = 1 if way == "up" else -1
    return Choice(name, f"{good.capitalize()} {way}", f"price: {_moved(q, GOODS.index(good), by)}")


def _crossroad(q: Asked, name: str, rest: str) -> Choice:
    crossroad = CROSSROAD_NAMES.index(rest)
    return Choice(name, f"Water {crossroad_name(crossroad)}", _reached(q, crossroad))


def _reached(q: Asked, crossroad: int) -> str:
    """What own squares would make that no water touches yet and that have not produced in this round."""
    r = q.state
    wet = {square for at in np.flatnonzero(r.water) for square in around(int(at))}
    made, kinds = np.zeros(N_GOODS, int), 0
    for square in around(crossroad):
        if int(r.square_owner[square]) != q.seat or square in wet or r.square_produced[square]:
            continue
        strength = int(r.square_workers[square]) + FULL_SQUARE * int(r.square_winemaster[square])
        if r.square_kind[square] == ABANDONED:
            kinds += strength == FULL_SQUARE
        else:
            made[r.square_kind[square]] += strength
    parts = [boxes(made), f"{kinds} of your choice" if kinds else ""]
    found = ", ".join(part for part in parts if part)
    return f"makes {found}" if found else "makes nothing more"


def _good(q: Asked, name: str, rest: str) -> Choice:
    return Choice(name, f"1 {rest}")


def _buy(q: Asked, name: str, rest: str) -> Choice:
    return _deal(q, name, "Buy", rest, Rule.BUYING)


def _sell(q: Asked, name: str, rest: str) -> Choice:
    return _deal(q, name, "Sell", rest, Rule.SELLING)


def _deal(q: Asked, name: str, verb: str, rest: str, rule_parameter: int) -> Choice:
    """Boxes for the market's price, or boxes of an offer, whose price is asked for next."""
    good, _, n = rest.partition(":")
    money = int(n) * q.price(GOODS.index(good), rule_parameter)
    return Choice(name, f"{verb} {n} {good}", "" if q.decision == "offer_boxes" else f"for {money} money")


def _taste(q: Asked, name: str, rest: str) -> Choice:
    return Choice(name, f"Tile {tile_name(q.state, int(rest))}")


def _seat(q: Asked, name: str, rest: str) -> Choice:
    seat = (q.seat + int(rest)) % q.game.num_players
    return Choice(name, f"Make an offer to {q.who(seat)}", f"who holds {boxes(q.state.boxes[seat]) or 'no boxes'}")


def _at(q: Asked, name: str, rest: str) -> Choice:
    return Choice(name, f"{rest} money a box", f"{int(rest) * abs(q[Frame.B])} in all")


BLOCKS: dict[str, Callable[[Asked, str, str], Choice]] = {
    "done": _done, "yes": _answer, "no": _answer, "take": _take, "pass": _pass, "square": _square, "service": _service,
    "tile": _tile, "price": _price, "crossroad": _crossroad, "good": _good, "buy": _buy, "sell": _sell,
    "taste": _taste, "seat": _seat, "at": _at,
}  # fmt: skip
