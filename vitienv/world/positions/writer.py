"""Writing a position of World: a game as plain JSON."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from vitienv.core.kernel import Status
from vitienv.core.positions import STATUS, chance_to_json, frames_to_json, state_to_json
from vitienv.viticulture.asked import asked_of
from vitienv.viticulture.names import SEASONS, Worker
from vitienv.viticulture.positions.writer import at_turn_start, cards_to_dict, seat_to_dict
from vitienv.world.names import (
    AT_HAND,
    DEEDS,
    GRANDE,
    LETTERS,
    MOST_PARTNER_CARDS,
    N_LETTERS,
    N_STANDS,
    N_WORKERS,
    NO_OVAL,
    OVALS,
    PLACES,
    TEMPORARY,
    Stands,
    Tile,
)
from vitienv.world.ops.workers import ON_SPACE
from vitienv.world.positions.words import BLUE, HATS, PARTNER, RED, SPACES, TOLD_HERE, shell_of, tile_words
from vitienv.world.state import FIELDS, WorldRule


def to_dict(game: Any) -> dict[str, Any]:
    """The position of a game as plain JSON."""
    record, n = game.record, game.num_players
    r = SimpleNamespace(**{name: record[name] for name in record.dtype.names})  # much quicker to read than a record
    r.asked = asked_of(shell_of(record))
    options = {key: value for key, value in game.options.to_dict().items() if key not in ("ruleset", "num_players")}
    position: dict[str, Any] = {
        "ruleset": game.options.ruleset,
        "num_players": n,
        "options": options,
        "data": game.definition.data,
        "continent": options.pop("continent"),
        "year": int(r.year),
        "season": SEASONS[int(r.season)],
        "status": STATUS[int(r.status)],
        "first_player": int(r.first_player),
        "to_act": game.seat,
        "turn_order": [int(seat) for seat in r.order[:n]],
        "influence": int(r.influence),
        "events": _events(r),
        "tiles": _tiles(r, game.options.tables),
        "seats": [_seat(r, seat) for seat in range(n)],
        "board": _board(r, n),
        **cards_to_dict(r),
        "chance": chance_to_json(r),
    }
    if r.rules[WorldRule.PARTNER]:
        gone = [card + 1 for card in range(MOST_PARTNER_CARDS) if int(r.partner_gone) >> card & 1]
        position["partner"] = {"lira": int(r.partner_lira), "gone": gone}
    if r.lost:
        position["lost"] = True
    if not at_turn_start(record) and r.status == Status.PLAYING:
        position["pending"] = {
            "frames": frames_to_json(record, game.definition.operations),
            "turn": int(r.turn),
            "turn_seat": int(r.turn_seat),
            "turn_place": int(r.turn_place),
            "turn_worker": int(r.turn_worker),
        }
    state = state_to_json(record, FIELDS, TOLD_HERE)
    return position | ({"state": state} if state else {})


def _events(r: Any) -> dict[str, Any]:
    now = int(r.event)
    gone = [card + 1 for card in range(int(r.events_gone).bit_length()) if int(r.events_gone) >> card & 1]
    return {"now": None if now < 0 else now + 1, "gone": [card for card in gone if card != now + 1]}


def _tiles(r: Any, tables: Any) -> dict[str, Any]:
    words = tile_words(tables)
    where = {name: [words[i] for i, tile in enumerate(r.tile) if tile == at] for name, at in (
        ("shown", Tile.SHOWN), ("placed", Tile.PLACED), ("gone", Tile.GONE))}  # fmt: skip
    ovals = {words[place]: OVALS[int(oval)] for place, oval in enumerate(r.oval_on) if oval != NO_OVAL}
    # The partner's rectangles are in no other game, and an oval that is placed is named with its action.
    out = [] if r.rules[WorldRule.PARTNER] else [words[i] for i in range(N_LETTERS) if tables.solo_only[i]]
    where["placed"] = [tile for tile in where["placed"] if tile in LETTERS]
    where["gone"] = [tile for tile in where["gone"] if tile not in out]
    return {**where, "ovals": ovals}


def _seat(r: Any, seat: int) -> dict[str, Any]:
    out = seat_to_dict(r, seat)
    at_hand = [HATS[int(hat)] for hat, at in zip(r.hat[seat], r.at[seat]) if at == AT_HAND]
    out["workers"] = {name: at_hand.count(name) for name in ("yellow", "blue", "regular")} | {
        "grande": int(r.free[seat, Worker.GRANDE]), "temporary": int(r.free[seat, Worker.TEMPORARY])}  # fmt: skip
    out.pop("trained_this_year")
    for key, dealt, ids in (("mamas", r.mamas[seat], RED), ("papas", r.papas[seat], BLUE)):
        out[key] = [ids[int(card)] for card in dealt if card >= 0]
    out["reached_30"] = bool(r.over_achieved[seat])
    out["deeds"] = {name: int(n) for name, n in zip(DEEDS, r.deeds[seat], strict=True) if n}
    out["aims"] = [int(aim) + 1 for aim in r.aims[seat] if aim >= 0]
    out["aims_met"] = [int(aim) + 1 for aim, met in zip(r.aims[seat], r.aims_met[seat], strict=True) if met]
    return out


def _board(r: Any, n: int) -> dict[str, list[dict[str, Any]]]:
    board: dict[str, list[dict[str, Any]]] = {}
    for seat in range(n):
        for w in range(N_WORKERS):
            at = int(r.at[seat, w])
            if at != AT_HAND:
                kind = "grande" if w == GRANDE else "temporary" if w == TEMPORARY else HATS[int(r.hat[seat, w])]
                stands = {"space": SPACES[at % N_STANDS], "seat": seat, "worker": kind}
                board.setdefault(PLACES[at // N_STANDS], []).append(stands)
    for place in range(N_LETTERS):
        if r.partner_on[place]:
            beside = Stands.CROWD if r.oval_on[place] == NO_OVAL else Stands.OVAL
            stands = {"space": SPACES[Stands.PLAIN if r.partner_on[place] == ON_SPACE else beside], "seat": PARTNER}
            board.setdefault(PLACES[place], []).append(stands)
    return board
