"""Golden games, perft and the bench signature: any change of behaviour is detected."""

from itertools import zip_longest

import pytest

import vitienv
from tests.engine.playthrough import GAMES, GOLDEN, path_of, perft, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_golden_games(name):
    """After an intended change run `python -m tests.engine.bless NAME` for each game and review the diff."""
    lines, written = playthrough(name).split("\n"), path_of(name).read_text(encoding="utf-8").split("\n")
    for number, (actual, expected) in enumerate(zip_longest(lines, written), start=1):
        assert actual == expected, f"line {number} of {name}"


def test_golden_files_have_games():
    assert {path.stem for path in GOLDEN.iterdir()} == set(GAMES)


@pytest.mark.parametrize(
    ("num_players", "counts"), [(2, [2, 4, 28, 152]), (3, [2, 4, 8, 56]), (6, [2, 4, 8, 16, 32, 64, 448])]
)
def test_perft(num_players, counts):
    """Two choices per gift, then rows: seven, then six (one row chooses a deck first)."""
    game = vitienv.Game.new(num_players=num_players, seed=12)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
