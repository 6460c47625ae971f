"""A move and its results in sentences: the differences of two states that a viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.core.text_utils import does, listed
from vitienv.toscana.enums import GOODS, NO_SEAT, Phase
from vitienv.toscana.render.table import printed, tile_name
from vitienv.toscana.render.text.choices import SIGN_WORDS
from vitienv.toscana.render.text.prompts import Asked, boxes, called, crossroad_name, piece_name, square_name
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

BEGIN = {"hiring": "hire", "winemaking": "make wine", "trading": "trade"}


def told(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """A move and its results, in sentences that tell the viewer nothing that its seat may not know."""
    q = Asked(before, names)
    is_open = viewer in (None, q.seat) or before.options.open_hands
    verb, rest = _deed(q, action, is_open)
    seats = [q.partner] if q.decision == "offer_price" else [q.offered_by] if q.decision == "answer_offer" else []
    lines = [does(names[q.seat], verb, rest) + _gained(q, after, names, seats) + "."]
    return [*lines, *_round_end(before, after, names)]


def _deed(q: Asked, action: str, is_open: bool) -> tuple[str, str]:
    """What the seat does: a verb, and the rest of the sentence."""
    block, _, rest = action.partition(":")
    good, _, n = rest.partition(":")
    if block == "square":
        square = SQUARE_NAMES.index(rest)
        piece = "start worker" if q.decision == "start_worker" else piece_name(q.state, q.seat)
        owner = int(q.state.square_owner[square])
        instead = f" in place of the winemaster of {q.who(owner)}" if owner not in (NO_SEAT, q.seat) else ""
        return "place", f"a {piece} on {square_name(q.state, square)}{instead}"
    if block == "take":
        return "begin", f"to {BEGIN[rest]}"
    if block == "pass":
        return "pass", good
    if block == "service":
        return "hire", "the lobbyist" if rest == "lobbyist" else "Mr Rose"
    if block == "tile":
        sign = SIGN_WORDS[int(q.state.sign[GOODS.index(rest)])]
        return "move", f"the {sign} of {rest} to {GOODS[list(q.state.sign).index(0)]}"
    if block == "price":
        return "move", f"the price of {good} {n}"
    if block == "crossroad":
        return "place", f"water {crossroad_name(CROSSROAD_NAMES.index(rest))}"
    if block == "good":
        return "choose", f"{rest} from an abandoned square"
    if block in ("buy", "sell"):
        if q.decision == "offer_boxes":
            return "offer", f"to {block} {n} {good}, {'from' if block == 'buy' else 'to'} {q.who(q.partner)}"
        return block, f"{n} {good}"
    if block == "taste":
        return "choose", f"tile {tile_name(q.state, int(rest))}" if is_open else "a tile"
    if block == "seat":
        return "turn", f"to {q.who((q.seat + int(rest)) % q.game.num_players)}"
    if block == "at":
        return "name", f"{rest} money a box"
    if block in ("yes", "no"):
        return ("accept" if block == "yes" else "decline"), f"the offer of {q.who(q.offered_by)}"
    return ("make", "wine") if q.decision == "place_water" else ("stop", "there")


def _gained(q: Asked, after: Any, names: Sequence[str], others: Sequence[int]) -> str:
    """What seats gained and lost by the move itself: ": -1 red, +3 money"."""
    was, now = q.state, after.state
    if was.phase == Phase.TASTING:  # told with the end of the round
        return ""
    gains = []
    for seat in [q.seat, *others]:
        change = now.boxes[seat].astype(int) - was.boxes[seat]
        parts = [f"{int(n):+d} {good}" for good, n in zip(GOODS, change) if n]
        if money := int(now.money[seat]) - int(was.money[seat]):
            parts.append(f"{money:+d} money")
        if parts:
            gains.append(("" if seat == q.seat else f"{called(names, seat)} ") + ", ".join(parts))
    if now.phase == was.phase and (moved := _prices(was, now)):
        gains.append(moved)
    return f" ({'; '.join(gains)})" if gains else ""


def _prices(was: Any, now: Any) -> str:
    """The prices that differ: "red 2 -> 3"."""
    pairs = [(good, printed(was.price[i]), printed(now.price[i])) for i, good in enumerate(GOODS)]
    return listed(f"{good} {first} -> {last}" for good, first, last in pairs if first != last)


def _round_end(before: Any, after: Any, names: Sequence[str]) -> list[str]:
    was, now = before.state, after.state
    if was.phase == Phase.ACTIONS and now.phase == Phase.TASTING:
        moved = _prices(was, now)
        return [f"All actions are used. Prices: {moved}." if moved else "All actions are used; no price moves."]
    if was.phase != Phase.TASTING or (now.phase == Phase.TASTING and not after.is_over):
        return []
    shown = [int(np.flatnonzero(now.played[seat] > was.played[seat])[0]) + 1 for seat in range(before.num_players)]
    tiles = ", ".join(f"{called(names, seat)}: {tile_name(was, tile)}" for seat, tile in enumerate(shown))
    moved = _prices(was, now)
    lines = [f"The tasting: {tiles}.", f"Prices: {moved}." if moved else "No price moves."]
    if not after.is_over:
        return [*lines, f"Round {after.round}: {does(names[int(now.start_seat)], 'begin')}."]
    if after.is_truncated:
        return [*lines, "The game is cut off."]
    sales = [
        f"{called(names, seat)}: {boxes(was.boxes[seat])} for {int(now.money[seat]) - int(was.money[seat])} money"
        for seat in range(before.num_players) if was.boxes[seat].any()
    ]  # fmt: skip
    return [*lines, *([f"The last sale: {'; '.join(sales)}."] if sales else []), "The game is over."]
