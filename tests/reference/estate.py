"""State of a vineyard and operations on it: copies, fields, crush pad, cellar, workers."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations
from typing import Any

from .tables import (
    CARDS,
    CELLARS,
    COLOURS,
    DECK_SIZES,
    DECKS,
    HIGHEST,
    KINDS_OF_WINE,
    LEAST,
    STAFF_LIMIT,
    STRUCTURES,
    VINES,
    vine_value,
)

State = dict[str, Any]
Seat = dict[str, Any]
Grapes = tuple[tuple[str, int], ...]


def prepare(position: dict[str, Any], seat: int) -> State:
    """Return the state of a position of a game, with `seat` to act."""
    seats = deepcopy(position["seats"])
    discards = {deck: list(position["discards"].get(deck, ())) for deck in DECKS}
    num_seen = {deck: len(discards[deck]) + sum(len(mat["hand"][deck]) for mat in seats) for deck in DECKS}
    num_seen["vine"] += sum(len(field["vines"]) for mat in seats for field in mat["fields"])
    return {
        "seats": seats, "me": seat, "season": position["season"], "board": deepcopy(position["board"]),
        "discards": discards, "decks": {deck: DECK_SIZES[deck] - num_seen[deck] for deck in DECKS},
        "playing": None, "drawn": False, "others": False,
    }  # fmt: skip


def clone(state: State) -> State:
    """Return a copy in which the acting seat, the board and the discard piles can be changed."""
    copy = dict(state)
    copy["seats"] = list(state["seats"])
    copy["seats"][state["me"]] = _clone_seat(mine(state))
    copy["board"] = {action: list(entries) for action, entries in state["board"].items()}
    copy["discards"] = {deck: list(cards) for deck, cards in state["discards"].items()}
    copy["decks"] = dict(state["decks"])
    return copy


def _clone_seat(seat: Seat) -> Seat:
    copy = dict(seat)
    copy["workers"] = dict(seat["workers"])
    copy["structures"] = list(seat["structures"])
    copy["used"] = list(seat["used"])
    copy["fields"] = [{**field, "vines": list(field["vines"])} for field in seat["fields"]]
    for name in ("crush_pad", "cellar", "hand"):
        copy[name] = {kind: list(tokens) for kind, tokens in seat[name].items()}
    return copy


def mine(state: State) -> Seat:
    return state["seats"][state["me"]]


def opponents(state: State) -> list[int]:
    return [seat for seat in range(len(state["seats"])) if seat != state["me"]]


# Structures


def buildable(seat: Seat, cheaper: int = 0, among: tuple[str, ...] = tuple(STRUCTURES)) -> dict[str, int]:
    """Return the affordable structures among `among` with their prices."""
    prices = {}
    for structure in among:
        price = max(0, STRUCTURES[structure] - cheaper)
        if structure in seat["structures"] or price > seat["lira"]:
            continue
        if structure == "large_cellar" and "medium_cellar" not in seat["structures"]:
            continue
        prices[structure] = price
    return prices


# Fields


def field_of(seat: Seat, capacity: int) -> dict[str, Any]:
    return next(field for field in seat["fields"] if field["capacity"] == capacity)


def load(field: dict[str, Any]) -> int:
    return sum(vine_value(vine) for vine in field["vines"])


def fields_for(seat: Seat, vine: str, structures: bool = True, limit: bool = True) -> list[int]:
    """Return the fields on which the vine can be planted; the flags enable the conditions."""
    if structures and any(structure not in seat["structures"] for structure in VINES[vine][2]):
        return []
    return [
        field["capacity"]
        for field in seat["fields"]
        if not field["sold"] and (not limit or load(field) + vine_value(vine) <= field["capacity"])
    ]


def ripe(seat: Seat) -> list[int]:
    return [f["capacity"] for f in seat["fields"] if f["vines"] and not f["sold"] and not f["harvested"]]


def planted(seat: Seat) -> list[tuple[int, str]]:
    """Return all planted vines as (field, vine), sorted by field and card."""
    order = CARDS["vine"].index
    return [(f["capacity"], vine) for f in seat["fields"] for vine in sorted(f["vines"], key=order)]


def harvest(seat: Seat, capacity: int) -> None:
    field = field_of(seat, capacity)
    field["harvested"] = True
    red = sum(VINES[vine][0] for vine in field["vines"])
    white = sum(VINES[vine][1] for vine in field["vines"])
    for colour, value in (("red", red), ("white", white)):
        free = [slot for slot in range(1, min(value, HIGHEST) + 1) if slot not in seat["crush_pad"][colour]]
        if free:  # a grape without a free slot is lost
            seat["crush_pad"][colour].append(free[-1])


# Wine


def open_slots(seat: Seat, kind: str, all_tiers: bool = False) -> list[int]:
    highest = 3
    if "medium_cellar" in seat["structures"]:
        highest = 6
        if "large_cellar" in seat["structures"]:
            highest = 9
    if all_tiers:
        highest = 9
    return [slot for slot in range(LEAST[kind], highest + 1) if slot not in seat["cellar"][kind]]


def wine_slot(seat: Seat, kind: str, grapes: Grapes, all_tiers: bool = False, min_value: int = 0) -> int | None:
    """Return the slot of a wine of these grapes, None if it cannot be made."""
    total = sum(value for _, value in grapes)
    fitting = [slot for slot in open_slots(seat, kind, all_tiers) if slot <= total]
    if total < LEAST[kind] or not fitting or fitting[-1] < min_value:
        return None
    return fitting[-1]


def recipes(seat: Seat, kind: str) -> Iterator[Grapes]:
    """Return all sets of grapes for a wine of this kind: red ones first, ascending."""
    reds = [("red", value) for value in sorted(seat["crush_pad"]["red"])]
    whites = [("white", value) for value in sorted(seat["crush_pad"]["white"])]
    if kind == "red":
        yield from ((red,) for red in reds)
    elif kind == "white":
        yield from ((white,) for white in whites)
    elif kind == "blush":
        yield from ((red, white) for red in reds for white in whites)
    else:
        yield from (two + (white,) for two in combinations(reds, 2) for white in whites)


def can_make_wine(seat: Seat) -> bool:
    return any(wine_slot(seat, kind, grapes) for kind in KINDS_OF_WINE for grapes in recipes(seat, kind))


def can_age(seat: Seat, kind: str, value: int) -> bool:
    """Return whether a wine can age by one step: the slot is free and its cellar built."""
    if value == HIGHEST or value + 1 in seat["cellar"][kind]:
        return False
    return {3: CELLARS[0], 6: CELLARS[1]}.get(value) in (None, *seat["structures"])


def age_all_wine(seat: Seat) -> None:
    for kind in KINDS_OF_WINE:
        for value in sorted(seat["cellar"][kind], reverse=True):
            if can_age(seat, kind, value):
                age(seat, kind, value)


def age(seat: Seat, kind: str, value: int) -> None:
    seat["cellar"][kind].remove(value)
    seat["cellar"][kind].append(value + 1)


def wines(seat: Seat) -> list[tuple[str, int]]:
    return [(kind, value) for kind in KINDS_OF_WINE for value in sorted(seat["cellar"][kind])]


def grapes(seat: Seat) -> list[tuple[str, int]]:
    return [(colour, value) for colour in COLOURS for value in sorted(seat["crush_pad"][colour])]


# Cards and decks


def hand_cards(seat: Seat, decks: tuple[str, ...] = DECKS) -> list[tuple[str, str]]:
    return [(deck, card) for deck in decks for card in sorted(seat["hand"][deck], key=CARDS[deck].index)]


def can_draw(state: State, deck: str) -> bool:
    return state["decks"][deck] > 0 or bool(state["discards"][deck])


def discard(state: State, deck: str, card: str) -> None:
    mine(state)["hand"][deck].remove(card)
    state["discards"][deck].append(card)


# Workers


def placed(state: State, seat: int) -> list[tuple[str, str, str]]:
    """Return the seat's workers on the board and the yoke as (action, space, kind of worker)."""
    return [
        (action, entry.get("space", "plain"), entry.get("worker", "regular"))
        for action, entries in state["board"].items()
        for entry in entries
        if entry["seat"] == seat
    ]


