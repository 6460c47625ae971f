"""The market: prices, recommendations, market storages, bank, and trades."""

from __future__ import annotations

from vitienv.render.pen import Pen, humanize
from vitienv.toscana.enums import CAPACITY, GOODS, LETTERS, LEVELS
from vitienv.toscana.render.scene import Scene
from vitienv.toscana.render.table import RECONSTRUCTED, printed_price

TITLE, WORDS, COLUMN = 24.0, 58.0, 98.0
MARKET_HEIGHT = 376.0
TRACK, STEP = 64.0, 22.0
SIGNS = {1: "+", -1: "−", 0: ""}
BOX = 15.0


def boxes(pen: Pen, x: float, y: float, step: float, n: int, good: str, kind: str, owner: str, **facts: object) -> None:
    """Draw the places of a storage, the first n with a box."""
    for box_x in (x + i * step for i in range(n, CAPACITY)):
        pen.box(box_x, y, BOX, BOX, "v-empty", 2)
    for box_x in (x + i * step for i in range(n)):
        with pen.token(kind, f"A box of {good} {owner}", good=good, **facts):
            pen.box(box_x, y, BOX, BOX, f"t-{good} v-edge", 2)
            pen.text(box_x + BOX / 2, y + 11.5, LETTERS[GOODS.index(good)], 10.5, f"v-b v-m t-on-{good}")


def market_width(n: int = len(GOODS)) -> float:
    """Return the width of n goods of the market."""
    return WORDS + n * COLUMN + 4


def market(pen: Pen, scene: Scene, goods: range = range(len(GOODS))) -> None:
    """Draw some goods of the market, `market_width(len(goods))` by `MARKET_HEIGHT`."""
    width = market_width(len(goods))
    pen.box(0, 0, width, MARKET_HEIGHT, "v-panel", 6)
    pen.text(8, 17, "Market", 13, "v-ink v-b")
    for y, word in ((53.0, "opinion"), (TRACK + 14, "price"), (237.0, "storage"), (262.0, "bank"), (288.0, "change"),
                    (318.0, "buy"), (350.0, "sell")):  # fmt: skip
        pen.text(6, y, word, 12, "v-faint", WORDS - 4)
    if scene.has_reconstructions and len(goods) == len(GOODS):
        pen.text(8, MARKET_HEIGHT - 5, RECONSTRUCTED, 11.5, "v-faint", width - 16)
    for i, k in enumerate(goods):
        with pen.move(WORDS + i * COLUMN, 0):
            _good(pen, scene, k, GOODS[k])


def _good(pen: Pen, scene: Scene, k: int, good: str) -> None:
    r = scene.state
    with pen.zone([f"good:{good}"], 0, TITLE - 2, 92, 18, humanize(good)):
        pen.text(46, TITLE + 12, humanize(good), 13, "v-ink v-b v-m", 92)
    sign = int(r.sign[k])
    with pen.zone([f"tile:{good}"], 34, 43, 24, 17, f"Recommendation of {good}"):
        pen.box(36, 44, 20, 15, "v-slot", 3)
        if sign:
            with pen.token("sign", f"Recommendation {SIGNS[sign]} on {good}", good=good, sign=sign):
                pen.text(46, 56, SIGNS[sign], 15, "v-ink v-b v-m")
    for level in range(LEVELS):
        y = TRACK + (LEVELS - 1 - level) * STEP
        is_here = level == int(r.price[k])
        pen.box(24, y, 44, STEP - 3, f"t-{good} v-edge" if is_here else "v-empty", 3)
        if is_here:
            with pen.token("price", f"Price of {good}: {printed_price(level)}", good=good, level=level):
                pen.text(46, y + 14, printed_price(level), 13, f"v-b v-m t-on-{good}")
        else:
            pen.text(46, y + 14, printed_price(level), 11.5, "v-m v-faint")
    boxes(pen, 3, 226, BOX + 2.4, int(r.stock[k]), good, "stock", "in the market")
    with pen.token("bank", f"{int(r.bank[k])} boxes of {good} in the bank", good=good, boxes=int(r.bank[k])):
        pen.text(46, 262, str(int(r.bank[k])), 12.5, "v-ink v-m")
    for direction, x in (("up", 8.0), ("down", 50.0)):
        with pen.zone([f"price:{good}:{direction}"], x, 274, 36, 18, f"Price of {good} {direction}"):
            pen.text(x + 18, 287, "▲" if direction == "up" else "▼", 11, "v-faint v-m")
    for word, y in (("buy", 302.0), ("sell", 334.0)):
        for n in range(1, CAPACITY + 1):
            x = 3 + (n - 1) * (BOX + 2.4)
            with pen.zone([f"{word}:{good}:{n}"], x - 0.5, y, BOX + 1, 24, f"{word.capitalize()} {n} {good}"):
                ink = "v-ink v-m" if f"{word}:{good}:{n}" in scene.legal else "v-faint v-m"
                pen.text(x + BOX / 2, y + 16, str(n), 12.5, ink)
