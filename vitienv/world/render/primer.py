"""Rules for beginners: `primer.md`, filled with the tables and numbers of the options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vitienv.core.text_utils import markdown
from vitienv.viticulture.board import Row
from vitienv.viticulture.render.text.board import row_text
from vitienv.viticulture.render.text.primer import SHARED, fill_sections
from vitienv.world.enums import FIRST_WINTER, N_ACTIONS_ON_BOARD, Place
from vitienv.world.render.component_names import Components
from vitienv.world.state import WorldRule

TEXT, ALONE = Path(__file__).with_suffix(".md"), "## Alone"


def primer(options: Any) -> str:
    """Return the rules on a continent in Markdown."""
    components, rules = Components(options.tables), options.rules()
    rule = components.rule(options.continent)
    text = TEXT.read_text(encoding="utf-8")
    if not rules[WorldRule.PARTNER]:
        text = text.partition(ALONE)[0]
    return text.format(
        shared=fill_sections(SHARED, lambda _: rules).strip(),
        ring=markdown(("position", "benefit"), [(str(int(row)), row_text(int(row))) for row in Row]),
        board=_board(components), continent=rule.title, rule=rule.text,
        years=int(rules[WorldRule.LAST_YEAR]), vp=int(rules[WorldRule.VP_EACH]),
        end=int(rules[WorldRule.INFLUENCE_END]), start=int(rules[WorldRule.START_INFLUENCE]),
        over=int(rules[WorldRule.OVER_ACHIEVE_AT]), hand=int(rules[WorldRule.HAND_LIMIT]),
        rectangles=int(rules[WorldRule.TILES_A_YEAR]), ovals=int(rules[WorldRule.OVALS_A_YEAR]),
    )  # fmt: skip


def _board(components: Components) -> str:
    rows = []
    for place in Place:
        if place == Place.EVENT:
            continue
        season = "both" if place >= N_ACTIONS_ON_BOARD else "summer" if place < FIRST_WINTER else "winter"
        rectangle = components.does(place, True) if place < N_ACTIONS_ON_BOARD else ""
        rows.append((season, components.name(place), components.does(place, False), rectangle))
    return markdown(("season", "action", "what it does", "with its rectangle"), rows)
