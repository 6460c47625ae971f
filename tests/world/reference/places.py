"""Reference of event cards (W81, W89), the yoke (W41) and ovals (W65)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from tests.world.cases.changes import DECKS, DEEDS, PLACES

from . import goods
from .states import CELLAR, SLOTS, States, but, more, paying, slot_for, step

if TYPE_CHECKING:
    from .placing import Table

# Cards that are places in one season; those of Greengully are places in both.
SEASONS = {("asia", 4): "summer", ("oceania", 6): "winter", ("south_america", 4): "summer", ("europe", 8): "winter",
           ("north_america", 8): "summer", ("africa", 2): "summer"}  # fmt: skip

# The board, and the directions of arrows (W65 to W67).
ROWS = ("ABIJ", "CDKL", "EFMN", "GHOP")
STEPS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}
# Decks of which an action uses certain cards.
USED = {"plant_vine": "vine", "fill_order": "order"}


def is_place(continent: str, number: int, season: str) -> bool:
    return continent == "greengully" or SEASONS.get((continent, number)) == season


def card_open(table: Table) -> bool:
    """Return whether the seat can place a worker on the event; a single seat can place two in Greengully."""
    standing = (table.record.at[table.seat] // 3 == PLACES.index("event")).sum()
    max_workers = 2 if table.n == 1 and table.continent == "greengully" else 1
    return is_place(*table.card, "summer" if table.record.season == 2 else "winter") and standing < max_workers


def deck_used(table: Table, place: str) -> str | None:
    if place == "event":
        place = {("greengully", 3): "plant_vine", ("greengully", 6): "fill_order"}.get(table.card, "")
    return USED.get(place)


def standing(table: Table, move: str, state: Counter) -> Counter:
    """Count the use of an event by a worker that cannot take its effect."""
    return uses(table, state) if move.split(":")[1] == "event" else state


def uses(table: Table, end: Counter) -> Counter:
    """Greengully: the token moves when the uses of a year reach the number of seats (W89)."""
    done, need = int(table.record.deeds[: table.n, DEEDS.index("event_space_uses")].sum()), max(table.n, 2)
    if table.continent == "greengully" and done + 1 == need:
        end = Counter(end)
        step(end)
    return end


def card_ends(table: Table, state: Counter) -> States:
    for end in of_card(table, state):
        yield uses(table, end)


def of_card(table: Table, state: Counter) -> States:
    """Yield the states after the price and the gain of the card."""
    match table.card:
        case ("greengully", 1):
            yield but(state, lira=2, vine=int(table.free_card["vine"] > 0))
        case ("greengully", 2):
            yield from goods.build(state, 1)
        case ("greengully", 3):
            yield from (but(end, lira=1) for end in table.plant(state))
        case ("greengully", 4):
            yield from table.harvest(state)
        case ("greengully", 5):
            yield from goods.repeated(state, table.make, 2, False)
        case ("greengully", 6):
            yield from (but(end, vp=1) for end in table.fill(state))
        case ("asia", 4):
            yield from (more(state, {deck: -1, "lira": 2, "vp": 1}) for deck in DECKS if state[deck])
        case ("oceania", 6):
            yield from (more(lost, {"lira": 3, "vp": 2}) for lost in without(state, CELLAR, 6))
        case ("south_america", 4):
            yield from (more(lost, {"lira": 2, "vp": 1}) for lost in without(state, SLOTS, 1))
        case ("europe", 8):
            yield from (more(lost, {"vp": 2}) for lost in without(state, CELLAR, 4))
        case ("north_america", 8):
            yield from (but(paid, vp=2) for paid in paying(state, 3))
        case ("africa", 2):
            for token in ("grape:red:2", "grape:white:2"):
                if slot := slot_for(state, "", token):
                    yield from (more(paid, {slot: 1}) for paid in paying(state, 1))


def without(state: Counter, slots: list[str], minimum: int) -> States:
    """Yield the states without one token of a minimum value."""
    for slot in slots:
        if state[slot] and int(slot[-1]) >= minimum:
            yield more(state, {slot: -1})


def yoke(table: Table, state: Counter) -> States:
    """Once a year: harvest a field or uproot a vine."""
    if not state["yoke"] or table.used[2]:
        return
    yield from table.harvest(state)
    for capacity in (5, 6, 7):
        if state[f"plant{capacity}"]:
            yield more(state, {f"plant{capacity}": -1, "vine": 1})


def walk(letter: str, ovals: dict[str, str]) -> str | None:
    """Return the bonus of a worker placed on a letter."""
    passed = set()
    while letter in ovals and letter not in passed:
        if ovals[letter] not in STEPS:
            return ovals[letter]
        passed.add(letter)
        row = next(i for i, letters in enumerate(ROWS) if letter in letters)
        rows, columns = STEPS[ovals[letter]]
        row, column = row + rows, ROWS[row].index(letter) + columns
        letter = ROWS[row][column] if 0 <= row < 4 and 0 <= column < 4 else ""
    return None
