"""Codecs of Viticulture's positions, and the keys that its games share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vitienv.core.checks import check_bool, check_choice, check_int, check_ints, check_keys, list_of, mapping_of
from vitienv.core.fields import Field, Visibility
from vitienv.core.frames import Frame
from vitienv.core.positions import CHANCE, SEED, STATUS, TO_ACT
from vitienv.core.positions.pending import pending_frames
from vitienv.core.positions.schema import Codec, Flag, Flags, Int, Key, Named, Word, derived_key, distinct, view_key
from vitienv.viticulture.board import MIN_WINE_VALUE, START_REGULAR_WORKERS
from vitienv.viticulture.cards import (
    AUTOMA_IDS,
    CARD_IDS,
    CARD_NAMES,
    DECK_OF_KIND,
    FIRST_ORDER,
    KIND,
    N_KINDS,
    N_VINES,
)
from vitienv.viticulture.enums import (
    ACTS,
    AUTOMA,
    COLOURS,
    DECKS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_VALUES,
    NO_SEAT,
    SEASONS,
    STRUCTURES,
    WINES,
    WORKERS,
    Space,
    Worker,
)
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.queries import Query, query, query_games
from vitienv.viticulture.state import FIELDS, GAME_DTYPE, N_RULES, NOT_FIXED, Rule

MAX_NUMBER = 10_000  # maximum of lira, points and years in a position, which leaves room for later gains
USED = ("windmill", "tasting_room", "yoke")
CROWD, AUTOMA_NAME = "crowd", "automa"
FIELD_KEYS = ("capacity", "vines", "sold", "harvested", "over_limit")
WORKER_KEYS = ("space", "seat", "worker", "right")
BLOCKER_SEAT = 1


def seats_of(state: Any) -> int:
    return int(state["rules"][Rule.NUM_PLAYERS])


def last_seat(state: Any) -> int:
    return seats_of(state) - 1


def capacities(state: Any) -> list[int]:
    """Return the capacities of the three fields."""
    return [int(limit) for limit in state["rules"][Rule.FIELD_CAPACITY :][:N_FIELDS]]


def as_viticulture(state: Any) -> np.record:
    """Return a Viticulture record with the fields of a state, also of World."""
    shell = np.zeros(1, GAME_DTYPE).view(np.recarray)[0]
    for field in FIELDS:
        shell[field.name] = state[field.name][:N_RULES] if field.name == "rules" else state[field.name]
    return shell


def cached_query_games(state: Any) -> np.ndarray:
    """Return the argument of `query` for a state; a mapping caches it."""
    if not isinstance(state, dict):
        return query_games(as_viticulture(state))
    if "query_games" not in state:
        state["query_games"] = query_games(as_viticulture(state))
    games: np.ndarray = state["query_games"]
    return games


def is_blocker_seat(state: Any, seat: int) -> bool:
    """Return whether a seat only blocks in place of the Automa."""
    return seat == BLOCKER_SEAT and bool(state["rules"][Rule.BLOCKER_WORKERS] > 0)


def kinds_of(deck: str, ids: Any, name: str) -> list[int]:
    """Return the kinds of cards by id."""
    check_choice(deck, DECKS, f"deck in {name}")
    for card in list_of(ids, f"{deck} in {name}"):
        if f"{deck}:{card}" not in KIND:
            raise ValueError(f"unknown {deck} card {card!r} in {name}")
    return [KIND[f"{deck}:{card}"] for card in ids]


class Cards(Codec):
    """Counts of cards by kind, as ids by deck."""

    def write(self, value: Any) -> dict[str, list[str]]:
        kinds = np.repeat(np.arange(N_KINDS), value)
        return {deck: [CARD_IDS[kind] for kind in kinds[DECK_OF_KIND[kinds] == i]] for i, deck in enumerate(DECKS)}

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> np.ndarray:
        kinds = [kind for deck, ids in mapping_of(value, name).items() for kind in kinds_of(deck, ids, name)]
        counts = np.bincount(kinds, minlength=N_KINDS)
        if (counts > of.high).any():
            raise ValueError(f"{name} must have at most {of.high} copies of a card, got {counts.max()}")
        return counts


@dataclass(frozen=True)
class Piles(Codec):
    """Ordered cards by deck. reverse: last card first."""

    reverse: bool = False

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, list[str]]:
        piles = {deck: state[key.fields[0]][i, : int(state[key.fields[1]][i])] for i, deck in enumerate(DECKS)}
        return {deck: [CARD_IDS[kind] for kind in (pile[::-1] if self.reverse else pile)]
                for deck, pile in piles.items() if len(pile)}  # fmt: skip

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        for deck, ids in mapping_of(value, name).items():
            kinds, i = kinds_of(deck, ids, name), DECKS.index(deck)
            if len(kinds) > key.of.shape[1]:
                raise ValueError(f"{deck} in {name} must have at most {key.of.shape[1]} cards, got {len(kinds)}")
            state[key.fields[0]][i, : len(kinds)] = kinds[::-1] if self.reverse else kinds
            state[key.fields[1]][i] = len(kinds)


class Draws(Piles):
    """Fixed draws, including those of the Automa."""

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, list[str]]:
        fixed = state["automa_forced"][: int(state["automa_n_forced"])][::-1]
        automa = [AUTOMA_IDS[card] for card in fixed]
        return super().dump(state, key, seat) | ({AUTOMA_NAME: automa} if automa else {})

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        decks = dict(mapping_of(value, name))
        ids = decks.pop(AUTOMA_NAME, [])
        cards = np.flatnonzero(Flags(AUTOMA_IDS).read(ids, f"{AUTOMA_NAME} in {name}", key.of, state, seat))
        state["automa_forced"][: len(cards)] = [AUTOMA_IDS.index(card) for card in ids[::-1]]
        state["automa_n_forced"] = len(cards)
        super().load(state, key, seat, decks, name)


@dataclass(frozen=True)
class Tokens(Codec):
    """Grapes or wines: their values by kind. low: minimum value of each kind."""

    names: Sequence[str]
    low: Sequence[int]

    def write(self, value: Any) -> dict[str, list[int]]:
        return {name: (np.flatnonzero(row) + 1).tolist() for name, row in zip(self.names, value)}

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> np.ndarray:
        check_keys(value, self.names, name)
        tokens = np.zeros((len(self.names), N_VALUES), np.int8)
        for i, word in enumerate(self.names):
            title, values = f"{word} of {name}", value.get(word, [])
            numbers = [check_int(token, self.low[i], N_VALUES, title) - 1 for token in list_of(values, title)]
            tokens[i, distinct(numbers, title, values)] = 1
        return tokens


class Vineyard(Codec):
    """The three fields; fields of the same capacity are distinguished by their order."""

    def dump(self, state: Any, key: Key, seat: int | None) -> list[dict[str, Any]]:
        games, fields = cached_query_games(state), []
        for field, limit in enumerate(capacities(state)):
            vines = [CARD_IDS[kind] for kind in np.repeat(np.arange(N_VINES), state["vines"][seat, field])]
            is_over = query(games, Query.FIELD_TOTAL, seat or 0, field) > limit
            sold, harvested = bool(state["sold"][seat, field]), bool(state["harvested"][seat, field])
            entry = {"capacity": limit, "vines": vines, "sold": sold, "harvested": harvested}
            fields.append(entry | ({"over_limit": True} if is_over else {}))
        return fields

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        limits = capacities(state)
        for entry in list_of(value, name):
            check_keys(entry, FIELD_KEYS, f"an entry of {name}")
            capacity = entry.get("capacity", 0)
            if capacity not in limits:
                raise ValueError(f"capacity of {name} must be each of {capacities(state)} once, got {capacity!r}")
            field = limits.index(capacity)
            limits[field] = -1
            kinds = kinds_of("vine", entry.get("vines", []), name)
            if len(kinds) > key.of.high:
                raise ValueError(f"vines of {name} must be at most {key.of.high}, got {len(kinds)}")
            state["vines"][seat, field] = np.bincount(kinds, minlength=N_VINES)
            for flag in ("sold", "harvested"):
                state[flag][seat, field] = check_bool(entry.get(flag, False), f"{flag} of {name}")
            total = query(cached_query_games(state), Query.FIELD_TOTAL, seat or 0, field) if kinds else 0
            is_marked = entry.get("over_limit", False)
            if check_bool(is_marked, f"over_limit of {name}") != (total > capacity) and not (is_marked and kinds):
                raise ValueError(f"over_limit of {name} must be true for vines worth more than {capacity}, got {total}")


@dataclass(frozen=True)
class Board(Codec):
    """Workers by action. workers: those of a state, each with its action. place: put a worker into a state."""

    actions: Sequence[str]
    workers: Callable[[Any], Iterable[tuple[str, dict[str, Any]]]]
    place: Callable[[Any, str, Any, str], None]

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, list[dict[str, Any]]]:
        board: dict[str, list[dict[str, Any]]] = {}
        for action, worker in self.workers(state):
            board.setdefault(action, []).append(worker)
        return board

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, self.actions, name)
        for action, workers in value.items():
            for worker in list_of(workers, f"workers on {action}"):
                self.place(state, action, worker, f"a worker on {action}")


def workers_on_board(state: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the workers on spaces, in crowds, on the cart and on the yoke."""
    owners, kinds, seats = state["space_seat"].tolist(), state["space_worker"], range(seats_of(state))
    for act, action in enumerate(ACTS[:N_BOARD_ACTIONS]):
        for space, owner in enumerate(owners[act]):
            if owner != NO_SEAT:
                is_right = {"right": True} if space == Space.RIGHT else {}
                yield action, {"space": "bonus" if space == Space.BONUS else "plain",
                               "seat": AUTOMA_NAME if owner == AUTOMA else owner,
                               "worker": WORKERS[kinds[act, space]], **is_right}  # fmt: skip
        for owner in seats:
            if state["crowd"][act] >> owner & 1:
                yield action, {"space": CROWD, "seat": owner, "worker": "grande"}
    for owner in seats:
        yoke = state["yoke_worker"][owner]
        off_spaces = [("gain_lira", kind) for kind in np.repeat(range(3), state["cart"][owner])]
        for action, kind in [*off_spaces, ("yoke", yoke)] if yoke >= 0 else off_spaces:
            yield action, {"space": "plain", "seat": owner, "worker": WORKERS[kind]}


