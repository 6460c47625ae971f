"""Options: NumPy scalars become Python values, and only None and an empty string select the default ruleset."""

import json

import numpy as np
import pytest

import vitienv
from vitienv.registry import game_names, game_spec

ORIGINAL = {"ruleset": np.str_("original"), "num_players": np.int64(3)}


@pytest.mark.parametrize(
    "options",
    [
        {"max_years": np.int8(5), "skip_forced": np.True_, "reward": np.str_("rank")},
        {**ORIGINAL, "field_capacities": np.array([4, 5, 6])},
        {**ORIGINAL, "field_capacities": (np.int8(4), np.int8(5), np.int8(6))},
        {"game": "world", "years": np.uint8(4), "num_players": np.int16(2)},
        {"game": "toscana", "max_rounds": np.int32(7)},
    ],
    ids=lambda options: next(iter(options)),
)
def test_log_of_numpy_options_is_json(options):
    game = vitienv.Game.new(seed=np.int16(3), **options)
    assert vitienv.replay(json.loads(json.dumps(game.log))) == game


@pytest.mark.parametrize("game", game_names())
def test_lists_in_place_of_values_raise(game):
    options = game_spec(game).options
    for ruleset in game_spec(game).rulesets:
        for name in options.names():
            with pytest.raises(ValueError, match=name):
                options.of(**{"ruleset": ruleset, name: [[]]})


@pytest.mark.parametrize("ruleset", [[], (), {}, 0, False], ids=repr)
def test_empty_ruleset_raises(ruleset):
    with pytest.raises(ValueError, match="unknown ruleset"):
        vitienv.Game.new(ruleset=ruleset)
