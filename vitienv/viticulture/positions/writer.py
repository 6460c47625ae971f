"""Writing a position: a game as plain JSON."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions import STATUS, chance_to_json, frames_to_json, state_to_json
from vitienv.viticulture.asked import Ask, ask, asked_of
from vitienv.viticulture.cards import AUTOMA_IDS, CARD_IDS, CARD_NAMES, FIRST_OF_DECK, N_KINDS, N_VINES
from vitienv.viticulture.cards.mamas import MAMAS
from vitienv.viticulture.cards.papas import PAPAS
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.names import (
    ACTS,
    AUTOMA,
    COLOURS,
    DECKS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    N_VALUES,
    SEASONS,
    STRUCTURES,
    WINES,
    WORKERS,
    Space,
    Worker,
)
from vitienv.viticulture.state import FIELDS, Rule

USED = ("windmill", "tasting_room", "yoke")
CROWD = "crowd"
AUTOMA_NAME = "automa"
# The fields that a position tells in words of its own; any other is told by its name, under "state".
TOLD = frozenset((
    "key", "chance", "rules", "frames", "depth", "status", "year", "season", "first_player", "turn", "turn_seat",
    "turn_place", "goal_reached", "lost", "order", "automa_vp", "automa_deck", "automa_forced", "automa_n_forced",
    "lira", "vp", "row", "glass", "bonus_tokens", "passed", "residual", "staff", "free", "trained", "structures",
    "used", "vines", "sold", "harvested", "crush", "cellar", "hand", "shown", "n_hand", "mamas", "papas", "cart",
    "yoke_worker", "deck", "n_deck", "discard", "pile", "n_pile", "forced", "n_forced", "space_seat",
    "space_worker", "crowd",
))  # fmt: skip


def at_turn_start(record: np.record) -> bool:
    """Whether a seat is about to choose a row or to place a worker, so that no pending decision need be written."""
    if record.status != Status.PLAYING or record.depth != 2:
        return False
    return int(record.frames[1, Frame.OP]) in (FrameOp.WAKE, FrameOp.PLACE)


# Writing.


def to_dict(game: Any) -> dict[str, Any]:
    """The position of a game as plain JSON."""
    record, n = game.record, game.num_players
    r = SimpleNamespace(**{name: record[name] for name in record.dtype.names})  # much quicker to read than a record
    r.asked = asked_of(record)
    options = {key: value for key, value in game.options.to_dict().items() if key not in ("ruleset", "num_players")}
    position: dict[str, Any] = {
        "ruleset": game.options.ruleset,
        "num_players": n,
        "options": options,
        "year": int(r.year),
        "season": SEASONS[int(r.season)],
        "status": STATUS[int(r.status)],
        "first_player": int(r.first_player),
        "to_act": game.seat,
        "goal_reached": bool(r.goal_reached),
        "turn_order": [int(seat) for seat in r.order[:n]],
        **_automa_to_dict(r),
        "seats": [seat_to_dict(r, seat) for seat in range(n)],
        "board": _board_to_dict(r, n),
        **cards_to_dict(r),
        "chance": chance_to_json(r),
    }
    if not at_turn_start(record) and r.status == Status.PLAYING:
        position["pending"] = {
            "frames": frames_to_json(record, game.definition.operations),
            "turn": int(r.turn),
            "turn_seat": int(r.turn_seat),
            "turn_place": int(r.turn_place),
        }
    state = state_to_json(record, FIELDS, TOLD)
    return position | ({"state": state} if state else {})


def cards_to_dict(r: Any) -> dict[str, Any]:
    """Discard piles, and draws that are fixed."""
    discards = {
        DECKS[deck]: [CARD_IDS[int(kind)] for kind in r.pile[deck, : int(r.n_pile[deck])]]
        for deck in range(N_DECKS)
        if r.n_pile[deck]
    }
    draws = {
        DECKS[deck]: [CARD_IDS[int(kind)] for kind in r.forced[deck, : int(r.n_forced[deck])][::-1]]
        for deck in range(N_DECKS)
        if r.n_forced[deck]
    }
    return {"discards": discards, "next_draws": draws | _automa_draws(r)}


def capacities(games: np.ndarray) -> list[int]:
    """The limits of the three fields, of a game as `asked.ask` takes it."""
    return [ask(games, Ask.FIELD_CAPACITY, field=field) for field in range(N_FIELDS)]


def _automa_to_dict(r: Any) -> dict[str, Any]:
    if not r.rules[Rule.MARKER]:
        return {}
    cards = [name for i, name in enumerate(AUTOMA_IDS) if r.automa_deck[i]]
    return {"automa_points": int(r.automa_vp), "automa_deck": cards} | ({"lost": True} if r.lost else {})


def _automa_draws(r: Any) -> dict[str, list[str]]:
    fixed = [AUTOMA_IDS[int(card)] for card in r.automa_forced[: int(r.automa_n_forced)][::-1]]
    return {AUTOMA_NAME: fixed} if fixed else {}


def seat_to_dict(r: Any, seat: int) -> dict[str, Any]:
    """What a seat has. r: the record, with `asked` as `asked.asked_of` gives it."""
    values = range(1, N_VALUES + 1)
    row = int(r.row[seat])
    out: dict[str, Any] = {
        "lira": int(r.lira[seat]),
        "victory_points": int(r.vp[seat]),
        "residual": int(r.residual[seat]),
        "wake_up": row or None,
        "passed": bool(r.passed[seat]),
        "workers": {name: int(r.free[seat, worker]) for worker, name in enumerate(WORKERS)},
        "trained_this_year": int(r.trained[seat]),
        "structures": [name for i, name in enumerate(STRUCTURES) if r.structures[seat, i]],
        "used": [name for i, name in enumerate(USED) if r.used[seat, i]],
        "fields": [_field_to_dict(r, seat, field) for field in range(N_FIELDS)],
        "crush_pad": {name: [v for v in values if r.crush[seat, i, v - 1]] for i, name in enumerate(COLOURS)},
        "cellar": {name: [v for v in values if r.cellar[seat, i, v - 1]] for i, name in enumerate(WINES)},
        "hand": {DECKS[deck]: _cards(r.hand[seat], deck) for deck in range(N_DECKS)},
    }
    if r.rules[Rule.GLASS_TOKENS]:
        out["glass_tokens"] = [i + 1 for i in range(N_ROWS) if r.glass[seat, i]]
        out["bonus_tokens"] = int(r.bonus_tokens[seat])
    if ask(r.asked, Ask.ABOVE_CELLAR, seat):
        out["wine_above_cellar"] = True
    shown = {CARD_NAMES[k]: int(r.shown[seat, k]) for k in range(N_KINDS) if r.shown[seat, k]}
    if shown:
        out["shown"] = shown
    for key, dealt, rows in (("mamas", r.mamas[seat], MAMAS), ("papas", r.papas[seat], PAPAS)):
        if (dealt >= 0).any():
            out[key] = [rows[int(i)].id for i in dealt if 0 <= i < len(rows)]
    return out


def _field_to_dict(r: Any, seat: int, field: int) -> dict[str, Any]:
    vines = [CARD_IDS[v] for v in range(N_VINES) for _ in range(int(r.vines[seat, field, v]))]
    limit = ask(r.asked, Ask.FIELD_CAPACITY, seat, field)
    out = {
        "capacity": limit,
        "vines": vines,
        "sold": bool(r.sold[seat, field]),
        "harvested": bool(r.harvested[seat, field]),
    }
    if ask(r.asked, Ask.FIELD_TOTAL, seat, field) > limit:
        out["over_limit"] = True
    return out


def _cards(counts: np.ndarray, deck: int) -> list[str]:
    kinds = range(int(FIRST_OF_DECK[deck]), int(FIRST_OF_DECK[deck + 1]))
    return [CARD_IDS[kind] for kind in kinds for _ in range(int(counts[kind]))]


def _board_to_dict(r: Any, n: int) -> dict[str, list[dict[str, Any]]]:
    board: dict[str, list[dict[str, Any]]] = {}
    for act in range(N_BOARD_ACTIONS):
        stand = []
        for space in range(N_SPACES):
            if r.space_seat[act, space] >= 0:
                worker = {
                    "space": "bonus" if space == Space.BONUS else "plain",
                    "seat": AUTOMA_NAME if r.space_seat[act, space] == AUTOMA else int(r.space_seat[act, space]),
                    "worker": WORKERS[int(r.space_worker[act, space])],
                }
                if space == Space.RIGHT:
                    worker["right"] = True
                stand.append(worker)
        for seat in range(n):
            if int(r.crowd[act]) >> seat & 1:
                stand.append({"space": CROWD, "seat": seat, "worker": WORKERS[Worker.GRANDE]})
        if stand:
            board[ACTS[act]] = stand
    cart = [
        {"space": "plain", "seat": seat, "worker": WORKERS[worker]}
        for seat in range(n)
        for worker in range(3)
        for _ in range(int(r.cart[seat, worker]))
    ]
    yoke = [
        {"space": "plain", "seat": seat, "worker": WORKERS[int(r.yoke_worker[seat])]}
        for seat in range(n)
        if r.yoke_worker[seat] >= 0
    ]
    return board | ({"gain_lira": cart} if cart else {}) | ({"yoke": yoke} if yoke else {})
