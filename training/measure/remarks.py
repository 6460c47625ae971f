"""What is said below results: the games that bots lost by faults, and what bots counted, such as tokens."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from vitienv.core.english import count, plain

if TYPE_CHECKING:
    from vitienv.training.measure.match import Played

FAULTS, NOTES = "faults", "notes"
UNTOLD = re.compile(r"(:)(?:log|url|key)=[^,]*,|,(?:log|url|key)=[^,]*")  # options that make no other player
Counted = Counter[tuple[str, str, str]]  # by FAULTS or NOTES, the bot, and what was counted
ByBot = dict[str, dict[str, int]]  # counts of each bot


def counted(played: Played, specs: Sequence[str]) -> list[Counted]:
    """The faults and notes of each game. specs: of the bots that played."""
    games = [Counted() for _ in played.seeds]
    for i, (seat, fault) in played.faults.items():
        games[i][FAULTS, specs[played.seating[i, seat]], fault.kind] += 1
    for i, of_game in played.notes.items():
        for seat, told in of_game.items():
            for name, n in told.items():
                games[i][NOTES, specs[played.seating[i, seat]], name] += n
    return games


def told(games: Iterable[Counted]) -> dict[str, ByBot]:
    """The sums over games as plain JSON, "faults" and "notes"; only of bots that have any."""
    total: Counted = Counter()
    for game in games:
        total.update(game)  # a sum would leave out what was counted as 0
    found: dict[str, ByBot] = {FAULTS: {}, NOTES: {}}
    for (what, spec, name), n in total.items():
        found[what].setdefault(spec, {})[name] = n
    return found


def remarks(faults: Mapping[str, Mapping[str, int]], notes: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Both in words, by the specs of all bots."""
    names = names_of([*faults, *notes])
    lost = [f"{names[bot]} lost {count(n, 'game')} by {kind}" for bot, of in faults.items() for kind, n in of.items()]
    counts = {bot: ", ".join(f"{n} {plain(name)}" for name, n in of.items()) for bot, of in notes.items()}
    return lost + [f"{names[bot]}: {words}" for bot, words in counts.items() if words]


def names_of(specs: Iterable[str]) -> dict[str, str]:
    """Specs as tables show them: without logs, addresses and keys, where they still tell the bots apart."""
    short = {spec: UNTOLD.sub(r"\1", spec) for spec in specs}
    uses = Counter(short.values())
    return {spec: name if uses[name] == 1 else spec for spec, name in short.items()}
