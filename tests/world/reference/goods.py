"""Reference of the actions that depend on the goods of a seat only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from .states import CELLAR, SLOTS, States, but, different, more, paying, step

PRICES = {
    "trellis": 2, "irrigation": 3, "yoke": 2, "windmill": 5, "cottage": 4, "tasting_room": 6, "medium_cellar": 4,
    "large_cellar": 6,
}  # fmt: skip


def draw(state: Counter, *decks: str) -> States:
    for deck in decks:
        yield more(state, {deck: 1})


def top(state: Counter) -> int:
    return 9 if state["large_cellar"] else 6 if state["medium_cellar"] else 3


def age_grape(state: Counter) -> States:
    for slot in SLOTS:
        above = f"{slot[:-1]}{int(slot[-1]) + 1}"
        if state[slot] and slot[-1] != "9" and not state[above]:
            yield more(state, {slot: -1, above: 1})


def age_wine(state: Counter) -> States:
    """A wine of the Zymologist without its cellar ages within its tier."""
    closed = {"3": not state["medium_cellar"], "6": not state["large_cellar"], "9": True}
    for slot in CELLAR:
        above = f"{slot[:-1]}{int(slot[-1]) + 1}"
        if state[slot] and not closed.get(slot[-1]) and not state[above]:
            yield more(state, {slot: -1, above: 1})


def build(state: Counter, cheaper: int) -> States:
    for structure, price in PRICES.items():
        if not state[structure] and (structure != "large_cellar" or state["medium_cellar"]):
            for paid in paying(state, max(price - cheaper, 0)):
                yield more(paid, {structure: 1, "_structures_built": 1})


def matching(state: Counter, icons: list[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
    if not icons:
        yield ()
        return
    (kind, minimum), *others = icons
    for value in range(minimum, 10):
        wine = f"wine:{kind}:{value}"
        if state[wine]:
            for other_wines in matching(more(state, {wine: -1}), others):
                yield (wine, *other_wines)


def sell(state: Counter) -> States:
    """Sell grapes or a field, or buy a field back (W52)."""
    filled = [slot for slot in SLOTS if state[slot]]
    for number in range(1, len(filled) + 1):
        for some in combinations(filled, number):
            lira = sum((int(slot[-1]) + 2) // 3 for slot in some)
            yield more(state, {**dict.fromkeys(some, -1), "lira": lira})
    for capacity in (5, 6, 7):
        if state[f"sold{capacity}"]:
            yield from (more(paid, {f"sold{capacity}": -1}) for paid in paying(state, capacity))
        elif not state[f"plant{capacity}"]:
            yield more(state, {f"sold{capacity}": 1, "lira": capacity})


def buy_grape(state: Counter) -> States:
    """W58."""
    for colour in ("red", "white"):
        for row in range(3):
            for at in range(row, -1, -1):
                free = [v for v in range(3 * at + 1, 3 * at + 4) if not state[f"grape:{colour}:{v}"]]
                if free:
                    yield from (more(paid, {f"grape:{colour}:{free[0]}": 1}) for paid in paying(state, row + 1))
                    break


def train(state: Counter) -> States:
    for hat in ("yellow", "blue"):
        if state[hat]:
            yield more(state, {hat: -1})


def sell_wine(state: Counter) -> States:
    for wine in CELLAR:
        if state[wine]:
            dear = int(int(wine[-1]) >= 4)
            yield more(state, {wine: -1, "lira": int(wine[-1]), "_wines_sold": 1, "_wines_sold_value_4_plus": dear})


def influence(state: Counter, price: int) -> States:
    if state["influence"] < 10:
        for paid in paying(state, price):
            step(paid)
            yield paid


def repeated(state: Counter, once: Callable[[Counter], Iterable[Counter]], times: int, point: bool) -> States:
    """Yield the results of 1 to `times` repetitions; the last one scores if `point`."""
    states = [state]
    for times_done in range(1, times + 1):
        states = different(other for state_before in states for other in once(state_before))
        if times_done == times and point:
            states = [but(state_before, vp=1) for state_before in states]
        yield from states
