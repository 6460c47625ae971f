"""World in the environments of one learner."""

import gymnasium as gym
import numpy as np
import pytest

import vitienv
from vitienv.envs.sb3 import SingleAgentVecEnv
from vitienv.world.game_spec import GAME_SPEC

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
ALL, AMONG = "vitienv/ViticultureWorld-v0", "vitienv/Viticulture-v0"
INFLUENCE_END = 10


def played(env, seed=1):
    """A random game of the learner to its end: the seats that decided, and the last results."""
    rng = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    seats = []
    while True:
        seats.append(info["learner_seat"])
        mask = env.get_wrapper_attr("action_masks")()
        assert (mask == (info["action_mask"] == 1)).all()
        observation, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(mask))))
        if terminated or truncated:
            return seats, observation, reward, info


def test_learner_of_all_seats_observes_from_the_current_seat():
    views = []
    for is_open in (False, True):
        env = gym.make(ALL, num_players=3, years=2, open_hands=is_open)
        seats, *_ = played(env)
        assert set(seats) == {0, 1, 2}
        env.reset(seed=4)
        game = env.unwrapped.games.batch
        assert (game.obs == game.observe(game.seats, np.zeros_like(game.obs))).all()
        views.append(game.obs[0].copy())
    known_holder = GAME_SPEC.observation.slice("known_holder")
    assert (views[0][known_holder] != views[1][known_holder]).any()


def test_final_influence_and_team_reward():
    env = gym.make(ALL, num_players=2, years=1, vp_each=0, influence_start=INFLUENCE_END)
    *_, reward, info = played(env)
    assert reward == 1 and info["final_influence"] == INFLUENCE_END and info["final_ranks"].tolist() == [1, 1]
    env = gym.make(ALL, num_players=2, years=1, influence_start=3)
    *_, reward, info = played(env)
    assert reward == -1 and info["final_influence"] >= 3 and info["final_ranks"].tolist() == [2, 2]
    assert "final_influence" not in played(gym.make(AMONG, max_years=1))[-1]


def test_all_seats_require_a_team_game():
    with pytest.raises(ValueError, match=r"learner_seat must be 'random' or an integer from 0 to 1, got 'all'$"):
        gym.make(AMONG, learner_seat="all", opponents=())
    with pytest.raises(ValueError, match=r"opponents must be empty; this game has no other seats.*got 1"):
        gym.make(ALL, opponents=["random"])


def test_vector_environments_report_final_influence():
    vec = gym.make_vec(ALL, num_envs=3, vectorization_mode="vector_entry_point", num_players=2, years=1)
    sb3 = SingleAgentVecEnv(3, (), "all", game="world", num_players=2, years=1)
    batch = vitienv.make_vec(3, game="world", num_players=2, years=1)
    sb3.seed(5)
    sb3.reset()
    _, info = vec.reset(seed=5)
    _, batch_info = batch.reset(seed=5)
    rng, ended = np.random.default_rng(5), 0
    while ended < 4:
        masks = info["action_mask"]
        assert (masks == batch_info["action_mask"]).all() and (np.array(sb3.env_method("action_masks")) == masks).all()
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        before = batch._batch.games["influence"].copy()
        _, rewards, terminated, _, info = vec.step(actions)
        _, shared, over, _, batch_info = batch.step(actions)
        _, sb3_rewards, dones, infos = sb3.step(actions)
        assert (terminated == over).all() and (dones == over).all() and (rewards == shared[:, 0]).all()
        assert (sb3_rewards == rewards).all() and (batch_info["final_influence"] >= before).all()
        for i in np.flatnonzero(over):
            ended += 1
            assert info["final_info"]["final_influence"][i] == batch_info["final_influence"][i]
            assert infos[i]["final_influence"] == batch_info["final_influence"][i]


def test_pettingzoo_reports_final_influence():
    """All agents end together with one reward."""
    env = vitienv.raw_env(game="world", num_players=2, years=1, influence_start=4, reward="margin")
    env.reset(seed=1)
    assert env.infos["player_0"]["final_influence"] == 0
    rng = np.random.default_rng(1)
    while not all(env.terminations.values()):
        assert not any(env.terminations.values())
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))
    assert len(set(env.rewards.values())) == 1 and -1 <= env.rewards["player_0"] <= 1
    assert env.unwrapped.num_agents == 2
    assert env.infos["player_1"]["final_influence"] == env._batch.games["influence"][0] >= 4
    game = vitienv.Game.new(game="world", num_players=2, influence_start=4)
    assert (game.influence, game.influence_goal) == (4, INFLUENCE_END)
    other = vitienv.Game.new()
    assert other.influence is None and other.influence_goal is None


@pytest.mark.parametrize("options", [{"opponents": ["random"]}, {"opponents": (), "num_players": 1},
                                     {"opponents": "random", "num_players": 3}])  # fmt: skip
def test_reward_of_one_learner(options):
    assert played(gym.make(AMONG, game="world", continent="asia", **options))[2] in (-1.0, 1.0)
