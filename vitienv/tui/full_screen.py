"""A game on the full screen, as `vitienv play` asks for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vitienv.commands.screen import console
from vitienv.tui.app import Play

if TYPE_CHECKING:
    from vitienv.commands.play import Begun


class FullScreen:
    """`play` takes the screen and gives it back at its end; later lines stay in the terminal."""

    is_quiet = False

    def __init__(self, begin: Callable[[], Begun]) -> None:
        self.begin = begin

    def play(self) -> bool:
        """Until the game is over, then True, or until the person leaves, then False. Raises what went wrong."""
        application = Play(self.begin)
        is_over = bool(application.run())
        if application.error is not None:
            raise application.error
        if application.return_code:
            raise RuntimeError("the full screen stopped at a fault of its own, see above; --plain plays without it")
        if is_over:
            for line in ["The game is over.", *(f"  {line}" for line in application.sitting.result)]:
                self.say(line)
        return is_over

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print lines as they are."""
        console(colours=True).print(text, style=style, markup=False, soft_wrap=True)
