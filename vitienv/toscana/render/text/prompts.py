"""The pending question in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from vitienv.core.frames import Frame
from vitienv.core.text_utils import sentence
from vitienv.render import text as common_text
from vitienv.toscana.enums import COLUMNS, CROSS_COLUMNS, GOODS, KINDS, WINEMASTERS, Good


class Prompt(common_text.Prompt):
    """Pending decision: the top frame of a game."""

    def has(self, good: int) -> int:
        """Return the number of boxes of a good of the seat."""
        return int(self.state.boxes[self.seat, good])

    def price(self, good: int, rule_parameter: int) -> int:
        """Return the price of a box. rule_parameter: BUYING or SELLING."""
        return int(self.rules[rule_parameter + int(self.state.price[good])])

    @property
    def partner(self) -> int:
        """The partner of a pending offer."""
        return (self.seat + self[Frame.A]) % self.game.num_players

    @property
    def offered_by(self) -> int:
        """The offering seat of a pending offer."""
        return (self.seat - self[Frame.A]) % self.game.num_players


def square_name(record: Any, square: int) -> str:
    """Return the kind and the place of a square: "white 1:8"."""
    return f"{KINDS[int(record.square_kind[square])]} {square // COLUMNS + 1}:{square % COLUMNS + 1}"


def crossroad_name(crossroad: int) -> str:
    """Return the place of a crossroad: "between rows 1, 2 and columns 3, 4"."""
    row, column = crossroad // CROSS_COLUMNS + 1, crossroad % CROSS_COLUMNS + 1
    return f"between rows {row}, {row + 1} and columns {column}, {column + 1}"


def piece_name(record: Any, seat: int) -> str:
    """Return the name of the next piece to hire."""
    if record.workers[seat] > 0:
        return "worker"
    hired = WINEMASTERS - int(record.winemasters[seat])
    return f"{('first', 'second', 'third', 'last')[hired]} winemaster"


def boxes(numbers: Any) -> str:
    """Return boxes by good: "1 white, 2 water"."""
    return ", ".join(f"{int(n)} {good}" for good, n in zip(GOODS, numbers) if n)


def _hire(q: Prompt) -> str:
    piece, service = q[Frame.A], q[Frame.B]
    if piece:
        return "Also hire a service"
    return f"Also hire a {piece_name(q.state, q.seat)}" if service else "Hire whom, and where"


def _rose(q: Prompt) -> str:
    num_changes = 2 - q[Frame.DONE]
    if not num_changes:
        return "Mr Rose: buy or sell one box, or neither"
    return f"Mr Rose: change two prices{'' if q[Frame.B] else ', before or after a deal'}. Which one first"


def _answer(q: Prompt) -> str:
    n, good, price = q[Frame.B], GOODS[q[Frame.C]], q[Frame.P0]
    verb = "buy" if n > 0 else "sell"
    offer = f"{q.name_of(q.offered_by)} would {verb} {abs(n)} {good} at {price} money a box, {abs(n) * price} in all"
    return f"{sentence(offer)} Accept"


def _offer_price(q: Prompt) -> str:
    verb = "Buy" if q[Frame.B] > 0 else "Sell"
    return f"{verb} {abs(q[Frame.B])} {GOODS[q[Frame.C]]} at what price a box"


TEXTS: dict[str, Callable[[Prompt], str]] = {
    "start_worker": lambda q: "Place your start worker on which square",
    "take_action": lambda q: "Take which action? Each once per round",
    "hire": _hire,
    "lobby_first": lambda q: "Move which recommendation to the empty square",
    "lobby_second": lambda q: "Move which one of the other sign to the square that became empty",
    "mr_rose": _rose,
    "second_price": lambda q: "Which other price changes",
    "place_water": lambda q: f"Place water on which crossroad? ({q.has(Good.WATER)} left)",
    "abandoned_kind": lambda q: f"Produce which good on the abandoned square? Boxes left to choose: {q[Frame.LEFT]}",
    "trade": lambda q: "Buy boxes of one good, or sell any",
    "sell_more": lambda q: "Sell anything else",
    "offer_boxes": lambda q: f"Trade which boxes with {q.name_of(q.partner)}",
    "offer_price": _offer_price,
    "answer_offer": _answer,
    "taste": lambda q: "Choose which tasting tile? All tiles are revealed together",
}


def question(game: Any, names: Sequence[str] = ()) -> str:
    """Return the question to the seat that decides, by default the name of the decision."""
    return common_text.question_of(Prompt(game, names), TEXTS)


TURNS = ("start_worker", "take_action", "taste")
