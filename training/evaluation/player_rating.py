"""A person's level, estimated from the finished games against levels that are kept on this machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.files import from_json, read_text
from vitienv.registry import canonical_name
from vitienv.session import saves
from vitienv.session.replay import PERSON, replay
from vitienv.training.evaluation.levels import SHIPPED, RatingPosterior, ratings

if TYPE_CHECKING:
    from vitienv.game import Game

MOST_GAMES = 200  # files that are read, the newest
PEOPLE = (PERSON, "person")  # what a person's seat is called in a log of the terminal and in a table of the browser
PREFIX = "level:"


def level_told(game: Game, file: Path = SHIPPED) -> str:
    """The level of the person of this machine at the table of a game, in a sentence; "" if there is none.

    What counts is each kept game with these options in which one person sat among bots of one level. file: what the
    levels are worth.
    """
    levels = _levels_at(game, file)
    results = [] if levels is None else list(_results(game))
    if levels is None or not results:
        return ""
    sought = RatingPosterior(levels, game.num_players)
    for met, won in results:
        sought.add(met, 1, won)
    told, many = sought.told(), "game" if len(results) == 1 else "games"
    level, low, high = (told[key] for key in ("level", "level_low", "level_high"))
    return f"Your level at this table: {level:.1f} ({low:.1f} to {high:.1f}), by {len(results)} {many}."


def _levels_at(game: Game, file: Path) -> np.ndarray | None:
    """What the levels are worth at the table of a game; None if it is not measured."""
    made = game.game_spec
    if game.num_players < 2 or made.is_of_team:
        return None
    for table, options in made.tables.items():
        if game.options == made.options.of(**options, skip_forced=game.options.skip_forced):
            try:
                return ratings(table, canonical_name(made), file)[0]
            except ValueError:
                return None
    return None


def _results(game: Game) -> Iterator[tuple[int, float]]:
    wanted = canonical_name(game.game_spec), game.options.to_dict()
    found = [path for folder in ("games", "tables") for path in (saves.folder() / folder).glob("*.json")]
    at = sorted((path.stat().st_mtime_ns, path) for path in found)
    for result in (_result_in(path, changed) for changed, path in at[-MOST_GAMES:]):
        if result is not None and result[:2] == wanted:
            yield result[2:]


@lru_cache(maxsize=2 * MOST_GAMES)
def _result_in(path: Path, changed: int) -> tuple[str, dict[str, Any], int, float] | None:
    """The game, its options, the level met, the person's share of the first place; None if the file has no such game.
    changed: when the file was written; it is read once."""
    try:
        told = from_json(read_text(path))
        log, seats = (told["log"], told["seats"]) if "seats" in told else (told, told["agents"])
        met = _met(seats)
        if met is None or not log["is_over"] or log["position"] is not None:
            return None
        return log["game"], log["options"], met[0], _share(log, met[1])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None  # of another kind, or damaged


def _met(seats: Sequence[str]) -> tuple[int, int] | None:
    """The level in all seats but one, and that seat, which is a person's; None if they are others."""
    people = [seat for seat, who in enumerate(seats) if who in PEOPLE]
    others = {who for who in seats if who not in PEOPLE}
    if len(people) != 1 or len(others) != 1 or not (level := others.pop()).startswith(PREFIX):
        return None
    return int(level.removeprefix(PREFIX)), people[0]


def _share(log: Mapping[str, Any], seat: int) -> float:
    """A seat's share of the first place in a finished game; the rules break ties of points."""
    scores = [int(points) for points in log["scores"]]
    if scores[seat] < max(scores):
        return 0.0
    if scores.count(scores[seat]) == 1:
        return 1.0
    ranks = replay(log).ranks
    return 0.0 if ranks[seat] != 1 else 1 / ranks.count(1)
