"""Colours of the game; goods and squares also differ in letter and lightness."""

from __future__ import annotations

from vitienv.render.style import Rules, Style
from vitienv.toscana.enums import KINDS

# Fill and text colours by kind of square and box.
COLOURS = {
    "red": ("#8c2740", "#ffffff"), "white": ("#f1e8b0", "#000000"), "rose": ("#f0a5b8", "#000000"),
    "champagne": ("#d9b44a", "#000000"), "water": ("#5b9bd0", "#000000"), "abandoned": ("#a9a38c", "#000000"),
}  # fmt: skip


def _rules() -> Rules:
    rules: Rules = {}
    for kind in KINDS:
        fill, ink = COLOURS[kind]
        rules |= {f"t-{kind}": {"fill": fill}, f"t-on-{kind}": {"fill": ink}}
    return rules


STYLE = Style(_rules())
