"""Introductions to the rules for new players and language models: at most 4,000 tokens of four characters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from vitienv.core.game_spec import GameSpec
from vitienv.core.options import Options
from vitienv.registry import DEFAULT, game_spec

MAX_CHARS = 16_000
# Options that are irrelevant to players, or in the heading.
OMITTED = ("ruleset", "num_players", "reward", "skip_forced")


def primer(game: str | GameSpec = DEFAULT, **options: Any) -> str:
    """Return the rules of a game in Markdown, with the numbers of the options.

    options: options of `vitienv.Game.new`. ValueError for a game without a primer, and as in `Game.new`.
    """
    return primer_of(game_spec(game).options.of(**options))


def primer_of(options: Options) -> str:
    """Return the rules of a game with these options in Markdown. ValueError for a game without a primer."""
    spec = options.game_spec
    text = spec.text_module.primer(options)
    if not text:
        raise ValueError(f"{spec.title} has no primer; define the function `primer` of {spec.text}")
    ruleset = f", {options.ruleset}" if len(spec.rulesets) > 1 else ""
    seats = f"{options.num_players} seats" if options.num_players != 1 else "one seat"
    heading = f"# {spec.title}{ruleset}: the rules for {seats}"
    return "\n".join([heading, "", text.strip(), *_option_section(options), ""])


def _option_section(options: Options) -> list[str]:
    """Return a section on the options that differ from the defaults; [] if there are none."""
    values = options.to_dict()
    shown_options = [option for option in fields(options) if option.name in values and option.name not in OMITTED]
    lines = [_line(option, values[option.name]) for option in shown_options if values[option.name] != option.default]
    return ["", "## At this table", "", *lines] if lines else []


def _line(option: Any, value: Any) -> str:
    if option.metadata.get("choices"):
        return f"* {option.name}: {value} (of {', '.join(option.metadata['choices'])})"
    value_text = "" if isinstance(value, Mapping) or value is True else f": {value}"
    return f"* {option.name}{value_text} ({option.metadata['meaning']})"
