"""Forfeits and counters of bots, such as tokens, with the remarks shown below results."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from vitienv.core.text_utils import count, plain

if TYPE_CHECKING:
    from vitienv.training.evaluation.match import Played

FORFEITS, NOTES = "forfeits", "notes"
# Options that do not change the bot's play. In all specs, a comma before `key=` starts the next option.
_OPTION = r"(?:log|url|key)=.*?(?=,[a-z_]+=|$)"
UNTOLD = re.compile(rf"(?<=:)(?:{_OPTION}(?:,|$))+|,{_OPTION}")
PROGRAM = re.compile(r"program:")
FOLDERS = re.compile(r"(['\"])[^'\"]*[/\\]|[^\s=:'\"]*[/\\]")  # directories before file names in a command
# Directories before the last part of a path: of networks, and of values that start like paths.
_PATH = r"(?:^|[:,=])(?:policy:|(?:path|policy)=)|(?:^|[:=])(?=~|\.{0,2}[/\\](?!/)|[A-Za-z]:[/\\])"
PATHS = re.compile(rf"({_PATH})(?:(?!,[a-z_]+=).)*[/\\](?=[^/\\])")
ByBot = dict[str, dict[str, int]]  # counts by spec and name
Counted = dict[str, ByBot]  # keys FORFEITS and NOTES; plain JSON


class GameCounts(TypedDict):
    """Counts of some games, as in `Counted`."""

    forfeits: ByBot
    notes: ByBot


def counts_by_game(played: Played, specs: Sequence[str]) -> list[Counted]:
    """Return the forfeits and notes of each game. specs: of the bots, by index in `seating`."""
    games: list[list[Counted]] = [[] for _ in played.seeds]
    for i, (seat, forfeit) in played.forfeits.items():
        games[i].append({FORFEITS: {specs[played.seating[i, seat]]: {forfeit.kind: 1}}})
    for i, of_game in played.notes.items():
        games[i] += [{NOTES: {specs[played.seating[i, seat]]: notes}} for seat, notes in of_game.items()]
    return [sum_counts(counts) for counts in games]


def sum_counts(games: Iterable[Mapping[str, Any]]) -> Counted:
    """Return the sums of "forfeits" and "notes" over games or results, of bots that have any."""
    total: Counted = {FORFEITS: {}, NOTES: {}}
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
    lost = [
        f"{names[bot]} {verb} {count(n, 'game')} by {kind}" for bot, of in forfeits.items() for kind, n in of.items()
    ]
    counts = {bot: ", ".join(f"{n} {plain(name)}" for name, n in of.items()) for bot, of in notes.items()}
    return lost + [f"{names[bot]}: {words}" for bot, words in counts.items() if words]


def names_of(specs: Iterable[str]) -> dict[str, str]:
    """Return the names of specs in tables: without logs, URLs and keys, unless two would be equal."""
    short = {spec: short_name(spec) for spec in specs}
    uses = Counter(short.values())
    return {spec: name if uses[name] == 1 else spec for spec, name in short.items()}


def short_name(spec: str) -> str:
    """Return a spec without log, URL and key."""
    return UNTOLD.sub("", spec).rstrip(":")


def public_name(spec: str) -> str:
    """Return a spec for publication: a short name without the directories of commands and paths."""
    name = short_name(spec)
    return (FOLDERS if PROGRAM.search(name) else PATHS).sub(lambda match: match[1] or "", name)


def public_names(specs: Sequence[str]) -> list[str]:
    """Return the public names of bots; equal names of different bots are numbered."""
    alike: dict[str, list[str]] = {}
    for spec in dict.fromkeys(specs):
        alike.setdefault(public_name(spec), []).append(spec)
    names = [(public_name(spec), spec) for spec in specs]
    return [f"{name} ({alike[name].index(spec) + 1})" if len(alike[name]) > 1 else name for name, spec in names]
