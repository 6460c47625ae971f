"""Positions as plain JSON: one list of keys for each game, with state fields, bounds, start values and meanings.

Reader, writer, the view of a seat and the documentation are derived from that list. A game without a list uses its
field names. The `positions` module of a game may define:

    table: its list, a `Table`, or a function of the options that returns it.
    complete(position): add keys that depend on the presence of others.
    finish(state, position, options): compute the remaining fields after reading.
    contradictions(state, options): yield reasons why a state is impossible.
    NAMED: options that are keys of a position. IDLE: actions that are never the only legal one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import Batch, make_key
from vitienv.core.checks import check_int, check_ints, check_keys, mapping_of
from vitienv.core.fields import Field, Visibility, empty_record
from vitienv.core.frames import Frame
from vitienv.core.kernel import Status
from vitienv.core.positions.pending import Frames
from vitienv.core.positions.schema import Codec, Key, Table

if TYPE_CHECKING:
    from vitienv.core.options import Options

NAMED = ("ruleset", "num_players")  # options that are keys of every position
ROOT = ("options", "data", "state")
NULLABLE = ("pending", "to_act", "turn_order")  # None means missing
STATUS = ("playing", "over", "truncated")  # words of `Status`
MAX_SEED = 2**63 - 1


class Chance(Codec):
    """The RNG key of a game and how many of its words are used."""

    def dump(self, state: Any, key: Key, seat: int | None) -> dict[str, list[int]]:
        return {"key": state["key"].tolist(), "used": state["chance"].tolist()}

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        check_keys(value, ("key", "used"), name)
        n = len(state["chance"])
        state["key"] = check_ints(value.get("key", state["key"].tolist()), 2, f"{name} key")
        state["chance"] = check_ints(value.get("used", [0] * n), n, f"{name} used")


class Seed(Codec):
    """A seed in place of the RNG key."""

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        state["key"] = make_key(check_int(value, 0, MAX_SEED, name))[0]


class SeatToAct(Codec):
    """The seat of the pending decision, which the `finish` of a game reads."""

    def dump(self, state: Any, key: Key, seat: int | None) -> int | None:
        return int(state["frames"][int(state["depth"]) - 1][Frame.SEAT]) if state["depth"] else None

    def load(self, state: Any, key: Key, seat: int | None, value: Any, name: str) -> None:
        if value is not None:
            check_int(value, 0, 127, name)


# Keys of every game with a list.
SEED = Key("seed", "key", Seed(), 0, "RNG seed; `chance` replaces it", role="input")
CHANCE = Key("chance", "key chance", Chance(), text="RNG key and the words used of each stream")
TO_ACT = Key("to_act", "", SeatToAct(), text="the seat to decide; by default the next in order that can")


class View(dict[str, Any]):
    """Fields of a record by name and as attributes; several times faster than the record."""

    def __init__(self, record: np.record) -> None:
        super().__init__((name, record[name]) for name in record.dtype.names or ())

    __getattr__ = dict.__getitem__


def member(game_spec: Any, name: str, default: Any = None) -> Any:
    """Return a member of the positions module of a game."""
    return getattr(import_module(game_spec.positions), name, default)


def table_of(options: Options) -> Table:
    """Return the keys of a game, or only its pending decisions if it has no list."""
    table = member(options.game_spec, "table")
    if table is None:
        frames = Frames(options.game_spec.operations, lambda state: options.num_players)
        return Table(options.game_spec.fields, [Key("pending", "frames depth", frames)])
    return table(options) if callable(table) else table  # type: ignore[no-any-return]


def other_fields(options: Options, table: Table) -> dict[str, Field]:
    """Return the fields without a key, which are stored under "state"."""
    return {field.name: field for field in options.game_spec.fields if field.name not in {*table.fields, "rules"}}


def to_dict(record: np.record, options: Options, viewer: int | None = None) -> dict[str, Any]:
    """Return a state as plain JSON. viewer: seat whose hidden information is omitted; None for all fields."""
    game_spec, others, state = options.game_spec, options.to_dict(), View(record)
    root = {name: others.pop(name) for name in member(game_spec, "NAMED", NAMED)}
    position = {**root, "options": others, **({"data": game_spec.data} if game_spec.data else {})}
    table, is_open = table_of(options), options.open_hands
    position |= table.dump(state, None, viewer, is_open)
    empty = empty_record(game_spec.fields)[0]
    others = {}
    for name, field in other_fields(options, table).items():
        value = np.array(state[name])
        if viewer is not None and field.visibility is not Visibility.PUBLIC:
            if field.visibility is not Visibility.PRIVATE:
                continue
            hidden = [seat for seat in range(len(value)) if seat != viewer and not is_open]
            value[hidden] = empty[name][hidden]
        if not np.array_equal(value, empty[name]):
            others[name] = value.tolist()
    return position | ({"state": others} if others else {})


def from_dict(position: Mapping[str, Any], game_spec: Any) -> Batch:
    """Return the game of a position, a batch of one. ValueError for a contradiction or an unknown key."""
    position, names = member(game_spec, "complete", dict)(position), member(game_spec, "NAMED", NAMED)
    batch = _empty_game(position, game_spec.options, names)
    record, table = batch.games[0], table_of(batch.options)
    state_from_json(record, position.get("state", {}), other_fields(batch.options, table))
    keys = {key: value for key, value in position.items()
            if key not in (*names, *ROOT) and not (value is None and key in NULLABLE)}  # fmt: skip
    table.load(record, keys, "the position", also=(*names, *ROOT))
    member(game_spec, "finish", lambda *_: None)(record, keys, batch.options)
    state = View(record)
    for field in game_spec.fields:
        value = np.asarray(state[field.name])
        if (outliers := (value < field.low) | (value > field.high)).any():
            raise ValueError(f"{field.name} must be from {field.low} to {field.high}, got {value[outliers].tolist()}")
    for contradiction in member(game_spec, "contradictions", lambda *_: ())(state, batch.options):
        raise ValueError(contradiction)
    seat = TO_ACT.codec.dump(record, TO_ACT, None)
    if keys.get("to_act", seat) != seat:
        raise ValueError(f"to_act must be {seat!r}, got {keys['to_act']!r}")
    batch.refresh(observe=False)
    legal = np.flatnonzero(batch.masks[0]).tolist()
    if record.status == Status.PLAYING and legal in ([], *([action] for action in member(game_spec, "IDLE", ()))):
        raise ValueError("the seat to act must have a legal action; its pending decision contradicts the position")
    return batch


def check_state(state: np.record, options: Options) -> None:
    """ValueError unless a state is the one that its position is read as. options: of the game."""
    try:
        expected = from_dict(to_dict(state, options), options.game_spec).games[0]
    except LookupError as error:
        raise ValueError(f"state must have a position, got {error!r}") from None
    for field in options.game_spec.fields:
        value, others = np.asarray(state[field.name]), np.asarray(expected[field.name])
        if (outliers := value != others).any():
            raise ValueError(f"{field.name} must be {others[outliers].tolist()}, got {value[outliers].tolist()}")


def _empty_game(position: Mapping[str, Any], options_class: type[Options], names: Collection[str]) -> Batch:
    options, root = mapping_of(position.get("options", {}), "options"), [name for name in names if name in position]
    for name in root:
        if name in options and options[name] != position[name]:
            raise ValueError(f"{name} must be as in options, {options[name]!r}, got {position[name]!r}")
    try:
        game_options = options_class.of(**{name: position[name] for name in root} | options)
    except TypeError as error:
        raise ValueError(str(error)) from None
    data = game_options.game_spec.data
    if position.get("data", data) != data:
        raise ValueError(f"data must be {data!r}, got {position['data']!r}")
    batch = Batch(1, game_options)
    batch.games[0] = empty_record(game_options.game_spec.fields)[0]
    batch.games[0].rules[:] = batch.rules
    return batch


def state_from_json(record: np.record, by_name: Any, fields: Mapping[str, Field]) -> None:
    """Write fields by name into a record. ValueError for an unknown field or invalid numbers."""
    for name, value in mapping_of(by_name, "state").items():
        if name not in fields:
            raise ValueError(f"unknown field {name!r}; expected one of: {', '.join(fields)}")
        field, numbers = fields[name], np.asarray(value)
        if numbers.shape != field.shape or numbers.dtype.kind not in "iu":
            raise ValueError(f"{name} must be integers of shape {field.shape}, got {value!r}")
        if (numbers < field.low).any() or (numbers > field.high).any():
            raise ValueError(f"{name} must be from {field.low} to {field.high}, got {value!r}")
        record[name] = numbers
