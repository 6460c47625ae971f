"""Line-based user interface of a `GameSession`."""

from __future__ import annotations

import re
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

from vitienv.console import console
from vitienv.core.text_utils import read_integer
from vitienv.render.text import Choice, begins_turn, result
from vitienv.session.game_session import GameSession, MoveDescription

PROGRESS_INTERVAL = 1.0  # seconds
MIN_WIDTH, MAX_WIDTH = 60, 120  # columns
MIN_TEXT_WIDTH = 26  # columns; narrower descriptions move below their choice
HELP = """\
Enter a number, a name, or words that match a single choice: plant grande.
Costly choices have no number and must be typed by name.
  help TOPIC       a card, an action, a structure or a term, such as: help scholar, help wine
  show             the table                  moves           the choices
  log, log all     events of this year, or of the whole game
  undo             undo your last choice, unless it revealed something or another player has moved
  hint, hint BOT   choice of a bot, such as: hint policy:champion; with win rates: hint ismcts:policy=champion
  save FILE        write the log of the game to a new file
  quit             leave; the game is saved, and `vitienv play --resume` continues it"""


class Quit(Exception):
    """Raised when the person leaves the game."""


class Terminal:
    """Terminal user interface of a session with one person.

    autosave: called after each move of the person and on leaving. save_as: writes the log to a file; raises OSError or
    ValueError.
    """

    def __init__(self, session: GameSession, autosave: Callable[[], None], save_as: Callable[[Path], None]) -> None:
        self.session, self.autosave, self.save_as = session, autosave, save_as
        self.seat, self.text_module, self._num_printed = session.people[0], session.text_module, len(session.story)
        self.console = console(colours=True)
        self._choices_by_number: dict[int, Choice] = {}
        self._picked_numbers: list[int] = []
        self._is_table_outdated = True
        self._period: tuple[int, str | None] | None = None  # round and phase of the last displayed table
        self._search_start = self._last_progress = 0.0  # monotonic seconds; 0 while no bot searches

    @property
    def width(self) -> int:
        """Number of columns for text."""
        return max(MIN_WIDTH, min(MAX_WIDTH, self.console.width))

    def play(self) -> bool:
        """Play until the game is over or the person quits; return whether it is over."""
        _enable_completion(self._completions)
        if sys.stderr.isatty():
            self.session.search_progress.on_update = self._show_progress
        try:
            self.session.answer_forced()
            while not self.session.game.is_over:
                self._print_moves()
                if self.session.is_persons_turn:
                    self._ask()
                    self.autosave()
                else:
                    self._is_table_outdated = True
                    self.session.advance()
                    self._clear_progress()
            self._print_moves()
        except (Quit, EOFError):
            self.print("You left the game.")
            return False
        self._show_result()
        return True

    def print(self, text: str = "", style: str | None = None) -> None:
        """Print text without wrapping."""
        self.console.print(text, style=style, markup=False, soft_wrap=True)

    def print_sentences(self, lines: list[str]) -> None:
        """Print sentences, wrapped at the width."""
        for line in lines:
            indent = " " * (len(line) - len(line.lstrip()) + 2)
            self.print("\n".join(textwrap.wrap(line, self.width, subsequent_indent=indent, break_on_hyphens=False)))

    def _print_moves(self) -> None:
        self.print_sentences(self._lines_of(self.session.story[self._num_printed :]))
        self._num_printed = len(self.session.story)

    def _lines_of(self, moves: list[MoveDescription]) -> list[str]:
        return [line for move in moves for line in move.lines[self.seat]]

    def _show_progress(self) -> None:
        seconds = time.monotonic()
        self._search_start = self._search_start or seconds
        if min(seconds - self._search_start, seconds - self._last_progress) >= PROGRESS_INTERVAL:
            self._last_progress = seconds
            seat = self.session.game.current_seat or 0
            sys.stderr.write(
                f"\r{self.session.names[seat]} is thinking: {self.session.search_progress.describe()}\x1b[K"
            )
            sys.stderr.flush()

    def _clear_progress(self) -> None:
        if self._last_progress:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        self._last_progress = self._search_start = 0.0

    def _ask(self) -> None:
        period = (self.session.game.round, self.session.game.phase)
        is_turn_start = self._is_table_outdated and begins_turn(self.session.game)
        if period != self._period or is_turn_start:
            self._show_table()
            self._period = period
        self._is_table_outdated = False
        self._picked_numbers = []
        self._show_choices()
        while True:
            answer = input("> ").strip()
            if answer and self._answer(answer):
                self._is_table_outdated = True
                return

    def _show_table(self) -> None:
        game = self.session.game
        viewer = None if game.is_over else self.seat
        self.print()
        self.print(self.text_module.table(game, viewer, self.session.names, self.width))

    def _show_choices(self) -> None:
        self.print()
        self.print("\n".join(textwrap.wrap(self.session.question, self.width)), style="bold")
        picks = self.session.picks
        if picks is not None:
            self._choices_by_number = dict(enumerate(picks.choices, 1))
            self.print("\n".join(self._lines()))
            self.print(f"Choose {picks.n} of them, such as: {' '.join(map(str, range(1, picks.n + 1)))}")
            return
        self._choices_by_number, named_choices = numbered(self.session.choices)
        self.print("\n".join(self._lines()))
        for choice in named_choices:
            self.print(f"  {choice.action}  {choice.text or choice.title}")

    def _lines(self) -> list[str]:
        """Return the numbered choices in columns; choices of one group share a line."""
        rows: list[tuple[str, str, str]] = []  # numbers, title, text
        last = None
        for number, choice in self._choices_by_number.items():
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
            start = f"{numbers:<{first}}  "
            if not text:
                lines += self._wrap(title, start, first + 2)
            elif self.width - first - second - 4 >= MIN_TEXT_WIDTH:
                lines += self._wrap(text, f"{start}{title:<{second}}  ", first + second + 4)
            elif first + 2 + len(title) <= self.width:
                lines += [start + title, *self._wrap(text, " " * 8, 8)]
            else:
                lines += self._wrap(f"{title}: {text}", "  ", 8) + self._wrap(numbers.strip(), " " * 4, 4)
        return lines

    def _wrap(self, text: str, start: str, indent: int) -> list[str]:
        return textwrap.wrap(text, self.width, initial_indent=start, subsequent_indent=" " * indent)

    def _answer(self, words: str) -> bool:
        command, _, argument = words.partition(" ")
        command, argument = command.lower(), argument.strip()
        if command in ("quit", "exit", "q"):
            raise Quit
        if command in COMMANDS:
            return bool(COMMANDS[command](self, argument))
        return self._pick(words) if self.session.picks is not None else self._move(words)

    def _help(self, topic: str) -> None:
        if not topic:
            self.print(HELP)
            return
        if (number := read_integer(topic)) in self._choices_by_number:
            topic = self._choices_by_number[number].action
        lines = self.text_module.explain(topic, self.session.game)
        self.print_sentences(lines or [f"Unknown topic {topic!r}."])

    def _log(self, argument: str) -> None:
        rounds = {self.session.game.round} if argument.lower() != "all" else {move.round for move in self.session.story}
        self.print_sentences(self._lines_of([move for move in self.session.story if move.round in rounds]))

    def _undo(self, argument: str) -> bool:
        try:
            undone_moves = self.session.undo()
        except ValueError as error:
            self.print(f"{error}.")
            return False
        self.print_sentences([f"Undone: {' '.join(self._lines_of(undone_moves))}"])
        self._period, self._num_printed = None, len(self.session.story)
        return True

    def _hint(self, spec: str) -> None:
        from vitienv.agents.search.analysis import hint, is_search_bot

        session = self.session
        try:
            if spec and is_search_bot(spec, session.game.game_spec):
                lines = hint(session.game, spec).describe(4, session.names, steps=0)
            else:
                name, action = session.suggest(spec or None)
                self._clear_progress()
                action_name = session.game.game_spec.actions.name(action)
                choice = next(choice for choice in session.choices if choice.action == action_name)
                lines = [f"{name} would choose {self._label(choice)}."]
        except ValueError as error:
            self.print(f"no hint: {error}")
            return
        self.print_sentences(lines)

    def _label(self, choice: Choice) -> str:
        """Return a choice with its number or name, such as "4 (Draw vine: worker)"."""
        numbers = {numbered_choice.action: str(i) for i, numbered_choice in self._choices_by_number.items()}
        return f"{numbers.get(choice.action, choice.action)} ({choice.name})"

    def _save(self, file: str) -> None:
        if not file:
            self.print("usage: save FILE")
            return
        try:
            self.save_as(Path(file).expanduser())
        except (OSError, ValueError) as error:
            self.print(f"not saved: {getattr(error, 'strerror', None) or error}")
        else:
            self.print(f"Saved: {file}")

    def _move(self, words: str) -> bool:
        matches = self._matches(words, self.session.choices)
        if len(matches) == 1:
            self.session.play(matches[0].action)
            return True
        if matches:
            self.print_sentences([f"Ambiguous: {', '.join(self._label(choice) for choice in matches)}?"])
            return False
        self.print_sentences([f"{words!r} is not a legal choice: type one of the numbers, a name, or help."])
        if read_integer(words) is None:  # possibly a help topic
            self.print_sentences(self.text_module.explain(words, self.session.game))
        return False

    def _matches(self, words: str, choices: list[Choice]) -> list[Choice]:
        """Return the choices that match a number, a name, the start of a name, or the starts of words."""
        if (number := read_integer(words)) is not None:
            return [self._choices_by_number[number]] if number in self._choices_by_number else []
        lowered = words.lower()
        exact = [choice for choice in choices if choice.action == lowered]
        if exact:
            return exact
        open_ = [choice for choice in choices if not choice.is_grave]
        prefixed = [choice for choice in open_ if choice.action.startswith(lowered)]
        parts = _parts(lowered)
        return prefixed or [
            choice
            for choice in open_
            for words in [_parts(f"{choice.action} {choice.group} {choice.title}")]
            if parts and all(any(word.startswith(part) for word in words) for part in parts)
        ]

    def _pick(self, words: str) -> bool:
        picks = self.session.picks
        assert picks is not None
        numbers = [read_integer(part) for part in re.split(r"[\s,]+", words)]
        if None not in numbers:
            indices = [number for number in numbers if number in self._choices_by_number]
        else:
            matches = {choice.action for choice in self._matches(words, list(picks.choices))}
            matching = [i for i, choice in self._choices_by_number.items() if choice.action in matches]
            indices = matching[:1] if len(matches) == 1 else []
        new = [i for i in dict.fromkeys(indices) if i not in self._picked_numbers]
        if not new or len(self._picked_numbers) + len(new) > picks.n:
            self._picked_numbers = []
            self.print_sentences(
                [f"Choose {picks.n} of the numbers from 1 to {len(self._choices_by_number)}, such as: 1 2."]
            )
            return False
        self._picked_numbers += new
        if len(self._picked_numbers) < picks.n:
            titles = ", ".join(self._choices_by_number[i].title for i in self._picked_numbers)
            self.print_sentences([f"Chosen: {titles}; {picks.n - len(self._picked_numbers)} more."])
            return False
        number = self.session.game.game_spec.actions.number
        self.session.play([number(self._choices_by_number[i].action) for i in self._picked_numbers])
        return True

    def _show_result(self) -> None:
        self._show_table()
        self.print("\nThe game is over.", style="bold")
        for line in result_lines(self.session):
            self.print(f"  {line}")

    def _completions(self) -> list[str]:
        names = {word for choice in self.session.choices for word in (choice.action, *choice.action.split(":"))}
        return sorted(names | set(COMMANDS) | {"quit"} | set(self.text_module.topics(self.session.game)))


