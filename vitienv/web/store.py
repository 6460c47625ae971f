"""Store of tables: in memory, with a file for each, so that games survive a restart."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vitienv.core.files import read_json, write_json
from vitienv.session import saves
from vitienv.web.table import Table

IN_MEMORY = 64
MAX_TABLES = 1000
MAX_WAITING = 16  # requests at one table; each takes one of 40 threads
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits


def default_folder() -> Path:
    """Return the default directory: `tables` in the user's data directory."""
    return saves.folder() / "tables"


class NoTable(KeyError):
    """The id of a table is unknown."""


class _Place:
    """Entry of the cache. holders: number of requests that use the table or wait for it."""

    def __init__(self, table: Table | None = None) -> None:
        self.table, self.holders, self.lock = table, 0, threading.Lock()


class Store:
    """Tables by unguessable ids. folder: directory of their files. games: names of the games that may be loaded."""

    def __init__(self, folder: Path, games: Sequence[str]) -> None:
        self.folder, self.games = folder, games
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._lock = threading.Lock()  # guards _places; never held while a file is read or a bot searches

    def add(self, table: Table) -> str:
        """Save a new table and return its id; ValueError if there are too many or its file cannot be written."""
        if sum(1 for _ in self.folder.glob("*.json")) >= MAX_TABLES:
            raise ValueError(f"there are {MAX_TABLES} tables in {self.folder}; remove some")
        name = secrets.token_urlsafe(16)
        self._save(name, table)
        with self._lock:
            self._places[name] = _Place(table)
            self._forget_some()
        return name

    @contextmanager
    def lock(self, name: str) -> Iterator[Table]:
        """Lock a table for one request; load it from its file if necessary, and save it if it changed.

        Raises:
            NoTable: for an unknown id.
            ValueError: if the file is damaged or cannot be written, or too many requests wait. The table is unchanged
                after any error.
        """
        if not ID.fullmatch(name):
            raise NoTable(name)
        with self._lock:
            place = self._places.setdefault(name, _Place())
            if place.holders >= MAX_WAITING:
                raise ValueError("too many requests for this table; try again soon")
            place.holders += 1
            self._places.move_to_end(name)
        try:
            with place.lock:
                if place.table is None:
                    place.table = self._read(name)
                before = place.table.version
                try:
                    yield place.table
                    if place.table.version != before:
                        self._save(name, place.table)
                except BaseException:
                    if place.table.version != before:
                        place.table = None  # the file has the unchanged table
                    raise
        finally:
            with self._lock:
                place.holders -= 1
                if place.table is None and place.holders == 0:
                    del self._places[name]
                self._forget_some()

    def remove(self, name: str) -> None:
        """Delete a table and its file; NoTable if there is none."""
        with self.lock(name):
            (self.folder / f"{name}.json").unlink(missing_ok=True)
        with self._lock:
            self._places.pop(name, None)

    def search_progress(self, name: str) -> str:
        """Return the progress of the bot that searches at a table, "" if none does; does not wait for the table."""
        place = self._places.get(name)
        table = None if place is None else place.table
        return "" if table is None else table.search_progress.describe()

    def _read(self, name: str) -> Table:
        file = self.folder / f"{name}.json"
        if not file.is_file():
            raise NoTable(name)
        try:
            return Table.from_dict(self.games, read_json(file))
        except ValueError as error:
            raise ValueError(f"the file of this table cannot be used: {error}") from None

    def _save(self, name: str, table: Table) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_json(self.folder / f"{name}.json", table.to_dict())
        except OSError as error:
            raise ValueError(f"the game cannot be saved in {self.folder}: {error.strerror or error}") from None

    def _forget_some(self) -> None:
        """Drop the least recently used tables from memory, except locked ones."""
        free = [name for name, place in self._places.items() if place.holders == 0]
        for name in free[: max(0, len(self._places) - IN_MEMORY)]:
            del self._places[name]
