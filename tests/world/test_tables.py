"""World at the tables of bots and learners."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import vitienv
from vitienv.agents import make_agent


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        yield


ALONE = {"opponents": (), "num_players": 1}


@pytest.mark.parametrize("options", [{"opponents": ["random"]}, ALONE, {"opponents": "random", "num_players": 3}])
def test_one_learner_with_partners_or_alone(options):
    env = gymnasium.make("vitienv/Viticulture-v0", ruleset="world", continent="asia", **options).unwrapped
    env.reset(seed=1)
    chance, ended, reward = np.random.default_rng(0), False, 0.0
    while not ended:
        _, reward, terminated, truncated, info = env.step(int(chance.choice(np.flatnonzero(env.action_masks()))))
        ended = terminated or truncated
    assert reward in (-1.0, 1.0)


def test_gymnasium_checks():
    check_env(gymnasium.make("vitienv/Viticulture-v0", ruleset="world", opponents=["random"]).unwrapped,
              skip_render_check=True)  # fmt: skip


def test_bots_that_do_not_know_the_layouts_are_refused_in_one_line():
    for bot in ("visitors", "cellar"):
        with pytest.raises(ValueError, match=f"agent '{bot}' plays 'viticulture', not 'world'"):
            gymnasium.make("vitienv/Viticulture-v0", ruleset="world", opponents=[bot])


def test_random_chooses_the_same_under_one_seed():
    games = [vitienv.Game.new(ruleset="world", seed=3) for _ in range(2)]
    bots = [make_agent("random", seed=5, game=game.definition) for game in games]
    for _ in range(60):
        actions = [int(bot.act(game.observation()[None], game.mask[None])[0]) for bot, game in zip(bots, games)]
        assert actions[0] == actions[1]
        for game, action in zip(games, actions):
            game.step(action)
