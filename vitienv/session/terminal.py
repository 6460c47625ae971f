"""Playing in a plain terminal: lines in, lines out. The game itself is a `GameSession`, which knows no screen."""

from __future__ import annotations

import re
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

from vitienv.console import console
from vitienv.core.text_utils import read_integer
from vitienv.render.text import Choice
from vitienv.session.game_session import GameSession

SHORT = 1.0  # seconds; a quicker bot gets no line
NARROW, WIDE = 60, 120  # columns: lines are broken between them
LEAST_TEXT = 26  # columns for the text beside a choice; with fewer it goes below
HELP = """\
A number plays what stands behind it, and so does a name, or words that only one choice has: plant grande.
Costly choices have no number; they are typed by name.
  help THING       what a card, an action, a structure or a term is, such as: help scholar, help wine
  show             the table                  moves           the choices again
  log, log all     what happened this year, or in the whole game
  why              what your last choice led to
  undo             back to before your last choice, while you saw nothing new by it and nobody else has moved
  hint, hint BOT   what a bot would do, such as: hint policy:champion, or with chances: hint ismcts:policy=champion
  save FILE        write the log of the game into a new file
  quit             leave; the game is kept, and `vitienv play --resume` goes on with it"""


class Leave(Exception):
    """The person leaves the table."""


