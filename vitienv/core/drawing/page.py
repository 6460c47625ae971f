"""The frame of a drawing: the page on which its parts lie, with its colours and its title."""

from __future__ import annotations

from html import escape

from vitienv.core.drawing.style import FONT, Style

COLUMNS = (1, 2, 3, 4)


def check(columns: int, theme: str, style: Style) -> None:
    """ValueError unless a drawing has so many columns and such a theme."""
    if columns not in COLUMNS:
        raise ValueError(f"columns is {columns!r}; it must be 1, 2, 3 or 4")
    style.check(theme)


def page(parts: str, width: float, height: float, title: str, style: Style, theme: str) -> str:
    """Parts on a page of their own, SVG. title: what the drawing is called. theme: as for `style`."""
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="v" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="{FONT}" role="img"><title>{escape(title, quote=False)}</title>'
        f'{style.sheet(theme)}<rect class="v-paper" width="{width:g}" height="{height:g}"/>'
    )
    svg = f"{start}{parts}</svg>"
    return svg if theme == "auto" else style.plain(svg, theme)
