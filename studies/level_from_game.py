"""Mistakes of the levels at two seats: `python -m studies.level_from_game` measures `agents/mistakes.toml`.

Each level plays against itself. `--check` plays every level against the next one instead, `--bot` another bot against
level 5, and prints in how many single games the interval contains the level.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np

from vitienv.agents.champions import FROZEN, digest_of, file_at, path_of
from vitienv.agents.game_level import FILE, count_mistakes, levels_in
from vitienv.agents.levels import LEVELS, BlunderingBot
from vitienv.agents.seeding import game_seeds, make_bot, make_bots
from vitienv.registry import DEFAULT, game_spec
from vitienv.session.replay import replay
from vitienv.training.evaluation.ladder import options_of
from vitienv.training.evaluation.match import GameResults, play

TABLE = "2"
MIN_CORRELATION = 0.002  # between the decisions of a game


def blundering_champion(share: float, seed: int = 0) -> BlunderingBot:
    """Return the champion with a share of random actions, as a bot that is not a level."""
    champion: Any = make_bot("policy:champion", seed)
    return BlunderingBot(champion, share, seed)


def results_of(bots: Sequence[str], games: int, seed: int) -> GameResults:
    """Return games of two bots that exchange seats after each game."""
    seating = [[i % 2, 1 - i % 2] for i in range(games)]
    return play(options_of(TABLE, game_spec()), game_seeds(seed, range(games)), seating, make_bots(bots, seed))


def correlation(mistakes: np.ndarray, decisions: np.ndarray) -> float:
    """Return the correlation between the decisions of a game, by moments of the beta-binomial distribution."""
    share = (mistakes.sum() + 0.5) / (decisions.sum() + 1)
    size = 1 / np.mean(1 / decisions)
    excess = np.var(mistakes / decisions, ddof=1) / (share * (1 - share)) - 1 / size
    return max(MIN_CORRELATION, round(float(excess / (1 - 1 / size)), 4))


def measure(games: int, seed: int) -> str:
    """Return the mistakes of all levels as TOML."""
    network = file_at(game_spec().options.of(**game_spec().tables[TABLE]), FROZEN)
    assert network is not None
    columns: list[tuple[int, int, float]] = []
    for level in range(1, len(LEVELS) + 1):
        results = results_of([f"level:{level}"] * 2, games, seed)
        counts = [seat for i in range(games) for seat in count_mistakes(replay(results.log(i)))]
        mistakes, decisions = np.array(counts).T
        columns.append((int(mistakes.sum()), int(decisions.sum()), correlation(mistakes, decisions)))
    rows = [f"{name} = {list(row)}" for name, row in zip(("mistakes", "decisions", "correlations"), zip(*columns))]
    head = [
        "# Mistakes of levels 1 to 10, each against itself, by python -m studies.level_from_game.", "",
        f'[{DEFAULT}."{TABLE}"]', f'network = "{digest_of(path_of(network, game_spec()))}"',
    ]  # fmt: skip
    return "\n".join([*head, f"seed = {seed}", f"games = {games}", *rows, ""])


def check(bots: Sequence[str], levels: Sequence[int], games: int, seed: int) -> None:
    """Print for each bot its mean level in single games, and how many of the intervals contain its level."""
    results = results_of(bots, games, seed)
    estimates = [levels_in(replay(results.log(i))) for i in range(games)]
    for bot, level in enumerate(levels):
        rows = [seats[bot if i % 2 == 0 else 1 - bot] for i, seats in enumerate(estimates) if seats]
        hits = sum(row.low <= level <= row.high for row in rows)
        mean, low, high = (np.mean([row[field] for row in rows]) for field in range(3))
        print(f"| `{bots[bot]}` | {level} | {mean:.1f} | {low:.1f} to {high:.1f} | {hits} of {len(rows)} |", flush=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=610000)
    parser.add_argument("--check", action="store_true", help="check the levels")
    parser.add_argument("--bot", help="check this bot")
    parser.add_argument("--level", type=int, help="level of the bot by its results, rounded")
    arguments = parser.parse_args(argv)
    if arguments.bot and arguments.level is None:
        parser.error("--bot requires --level")
    if arguments.games < 2:
        parser.error(f"--games must be at least 2, got {arguments.games}")
    if arguments.bot:
        check([arguments.bot, "level:5"], [arguments.level, 5], arguments.games, arguments.seed)
    elif arguments.check:
        for level in range(1, len(LEVELS)):
            check([f"level:{level}", f"level:{level + 1}"], [level, level + 1], arguments.games, arguments.seed + level)
    else:
        FILE.write_text(measure(arguments.games, arguments.seed), encoding="utf-8")


if __name__ == "__main__":
    main()
