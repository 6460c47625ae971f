"""Colours of the game; grapes and wines also differ in shape and lightness."""

from __future__ import annotations

from vitienv.render.style import Style

WINES = {
    "red": ("#7b1e3a", "#ffffff"), "white": ("#f3e6a1", "#000000"), "blush": ("#f2a7b5", "#000000"),
    "sparkling": ("#cfe8f3", "#000000"),
}  # fmt: skip
DECKS = {"vine": "#4f7f2a", "order": "#6a4c93", "summer": "#8f6400", "winter": "#2f6f9f"}
STYLE = Style({
    "v-auto": {"fill": "#757575"},
    **{f"v-{name}": {"fill": fill} for name, (fill, _) in WINES.items()},
    **{f"v-on-{name}": {"fill": ink} for name, (_, ink) in WINES.items()},
    **{f"v-deck-{name}": {"fill": fill} for name, fill in DECKS.items()},
})  # fmt: skip
