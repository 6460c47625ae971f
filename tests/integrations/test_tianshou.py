"""Tianshou's environment for tables."""

import numpy as np
from tianshou.env import PettingZooEnv

import vitienv


def test_every_seat_gets_its_reward_and_its_own_mask():
    options = {"num_players": 3, "reward": "rank"}
    env, game = PettingZooEnv(vitienv.env(**options)), vitienv.Game.new(seed=4, **options)
    seen, info = env.reset(seed=4)
    is_over = False
    while not is_over:
        assert seen["agent_id"] == f"player_{game.current_seat}" and np.array_equal(seen["mask"], game.mask)
        assert game.game_spec.decisions[info["decision"]] == game.decision
        action = int(np.flatnonzero(seen["mask"])[-1])
        game.step(action)
        seen, rewards, is_over, _, info = env.step(action)
    assert rewards == game.rewards
