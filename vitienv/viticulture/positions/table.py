"""Reading the table of a position: workers on the board, cards in decks and piles, the Automa."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.checks import mapping_of, one_of, only_keys, whole, yes_or_no
from vitienv.core.frames import Frame
from vitienv.viticulture.board import AGGRESSIVE_TARGETS, AUTOMA_WORKERS_MAX
from vitienv.viticulture.cards import AUTOMA_IDS, CARD_NAMES, DECK_OF_KIND, N_KINDS
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.names import (
    ACTS,
    AUTOMA,
    DECKS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_SPACES,
    NO_SEAT,
    VP_FLOOR,
    WORKERS,
    Act,
    Space,
    Structure,
    Used,
    Worker,
)
from vitienv.viticulture.positions.checks import MOST, check_crowd, is_blocker_seat, kinds_of
from vitienv.viticulture.positions.writer import AUTOMA_NAME, CROWD
from vitienv.viticulture.state import Rule

WORKER_KEYS = ("space", "seat", "worker", "right")


# Workers on the board.


def read_board(r: np.record, board: Mapping[str, Any], n: int) -> None:
    only_keys(board, ACTS, "the board")
    for seat in range(n):
        r.staff[seat] = r.free[seat]
    in_use = [space for space in range(N_SPACES) if int(r.rules[Rule.SPACES]) >> space & 1]
    for name, workers in board.items():
        act = ACTS.index(name)
        if not isinstance(workers, list):
            raise ValueError(f"the workers on {name} must be a list")
        for stander in sorted(workers, key=lambda w: isinstance(w, Mapping) and w.get("space") == CROWD):
            stander = mapping_of(stander, f"a worker on {name}")
            only_keys(stander, WORKER_KEYS, f"a worker on {name}")
            if stander.get("seat") == AUTOMA_NAME:
                _read_automa_worker(r, act, name, stander, in_use)
                continue
            seat = whole(stander.get("seat"), 0, n - 1, f"the seat of a worker on {name}")
            worker = one_of(stander.get("worker", "regular"), WORKERS, f"a worker on {name}")
            r.staff[seat, worker] += 1
            space = stander.get("space", "plain")
            if name == "gain_lira" and space == "plain":
                r.cart[seat, worker] += 1
            elif name == "yoke" and space == "plain":
                if r.yoke_worker[seat] >= 0 or not r.structures[seat, Structure.YOKE]:
                    raise ValueError(f"seat {seat} has two workers on its yoke, or no yoke")
                r.yoke_worker[seat] = worker
                r.used[seat, Used.YOKE] = 1
            elif act < N_BOARD_ACTIONS and space == CROWD:
                if worker != Worker.GRANDE:
                    raise ValueError(f"only a grande worker can stand beside the spaces of {name}")
                r.crowd[act] |= 1 << seat
            elif act < N_BOARD_ACTIONS and space in ("plain", "bonus"):
                right = yes_or_no(stander.get("right", False), f"right of a worker on {name}")
                where = _free_space(r, act, space, right, in_use)
                if where is None:
                    raise ValueError(f"there is no free {space} space on {name} for seat {seat}")
                r.space_seat[act, where], r.space_worker[act, where] = seat, worker
            else:
                raise ValueError(f"unknown space {space!r} on {name}; there is plain, bonus and crowd")
    visitors = Act.PLAY_SUMMER_VISITOR
    plays_visitors = bool((r.space_seat[visitors] >= 0).any() or r.crowd[visitors])
    for act in np.flatnonzero(r.crowd).tolist():
        check_crowd(r, ACTS[act], (r.space_seat[act, in_use] != NO_SEAT).all(), plays_visitors)


def _read_automa_worker(r: np.record, act: int, name: str, stander: Mapping[str, Any], in_use: list[int]) -> None:
    where = None
    if act < N_BOARD_ACTIONS:
        where = _free_space(r, act, str(stander.get("space", "plain")), False, in_use)
    if not r.rules[Rule.MARKER] or where is None:
        raise ValueError(f"there is no free space on {name} for a worker of the Automa, or no Automa")
    if int((r.space_seat == AUTOMA).sum()) == AUTOMA_WORKERS_MAX:
        raise ValueError(f"the Automa has more than {AUTOMA_WORKERS_MAX} workers on the board")
    r.space_seat[act, where] = AUTOMA


def _free_space(r: np.record, act: int, space: str, right: bool, in_use: list[int]) -> int | None:
    wanted = (Space.BONUS,) if space == "bonus" else (Space.RIGHT,) if right else (Space.LEFT, Space.RIGHT)
    free = [s for s in wanted if s in in_use and r.space_seat[act, s] == NO_SEAT]
    return free[0] if free else None


def check_workers(r: np.record, n: int) -> None:
    for seat in range(n):
        regular, grande, temporary = (int(r.staff[seat, w]) for w in (Worker.REGULAR, Worker.GRANDE, Worker.TEMPORARY))
        most = int(r.rules[Rule.BLOCKER_WORKERS if is_blocker_seat(r, seat) else Rule.STAFF_MAX])
        if regular + int(r.trained[seat]) > most or grande > 1 or temporary > 1:
            raise ValueError(
                f"seat {seat} has {regular} regular workers, {r.trained[seat]} trained, {grande} grande "
                f"and {temporary} temporary; the most are {most} with those trained, 1 and 1"
            )
    if int(r.staff[:n, Worker.TEMPORARY].sum()) > 1:
        raise ValueError("there is only one temporary worker")


# Cards.


def _in_play(r: np.record) -> np.ndarray:
    """Cards that the pending decisions hold: visitors being resolved, orders revealed, cards aside or turned up."""
    held = np.zeros(N_KINDS, np.int64)
    for t in range(int(r.depth)):
        frame = r.frames[t]
        if frame[Frame.OP] == FrameOp.CARD:
            held[frame[Frame.CARD]] += 1
        elif frame[Frame.OP] == FrameOp.FILL and frame[3] == 1:
            held[frame[Frame.P0]] += 1
        elif frame[Frame.OP] == FrameOp.IMPORT:
            for i in range(int(frame[Frame.DONE])):
                held[frame[Frame.P1 + i] % N_KINDS] += 1
        elif frame[Frame.OP] == FrameOp.CARAVAN:
            for kind in frame[Frame.P0 : Frame.P0 + N_DECKS]:
                if kind >= 0:
                    held[kind] += 1
    return held


def read_cards(r: np.record, position: Mapping[str, Any], copies: np.ndarray) -> None:
    """Discard piles, decks and draws that are fixed. copies: of each kind in the game."""
    for name, ids in mapping_of(position.get("discards", {}), "discards").items():
        for kind in kinds_of(name, ids, "discards"):
            at = int(r.n_pile[DECK_OF_KIND[kind]])
            if at == r.pile.shape[1]:
                raise ValueError(f"the discard pile {name} holds more cards than there are")
            r.pile[DECK_OF_KIND[kind], at] = kind
            r.n_pile[DECK_OF_KIND[kind]] += 1
            r.discard[kind] += 1
    planted = r.vines.sum(axis=(0, 1))
    left = copies - r.hand.sum(axis=0) - r.discard - _in_play(r)
    left[: len(planted)] -= planted
    if (left < 0).any():
        too_many = [CARD_NAMES[kind] for kind in np.flatnonzero(left < 0)]
        raise ValueError(f"more copies than there are: {', '.join(too_many)}")
    r.deck[:] = left
    for deck in range(N_DECKS):
        r.n_deck[deck] = left[deck == DECK_OF_KIND].sum()
        if r.n_deck[deck] == 0 and r.n_pile[deck] > 0:
            raise ValueError(f"the deck {DECKS[deck]} is empty although its discard pile holds cards to reshuffle")
    for name, ids in mapping_of(position.get("next_draws", {}), "next_draws").items():
        if name == AUTOMA_NAME:
            _read_automa_draws(r, ids)
            continue
        kinds = kinds_of(name, ids, "next_draws")
        for kind in set(kinds):
            wanted, there = kinds.count(kind), r.deck[kind]
            if wanted > there:
                raise ValueError(f"next_draws wants {CARD_NAMES[kind]} {wanted} times; the deck holds {there}")
        at = DECKS.index(name)
        r.n_forced[at] = len(kinds)
        r.forced[at, : len(kinds)] = kinds[::-1]


# The Automa.


def read_automa(r: np.record, position: Mapping[str, Any]) -> None:
    for key in ("automa_points", "automa_deck", "lost"):
        if key in position and not r.rules[Rule.MARKER]:
            raise ValueError(f"{key} is given in a game without the Automa")
    if not r.rules[Rule.MARKER]:
        return
    target = AGGRESSIVE_TARGETS[min(max(int(r.year), 1), len(AGGRESSIVE_TARGETS)) - 1]
    marker = int(target if r.rules[Rule.AGGRESSIVE] else r.rules[Rule.AUTOMA_VP])
    r.automa_vp = whole(position.get("automa_points", marker), VP_FLOOR, MOST, "automa_points")
    r.lost = yes_or_no(position.get("lost", False), "lost")
    for card in _automa_cards(position.get("automa_deck", AUTOMA_IDS), "automa_deck"):
        r.automa_deck[card] = 1


def _read_automa_draws(r: np.record, ids: Any) -> None:
    cards = _automa_cards(ids, "next_draws")
    missing = [AUTOMA_IDS[card] for card in cards if not r.automa_deck[card]]
    if missing:
        raise ValueError(f"next_draws wants {missing[0]}, which is not in the Automa's deck")
    r.automa_n_forced = len(cards)
    r.automa_forced[: len(cards)] = cards[::-1]


def _automa_cards(ids: Any, where: str) -> list[int]:
    if not isinstance(ids, list) or len(set(map(str, ids))) != len(ids):
        raise ValueError(f"{where} must be a list of different Automa cards")
    return [one_of(name, AUTOMA_IDS, f"card in {where}") for name in ids]
