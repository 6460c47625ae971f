"""Text interface of a game: views, descriptions of the legal actions, and parsing of answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from vitienv.core.errors import IllegalAction
from vitienv.core.text_utils import YOU, sentence
from vitienv.render.text import Choice, choices, seat_name

if TYPE_CHECKING:
    from vitienv.game import Game

TABLE_WIDTH = 120
MAX_ANSWER_CHARS = 100_000
MAX_QUOTED_CHARS = 80
TAG = re.compile(r"<(/?)action>", re.IGNORECASE)
LABEL = re.compile(r"(?:final\s+)?(?:action|answer|choice|move)\s*[:=]\s*", re.IGNORECASE)
MARKUP = " \t\r\n*_`\"'."  # around the answers of language models
CONTROL_CHARS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")  # except tabs and line ends


class ActionDescription(TypedDict):
    """A legal action: its number, its name, and a sentence that is unique among the legal actions."""

    number: int
    name: str
    sentence: str


def names_of(game: Game, viewer: int) -> list[str]:
    """Return the names of the seats in sentences for one of them: "You", and the others by number."""
    return [YOU if seat == viewer else seat_name(seat) for seat in range(game.num_players)]


def describe(game: Game, viewer: int) -> str:
    """Return a seat's view of the game in sentences, with the pending decision of the current player."""
    text_module, names = game.game_spec.text_module, names_of(game, viewer)
    parts = [f"You are {seat_name(viewer)}."] if game.num_players > 1 else []
    parts.append(text_module.table(game, viewer, names, TABLE_WIDTH))
    if hand := text_module.in_hand(game, viewer):
        parts.append("\n".join(["Your cards:", *(f"  {line}" for line in hand)]))
    if game.current_seat == viewer:
        parts.append(text_module.question(game, names))
    elif game.current_seat is not None:
        parts.append(sentence(f"{names[game.current_seat]} decides"))
    return "\n\n".join(parts)


def describe_actions(game: Game) -> list[ActionDescription]:
    """Return descriptions of the legal actions by number; [] when the game is over."""
    if game.current_seat is None:
        return []
    number, rows = game.game_spec.actions.number, choices(game, names_of(game, game.current_seat))
    return [ActionDescription(number=number(row.action), name=row.action, sentence=_sentence(row)) for row in rows]


def action_line(choice: ActionDescription) -> str:
    """Return a choice in one line: number and sentence."""
    return f"{choice['number']}: {choice['sentence']}"


def named_action_line(choice: ActionDescription) -> str:
    """Return a choice in one line: number, sentence and name."""
    return f"{action_line(choice)} ({choice['name']})"


def _sentence(choice: Choice) -> str:
    # A bare amount, such as "3", could be read as the number of another action; the name is unambiguous.
    text = sentence(choice.line)
    return sentence(choice.action) if _normalize(text).isdecimal() else text


def parse_action(game: Game, text: str, descriptions: list[ActionDescription] | None = None) -> str:
    """Return the name of the legal action that an answer selects by number, name, sentence or whole line.

    The answer is the text in the last pair of <action> and </action>, or else the last line, with an optional "Action:"
    before it.

    descriptions: the choices as presented to the player, by default those of `describe_actions`.

    Raises IllegalAction if the answer is not exactly one legal action.
    """
    if game.current_seat is None:
        raise IllegalAction("the game is over")
    if not isinstance(text, str):
        raise IllegalAction(f"answer must be a string, got {type(text).__name__}")
    if len(text) > MAX_ANSWER_CHARS:
        raise IllegalAction(f"answer must have at most {MAX_ANSWER_CHARS} characters, got {len(text)}")
    answer = _answer(text)
    if not answer:
        raise IllegalAction("the answer is empty; name an action in its last line or in <action>...</action>")
    legal = describe_actions(game) if descriptions is None else descriptions
    normalized = _normalize(answer)
    matches = [action["name"] for action in legal if normalized in _accepted_answers(action)]
    if len(matches) == 1:
        return matches[0]
    quoted = ascii(answer if len(answer) <= MAX_QUOTED_CHARS else answer[:MAX_QUOTED_CHARS] + "...")
    example = f"{legal[0]['number']} or {legal[0]['name']!r}"
    is_number = normalized.isascii() and normalized.isdecimal() and len(normalized) < 10
    if normalized in game.game_spec.actions.names or is_number:
        raise IllegalAction(f"{quoted} is not a legal action; expected, for example, {example}")
    raise IllegalAction(
        f"{quoted} is not an action; expected the number, name or sentence of a choice, such as {example}"
    )


def _answer(text: str) -> str:
    lines = [answer for line in text.replace("\r", "\n").split("\n") if (answer := line.strip(MARKUP))]
    answer, start = lines[-1] if lines else "", None
    for tag in TAG.finditer(text):
        if not tag[1]:
            start = tag.end()
        elif start is not None:
            answer, start = text[start : tag.start()], None
    if (control := CONTROL_CHARS.search(answer)) is not None:
        raise IllegalAction(f"the answer contains the control character {control[0]!a}")
    answer = answer.strip(MARKUP)
    label = LABEL.match(answer)
    return answer[label.end() if label else 0 :].strip(MARKUP)


def _accepted_answers(choice: ActionDescription) -> tuple[str, ...]:
    texts = choice["name"], choice["sentence"], action_line(choice), named_action_line(choice)
    return str(choice["number"]), *map(_normalize, texts)


def _normalize(text: str) -> str:
    """Normalise case, whitespace and surrounding punctuation."""
    return " ".join(text.split()).strip(MARKUP).casefold()
