"""A second, plain writing of trades (W43 to W48): all that a state becomes by one trade of a grande."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .plain_states import CELLAR, SLOTS, slot_for

TOKENS = {"grape": SLOTS, "wine": CELLAR}
Part = dict[str, int]


def trades(state: Counter, partners: list[int]) -> Iterator[Counter]:
    """With one partner: something given, something taken, or both (W44, W45)."""
    for k in partners:
        other = f"{k}."
        given, taken = list(handed(state, "", other)), list(handed(state, other, ""))
        for leaves, arrives in [*given, *taken, *both(given, taken)]:
            yield from settled(state, leaves, arrives)


def both(given: list, taken: list) -> Iterator[tuple[Part, list]]:
    for leaves, arrives in given:
        for others_leave, others_arrive in taken:
            yield summed(leaves, others_leave), [*arrives, *others_arrive]


def handed(state: Counter, giver: str, taker: str) -> Iterator[tuple[Part, list[tuple[str, str, int]]]]:
    """What one seat may hand to another: what leaves, and what arrives at whom (its words, and how many)."""
    for kind in ("lira", "vine", "order"):
        for number in range(1, state[giver + kind] + 1):
            yield {giver + kind: -number}, [(taker, kind, number)]
    for slots in TOKENS.values():
        for slot in slots:
            if state[giver + slot]:
                yield {giver + slot: -1}, [(taker, slot, 1)]


def settled(state: Counter, leaves: Part, arrives: list[tuple[str, str, int]]) -> Iterator[Counter]:
    """Both parts leave before either arrives; a token takes the highest free slot not above its value (W47).

    That a slot just left counts as free is not said: a trade is one act, so both move at once.
    """
    other = summed(state, leaves)
    for taker, word, number in arrives:
        here = word if ":" not in word else slot_for(other, taker, word)
        if not here:
            return
        other[taker + here] += number
    yield other


def summed(state: Counter | Part, changes: Part) -> Counter:
    other = Counter(state)
    for word, number in changes.items():
        other[word] += number
    return other