class Terminal:
    """A session on the screen.

    keep: called after each move that a person makes, and when the table is left. save: writes the log into a file that
    a person names; OSError or ValueError say why not. is_quiet: stdout is for JSON, so words go to stderr.
    """

    def __init__(
        self, session: GameSession, keep: Callable[[], None], save: Callable[[Path], None], is_quiet: bool = False
    ) -> None:
        self.session, self.keep, self.save, self.is_quiet = session, keep, save, is_quiet
        self.screen = console(stderr=is_quiet, colours=True)
        self._numbered: dict[int, Choice] = {}  # what each number means
        self._picked: list[int] = []
        self._is_new = True  # whether the table has not been shown since something happened
        self._began: tuple[int, str | None] | None = None
        self._thinking_since = self._told = 0.0  # the time when a bot began to think, and that of its last line

    @property
    def width(self) -> int:
        """Columns to write in."""
        return max(NARROW, min(WIDE, self.screen.width))

    def play(self) -> bool:
        """Until the game is over, then True, or until the person leaves, then False."""
        _line_editing(self._completions)
        if sys.stderr.isatty():
            self.session.thinking.on_update = self._thinks
        try:
            while not self.session.game.is_over:
                self._is_new |= not self.session.is_mine
                move = self.session.next_move()
                self._thought()
                if move is None:
                    self._ask()
                    self.keep()
                else:
                    self.tell(self.session.play(move))
        except (Leave, EOFError):
            self.say("You leave the table.")
            return False
        self._result()
        return True

    def say(self, text: str = "", style: str | None = None) -> None:
        """Print lines as they are."""
        self.screen.print(text, style=style, markup=False, soft_wrap=True)

    def tell(self, lines: list[str]) -> None:
        """Print sentences, broken where the width ends."""
        for line in lines:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            self.say("\n".join(textwrap.wrap(line, self.width, subsequent_indent=indent, break_on_hyphens=False)))

    def _thinks(self) -> None:
        """Tell in a line of its own how far a bot is that takes its time; it is overwritten and at last removed."""
        now = time.monotonic()
        self._thinking_since = self._thinking_since or now
        if now - self._thinking_since >= SHORT and now - self._told >= SHORT:
            self._told = now
            seat = self.session.game.current_seat or 0
            sys.stderr.write(f"\r{self.session.names[seat]} thinks: {self.session.thinking.describe()}\x1b[K")
            sys.stderr.flush()

    def _thought(self) -> None:
        if self._told:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._told = self._thinking_since = 0.0

    # Asking.

    def _ask(self) -> None:
        now = (self.session.game.round, self.session.game.phase)
        if now != self._began or (self._is_new and self.session.words.begins_turn(self.session.game)):
            self._show()
            self._began = now
        self._is_new = False
        self._picked = []
        self._list()
        while True:
            # Without a prompt if stdout is for JSON: input() would write it there.
            words = input("" if self.is_quiet else "> ").strip()
            if words and self._answer(words):
                self._is_new = True
                return

    def _show(self) -> None:
        self.say()
        self.say(self.session.table(self.width))

    def _list(self) -> None:
        self.say()
        question = self.session.question
        self.say("\n".join(textwrap.wrap(question, self.width)), style="bold")
        picks = self.session.picks
        if picks is not None:
            self._numbered = dict(enumerate(picks.choices, 1))
            self.say("\n".join(self._lines()))
            self.say(f"Name {picks.n} of them, such as: {' '.join(map(str, range(1, picks.n + 1)))}")
            return
        self._numbered, named = numbered(self.session.choices)
        self.say("\n".join(self._lines()))
        for choice in named:
            self.say(f"  {choice.action}  {choice.text or choice.title}")

    def _lines(self) -> list[str]:
        """Numbered choices in columns; the ways of doing one thing stand in one line."""
        rows: list[tuple[str, str, str]] = []  # numbers, title, text
        last = None
        for number, choice in self._numbered.items():
            if not choice.group:
                rows.append((f"{number:3}", choice.title, choice.text))
            elif choice.group == last:
                numbers, title, text = rows[-1]
                rows[-1] = (f"{numbers}  {number} {choice.title}", title, text)
            else:
                rows.append((f"{number:3} {choice.title}", choice.group, choice.text))
            last = choice.group or None
        first = max((len(row[0]) for row in rows), default=0)
        second = min(max((len(row[1]) for row in rows), default=0), self.width // 2)
        lines = []
        for numbers, title, text in rows:
            if not text:
                indent = " " * (first + 2)
                start = f"{numbers:<{first}}  "
                lines += textwrap.wrap(title, self.width, initial_indent=start, subsequent_indent=indent)
            elif self.width - first - second - 4 >= LEAST_TEXT:
                start, indent = f"{numbers:<{first}}  {title:<{second}}  ", " " * (first + second + 4)
                lines += textwrap.wrap(text, self.width, initial_indent=start, subsequent_indent=indent)
            elif first + 2 + len(title) <= self.width:
                lines.append(f"{numbers:<{first}}  {title}")
                lines += textwrap.wrap(text, self.width, initial_indent=" " * 8, subsequent_indent=" " * 8)
            else:
                lines += textwrap.wrap(f"{title}: {text}", self.width, initial_indent="  ", subsequent_indent=" " * 8)
                lines += textwrap.wrap(numbers.strip(), self.width, initial_indent=" " * 4, subsequent_indent=" " * 4)
        return lines

    # Answering.

    def _answer(self, words: str) -> bool:
        verb, _, rest = words.partition(" ")
        verb, rest = verb.lower(), rest.strip()
        if verb in ("quit", "exit", "q"):
            raise Leave
        if verb in VERBS:
            return bool(VERBS[verb](self, rest))
        return self._picks(words) if self.session.picks is not None else self._move(words)

    def _help(self, rest: str) -> None:
        if not rest:
            self.say(HELP)
            return
        if (number := read_integer(rest)) in self._numbered:
            rest = self._numbered[number].action
        found = self.session.words.about(rest, self.session.game)
        self.tell(found or [f"Nothing is called {rest!r} here."])

    def _log(self, rest: str) -> None:
        now = self.session.game.round
        self.tell([line for number, line in self.session.story if rest.lower() == "all" or number == now])

    def _undo(self, rest: str) -> bool:
        try:
            lost = self.session.undo()
        except ValueError as error:
            self.say(f"{error}.")
            return False
        self.tell([f"Taken back: {' '.join(lost)}"])
        self._began = None
        return True

    def _hint(self, rest: str) -> None:
        try:
            lines = self.session.thought(rest) if rest else []
            if not lines:
                name, choice = self.session.advice(rest or None)
                self._thought()
                lines = [f"{name} would choose {self._called(choice)}."]
        except ValueError as error:
            self.say(f"no hint: {error}")
            return
        self.tell(lines)

    def _called(self, choice: Choice) -> str:
        """A choice with what is typed for it: "4 (Draw vine: worker)"."""
        what = choice.name
        typed = next((str(i) for i, own in self._numbered.items() if own.action == choice.action), choice.action)
        return f"{typed} ({what})"

    def _save(self, rest: str) -> None:
        if not rest:
            self.say("save FILE")
            return
        try:
            self.save(Path(rest).expanduser())
        except (OSError, ValueError) as error:
            self.say(f"not saved: {getattr(error, 'strerror', None) or error}")
        else:
            self.say(f"Saved: {rest}")

    def _move(self, words: str) -> bool:
        choices = self.session.choices
        meant = self._meant(words, choices)
        if len(meant) == 1:
            self.tell(self.session.play(meant[0].action))
            return True
        if meant:
            self.tell([f"Which one: {', '.join(self._called(choice) for choice in meant)}?"])
        else:
            self._unknown(words)
        return False

    def _unknown(self, words: str) -> None:
        """What was typed is no choice; perhaps it is a thing one may read about."""
        self.tell([f"{words!r} is not possible here: type one of the numbers, a name, or help."])
        if read_integer(words) is None:
            self.tell(self.session.words.about(words, self.session.game))

    def _meant(self, words: str, choices: list[Choice]) -> list[Choice]:
        """The choices that what was typed may mean: by its number, its whole name, or the beginnings of its words."""
        if (number := read_integer(words)) is not None:
            return [self._numbered[number]] if number in self._numbered else []
        typed = words.lower()
        whole = [choice for choice in choices if choice.action == typed]
        if whole:
            return whole
        open_ = [choice for choice in choices if not choice.is_grave]
        begun = [choice for choice in open_ if choice.action.startswith(typed)]
        parts = _parts(typed)
        return begun or [
            choice
            for choice in open_
            if parts and all(any(own.startswith(part) for own in _words_of(choice)) for part in parts)
        ]

    def _picks(self, words: str) -> bool:
        """Several things named in whatever order; the engine gets them in its own."""
        picks = self.session.picks
        assert picks is not None
        numbers = [read_integer(part) for part in re.split(r"[\s,]+", words)]
        if None not in numbers:
            wanted = [number for number in numbers if number in self._numbered]
        else:
            meant = {choice.action for choice in self._meant(words, list(picks.choices))}
            fitting = [i for i, choice in self._numbered.items() if choice.action in meant]
            wanted = fitting[:1] if len(meant) == 1 else []
        fresh = [i for i in dict.fromkeys(wanted) if i not in self._picked]
        if not fresh or len(self._picked) + len(fresh) > picks.n:
            self._picked = []
            self.tell([f"Name {picks.n} of the numbers from 1 to {len(self._numbered)}, such as: 1 2."])
            return False
        self._picked += fresh
        if len(self._picked) < picks.n:
            named = ", ".join(self._numbered[i].title for i in self._picked)
            self.tell([f"So far {named}; {picks.n - len(self._picked)} more."])
            return False
        self.tell(self.session.pick([self._numbered[i] for i in self._picked]))
        return True

    # The end.

    def _result(self) -> None:
        self._show()
        self.say("\nThe game is over.", style="bold")
        for line in self.session.result:
            self.say(f"  {line}")

    def _completions(self) -> list[str]:
        own = {word for choice in self.session.choices for word in (choice.action, *choice.action.split(":"))}
        return sorted(own | set(VERBS) | {"quit"} | set(self.session.words.things(self.session.game)))


VERBS: dict[str, Callable[[Terminal, str], bool | None]] = {
    "help": Terminal._help,
    "?": Terminal._help,
    "card": Terminal._help,
    "cards": Terminal._help,
    "about": Terminal._help,
    "show": lambda self, rest: self._show(),
    "table": lambda self, rest: self._show(),
    "moves": lambda self, rest: self._list(),
    "log": Terminal._log,
    "why": lambda self, rest: self.tell(self.session.since or ["You have made no choice yet."]),
    "undo": Terminal._undo,
    "hint": Terminal._hint,
    "save": Terminal._save,
}


def numbered(choices: list[Choice]) -> tuple[dict[int, Choice], list[Choice]]:
    """Choices by the numbers that are typed for them, and those that are asked for by their name.

    Where names have numbers of their own, such as row 4 or field 6, those are taken.
    """
    own = {int(found[1]): choice for choice in choices if (found := re.fullmatch(r"\w+:(\d+)", choice.action))}
    rest = [choice for choice in choices if choice not in own.values()]
    if own and not any(":" in choice.action for choice in rest):
        return own, rest
    graves = [choice for choice in choices if choice.is_grave]
    return dict(enumerate((choice for choice in choices if not choice.is_grave), 1)), graves


def _parts(text: str) -> list[str]:
    return re.findall(r"[a-z0-9+]+", text.lower())


def _words_of(choice: Choice) -> list[str]:
    return _parts(f"{choice.action} {choice.group} {choice.title}")


def _line_editing(completions: Callable[[], list[str]]) -> None:
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:  # Windows has its own
        return

    def complete(text: str, number: int) -> str | None:
        fitting = [word for word in completions() if word.startswith(text.lower())]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