def place_worker(state: Any, action: str, entry: Any, title: str) -> None:
    """Put a worker into a state. ValueError if there is no space for it."""
    check_keys(entry, WORKER_KEYS, title)
    act, owner, worker, is_right = ACTS.index(action), AUTOMA, 0, False
    if entry.get("seat") != AUTOMA_NAME:
        owner = check_int(entry.get("seat"), 0, last_seat(state), f"seat of {title}")
        worker = check_choice(entry.get("worker", "regular"), WORKERS, f"worker on {action}")
        is_right = check_bool(entry.get("right", False), f"right of {title}")
    spaces = {"bonus": (Space.BONUS,), "plain": (Space.RIGHT,) if is_right else (Space.LEFT, Space.RIGHT), CROWD: ()}
    space = entry.get("space", "plain")
    check_choice(space, tuple(spaces), f"space on {action}")
    if act >= N_BOARD_ACTIONS and space == "plain" and owner != AUTOMA:
        if action == "gain_lira":
            state["cart"][owner, worker] += 1
        elif state["yoke_worker"][owner] >= 0:
            raise ValueError(f"a seat must have at most one worker on its yoke, got two of seat {owner}")
        else:
            state["yoke_worker"][owner] = worker
    elif act < N_BOARD_ACTIONS and space == CROWD and owner != AUTOMA:
        if worker != Worker.GRANDE or state["crowd"][act] >> owner & 1:
            raise ValueError(f"workers in the crowd of {action} must be grande workers, one per seat")
        state["crowd"][act] |= 1 << owner
    else:
        in_use = int(state["rules"][Rule.SPACES]) if act < N_BOARD_ACTIONS else 0
        free = [s for s in spaces[space] if in_use >> s & 1 and state["space_seat"][act, s] == NO_SEAT]
        if not free:
            raise ValueError(f"workers on {action} must have a space, got no free {space} space for seat {owner}")
        state["space_seat"][act, free[0]], state["space_worker"][act, free[0]] = owner, worker


