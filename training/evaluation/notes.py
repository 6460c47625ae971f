"""Forfeits and counters of bots, such as tokens, with the remarks shown below results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from vitienv.core.text_utils import count, plain

if TYPE_CHECKING:
    from vitienv.training.evaluation.match import GameResults

FORFEITS, NOTES = "forfeits", "notes"
# Options that do not change the bot's play. In all specs, a comma before `key=` starts the next option.
_OPTION = r"(?:log|url|key)=.*?(?=,[a-z_]+=|$)"
HIDDEN_OPTIONS = re.compile(rf"(?<=:)(?:{_OPTION}(?:,|$))+|,{_OPTION}")
PROGRAM = re.compile(r"program:")
COMMAND_DIRECTORIES = re.compile(r"(['\"])[^'\"]*[/\\]|[^\s=:'\"]*[/\\]")  # directories before file names in a command
# Directories before the last part of a path: of networks, and of values that start like paths.
_PATH = r"(?:^|[:,=])(?:policy:|(?:path|policy)=)|(?:^|[:=])(?=~|\.{0,2}[/\\](?!/)|[A-Za-z]:[/\\])"
PATH_DIRECTORIES = re.compile(rf"({_PATH})(?:(?!,[a-z_]+=).)*[/\\](?=[^/\\])")
ByBot = dict[str, dict[str, int]]  # counts by spec and name
BotCounts = dict[str, ByBot]  # keys FORFEITS and NOTES; plain JSON


class GameCounts(TypedDict):
    """Counts of some games, as in `BotCounts`."""

    forfeits: ByBot
    notes: ByBot


def counts_by_game(played: GameResults, specs: Sequence[str]) -> list[BotCounts]:
    """Return the forfeits and notes of each game. specs: of the bots, by index in `seating`."""
    games: list[list[BotCounts]] = [[] for _ in played.seeds]
    for i, (seat, forfeit) in played.forfeits.items():
        games[i].append({FORFEITS: {specs[played.seating[i, seat]]: {forfeit.kind: 1}}})
    for i, notes_by_seat in played.notes.items():
        games[i] += [{NOTES: {specs[played.seating[i, seat]]: notes}} for seat, notes in notes_by_seat.items()]
    return [sum_counts(counts) for counts in games]


def sum_counts(games: Iterable[Mapping[str, Any]]) -> BotCounts:
    """Return the sums of "forfeits" and "notes" over games or results, of bots that have any."""
    total: BotCounts = {FORFEITS: {}, NOTES: {}}
    for game in games:
        for kind, by_bot in total.items():
            for spec, counts in game.get(kind, {}).items():
                sums = by_bot.setdefault(spec, {})
                for name, n in counts.items():
                    sums[name] = sums.get(name, 0) + n
    return total


def remarks(*results: Mapping[str, Any], verb: str = "lost") -> list[str]:
    """Return sentences with the forfeits and notes of all results. verb: between bot and number of games."""
    forfeits, notes = sum_counts(results).values()
    names = names_of([*forfeits, *notes])
    failures = [
        f"{names[bot]} {verb} {count(n, 'game')} by {kind}"
        for bot, kinds in forfeits.items()
        for kind, n in kinds.items()
    ]
    counts = {bot: ", ".join(f"{n} {plain(name)}" for name, n in counters.items()) for bot, counters in notes.items()}
    return failures + [f"{names[bot]}: {text}" for bot, text in counts.items() if text]


def names_of(specs: Iterable[str]) -> dict[str, str]:
    """Return the names of specs in tables: without logs, URLs and keys, unless two would be equal."""
    short_names = {spec: short_name(spec) for spec in specs}
    uses = Counter(short_names.values())
    return {spec: name if uses[name] == 1 else spec for spec, name in short_names.items()}


def short_name(spec: str) -> str:
    """Return a spec without log, URL and key."""
    return HIDDEN_OPTIONS.sub("", spec).rstrip(":")


def public_name(spec: str) -> str:
    """Return a spec for publication: a short name without the directories of commands and paths."""
    name = short_name(spec)
    return (COMMAND_DIRECTORIES if PROGRAM.search(name) else PATH_DIRECTORIES).sub(lambda match: match[1] or "", name)


def public_names(specs: Sequence[str]) -> list[str]:
    """Return the public names of bots; equal names of different bots are numbered."""
    equal: dict[str, list[str]] = {}
    for spec in dict.fromkeys(specs):
        equal.setdefault(public_name(spec), []).append(spec)
    names = [(public_name(spec), spec) for spec in specs]
    return [f"{name} ({equal[name].index(spec) + 1})" if len(equal[name]) > 1 else name for name, spec in names]
