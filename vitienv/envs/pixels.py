"""A drawing as pixels, by LunaSVG, with the font that Matplotlib ships, so that no font need be installed."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from vitienv.extras import missing

FAMILY = "DejaVu Sans"
FACES = {"DejaVuSans.ttf": False, "DejaVuSans-Bold.ttf": True}  # whether it is bold


def pixels(svg: str, scale: float = 1.0) -> np.ndarray:
    """A drawing as an array (height, width, 3) uint8. svg: one without a style sheet, of theme "light" or "dark".

    scale: pixels for each unit of the drawing. DependencyNotInstalled says what to install; ValueError if the drawing
    is none.
    """
    drawing = _rasteriser().Document.loadFromData(svg)
    if drawing is None:
        raise ValueError("this is no drawing that can be turned into pixels")
    width, height = round(drawing.width() * scale), round(drawing.height() * scale)
    return np.ascontiguousarray(np.array(drawing.renderToBitmap(width, height), copy=False)[:, :, 2::-1])


@cache
def _rasteriser() -> Any:
    try:
        import pylunasvg
    except ImportError:
        raise DependencyNotInstalled(missing('render_mode="rgb_array"', "pylunasvg", "analysis")) from None
    import matplotlib

    for file, is_bold in FACES.items():
        path = Path(matplotlib.get_data_path(), "fonts", "ttf", file)
        pylunasvg.lunasvg_add_font_face_from_file(FAMILY, is_bold, False, str(path))
    return pylunasvg
