"""What keeps a person's game, and where: nothing of it is lost, whatever happens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from vitienv.core.files import write_json

if TYPE_CHECKING:
    from vitienv.session.game_session import GameSession
    from vitienv.session.terminal import Terminal

GO_ON = "The game is kept; to go on: vitienv play --resume"


def check_new(file: Path, may_be: Path | None = None) -> None:
    """ValueError if a file is there already, or its folder is not."""
    if not file.parent.is_dir():
        raise ValueError(f"there is no folder {str(file.parent)!r}")
    if file.exists() and (may_be is None or not may_be.exists() or not file.samefile(may_be)):
        raise ValueError(f"{str(file)!r} is there already; name a new file")


class Autosave:
    """Visibility to it that nothing of a game is lost.

    file: where it is kept while it goes on. save: where the person wants it at the end. loaded: the file it came from,
    which may be written again.
    """

    def __init__(
        self, session: GameSession, file: Path, save: Path | None, loaded: Path | None, campaign: Path | None
    ) -> None:
        self.session, self.file, self.loaded = session, file, loaded
        self.wanted, self.campaign = save, campaign
        self._saved: set[Path] = set()
        self._problem: str | None = None  # why the game could not be kept
        self._moves = len(session.game.moves)

    def keep(self) -> None:
        """Write the game to the data folder, if it has gone on. A failure is printed at the end, or when it matters."""
        if len(self.session.game.moves) == self._moves and not self.file.exists():
            return
        log = self.session.log | ({"campaign": str(self.campaign.resolve())} if self.campaign else {})
        try:
            write_json(self.file, log)
            self._problem = None
        except OSError as error:
            self._problem = f"{self.file}: {error.strerror or error}"

    def save_as(self, file: Path) -> None:
        """Write the log into a file that is new, or that this game was saved in. OSError, ValueError."""
        if file not in self._saved:
            check_new(file, may_be=self.loaded)
        write_json(file, self.session.log)
        self._saved.add(file)

    def leave(self, table: Terminal) -> None:
        """Save the unsaved game; print a log that cannot be written anywhere."""
        self.keep()
        saved = False
        if self.wanted is not None:
            try:
                self.save_as(self.wanted)
                table.say(f"Saved: {self.wanted}")
                saved = True
            except (OSError, ValueError) as error:
                table.say(f"not saved in {self.wanted}: {getattr(error, 'strerror', None) or error}")
        if self._problem is not None:
            table.say(f"The game could not be kept in {self._problem}")
            if not saved and not table.is_quiet:
                table.say("Its log, to be put into a file for --load:")
                table.say(json.dumps(self.session.log))
        elif self.file.exists() and not self.session.game.is_over:
            table.say(GO_ON)