def retrieve_worker(state: State, position: tuple[str, str, str]) -> None:
    """Return a placed worker to the acting seat."""
    entries = state["board"][position[0]]
    positions = [(position[0], entry.get("space", "plain"), entry.get("worker", "regular")) for entry in entries]
    entries.pop(next(k for k, entry in enumerate(entries) if positions[k] == position and entry["seat"] == state["me"]))
    mine(state)["workers"][position[2]] += 1


def regular_staff(state: State, seat: int) -> int:
    """Return the number of permanent regular workers, including those trained this year."""
    mat = state["seats"][seat]
    outside = sum(worker == "regular" for _, _, worker in placed(state, seat))
    return mat["workers"]["regular"] + outside + mat["trained_this_year"]


def all_staff(state: State, seat: int) -> int:
    mat = state["seats"][seat]
    outside = sum(worker != "regular" for _, _, worker in placed(state, seat))
    return regular_staff(state, seat) + mat["workers"]["grande"] + mat["workers"]["temporary"] + outside


def may_train(state: State, seat: int) -> bool:
    return regular_staff(state, seat) < STAFF_LIMIT


def free_spaces(state: State, action: str) -> dict[str, bool]:
    """Return for each kind of space of a board action whether it is free."""
    players = len(state["seats"])
    spaces = {"plain": 2 if players >= 5 else 1, "bonus": 1 if players >= 3 else 0}
    occupied = [entry.get("space", "plain") for entry in state["board"].get(action, [])]
    free = {space: occupied.count(space) < number for space, number in spaces.items()}
    return {**free, "crowd": not any(free.values())}


def spots(state: State, seat: int, action: str) -> list[tuple[str, str]]:
    """Return the (space, worker) pairs of legal placements on a board action, without regard to its effect."""
    workers = state["seats"][seat]["workers"]
    free = free_spaces(state, action)
    pairs = []
    for space in ("plain", "bonus"):
        if free[space]:
            if workers["regular"] or workers["temporary"]:
                pairs.append((space, "regular"))
            if workers["grande"]:
                pairs.append((space, "grande"))
    if free["crowd"] and workers["grande"]:
        pairs.append(("crowd", "grande"))
    return pairs
