"""Data sets of games in Parquet, one row per decision. `vitienv data generate` creates them.

>>> data = vitienv.data.read("games")
>>> rows = data.arrays(["observation", "mask", "action"])
>>> rows["observation"].shape, data.card["agents"]

A directory contains the metadata, card.json, and parts. A part contains complete games; the decisions of a game are
consecutive rows.
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
from vitienv.trust import check_regular

if TYPE_CHECKING:
    import pyarrow as pa
    import torch
    from pyarrow import parquet

FORMAT, KIND, CARD = 2, "data set", "card.json"
MARK = b"vitienv"  # key of the id of the data set in a part's metadata


class Column(NamedTuple):
    """Column of a data set.

    kind: dtype. text: description. axis: "observation" or "actions" for one value per feature or action in each row,
    None for a single value. is_searched: whether only data sets with search bots have it.
    """

    name: str
    kind: str
    text: str
    axis: str | None = None
    is_searched: bool = False

    def width(self, game: GameSpec) -> int:
        """Return the number of values per row."""
        return 1 if self.axis is None else getattr(game, self.axis).n

    def bounds(self, game: GameSpec, card: Mapping[str, Any]) -> tuple[Any, Any] | None:
        """Return the bounds of the column in a data set, arrays for observations; None if it is unbounded."""
        bounds = {
            "observation": game.observation.bounds, "mask": (0, 1), "action": (0, game.actions.n - 1),
            "seat": (0, game.max_seats - 1), "game": (0, card["games"] - 1), "decision": (0, len(game.decisions) - 1),
            "agent": (0, len(card["agents"]) - 1), "truncated": (0, 1), "rank": (1, game.max_seats),
            "visits": (0, MAX_VISITS), "reward": (-MAX_REWARD, MAX_REWARD), "value": (-MAX_VALUE, MAX_VALUE),
        }  # fmt: skip
        return bounds.get(self.name)


MAX_VISITS, MAX_REWARD, MAX_VALUE = 2**31 - 1, 1e6, 1.0001  # values are rounded means
COLUMNS = (
    Column("observation", "<i2", "observation of the seat to act, `game_spec.observation`", axis="observation"),
    Column("mask", "<i1", "1 for each legal action", axis="actions"),
    Column("action", "<i2", "index of the action taken, `game_spec.actions`"),
    Column("seat", "<i1", "the seat that acted"),
    Column("game", "<i4", "index of the game, from 0"),
    Column("decision", "<i1", "index of the decision, `game_spec.decisions`"),
    Column("agent", "<i1", "index of the bot in the card's `agents`"),
    Column("reward", "<f4", "final reward of the seat, by the option `reward`; 0 in a truncated game"),
    Column("points", "<i2", "final points of the seat"),
    Column("rank", "<i1", "final rank of the seat, 1 is first, ties share a rank"),
    Column("truncated", "<i1", "1 if the game was truncated"),
    Column("visits", "<i4", "visits of each action in the bot's search; zeros if it did not search",
           axis="actions", is_searched=True),
    Column("value", "<f4", "value of the action in the search, -1 to 1; NaN without a search", is_searched=True),
)  # fmt: skip


def part_file(number: int) -> str:
    """Return the file name of a part."""
    return f"part-{number:06}.parquet"


def read(folder: Path | str) -> DataSet:
    """Open a data set; only its metadata are read.

    ValueError if it does not exist, is not finished, or its layout contains unknown names.
    """
    folder = Path(folder)
    return DataSet(folder, checked_card(folder))


class DataSet:
    """Decisions of finished games. Created by `read`.

    card: metadata. game_spec: the game. columns: column names. parts: number of rows of each part.
    """

    def __init__(self, folder: Path, card: dict[str, Any]) -> None:
        path = repr(str(folder / CARD))
        if not isinstance(card.get("parts"), list):
            raise ValueError(f"data set {str(folder)!r} is not finished; rerun `vitienv data generate`")
        if not all(is_int(rows) and rows >= 0 for rows in card["parts"]):
            raise ValueError(f"{path} is damaged: parts must be numbers of rows, got {card['parts']!r}")
        self.folder, self.card, self.parts = folder, card, card["parts"]
        self.game_spec = game_spec(game_from_untrusted_file(card))
        self._columns = {
            column.name: column for column in COLUMNS if card.get("searched") is True or not column.is_searched
        }
        self.columns = list(self._columns)
        try:
            check_layout(card["layout"], self.game_spec)
        except ValueError as error:
            raise ValueError(f"{path} does not fit: {error}") from None

    def __len__(self) -> int:
        return sum(self.parts)

    def arrays(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> dict[str, np.ndarray | None]:
        """Return the rows as new arrays by column, (rows,) or (rows, values per row).

        columns: names, by default all; `visits` and `value` are None without search bots. parts: indices of parts, by
        default all. ValueError for an unknown column or part, and a file that is missing, damaged or of another set.
        """
        names, part_numbers = self._check_selection(columns, parts)
        for part in part_numbers:  # check all files before memory is allocated
            with self._open_part(part):
                pass
        arrays = self._allocate(names, sum(self.parts[part] for part in part_numbers))
        offset = 0
        for table in self._tables(names, part_numbers):
            self._fill(arrays, offset, table)
            offset += table.num_rows
        return arrays

    def batches(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> Iterator[dict[str, np.ndarray | None]]:
        """Yield the rows of `arrays` in order, some thousands at a time, for data sets larger than memory."""
        names, part_numbers = self._check_selection(columns, parts)
        for table in self._tables(names, part_numbers):
            arrays = self._allocate(names, table.num_rows)
            self._fill(arrays, 0, table)
            yield arrays

    def tensors(
        self, columns: Sequence[str] | None = None, parts: Iterable[int] | None = None
    ) -> dict[str, torch.Tensor | None]:
        """Return the rows of `arrays` as torch tensors."""
        import torch

        arrays = self.arrays(columns, parts)
        return {name: None if array is None else torch.from_numpy(array) for name, array in arrays.items()}

    def _check_selection(
        self, columns: Sequence[str] | None, parts: Iterable[int] | None
    ) -> tuple[list[str], list[int]]:
        column_names = [column.name for column in COLUMNS]
        names = column_names if columns is None else list(columns)
        unknown = [name for name in names if name not in column_names]
        if unknown:
            hint = did_you_mean(unknown[0], column_names)
            raise ValueError(f"unknown column {unknown[0]!r}{hint}; expected one of: {listed(column_names)}")
        part_numbers = list(range(len(self.parts)) if parts is None else parts)
        invalid = [part for part in part_numbers if not is_int(part) or not 0 <= part < len(self.parts)]
        if invalid:
            raise ValueError(f"part must be an integer from 0 to {len(self.parts) - 1}, got {invalid[0]!r}")
        return names, part_numbers

    def _allocate(self, names: list[str], rows: int) -> dict[str, np.ndarray | None]:
        arrays: dict[str, np.ndarray | None] = dict.fromkeys(names)
        for name in self._columns.keys() & names:
            column = self._columns[name]
            shape = (rows, column.width(self.game_spec)) if column.axis else (rows,)
            arrays[name] = np.empty(shape, np.dtype(column.kind).newbyteorder("="))
        return arrays

    def _tables(self, names: list[str], parts: list[int]) -> Iterator[pa.Table]:
        available = [name for name in names if name in self._columns]
        for part in parts:
            with self._open_part(part) as file:
                for group in range(file.num_row_groups):
                    yield self._checked_rows(file.read_row_group(group, columns=available), part)

    @contextmanager
    def _open_part(self, part: int) -> Iterator[parquet.ParquetFile]:
        import pyarrow as pa
        from pyarrow import parquet

        path = self.folder / part_file(part)
        try:
            check_regular(path)
            with parquet.ParquetFile(path, page_checksum_verification=True) as file:
                self._check(file, part, path)
                yield file
        except FileNotFoundError:
            raise ValueError(f"file {str(path)!r} does not exist") from None
        except (OSError, pa.ArrowException) as error:
            raise ValueError(f"{str(path)!r} is damaged: {str(error).splitlines()[0]}") from None

    def _check(self, file: parquet.ParquetFile, part: int, path: Path) -> None:
        if (file.schema_arrow.metadata or {}).get(MARK) != self.card["mark"].encode():
            raise ValueError(f"{str(path)!r} does not match the metadata of the data set")
        if file.schema_arrow.names != self.columns or file.metadata.num_rows != self.parts[part]:
            raise ValueError(f"{str(path)!r} is damaged: its rows or columns do not match the metadata")

    def _checked_rows(self, table: pa.Table, part: int) -> pa.Table:
        try:
            check_table(table, self.game_spec, self.card)
        except ValueError as error:
            raise ValueError(f"{str(self.folder / part_file(part))!r} is damaged: {error}") from None
        return table

    def _fill(self, arrays: dict[str, np.ndarray | None], offset: int, table: pa.Table) -> None:
        for name, out in arrays.items():
            if out is None:
                continue
            low, column = offset, self._columns[name]
            for chunk in table[name].chunks:
                out[low : low + len(chunk)] = numbers_in(chunk, column)
                low += len(chunk)

    def __repr__(self) -> str:
        return f"<DataSet of {len(self):,} decisions in {self.card['games']:,} games of {self.game_spec.name}>"


def as_lists(values: np.ndarray, column: Column) -> pa.Array:
    """Return values as an Arrow column; a wide one has fixed-size lists, for other programs."""
    import pyarrow as pa

    values = np.ascontiguousarray(values, np.dtype(column.kind))
    if not column.axis:
        return pa.array(values.ravel())
    numbers = pa.array(values.ravel())
    kind = pa.list_(pa.field("element", numbers.type, nullable=False), values.shape[1])
    return pa.FixedSizeListArray.from_arrays(numbers, type=kind)


def as_bytes(values: np.ndarray, column: Column) -> pa.Array:
    """Return values as an Arrow column; a wide one has fixed-size bytes, which are fastest to read."""
    import pyarrow as pa

    values = np.ascontiguousarray(values, np.dtype(column.kind))
    if not column.axis:
        return pa.array(values.ravel())
    width = pa.binary(values.shape[1] * values.itemsize)
    return pa.Array.from_buffers(width, len(values), [None, pa.py_buffer(values)])


def numbers_in(chunk: pa.Array, column: Column) -> np.ndarray:
    """Return the values of a chunk, (rows,) or (rows, values per row)."""
    if not column.axis:
        return chunk.to_numpy(zero_copy_only=False)
    kind = np.dtype(column.kind)
    if hasattr(chunk, "flatten"):
        return chunk.flatten().to_numpy(zero_copy_only=False).reshape(len(chunk), chunk.type.list_size)
    width = chunk.type.byte_width // kind.itemsize
    rows = np.frombuffer(chunk.buffers()[1], kind).reshape(-1, width)
    return rows[chunk.offset : chunk.offset + len(chunk)]


def check_table(table: pa.Table, game: GameSpec, card: Mapping[str, Any]) -> None:
    """Raise ValueError if a table has missing, mistyped or out-of-bounds values. card: its `games` and `agents`."""
    columns = {column.name: column for column in COLUMNS}
    for name in table.column_names:
        column, bounds = columns[name], columns[name].bounds(game, card)
        width = column.width(game)
        if table[name].null_count:
            raise ValueError(f"its {name} is missing in {table[name].null_count} rows")
        kind = np.dtype(column.kind)
        expected = as_lists(np.empty((0, width), kind), column).type
        if table[name].type != expected:
            raise ValueError(f"its {name} must be {expected}, got {table[name].type}")
        for chunk in table[name].chunks:
            rows = numbers_in(chunk, column)
            rows = rows[~np.isnan(rows)] if name == "value" else rows
            if bounds is not None and len(rows):
                _check_bounds(rows, name, *bounds)


def _check_bounds(rows: np.ndarray, name: str, low: Any, high: Any) -> None:
    if (rows.min(axis=0) >= low).all() and (rows.max(axis=0) <= high).all():
        return
    index = tuple(np.argwhere(~((rows >= low) & (rows <= high)))[0])
    min_value, max_value = (np.broadcast_to(bound, rows.shape[1:])[index[1:]] for bound in (low, high))
    position = f" at index {index[1]}" if len(index) > 1 else ""
    raise ValueError(f"its {name}{position} must be from {min_value} to {max_value}, got {rows[index]}")


def checked_card(folder: Path) -> dict[str, Any]:
    """Return the metadata of a data set, finished or not. ValueError if they do not exist or are damaged."""
    card = read_json(folder / CARD)
    if not isinstance(card, dict) or card.get("kind") != KIND:
        raise ValueError(f"{str(folder)!r} is not a data set")
    if card.get("format") != FORMAT:
        raise ValueError(f"format of {str(folder)!r} must be {FORMAT}, got {card.get('format')!r}")
    types = {
        "agents": list, "games": int, "options": dict, "versions": dict, "layout": dict, "game": str, "mark": str,
        "seed": int,
    }  # fmt: skip
    invalid = [name for name, kind in types.items() if not isinstance(card.get(name), kind)]
    if not invalid and not all(isinstance(agent, str) for agent in card["agents"]):
        invalid = ["agents"]
    if invalid:
        raise ValueError(f"{str(folder / CARD)!r} is damaged: {invalid[0]!r} is missing or invalid")
    return card
