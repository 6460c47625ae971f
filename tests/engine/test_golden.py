"""Games written down move by move, counts of positions, and the bench signature: any change of behaviour shows."""

from itertools import zip_longest

import pytest

import vitienv
from tests.engine.playthrough import GAMES, GOLDEN, path_of, perft, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_golden_games_are_played_as_written(name):
    """After a wanted change: `python -m tests.engine.bless NAME`, and read what changed; one game after the other."""
    told, written = playthrough(name).split("\n"), path_of(name).read_text(encoding="utf-8").split("\n")
    for number, (now, then) in enumerate(zip_longest(told, written), start=1):
        assert now == then, f"line {number} of {name}"


def test_every_golden_file_is_of_a_game():
    assert {path.stem for path in GOLDEN.iterdir()} == set(GAMES)


@pytest.mark.parametrize(
    ("num_players", "counts"), [(2, [2, 4, 28, 152]), (3, [2, 4, 8, 56]), (6, [2, 4, 8, 16, 32, 64, 448])]
)
def test_perft_from_the_start(num_players, counts):
    """Gifts of two choices each, then rows: seven, then six (one row asks for a deck first)."""
    game = vitienv.Game.new(num_players=num_players, seed=12)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