BOARD = Board(ACTS, workers_on_board, place_worker)


class Order(Codec):
    """Seats in turn order, each once."""

    def dump(self, state: Any, key: Key, seat: int | None) -> list[int]:
        seats: list[int] = state[key.fields[0]][: seats_of(state)].tolist()
        return seats

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        n = seats_of(state)
        if sorted(check_ints(value, n, name, 0, n - 1)) != list(range(n)):
            raise ValueError(f"{name} must name each of the {n} seats once, got {value!r}")
        return [*value, *range(n, of.shape[0])]


@dataclass(frozen=True)
class Parents(Codec):
    """Mamas or papas of a seat. max_cards: per seat."""

    ids: Sequence[Any]
    max_cards: int

    def write(self, value: Any) -> list[str]:
        return [self.ids[card] for card in value.tolist() if card >= 0]

    def read(self, value: Any, name: str, of: Field, state: Any, seat: int | None) -> list[int]:
        cards = [check_choice(card, self.ids, name) for card in list_of(value, name, self.max_cards)]
        return [*cards, *[-1] * (of.shape[1] - len(cards))]


class Mark(Codec):
    """Whether a wine is above its cellar, which only a card makes possible."""

    def dump(self, state: Any, key: Key, seat: int | None) -> bool:
        return bool(query(cached_query_games(state), Query.ABOVE_CELLAR, seat or 0))

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        has_wine = bool(state["cellar"][seat].any())
        is_above = has_wine and self.dump(state, key, seat)
        if check_bool(value, name) != is_above and not (value and has_wine):
            raise ValueError(f"{name} must be true for a wine without its cellar, and only for a seat with wine")


