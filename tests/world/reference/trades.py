"""A second, plain writing of trades (W43 to W48): all that a state becomes by one trade of a grande."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from .states import CELLAR, SLOTS, slot_for

TOKENS = {*SLOTS, *CELLAR}
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
    for some in goods(state, giver):
        yield {giver + word: -number for word, number in some.items()}, [(taker, *one) for one in some.items()]


def goods(state: Counter, giver: str) -> Iterator[Part]:
    """One of lira, vines, orders, any number of each; or one token (W44)."""
    yield from ({"lira": number} for number in range(1, state[giver + "lira"] + 1))
    for deck in ("vine", "order"):
        noted = [word for word in state if word.startswith(f"{giver}_{deck}:")]
        for number in range(1, state[giver + deck] + 1):
            if not noted:
                yield {deck: number}
            held = [word.removeprefix(giver) for word in sorted(noted) for _ in range(state[word])]
            for some in set(combinations(held, number)):
                yield {deck: number, **Counter(some)}
    yield from ({slot: 1} for slot in (*SLOTS, *CELLAR) if state[giver + slot])


def settled(state: Counter, leaves: Part, arrives: list[tuple[str, str, int]]) -> Iterator[Counter]:
    """Both parts leave before either arrives; a token takes the highest free slot not above its value (W47).

    That a slot just left counts as free is not said: a trade is one act, so both move at once.
    """
    other = summed(state, leaves)
    for taker, word, number in arrives:
        here = slot_for(other, taker, word) if word in TOKENS else word
        if not here:
            return
        other[taker + here] += number
    yield other


def summed(state: Counter | Part, changes: Part) -> Counter:
    other = Counter(state)
    for word, number in changes.items():
        other[word] += number
    return other
