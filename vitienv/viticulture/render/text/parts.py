"""Visitor cards in sentences, made from the parts of their rows."""

from __future__ import annotations

from vitienv.core.text_utils import listed, sentence
from vitienv.viticulture.cards.parts import Mode, Part, PartOp, Visitor
from vitienv.viticulture.legality import visitors  # noqa: F401 - by then every row is there
from vitienv.viticulture.ops.parts import ROWS


def phrase(part: Part) -> str:
    """What a part does, by its row."""
    op, *numbers = part
    says = ROWS.rows[op].says
    return says(*numbers) if says else ""


def branch_text(branch: list[Part]) -> str:
    """What an option of a card does, in one phrase without a full stop."""
    needed = [phrase(part) for part in branch if part.op == PartOp.NEEDS]
    steps = [phrase(part) for part in branch if part.op not in (PartOp.NEEDS, PartOp.IN_ANY_ORDER)]
    text = ", then ".join(steps) if len(steps) > 2 else listed(steps)
    return ", ".join([*needed, text]) if needed else text


def options_of(row: Visitor) -> list[str]:
    """The options of a card that can be chosen, as phrases. One that consists of two halves tells both."""
    halves = [branch_text(branch) for branch in halves_of(row)]
    shown = row.branches[: len(row.branches) - len(halves)]
    both = f"{listed(halves)}, in the order you like"
    return [both if any(part.op == PartOp.IN_ANY_ORDER for part in branch) else branch_text(branch) for branch in shown]


def halves_of(row: Visitor) -> tuple[list[Part], ...]:
    """The two compulsory halves of a card that lets its player choose their order; they stand behind its options."""
    asks = any(part.op == PartOp.IN_ANY_ORDER for branch in row.branches for part in branch)
    return row.branches[-2:] if asks else ()


HOW = {
    Mode.ONE: "Choose one",
    Mode.BOTH_FOR_A_POINT: "Choose one, or both and lose 1 point",
    Mode.TWO: "Carry out two of these, in the order you like",
}


def visitor_text(row: Visitor) -> str:
    """What a visitor does, in one or two sentences."""
    options = options_of(row)
    if row.mode == Mode.BY_SIGN:
        return sentence(f"with fewer than 0 points {options[0]}; otherwise {options[1]}")
    if len(options) == 1:
        return sentence(options[0])
    numbered = "; ".join(f"({i}) {option}" for i, option in enumerate(options, 1))
    return f"{HOW[row.mode]}: {numbered}."
