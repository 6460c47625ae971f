"""The tables of a server: in memory, and each in a file, so that a game goes on after a restart."""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from pathlib import Path

from vitienv import kept
from vitienv.core.files import read_json, write_json
from vitienv.web.table import Table, TableError

IN_MEMORY = 64
MOST_TABLES = 1000
ID = re.compile(r"[A-Za-z0-9_-]{22}")  # 128 bits


def usual_folder() -> Path:
    """Where tables are kept: in `tables` in the user's data folder."""
    return kept.folder() / "tables"


class NoTable(KeyError):
    """No table is kept under an id."""


class Store:
    """Tables by ids that cannot be guessed. folder: where their files lie."""

    def __init__(self, folder: Path, game: str) -> None:
        self.folder, self.game = folder, game
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, table: Table) -> str:
        """Keep a new table; returns its id. TableError if there are too many."""
        with self._lock:
            if sum(1 for _ in self.folder.glob("*.json")) >= MOST_TABLES:
                raise TableError(f"there are {MOST_TABLES} tables in {self.folder}; remove some")
        name = secrets.token_urlsafe(16)
        self.save(name, table)
        with self._lock:
            self._remember(name, table)
        return name

    def get(self, name: str) -> Table:
        """The table of an id, read from its file if need be. NoTable if there is none."""
        if not ID.fullmatch(name):
            raise NoTable(name)
        with self._lock:
            if name not in self._tables:
                file = self.folder / f"{name}.json"
                if not file.is_file():
                    raise NoTable(name)
                kept = read_json(file)
                if not isinstance(kept, dict) or kept.keys() - {"campaign"} != {"seats", "log"}:
                    raise NoTable(name)  # damaged
                self._remember(name, Table.kept(self.game, kept))
            self._tables.move_to_end(name)
            return self._tables[name]

    def save(self, name: str, table: Table) -> None:
        """Write a table's file, atomically. TableError if that fails."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_json(self.folder / f"{name}.json", table.to_dict())
        except OSError as error:
            raise TableError(f"the game cannot be kept in {self.folder}: {error.strerror or error}") from None

    def _remember(self, name: str, table: Table) -> None:
        self._tables[name] = table
        while len(self._tables) > IN_MEMORY:
            self._tables.popitem(last=False)
