"""The adapter for Stable-Baselines3, and MaskablePPO with it."""

import gymnasium as gym
import numpy as np
import pytest

import vitienv
from vitienv.envs.single import SingleAgentVectorEnv
from vitienv.viticulture.vocabulary import N_ACTIONS

from .players import SaltedBot, choose

pytest.importorskip("sb3_contrib")
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from vitienv.envs.sb3 import SingleAgentVecEnv


@pytest.mark.parametrize("max_years", [None, 1])
def test_adapter_plays_the_games_of_the_vector_environment(max_years):
    options = {"num_players": 2, "opponents": [SaltedBot()], "learner_seat": "random", "reward": "margin"}
    options["max_years"] = max_years
    env, vec = SingleAgentVecEnv(4, **options), SingleAgentVectorEnv(4, **options)
    env.seed(6)
    observations = env.reset()
    others, info = vec.reset(seed=6)
    ends, start_steps = 0, np.zeros(4, np.int64)
    for step in range(800):
        assert np.array_equal(observations, others)
        assert np.array_equal(get_action_masks(env), vec.action_masks())
        actions = choose(info["action_mask"], step)
        observations, rewards, dones, infos = env.step(actions)
        others, other_rewards, terminated, truncated, info = vec.step(actions)
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(dones, terminated | truncated)
        for i in np.flatnonzero(dones):
            assert np.array_equal(infos[i]["terminal_observation"], info["final_obs"][i])
            assert infos[i]["TimeLimit.truncated"] is (max_years == 1)
            assert infos[i]["episode"]["r"] == pytest.approx(rewards[i])
            assert infos[i]["episode"]["l"] == step + 1 - start_steps[i]
            start_steps[i] = step + 1
            assert infos[i]["final_scores"].tolist() == info["final_info"]["final_scores"][i].tolist()
            ends += 1
        assert all(not infos[i] for i in np.flatnonzero(~dones))
    assert ends > 4


def test_illegal_action_is_reported_in_info():
    env = SingleAgentVecEnv(3, illegal_action="lose")
    env.seed(2)
    env.reset()
    actions = choose(get_action_masks(env))
    actions[1] = int(np.argmin(get_action_masks(env)[1]))
    _, rewards, dones, infos = env.step(actions)
    assert dones.tolist() == [False, True, False] and rewards.tolist() == [0, -1, 0]
    assert infos[1]["illegal_action"] and not infos[1]["TimeLimit.truncated"] and not infos[0]


def test_simultaneous_ends_have_separate_results():
    env, vec = SingleAgentVecEnv(3, illegal_action="lose"), SingleAgentVectorEnv(3, illegal_action="lose")
    env.seed(2)
    env.reset()
    vec.reset(seed=2)
    for rows in ([1, 2], [1]):  # the second end is one step later
        actions = choose(get_action_masks(env))
        actions[rows] = get_action_masks(env)[rows].argmin(axis=1)
        infos, info = env.step(actions)[3], vec.step(actions)[4]
        for i in rows:
            assert np.array_equal(infos[i]["terminal_observation"], info["final_obs"][i])
            assert infos[i]["episode"]["l"] == 1
        assert len(rows) == 1 or not np.array_equal(info["final_obs"][1], info["final_obs"][2])


def test_env_method_and_attributes():
    env = SingleAgentVecEnv(3, num_players=4)
    env.reset()
    assert is_masking_supported(env) and env.has_attr("action_masks")
    assert not env.has_attr("no_such_thing")
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert env.env_method("action_masks", indices=1)[0].shape == (N_ACTIONS,)
    assert env.get_attr("num_players") == [4, 4, 4]
    assert env.env_is_wrapped(gym.Wrapper) == [False] * 3
    with pytest.raises(vitienv.IllegalAction):
        env.step(np.zeros(3, np.int64))


def test_maskable_ppo_learns_in_an_environment_by_name():
    env, small = gym.make("vitienv/Viticulture-v0", max_years=2), {"net_arch": [16]}
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, policy_kwargs=small)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(300)
    assert model.num_timesteps >= 300
    assert len(model.ep_info_buffer) > 0
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