def seen_kinds(state: Any, seat: int, viewer: int) -> list[int]:
    """Return the cards of another hand that the viewer has seen, one kind per card; see the field `shown`."""
    bits_by_kind = [(kind, int(state["shown"][seat, kind])) for kind in np.flatnonzero(state["shown"][seat])]
    return [int(kind) for kind, n in bits_by_kind for _ in range(n if kind < FIRST_ORDER else n >> viewer & 1)]


def has_rule(rule_parameter: int, bits: int = -1) -> Any:
    """Return a condition of states: a rule parameter has one of these bits, by default any."""
    return lambda state: bool(int(state["rules"][rule_parameter]) & bits)


def start_lira(state: Any, seat: int) -> int:
    fixed = int(state["rules"][Rule.FIXED_LIRA])
    return 0 if is_blocker_seat(state, seat) else int(state["rules"][Rule.START_LIRA]) if fixed == NOT_FIXED else fixed


def start_vp(state: Any, seat: int) -> int:
    return int(state["automa_vp"] if is_blocker_seat(state, seat) else state["rules"][Rule.START_VP])


def placed_workers(state: Any, seat: int | None) -> np.ndarray:
    """Return the placed workers of a seat, by `Worker`."""
    workers = np.bincount(state["space_worker"][state["space_seat"] == seat], minlength=3) + state["cart"][seat]
    workers[Worker.GRANDE] += (state["crowd"] >> seat & 1).sum()
    if state["yoke_worker"][seat] >= 0:
        workers[state["yoke_worker"][seat]] += 1
    return workers


def start_workers(state: Any, seat: int | None) -> list[int]:
    if is_blocker_seat(state, seat or 0):
        return [int(state["rules"][Rule.BLOCKER_WORKERS]), 0, 0]
    return [START_REGULAR_WORKERS, int(not placed_workers(state, seat or 0)[Worker.GRANDE]), 0]


def cards_in_frames(state: Any) -> np.ndarray:
    """Return the cards in pending decisions: visitors in play, revealed orders, cards set aside or turned up."""
    in_play = np.zeros(N_KINDS, np.int64)
    for frame in pending_frames(state):
        op, kinds = frame[Frame.OP], []
        if op == FrameOp.CARD:
            kinds = [frame[Frame.CARD]]
        elif op == FrameOp.FILL and frame[Frame.STAGE] == 1:
            kinds = [frame[Frame.P0]]
        elif op == FrameOp.IMPORT:
            kinds = frame[Frame.P1 :][: frame[Frame.DONE]] % N_KINDS
        elif op == FrameOp.CARAVAN:
            kinds = [kind for kind in frame[Frame.P0 :][:N_DECKS] if kind >= 0]
        np.add.at(in_play, kinds, 1)
    return in_play


