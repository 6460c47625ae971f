"""Texts of visitor cards, made from the parts of their rows."""

from __future__ import annotations

from vitienv.core.text_utils import listed, sentence
from vitienv.viticulture.cards.parts import Mode, Part, PartOp, Visitor
from vitienv.viticulture.legality import visitors  # noqa: F401 - by then every row is there
from vitienv.viticulture.ops.parts import ROWS


def phrase(part: Part) -> str:
    """Return the sentence of a part."""
    op, *numbers = part
    says = ROWS.rows[op].says
    return says(*numbers) if says else ""


def branch_text(branch: list[Part]) -> str:
    """Return the effect of an option in one phrase without a full stop."""
    conditions = [phrase(part) for part in branch if part.op == PartOp.NEEDS]
    steps = [phrase(part) for part in branch if part.op not in (PartOp.NEEDS, PartOp.IN_ANY_ORDER)]
    text = ", then ".join(steps) if len(steps) > 2 else listed(steps)
    return ", ".join([*conditions, text]) if conditions else text


def options_of(row: Visitor) -> list[str]:
    """Return the selectable options of a card as phrases; one that consists of two halves names both."""
    halves = [branch_text(branch) for branch in halves_of(row)]
    branches = row.branches[: len(row.branches) - len(halves)]
    both_halves = f"{listed(halves)}, in any order"
    return [
        both_halves if any(part.op == PartOp.IN_ANY_ORDER for part in branch) else branch_text(branch)
        for branch in branches
    ]


def halves_of(row: Visitor) -> tuple[list[Part], ...]:
    """Return the two compulsory halves of a card with a free order; they follow its options."""
    asks = any(part.op == PartOp.IN_ANY_ORDER for branch in row.branches for part in branch)
    return row.branches[-2:] if asks else ()


MODE_TEXTS = {
    Mode.ONE: "Choose one",
    Mode.BOTH_FOR_A_POINT: "Choose one, or both and lose 1 point",
    Mode.TWO: "Choose two, in any order",
}


def visitor_text(row: Visitor) -> str:
    """Return the effect of a visitor in one or two sentences."""
    options = options_of(row)
    if row.mode == Mode.BY_SIGN:
        return sentence(f"with fewer than 0 points {options[0]}; otherwise {options[1]}")
    if len(options) == 1:
        return sentence(options[0])
    numbered = "; ".join(f"({i}) {option}" for i, option in enumerate(options, 1))
    return f"{MODE_TEXTS[row.mode]}: {numbered}."
