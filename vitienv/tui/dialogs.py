"""What opens above the table: the whole table, what happened, what things are, a line to type, a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from vitienv.commands.screen import coloured

MOST_FOUND = 6  # things that are listed below what was typed


class Page(ModalScreen[None]):
    """Text on the whole screen, until a key is pressed that does not scroll. text: made for (width, height)."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,t,l,enter,space", "dismiss", "Back")]
    CSS = "Page > VerticalScroll {background: $background;}"

    def __init__(self, text: Callable[[int, int], str], at_end: bool = False) -> None:
        super().__init__()
        self.text, self.at_end = text, at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(id="page")

    def on_mount(self) -> None:
        self.fill()
        if self.at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def on_resize(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Write the text anew; a scroll bar takes two columns."""
        width, height = self.app.size
        text = self.text(width, height)
        if text.count("\n") >= height:
            text = self.text(width - 2, height)
        self.query_one("#page", Static).update(coloured(text))


class Asked(ModalScreen[str | None]):
    """A line to type. Dismissed with what was typed, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "Back")]
    CSS = """
    Asked {align: center middle;}
    Asked > Vertical {width: 64; max-width: 100%; height: auto; border: round $primary; padding: 0 1;}
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.what, markup=False)
            yield Input(compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.dismiss(event.value.strip() or None)


class Sure(ModalScreen[bool]):
    """Confirms a costly choice: y or a click carries it out; Enter stands on No."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "dismiss(True)", "Yes"),
        Binding("n,escape", "dismiss(False)", "No"),
    ]
    CSS = """
    Sure {align: center middle;}
    Sure > Vertical {width: 64; max-width: 100%; height: auto; border: round $warning; padding: 0 1;}
    Sure OptionList {height: auto; border: none;}
    """

    def __init__(self, what: str) -> None:
        super().__init__()
        self.what = what

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(self.what, markup=False)
            yield OptionList(Option("No (n)", id="no"), Option("Yes (y)", id="yes"), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_id == "yes")


class About(ModalScreen[None]):
    """Explains the card or term that is typed, or at first the marked choice.

    words: the game's, see `core.words`. game: whose options decide. first: the text before anything is typed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back")]
    CSS = """
    About {align: center middle;}
    About > Vertical {width: 76; max-width: 100%; height: 20; max-height: 100%; border: round $primary; padding: 0 1;}
    About OptionList {height: auto; max-height: 8; border: none;}
    """

    def __init__(self, words: Any, game: Any, first: Sequence[str]) -> None:
        super().__init__()
        self.words, self.game, self.first = words, game, first
        self.things: list[str] = words.things(game)

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Input(placeholder="a card, an action, a structure, a term; Esc: back", compact=True)
            yield OptionList(markup=False)
            with VerticalScroll():
                yield Static(id="told")

    def on_mount(self) -> None:
        self._tell(self.first)
        self.query_one(OptionList).display = False

    def on_input_changed(self, event: Input.Changed) -> None:
        typed = "_".join(event.value.lower().split())
        begun = [thing for thing in self.things if thing.startswith(typed)]
        matches = (begun + [thing for thing in self.things if typed in thing and thing not in begun]) if typed else []
        listed = self.query_one(OptionList)
        listed.set_options([Option(thing.replace("_", " "), id=thing) for thing in matches[:MOST_FOUND]])
        listed.display = len(matches) > 1
        self._tell(self._about(matches[0]) if matches else self._about(typed) if typed else self.first)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        typed = "_".join(event.value.lower().split())
        if typed:
            self._tell(self._about(typed))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option_id is not None:
            self._tell(self._about(event.option_id))

    def _about(self, thing: str) -> list[str]:
        return self.words.about(thing, self.game) or [f"Nothing is called {thing!r} here."]

    def _tell(self, lines: Sequence[str]) -> None:
        self.query_one("#told", Static).update(coloured("\n\n".join(lines)))
