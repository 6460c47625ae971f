"""Reading a position: plain JSON into a game, refusing whatever contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from vitienv.game import Game
from vitienv.positions import AUTOMA_NAME, CROWD, STATUS, USED, _above_cellar, _field_total, capacities
from vitienv.viticulture.batch import Batch, key_of
from vitienv.viticulture.board import AUTOMA_WORKERS_MAX, START_REGULAR_WORKERS, WINE_LEAST
from vitienv.viticulture.cards import (
    AUTOMA_IDS,
    CARD_NAMES,
    COPIES_IN,
    DECK_OF_KIND,
    KIND,
    N_KINDS,
)
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.cards.papas import PAPAS
from vitienv.viticulture.names import (
    ACTS,
    AUTOMA,
    BONUS,
    COLOURS,
    DECKS,
    GRANDE,
    LEFT,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    N_VALUES,
    NO_SEAT,
    REGULAR,
    REGULAR_WORKERS_MAX,
    RESIDUAL_MAX,
    RIGHT,
    SEASONS,
    SPRING,
    STRUCTURES,
    SUMMER,
    TEMPORARY,
    USED_YOKE,
    VP_FLOOR,
    WINES,
    WINTER,
    WORKERS,
    YOKE,
)
from vitienv.viticulture.ops.workers import BLOCKER_SEAT
from vitienv.viticulture.rulesets import Options
from vitienv.viticulture.state import (
    AUTOMA_VP,
    BLOCKER_WORKERS,
    CARD,
    CARD_SET,
    DONE,
    FRAME_WIDTH,
    GLASS_TOKENS,
    GOAL_VP,
    MARKER,
    MAX_DEPTH,
    MIN,
    N_STREAMS,
    OP,
    P0,
    P1,
    SEAT,
    SHORT,
    SPACES,
    STAFF_MAX,
    START_TOKENS,
    START_VP,
)
from vitienv.viticulture.state import (
    LEFT as LEFT_COLUMN,
)
from vitienv.viticulture.vocabulary import FrameOp

POSITION_KEYS = (
    "ruleset", "num_players", "options", "seed", "year", "season", "status", "first_player", "to_act", "goal_reached",
    "automa_points", "automa_deck", "lost", "turn_order", "seats", "board", "discards", "next_draws", "chance",
    "pending",
)  # fmt: skip
SEAT_KEYS = (
    "lira", "victory_points", "residual", "wake_up", "passed", "workers", "trained_this_year", "structures", "used",
    "fields", "crush_pad", "cellar", "hand", "wine_above_cellar", "shown", "mamas", "papas", "glass_tokens",
    "bonus_tokens",
)  # fmt: skip
FIELD_KEYS = ("capacity", "vines", "sold", "harvested", "over_limit")
WORKER_KEYS = ("space", "seat", "worker", "right")


def read_position(position: Any) -> Game:
    """The game of a position. ValueError says what contradicts itself or is unknown."""
    _keys(position, POSITION_KEYS, "the position")
    try:
        options = Options.of(
            **{"ruleset": position.get("ruleset", "essential"), "num_players": position.get("num_players")}
            | dict(_mapping(position.get("options", {}), "options"))
        )
    except TypeError as error:
        raise ValueError(str(error)) from None
    batch = Batch(1, options)
    r = batch.games[0]
    r.rules[:] = options.rules()
    _clear(r)
    n = options.num_players
    seed = _whole(position.get("seed", 0), 0, 2**63 - 1, "seed")
    r.key[:] = key_of(seed)[0]
    r.year = _whole(position.get("year", 1), 0, SHORT, "year")
    season = _one_of(position.get("season", "spring"), SEASONS, "season")
    r.season = season
    r.status = _one_of(position.get("status", "playing"), STATUS, "status")
    r.first_player = _whole(position.get("first_player", 0), 0, n - 1, "first_player")
    _read_automa(r, position)
    _read_seats(r, position, n)
    _read_board(r, _mapping(position.get("board", {}), "board"), n)
    _check_workers(r, n)
    pending = position.get("pending")
    if pending is not None:
        _read_pending(r, _mapping(pending, "pending"), n)
    _read_cards(r, position)
    r.goal_reached = bool(position.get("goal_reached", (r.vp[:n] >= r.rules[GOAL_VP]).any()))
    if pending is None and r.status == 0:
        _start_turn(r, position, season, n)
    elif "turn_order" in position:
        r.order[:n] = _order(position["turn_order"], n)
    if "chance" in position:
        chance = _mapping(position["chance"], "chance")
        _keys(chance, ("key", "used"), "chance")
        r.key[:] = _numbers(chance.get("key", list(r.key)), 2, "chance key")
        r.chance[:] = _numbers(chance.get("used", [0] * N_STREAMS), N_STREAMS, "chance used")
    batch.refresh(observe=False)
    if r.status == 0 and not batch.masks.any():
        raise ValueError("in this position the seat to act can do nothing; its pending decision contradicts the rest")
    return Game(batch, None, _plain(position))


def _clear(r: np.record) -> None:
    """An empty table, all cards in their decks."""
    for name in ("space_seat", "yoke_worker", "pile", "forced", "mamas", "papas", "automa_forced"):
        r[name][:] = -1
    r.turn_seat = r.turn_place = -1
    r.order[:] = range(MAX_SEATS)
    r.deck[:] = COPIES_IN[int(r.rules[CARD_SET])]
    r.n_deck[:] = np.bincount(DECK_OF_KIND, weights=r.deck, minlength=N_DECKS)


# The Automa and the tokens of the solo game.


def _read_automa(r: np.record, position: Mapping[str, Any]) -> None:
    for key in ("automa_points", "automa_deck", "lost"):
        if key in position and not r.rules[MARKER]:
            raise ValueError(f"{key} is given in a game without the Automa")
    if not r.rules[MARKER]:
        return
    r.automa_vp = _whole(position.get("automa_points", int(r.rules[AUTOMA_VP])), VP_FLOOR, SHORT, "automa_points")
    r.lost = bool(position.get("lost", False))
    for card in _automa_cards(position.get("automa_deck", AUTOMA_IDS), "automa_deck"):
        r.automa_deck[card] = 1


def _read_automa_draws(r: np.record, ids: Any) -> None:
    cards = _automa_cards(ids, "next_draws")
    missing = [AUTOMA_IDS[card] for card in cards if not r.automa_deck[card]]
    if missing:
        raise ValueError(f"next_draws wants {missing[0]}, which is not in the Automa's deck")
    r.automa_n_forced = len(cards)
    r.automa_forced[: len(cards)] = cards[::-1]


def _is_blocker(r: np.record, seat: int) -> bool:
    return seat == BLOCKER_SEAT and bool(r.rules[BLOCKER_WORKERS])


def _automa_cards(ids: Any, where: str) -> list[int]:
    if not isinstance(ids, list) or len(set(map(str, ids))) != len(ids):
        raise ValueError(f"{where} must be a list of different Automa cards")
    return [_one_of(name, AUTOMA_IDS, f"card in {where}") for name in ids]


def _read_tokens_of_rows(r: np.record, seat: int, given: Mapping[str, Any]) -> None:
    if not r.rules[GLASS_TOKENS]:
        if "glass_tokens" in given or "bonus_tokens" in given:
            raise ValueError(f"seat {seat} has glass or bonus tokens in a game without them")
        return
    rows = given.get("glass_tokens", list(range(1, N_ROWS + 1)))
    if not isinstance(rows, list):
        raise ValueError(f"glass_tokens of seat {seat} must be a list of wake-up rows")
    for row in rows:
        r.glass[seat, _whole(row, 1, N_ROWS, f"glass_tokens of seat {seat}") - 1] = 1
    tokens = given.get("bonus_tokens", int(r.rules[START_TOKENS]))
    r.bonus_tokens[seat] = _whole(tokens, 0, 127, f"bonus_tokens of seat {seat}")


# Seats.


def _read_seats(r: np.record, position: Mapping[str, Any], n: int) -> None:
    seats = position.get("seats", [])
    if not isinstance(seats, list) or len(seats) > n:
        raise ValueError(f"seats must be a list of at most {n}, as num_players says")
    for seat in range(n):
        given = _mapping(seats[seat] if seat < len(seats) else {}, f"seat {seat}")
        _keys(given, SEAT_KEYS, f"seat {seat}")
        where = f"of seat {seat}"
        r.lira[seat] = _whole(given.get("lira", 0), 0, SHORT, f"lira {where}")
        start_vp = int(r.automa_vp) if _is_blocker(r, seat) else int(r.rules[START_VP])
        r.vp[seat] = _whole(given.get("victory_points", start_vp), VP_FLOOR, SHORT, f"victory_points {where}")
        r.residual[seat] = _whole(given.get("residual", 0), 0, RESIDUAL_MAX, f"residual {where}")
        r.passed[seat] = bool(given.get("passed", False))
        if given.get("wake_up") is not None:
            r.row[seat] = _whole(given["wake_up"], 1, 7, f"wake_up {where}")
        r.trained[seat] = _whole(given.get("trained_this_year", 0), 0, 5, f"trained_this_year {where}")
        for name in given.get("structures", []):
            r.structures[seat, _one_of(name, STRUCTURES, f"structure {where}")] = 1
        if r.structures[seat, 7] and not r.structures[seat, 6]:
            raise ValueError(f"seat {seat} has a large cellar without the medium one")
        for name in given.get("used", []):
            r.used[seat, _one_of(name, USED, f"used {where}")] = 1
        _read_tokens_of_rows(r, seat, given)
        _read_tokens(r, seat, given)
        _read_fields(r, seat, given.get("fields", []))
        for deck, ids in _mapping(given.get("hand", {}), f"hand {where}").items():
            for kind in _kinds(deck, ids, f"hand {where}"):
                r.hand[seat, kind] += 1
                r.n_hand[seat, DECK_OF_KIND[kind]] += 1
        workers = _mapping(given.get("workers", {}), f"workers {where}")
        _keys(workers, WORKERS, f"workers {where}")
        start = {"regular": START_REGULAR_WORKERS, "grande": 1, "temporary": 0}
        if _is_blocker(r, seat):
            start["regular"] = int(r.rules[BLOCKER_WORKERS]) - 1
        for i, name in enumerate(WORKERS):
            count = workers.get(name, start[name])
            r.free[seat, i] = _whole(count, 0, (REGULAR_WORKERS_MAX, 1, 1)[i], f"{name} workers {where}")
            if name == "grande" and name not in workers and _grande_on_board(position, seat):
                r.free[seat, i] = 0
        for name, bits in _mapping(given.get("shown", {}), f"shown {where}").items():
            if name not in KIND:
                raise ValueError(f"shown {where} names no card: {name!r}")
            r.shown[seat, KIND[name]] = _whole(bits, 0, 63, f"shown {where}")
        for key, rows, dealt in (("mamas", MAMAS, r.mamas), ("papas", PAPAS, r.papas)):
            for i, name in enumerate(given.get(key, [])[:2]):
                dealt[seat, i] = _one_of(name, [row.id for row in rows], f"{key} {where}")
    rows_taken = [int(row) for row in r.row[:n] if row]
    if len(rows_taken) != len(set(rows_taken)):
        raise ValueError(f"two seats stand in one wake-up row: {sorted(rows_taken)}")


def _read_tokens(r: np.record, seat: int, given: Mapping[str, Any]) -> None:
    for key, names, slots, least in (
        ("crush_pad", COLOURS, r.crush, (1, 1)),
        ("cellar", WINES, r.cellar, tuple(int(x) for x in WINE_LEAST)),
    ):
        tokens = _mapping(given.get(key, {}), f"{key} of seat {seat}")
        _keys(tokens, names, f"{key} of seat {seat}")
        for name, values in tokens.items():
            i = names.index(name)
            for value in values:
                value = _whole(value, least[i], N_VALUES, f"{name} in the {key} of seat {seat}")
                if slots[seat, i, value - 1]:
                    raise ValueError(f"seat {seat} has two {name} tokens of value {value} in its {key}")
                slots[seat, i, value - 1] = 1
    if _above_cellar(r, seat) and not given.get("wine_above_cellar", False):
        raise ValueError(f"seat {seat} has a wine without its cellar (the Zymologist's are marked wine_above_cellar)")


def _read_fields(r: np.record, seat: int, fields: Any) -> None:
    if not isinstance(fields, list):
        raise ValueError(f"fields of seat {seat} must be a list")
    limits = capacities(r)
    unseen = list(range(N_FIELDS))
    for given in fields:
        given = _mapping(given, f"a field of seat {seat}")
        _keys(given, FIELD_KEYS, f"a field of seat {seat}")
        capacity = given.get("capacity", 0)
        # Fields of one capacity are told apart by their order.
        field = next((field for field in unseen if limits[field] == capacity), -1)
        if field < 0:
            there = ", ".join(map(str, limits))
            raise ValueError(f"field capacity {capacity!r} of seat {seat} is not there (again); there are {there}")
        unseen.remove(field)
        for kind in _kinds("vine", given.get("vines", []), f"field {capacity} of seat {seat}"):
            r.vines[seat, field, kind] += 1
        r.sold[seat, field] = bool(given.get("sold", False))
        r.harvested[seat, field] = bool(given.get("harvested", False))
        if r.sold[seat, field] and r.vines[seat, field].any():
            raise ValueError(f"field {capacity} of seat {seat} is sold and carries vines")
        if _field_total(r, seat, field) > capacity and not given.get("over_limit", False):
            raise ValueError(f"the vines on field {capacity} of seat {seat} are worth more than {capacity}")


# Workers on the board.


def _grande_on_board(position: Mapping[str, Any], seat: int) -> bool:
    board = position.get("board", {})
    lists = [workers for workers in board.values() if isinstance(workers, list)] if isinstance(board, Mapping) else []
    workers = [worker for stand in lists for worker in stand if isinstance(worker, Mapping)]
    return any(worker.get("seat") == seat and worker.get("worker") == "grande" for worker in workers)


def _read_board(r: np.record, board: Mapping[str, Any], n: int) -> None:
    _keys(board, ACTS, "the board")
    for seat in range(n):
        r.staff[seat] = r.free[seat]
    in_use = [space for space in range(N_SPACES) if int(r.rules[SPACES]) >> space & 1]
    for name, workers in board.items():
        act = ACTS.index(name)
        if not isinstance(workers, list):
            raise ValueError(f"the workers on {name} must be a list")
        for given in sorted(workers, key=lambda w: isinstance(w, Mapping) and w.get("space") == CROWD):
            given = _mapping(given, f"a worker on {name}")
            _keys(given, WORKER_KEYS, f"a worker on {name}")
            if given.get("seat") == AUTOMA_NAME:
                _read_automa_worker(r, act, name, given, in_use)
                continue
            seat = _whole(given.get("seat"), 0, n - 1, f"the seat of a worker on {name}")
            worker = _one_of(given.get("worker", "regular"), WORKERS, f"a worker on {name}")
            r.staff[seat, worker] += 1
            space = given.get("space", "plain")
            if name == "gain_lira" and space == "plain":
                r.cart[seat, worker] += 1
            elif name == "yoke" and space == "plain":
                if r.yoke_worker[seat] >= 0 or not r.structures[seat, YOKE]:
                    raise ValueError(f"seat {seat} has two workers on its yoke, or no yoke")
                r.yoke_worker[seat] = worker
                r.used[seat, USED_YOKE] = 1
            elif act < N_BOARD_ACTIONS and space == CROWD:
                full = all(r.space_seat[act, s] != NO_SEAT for s in in_use)
                if worker != GRANDE or (not full and r.season != WINTER and r.season != SUMMER):
                    raise ValueError(f"only a grande worker can stand beside the spaces of {name}")
                r.crowd[act] |= 1 << seat
            elif act < N_BOARD_ACTIONS and space in ("plain", "bonus"):
                where = _free_space(r, act, space, bool(given.get("right", False)), in_use)
                if where is None:
                    raise ValueError(f"there is no free {space} space on {name} for seat {seat}")
                r.space_seat[act, where], r.space_worker[act, where] = seat, worker
            else:
                raise ValueError(f"unknown space {space!r} on {name}; there is plain, bonus and crowd")


def _read_automa_worker(r: np.record, act: int, name: str, given: Mapping[str, Any], in_use: list[int]) -> None:
    where = None
    if act < N_BOARD_ACTIONS:
        where = _free_space(r, act, str(given.get("space", "plain")), False, in_use)
    if not r.rules[MARKER] or where is None:
        raise ValueError(f"there is no free space on {name} for a worker of the Automa, or no Automa")
    if int((r.space_seat == AUTOMA).sum()) == AUTOMA_WORKERS_MAX:
        raise ValueError(f"the Automa has more than {AUTOMA_WORKERS_MAX} workers on the board")
    r.space_seat[act, where] = AUTOMA


def _free_space(r: np.record, act: int, space: str, right: bool, in_use: list[int]) -> int | None:
    wanted = (BONUS,) if space == "bonus" else (RIGHT,) if right else (LEFT, RIGHT)
    free = [s for s in wanted if s in in_use and r.space_seat[act, s] == NO_SEAT]
    return free[0] if free else None


def _check_workers(r: np.record, n: int) -> None:
    for seat in range(n):
        regular, grande, temporary = (int(r.staff[seat, w]) for w in (REGULAR, GRANDE, TEMPORARY))
        most = max(int(r.rules[STAFF_MAX]), int(r.rules[BLOCKER_WORKERS]) - 1 if _is_blocker(r, seat) else 0)
        if regular + int(r.trained[seat]) > most or grande > 1 or temporary > 1:
            raise ValueError(
                f"seat {seat} has {regular} regular workers, {r.trained[seat]} trained, {grande} grande "
                f"and {temporary} temporary; the most are {most} with those trained, 1 and 1"
            )
    if int(r.staff[:n, TEMPORARY].sum()) > 1:
        raise ValueError("there is only one temporary worker")


# Cards.


def _kinds(deck: str, ids: Any, where: str) -> list[int]:
    if deck not in DECKS:
        raise ValueError(f"unknown deck {deck!r} in {where}; there is {', '.join(DECKS)}")
    if not isinstance(ids, list):
        raise ValueError(f"{deck} in {where} must be a list of card ids")
    for name in ids:
        if f"{deck}:{name}" not in KIND:
            raise ValueError(f"unknown {deck} card {name!r} in {where}")
    return [KIND[f"{deck}:{name}"] for name in ids]


def _in_play(r: np.record) -> np.ndarray:
    """Cards that the pending decisions hold: visitors being resolved, orders revealed, cards aside or turned up."""
    held = np.zeros(N_KINDS, np.int64)
    for t in range(int(r.depth)):
        frame = r.frames[t]
        if frame[OP] == FrameOp.CARD:
            held[frame[CARD]] += 1
        elif frame[OP] == FrameOp.FILL and frame[3] == 1:
            held[frame[P0]] += 1
        elif frame[OP] == FrameOp.IMPORT:
            for i in range(int(frame[DONE])):
                held[frame[P1 + i] % N_KINDS] += 1
        elif frame[OP] == FrameOp.CARAVAN:
            for kind in frame[P0 : P0 + N_DECKS]:
                if kind >= 0:
                    held[kind] += 1
    return held


def _read_cards(r: np.record, position: Mapping[str, Any]) -> None:
    for name, ids in _mapping(position.get("discards", {}), "discards").items():
        for kind in _kinds(name, ids, "discards"):
            at = int(r.n_pile[DECK_OF_KIND[kind]])
            if at == r.pile.shape[1]:
                raise ValueError(f"the discard pile {name} holds more cards than there are")
            r.pile[DECK_OF_KIND[kind], at] = kind
            r.n_pile[DECK_OF_KIND[kind]] += 1
            r.discard[kind] += 1
    planted = r.vines.sum(axis=(0, 1))
    left = COPIES_IN[int(r.rules[CARD_SET])] - r.hand.sum(axis=0) - r.discard - _in_play(r)
    left[: len(planted)] -= planted
    if (left < 0).any():
        too_many = [CARD_NAMES[kind] for kind in np.flatnonzero(left < 0)]
        raise ValueError(f"more copies than there are: {', '.join(too_many)}")
    r.deck[:] = left
    for deck in range(N_DECKS):
        r.n_deck[deck] = left[deck == DECK_OF_KIND].sum()
        if r.n_deck[deck] == 0 and r.n_pile[deck] > 0:
            raise ValueError(f"the deck {DECKS[deck]} is empty although its discard pile holds cards to reshuffle")
    for name, ids in _mapping(position.get("next_draws", {}), "next_draws").items():
        if name == AUTOMA_NAME:
            _read_automa_draws(r, ids)
            continue
        kinds = _kinds(name, ids, "next_draws")
        for kind in set(kinds):
            wanted, there = kinds.count(kind), r.deck[kind]
            if wanted > there:
                raise ValueError(f"next_draws wants {CARD_NAMES[kind]} {wanted} times; the deck holds {there}")
        at = DECKS.index(name)
        r.n_forced[at] = len(kinds)
        r.forced[at, : len(kinds)] = kinds[::-1]


# Whose turn.


def _start_turn(r: np.record, position: Mapping[str, Any], season: int, n: int) -> None:
    """Frames of a position in which a seat is about to choose a row or to place a worker."""
    to_act = position.get("to_act")
    if season == SPRING:
        order = [(int(r.first_player) + i) % n for i in range(n)]
        waiting = [seat for seat in order if r.row[seat] == 0]
        expected = waiting[0] if waiting else None
        if expected is None or order.index(expected) != n - len(waiting):
            raise ValueError("in spring rows are taken clockwise from the first player; wake_up contradicts that")
        if to_act not in (None, expected):
            raise ValueError(f"to_act is {to_act}, but seat {expected} is the next to take a row")
        _push(r, FrameOp.YEAR, NO_SEAT, DONE, order.index(expected) + 1)
        _push(r, FrameOp.WAKE, expected)
        return
    if season not in (SUMMER, WINTER):
        name = SEASONS[season]
        raise ValueError(f"a position in {name} needs its pending decisions; write one in spring, summer or winter")
    free_rows = [row for row in range(1, 8) if row not in r.row[:n]]
    for seat in range(n):
        if r.row[seat] == 0:
            r.row[seat] = free_rows.pop(0)
    order = _order(position["turn_order"], n) if "turn_order" in position else sorted(range(n), key=lambda s: r.row[s])
    r.order[:n] = order
    ready = [seat for seat in order if not r.passed[seat]]
    if to_act is None:
        # Who has no worker left is skipped (ruling 1.11).
        to_act = next((seat for seat in ready if r.free[seat].any()), None)
    if to_act not in ready:
        raise ValueError(f"to_act is {to_act!r}; it must be a seat that has not passed: {ready}")
    if not r.free[to_act].any():
        raise ValueError(f"seat {to_act} is to act and has no worker to place")
    r.turn = (order.index(to_act) + 1) % n
    r.turn_seat = to_act
    _push(r, FrameOp.YEAR, NO_SEAT, DONE, 0)
    _push(r, FrameOp.PLACE, to_act)


def _push(r: np.record, op: FrameOp, seat: int, column: int = OP, value: int | None = None) -> None:
    frame = r.frames[int(r.depth)]
    frame[:] = 0
    frame[OP], frame[SEAT], frame[CARD] = op, seat, -1
    if op is not FrameOp.YEAR:
        frame[LEFT_COLUMN] = frame[MIN] = 1
    if value is not None:
        frame[column] = value
    r.depth += 1


def _order(order: Any, n: int) -> list[int]:
    if not isinstance(order, list) or sorted(order) != list(range(n)):
        raise ValueError(f"turn_order is {order!r}; it must name each of the {n} seats once")
    return order


def _read_pending(r: np.record, pending: Mapping[str, Any], n: int) -> None:
    _keys(pending, ("frames", "turn", "turn_seat", "turn_place"), "pending")
    frames = pending.get("frames")
    if not isinstance(frames, list) or not 1 <= len(frames) <= MAX_DEPTH:
        raise ValueError(f"pending needs 1 to {MAX_DEPTH} frames")
    for t, frame in enumerate(frames):
        numbers = _numbers(frame, FRAME_WIDTH, f"frame {t}", -SHORT, SHORT)
        if not 1 <= numbers[OP] < len(FrameOp) or not -1 <= numbers[SEAT] < n or not -1 <= numbers[CARD] < N_KINDS:
            raise ValueError(f"frame {t} of the pending decisions names no operation, seat or card")
        r.frames[t] = numbers
    r.depth = len(frames)
    r.turn = _whole(pending.get("turn", 0), 0, MAX_SEATS, "turn")
    r.turn_seat = _whole(pending.get("turn_seat", -1), -1, n - 1, "turn_seat")
    r.turn_place = _whole(pending.get("turn_place", -1), -1, 49, "turn_place")


# Small checks, each with a message that names what was given and what would have been right.


def _mapping(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueError(f"{where} must be a mapping, not {value!r}")
    return value


def _keys(value: Any, known: Iterable[str], where: str) -> None:
    unknown = [key for key in _mapping(value, where) if key not in known]
    if unknown:
        raise ValueError(f"unknown key {unknown[0]!r} in {where}; known are {', '.join(known)}")


def _whole(value: Any, low: int, high: int, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise ValueError(f"{where} is {value!r}; it must be a whole number from {low} to {high}")
    return int(value)


def _numbers(value: Any, n: int, where: str, low: int = 0, high: int = 2**32 - 1) -> list[int]:
    if not isinstance(value, list | tuple) or len(value) != n:
        raise ValueError(f"{where} must be a list of {n} whole numbers")
    return [_whole(x, low, high, where) for x in value]


def _one_of(value: Any, known: list[str] | tuple[str, ...], where: str) -> int:
    if value not in known:
        raise ValueError(f"unknown {where}: {value!r}; there is {', '.join(known)}")
    return known.index(value)


def _plain(value: Any) -> Any:
    """A deep copy as plain JSON, kept as the start of the game's log."""
    if isinstance(value, Mapping):
        return {str(key): _plain(x) for key, x in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(x) for x in value]
    return value.item() if isinstance(value, np.generic) else value
