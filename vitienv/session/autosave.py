"""Automatic saving of a person's game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from vitienv.core.files import write_json

if TYPE_CHECKING:
    from vitienv.session.game_session import GameSession
    from vitienv.session.terminal import Terminal

RESUME_HINT = "The game is saved; resume: vitienv play --resume"


def check_new(file: Path, may_be: Path | None = None) -> None:
    """Raise ValueError if a file other than `may_be` already exists or its directory does not."""
    if not file.parent.is_dir():
        raise ValueError(f"directory {str(file.parent)!r} does not exist")
    if file.exists() and (may_be is None or not may_be.exists() or not file.samefile(may_be)):
        raise ValueError(f"{str(file)!r} already exists; choose a new file")


class Autosave:
    """Autosave of a session.

    file: path of the autosave. target: path that the person chose for the log, or None. loaded: source of the game,
    which may be overwritten.
    """

    def __init__(
        self, session: GameSession, file: Path, target: Path | None, loaded: Path | None, campaign: Path | None
    ) -> None:
        self.session, self.file, self.loaded = session, file, loaded
        self.target, self.campaign = target, campaign
        self._saved: set[Path] = set()
        self._problem: str | None = None  # error of the last autosave
        self._moves = len(session.game.moves)

    def save(self) -> None:
        """Write the autosave unless the game has no new moves. Errors are reported when the game ends."""
        if len(self.session.game.moves) == self._moves and not self.file.exists():
            return
        log = self.session.log | ({"campaign": str(self.campaign.resolve())} if self.campaign else {})
        try:
            write_json(self.file, log)
            self._problem = None
        except OSError as error:
            self._problem = f"{self.file}: {error.strerror or error}"

    def save_as(self, file: Path) -> None:
        """Write the log to a new file, or to one that this game was saved to. Raises OSError or ValueError."""
        if file not in self._saved:
            check_new(file, may_be=self.loaded)
        write_json(file, self.session.log)
        self._saved.add(file)

    def leave(self, table: Terminal) -> None:
        """Save the game; if no file can be written, print its log."""
        self.save()
        is_saved = False
        if self.target is not None:
            try:
                self.save_as(self.target)
                table.print(f"Saved: {self.target}")
                is_saved = True
            except (OSError, ValueError) as error:
                table.print(f"not saved to {self.target}: {getattr(error, 'strerror', None) or error}")
        if self._problem is not None:
            table.print(f"The game could not be saved to {self._problem}")
            if not is_saved:
                table.print("Its log, which a file for --load can contain:")
                table.print(json.dumps(self.session.log))
        elif self.file.exists() and not self.session.game.is_over:
            table.print(RESUME_HINT)
