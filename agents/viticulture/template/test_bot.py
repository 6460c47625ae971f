"""The bot plays by the rules, and as it should: `python test_NAME.py`, or with pytest where that is installed."""

import numpy as np
from NAME import Bot

import vitienv
from vitienv.training.evaluation.match import play


def test_whole_games_are_played():
    """An illegal action or an exception would be an error that names the bot and keeps the position."""
    options = vitienv.game_spec("viticulture").options.of(num_players=2, max_years=4)
    played = play(
        options, seeds=range(6), seating=[[0, 1], [1, 0]] * 3, agents=[Bot(seed=1), vitienv.make_agent("random")]
    )
    assert len(played) == 6 and (played.years == 4).all()


def test_the_same_position_gets_the_same_answer_in_any_batch():
    game = vitienv.Game.new(num_players=2, seed=3)
    seen, mask = game.observation()[None], game.mask[None]
    alone = Bot(seed=1).act(seen, mask)
    together = Bot(seed=1).act(np.repeat(seen, 3, axis=0), np.repeat(mask, 3, axis=0))
    assert (together == alone[0]).all()


if __name__ == "__main__":
    for test in (test_whole_games_are_played, test_the_same_position_gets_the_same_answer_in_any_batch):
        test()
        print(f"{test.__name__}: passed")
