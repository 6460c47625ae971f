"""The rules of a game: the text of `primer.md` with the numbers of its options."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.core.text_utils import listed
from vitienv.toscana.enums import GOODS, N_GOODS, N_TILES
from vitienv.toscana.render.table import tile_marks
from vitienv.toscana.state import RULE_PARAMETERS

TEXT = Path(__file__).with_suffix(".md")
SOURCE = re.compile(r" \{\{(.*?)\}\}$", re.MULTILINE)  # source of a rule outside the rulebook


def primer(options: Any) -> str:
    """Return the rules in Markdown, without sources."""
    return SOURCE.sub("", _fill_template(options)).replace("\n### ", "\n## ").replace("\n#### ", "\n### ")


def page() -> str:
    """Return the rules for the documentation, with sources."""
    from vitienv.toscana.options import Options

    return "\n" + SOURCE.sub(r" (\1)", _fill_template(Options()))


def _fill_template(options: Any) -> str:
    rules = options.rules()

    def rule_parameter(name: str, n: int = N_GOODS) -> np.ndarray:
        return rules[int(RULE_PARAMETERS.numbers[name.upper()]) :][:n]

    def goods(numbers: np.ndarray) -> str:
        return ", ".join(f"{good} {number}" for good, number in zip(GOODS, numbers.tolist(), strict=True))

    marks, sign = rule_parameter("marks", N_TILES * N_GOODS).reshape(N_TILES, N_GOODS), rule_parameter("start_sign")
    buying, level = rule_parameter("buying", 7), rule_parameter("start_price")
    parts = {
        "supply": goods(rule_parameter("supply")),
        "stock": goods(rule_parameter("start_stock")),
        "prices": f"{goods(buying[level])} (levels {', '.join(map(str, level.tolist()))})",
        "tiles": "; ".join(map(tile_marks, marks)),
        "plus": listed(_select(sign > 0)), "minus": listed(_select(sign < 0)), "empty": listed(_select(sign == 0)),
    }  # fmt: skip
    text = TEXT.read_text(encoding="utf-8")
    for name, value in parts.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def _select(mask: np.ndarray) -> list[str]:
    return [good for good, is_set in zip(GOODS, mask, strict=True) if is_set]
