"""Codecs of World's positions: events, tiles, the simulated partner, workers with hats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from vitienv.core.checks import check_choice, check_int, check_keys, list_of, mapping_of
from vitienv.core.fields import Field
from vitienv.core.positions.schema import Codec, Key, distinct
from vitienv.viticulture.cards import MAMAS, PAPAS
from vitienv.viticulture.enums import N_ROWS, Season, Worker
from vitienv.viticulture.positions.keys import Board, last_seat, seats_of
from vitienv.world.continents import NO_PLACE, EventCol, RuleCol
from vitienv.world.enums import (
    AT_HAND,
    EVENTS_IN_GAME,
    GRANDE,
    LETTERS,
    N_ACTIONS_ON_BOARD,
    N_BLUE,
    N_LETTERS,
    N_RED,
    N_REGULARS,
    N_STANCES,
    NO_OVAL,
    OVALS,
    PLACES,
    TEMPORARY,
    Hat,
    Place,
    Stance,
    Tile,
)
from vitienv.world.language import WorldPart
from vitienv.world.ops.partner import N_CARDS
from vitienv.world.ops.workers import BESIDE, ON_SPACE
from vitienv.world.state import WorldRule
from vitienv.world.tables import Tables

PARTNER = "partner"  # seat of the simulated partner's workers
HATS = {int(Hat.BARE): "regular", int(Hat.YELLOW): "yellow", int(Hat.BLUE): "blue"}
HAT_OF = {word: hat for hat, word in HATS.items()}
WORKERS = ("yellow", "blue", "regular", "grande", "temporary")
SINGLE_WORKERS = {"grande": (GRANDE, Worker.GRANDE), "temporary": (TEMPORARY, Worker.TEMPORARY)}
SPACES = ("plain", "oval", "crowd")
RED = (*(mama.id for mama in MAMAS), *(f"red_{i + 1:02}" for i in range(N_RED)))
BLUE = (*(papa.id for papa in PAPAS), *(f"blue_{i + 1:02}" for i in range(N_BLUE)))
TILE_STATES = {"shown": Tile.SHOWN, "placed": Tile.PLACED, "gone": Tile.GONE}


def bits(numbers: list[int]) -> int:
    """Return numbers from 1 as bits."""
    return sum(1 << (number - 1) for number in numbers)


def numbers_of(value: Any) -> list[int]:
    return [i + 1 for i in range(int(value).bit_length()) if int(value) >> i & 1]


class Bits(Codec):
    """Cards of the simulated partner, from 1, in the bits of a field."""

    def write(self, value: Any) -> list[int]:
        return numbers_of(value)

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> int:
        return bits(distinct([check_int(card, 1, N_CARDS, name) for card in list_of(value, name)], name, value))


@dataclass(frozen=True)
class Events(Codec):
    """This year's event and those before it; by default the cards in their order (W15, W16, W30)."""

    n_events: Any  # number of cards by continent

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, Any]:
        event = None if state["event"] < 0 else int(state["event"]) + 1
        return {"now": event, "gone": [card for card in numbers_of(state["events_gone"]) if card != event]}

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, ("now", "gone"), name)
        so_far = 0 if state["season"] == Season.SETUP else min(int(state["year"]), EVENTS_IN_GAME)
        event, high = value.get("now", so_far or None), int(self.n_events[int(state["rules"][WorldRule.CONTINENT])])
        others = [card for card in range(1, so_far + 1) if card != event]
        gone = list_of(value.get("gone", others[: max(0, so_far - 1)]), f"gone of {name}")
        cards = [
            check_int(card, 1, high, f"an entry of {name}") for card in (*gone, *([] if event is None else [event]))
        ]
        if len(set(cards)) != len(cards) or len(cards) != so_far:
            raise ValueError(f"{name} must be {so_far} different cards, one each year so far, got {cards}")
        state["event"] = -1 if event is None else event - 1
        state["n_events"], state["events_gone"] = len(cards), bits(cards)


def tile_words(tables: Tables) -> tuple[str, ...]:
    """Return the names of the tiles of a record: rectangles by letter, ovals by bonus."""
    return (*(LETTERS[int(tables.letter_of_place[place])] for place in range(N_LETTERS)), *OVALS)


