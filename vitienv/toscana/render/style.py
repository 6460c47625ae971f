"""Colours of the game; goods and squares also differ in letter and lightness."""

from __future__ import annotations

from vitienv.render.style import Style

# Fill and text colours by kind of square and box.
COLOURS = {
    "red": ("#8c2740", "#ffffff"), "white": ("#f1e8b0", "#000000"), "rose": ("#f0a5b8", "#000000"),
    "champagne": ("#d9b44a", "#000000"), "water": ("#5b9bd0", "#000000"), "abandoned": ("#a9a38c", "#000000"),
}  # fmt: skip
STYLE = Style({
    **{f"t-{kind}": {"fill": fill} for kind, (fill, _) in COLOURS.items()},
    **{f"t-on-{kind}": {"fill": ink} for kind, (_, ink) in COLOURS.items()},
})  # fmt: skip
