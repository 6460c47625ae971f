"""The check of hidden information finds leaks, and finds none in the games."""

import numpy as np
import pytest

import vitienv
from vitienv.testing import check_hidden_information


@pytest.mark.parametrize("options", [
    {"num_players": 3}, {"game": "world", "num_players": 2}, {"game": "toscana", "num_players": 3},
], ids=str)  # fmt: skip
def test_no_view_of_a_game_depends_on_hidden_cards(options):
    game = vitienv.Game.new(seed=1, **options)
    report = check_hidden_information(game, num_steps=12, num_samples=1)
    assert report.samples == 12 * game.num_players and report.distinct > 0 and game.moves == []


def test_a_leak_is_named():
    def views(game, seat):
        return {"own hand": game.observation(seat), "top card": np.array(game.state.deck)}

    with pytest.raises(AssertionError, match=r"step \d+: 'top card' of player \d depends on hidden information"):
        check_hidden_information(vitienv.Game.new(seed=1, num_players=2), views=views)


def test_open_hands_have_no_distinct_samples():
    report = check_hidden_information(vitienv.Game.new(seed=1, num_players=2, open_hands=True), num_steps=3)
    assert (report.samples, report.distinct) == (12, 0)
