"""Visitor cards in sentences, made from the parts of their rows."""

from __future__ import annotations

from collections.abc import Callable

from vitienv.viticulture.board import ZYMOLOGIST_LEAST
from vitienv.viticulture.cards.parts import (
    ALL_STRUCTURES,
    ANY_DECK,
    NO_PRICE,
    VISITORS,
    WAIVE_LIMIT,
    WAIVE_STRUCTURES,
    Condition,
    Fact,
    Mode,
    Offer,
    Part,
    PartOp,
    Reward,
    Visitor,
)
from vitienv.viticulture.names import DECKS, RESIDUAL_MAX, STRUCTURES
from vitienv.viticulture.ops import opponents
from vitienv.viticulture.ops.counting import BY_COST, FULL_STAFF
from vitienv.viticulture.render.words.plain import a, count, lira, listed, plain, points, sentence, up_to

DECK_WORDS = {"vine": "vine card", "order": "wine order", "summer": "summer visitor", "winter": "winter visitor"}
COUNTED = {
    Fact.EMPTY_FIELDS: "for each field you own that has no vines",
    Fact.PLANTED_FIELDS: "for each field that has vines",
    Fact.STRUCTURES_OF_COST_4: f"for each of your structures that costs {BY_COST} lira",
    Fact.OPPONENTS_WITH_SIX_WORKERS: f"for each opponent who has {FULL_STAFF} workers",
    Fact.HAND_CARDS: "for each card in your hand",
}
CONDITIONS = {
    Condition.BUILT_COST_5_OR_6: "if it costs 5 or 6 lira without the discount",
    Condition.PLANTED_TOTAL_4: "if the vine's values add up to 4",
    Condition.SIX_VINES_PLANTED: "if you then have 6 vines planted",
    Condition.THREE_VARIETIES_ON_FIELD: "if that field then has 3 different vines",
    Condition.THREE_HARVESTED: "if you harvest 3 fields",
    Condition.SIX_STRUCTURES: "if you then have 6 structures",
    Condition.EACH_SPARKLING: "for each sparkling wine you make",
    Condition.EACH_TYPE: "for each type of wine you make",
    Condition.MOST_VALUABLE_WINE: "if no opponent has a wine of that value or more",
    Condition.SIX_WORKERS: f"with {FULL_STAFF} workers",
}
OFFERS = {
    Offer.BANKER: f"each opponent may lose 1 point to receive {lira(opponents.BANKER_LIRA)}",
    Offer.HANDYMAN: f"everybody may build a structure for {lira(opponents.HANDYMAN_DISCOUNT)} less; "
    "you score 1 point for each opponent who does",
    Offer.VOLUNTEER_CREW: "everybody may plant a vine; "
    f"you receive {lira(opponents.VOLUNTEER_LIRA)} for each opponent who does",
    Offer.MENTOR: "everybody may make up to 2 wines; "
    "you draw a vine card or a summer visitor for each opponent who does",
    Offer.GUEST_SPEAKER: f"everybody may train a worker for {lira(opponents.GUEST_SPEAKER_PRICE)}; "
    "you score 1 point for each opponent who does",
    Offer.MOTIVATOR: "everybody may take the grande worker back to place it again; "
    "you score 1 point for each opponent who does",
    Offer.SWINDLER: f"each opponent may pay you {lira(opponents.SWINDLER_LIRA)}; "
    "you score 1 point for each who does not",
    Offer.VENDOR: "each opponent may draw a summer visitor",
}
REWARDS = {
    Reward.PAY_TWO_LIRA: f"pay {lira(opponents.WEDDING_LIRA)} to each of up to {opponents.MAX_CHOSEN} opponents "
    "and score 1 point for each",
    Reward.GIVE_SUMMER_VISITOR: f"choose up to {opponents.MAX_CHOSEN} opponents: each gives you a summer visitor, "
    "and you score 1 point for each who has none",
}


def drawn(counts: int) -> str:
    """The cards that a part draws: three bits for each deck."""
    numbers = [(deck, (counts >> (3 * i)) & 7) for i, deck in enumerate(DECKS)]
    return listed(a(n, DECK_WORDS[deck]) for deck, n in numbers if n)


def structures(allowed: int) -> str:
    """Which structures a mask allows."""
    names = [plain(name) for i, name in enumerate(STRUCTURES) if (allowed >> i) & 1]
    return f"the {listed(names, 'or')}"


def _build(discount: int, price: int, allowed: int) -> str:
    what = "a structure" if allowed == ALL_STRUCTURES else structures(allowed)
    if price == 0:
        return f"build {what} without paying"
    if price != NO_PRICE:
        return f"build {what} for {lira(price)}"
    return f"build {what}" + (f" for {lira(discount)} less" if discount else "")


def _plant(most: int, waive: int, optional: int) -> str:
    text = f"{'you may ' if optional else ''}plant {up_to(most, 'vine')}"
    if waive & WAIVE_STRUCTURES:
        text += " without the structures it needs"
    if waive & WAIVE_LIMIT:
        text += ", even beyond the limit of the field"
    return text


