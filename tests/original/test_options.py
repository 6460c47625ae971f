"""Options of the original edition; tests/engine/test_options.py has invalid ones."""

import json

import pytest

import vitienv

from .positions import PRESETS, start


def new(**options):
    return vitienv.Game.new(seed=1, ruleset="original", **options)


def test_default_options():
    """Original, gaps, presets: the second edition, with two players."""
    options = new().options
    assert (options.ruleset, options.preset, options.num_players) == ("original", "second_edition", 2)
    assert new(preset="manual_literal").options.preset == "manual_literal"


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_two_to_six_players(num_players):
    """Original, row 6: two to six players."""
    game = new(num_players=num_players)
    assert game.num_players == num_players == len(game.to_dict()["seats"])


@pytest.mark.parametrize("preset", PRESETS)
def test_positions_keep_options(preset):
    """Interfaces, Positions: a JSON round trip keeps prices and fields."""
    options = {"preset": preset, "train_price": 2, "large_cellar_price": 7, "field_capacities": (4, 6, 8)}
    game = new(num_players=3, **options)
    written = json.loads(json.dumps(game.to_dict()))
    assert (written["ruleset"], written["options"]["preset"]) == ("original", preset)
    assert vitienv.Game.from_dict(written) == game
    assert game.copy() == game


def test_positions_of_presets_differ():
    """Original, gaps, presets: a position of one preset does not fit the other."""
    first, second = (start(2, "spring", preset=preset) for preset in PRESETS)
    assert first != second
