"""The multi-agent environment of RLlib."""

import numpy as np
import pytest
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

import vitienv


@pytest.mark.parametrize("options", [{}, {"max_years": 2}])
def test_all_seats_have_rewards_and_ends(options):
    env = PettingZooEnv(vitienv.env(num_players=3, reward="rank", **options))
    game = vitienv.Game.new(num_players=3, reward="rank", seed=4, **options)
    observations, _ = env.reset(seed=4)
    ended = {"__all__": False}
    while not ended["__all__"]:
        [(agent, observation)] = observations.items()
        assert agent == f"player_{game.current_seat}" and np.array_equal(observation["action_mask"], game.mask)
        assert env.observation_spaces[agent].contains(observation)
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        game.step(action)
        observations, rewards, terminated, truncated, infos = env.step({agent: action})
        ended = truncated if options else terminated
    assert [rewards[f"player_{seat}"] for seat in range(3)] == pytest.approx(game.rewards)
    assert [infos[f"player_{seat}"]["final_rank"] for seat in range(3)] == game.ranks
