"""What people are asked before a game: its rules, the options of each, and the bots that may sit there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import Field, fields
from importlib import import_module
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from vitienv.agents.levels import LEVELS

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.core.options import Options

# How strong they are, and what they do; bots of a game are of medium strength and say themselves what they do.
BOTS = {
    "random": ("Easy", "any legal move"),
    "ismcts:milliseconds=300": ("Strong", "searches, 0.3 s for a choice"),
    "policy:champion": ("Strong", "a trained network, at once"),
    "ismcts:milliseconds=1000,policy=champion": ("Strongest", "searches with that network, 1 s for a choice"),
}
MEDIUM = "Medium"
OPEN = "open_hands"  # of a team, which may well show its cards
CAMPAIGN = "campaign"


def bots_of(game: GameSpec) -> list[str]:
    """The bots that may sit at a table: a closed list, since the spec of a bot can name files and modules."""
    levels = [n for n, level in enumerate(LEVELS, 1) if "policy" not in level.bot or game.champions is not None]
    bots = [*(f"level:{n}" for n in levels), "random", *game.agents, "ismcts:milliseconds=300"]
    if game.champions is not None:
        bots += ["policy:champion", "ismcts:milliseconds=1000,policy=champion"]
    return bots


def told_of_bots(game: GameSpec) -> dict[str, str]:
    """How strong each of them is and what it does, for who has never met them; the spec comes last."""
    docs = {name: inspect.getdoc(resolve_name(path)) or "" for name, path in game.agents.items()}
    texts = {**BOTS, **{f"level:{n}": (f"Level {n}", level.text) for n, level in enumerate(LEVELS, 1)}}
    for name, doc in docs.items():
        first = doc.partition("\n")[0].partition(": see")[0].rstrip(".")
        texts[name] = MEDIUM, first[:1].lower() + first[1:]
    return {bot: "{}: {} ({})".format(*texts[bot], bot) for bot in bots_of(game)}


def offered(games: Mapping[str, GameSpec]) -> dict[str, Any]:
    """The rulesets of all games, each with its numbers of seats, its options, its bots and the terms of `?`."""
    rulesets: dict[str, Any] = {}
    for game, made in games.items():
        for ruleset in made.rulesets:
            name = f"{game}:{ruleset}" if ruleset in rulesets else ruleset
            rulesets[name] = _ruleset(game, made, made.options.of(ruleset=ruleset))
    return rulesets


def asked_of(options: Options) -> dict[str, Field[Any]]:
    """The options that people are asked for, of those that a ruleset has; where a game is cut off comes last."""
    is_of_team = options.game_spec.is_of_team
    own = {one.name: one for one in fields(options) if one.name in options.to_dict()}
    asked = [name for name, one in own.items() if one.metadata.get("is_asked") or (name == OPEN and is_of_team)]
    return {name: own[name] for name in sorted(asked, key=lambda name: (name == options.LIMIT, name == OPEN))}


def _ruleset(name: str, game: GameSpec, options: Options) -> dict[str, Any]:
    made, players = options.game_spec, options.players()
    asked = [_option(options, one) for one in asked_of(options).values()]
    if game.campaign is not None and import_module(game.campaign).Campaign.ruleset == options.ruleset:
        asked.insert(0, _told(CAMPAIGN, "all challenges, one game after the other", False))
    title = game.title if len(game.rulesets) == 1 else f"{game.title}, {options.ruleset}"
    return {
        "game": name,
        "ruleset": options.ruleset,
        "title": title,
        "least": players.start,
        "most": players.stop - 1,
        "usual_players": options.default_num_players(),
        "options": asked,
        "bots": told_of_bots(made),
        "usual": made.heuristic_bot,
        "things": made.text_module.things(),
    }


def _option(options: Options, own: Field[Any]) -> dict[str, Any]:
    choices = own.metadata["choices"]
    usual = choices[0] if choices and own.default is None else own.default
    is_level = any(own.name == name for name, _ in options.game_spec.levels.values())
    meaning = "from easy to hard" if is_level else _plain(own.metadata["meaning"], options.RULESETS, choices)
    meaning = {options.LIMIT: "the game is cut off after it", OPEN: "everybody sees all cards"}.get(own.name, meaning)
    seats = _seats(options, own.name, choices) if own.default is None else None
    return _told(own.name, meaning, usual, choices, seats)


def _told(name: str, meaning: str, usual: Any, choices: Any = (), seats: Any = None) -> dict[str, Any]:
    """An option as the page hears of it. seats: at how many it can be chosen, None for any number."""
    return {"name": name, "meaning": meaning, "usual": usual, "choices": list(choices), "seats": seats}


def _seats(options: Options, name: str, choices: tuple[str, ...]) -> list[int] | None:
    """The numbers of seats at which an option can be chosen; None for any number."""
    if not choices:
        return None
    numbers = []
    for n in options.players():
        try:
            options.with_(num_players=n, **{name: choices[0]})
        except ValueError:
            continue
        numbers.append(n)
    return numbers


def _plain(meaning: str, rulesets: tuple[str, ...], choices: tuple[str, ...]) -> str:
    """What an option means, without the rulesets that have it and without Markdown; "" if it only lists the choices."""
    words = re.sub(rf"^({'|'.join(rulesets)})\b[^:]*: ", "", meaning)
    words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`\"]", r"\1", words)
    return words if set(re.findall(r"\w+", words)) - {*choices, "or"} else ""
