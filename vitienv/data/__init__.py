"""Data sets of games: one row a decision, in Parquet, read as arrays without playing. `vitienv data generate` makes
them.

>>> data = vitienv.data.read("games")
>>> rows = data.arrays(["observation", "mask", "action"])
>>> rows["observation"].shape, data.card["agents"]

A folder holds card.json, which says how the rows were made, and parts. A part has whole games, and the decisions of a
game stand together in their order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from vitienv.agents.weights import check_layout
from vitienv.core.files import read_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.options import did_you_mean, is_int, listed
from vitienv.registry import game_from_untrusted_file, game_spec

if TYPE_CHECKING:
    import pyarrow as pa
    import torch
    from pyarrow import parquet

FORMAT, KIND, CARD = 2, "data set", "card.json"
MARK = b"vitienv"  # the entry of a part's metadata that holds the mark of its set


class Column(NamedTuple):
    """A column. kind: of its numbers, as NumPy writes it. text: what it is. wide: as many numbers in each row as there
    are observed numbers ("observation") or actions ("actions"), else one. searched: of bots that search alone."""

    name: str
    kind: str
    text: str
    wide: str | None = None
    searched: bool = False

    def width(self, game: GameSpec) -> int:
        """How many numbers stand in each row."""
        return 1 if self.wide is None else getattr(game, self.wide).n

    def bounds(self, game: GameSpec, card: Mapping[str, Any]) -> tuple[Any, Any] | None:
        """The least and the greatest number of the column in a set, of each place for observations; None for any."""
        numbers = {
            "mask": 2, "action": game.actions.n, "seat": game.max_seats, "game": card["games"],
            "decision": len(game.decisions), "agent": len(card["agents"]), "truncated": 2,
        }  # fmt: skip
        if self.name in numbers:
            return 0, numbers[self.name] - 1
        others = {
            "observation": game.observation.bounds, "rank": (1, game.max_seats), "visits": (0, MOST_VISITS),
            "reward": (-MOST_REWARD, MOST_REWARD), "value": (-MOST_VALUE, MOST_VALUE),
        }  # fmt: skip
        return others.get(self.name)


MOST_VISITS, MOST_REWARD, MOST_VALUE = 2**31 - 1, 1e6, 1.0001  # a value is a mean, and rounded
COLUMNS = (
    Column("observation", "<i2", "what the seat to act sees, `game_spec.observation`", wide="observation"),
    Column("mask", "<i1", "1 for each legal action", wide="actions"),
    Column("action", "<i2", "the number of the action that was taken, `game_spec.actions`"),
    Column("seat", "<i1", "the seat that acted"),
    Column("game", "<i4", "the number of the game, from 0"),
    Column("decision", "<i1", "the number of what was asked, `game_spec.decisions`"),
    Column("agent", "<i1", "the bot, a place in the card's `agents`"),
    Column("reward", "<f4", "what the seat gets at the end, by the option `reward`; 0 in a game that was cut off"),
    Column("points", "<i2", "the seat's points at the end"),
    Column("rank", "<i1", "the seat's rank at the end, 1 is first, ties share one"),
    Column("truncated", "<i1", "1 if the game was cut off"),
    Column("visits", "<i4", "visits of each action in the bot's search; zeros where it did not search",
           wide="actions", searched=True),
    Column("value", "<f4", "what the search took the action for, -1 to 1; NaN where it did not search", searched=True),
)  # fmt: skip


def columns_table() -> str:
    """The columns, in Markdown."""
    rows = ["| column | numbers in a row | type | what |", "| --- | --- | --- | --- |"]
    for column in COLUMNS:
        many = f"`game_spec.{column.wide}.n`" if column.wide else "1"
        rows.append(f"| `{column.name}` | {many} | `{np.dtype(column.kind).name}` | {column.text} |")
    return "\n".join(rows)


def part_file(number: int) -> str:
    """The name of a part's file."""
    return f"part-{number:06}.parquet"


def read(folder: Path | str) -> DataSet:
    """A data set. Nothing but its card is read yet.

    ValueError, in one line, if there is none, if it is not finished, or if its layout has names that went away.
    """
    folder = Path(folder)
    return DataSet(folder, checked_card(folder))


