"""Texts of a game for people: the pending decision, its choices, the results of a move, explanations.

Interface of the module `GameSpec.text`, which terminals, browsers and replays use. These defaults for a game without
texts show names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vitienv.core.text_utils import YOU, does, listed, plain


def seat_name(seat: int | None) -> str:
    """Return the default name of a seat; it counts from one in text, from 0 in the engine and files."""
    return "nobody" if seat is None else f"seat {seat + 1}"


def seat_title(seat: int | None) -> str:
    """Return the name of a seat at the start of a sentence."""
    return seat_name(seat).capitalize()


def round_name(word: str, number: int) -> str:
    """Return the name of a round. word: the game's word for a round, such as "year". number: 0 is the set-up."""
    return f"{word} {number}" if number else "set-up"


@dataclass(frozen=True)
class Choice:
    """Legal action with texts.

    action: its name. title: a few words. text: its effect, "" if the title is sufficient. group: common action of
    adjacent choices, whose titles are variants and whose text is that of the group. is_grave: whether a mistake is
    costly, so that it must be confirmed by name.
    """

    action: str
    title: str
    text: str = ""
    group: str = ""
    is_grave: bool = False

    @property
    def name(self) -> str:
        """Title with its group."""
        return f"{self.group}: {self.title}" if self.group else self.title

    @property
    def line(self) -> str:
        """Title with its group and text."""
        return f"{self.name}: {self.text}" if self.text else self.name


@dataclass(frozen=True)
class Picks:
    """Combined decision: pick `n` of `choices` in any order, with an entry for each copy.

    The engine receives them one by one in the order of their indices.
    """

    n: int
    choices: tuple[Choice, ...]


class Prompt:
    """Pending decision with its frame. names: names of the seats, by default their numbers."""

    def __init__(self, game: Any, names: Sequence[str] = ()) -> None:
        self.game, self.names, self.state, self.rules = game, names, game.state, game.state.rules
        self.seat: int = game.current_seat
        self.decision: str = game.decision
        self.frame = self.state.frames[int(self.state.depth) - 1]

    def __getitem__(self, column: int) -> int:
        return int(self.frame[column])

    def name_of(self, seat: int) -> str:
        """Return the name of a seat for the middle of a sentence."""
        return name_in_sentence(self.names[seat] if self.names else seat_name(seat))


def name_in_sentence(name: str) -> str:
    """Return a name for the middle of a sentence, where the reader is "you"."""
    return "you" if name == YOU else name


def question_of(
    q: Prompt, texts: Mapping[str, Callable[[Any], str]], statements: Collection[str] = (), title: str = ""
) -> str:
    """Return the question of a decision, by default its name.

    Args:
        q: the pending decision.
        texts: questions by decision, without the question mark.
        statements: decisions whose texts end with a full stop.
        title: title of the card that is being resolved.
    """
    text = texts[q.decision](q) if q.decision in texts else plain(q.decision).capitalize()
    if text[-1] not in ".?":
        text += "." if "?" in text or q.decision in statements else "?"
    return f"{title}: {text}" if title else text


def question(game: Any, names: Sequence[str] = ()) -> str:
    """Return the pending decision as a question. names: names of the seats, by default their numbers."""
    return question_of(Prompt(game, names), {})


def choice(q: Prompt, name: str) -> Choice:
    """Return the texts of an action."""
    return Choice(name, name)


def choices(game: Any, names: Sequence[str] = ()) -> list[Choice]:
    """Return the legal actions in index order. names: see `question`."""
    text_module = game.game_spec.text_module
    q = text_module.Prompt(game, names)
    return [text_module.choice(q, name) for name in game.legal_actions()]


def primer(options: Any) -> str:
    """Return the rules for new players in Markdown; "" if the game has no primer."""
    return ""


def picks(game: Any, names: Sequence[str] = ()) -> Picks | None:
    """Return the pending combined decision, or None for single actions."""
    return None


TURNS: tuple[str, ...] = ()  # decisions that start a turn; () for all


def begins_turn(game: Any) -> bool:
    """Return whether the decision starts a turn, before which the table should be shown again."""
    turns = game.game_spec.text_module.TURNS
    return not turns or game.decision in turns


def aim(game: Any) -> str:
    """Return the goal and the remaining time in a line; "" for none."""
    return ""


def in_hand(game: Any, viewer: int) -> list[str]:
    """Return the effects of the viewer's cards that the table does not show, a paragraph each."""
    return []


def describe_move(before: Any, after: Any, action: str, names: Sequence[str], viewer: int | None = None) -> list[str]:
    """Return a move and its results as sentences, without information hidden from the viewer.

    before, after: the game before and after the move. action: its name. names: names of the seats, `YOU` for the
    reader. viewer: seat of the reader; None sees everything.
    """
    return [f"{names[before.current_seat]}, {plain(before.decision)}: {action}"]


def explain(topic: str, game: Any = None) -> list[str]:
    """Return paragraphs about a card, an action, a place or a term; [] if it is unknown.

    game: game whose options determine prices.
    """
    return []


def topics(game: Any = None) -> list[str]:
    """Return the topics that `explain` knows, for completion."""
    return []


def component_aliases(options: Any) -> list[tuple[str, ...]]:
    """Return components in texts other than actions, such as parents: "card", "place" or "parent", then its names."""
    return []


def table(game: Any, viewer: int | None, names: Sequence[str], width: int = 80) -> str:
    """Return the state of the game as lines of at most `width` columns, if possible. viewer: see `describe_move`."""
    from vitienv.core.fields import Visibility  # imports NumPy

    lines = [f"{round_name(game.game_spec.rounds.word, game.round).capitalize()}, points {game.scores}"]
    for field in game.game_spec.fields:
        value = game.state[field.name]
        if field.visibility is Visibility.PUBLIC and field.name != "rules":
            lines.append(f"{field.name} {value.tolist()}")
        elif field.visibility is Visibility.PRIVATE:
            seats = [seat for seat in range(len(names)) if viewer in (None, seat) or game.options.open_hands]
            lines.append(f"{field.name} { {seat: value[seat].tolist() for seat in seats} }")
    return "\n".join(lines)


def result(game: Any, names: Sequence[str] = ()) -> str:
    """Return the result of a finished game in sentences. names: see `question`."""
    names = names or [seat_title(seat) for seat in range(game.num_players)]
    if game.is_truncated:
        return "Cut off."
    if game.outcome is not None:
        rival = "" if game.automa_score is None else f" against {game.automa_score} points"
        aim_text = f" {game.game_spec.text_module.aim(game)}" if game.game_spec.is_of_team else ""
        return f"A {game.outcome}{rival}.{aim_text}"
    winners = [name for name, rank in zip(names, game.ranks, strict=True) if rank == 1]
    return f"{listed(winners)} share the first place." if len(winners) > 1 else f"{does(winners[0], 'win')}."


def render(game: Any, viewer: int | None = None) -> str:
    """Return the table with the pending decision or the result. viewer: seat of the reader; None sees every hand."""
    names = [seat_title(seat) for seat in range(game.num_players)]
    state = result(game) if game.is_over else f"{seat_title(game.current_seat)} decides: {game.decision}."
    return f"{game.game_spec.text_module.table(game, viewer, names)}\n\n{state}"
