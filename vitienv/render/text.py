"""A game's words for people: the pending question, its choices, the results of a move, explanations.

Terminals, browsers and replays ask the module that the game's definition names as `words`. It has the functions that
stand here; these are the form for a game without words, and show names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


def seat_name(seat: int | None) -> str:
    """What people call a seat that has no other name: they count from one, the engine and its files from 0."""
    return "nobody" if seat is None else f"seat {seat + 1}"


def seat_title(seat: int | None) -> str:
    """A seat's name at the start of a sentence."""
    return seat_name(seat).capitalize()


def when(word: str, number: int) -> str:
    """What people call a round. word: of the game's clock, such as "year". number: 0 is the set-up."""
    return f"{word} {number}" if number else "set-up"


@dataclass(frozen=True)
class Choice:
    """An action that can be taken now.

    action: its name. title: a few words. text: what it does here, "" if the title says it. group: what several choices
    next to each other are ways of doing; their titles then say how, and the text is that of the group. is_grave:
    whether a slip would cost much, so that it should be asked for by its name.
    """

    action: str
    title: str
    text: str = ""
    group: str = ""
    is_grave: bool = False

    @property
    def name(self) -> str:
        """What it is called where no other stands beside it."""
        return f"{self.group}: {self.title}" if self.group else self.title


@dataclass(frozen=True)
class Picks:
    """Several things of one set that are to be named, in whatever order: `n` of `choices`, an entry for each copy.

    The engine takes them one by one in the order of their numbers.
    """

    n: int
    choices: tuple[Choice, ...]


def question(game: Any, names: Sequence[str] = ()) -> str:
    """What the seat that decides is asked, in a sentence or two. names: of the seats, by default their numbers."""
    return str(game.decision).replace("_", " ").capitalize() + "?"


def choices(game: Any, names: Sequence[str] = ()) -> list[Choice]:
    """The legal actions in the order of their numbers. names: as for `question`."""
    return [Choice(name, name) for name in game.legal_actions()]


def primer(options: Any) -> str:
    """The rules for who has never seen the game, in Markdown; "" if nobody has written them."""
    return ""


def picks(game: Any, names: Sequence[str] = ()) -> Picks | None:
    """The things to be chosen together, or None where actions are taken one by one."""
    return None


def begins_turn(game: Any) -> bool:
    """Whether the question stands at the start of something, so that the table is worth another look."""
    return True


def aim(game: Any) -> str:
    """What wins and how much time is left, in a line; "" if nothing is to be said."""
    return ""


def in_hand(game: Any, viewer: int) -> list[str]:
    """What the viewer's own cards do, a paragraph each, where the table does not say it."""
    return []


def told(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """A move and its results, in sentences that tell the viewer nothing that its seat may not know.

    before, after: the game then and now. action: the move's name. names: of the seats, `YOU` for the reader.
    viewer: the seat that reads; None may know everything.
    """
    return [f"{names[before.current_seat]}, {str(before.decision).replace('_', ' ')}: {action}"]


def about(word: str, game: Any = None) -> list[str]:
    """Paragraphs on what a word means: a card, an action, a place; [] if it means nothing here.

    game: whose options decide about prices and the like.
    """
    return []


def things(game: Any = None) -> list[str]:
    """The words that `about` knows, for completion."""
    return []


def named(options: Any) -> list[tuple[str, ...]]:
    """What texts name and no action does, such as parents: for each thing "card", "place" or "parent", then its
    names."""
    return []


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """The state of the game as lines of at most `width` columns where words allow it. viewer: as in `told`."""
    text: str = game.game_spec.call("render")(game, viewer=viewer)
    return text


def render(game: Any, viewer: int | None = None) -> str:
    """The table with who decides or how the game ended, for a game whose words have a table of their own. viewer: the
    seat that reads; None sees every hand."""
    names = [seat_title(seat) for seat in range(game.num_players)]
    text: str = game.game_spec.text_module.table(game, viewer, names)
    if not game.is_over:
        return f"{text}\n\n{seat_title(game.current_seat)} decides: {game.decision}."
    how = "Cut off" if game.is_truncated else f"Over: {game.outcome}" if game.outcome is not None else "Over"
    return (
        f"{text}\n\n{how}. {', '.join(f'{name}: rank {rank}' for name, rank in zip(names, game.ranks, strict=True))}."
    )
