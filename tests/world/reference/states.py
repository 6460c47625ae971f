"""States of the reference, which are counts by word, and their changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

SLOTS = [f"grape:{colour}:{value}" for colour in ("red", "white") for value in range(1, 10)]
CELLAR = [f"wine:{kind}:{v}" for kind, low in (("red", 1), ("white", 1), ("blush", 4), ("sparkling", 7))
          for v in range(low, 10)]  # fmt: skip
States = Iterator[Counter]


def but(state: Counter, **changes: int) -> Counter:
    return more(state, changes)


def more(state: Counter, changes: dict[str, int]) -> Counter:
    """Return a changed state; the thirtieth point moves the token (W8)."""
    other = Counter(state)
    for word, number in changes.items():
        other[word] += number
    if other["vp"] >= 30 and not other["_reached"]:
        other["_reached"] = 1
        step(other)
    return other


def step(state: Counter) -> None:
    state["influence"] = min(state["influence"] + 1, 10)


def different(states: Iterable[Counter]) -> list[Counter]:
    return list({frozenset(state.items()): state for state in states}.values())


def paying(state: Counter, lira: int) -> States:
    if state["lira"] >= lira:
        yield but(state, lira=-lira)


def strip(state: Counter) -> Counter:
    return Counter({word: number for word, number in state.items() if word.split(".")[-1][0] != "_"})


def slot_for(state: Counter, seat: str, token: str) -> str | None:
    """Return the highest free slot not above the value of a token (W47). seat: prefix of the words of its owner."""
    kind, colour, value = token.split(":")
    top = 9
    if kind == "wine" and not state[seat + "large_cellar"]:
        top = 6 if state[seat + "medium_cellar"] else 3
    for number in range(min(int(value), top), 0, -1):
        slot = f"{kind}:{colour}:{number}"
        if slot in (*SLOTS, *CELLAR) and not state[seat + slot]:
            return slot
    return None
