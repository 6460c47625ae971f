"""Neutral names for cards, parents, places and the game, so that knowledge of the rulebook does not help."""

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

NUMBERED = re.compile(r"order_\d+")  # cards without other names
GAP = r"[_\s-]+"  # between words, including line breaks in tables
SYNONYMS = {"gain_lira": "cart"}  # names of places in texts
# Other words that identify the game.
HINTS = {"tuscany": "a country", "essential": "usual", "automa": "rival", "burattino": "simulated"}


@lru_cache
def neutral(options: Options) -> dict[str, str]:
    """Return the replacements of names that identify the game, such as "card15", by lower-case names with "_".

    ValueError for a game without names of cards or places.
    """
    game, names = options.game_spec, dict[str, str]()
    for name in game.actions.names:
        kind, *parts = name.split(":")
        original = {"card": parts[-1:], "place": parts[:1], "service": parts[:1]}.get(kind, [])
        if original and not NUMBERED.fullmatch(original[0]):
            names.setdefault(original[0], f"{kind}{len(names) + 1}")
    if not names:
        raise ValueError(f"anonymize: {game.title} has no names of cards or places")
    names |= {SYNONYMS[name]: replacement for name, replacement in names.items() if name in SYNONYMS}
    for kind, *aliases in game.text_module.component_aliases(options):
        replacement = names.get(_key(aliases[0]), f"{kind}{len(names) + 1}")
        names |= {
            _key(name): replacement for name in aliases if re.search(r"[^\W\d_]", name) and _key(name) not in names
        }
    title, base = ("game2", {game.base_game: "game1"}) if game.base_game else ("game1", {})
    return names | dict.fromkeys(map(_key, (game.title, game.name, *game.title.split())), title) | base | HINTS


def _key(name: str) -> str:
    return re.sub(GAP, "_", name).lower()


@lru_cache
def _name_pattern(options: Options) -> re.Pattern[str]:
    names = sorted(neutral(options), key=len, reverse=True)
    alternatives = "|".join(re.escape(name).replace("_", GAP) for name in names)
    return re.compile(rf"(?<![A-Za-z])({alternatives})(?![A-Za-z])", re.IGNORECASE)


@lru_cache(10_000)
def _anonymize(options: Options, text: str) -> str:
    return _name_pattern(options).sub(lambda match: neutral(options)[_key(match[1])], text)


@dataclass(frozen=True)
class GameText:
    """Texts for a player that reads and writes. is_anonymized: with neutral names."""

    is_anonymized: bool

    def text(self, game: Game, text: str) -> str:
        """Return a text, anonymized if required."""
        return _anonymize(game.options, text) if self.is_anonymized else text

    def describe(self, game: Game) -> str:
        """See `Game.describe`."""
        return self.text(game, game.describe())

    def view(self, game: Game) -> dict[str, Any]:
        """See `Game.view`."""
        return json.loads(self.text(game, json.dumps(game.view())))

    def describe_actions(self, game: Game) -> list[ActionDescription]:
        """See `Game.describe_actions`."""
        return [
            ActionDescription(number=action["number"], name=self.text(game, action["name"]),
                 sentence=self.text(game, action["sentence"]))
            for action in game.describe_actions()
        ]  # fmt: skip

    def parse_action(self, game: Game, text: str) -> int:
        """Return the index of the action in an answer. IllegalAction as in `Game.parse_action`."""
        actions = self.describe_actions(game)
        name = parse_action(game, text, actions)
        return next(action["number"] for action in actions if action["name"] == name)


def game_text(is_anonymized: bool, game: GameSpec) -> GameText:
    """Return the `GameText` for a game. ValueError as in `neutral`."""
    if is_anonymized:
        neutral(game.options.of())
    return GameText(is_anonymized)
