"""Positions as plain JSON: one list of keys for each game, with state fields, bounds, start values and meanings.

Reader, writer, the view of a seat and the documentation are derived from that list; `check_state` rejects impossible
states. A game without a list uses its field names. The `positions` module of a game has these functions, and:

    table(options): its list, a `Table`.
    finish(state, position, options): compute the remaining fields of a position that is read.
    contradictions(state, options): yield reasons why a state is impossible.
    NAMED: options that are keys of a position. IDLE: actions that are never the only legal one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import Batch
from vitienv.core.checks import mapping_of
from vitienv.core.fields import Field, Visibility, empty_record
from vitienv.core.kernel import Status
from vitienv.core.positions.pending import Frames, frame_faults
from vitienv.core.positions.schema import TO_ACT, Faults, Key, Table

if TYPE_CHECKING:
    from vitienv.core.options import Options

NAMED = ("ruleset", "num_players")  # options that are keys of every position
ROOT = ("options", "data", "state")
NULLABLE = ("pending", "to_act", "turn_order")  # None is the same as missing
STATUS = ("playing", "over", "truncated")  # words of `Status`


class View(dict[str, Any]):
    """Fields of a record by name and as attributes; several times faster than the record."""

    def __init__(self, record: np.record) -> None:
        super().__init__((name, record[name]) for name in record.dtype.names or ())

    __getattr__ = dict.__getitem__


def table_of(options: Options) -> Table:
    """Return the keys of a game, or only its pending decisions if it has no list."""
    module = import_module(options.game_spec.positions)
    if hasattr(module, "table"):
        return module.table(options)  # type: ignore[no-any-return]
    return Table(options.game_spec.fields, [Key("pending", "frames depth", Frames(options.game_spec.operations))])


def other_fields(options: Options, table: Table) -> dict[str, Field]:
    """Return the fields without a key, which are stored under "state"."""
    return {
        field.name: field
        for field in options.game_spec.fields
        if field.name not in table.fields and field.name != "rules"
    }


def names_of(options: type[Options] | Options) -> tuple[str, ...]:
    """Return the options that are keys of a position."""
    return getattr(import_module(import_module(options.home).GAME_SPEC.positions), "NAMED", NAMED)


def to_dict(game: Any, viewer: int | None = None) -> dict[str, Any]:
    """Return a position as plain JSON. viewer: seat whose hidden information is omitted; None for all fields."""
    game_spec, options, state = game.game_spec, game.options.to_dict(), View(game.state)
    root = {name: options.pop(name) for name in names_of(game.options)}
    position = {**root, "options": options, **({"data": game_spec.data} if game_spec.data else {})}
    table, is_open = table_of(game.options), game.options.open_hands
    position |= table.dump(state, None, viewer, is_open)
    empty = empty_record(game_spec.fields)[0]
    others: dict[str, Any] = {}
    for name, field in other_fields(game.options, table).items():
        value = np.array(state[name])
        if viewer is not None and field.sees is not Visibility.PUBLIC:
            if field.sees is not Visibility.PRIVATE:
                continue
            hidden = [seat for seat in range(len(value)) if seat != viewer and not is_open]
            value[hidden] = empty[name][hidden]
        if not np.array_equal(value, empty[name]):
            others[name] = value.tolist()
    return position | ({"state": others} if others else {})


def view(game: Any, viewer: int) -> dict[str, Any]:
    """Return the information of a seat, by the visibility of the fields."""
    return to_dict(game, viewer)


def from_dict(position: Any, game_spec: Any) -> Batch:
    """Return the game of a position, a batch of one. ValueError for a contradiction or an unknown key."""
    module = import_module(game_spec.positions)
    names = names_of(game_spec.options)
    batch = new_batch(mapping_of(position, "the position"), game_spec.options, names)
    record, table = batch.games[0], table_of(batch.options)
    state_from_json(record, position.get("state", {}), other_fields(batch.options, table))
    keys = {key: value for key, value in position.items()
            if key not in (*names, *ROOT) and not (value is None and key in NULLABLE)}  # fmt: skip
    table.load(record, keys, "the position", also=(*names, *ROOT))
    if hasattr(module, "finish"):
        module.finish(record, keys, batch.options)
    check_state(record, batch.options)
    seat = TO_ACT.codec.dump(record, TO_ACT, None)
    if keys.get("to_act", seat) != seat:
        raise ValueError(f"to_act must be {seat!r}, got {keys['to_act']!r}")
    batch.refresh(observe=False)
    legal = np.flatnonzero(batch.masks[0])
    if record.status == Status.PLAYING and legal.tolist() in (
        [],
        *([action] for action in getattr(module, "IDLE", ())),
    ):
        raise ValueError("in this position the seat to act can do nothing; its pending decision contradicts the rest")
    return batch


def check_state(state: np.record, options: Options) -> None:
    """ValueError names a contradiction in a state that no game could be in. options: of the game."""
    fault = next(faults(state, options), None)
    if fault is not None:
        raise ValueError(fault)


def faults(record: np.record, options: Options) -> Faults:
    """Yield the contradictions of a state; those after the first one may follow from it."""
    game_spec, state = options.game_spec, View(record)
    for field in game_spec.fields:
        value = np.asarray(state[field.name])
        if (outliers := (value < field.low) | (value > field.high)).any():
            yield f"{field.name} must be from {field.low} to {field.high}, got {value[outliers].tolist()}"
    yield from table_of(options).faults(state)
    module = import_module(game_spec.positions)
    yield from (module.contradictions if hasattr(module, "contradictions") else frame_faults)(state, options)


def new_batch(position: Mapping[str, Any], kind: type[Options], names: Collection[str] = NAMED) -> Batch:
    """Return a batch of one game with the options of a position and an empty record.

    kind: class of options of the game. names: options that are keys of the position. ValueError for invalid or
    contradictory options, or other data.
    """
    options, root = mapping_of(position.get("options", {}), "options"), [name for name in names if name in position]
    for name in root:
        if name in options and options[name] != position[name]:
            raise ValueError(f"{name} must be as in options, {options[name]!r}, got {position[name]!r}")
    try:
        game_options = kind.of(**{name: position[name] for name in root} | options)
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


def render(game: Any, viewer: int | None = None) -> str:
    """Return the fields of a game as text; private fields only of the viewer, or of all seats if it is None."""
    clock = game.game_spec.clock
    state = "over" if game.is_over else f"seat {game.current_seat} decides: {game.decision}"
    lines = [f"{clock.word.capitalize()} {game.round}. {state.capitalize()}.", f"points {game.scores}"]
    for field in game.game_spec.fields:
        value = game.state[field.name]
        if field.sees is Visibility.PUBLIC and field.name != "rules":
            lines.append(f"{field.name} {np.asarray(value).tolist()}")
        elif field.sees is Visibility.PRIVATE:
            seats = range(game.num_players)
            hands = {seat: value[seat].tolist() for seat in seats if viewer in (None, seat) or game.options.open_hands}
            lines.append(f"{field.name} {hands}")
    return "\n".join(lines)
