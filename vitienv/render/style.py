"""Colours and style sheet of drawings, to which games add classes.

Seats have the colour-blind safe colours of Okabe and Ito, shapes and numbers. Legal zones are tinted and have a thick
outline.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape

# Colours of the tokens of each seat, and of their numbers.
SEATS = (
    ("#0072b2", "#ffffff"), ("#d55e00", "#000000"), ("#009e73", "#000000"), ("#f0e442", "#000000"),
    ("#56b4e9", "#000000"), ("#cc79a7", "#000000"),
)  # fmt: skip
FONT = "'DejaVu Sans', Verdana, sans-serif"
LIGHT = {
    "paper": "#f4efe4", "panel": "#fffdf8", "ink": "#22201c", "faint": "#625c50", "line": "#b5ac99", "slot": "#ece5d6",
    "earth": "#e6d6b8", "built": "#d9e2c8", "offer": "#ffb347", "card": "#ffffff", "edge": "#22201c",
}  # fmt: skip
DARK = {
    "paper": "#1b1a18", "panel": "#292724", "ink": "#f3efe6", "faint": "#bfb8ab", "line": "#6b655a", "slot": "#383530",
    "earth": "#4a3d29", "built": "#3d4a30", "offer": "#b8741a", "card": "#35322d", "edge": "#f3efe6",
}  # fmt: skip
THEMES = ("auto", "light", "dark")
COLUMNS = (1, 2, 3, 4)

Rules = dict[str, dict[str, str]]
COMMON: Rules = {
    "v-b": {"font-weight": "bold"}, "v-m": {"text-anchor": "middle"}, "v-e": {"text-anchor": "end"},
    "v-white-ink": {"fill": "#ffffff"},
    **{f"v-s{seat}": {"fill": fill} for seat, (fill, _) in enumerate(SEATS)},
    **{f"v-n{seat}": {"fill": ink} for seat, (_, ink) in enumerate(SEATS)},
}  # fmt: skip


class Style:
    """CSS classes of a game's drawings. rules: classes of the game, the same in both themes."""

    def __init__(self, rules: Rules) -> None:
        self._common = COMMON | rules
        self._of_theme = {theme: _attributes(self._common, theme) for theme in THEMES[1:]}

    def sheet(self, theme: str) -> str:
        """Return the style sheet of theme "auto", which follows the reader's setting; "" for others, see `plain`."""
        if theme != "auto":
            return ""
        always, light, dark = (_css(rules) for rules in (self._common, _theme_rules(LIGHT), _theme_rules(DARK)))
        fonts = f".v text{{font-family:{FONT}}}"
        return f"<style>{fonts}{always}{light}@media (prefers-color-scheme: dark) {{{dark}}}</style>"

    def plain(self, svg: str, theme: str) -> str:
        """Replace the classes of a drawing by attributes, which rasterizers process much faster than a style sheet."""
        attributes = self._of_theme[theme]
        return re.sub(r'class="([^"]*)"', lambda match: attributes(match[1]), svg)


def check(columns: int, theme: str) -> None:
    """Raise ValueError for an invalid number of columns or an unknown theme."""
    if columns not in COLUMNS:
        raise ValueError(f"columns must be 1, 2, 3 or 4, got {columns!r}")
    if theme not in THEMES:
        raise ValueError(f"theme must be 'auto', 'light' or 'dark', got {theme!r}")


def page(parts: str, width: float, height: float, title: str, style: Style, theme: str) -> str:
    """Return an SVG document of drawn parts. title: title of the drawing."""
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="v" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT}" role="img"><title>{escape(title, quote=False)}</title>'
        f'{style.sheet(theme)}<rect class="v-paper" width="{width:g}" height="{height:g}"/>'
    )
    svg = f"{start}{parts}</svg>"
    return svg if theme == "auto" else style.plain(svg, theme)


def _attributes(always: Rules, theme: str) -> Callable[[str], str]:
    rules = always | _theme_rules(DARK if theme == "dark" else LIGHT)

    @cache
    def of(classes: str) -> str:
        merged: dict[str, str] = {}
        for name in classes.split():
            merged |= rules.get(name, {})
        return " ".join(f'{key}="{value}"' for key, value in merged.items())

    return of


def _css(rules: Rules) -> str:
    return "".join(f".{name}{{{';'.join(f'{k}:{v}' for k, v in of.items())}}}" for name, of in rules.items())


def _theme_rules(of: dict[str, str]) -> Rules:
    ink, line = of["ink"], of["line"]
    return {
        "v-paper": {"fill": of["paper"]},
        "v-panel": {"fill": of["panel"], "stroke": line},
        "v-ink": {"fill": ink},
        "v-faint": {"fill": of["faint"]},
        "v-slot": {"fill": of["slot"], "stroke": line},
        "v-empty": {"fill": "none", "stroke": line},
        "v-hole": {"fill": of["slot"]},
        "v-earth": {"fill": of["earth"], "stroke": line},
        "v-built": {"fill": of["built"], "stroke": ink},
        "v-planned": {"fill": "none", "stroke": line, "stroke-dasharray": "3 2"},
        "v-card": {"fill": of["card"], "stroke": line},
        "v-edge": {"stroke": of["edge"], "stroke-width": "1"},
        "v-ring": {"fill": "none", "stroke": ink, "stroke-width": "1.6"},
        "v-hint": {"fill": "none", "stroke": ink, "stroke-width": "1.2", "stroke-dasharray": "2 2"},
        "v-zone": {"fill": of["offer"], "fill-opacity": "0.25", "stroke": ink, "stroke-width": "2.2"},
        "v-mine": {"fill": of["panel"], "stroke": ink, "stroke-width": "2"},
    }
