"""Tests of the bot: `python test_NAME.py`, or pytest."""

import numpy as np
from NAME import Bot

import vitienv
from vitienv.training.evaluation.match import play


def test_whole_games_are_played():
    """An illegal action or an exception raises an error with the name of the bot and a saved position."""
    options = vitienv.game_spec("viticulture").options.of(num_players=2, max_years=4)
    played = play(
        options, seeds=range(6), seating=[[0, 1], [1, 0]] * 3, agents=[Bot(seed=1), vitienv.make_agent("random")]
    )
    assert len(played) == 6 and (played.years == 4).all()


def test_the_same_position_gets_the_same_answer_in_any_batch():
    game = vitienv.Game.new(num_players=2, seed=3)
    observation, mask = game.observation()[None], game.mask[None]
    single = Bot(seed=1).act(observation, mask)
    batch = Bot(seed=1).act(np.repeat(observation, 3, axis=0), np.repeat(mask, 3, axis=0))
    assert (batch == single[0]).all()


if __name__ == "__main__":
    for test in (test_whole_games_are_played, test_the_same_position_gets_the_same_answer_in_any_batch):
        test()
        print(f"{test.__name__}: passed")