def deck_of(copies: Any) -> Any:
    """Return a function that computes the deck: all cards in no other place. copies: of each card, by state."""

    def left(state: Any, seat: int | None) -> np.ndarray:
        deck = copies(state) - state["hand"].sum(axis=0) - state["discard"] - cards_in_frames(state)
        deck[:N_VINES] -= state["vines"].sum(axis=(0, 1))
        if (deck < 0).any():
            names = ", ".join(CARD_NAMES[kind] for kind in np.flatnonzero(deck < 0))
            raise ValueError(f"cards must be at most the copies in the game, got more of {names}")
        return deck

    return left


def by_deck(counts: np.ndarray) -> np.ndarray:
    return np.bincount(DECK_OF_KIND, weights=counts, minlength=N_DECKS).astype(int)


def discard_of(state: Any, seat: int | None) -> np.ndarray:
    piles = [pile[:n] for pile, n in zip(state["pile"], state["n_pile"])]
    return np.bincount(np.concatenate(piles), minlength=N_KINDS)


SEAT: tuple[Key, ...] = (
    Key("lira", "lira", Int(high=MAX_NUMBER), start_lira, "lira"),
    Key("victory_points", "vp", Int(high=lambda g: min(int(g["rules"][Rule.VP_CAP]), MAX_NUMBER)), start_vp, "points"),
    Key("residual", "residual", Int(), 0, "residual payment"),
    Key("wake_up", "row", Int(low=1, null=0), None, "row, or null before the choice"),
    Key("passed", "passed", Flag(), False, "passed this season"),
    Key("structures", "structures", Flags(STRUCTURES), [], "built structures"),
    Key("used", "used", Flags(USED), [], "used this year: `windmill`, `tasting_room`, `yoke`"),
    Key("fields", "vines sold harvested", Vineyard(), [],
        "`capacity`, `vines`, `sold`, `harvested`; `over_limit` is true for a field that the Cultivator overfilled"),
    Key("crush_pad", "crush", Tokens(COLOURS, (1, 1)), {}, "values of grapes by colour"),
    Key("cellar", "cellar", Tokens(WINES, tuple(MIN_WINE_VALUE.tolist())), {}, "values of wines by type"),
    Key("hand", "hand", Cards(), {}, "cards by deck",
        hidden=lambda *seats: Cards().write(np.bincount(seen_kinds(*seats), minlength=N_KINDS))),
    Key("wine_above_cellar", "", Mark(), False, is_brief=True,
        text="true with a wine of the Zymologist above the cellars"),
    Key("shown", "shown", Named(CARD_NAMES, Int(), is_brief=True), {}, "knowledge of the other seats about the hand",
        is_brief=True, visibility=Visibility.PRIVATE),
    derived_key("n_hand", lambda state, seat: by_deck(state["hand"][seat])),
    view_key("cards", lambda state, seat: dict(zip(DECKS, state["n_hand"][seat].tolist()))),
)  # fmt: skip


def shared_keys(copies: Any) -> tuple[tuple[Key, ...], tuple[Key, ...]]:
    """Return the keys before and after those of seats, board and pending decisions."""
    return (
        SEED,
        Key("year", "year", Int(high=MAX_NUMBER), 1, "from 1; 0 is the set-up"),
        Key("season", "season", Word(SEASONS), "spring",
            "without `pending` `spring` (a seat is to choose its row), `summer` or `winter` (to place a worker)"),
        Key("status", "status", Word(STATUS), "playing", "`playing`, `over` or `truncated`"),
        Key("first_player", "first_player", Int(high=last_seat), 0, "seat with the first-player token"),
        TO_ACT,
        Key("turn_order", "order", Order(), text="seats in this season's order; by default by row"),
    ), (
        Key("discards", "pile n_pile", Piles(), {}, "discard piles, top card last"),
        derived_key("discard", discard_of),
        derived_key("deck", deck_of(copies)),
        derived_key("n_deck", lambda state, seat: by_deck(state["deck"])),
        Key("next_draws", "forced n_forced automa_forced automa_n_forced", Draws(reverse=True), {},
            "next cards of each deck, in order; the Automa's under `automa`"),
        CHANCE,
    )  # fmt: skip
