"""A game of the team in words."""

import re

import numpy as np

from tests.world.table import new


def test_every_moment_fits_into_eighty_columns_and_hides_other_hands():
    chance = np.random.default_rng(2)
    for options in ({"num_players": 3, "continent": "europe"}, {"num_players": 1, "partner": "burattino"}):
        game = new(seed=2, **options)
        while not game.is_over:
            if chance.random() < 0.1:
                text = game.definition.call("render")(game, viewer=0)
                assert max(map(len, text.splitlines())) <= 80 and "stand-ins" in text
                flat = " ".join(text.split())
                assert flat.count(" Hand: ") == game.num_players
                assert len(re.findall(r"Hand: \d+ cards\.", flat)) == game.num_players - 1
            game.step(int(chance.choice(np.flatnonzero(game.mask))))
        told = game.definition.call("render")(game, viewer=None)
        assert "Lost." in told and "Influence" in told and "lacks" in told


def test_hands_of_others_are_numbers():
    game = new(2)
    own, other = (game.definition.call("render")(game, viewer=seat) for seat in (0, 1))
    assert own != other and own.count(" cards.") == other.count(" cards.") == 1
