"""Reading the seats of a position: money, boxes, pieces and tiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import list_of, mapping_of, one_of, only_keys, whole
from vitienv.core.kernel import Status
from vitienv.core.options import SHORT
from vitienv.toscana.names import GOODS, N_TILES, N_TURNS, REMOVING_SEATS, ROOM, TURNS, WINEMASTERS, WORKERS, Phase
from vitienv.toscana.state import Rule

KEYS = ("money", "boxes", "workers", "winemasters", "lost", "used", "hand", "played", "chosen")


def seats_of(position: Mapping[str, Any], n: int) -> list[Mapping[str, Any]]:
    """What is told of each seat, {} for those of which nothing is."""
    given = list_of(position.get("seats", []), "seats", n)
    for seat, told in enumerate(given):
        only_keys(told, KEYS, f"seat {seat}")
    return [*given, *({} for _ in range(n - len(given)))]


def read_seats(r: np.record, position: Mapping[str, Any], n: int) -> None:
    for seat, written in enumerate(seats_of(position, n)):
        r.money[seat] = whole(written.get("money", int(r.rules[Rule.START_MONEY])), 0, SHORT, f"money of seat {seat}")
        boxes = mapping_of(written.get("boxes", {}), f"boxes of seat {seat}")
        only_keys(boxes, GOODS, f"boxes of seat {seat}")
        for at, good in enumerate(GOODS):
            start = 0 if boxes else int(r.rules[Rule.START_BOXES + at])  # boxes are told whole or not at all
            r.boxes[seat, at] = whole(boxes.get(good, start), 0, ROOM, f"{good} of seat {seat}")
        _read_pieces(r, written, seat, n)
        for turn in list_of(written.get("used", []), f"used of seat {seat}", N_TURNS):
            at = one_of(turn, TURNS, f"action used by seat {seat}")
            if r.used[seat, at]:
                raise ValueError(f"seat {seat} has used {turn} twice; each action is used once a round")
            r.used[seat, at] = 1


def _read_pieces(r: np.record, written: Mapping[str, Any], seat: int, n: int) -> None:
    """What is not on the map is in the storage; all workers leave it before the first winemaster (T31)."""
    own = r.square_owner == seat
    placed, masters = int(r.square_workers[own].sum()), int(r.square_winemaster[own].sum())
    in_hand = r.round_number == 0  # the start worker, or it stands on the map
    most = WORKERS - 1 if in_hand else WORKERS - placed
    if (in_hand and placed > 1) or (not in_hand and placed < 1) or most < 0:
        right = "at most its start worker in round 0" if in_hand else f"1 to {WORKERS} from round 1 on"
        raise ValueError(f"seat {seat} has {placed} workers on the map; there is {right}")
    r.workers[seat] = whole(written.get("workers", most), 0, WORKERS, f"workers of seat {seat}")
    if r.workers[seat] != most:
        sentence = f"seat {seat} has {r.workers[seat]} workers in its storage and {placed} on the map"
        raise ValueError(f"{sentence}; there are {WORKERS}")
    r.lost[seat] = whole(written.get("lost", 0), 0, WINEMASTERS, f"lost of seat {seat}")
    left = whole(
        written.get("winemasters", max(WINEMASTERS - masters - int(r.lost[seat]), 0)),
        0, WINEMASTERS, f"winemasters of seat {seat}",
    )  # fmt: skip
    if left + masters + r.lost[seat] != WINEMASTERS:
        sentence = f"seat {seat} has {left} winemasters in its storage, {masters} on the map and {r.lost[seat]} lost"
        raise ValueError(f"{sentence}; there are {WINEMASTERS}")
    if r.lost[seat] and n != REMOVING_SEATS:
        raise ValueError(f"seat {seat} has lost winemasters; that happens with {REMOVING_SEATS} seats alone")
    if left < WINEMASTERS and r.workers[seat] > 0:
        raise ValueError(f"seat {seat} has hired a winemaster and has workers left; all workers are hired first")
    r.winemasters[seat] = left


def _tiles(ids: Any, where: str) -> list[int]:
    """Tiles by their places, from 0."""
    tiles = [whole(tile, 1, N_TILES, where) - 1 for tile in list_of(ids, where, N_TILES)]
    if len(set(tiles)) != len(tiles):
        raise ValueError(f"{where} is {ids!r}; there is one of each tile")
    return tiles


def read_tiles(r: np.record, position: Mapping[str, Any], n: int, seed: int) -> None:
    """Tiles used, in hand, chosen, and draws to come; those that are not told are dealt by the seed."""
    chance = np.random.default_rng(seed)
    draws = list_of(position.get("next_draws", []), "next_draws", n)
    over = r.status != Status.PLAYING
    used = max(int(r.round_number) - (0 if over else 1), 0)
    held = min(int(r.rules[Rule.HAND_SIZE]), N_TILES - used)
    for seat, written in enumerate(seats_of(position, n)):
        played = _tiles(written["played"], f"played of seat {seat}") if "played" in written else None
        hand = _tiles(written["hand"], f"hand of seat {seat}") if "hand" in written else None
        named = {*(played or ()), *(hand or ())}
        if played is not None and hand is not None and len(named) != len(played) + len(hand):
            raise ValueError(f"seat {seat} holds a tile that it has played; there is one of each")
        to_come = _tiles(draws[seat], f"next_draws of seat {seat}") if seat < len(draws) else []
        if named & set(to_come):
            raise ValueError(f"next_draws of seat {seat} has a tile that is in hand or played; it must be in the deck")
        open_tiles = [int(tile) for tile in chance.permutation(N_TILES) if tile not in named and tile not in to_come]
        if played is None:
            played, open_tiles = open_tiles[:used], open_tiles[used:]
        if hand is None:
            hand = open_tiles[:held]
        for name, tiles, right in (("played", played, used), ("in hand", hand, held)):
            if len(tiles) != right:
                what = f"seat {seat} has {len(tiles)} tiles {name}"
                raise ValueError(f"{what}; {'after' if over else 'in'} round {r.round_number} it has {right}")
        r.played[seat, played] = 1
        r.hand[seat, hand] = 1
        r.n_forced[seat] = len(to_come)
        r.forced[seat, : len(to_come)] = [tile + 1 for tile in to_come[::-1]]
        if "chosen" in written:
            _read_choice(r, written["chosen"], seat)


def _read_choice(r: np.record, chosen: Any, seat: int) -> None:
    r.chosen[seat] = whole(chosen, 1, N_TILES, f"chosen of seat {seat}")
    if r.phase != Phase.TASTING or r.status != Status.PLAYING:
        raise ValueError(f"seat {seat} has chosen a tile; that is done when all actions of the round are used")
    if not r.hand[seat, int(chosen) - 1]:
        raise ValueError(f"seat {seat} has chosen tile {chosen}, which is not in its hand")