COMMANDS: dict[str, Callable[[Terminal, str], bool | None]] = {
    "help": Terminal._help,
    "?": Terminal._help,
    "show": lambda self, argument: self._show_table(),
    "moves": lambda self, argument: self._show_choices(),
    "log": Terminal._log,
    "undo": Terminal._undo,
    "hint": Terminal._hint,
    "save": Terminal._save,
}


def result_lines(session: GameSession) -> list[str]:
    """Return the result of a game, seat by seat."""
    game, names, spec = session.game, session.names, session.game.game_spec
    seats = sorted(range(game.num_players), key=lambda seat: game.ranks[seat])
    ranks = ["" if spec.is_of_team else f"{game.ranks[seat]}. " for seat in seats]
    lines = [f"{rank}{names[seat]}: {game.scores[seat]} {spec.scored_in}" for rank, seat in zip(ranks, seats)]
    undone = [f"Undone choices: {session.num_undone}."] if session.num_undone else []
    return [*lines, result(game, names), *undone]


def numbered(choices: list[Choice]) -> tuple[dict[int, Choice], list[Choice]]:
    """Return the choices by number, and the choices that must be typed by name.

    Numbers in names, such as row 4 or field 6, are used if possible.
    """
    by_number = {int(match[1]): choice for choice in choices if (match := re.fullmatch(r"\w+:(\d+)", choice.action))}
    unnumbered = [choice for choice in choices if choice not in by_number.values()]
    if by_number and not any(":" in choice.action for choice in unnumbered):
        return by_number, unnumbered
    costly = [choice for choice in choices if choice.is_grave]
    return dict(enumerate((choice for choice in choices if not choice.is_grave), 1)), costly


def _parts(text: str) -> list[str]:
    return re.findall(r"[a-z0-9+]+", text.lower())


def _enable_completion(completions: Callable[[], list[str]]) -> None:
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:  # not available on Windows
        return

    def complete(text: str, number: int) -> str | None:
        fitting = [word for word in completions() if word.startswith(text.lower())]
        return fitting[number] if number < len(fitting) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" ")
    readline.parse_and_bind("tab: complete")
