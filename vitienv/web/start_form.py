"""Start form: rulesets with their options, numbers of seats and bots."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import Field, fields
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from vitienv.agents.levels import LEVELS

if TYPE_CHECKING:
    from vitienv.core.game_spec import GameSpec
    from vitienv.core.options import Options

# Names of the levels, one scale for all games.
LEVEL_NAMES = ("newcomer", "beginner", "novice", "amateur", "regular", "club player", "advanced", "expert", "master",
               "grandmaster")  # fmt: skip
STRONG = "ismcts:simulations=16,policy=champion"  # the strong bot by default
BOTS = {
    STRONG: ("Strong", "searches 16 simulations with the trained network"),
    "ismcts:milliseconds=1000,policy=champion": ("Strongest", "searches for 1 s per choice with the trained network"),
    "ismcts:milliseconds=300": ("Search", "searches for 0.3 s per choice"),
    "policy:champion": ("Network", "the trained network, no search"),
    "random": ("Random", "any legal move"),
}
OPEN = "open_hands"  # offered to teams only
CAMPAIGN = "campaign"


def bots_of(game: GameSpec) -> list[str]:
    """Return the bots of the form: a fixed list, as a bot spec can name files and modules."""
    levels = [n for n, level in enumerate(LEVELS, 1) if "policy" not in level.bot or game.champions is not None]
    network = [STRONG, "ismcts:milliseconds=1000,policy=champion", "policy:champion"]
    others = [*(network if game.champions is not None else ()), "ismcts:milliseconds=300", *game.agents, "random"]
    return [*(f"level:{n}" for n in levels), *others]


def describe_bots(game: GameSpec) -> dict[str, str]:
    """Return a line for each bot: the name of its level, or how it plays."""
    texts = {**BOTS}
    for name, path in game.agents.items():
        summary = (inspect.getdoc(resolve_name(path)) or "").partition("\n")[0].partition(": see")[0].rstrip(".")
        texts[name] = name.capitalize(), summary[:1].lower() + summary[1:]
    return {
        bot: f"level {bot[6:]}, {LEVEL_NAMES[int(bot[6:]) - 1]}" if bot.startswith("level:") else ": ".join(texts[bot])
        for bot in bots_of(game)
    }


def ruleset_forms(games: Mapping[str, GameSpec]) -> dict[str, Any]:
    """Return the rulesets of all games with their numbers of seats, options, bots and explained terms."""
    rulesets: dict[str, Any] = {}
    for game, spec in games.items():
        for ruleset in spec.rulesets:
            name = f"{game}:{ruleset}" if ruleset in rulesets else ruleset
            rulesets[name] = _ruleset(game, spec, spec.options.of(ruleset=ruleset))
    return rulesets


def form_fields(options: Options) -> dict[str, Field[Any]]:
    """Return the fields of the options in the form, the round limit last."""
    is_of_team = options.game_spec.is_of_team
    values = options.to_dict()
    rows = {row.name: row for row in fields(options) if row.name in values}
    names = [name for name, row in rows.items() if row.metadata.get("is_asked") or (name == OPEN and is_of_team)]
    return {name: rows[name] for name in sorted(names, key=lambda name: (name == options.LIMIT, name == OPEN))}


def _ruleset(name: str, game: GameSpec, options: Options) -> dict[str, Any]:
    spec, players = options.game_spec, options.players()
    rows = [_describe_option(options, option_field) for option_field in form_fields(options).values()]
    if game.campaign is not None and game.call("campaign").ruleset == options.ruleset:
        rows.insert(0, _option_form(CAMPAIGN, "all challenges in sequence", False))
    title = game.title if len(game.rulesets) == 1 else f"{game.title}, {options.ruleset}"
    return {
        "game": name,
        "ruleset": options.ruleset,
        "title": title,
        "min_players": players.start,
        "max_players": players.stop - 1,
        "default_players": options.default_num_players(),
        "options": rows,
        "bots": describe_bots(spec),
        "default_bot": spec.heuristic_bot,
        "topics": spec.text_module.topics(),
    }


def _describe_option(options: Options, option_field: Field[Any]) -> dict[str, Any]:
    choices = option_field.metadata["choices"]
    default = choices[0] if choices and option_field.default is None else option_field.default
    is_level = any(option_field.name == name for name, _ in options.game_spec.levels.values())
    meaning = "from easy to hard" if is_level else _plain(option_field.metadata["meaning"], options.RULESETS, choices)
    meaning = {options.LIMIT: "the game is cut off after it", OPEN: "everybody sees all cards"}.get(
        option_field.name, meaning
    )
    seats = _seats(options, option_field.name, choices) if option_field.default is None else None
    return _option_form(option_field.name, meaning, default, choices, seats)


def _option_form(name: str, meaning: str, default: Any, choices: Any = (), seats: Any = None) -> dict[str, Any]:
    """Return the JSON of an option. seats: numbers of seats at which it is available, None for all."""
    return {"name": name, "meaning": meaning, "default": default, "choices": list(choices), "seats": seats}


def _seats(options: Options, name: str, choices: tuple[str, ...]) -> list[int] | None:
    """Return the numbers of seats at which an option is available, None for all."""
    if not choices:
        return None
    numbers = []
    for n in options.players():
        try:
            options.replace(num_players=n, **{name: choices[0]})
        except ValueError:
            continue
        numbers.append(n)
    return numbers


def _plain(meaning: str, rulesets: tuple[str, ...], choices: tuple[str, ...]) -> str:
    """Return the meaning of an option without rulesets and Markdown, "" if it only lists the choices."""
    words = re.sub(rf"^({'|'.join(rulesets)})\b[^:]*: ", "", meaning)
    words = re.sub(r"\[([^]]*)\]\([^)]*\)|[`\"]", r"\1", words)
    return words if set(re.findall(r"\w+", words)) - {*choices, "or"} else ""
