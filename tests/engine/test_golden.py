"""Games written down move by move, counts of positions, and the bench signature: any change of behaviour shows."""

from pathlib import Path

import numpy as np
import pytest

import vitienv

GOLDEN = Path(__file__).parent / "golden"


def playthrough(num_players: int | None, seed: int, **options) -> str:
    """A random game in words: each decision, its legal actions' number, the choice, and what the table looks like."""
    rng = np.random.default_rng(seed)
    game = vitienv.Game.new(num_players=num_players, seed=seed, **options)
    num_players = game.num_players
    lines, year = [f"{num_players} players, seed {seed}, {options}"], -1
    while not game.is_over:
        if game.year != year:
            year = game.year
            lira = [int(x) for x in game.record.lira[:num_players]]
            lines.append(f"-- year {year}: points {game.scores}, lira {lira}")
        legal = game.legal_actions()
        action = str(rng.choice(legal))
        lines.append(f"{game.seat} {game.decision} ({len(legal)}): {action}")
        game.step(action)
    return "\n".join([*lines, f"over: {game.scores}, ranks {game.ranking}", ""])


GAMES = [(2, 1, {}), (3, 2, {"friendly": True}), (4, 3, {"draft_parents": True}), (6, 4, {"skip_forced": True})]


@pytest.mark.parametrize(("num_players", "seed", "options"), GAMES, ids=["two", "three", "four", "six"])
def test_playthroughs_are_as_written(num_players, seed, options):
    """After a wanted change of the rules delete the files in `golden`: the test then writes them anew."""
    compare(GOLDEN / f"players_{num_players}.txt", playthrough(num_players, seed, **options))


def compare(path: Path, told: str) -> None:
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        path.write_text(told, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written; read it and run again")
    assert told == path.read_text(encoding="utf-8")


OTHERS = {
    "solo": {"ruleset": "solo", "difficulty": "hard"},
    "challenge": {"ruleset": "solo", "challenge": 1, "aggressive": True, "bonus_tokens": 2},
    "blocker": {"ruleset": "solo", "stand_in": "blocker"},
    "original": {"ruleset": "original", "num_players": 3},
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_rulesets_play_as_written(name):
    options = {"num_players": None, **OTHERS[name]}
    compare(GOLDEN / f"{name}.txt", playthrough(seed=5, **options))


def perft(game: vitienv.Game, depth: int) -> int:
    """How many sequences of `depth` decisions there are."""
    if depth == 0 or game.is_over:
        return 1
    if depth == 1:
        return len(game.legal_actions())
    return sum(perft(game.copy().step(action), depth - 1) for action in game.legal_actions())


@pytest.mark.parametrize(
    ("num_players", "counts"), [(2, [2, 4, 28, 152]), (3, [2, 4, 8, 56]), (6, [2, 4, 8, 16, 32, 64, 448])]
)
def test_perft_from_the_start(num_players, counts):
    """Gifts of two choices each, then rows: seven, then six (one row asks for a deck first)."""
    game = vitienv.Game.new(num_players=num_players, seed=12)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
