"""The multi-agent environment of Tianshou."""

import numpy as np
from tianshou.env import PettingZooEnv

import vitienv


def test_all_seats_have_rewards_and_masks():
    options = {"num_players": 3, "reward": "rank"}
    env, game = PettingZooEnv(vitienv.env(**options)), vitienv.Game.new(seed=4, **options)
    observation, info = env.reset(seed=4)
    is_over = False
    while not is_over:
        assert observation["agent_id"] == f"player_{game.current_seat}" and np.array_equal(
            observation["mask"], game.mask
        )
        assert game.game_spec.decisions[info["decision"]] == game.decision
        action = int(np.flatnonzero(observation["mask"])[-1])
        game.step(action)
        observation, rewards, is_over, _, info = env.step(action)
    assert rewards == game.rewards