@dataclass(frozen=True)
class Tiles(Codec):
    """Tiles on show, on the board and out of the game; the others are in their stacks (W17, W32, W55, W59)."""

    tables: Tables

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, Any]:
        words, out = tile_words(self.tables), self._out(state)
        tiles = {name: [words[i] for i in np.flatnonzero(state["tile"] == at)] for name, at in TILE_STATES.items()}
        tiles["placed"] = [tile for tile in tiles["placed"] if tile in LETTERS]
        tiles["gone"] = [tile for tile in tiles["gone"] if tile not in out]
        ovals = {words[place]: OVALS[int(oval)] for place, oval in enumerate(state["oval_on"]) if oval != NO_OVAL}
        return {**tiles, "ovals": ovals}

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, (*TILE_STATES, "ovals"), name)
        words, tiles = tile_words(self.tables), [(tile, Tile.GONE) for tile in self._out(state)]
        for word, at in TILE_STATES.items():
            of = words[:N_LETTERS] if at == Tile.PLACED else words
            listed = [words[check_choice(tile, of, f"tile in {word}")] for tile in list_of(value.get(word, []), word)]
            tiles += [(tile, at) for tile in listed]
        for letter, oval in mapping_of(value.get("ovals", {}), f"ovals of {name}").items():
            place = check_choice(letter, words[:N_LETTERS], "letter of an oval")
            state["oval_on"][place] = check_choice(oval, OVALS, f"oval on {letter}")
            tiles.append((oval, Tile.PLACED))
        if len({tile for tile, _ in tiles}) < len(tiles):
            raise ValueError(f"{name} must have each tile in one place, got {value!r}")
        for tile, at in tiles:
            state["tile"][words.index(tile)] = at

    def _out(self, state: Any) -> list[str]:
        """Return the tiles that are only used with the simulated partner."""
        if state["rules"][WorldRule.PARTNER]:
            return []
        return [tile_words(self.tables)[i] for i in np.flatnonzero(self.tables.solo_only[:N_LETTERS])]


class AimsMet(Codec):
    """A seat's met aims."""

    def dump(self, state: Any, key: Key, seat: int | None) -> list[int]:
        return [int(aim) + 1 for aim, is_met in zip(state["aims"][seat], state["aims_met"][seat]) if is_met]

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        aims = [int(aim) + 1 for aim in state["aims"][seat] if aim >= 0]
        for aim in list_of(value, name, len(aims)):
            state["aims_met"][seat, check_choice(aim, aims or (0,), name)] = 1


