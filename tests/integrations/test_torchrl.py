"""TorchRL's wrappers."""

import gymnasium as gym
import pytest
import torch
from torchrl.envs import Compose, DTypeCastTransform, GymWrapper, MarlGroupMapType, PettingZooWrapper, TransformedEnv
from torchrl.envs.transforms import ActionMask
from torchrl.envs.utils import check_env_specs

import vitienv


@pytest.mark.parametrize("num_players", [2, 4])
def test_seats_have_separate_groups(num_players):
    env = PettingZooWrapper(vitienv.env(num_players=num_players, reward="rank"), use_mask=True)
    moves = env.rollout(10_000)
    seats = [f"player_{seat}" for seat in range(num_players)]
    assert list(env.group_map) == seats
    acting = torch.cat([moves[seat, "mask"] for seat in seats], -1)
    assert (acting.sum(-1) == 1).all()  # one acts at a time
    for seat in seats:
        mine = moves[moves[seat, "mask"].squeeze(-1)][seat]
        assert mine["action_mask"].any(-1).all()
        assert mine["action_mask"].gather(-1, mine["action"].unsqueeze(-1)).all()
    rewards = torch.cat([moves["next", seat, "reward"].sum(0).squeeze(0) for seat in seats])
    ranks = torch.cat([moves["next", seat, "info", "final_rank"][-1] for seat in seats])
    assert rewards.sum().abs() < 1e-5 and rewards[ranks.argmin()] == rewards.max() > 0
    assert moves["next", "terminated"][-1] and not moves["next", "truncated"].any()


def test_all_seats_in_one_group():
    env = PettingZooWrapper(
        vitienv.env(num_players=3, max_years=2), use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP
    )
    moves = env.rollout(10_000)
    assert moves["next", "truncated"][-1]
    assert moves["agents", "observation", "observation"].shape[1:] == (3, vitienv.OBSERVATION.n)
    assert (moves["agents", "mask"].sum(-1) == 1).all()


def test_mask_of_the_learner():
    game = gym.make("vitienv/Viticulture-v0", observation="dict", illegal_action="raise", max_years=10)
    as_truth = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    env = TransformedEnv(GymWrapper(game), Compose(as_truth, ActionMask()))
    check_env_specs(GymWrapper(gym.make("vitienv/Viticulture-v0", observation="dict", illegal_action="random")))
    moves = env.rollout(10_000)
    assert moves["action_mask"].any(-1).all() and moves["next", "done"][-1]
    assert moves["observation"].shape[1:] == (vitienv.OBSERVATION.n,)


def test_illegal_action_without_a_mask_ends_the_game():
    env = GymWrapper(gym.make("vitienv/Viticulture-v0"))
    moves = env.rollout(1_000)
    assert moves["next", "done"][-1] and moves["next", "reward"][-1] == -1
