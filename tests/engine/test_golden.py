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


# Two choices per gift, then rows: seven, then six (one row chooses a deck first). Asia deals of 4 decks. Toscana: each
# start worker on a square that is left, then three actions to take and five ways to pass one.
PERFT = [
    ({"num_players": 2}, [2, 4, 28, 152]), ({"num_players": 3}, [2, 4, 8, 56]),
    ({"num_players": 6}, [2, 4, 8, 16, 32, 64, 448]),
    ({"game": "world", "num_players": 2}, [2, 4, 2 * 7 + 2 * 2, 2 * (6 * 6 + 2) + 2 * 2 * 7]),
    ({"game": "world", "num_players": 1, "partner": "none", "continent": "asia"}, [4, 4 * 2, 4 * 7 + 4 * 2]),
    ({"game": "world", "num_players": 6, "continent": "europe", "parents": "mixed"},
     [2, 4, 8, 16, 32, 64, 32 * 7 + 32 * 2]),
    ({"game": "toscana", "num_players": 2}, [32, 32 * 31, 32 * 31 * 8]),
    ({"game": "toscana", "num_players": 2, "start_on_water": False}, [23, 23 * 22, 23 * 22 * 8]),
    ({"game": "toscana", "num_players": 5, "map": "pieces"}, [32, 32 * 31]),
]  # fmt: skip


@pytest.mark.parametrize(("options", "counts"), PERFT, ids=str)
def test_perft_of_a_new_game(options, counts):
    game = vitienv.Game.new(seed=12, **options)
    assert [perft(game, depth) for depth in range(1, len(counts) + 1)] == counts
