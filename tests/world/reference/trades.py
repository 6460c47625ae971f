"""Reference of trades (W43 to W48)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from .states import CELLAR, SLOTS, slot_for

TOKENS = {*SLOTS, *CELLAR}
Part = dict[str, int]


def trades(state: Counter, partners: list[int]) -> Iterator[Counter]:
    """Yield the states after a trade with one partner, in one or both directions (W44, W45)."""
    for k in partners:
        other = f"{k}."
        gifts, receipts = list(handed(state, "", other)), list(handed(state, other, ""))
        for leaves, arrives in [*gifts, *receipts, *both(gifts, receipts)]:
            yield from settled(state, leaves, arrives)


def both(gifts: list, receipts: list) -> Iterator[tuple[Part, list]]:
    for leaves, arrives in gifts:
        for others_leave, others_arrive in receipts:
            yield summed(leaves, others_leave), [*arrives, *others_arrive]


def handed(state: Counter, giver: str, taker: str) -> Iterator[tuple[Part, list[tuple[str, str, int]]]]:
    """Yield the goods that a seat can give: changes of the giver; and taker, word and number of each good."""
    for some in goods(state, giver):
        yield {giver + word: -number for word, number in some.items()}, [(taker, *good) for good in some.items()]


def goods(state: Counter, giver: str) -> Iterator[Part]:
    """Yield any number of lira, vines or orders, or one token (W44)."""
    yield from ({"lira": number} for number in range(1, state[giver + "lira"] + 1))
    for deck in ("vine", "order"):
        noted = [word for word in state if word.startswith(f"{giver}_{deck}:")]
        for number in range(1, state[giver + deck] + 1):
            if not noted:
                yield {deck: number}
            cards = [word.removeprefix(giver) for word in sorted(noted) for _ in range(state[word])]
            for some in set(combinations(cards, number)):
                yield {deck: number, **Counter(some)}
    yield from ({slot: 1} for slot in (*SLOTS, *CELLAR) if state[giver + slot])


def settled(state: Counter, leaves: Part, arrives: list[tuple[str, str, int]]) -> Iterator[Counter]:
    """Yield the state after a trade; a token takes the highest free slot not above its value (W47).

    Both directions are simultaneous, so the slot of a token that leaves is free.
    """
    other = summed(state, leaves)
    for taker, word, number in arrives:
        slot = slot_for(other, taker, word) if word in TOKENS else word
        if not slot:
            return
        other[taker + slot] += number
    yield other


def summed(state: Counter | Part, changes: Part) -> Counter:
    other = Counter(state)
    for word, number in changes.items():
        other[word] += number
    return other