def workers_on_board(state: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the workers of seats, and those of the simulated partner."""
    words_of_slots = {slot: word for word, (slot, _) in SINGLE_WORKERS.items()}
    for owner in range(seats_of(state)):
        for w in np.flatnonzero(state["at"][owner] != AT_HAND).tolist():
            place, stance = divmod(int(state["at"][owner, w]), N_STANCES)
            worker = words_of_slots.get(w) or HATS[int(state["hat"][owner, w])]
            yield PLACES[place], {"space": SPACES[stance], "seat": owner, "worker": worker}
    for place in np.flatnonzero(state["partner_on"]).tolist():
        other_stance = Stance.CROWD if state["oval_on"][place] == NO_OVAL else Stance.OVAL
        stance = Stance.PLAIN if state["partner_on"][place] == ON_SPACE else other_stance
        yield PLACES[place], {"space": SPACES[stance], "seat": PARTNER}


def place_worker(state: Any, action: str, entry: Any, title: str) -> None:
    """Put a worker into a state. ValueError if there is no space or worker for it."""
    is_partner = mapping_of(entry, title).get("seat") == PARTNER
    check_keys(entry, ("space", "seat") if is_partner else ("space", "seat", "worker"), title)
    place = PLACES.index(action)
    is_action = place < N_ACTIONS_ON_BOARD
    is_covered = is_action and state["oval_on"][place] != NO_OVAL
    default = SPACES[Stance.OVAL if is_covered else Stance.PLAIN]
    space = default if entry.get("space") is None else entry["space"]
    stance = check_choice(space, SPACES, f"space on {action}")
    if is_partner:
        is_place = is_action and is_covered == (stance == Stance.OVAL)
        if not state["rules"][WorldRule.PARTNER] or not is_place or state["partner_on"][place]:
            raise ValueError(f"a worker of the partner must be one on an action or its oval, got {action}")
        state["partner_on"][place] = ON_SPACE if stance == Stance.PLAIN else BESIDE
        return
    owner = check_int(entry.get("seat"), 0, last_seat(state), f"seat of {title}")
    worker = WORKERS[check_choice(entry.get("worker", "regular"), WORKERS, f"worker on {action}")]
    slots = [SINGLE_WORKERS[worker][0]] if worker in SINGLE_WORKERS else range(N_REGULARS)
    free = [slot for slot in slots if state["at"][owner, slot] == AT_HAND]
    if not free:
        raise ValueError(f"workers of seat {owner} on the board must be at most {len(slots)} {worker}")
    state["at"][owner, free[0]] = place * N_STANCES + stance
    if worker in HAT_OF:
        state["hat"][owner, free[0]] = HAT_OF[worker]


BOARD = Board(PLACES, workers_on_board, place_worker)


@dataclass(frozen=True)
class AtHand(Codec):
    """Workers at hand; by default the initial ones and the temporary worker of its ring position, if not placed."""

    tables: Tables

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, int]:
        regulars = state["hat"][seat][state["at"][seat, :N_REGULARS] == AT_HAND].tolist()
        counts = {word: regulars.count(HAT_OF[word]) for word in ("yellow", "blue", "regular")}
        return counts | {word: int(state["free"][seat, worker]) for word, (_, worker) in SINGLE_WORKERS.items()}

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, WORKERS, name)
        rules, at, hat = state["rules"], state["at"][seat], state["hat"][seat]
        max_hats = {int(Hat.YELLOW): int(rules[WorldRule.YELLOW_HATS]), int(Hat.BLUE): int(rules[WorldRule.BLUE_HATS])}
        standing = [(int(hat[w]), int(at[w])) for w in range(N_REGULARS) if at[w] != AT_HAND]
        regulars = list(standing)
        for worn, word in HATS.items():
            num_standing = sum(hat_worn == worn for hat_worn, _ in standing)
            default = max(0, max_hats.get(worn, 0) - num_standing)
            n = check_int(value.get(word, default), 0, N_REGULARS, f"{word} of {name}")
            if num_standing + n > max_hats.get(worn, N_REGULARS):
                raise ValueError(f"{word} of {name} must be at most {max_hats[worn]} with those on the board, got {n}")
            regulars += [(worn, AT_HAND)] * n
        if len(regulars) != N_REGULARS:
            raise ValueError(f"{name} must be {N_REGULARS} regular ones with those on the board, got {len(regulars)}")
        state["hat"][seat] = [worn for worn, _ in sorted(regulars)]
        state["at"][seat, :N_REGULARS] = [place for _, place in sorted(regulars)]
        start = {"grande": 1, "temporary": int(holds_temporary(state, seat or 0, self.tables))}
        for word, (slot, worker) in SINGLE_WORKERS.items():
            is_on_board = at[slot] != AT_HAND
            n = check_int(value.get(word, 0 if is_on_board else start[word]), 0, 1, f"{word} of {name}")
            if (is_on_board and n) or (word == "grande" and not is_on_board and not n):
                raise ValueError(f"{word} of {name} must be at hand or on the board, got {n}")
            state["free"][seat, worker] = n


@cache
def sources(tables: Tables) -> dict[str, np.ndarray]:
    """Return the rows of all effects by source."""
    training = np.arange(len(Place)) == Place.TRAIN_WORKER
    return {
        "ring": tables.ring[tables.ring != NO_PLACE],
        "setup": tables.setup,
        "training": tables.row[:, training].ravel(),
        "places": tables.row[:, ~training].ravel(),
        "fall": np.concatenate([tables.fall, tables.cottage]),
        "ovals": tables.oval,
        "events": tables.event[:, :, [EventCol.PAY, EventCol.GAIN, EventCol.PENALTY]].ravel(),
        "rules": np.concatenate([tables.rule[:, [RuleCol.GAIN, RuleCol.GAIN_2]].ravel(), tables.aim_gain]),
    }


@cache
def comes_only_from(effect: int, source: str, tables: Tables) -> bool:
    """Return whether an effect has no other source; custom data may have it anywhere."""
    rows = np.flatnonzero((tables.parts[:, :, 0] == effect).any(axis=1))
    return not any(np.isin(others, rows).any() for name, others in sources(tables).items() if name != source)


@cache
def row_of_temporary(tables: Tables) -> int:
    """Return the ring position that gives the temporary worker; 0 if the data have other sources of it."""
    rows = [row for row in range(1, N_ROWS + 1) if tables.ring[row] != NO_PLACE
            and tables.parts[tables.ring[row], 0, 0] == WorldPart.TEMPORARY]  # fmt: skip
    return rows[0] if len(rows) == 1 and comes_only_from(WorldPart.TEMPORARY, "ring", tables) else 0


def holds_temporary(state: Any, seat: int, tables: Tables) -> bool:
    """Return whether a seat has the temporary worker: from the choice of its ring position to the winter pass."""
    season, row = state["season"], state["row"][seat]
    is_time = Season.SPRING <= season <= Season.WINTER and not (season == Season.WINTER and state["passed"][seat])
    return bool(is_time and row and row == row_of_temporary(tables))
