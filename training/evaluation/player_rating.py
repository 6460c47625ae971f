"""Level of the user, estimated from saved games against the levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.core.files import from_json, read_text
from vitienv.registry import canonical_name
from vitienv.session import saves
from vitienv.session.replay import PERSON, replay
from vitienv.training.evaluation.levels import BUNDLED_FILE, RatingPosterior, ratings

if TYPE_CHECKING:
    from vitienv.game import Game

MAX_GAMES = 200  # newest files to read
PREFIX = "level:"


def describe_level(game: Game, file: Path = BUNDLED_FILE) -> str:
    """Return a sentence with the user's level at the table of a game; "" if unknown.

    It uses all saved games with these options between one person and bots of one level, and counts games on one deal as
    one. file: ratings of the levels.
    """
    levels = _levels_at(game, file)
    results = [] if levels is None else list(_results(game))
    if levels is None or not results:
        return ""
    posterior = RatingPosterior(levels, game.num_players)
    wins_of_deal: dict[tuple[int, str], list[float]] = {}
    for opponents, seed, won in results:
        wins_of_deal.setdefault((opponents, seed), []).append(won)
    for (opponents, _), wins in wins_of_deal.items():
        posterior.add(opponents, 1, fmean(wins))
    estimate, noun = posterior.summary(), "game" if len(results) == 1 else "games"
    level, low, high = (estimate[key] for key in ("level", "level_low", "level_high"))
    return f"Your level at this table: {level:.1f} ({low:.1f} to {high:.1f}), by {len(results)} {noun}."


def _levels_at(game: Game, file: Path) -> np.ndarray | None:
    spec = game.game_spec
    if game.num_players < 2 or spec.is_of_team:
        return None
    for table, options in spec.tables.items():
        if game.options == spec.options.of(**options, skip_forced=game.options.skip_forced):
            try:
                return ratings(table, canonical_name(spec), file)[0]
            except ValueError:
                return None
    return None


def _results(game: Game) -> Iterator[tuple[int, str, float]]:
    table = canonical_name(game.game_spec), game.options.to_dict()
    paths = [path for folder in ("games", "tables") for path in (saves.folder() / folder).glob("*.json")]
    by_time = sorted((path.stat().st_mtime_ns, path) for path in paths)
    for result in (_result_in(path, changed) for changed, path in by_time[-MAX_GAMES:]):
        if result is not None and result[:2] == table:
            yield result[2:]


@lru_cache(maxsize=2 * MAX_GAMES)
def _result_in(path: Path, changed: int) -> tuple[str, dict[str, Any], int, str, float] | None:
    """Return game, options, level, seed and the person's win share of a saved game; None if it does not count.

    changed: modification time, which invalidates the cache.
    """
    try:
        log = from_json(read_text(path))
        opponents = _opponents_in(log["agents"])
        if opponents is None or not log["is_over"] or log["position"] is not None:
            return None
        return log["game"], log["options"], opponents[0], str(log["seed"]), _share(log, opponents[1])
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None  # another format, or damaged


def _opponents_in(seats: Sequence[str]) -> tuple[int, int] | None:
    """Return the level of the bots and the person's seat; None unless one person plays bots of one level."""
    people = [seat for seat, name in enumerate(seats) if name == PERSON]
    others = {name for name in seats if name != PERSON}
    if len(people) != 1 or len(others) != 1 or not (level := others.pop()).startswith(PREFIX):
        return None
    return int(level.removeprefix(PREFIX)), people[0]


def _share(log: Mapping[str, Any], seat: int) -> float:
    scores = [int(points) for points in log["scores"]]
    if scores[seat] < max(scores):
        return 0.0
    if scores.count(scores[seat]) == 1:
        return 1.0
    ranks = replay(log).ranks
    return 0.0 if ranks[seat] != 1 else 1 / ranks.count(1)