class DataSet:
    """Decisions of finished games. Made by `read`.

    card: how they were made. definition: of the game. columns: their names. parts: the rows of each part.
    """

    def __init__(self, folder: Path, card: dict[str, Any]) -> None:
        where = repr(str(folder / CARD))
        if not isinstance(card.get("parts"), list):
            raise ValueError(f"the data set {str(folder)!r} is not finished: give its `vitienv data generate` again")
        if not all(is_int(rows) and rows >= 0 for rows in card["parts"]):
            raise ValueError(f"{where} is damaged: parts is {card['parts']!r}; it must be numbers of rows")
        self.folder, self.card, self.parts = folder, card, card["parts"]
        self.game_spec = game_spec(game_from_untrusted_file(card))
        self._columns = {
            column.name: column for column in COLUMNS if card.get("searched") is True or not column.searched
        }
        self.columns = list(self._columns)
        try:
            check_layout(card["layout"], self.game_spec)
        except ValueError as error:
            raise ValueError(f"{where} does not fit: {error}") from None

    def __len__(self) -> int:
        return sum(self.parts)

    def arrays(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> dict[str, np.ndarray | None]:
        """The rows as new arrays, by column: (rows,), or (rows, numbers) where there are several in a row.

        columns: by default all; `visits` and `value` are None in a set without bots that search. parts: numbers of
        parts, by default all. ValueError for an unknown column or part,
        and for a file that is missing, damaged, or of another set.
        """
        names, chosen = self._checked(columns, parts)
        for part in chosen:  # before room is made for as many rows as a damaged card says
            with self._opened(part):
                pass
        arrays = self._room(names, sum(self.parts[part] for part in chosen))
        at = 0
        for table in self._tables(names, chosen):
            self._fill(arrays, at, table)
            at += table.num_rows
        return arrays

    def batches(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> Iterator[dict[str, np.ndarray | None]]:
        """As `arrays`, in order and some thousands of rows at a time, for sets that are larger than the memory."""
        names, chosen = self._checked(columns, parts)
        for table in self._tables(names, chosen):
            found = self._room(names, table.num_rows)
            self._fill(found, 0, table)
            yield found

    def tensors(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> dict[str, torch.Tensor | None]:
        """As `arrays`, but torch tensors."""
        import torch

        arrays = self.arrays(columns, parts)
        return {name: None if array is None else torch.from_numpy(array) for name, array in arrays.items()}

    def _checked(self, columns: Sequence[str] | None, parts: Iterable[int] | None) -> tuple[list[str], list[int]]:
        known = [column.name for column in COLUMNS]
        names = known if columns is None else list(columns)
        unknown = [name for name in names if name not in known]
        if unknown:
            hint = did_you_mean(unknown[0], known)
            raise ValueError(f"a data set has no column {unknown[0]!r}{hint}; there is {listed(known)}")
        chosen = list(range(len(self.parts)) if parts is None else parts)
        wrong = [part for part in chosen if not is_int(part) or not 0 <= part < len(self.parts)]
        if wrong:
            raise ValueError(f"no part is {wrong[0]!r}; they go from 0 to {len(self.parts) - 1}")
        return names, chosen

    def _room(self, names: list[str], rows: int) -> dict[str, np.ndarray | None]:
        """Empty arrays for so many rows; None for a column that this set does not have."""
        return {name: self._empty(self._columns[name], rows) if name in self._columns else None for name in names}

    def _empty(self, column: Column, rows: int) -> np.ndarray:
        shape = (rows, column.width(self.game_spec)) if column.wide else (rows,)
        return np.empty(shape, np.dtype(column.kind).newbyteorder("="))

    def _tables(self, names: list[str], parts: list[int]) -> Iterator[pa.Table]:
        """The rows of parts, some thousands at once, whose memory is used again for the next ones."""
        there = [name for name in names if name in self._columns]
        for part in parts:
            with self._opened(part) as file:
                for group in range(file.num_row_groups):
                    yield self._checked_rows(file.read_row_group(group, columns=there), part)

    @contextmanager
    def _opened(self, part: int) -> Iterator[parquet.ParquetFile]:
        """The file of a part. ValueError, which names the file, if it is missing, damaged, or no part of this set."""
        import pyarrow as pa
        from pyarrow import parquet

        path = self.folder / part_file(part)
        try:
            with parquet.ParquetFile(path, page_checksum_verification=True) as file:
                self._check(file, part, path)
                yield file
        except FileNotFoundError:
            raise ValueError(f"there is no file {str(path)!r}") from None
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{str(path)!r} is damaged: {str(error).splitlines()[0]}") from None

    def _check(self, file: parquet.ParquetFile, part: int, path: Path) -> None:
        """ValueError unless a file is this part of this set."""
        if (file.schema_arrow.metadata or {}).get(MARK) != self.card["mark"].encode():
            raise ValueError(f"{str(path)!r} belongs to another data set than its card")
        if file.schema_arrow.names != self.columns or file.metadata.num_rows != self.parts[part]:
            raise ValueError(f"{str(path)!r} is damaged: its rows or columns are not those of the card")

    def _checked_rows(self, table: pa.Table, part: int) -> pa.Table:
        """ValueError, which names the file, for numbers that cannot be."""
        try:
            check_table(table, self.game_spec, self.card)
        except ValueError as error:
            raise ValueError(f"{str(self.folder / part_file(part))!r} is damaged: {error}") from None
        return table

    def _fill(self, found: dict[str, np.ndarray | None], at: int, table: pa.Table) -> None:
        for name, out in found.items():
            if out is None:
                continue
            low, column = at, self._columns[name]
            for chunk in table[name].chunks:
                out[low : low + len(chunk)] = numbers_in(chunk, column)
                low += len(chunk)

    def __repr__(self) -> str:
        return f"<DataSet of {len(self):,} decisions in {self.card['games']:,} games of {self.game_spec.name}>"


def as_lists(values: np.ndarray, column: Column) -> pa.Array:
    """A column of a data set; a wide one is a list of one length in each row, as other programs read it."""
    import pyarrow as pa

    values = np.ascontiguousarray(values, np.dtype(column.kind))
    if not column.wide:
        return pa.array(values.ravel())
    numbers = pa.array(values.ravel())
    kind = pa.list_(pa.field("element", numbers.type, nullable=False), values.shape[1])
    return pa.FixedSizeListArray.from_arrays(numbers, type=kind)


def as_bytes(values: np.ndarray, column: Column) -> pa.Array:
    """A column of a data set; a wide one is bytes of one length in each row, which our programs read fastest."""
    import pyarrow as pa

    values = np.ascontiguousarray(values, np.dtype(column.kind))
    if not column.wide:
        return pa.array(values.ravel())
    width = pa.binary(values.shape[1] * values.itemsize)
    return pa.Array.from_buffers(width, len(values), [None, pa.py_buffer(values)])


def numbers_in(chunk: pa.Array, column: Column) -> np.ndarray:
    """What a piece of a column holds, (rows,) or (rows, numbers)."""
    if not column.wide:
        return chunk.to_numpy(zero_copy_only=False)
    kind = np.dtype(column.kind)
    if hasattr(chunk, "flatten"):
        return chunk.flatten().to_numpy(zero_copy_only=False).reshape(len(chunk), chunk.type.list_size)
    width = chunk.type.byte_width // kind.itemsize
    every = np.frombuffer(chunk.buffers()[1], kind).reshape(-1, width)
    return every[chunk.offset : chunk.offset + len(chunk)]


def check_table(table: pa.Table, game: GameSpec, card: Mapping[str, Any]) -> None:
    """ValueError names the first number of a data set that cannot be. card: with its games and agents."""
    columns = {column.name: column for column in COLUMNS}
    for name in table.column_names:
        column, bounds = columns[name], columns[name].bounds(game, card)
        width = column.width(game)
        if table[name].null_count:
            raise ValueError(f"its {name} is missing in {table[name].null_count} rows")
        kind = np.dtype(column.kind)
        expected = as_lists(np.empty((0, width), kind), column).type
        if table[name].type != expected:
            raise ValueError(f"its {name} is {table[name].type}; it must be {expected}")
        for chunk in table[name].chunks:
            rows = numbers_in(chunk, column)
            rows = rows[~np.isnan(rows)] if name == "value" else rows
            if bounds is not None and len(rows):
                _check_bounds(rows, name, *bounds)


def _check_bounds(rows: np.ndarray, name: str, low: Any, high: Any) -> None:
    if (rows.min(axis=0) >= low).all() and (rows.max(axis=0) <= high).all():
        return
    wrong = tuple(np.argwhere(~((rows >= low) & (rows <= high)))[0])
    least, most = (np.broadcast_to(bound, rows.shape[1:])[wrong[1:]] for bound in (low, high))
    where = f" in place {wrong[1]}" if len(wrong) > 1 else ""
    raise ValueError(f"its {name}{where} is {rows[wrong]}; it must be from {least} to {most}")


def checked_card(folder: Path) -> dict[str, Any]:
    """The card of a data set, finished or not. ValueError, in one line, if there is none."""
    card = read_json(folder / CARD)
    if not isinstance(card, dict) or card.get("kind") != KIND:
        raise ValueError(f"{str(folder)!r} holds no data set")
    if card.get("format") != FORMAT:
        raise ValueError(f"{str(folder)!r} is of format {card.get('format')!r}; this version reads {FORMAT}")
    right = {"agents": list, "games": int, "options": dict, "versions": dict, "layout": dict, "game": str, "mark": str}
    right |= {"seed": int}
    wrong = [name for name, kind in right.items() if not isinstance(card.get(name), kind)]
    if not wrong and not all(isinstance(agent, str) for agent in card["agents"]):
        wrong = ["agents"]
    if wrong:
        raise ValueError(f"{str(folder / CARD)!r} is damaged: it has no right {wrong[0]!r}")
    return card
