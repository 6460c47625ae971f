"""Rasterization of drawings by LunaSVG, with the font bundled with Matplotlib."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from vitienv.extras import missing_message

FAMILY = "DejaVu Sans"
FACES = {"DejaVuSans.ttf": False, "DejaVuSans-Bold.ttf": True}  # file: is_bold


def pixels(svg: str) -> np.ndarray:
    """Rasterize a drawing to an array (height, width, 3) uint8.

    svg: drawing without a style sheet, of theme "light" or "dark". DependencyNotInstalled without pylunasvg; ValueError
    if the SVG is invalid.
    """
    drawing = _rasteriser().Document.loadFromData(svg)
    if drawing is None:
        raise ValueError("svg must be a valid drawing")
    width, height = round(drawing.width()), round(drawing.height())
    return np.ascontiguousarray(np.array(drawing.renderToBitmap(width, height), copy=False)[:, :, 2::-1])


@cache
def _rasteriser() -> Any:
    try:
        import pylunasvg
    except ImportError:
        raise DependencyNotInstalled(missing_message('render_mode="rgb_array"', "pylunasvg", "analysis")) from None
    import matplotlib

    for file, is_bold in FACES.items():
        path = Path(matplotlib.get_data_path(), "fonts", "ttf", file)
        pylunasvg.lunasvg_add_font_face_from_file(FAMILY, is_bold, False, str(path))
    return pylunasvg
