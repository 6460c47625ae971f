"""A game in text: what a seat may know, its choices, and the choice that an answer names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypedDict

from vitienv.core.errors import IllegalAction
from vitienv.core.text_utils import YOU, sentence
from vitienv.render.text import Choice, seat_name

if TYPE_CHECKING:
    from vitienv.game import Game

COLUMNS = 120  # of a table
MOST_CHARACTERS = 100_000  # of an answer
SHOWN = 80  # characters of an answer in an error
MARK = re.compile(r"<(/?)action>", re.IGNORECASE)
LABEL = re.compile(r"(?:final\s+)?(?:action|answer|choice|move)\s*[:=]\s*", re.IGNORECASE)
AROUND = " \t\r\n*_`\"'."  # what a model writes round an answer
UNPRINTED = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029]")  # all but tabs and ends of lines


class ActionDescription(TypedDict):
    """A legal action: its number, its name, and a sentence that no other legal action has."""

    number: int
    name: str
    sentence: str


def names_of(game: Game, viewer: int) -> list[str]:
    """What the seats are called in sentences for one of them: "You", the others by their numbers from one."""
    return [YOU if seat == viewer else seat_name(seat) for seat in range(game.num_players)]


def describe(game: Game, viewer: int) -> str:
    """What a seat may know, in sentences; and its question, if it decides."""
    text_module, names = game.game_spec.text_module, names_of(game, viewer)
    parts = [f"You are {seat_name(viewer)}."] if game.num_players > 1 else []
    parts.append(text_module.table(game, viewer, names, COLUMNS))
    if hand := text_module.in_hand(game, viewer):
        parts.append("\n".join(["Your cards:", *(f"  {line}" for line in hand)]))
    if game.current_seat == viewer:
        parts.append(text_module.question(game, names))
    elif game.current_seat is not None:
        parts.append(sentence(f"{names[game.current_seat]} decides"))
    return "\n\n".join(parts)


def describe_actions(game: Game) -> list[ActionDescription]:
    """The legal actions in the order of their numbers; [] when the game is over."""
    if game.current_seat is None:
        return []
    made = game.game_spec.text_module.choices(game, names_of(game, game.current_seat))
    number = game.game_spec.actions.number
    return [ActionDescription(number=number(one.action), name=one.action, sentence=_sentence(one)) for one in made]


def action_line(choice: ActionDescription) -> str:
    """A choice as a player sees it: its number and its sentence."""
    return f"{choice['number']}: {choice['sentence']}"


def named_action_line(choice: ActionDescription) -> str:
    """A choice with its name too."""
    return f"{action_line(choice)} ({choice['name']})"


def _sentence(choice: Choice) -> str:
    """What a choice does. An amount alone ("3") would read as the number of another action: its name tells it."""
    told = sentence(f"{choice.name}: {choice.text}" if choice.text else choice.name)
    return sentence(choice.action) if _plain(told).isdecimal() else told


def parse_action(game: Game, text: str, told: list[ActionDescription] | None = None) -> str:
    """The name of the legal action that an answer names, by its number, its name, its sentence or its whole line.

    told: the choices as the player was told them, if they are not those of `choices`.

    The answer stands between <action> and </action>, the last such place counting, or else in the last line; "Action:"
    may stand before it. IllegalAction says why it names none; nothing is guessed.
    """
    if game.current_seat is None:
        raise IllegalAction("the game is over; no answer is asked for")
    if not isinstance(text, str):
        raise IllegalAction(f"an answer must be text, not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise IllegalAction(f"the answer has {len(text)} characters; at most {MOST_CHARACTERS} are read")
    answer = _answer(text)
    if not answer:
        raise IllegalAction("the answer is empty; name an action in its last line or in <action>...</action>")
    legal = describe_actions(game) if told is None else told
    meant = _plain(answer)
    found = [one["name"] for one in legal if meant in _ways(one)]
    if len(found) == 1:
        return found[0]
    shown = ascii(answer if len(answer) <= SHOWN else answer[:SHOWN] + "...")
    example = legal[0]
    if meant in game.game_spec.actions.names or (meant.isascii() and meant.isdecimal() and len(meant) < 10):
        raise IllegalAction(f"{shown} is no legal action now; one is {example['number']} or {example['name']!r}")
    raise IllegalAction(
        f"{shown} names no legal action; give a number, a name or a whole sentence of the choices, such as "
        f"{example['number']} or {example['name']!r}"
    )


def _answer(text: str) -> str:
    """The part of a text in which an action is named. IllegalAction if a control character is in it."""
    lines = [said for line in text.replace("\r", "\n").split("\n") if (said := line.strip(AROUND))]
    said, begun = lines[-1] if lines else "", None
    for mark in MARK.finditer(text):
        if not mark[1]:
            begun = mark.end()
        elif begun is not None:
            said, begun = text[begun : mark.start()], None
    if (control := UNPRINTED.search(said)) is not None:
        raise IllegalAction(f"the answer has the control character {control[0]!a}")
    label = LABEL.match(said.strip(AROUND))
    return said.strip(AROUND)[label.end() if label else 0 :].strip(AROUND)


def _ways(choice: ActionDescription) -> tuple[str, ...]:
    texts = choice["name"], choice["sentence"], action_line(choice), named_action_line(choice)
    return str(choice["number"]), *map(_plain, texts)


def _plain(text: str) -> str:
    """A text without what does not count: capitals, how wide gaps are, what stands round it."""
    return " ".join(text.split()).strip(AROUND).casefold()
