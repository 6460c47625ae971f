"""Cards, parents, places and the game itself by neutral names, so that remembering a rulebook does not count."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from vitienv.core.definition import Definition
from vitienv.game import Game
from vitienv.told import Told, parse

NUMBERED = re.compile(r"order_\d+")  # cards that have no other names
PARENT = re.compile(r"[^.,]+, (?:mama|papa)\.")  # how a text about one begins
GAP = r"[_\s-]+"  # between the words of a name: in a table a line may end there
CALLED = {"gain_lira": "cart"}  # a place that sentences call otherwise
ALSO = {"tuscany": "a country", "essential": "usual", "automa": "rival"}  # what else tells which game it is


@lru_cache
def neutral(game: Definition) -> dict[str, str]:
    """The names that say which game it is, in small letters with "_" for gaps, and those that say nothing, such as
    "card15": of the cards and places of its actions, then of parents, continents, events and aims, then its own.

    ValueError for a game that has no cards or places with names.
    """
    names: dict[str, str] = {}
    for name in game.actions.names:
        kind, *parts = name.split(":")
        own = {"card": parts[-1:], "place": parts[:1], "service": parts[:1]}.get(kind, [])
        if own and not NUMBERED.fullmatch(own[0]):
            names.setdefault(own[0], f"{kind}{len(names) + 1}")
    if not names:
        raise ValueError(f"disguise: {game.title} has no names of cards or places")
    names |= {CALLED[name]: instead for name, instead in names.items() if name in CALLED}
    for kind, name in _told_of(game):
        names.setdefault(_key(name), f"{kind}{len(names) + 1}")
    title, varied = ("game2", {game.varies: "game1"}) if game.varies else ("game1", {})
    return names | dict.fromkeys(map(_key, (game.title, game.name, *game.title.split())), title) | varied | ALSO


def _told_of(game: Definition) -> Iterator[tuple[str, str]]:
    """The names that no action has, but a text about them: of parents, continents and their events, and aims."""
    continents = [one.metadata["choices"] for one in fields(game.options) if one.name == "continent"]
    for word in game.wording.things():
        texts = game.wording.about(word)
        if any(word in choices for choices in continents):
            yield "place", word
            yield from (("card", text.partition(". ")[0]) for text in texts[1:])
        elif word.startswith("aim:"):
            yield "card", texts[0].partition(". ")[0]
        elif texts and PARENT.match(texts[0]):
            yield "parent", word


def _key(name: str) -> str:
    return re.sub(GAP, "_", name).lower()


@lru_cache
def _known(game: Definition) -> re.Pattern[str]:
    names = sorted(neutral(game), key=len, reverse=True)
    ways = "|".join(re.escape(name).replace("_", GAP) for name in names)
    return re.compile(rf"(?<![A-Za-z])({ways})(?![A-Za-z])", re.IGNORECASE)


@lru_cache(10_000)
def _hidden(game: Definition, text: str) -> str:
    return _known(game).sub(lambda found: neutral(game)[_key(found[1])], text)


@dataclass(frozen=True)
class Speech:
    """The texts for a player who reads and writes, and the meaning of its answers. is_disguised: with neutral names."""

    is_disguised: bool

    def text(self, game: Definition, text: str) -> str:
        """A text about a game."""
        return _hidden(game, text) if self.is_disguised else text

    def words(self, game: Game) -> str:
        """See `Game.words`."""
        return self.text(game.definition, game.words())

    def told(self, game: Game) -> dict[str, Any]:
        """See `Game.told`."""
        return json.loads(self.text(game.definition, json.dumps(game.told())))

    def choices(self, game: Game) -> list[Told]:
        """See `Game.choices`."""
        return [
            Told(number=one["number"], name=self.text(game.definition, one["name"]),
                 sentence=self.text(game.definition, one["sentence"]))
            for one in game.choices()
        ]  # fmt: skip

    def parse(self, game: Game, text: str) -> int:
        """The number of the action that an answer names. IllegalAction as `Game.parse`, in the player's names."""
        shown = self.choices(game)
        meant = parse(game, text, shown)
        return next(one["number"] for one in shown if one["name"] == meant)


def speech(is_disguised: bool, game: Definition) -> Speech:
    """How a player of a game is spoken to. ValueError as of `neutral`."""
    if is_disguised:
        neutral(game)
    return Speech(is_disguised)