def _make(most: int, no_cellars: int, c: int) -> str:
    text = f"make {up_to(most, 'wine')}"
    return text + (f" of value {ZYMOLOGIST_LEAST} or more, whatever cellars you have" if no_cellars else "")


def _residual(n: int, at_limit_too: int, c: int) -> str:
    if n < 0:
        return f"lower your residual payments by {lira(-n)} a year"
    more = f" (they stay at {RESIDUAL_MAX} if they are there)" if at_limit_too else ""
    return f"raise your residual payments by {lira(n)} a year{more}"


def _discard(n: int, decks: int, c: int) -> str:
    kind = {ANY_DECK: "card", VISITORS: "visitor card"}.get(decks)
    if kind is None:
        kind = listed((DECK_WORDS[deck] for i, deck in enumerate(DECKS) if (decks >> i) & 1), "or")
    return f"discard {a(n, kind)}"


PHRASES: dict[PartOp, Callable[[int, int, int], str]] = {
    PartOp.LIRA: lambda n, b, c: f"receive {lira(n)}" if n > 0 else f"pay {lira(-n)}",
    PartOp.POINTS: lambda n, b, c: f"score {points(n)}" if n > 0 else f"lose {points(-n)}",
    PartOp.RESIDUAL: _residual,
    PartOp.DRAW: lambda counts, b, c: f"draw {drawn(counts)}",
    PartOp.BUILD: _build,
    PartOp.PLANT: _plant,
    PartOp.HARVEST: lambda n, b, c: f"harvest {up_to(n, 'field')}",
    PartOp.MAKE: _make,
    PartOp.FILL: lambda a_, b, c: "fill a wine order",
    PartOp.TRAIN: lambda price, at_once, c: "train a worker "
    + (f"for {lira(price)}" if price else "without paying")
    + (", who can be placed this year already" if at_once else ""),
    PartOp.UPROOT: lambda n, b, c: f"uproot {a(n, 'vine')} and discard {a(n, 'vine card')}",
    PartOp.DISCARD: _discard,
    PartOp.DISCARD_HAND: lambda a_, b, c: "discard your whole hand",
    PartOp.DISCARD_GRAPE: lambda a_, b, c: "discard a grape",
    PartOp.DISCARD_WINE: lambda least, b, c: "discard a wine" + (f" of value {least} or more" if least > 1 else ""),
    PartOp.AGE_ALL: lambda n, b, c: f"age every wine in your cellar by {n}",
    PartOp.AGE_ONE: lambda a_, b, c: "age one wine by 1",
    PartOp.BUY_GRAPE: lambda a_, b, c: "place a red or a white grape of value 1 on your crush pad",
    PartOp.BUY_GRAPE_PAIR: lambda a_, b, c: "place a red and a white grape of value 1 on your crush pad",
    PartOp.PER: lambda fact, money, vp: listed([f"receive {lira(money)}" if money else "",
                                                f"score {points(vp)}" if vp else ""])
    + f" {COUNTED[Fact(fact)]}",
    PartOp.WHEN: lambda condition, vp, c: f"score {points(vp)} {CONDITIONS[Condition(condition)]}",
    PartOp.SWAP_VINES: lambda a_, b, c: "exchange two planted vines that stand on different fields",
    PartOp.EACH_MAY: lambda offer, b, c: OFFERS[Offer(offer)],
    PartOp.CHOOSE_OPPONENTS: lambda reward, b, c: REWARDS[Reward(reward)],
    PartOp.IMPORT: lambda a_, b, c: f"draw {count(opponents.IMPORTED, 'winter visitor')}, unless your opponents "
    f"together give you {count(opponents.IMPORTED, 'visitor card')} instead",
    PartOp.PLAN: lambda a_, b, c: "place a worker on a winter action, which is carried out when winter begins",
    PartOp.RETRIEVE: lambda n, b, c: f"take back up to {n} of your other placed workers, to place them again this year",
    PartOp.MOVE_ROOSTER: lambda a_, b, c: "move your rooster to an empty wake-up row, take its bonus, "
    "and pass for this season; your new place counts from the next season on",
    PartOp.MANAGE: lambda a_, b, c: "use a summer action of the board without a worker, even if it is full, "
    "but without its bonus",
    PartOp.INNKEEPER: lambda a_, b, c: "take the top cards of two different discard piles into your hand",
    PartOp.CARAVAN: lambda a_, b, c: "turn up the top card of each of the four decks, keep 2 and discard the others",
    PartOp.QUEEN: lambda a_, b, c: "the player to your right must choose: lose 1 point, give you "
    f"{count(opponents.QUEEN_CARDS, 'card')}, or pay you {lira(opponents.QUEEN_LIRA)}",
    PartOp.NEEDS: lambda condition, b, c: CONDITIONS[Condition(condition)],
}  # fmt: skip


def phrase(part: Part) -> str:
    """What a part does. A part without words is told by its name and its number."""
    op, *numbers = part
    if op in PHRASES:
        return PHRASES[op](*numbers)
    return plain(op.name.lower()) + (f" {numbers[0]}" if numbers[0] else "")


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
