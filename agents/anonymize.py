"""Cards, parents, places and the game itself by neutral names, so that remembering a rulebook does not count."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.session.text_interface import ActionDescription, parse_action

NUMBERED = re.compile(r"order_\d+")  # cards that have no other names
GAP = r"[_\s-]+"  # between the words of a name: in a table a line may end there
CALLED = {"gain_lira": "cart"}  # a place that sentences call otherwise
ALSO = {"tuscany": "a country", "essential": "usual", "automa": "rival"}  # what else tells which game it is


@lru_cache
def neutral(options: Options) -> dict[str, str]:
    """The names that say which game it is, in small letters with "_" for gaps, and those that say nothing, such as
    "card15": of the cards and places of its actions, then of what only texts name, then its own.

    ValueError for a game that has no cards or places with names.
    """
    game, names = options.game_spec, dict[str, str]()
    for name in game.actions.names:
        kind, *parts = name.split(":")
        own = {"card": parts[-1:], "place": parts[:1], "service": parts[:1]}.get(kind, [])
        if own and not NUMBERED.fullmatch(own[0]):
            names.setdefault(own[0], f"{kind}{len(names) + 1}")
    if not names:
        raise ValueError(f"anonymize: {game.title} has no names of cards or places")
    names |= {CALLED[name]: instead for name, instead in names.items() if name in CALLED}
    for kind, *called in game.text_module.named(options):
        instead = names.get(_key(called[0]), f"{kind}{len(names) + 1}")
        names |= {_key(name): instead for name in called if re.search(r"[^\W\d_]", name) and _key(name) not in names}
    title, varied = ("game2", {game.base_game: "game1"}) if game.base_game else ("game1", {})
    return names | dict.fromkeys(map(_key, (game.title, game.name, *game.title.split())), title) | varied | ALSO


def _key(name: str) -> str:
    return re.sub(GAP, "_", name).lower()


@lru_cache
def _known(options: Options) -> re.Pattern[str]:
    names = sorted(neutral(options), key=len, reverse=True)
    ways = "|".join(re.escape(name).replace("_", GAP) for name in names)
    return re.compile(rf"(?<![A-Za-z])({ways})(?![A-Za-z])", re.IGNORECASE)


@lru_cache(10_000)
def _hidden(options: Options, text: str) -> str:
    return _known(options).sub(lambda found: neutral(options)[_key(found[1])], text)


@dataclass(frozen=True)
class Speech:
    """The texts for a player who reads and writes, and the meaning of its answers. is_anonymized: with neutral
    names."""

    is_anonymized: bool

    def text(self, game: Game, text: str) -> str:
        """A text about a game."""
        return _hidden(game.options, text) if self.is_anonymized else text

    def describe(self, game: Game) -> str:
        """See `Game.describe`."""
        return self.text(game, game.describe())

    def view(self, game: Game) -> dict[str, Any]:
        """See `Game.view`."""
        return json.loads(self.text(game, json.dumps(game.view())))

    def describe_actions(self, game: Game) -> list[ActionDescription]:
        """See `Game.describe_actions`."""
        return [
            ActionDescription(number=one["number"], name=self.text(game, one["name"]),
                 sentence=self.text(game, one["sentence"]))
            for one in game.describe_actions()
        ]  # fmt: skip

    def parse_action(self, game: Game, text: str) -> int:
        """The number of the action that an answer names. IllegalAction as `Game.parse_action`, in the player's
        names."""
        shown = self.describe_actions(game)
        meant = parse_action(game, text, shown)
        return next(one["number"] for one in shown if one["name"] == meant)


def speech(is_anonymized: bool, game: GameSpec) -> Speech:
    """How a player of a game is spoken to. ValueError as of `neutral`."""
    if is_anonymized:
        neutral(game.options.of())
    return Speech(is_anonymized)
