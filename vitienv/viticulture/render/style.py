"""Colours of the game; grapes and wines also differ in shape and lightness."""

from __future__ import annotations

from vitienv.render.style import Rules, Style

WINES = {
    "red": ("#7b1e3a", "#ffffff"), "white": ("#f3e6a1", "#000000"), "blush": ("#f2a7b5", "#000000"),
    "sparkling": ("#cfe8f3", "#000000"),
}  # fmt: skip
DECKS = {"vine": "#4f7f2a", "order": "#6a4c93", "summer": "#8f6400", "winter": "#2f6f9f"}


def _rules() -> Rules:
    rules = {"v-auto": {"fill": "#757575"}}
    for name, (fill, ink) in WINES.items():
        rules |= {f"v-{name}": {"fill": fill}, f"v-on-{name}": {"fill": ink}}
    return rules | {f"v-deck-{name}": {"fill": fill} for name, fill in DECKS.items()}


STYLE = Style(_rules())
