"""Positions and words that work for every game: all fields by name. A game may have better ones of its own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.batch import Batch
from vitienv.core.checks import mapping_of, only_keys, whole_numbers
from vitienv.core.fields import Field, Sees, empty_record
from vitienv.core.frames import FRAME_WIDTH, Frame
from vitienv.core.kernel import Status
from vitienv.core.operations import Operations

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.core.options import Options

NAMED = ("ruleset", "num_players")  # options that are keys of every position
LEFT_OUT = ("rules", "frames", "depth")  # told in other words
KEYS = (*NAMED, "options", "data", "state", "pending")
STATUS = ("playing", "over", "truncated")  # words of `Status`


def to_dict(game: Any) -> dict[str, Any]:
    """A position as plain JSON: the options, the fields of the record that are not empty, and the pending frames."""
    made: Definition = game.definition
    options = game.options.to_dict()
    return {
        "ruleset": options.pop("ruleset"),
        "num_players": options.pop("num_players"),
        "options": options,
        **({"data": made.data} if made.data else {}),
        "state": state_to_json(game.record, made.fields, LEFT_OUT),
        "pending": frames_to_json(game.record, made.operations),
    }


def told(game: Any, viewer: int) -> dict[str, Any]:
    """A position as a seat may know it: fields that everybody sees, and the viewer's own of those that owners see; of
    other seats they stand at their empty values, unless hands are open."""
    made: Definition = game.definition
    known = {own.name: own.sees for own in made.fields}
    position = to_dict(game)
    state = {name: value for name, value in position["state"].items() if known[name] is Sees.ALL}
    empty = empty_record(made.fields)[0]
    for name, sees in known.items():
        if sees is Sees.OWNER:
            rows = [seat for seat in range(len(empty[name])) if seat == viewer or game.options.open_hands]
            state[name] = np.asarray(empty[name]).tolist()
            for seat in rows:
                state[name][seat] = np.asarray(game.record[name][seat]).tolist()
    return {key: value for key, value in position.items() if key != "pending"} | {"state": state}


def from_dict(position: Mapping[str, Any], made: Definition) -> Batch:
    """The game of a position, as a batch of one. ValueError says what contradicts itself or is unknown."""
    only_keys(position, KEYS, "the position")
    batch = begun(position, made.options)
    record = batch.games[0]
    state_from_json(record, position.get("state", {}), made.fields, LEFT_OUT)
    frames_from_json(record, position.get("pending", []), made.operations, batch.options.num_players)
    return refreshed(batch)


def begun(position: Mapping[str, Any], kind: type[Options], names: Collection[str] = NAMED) -> Batch:
    """A batch of one game with a position's options, in which nothing has happened yet.

    kind: the game's class of options. names: options that are keys of the position. ValueError for wrong options, for
    one that differs in both places, and for other data.
    """
    options, named = mapping_of(position.get("options", {}), "options"), [name for name in names if name in position]
    for name in named:
        if name in options and options[name] != position[name]:
            raise ValueError(f"{name} is {options[name]!r} in options and {position[name]!r} beside them")
    try:
        made = kind.of(**{name: position[name] for name in named} | options)
    except TypeError as error:
        raise ValueError(str(error)) from None
    data = made.definition.data
    if position.get("data", data) != data:
        raise ValueError(f"this position is of other data: of {position['data']!r}; here they are {data!r}")
    batch = Batch(1, made)
    batch.games[0] = empty_record(made.definition.fields)[0]
    batch.games[0].rules[:] = batch.rules
    return batch


def refreshed(batch: Batch) -> Batch:
    """The game with its masks. ValueError if nothing can be done in it."""
    batch.refresh(observe=False)
    if batch.games[0].status == Status.PLAYING and not batch.masks.any():
        raise ValueError("in this position the seat to act can do nothing; its pending decision contradicts the rest")
    return batch


def chance_to_json(r: Any) -> dict[str, list[int]]:
    """The chance key and how much of it is used."""
    return {"key": [int(word) for word in r.key], "used": [int(word) for word in r.chance]}


def chance_from_json(record: np.record, position: Mapping[str, Any]) -> None:
    """Put a position's chance into a record, if it has any."""
    if "chance" in position:
        chance = mapping_of(position["chance"], "chance")
        only_keys(chance, ("key", "used"), "chance")
        n = len(record.chance)
        record.key[:] = whole_numbers(chance.get("key", list(record.key)), 2, "chance key")
        record.chance[:] = whole_numbers(chance.get("used", [0] * n), n, "chance used")


