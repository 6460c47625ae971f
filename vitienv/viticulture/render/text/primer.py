"""Rules for beginners: the text of `primer.md` with tables and numbers of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from vitienv.core.text_utils import listed, markdown
from vitienv.viticulture.board import Row
from vitienv.viticulture.cards import VINES
from vitienv.viticulture.enums import N_FIELDS, N_SUMMER_ACTIONS, STRUCTURES, Act
from vitienv.viticulture.render.text.board import (
    NEUTRAL,
    Rules,
    act_name,
    act_text,
    bonus_text,
    row_text,
    structure_price,
    structure_text,
)
from vitienv.viticulture.render.text.cards import CARDS, needs
from vitienv.viticulture.state import Rule

TEXT = Path(__file__).with_suffix(".md")
# Rulesets of the sections that not all have.
SECTION_RULESETS = {
    "The end": ("essential", "original"),
    "Selling a field": ("essential", "solo"),
    "Setup": ("essential", "solo"),
    "Solo: the Automa": ("solo",),
    "The original edition": ("original",),
}
SHARED = (
    "From vines to orders",
    "Structures",
    "Vines",
    "Selling a field",
    "Visitors",
)  # sections shared by variants of the game


def primer(options: Any) -> str:
    """Return the rules of a ruleset in Markdown."""
    rules = options.rules()
    return fill_sections(
        (name for name in sections() if options.ruleset in SECTION_RULESETS.get(name, options.RULESETS)),
        lambda _: rules,
    )


def page() -> str:
    """Return the sections of all rulesets for the documentation; sections of one ruleset have its numbers."""
    from vitienv.viticulture.options import Options

    rules_of_section = {name: Options(ruleset=rulesets[0]).rules() for name, rulesets in SECTION_RULESETS.items()}
    return "\n" + fill_sections(sections(), lambda name: rules_of_section.get(name, NEUTRAL))


def fill_sections(names: Iterable[str], rules_of: Callable[[str], Rules]) -> str:
    """Return sections with their tables and numbers. rules_of: rules of a section."""
    return "".join(sections()[name].format_map(_Parts(rules_of(name))) for name in names)


@cache
def sections() -> dict[str, str]:
    """Return the sections by heading; the first one has none."""
    parts = re.split(r"(?m)^(?=## )", TEXT.read_text(encoding="utf-8"))
    return {(part.partition("\n")[0][3:] if part.startswith("## ") else ""): part for part in parts}


class _Parts(dict):
    """Lazy values of the placeholders in braces."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, name: str) -> str:
        return TABLES[name](self.rules) if name in TABLES else str(int(self.rules[NUMBERS[name]]))


def _board(rules: Rules) -> str:
    rows = []
    for act in Act:
        season = "summer" if act < N_SUMMER_ACTIONS else "winter"
        bonus = bonus_text(int(act), rules)
        is_both = not bonus and (act != Act.GAIN_LIRA or rules[Rule.CART_IN_SUMMER])
        rows.append(("both" if is_both else season, act_name(int(act)), act_text(int(act), rules), bonus))
    return markdown(("season", "action", "what it does", "bonus of its middle space"), rows)


def _structures(rules: Rules) -> str:
    rows = [
        (name.replace("_", " "), str(structure_price(i, rules)), structure_text(i, rules))
        for i, name in enumerate(STRUCTURES)
    ]
    return markdown(("structure", "lira", "what it is for"), rows)


def _vines(rules: Rules) -> str:
    rows = [(CARDS[vine.id].title, str(vine.red or ""), str(vine.white or ""), needs(vine), str(vine.copies))
            for vine in VINES]  # fmt: skip
    return markdown(("vine", "red", "white", "needs", "cards"), rows)


TABLES: dict[str, Callable[[Rules], str]] = {
    "board": _board,
    "wake_up": lambda rules: markdown(("row", "bonus"), [(str(int(row)), row_text(int(row))) for row in Row]),
    "structures": _structures,
    "vines": _vines,
    "capacities": lambda rules: listed(str(int(rules[Rule.FIELD_CAPACITY + field])) for field in range(N_FIELDS)),
}
NUMBERS = {
    "goal": Rule.GOAL_VP,
    "train": Rule.TRAIN_PRICE,
    "years": Rule.LAST_YEAR,
    "automa": Rule.AUTOMA_VP,
    "start_lira": Rule.START_LIRA,
    "cap": Rule.VP_CAP,
}
