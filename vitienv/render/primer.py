"""The rules of a game for who has never seen it, language models too: at most 4,000 tokens, at four characters each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.registry import DEFAULT, game_spec

MOST_CHARACTERS = 16_000
# What the seats need not know, or what the first line says.
UNTOLD = ("ruleset", "num_players", "reward", "skip_forced")


def primer(game: str | GameSpec = DEFAULT, **options: Any) -> str:
    """The rules of a game in Markdown, with the numbers of these options; the documentation shows the same text.

    options: those of `vitienv.Game.new`. ValueError for a game without a primer; errors as `Game.new`.
    """
    return primer_of(game_spec(game).options.of(**options))


def primer_of(options: Options) -> str:
    """The rules of a game with these options, in Markdown. ValueError for a game without a primer."""
    made = options.game_spec
    text = made.text_module.primer(options)
    if not text:
        raise ValueError(f"{made.title} has no primer; it is the function `primer` of {made.text}")
    ruleset = f", {options.ruleset}" if len(made.rulesets) > 1 else ""
    seats = f"{options.num_players} seats" if options.num_players != 1 else "one seat"
    return "\n".join([f"# {made.title}{ruleset}: the rules for {seats}", "", text.strip(), *_changed(options), ""])


def _changed(options: Options) -> list[str]:
    """A section on the options that are not the usual ones; [] if there are none."""
    told = options.to_dict()
    own = [one for one in fields(options) if one.name in told and one.name not in UNTOLD]
    lines = [_line(one, told[one.name]) for one in own if told[one.name] != one.default]
    return ["", "## At this table", "", *lines] if lines else []


def _line(option: Any, value: Any) -> str:
    """One option: its name and value, and what it means where the value does not say it."""
    if option.metadata.get("choices"):
        return f"* {option.name}: {value} (of {', '.join(option.metadata['choices'])})"
    said = "" if isinstance(value, Mapping) or value is True else f": {value}"
    return f"* {option.name}{said} ({option.metadata['meaning']})"
