"""The full screen: the table above, what can be chosen below. The game itself is a `Sitting`, which knows no screen."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from vitienv.commands.screen import coloured
from vitienv.core.words import Choice
from vitienv.core.words import when as called
from vitienv.tui.background import Background
from vitienv.tui.dialogs import About, Asked, Page, Sure
from vitienv.tui.terminal import numbered

if TYPE_CHECKING:
    from vitienv.commands.play import Begun
    from vitienv.game import Game
    from vitienv.tui.sitting import Sitting

WIDE = 130  # columns from which on what happened stands beside the table
TABLE, MOST_STORY = 80, 72  # columns: for the table at least, for what happened at most
LEAST_CHOICES, LEAST_TOLD, MOST_TOLD = 5, 2, 8  # lines: of choices and of what happened, however large the table
LEAVE = "leave"  # the option at the end
BETWEEN = 0.05  # seconds between two pictures while others move
TOGETHER = 1.0  # seconds within which digits make one number
KEYS = (
    "Arrows or a number mark a choice, Enter or a click takes it. A costly choice asks again. "
    "? tells what a choice, card or term is, u takes your last choice back, h is a hint of a bot and H of one that you "
    "name, c is what a search considers and how likely it thinks you win, t shows the whole table, l what happened, "
    "s saves, q leaves; the game is kept, and `vitienv play --resume` goes on with it."
)


class Play(Background):
    """A sitting on the full screen. Exits with True if the game is over, False if the person left.

    begin: makes or loads the game, which may take a compilation; it is called in the background.
    """

    TITLE = "vitienv"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #top {height: auto;}
    #table {height: auto; scrollbar-size-vertical: 1;}
    #story {border-left: solid $primary; padding: 0 0 0 1; scrollbar-size-vertical: 1; display: none;}
    #told {height: auto; color: $text-muted; padding: 0 0 0 1;}
    #question {height: auto; text-style: bold; background: $boost; padding: 0 1;}
    #choices {height: 1fr; border: none; padding: 0; scrollbar-size-vertical: 1;}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "about", "What is it", key_display="?"),
        Binding("h", "hint", "Hint"),
        Binding("H", "hint_of", "Hint of a bot", show=False),
        Binding("c", "chances", "Chances"),
        Binding("u", "undo", "Undo"),
        Binding("t", "table", "Table"),
        Binding("l", "history", "Log"),
        Binding("s", "save", "Save"),
        Binding("q", "leave", "Leave"),
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True),
    ]

    def __init__(self, begin: Callable[[], Begun]) -> None:
        super().__init__()
        self.begin = begin
        self.begun: Begun | None = None
        self.shown: Game | None = None  # the game as the screen shows it; a bot may be moving on in the background
        self._choices: dict[str, Choice] = {}  # by the option's id
        self._n_lines = 0  # of the choices
        self._picked: list[str] = []
        self._digits, self._digit_at = "", 0.0
        self._greeting: list[str] = []
        self._remark = ""

    @property
    def sitting(self) -> Sitting:
        """The sitting, once it has begun."""
        assert self.begun is not None
        return self.begun.sitting

    # The screen.

    def compose(self) -> ComposeResult:
        with Horizontal(id="top"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="lines")
            with VerticalScroll(id="story", can_focus=False):
                yield Static(id="all")
        yield Static(id="told")
        yield Static(id="question")
        yield OptionList(id="choices", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.wait("The game is being set up", self._begin, self._go_on)

    def on_resize(self) -> None:
        self.call_after_refresh(self.ask, True)

    def _draw(self) -> None:
        """The table, as much of it as there is room for, and what happened."""
        if self.shown is None:
            return
        width, height = self.size
        is_wide = width >= WIDE
        self.query_one("#story").display = is_wide
        story = min(MOST_STORY, width - TABLE) if is_wide else 0
        self.query_one("#story").styles.width = story
        room = width - story
        asked = len(textwrap.wrap(self._question(), width - 2))
        left = height - 1 - max(1, asked)
        told = self._just_happened(width - 1, is_wide)
        least = min(len(told), LEAST_TOLD)
        wanted = max(LEAST_CHOICES, min(self._n_lines, (left - least) // 2))
        text = self.sitting.table(room - 1, left - wanted - least, self.shown)
        lines = text.count("\n") + 1
        if lines > left - wanted - least:  # it cannot be briefer: the choices are scrolled sooner
            wanted = LEAST_CHOICES
            lines = min(lines, left - wanted - least)
        told = told[len(told) - min(len(told), max(least, min(MOST_TOLD, left - wanted - lines))) :]
        self.query_one("#told", Static).update(coloured("\n".join(told)))
        self.query_one("#told").display = bool(told)
        self.query_one("#top").styles.height = lines
        self.query_one("#table").styles.height = lines
        self.query_one("#lines", Static).update(coloured(text))
        if is_wide:
            self.query_one("#all", Static).update(coloured("\n".join(self._greeting + self._story())))
            self.query_one("#story").scroll_end(animate=False)

    def _story(self) -> list[str]:
        return [line for _, line in self.sitting.story]

    def _just_happened(self, width: int, is_wide: bool) -> list[str]:
        """The events since the last choice, unless they stand beside the table, and the answers to the person."""
        since = [] if is_wide else self.sitting.since or self._greeting
        lines = [*since, *([self._remark] if self._remark else [])]
        return [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="  ")]

    def _say(self, remark: str) -> None:
        """Tell what the person asked for, until the next choice."""
        self._remark = remark
        self.ask(is_same=True)

    def _question(self) -> str:
        if self.busy is not None:
            return self.waiting("" if self.begun is None else self.sitting.thinking.told())
        if self.sitting.game.is_over:
            return "The game is over."
        picks = self.sitting.picks
        more = "" if picks is None else f" Choose {picks.n}, {picks.n - len(self._picked)} more."
        return self.sitting.question + more

    def tick(self) -> None:
        """Tell how long it takes already."""
        if self.is_running and self.busy is not None:
            self.query_one("#question", Static).update(coloured(self._question()))

    def ask(self, is_same: bool = False) -> None:
        """The question and its choices; none while others think. is_same: it was asked before."""
        marked = (self.query_one(OptionList).highlighted or 0) if is_same else 0
        options = [] if self.busy is not None else self._options()
        self.refresh_bindings()
        self.query_one("#question", Static).update(coloured(self._question()))
        listed = self.query_one(OptionList)
        listed.set_options(options)
        self._n_lines = sum(str(option.prompt).count("\n") + 1 for option in options)
        if options:
            listed.highlighted = len(options) - 1 if self.sitting.game.is_over else min(marked, len(options) - 1)
            listed.focus()
        self._draw()

    def _options(self) -> list[Option]:
        """What can be chosen, a line for each, or more where it says more."""
        self._choices = {}
        if self.sitting.game.is_over:
            return [*(Option(line, disabled=True) for line in self.sitting.result), Option("Leave the table", id=LEAVE)]
        picks = self.sitting.picks
        by_number, named = (dict(enumerate(picks.choices, 1)), []) if picks else numbered(self.sitting.choices)
        keyed = [*((str(number), choice) for number, choice in by_number.items()), *(("", choice) for choice in named)]
        options, group = [], ""
        for at, (number, choice) in enumerate(keyed):
            key = number or f"named {at}"
            self._choices[key] = choice
            text = "" if choice.group and choice.group == group else choice.text
            group = choice.group
            mark = "x " if key in self._picked else "  " if picks else ""
            options.append(Option(_line(f"{number:>3} {mark}", choice.name, text, self.size.width - 2), id=key))
        return options

    # The others.

    def _begin(self) -> Begun:
        begun = self.begin()
        begun.sitting.words.table(begun.sitting.game, begun.sitting.seat, begun.sitting.names)  # it may be compiled
        return begun

    def _go_on(self, begun: Begun | None = None) -> None:
        """Let the others move until the person is to choose."""
        if begun is not None:
            self.begun = begun
            self._greeting = begun.greeting
        self._look()
        if self.sitting.game.is_over:
            self._await_choice()
            return
        who = self.sitting.names[self.sitting.game.seat or 0]
        self.wait(f"{who} thinks" if not self.sitting.is_mine else "Going on", self._others, self._await_choice)

    def _others(self) -> None:
        """Moves that are not the person's to choose, in the background."""
        sitting, shown = self.sitting, time.monotonic()
        while not sitting.game.is_over and (move := sitting.next_move()) is not None:
            with self.lock:
                if self.has_left:
                    return
                sitting.play(move)
            if time.monotonic() - shown >= BETWEEN:
                shown, copy = time.monotonic(), sitting.game.copy()
                self.call(lambda copy=copy: self._show(copy))  # type: ignore[misc]

    def _show(self, game: Game) -> None:
        """The game between two moves of others."""
        if self.busy is None or game.is_over:
            return  # the person is asked already
        self.shown = game
        self.busy = f"{self.sitting.names[game.seat or 0]} thinks", time.monotonic()
        self._draw()

    def _look(self) -> None:
        self.shown = self.sitting.game.copy()

    def _await_choice(self, _: Any = None) -> None:
        self._picked = []
        assert self.begun is not None
        self.begun.keeper.keep()
        self._look()
        self.go_on()

    # What the person does.

    @on(OptionList.OptionSelected, "#choices")
    def take(self, event: OptionList.OptionSelected) -> None:
        """A choice is taken."""
        if self.busy is not None or event.option_id is None:
            return
        if event.option_id == LEAVE:
            self.end(True)
            return
        choice = self._choices[event.option_id]
        if self.sitting.picks is not None:
            self._pick(event.option_id)
        elif choice.is_grave:
            told = f"{choice.title}: {choice.text}?" if choice.text else f"{choice.title}?"
            self.push_screen(Sure(told), lambda sure: self._play([choice]) if sure else None)
        else:
            self._play([choice])

    def _pick(self, key: str) -> None:
        """One thing more of several, or one less; with the last of them the move is made."""
        picks = self.sitting.picks
        assert picks is not None
        self._picked = [own for own in self._picked if own != key] + [key] * (key not in self._picked)
        if len(self._picked) == picks.n:
            self._play([self._choices[own] for own in self._picked])
        else:
            self.ask(is_same=True)

    def _play(self, choices: list[Choice]) -> None:
        self.sitting.pick(choices)
        self._picked, self._remark = [], ""
        self._go_on()

    def on_key(self, event: events.Key) -> None:
        """A number marks the choice that it stands before."""
        is_asked = self.busy is None and not isinstance(self.screen, ModalScreen)
        if not is_asked or not event.character or not event.character.isdigit():
            return
        now = time.monotonic()
        typed = self._digits + event.character if now - self._digit_at < TOGETHER else event.character
        keys = list(self._choices)
        found = typed if typed in keys else event.character
        if found in keys:
            self._digits, self._digit_at = found, now
            self.query_one(OptionList).highlighted = keys.index(found)
        event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that mean something now."""
        if action in ("undo", "hint", "hint_of", "chances", "save", "about", "table", "history"):
            if self.begun is None or isinstance(self.screen, ModalScreen):
                return False
            return self.busy is None or action in ("table", "history", "about")
        return True

    def action_leave(self) -> None:
        """Leave the table; the game is kept."""
        over = self.begun is not None and self.busy is None and self.sitting.game.is_over
        self.end(over)

    def action_table(self) -> None:
        """The whole table on the whole screen."""
        self.push_screen(Page(lambda width, height: self.sitting.table(width, height, self.shown)))

    def action_history(self) -> None:
        """Show all events of the game."""

        def text(width: int, height: int) -> str:
            lines, now = list(self._greeting), None
            for when, line in self.sitting.story:
                if when != now:
                    lines += ["", called(self.sitting.game.definition.clock.word, when).capitalize()]
                    now = when
                lines += textwrap.wrap(line, width, initial_indent="  ", subsequent_indent="    ")
            return "\n".join(lines)

        self.push_screen(Page(text, at_end=True))

    def action_about(self) -> None:
        """What the marked choice is, and whatever is asked for."""
        assert self.shown is not None
        marked = self.query_one(OptionList).highlighted_option
        choice = self._choices.get(marked.id or "") if marked is not None and self.busy is None else None
        about = self.sitting.words.about(choice.action, self.shown) if choice is not None else []
        self.push_screen(About(self.sitting.words, self.shown, [*about, KEYS]))

    def action_undo(self) -> None:
        """Back to before the last choice."""
        self.wait("Going back", self._undone, self._went_back)

    def _undone(self) -> str:
        try:
            lost = self.sitting.undo()
        except ValueError as error:
            return f"{error}."
        return f"Taken back: {' '.join(lost)}"

    def _went_back(self, told: str) -> None:
        self._await_choice()
        self._say(told)

    def action_hint(self, bot: str | None = None) -> None:
        """What a bot would do; it may think for long."""
        who = bot or self.sitting.game.definition.rule_of_thumb
        self.wait(f"{who} thinks", lambda: self._hint(bot), self._hinted)

    def action_hint_of(self) -> None:
        """Show a hint of a bot that the person names."""
        self.push_screen(Asked("A bot, such as policy:champion"), lambda bot: self.action_hint(bot) if bot else None)

    def _hint(self, bot: str | None) -> tuple[str, Choice | None]:
        try:
            return self.sitting.advice(bot)
        except ValueError as error:
            return f"No hint: {error}", None

    def _hinted(self, found: tuple[str, Choice | None]) -> None:
        name, choice = found
        self.go_on()
        if choice is None:
            self._say(name)
            return
        keys = [key for key, own in self._choices.items() if own.action == choice.action]
        if keys:
            self.query_one(OptionList).highlighted = list(self._choices).index(keys[0])
        self._say(f"{name} would choose {choice.name}.")

    def action_chances(self) -> None:
        """What a search considers, and how it thinks that the game stands."""
        self.wait("A search thinks", self._chances, self._considered)

    def _chances(self) -> list[str]:
        from vitienv.agents.search.analysis import hint

        try:
            return hint(self.sitting.game).told(names=self.sitting.names)
        except ValueError as error:
            return [str(error)]

    def _considered(self, lines: list[str]) -> None:
        self.go_on(is_same=True)
        legend = "Share of the simulations, value from -1 (lost) to +1 (won), and what could be chosen:"
        self.push_screen(Page(lambda width, height: "\n".join(_broken([legend, *lines], width))))

    def action_save(self) -> None:
        """Write the log into a file that the person names."""
        self.push_screen(Asked("Save the game in which file?"), self._save)

    def _save(self, name: str | None) -> None:
        if name is None:
            return
        assert self.begun is not None
        try:
            self.begun.keeper.save_as(Path(name).expanduser())
        except (OSError, ValueError) as error:
            self._say(f"not saved: {getattr(error, 'strerror', None) or error}")
        else:
            self._say(f"Saved: {name}")


def _broken(lines: list[str], width: int) -> list[str]:
    """Lines that are no wider than the screen."""
    return [part for line in lines for part in textwrap.wrap(line, width, subsequent_indent="    ") or [""]]


def _line(number: str, title: str, text: str, width: int) -> Text:
    """A choice with what stands before it; further lines begin below its title."""
    indent = " " * len(number)
    told = textwrap.fill(f"{title}  {text}".strip(), max(20, width), initial_indent=indent, subsequent_indent=indent)
    line = Text(number + told[len(number) :])
    line.stylize("bold cyan", 0, len(number))
    line.stylize("bold", len(number), len(number) + len(title))
    return line
