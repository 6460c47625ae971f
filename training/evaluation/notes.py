"""What is said below results: the games that bots lost by faults, and what bots counted, such as tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypedDict

import numpy as np

from vitienv.core.text_utils import count, plain

if TYPE_CHECKING:
    from vitienv.training.evaluation.match import Forfeits, Notes

FORFEITS, NOTES = "forfeits", "notes"
# Options that make no other player: as of all specs, a comma before `key=` begins the next one.
_OPTION = r"(?:log|url|key)=.*?(?=,[a-z_]+=|$)"
UNTOLD = re.compile(rf"(?<=:)(?:{_OPTION}(?:,|$))+|,{_OPTION}")
PROGRAM = re.compile(r"program:")
FOLDERS = re.compile(r"(['\"])[^'\"]*[/\\]|[^\s=:'\"]*[/\\]")  # before a file's own name, in a command
# The folders before the last part of a path: of a network, and of what begins as paths do.
_PATH = r"(?:^|[:,=])(?:policy:|(?:path|policy)=)|(?:^|[:=])(?=~|\.{0,2}[/\\](?!/)|[A-Za-z]:[/\\])"
PATHS = re.compile(rf"({_PATH})(?:(?!,[a-z_]+=).)*[/\\](?=[^/\\])")
ByBot = dict[str, dict[str, int]]  # counts of each bot
Counted = dict[str, ByBot]  # by FAULTS or NOTES; plain JSON


class GameCounts(TypedDict):
    """The counts of some games, as in `Counted`."""

    forfeits: ByBot
    notes: ByBot


class Games(Protocol):
    """Games that were played, such as `match.Played`."""

    @property
    def seeds(self) -> list[int]: ...
    @property
    def seating(self) -> np.ndarray: ...
    @property
    def forfeits(self) -> Forfeits: ...
    @property
    def notes(self) -> Notes: ...


def counted(played: Games, specs: Sequence[str]) -> list[Counted]:
    """The faults and notes of each game. specs: of the bots that played."""
    games = [told([]) for _ in played.seeds]
    for i, (seat, forfeit) in played.forfeits.items():
        games[i][FORFEITS][specs[played.seating[i, seat]]] = {forfeit.kind: 1}
    for i, of_game in played.notes.items():
        for seat, notes in of_game.items():
            _add(games[i][NOTES], {specs[played.seating[i, seat]]: notes})
    return games


def told(games: Iterable[Mapping[str, Any]]) -> Counted:
    """The sums over games, or over results of some, of "forfeits" and "notes"; only of bots that have any."""
    total: Counted = {FORFEITS: {}, NOTES: {}}
    for game in games:
        for what, sums in total.items():
            _add(sums, game.get(what, {}))
    return total


def _add(total: ByBot, counts: Mapping[str, Mapping[str, int]]) -> None:
    for spec, of_bot in counts.items():
        sums = total.setdefault(spec, {})
        for name, n in of_bot.items():
            sums[name] = sums.get(name, 0) + n


def remarks(*results: Mapping[str, Any]) -> list[str]:
    """Faults and notes of all results in words, by the specs of all bots."""
    forfeits, notes = told(results).values()
    names = names_of([*forfeits, *notes])
    lost = [f"{names[bot]} lost {count(n, 'game')} by {kind}" for bot, of in forfeits.items() for kind, n in of.items()]
    counts = {bot: ", ".join(f"{n} {plain(name)}" for name, n in of.items()) for bot, of in notes.items()}
    return lost + [f"{names[bot]}: {words}" for bot, words in counts.items() if words]


def names_of(specs: Iterable[str]) -> dict[str, str]:
    """Specs as tables show them: without logs, addresses and keys, where they still tell the bots apart."""
    short = {spec: short_name(spec) for spec in specs}
    uses = Counter(short.values())
    return {spec: name if uses[name] == 1 else spec for spec, name in short.items()}


def short_name(spec: str) -> str:
    """A spec without log, address and key."""
    return UNTOLD.sub("", spec).rstrip(":")


def public_name(spec: str) -> str:
    """A spec that strangers may read: a short name, and no folders of a program's command or of a path."""
    name = short_name(spec)
    return (FOLDERS if PROGRAM.search(name) else PATHS).sub(lambda found: found[1] or "", name)


def public_names(specs: Sequence[str]) -> list[str]:
    """The public names of bots, numbered where those of different bots would be the same."""
    alike: dict[str, list[str]] = {}
    for spec in dict.fromkeys(specs):
        alike.setdefault(public_name(spec), []).append(spec)
    names = [(public_name(spec), spec) for spec in specs]
    return [f"{name} ({alike[name].index(spec) + 1})" if len(alike[name]) > 1 else name for name, spec in names]
