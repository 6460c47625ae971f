"""Cards in the largest size that fits; hidden ones show their backs."""

from __future__ import annotations

from vitienv.render.pen import LEADING, MIN_FONT_SIZE, measure_text
from vitienv.viticulture.cards.orders import ORDERS
from vitienv.viticulture.cards.vines import VINES
from vitienv.viticulture.enums import WINES
from vitienv.viticulture.render.pen import Pen, humanize
from vitienv.viticulture.render.scene import HIDDEN
from vitienv.viticulture.render.text.cards import CARDS

Card = tuple[str, str]
SIZES = (
    (168, 106), (144, 100), (144, 91), (118, 74), (98, 62), (86, 54), (72, 44), (58, 32), (46, 22), (30, 20), (22, 18),
    (16, 16), (12, 15), (9, 11),
)  # fmt: skip
GAP = 4.0
FACE = (98.0, 62.0)  # larger cards are scaled from this size
MIN_TEXT_HEIGHT = 88.0  # height from which a visitor shows its text
VINE_ROWS = {vine.id: vine for vine in VINES}
ORDER_ROWS = {order.id: order for order in ORDERS}


def title_of(deck: str, card: str) -> str:
    """Return a one-line description of a card."""
    if card == HIDDEN:
        return f"A hidden {deck} card"
    return f"{humanize(card)}, {CARDS[card].kind}: {CARDS[card].short}"


def flow(n: int, w: float, h: float) -> tuple[int, float, float, float]:
    """Return the layout of the largest size at which n cards fit: columns, step, width, height.

    If none fits, small cards overlap.
    """
    for width, height in SIZES:
        across, down = int((w + GAP) // (width + GAP)), int((h + GAP) // (height + GAP))
        if across * down >= n:
            return across, width + GAP, width, height
    across = -(-n // down)
    return across, (w - width) / (across - 1), width, height


def cards(
    pen: Pen, x: float, y: float, w: float, h: float, hand: list[Card], owner: int, in_play: int = 0,
    is_asked: bool = False,
) -> None:  # fmt: skip
    """Draw cards in the box (x, y, w, h), the first `in_play` of them not in hand. is_asked: can they be selected."""
    across, step, width, height = flow(len(hand), w, h)
    for k, (deck, card) in enumerate(hand):
        at_x, at_y = x + (k % across) * step, y + (k // across) * (height + GAP)
        facts = {"seat": owner, "deck": deck, "card": card or "hidden", "at": "in_play" if k < in_play else "hand"}
        with pen.token("card", title_of(deck, card) + (", in play" if k < in_play else ""), **facts):
            _card(pen, at_x, at_y, width, height, deck, card, is_asked, k < in_play)


def _card(
    pen: Pen, x: float, y: float, w: float, h: float, deck: str, card: str, is_asked: bool, is_in_play: bool
) -> None:
    with pen.zone([f"card:{deck}:{card}"] if is_asked else [], x, y, w, h):
        if card == HIDDEN:
            pen.box(x, y, w, h, f"v-deck-{deck} v-edge", min(4, w / 5))
            if w >= 12:  # smaller cards show only the colour of their deck
                size = max(pen.least, min(w, h) * 0.62)
                pen.text(x + w / 2, y + h / 2 + size * 0.36, deck[0].upper(), size, "v-b v-m v-white-ink")
        else:
            pen.box(x, y, w, h, "v-mine" if is_in_play else "v-card", min(4, w / 5))
            if h >= MIN_TEXT_HEIGHT and deck in ("summer", "winter"):
                # The text is on the card because a phone has no tooltips.
                pen.box(x, y, w, 17, f"v-deck-{deck}", 3)
                pen.text(x + w / 2, y + 13, humanize(card), 12.5, "v-b v-m v-white-ink", w - 6)
                pen.lines(x + 5, y + 30, CARDS[card].text, 13, "v-ink", w - 8, (h - 20) / (13 * LEADING))
            elif h > FACE[1]:
                with pen.move(x, y, w / FACE[0]):
                    _face(pen, 0, 0, *FACE, deck, card)
            else:
                _face(pen, x, y, w, h, deck, card)


def _face(pen: Pen, x: float, y: float, w: float, h: float, deck: str, card: str) -> None:
    if h < 40:
        band = 4.0 if w >= 22 else w / 3
        pen.box(x, y, band, h, f"v-deck-{deck}", 1)
        if w >= 40 and deck == "vine" and h >= 30:
            pen.text(x + band + 3, y + 13, short(humanize(card), w - band - 5), 10)
            draw_yield(pen, x + w - 9, y + h - 9, 6.5, card)
        elif w >= 30:
            name = card.replace("order_", "#") if deck == "order" else humanize(card)
            pen.text(x + band + 2, y + h / 2 + 3.5, short(name, w - band - 3), 10)
        return
    pen.box(x, y, w, 12, f"v-deck-{deck}", 3)
    pen.text(x + w / 2, y + 9.8, deck.capitalize(), 10, "v-b v-m v-white-ink")
    if deck == "vine":
        needs = ["trellis"] * VINE_ROWS[card].trellis + ["irrigation"] * VINE_ROWS[card].irrigation
        if len(needs) > 1 and h < FACE[1]:
            needs = ["T + I"]  # the tooltip has the full words
        _name(pen, x, y + 12, w, h - 30 - 4 * len(needs), humanize(card))
        draw_yield(pen, x + w - 12, y + h - 11, 8, card)
        for k, word in enumerate(needs):
            pen.text(x + 4, y + h - 5 - 10 * (len(needs) - 1 - k), word, 10, "v-faint", w - 28)
    elif deck == "order":
        order = ORDER_ROWS[card]
        step, middle = min(22.0, w / len(order.wines)), (len(order.wines) - 1) / 2
        for k, (kind, min_value) in enumerate(order.wines):
            pen.drop(x + w / 2 + (k - middle) * step, y + h / 2 - 1, 8.5, WINES[kind], min_value)
        pen.text(x + w / 2, y + h - 5, f"{order.vp} pts, +{order.residual}", 10, "v-ink v-m", w - 6)
    else:
        _name(pen, x, y + 12, w, h - 14, humanize(card))


def _name(pen: Pen, x: float, y: float, w: float, h: float, words: str) -> None:
    kind, size = "v-ink v-b v-m", 11.0
    first, _, second = words.partition(" ")
    lines = [first, second] if second and measure_text(words, size, kind) > w - 4 and h >= 16 else [words]
    for k, line in enumerate(lines):
        baseline = y + h / 2 + 4 + (k - (len(lines) - 1) / 2) * 12
        pen.text(x + w / 2, baseline, short(line, w - 4, kind), size, kind, w - 4)


def draw_yield(pen: Pen, x: float, y: float, r: float, card: str) -> None:
    """Draw the values of a vine, the last one at (x, y)."""
    vine = VINE_ROWS[card]
    for kind, value in (("white", vine.white), ("red", vine.red)):
        if value:
            pen.drop(x, y, r, kind, value)
            x -= 2.3 * r


def short(name: str, width: float, kind: str = "") -> str:
    """Return a name at the minimum size, abbreviated to a width with a full stop."""
    if measure_text(name, MIN_FONT_SIZE, kind) <= width:
        return name
    while len(name) > 1 and measure_text(f"{name}.", MIN_FONT_SIZE, kind) > width:
        name = name[:-1].rstrip()
    return f"{name}." if len(name) > 2 else name