def state_to_json(record: np.record, fields: Sequence[Field], told: Collection[str]) -> dict[str, Any]:
    """A record's fields by their names, but for empty ones and those that positions have in other words."""
    empty = empty_record(fields)[0]
    own = [field.name for field in fields if field.name not in told]
    return {name: np.asarray(record[name]).tolist() for name in own if not np.array_equal(record[name], empty[name])}


def state_from_json(record: np.record, given: Any, fields: Sequence[Field], told: Collection[str]) -> None:
    """Put such fields into a record. ValueError names an unknown one, or numbers that it cannot have."""
    known = {field.name: field for field in fields if field.name not in told}
    for name, value in mapping_of(given, "state").items():
        if name not in known:
            there = ", ".join(known) or "none that is not told in other words"
            raise ValueError(f"unknown field {name!r}; there is {there}")
        own, numbers = known[name], np.asarray(value)
        if numbers.shape != own.shape or numbers.dtype.kind not in "iu":
            raise ValueError(f"{name} must be whole numbers of shape {own.shape}, not {value!r}")
        if (numbers < own.low).any() or (numbers > own.high).any():
            raise ValueError(f"{name} is {value!r}; its numbers go from {own.low} to {own.high}")
        record[name] = numbers


def frames_to_json(record: np.record, operations: Operations) -> list[list[Any]]:
    """The pending frames from the bottom up; each begins with the word of its operation."""
    frames = [[int(x) for x in frame] for frame in record.frames[: int(record.depth)]]
    return [[operations.word(frame[Frame.OP]), *frame[1:]] for frame in frames]


def frames_from_json(record: np.record, frames: Any, operations: Operations, n: int, n_cards: int = 0) -> None:
    """Put pending frames into a record; each begins with the word of its operation.

    n: seats. n_cards: cards of the game. ValueError names a frame that is none, or a number that it cannot have.
    """
    most = len(record.frames)
    if not isinstance(frames, list) or len(frames) > most:
        given = f"{len(frames)} frames" if isinstance(frames, list) else repr(frames)
        raise ValueError(f"pending is {given}; it must be a list of at most {most} frames")
    for t, frame in enumerate(frames):
        if not isinstance(frame, list | tuple) or len(frame) != FRAME_WIDTH:
            raise ValueError(f"frame {t} is {frame!r}; it must be a list of {FRAME_WIDTH} entries")
        try:
            numbers = [operations.number(frame[0]), *frame[1:]]
        except ValueError as error:
            raise ValueError(f"frame {t}: {error}") from None
        for x in numbers[1:]:
            if isinstance(x, bool) or not isinstance(x, int | np.integer):
                raise ValueError(f"frame {t} is {frame!r}; after its operation it must hold whole numbers")
        if not -1 <= numbers[Frame.SEAT] < n:
            raise ValueError(f"frame {t} names the seat {frame[Frame.SEAT]!r}; it must be from -1, nobody, to {n - 1}")
        operations.check_frame(numbers, n, n_cards)
        record.frames[t] = numbers
    record.depth = len(frames)


def check_stack(record: np.record, lies_on: Mapping[int, Collection[int]], operations: Operations) -> None:
    """ValueError for pending frames in an order that the rules cannot produce, and for one that is pending twice.

    lies_on: by operation, those that may be directly below it; an empty collection is that of a bottom frame.
    """
    below: int | None = None
    pending = set()
    for frame in record.frames[: int(record.depth)]:
        op, seat = int(frame[Frame.OP]), int(frame[Frame.SEAT])
        word, allowed = operations.word(op), lies_on.get(op)
        if below is None and allowed != ():
            raise ValueError(f"{word} cannot be the first of the pending frames")
        if below is not None and below not in (allowed or ()):
            raise ValueError(f"{word} cannot lie on {operations.word(below)} among the pending frames")
        key = (op, seat, int(frame[Frame.CARD]), int(frame[Frame.A]))
        if key in pending:
            raise ValueError(f"{word} is pending twice for seat {seat}")
        pending.add(key)
        below = op


def render(game: Any, viewer: int | None = None) -> str:
    """The fields of a game as lines of text; hidden ones only for the seat that may see them, or for nobody in
    particular (None)."""
    clock = game.definition.clock
    state = "over" if game.is_over else f"seat {game.seat} decides: {game.decision}"
    lines = [f"{clock.word.capitalize()} {game.round}. {state.capitalize()}.", f"points {game.scores}"]
    for field in game.definition.fields:
        value = game.record[field.name]
        if field.sees is Sees.ALL and field.name != "rules":
            lines.append(f"{field.name} {np.asarray(value).tolist()}")
        elif field.sees is Sees.OWNER:
            seats = range(game.num_players)
            shown = {seat: value[seat].tolist() for seat in seats if viewer in (None, seat) or game.options.open_hands}
            lines.append(f"{field.name} {shown}")
    return "\n".join(lines)
