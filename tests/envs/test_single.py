"""One learner against bots: Gymnasium, its vector environments, and Stable-Baselines3."""

import copy
import warnings
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

import vitienv
from vitienv.envs.single import SingleAgentEnv, SingleAgentVectorEnv
from vitienv.viticulture.vocabulary import N_ACTIONS

from .players import SaltedBot, choose, play, same

NAME = "vitienv/Viticulture-v0"
WORLD = "vitienv/ViticultureWorld-v0"
ENVS = [
    *((name, options) for name in gym.registry if name.startswith("vitienv/")
      for options in ({}, {"illegal_action": "random"}, {"observation": "dict"})),
    (WORLD, {"num_players": 3, "continent": "asia"}), (WORLD, {"num_players": 1}),
    (NAME, {"game": "world", "num_players": 2, "years": 2}), (NAME, {"game": "world", "opponents": ["random"]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), ENVS, ids=str)
def test_environment_checkers_by_name(name, options):
    from stable_baselines3.common.env_checker import check_env as check_for_baselines

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The checker warns about the bounds of int16 and about unwrapped environments.
        warnings.filterwarnings("ignore", message=".*(not within|spec|different from the unwrapped).*")
        check_env(gym.make(name, render_mode="ansi", **options).unwrapped)
        check_env(gym.make(name, **options), skip_render_check=True)
        check_for_baselines(gym.make(name, **options))


def illegal(info):
    return int(np.argmin(info["action_mask"]))


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_illegal_action_loses(reward):
    env = gym.make(NAME, num_players=3, learner_seat=1, reward=reward)
    _, info = env.reset(seed=1)
    assert not info["illegal_action"]
    for step in range(20):
        _, _, _, _, info = env.step(choose(info["action_mask"], step))
    observation, value, terminated, truncated, info = env.step(illegal(info))
    assert terminated and not truncated and value <= -1 and info["illegal_action"]
    assert info["final_ranks"][1] == 3 and sorted(info["final_ranks"])[0] == 1
    assert info["decision"] == -1 and not info["action_mask"].any() and env.observation_space.contains(observation)
    with pytest.raises(ResetNeeded):
        env.step(0)
    after, info = env.reset()
    assert not info["illegal_action"] and info["action_mask"].any() and not same(after, observation)


@pytest.mark.parametrize("points", [[3, 9, 9], [9, 3, 1], [1, 9, 5]])
def test_illegal_action_ranks_last(points):
    env = SingleAgentEnv(num_players=3, learner_seat=1, illegal_action="lose")
    _, info = env.reset(seed=1)
    env.games.batch.games["vp"][0, :3] = points
    *_, info = env.step(illegal(info))
    assert info["final_scores"].tolist() == points and info["final_ranks"].tolist() == [1, 3, 1]


@pytest.mark.parametrize(("name", "ranks"), [("vitienv/ViticultureSolo-v0", [2]), (WORLD, [2, 2])])
def test_illegal_action_loses_alone_or_for_the_team(name, ranks):
    env = gym.make(name, **({"num_players": 2} if name == WORLD else {}))
    _, info = env.reset(seed=1)
    _, value, terminated, _, info = env.step(illegal(info))
    assert (value, terminated, info["final_ranks"].tolist(), info["illegal_action"]) == (-1, True, ranks, True)


def test_illegal_action_random_depends_on_the_game():
    def moved(num_envs):
        vec = SingleAgentVectorEnv(num_envs, illegal_action="random")
        _, info = vec.reset(seed=3)
        actions = choose(info["action_mask"])
        actions[0] = N_ACTIONS + 5
        observations, _, terminated, _, info = vec.step(actions)
        assert info["illegal_action"].tolist() == [True] + [False] * (num_envs - 1) and not terminated.any()
        return observations[0]

    assert same(moved(1), moved(4))


def test_illegal_action_random_samples_legal_actions():
    env, plain = (SingleAgentEnv(num_players=2, illegal_action=mode) for mode in ("random", "raise"))
    _, info = env.reset(seed=3)
    plain.reset(seed=3)
    choices = []
    for _ in range(12):
        copies = [copy.copy(plain) for _ in np.flatnonzero(info["action_mask"])]
        results = [
            copied.step(action) for copied, action in zip(copies, np.flatnonzero(info["action_mask"]), strict=True)
        ]
        *out, info = env.step(illegal(info))
        choices.append(next(i for i, step in enumerate(results) if same(step[0], out[0])))
        plain = copies[choices[-1]]
    assert len(set(choices)) > 2


def test_illegal_action_ends_one_game_of_a_batch():
    vec = gym.make_vec(NAME, num_envs=3, vectorization_mode="vector_entry_point")
    other = gym.make_vec(NAME, num_envs=3, vectorization_mode="vector_entry_point")
    _, info = vec.reset(seed=1)
    other.reset(seed=1)
    actions = choose(info["action_mask"])
    legal = other.step(actions)
    actions[1] = illegal({"action_mask": info["action_mask"][1]})
    observations, rewards, terminated, _, info = vec.step(actions)
    assert terminated.tolist() == [False, True, False] and rewards.tolist() == [0, -1, 0]
    assert info["final_info"]["illegal_action"].tolist() == [False, True, False]
    assert same(observations[[0, 2]], legal[0][[0, 2]]) and info["action_mask"][1].any()


def test_rewards_match_final_ranks():
    rewards = set()
    for seed in range(8):
        env = SingleAgentEnv(num_players=3, learner_seat=2)
        steps = play(env, seed=seed, salt=seed)
        assert not any(step[1] for step in steps[1:-1])
        _, reward, terminated, truncated, info = steps[-1]
        assert terminated and not truncated
        ranks = info["final_ranks"]
        assert (reward > 0) == (ranks[2] == 1)
        assert info["decision"] == -1 and not info["action_mask"].any()
        assert info["final_scores"].shape == (3,)
        rewards.add(reward)
    assert len(rewards) == 2


def test_last_observation_is_the_learners_view():
    env = SingleAgentEnv(num_players=2, opponents=[SaltedBot()], learner_seat=1)
    observation, *_, info = play(env, seed=3)[-1]
    points = vitienv.OBSERVATION.get(observation, "vp")[:2].tolist()
    assert points == info["final_scores"][::-1].tolist()


def test_truncation_has_no_reward():
    _, reward, terminated, truncated, info = play(SingleAgentEnv(max_years=1, reward="margin"), seed=1)[-1]
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert set(info["final_ranks"]) <= {1, 2}


def test_opponents_sit_clockwise_from_the_learner():
    bots = [SaltedBot("left"), SaltedBot("across"), SaltedBot("right")]
    play(SingleAgentEnv(num_players=4, opponents=bots, learner_seat=2), seed=1)
    assert [set(bot.seats) for bot in bots] == [{3}, {0}, {1}]
    alone = SaltedBot()
    play(SingleAgentEnv(num_players=3, opponents=[alone], learner_seat=1), seed=1)
    assert set(alone.seats) == {0, 2}


def test_random_seat_depends_on_the_seed_only():
    env, other = (SingleAgentEnv(num_players=3, learner_seat="random") for _ in range(2))
    seats = [env.reset(seed=seed)[1]["learner_seat"] for seed in range(40)]
    assert set(seats) == {0, 1, 2}
    assert [other.reset(seed=seed)[1]["learner_seat"] for seed in range(40)] == seats


def test_illegal_actions_and_calls_in_the_wrong_order_raise():
    env = SingleAgentEnv(render_mode="ansi")
    for call in (lambda: env.step(0), env.render):
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before "):
            call()
    env.reset(seed=1)
    before = env.games.batch.saved()
    for action in (-1, N_ACTIONS, int(np.argmin(env.action_masks())), 1.5):
        with pytest.raises(vitienv.IllegalAction):
            env.step(action)
        assert same(env.games.batch.saved(), before)
    play(env)
    with pytest.raises(ResetNeeded, match="over"):
        env.step(0)


def test_illegal_action_of_a_bot_names_the_bot():
    class Cheat:
        name = "cheat"

        def act(self, observations, action_masks, games=None):
            return action_masks.argmin(axis=1)

    with pytest.raises(vitienv.IllegalAction, match="'cheat' in game 0"):
        play(SingleAgentEnv(opponents=[Cheat()]), seed=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"learner_seat": 2}, "learner_seat must be .*, got 2"),
        ({"learner_seat": "any"}, "learner_seat must be .*, got 'any'"),
        ({"learner_seat": True}, "learner_seat must be .*, got True"),
        ({"render_mode": "png"}, "render_mode"),
        ({"max_years": 0}, "max_years"),
        ({"illegal_action": "forgive"}, "illegal_action must be 'lose', 'random' or 'raise', got 'forgive'"),
        ({"observation": "flat"}, "observation must be 'array' or 'dict', got 'flat'"),
        ({"opponent": "random"}, "unknown option 'opponent'; expected one of: .*, opponents, learner_seat"),
    ],
    ids=str,
)
def test_invalid_options_raise(options, words):
    for make in (SingleAgentEnv, partial(SingleAgentVectorEnv, 2)):
        with pytest.raises((ValueError, TypeError), match=words):
            make(**options)


# Vector environments


def test_vector_plays_the_games_of_single_environments():
    options = {"num_players": 3, "opponents": [SaltedBot(), "random"], "learner_seat": "random"}
    vec = gym.make_vec(NAME, num_envs=5, vectorization_mode="vector_entry_point", **options)
    assert isinstance(vec, SingleAgentVectorEnv)
    env = SingleAgentEnv(**options)
    observation, info = env.reset(seed=12)
    observations, infos = vec.reset(seed=12)
    ends = 0
    for step in range(3000):
        assert np.array_equal(observation, observations[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        assert info["learner_seat"] == infos["learner_seat"][0]
        actions = choose(infos["action_mask"], step)
        observation, reward, terminated, truncated, info = env.step(actions[0])
        observations, rewards, terminations, truncations, infos = vec.step(actions)
        assert (reward, terminated, truncated) == (rewards[0], terminations[0], truncations[0])
        if terminated:
            final = infos["final_info"]
            assert infos["_final_obs"][0]
            assert np.array_equal(final["_final_ranks"], terminations)
            assert np.array_equal(observation, infos["final_obs"][0])
            assert np.array_equal(info["final_scores"], final["final_scores"][0])
            assert np.array_equal(info["final_ranks"], final["final_ranks"][0])
            observation, info = env.reset()
            ends += 1
        if ends == 2:
            break
    assert ends == 2


def test_vector_illegal_actions_raise_without_a_change():
    vec = SingleAgentVectorEnv(3)
    with pytest.raises(ResetNeeded):
        vec.step([0, 0, 0])
    _, info = vec.reset(seed=1)
    before = vec.games.batch.saved()
    actions = choose(info["action_mask"])
    actions[1] = int(np.argmin(info["action_mask"][1]))
    with pytest.raises(vitienv.IllegalAction, match="game 1"):
        vec.step(actions)
    with pytest.raises(ValueError, match=r"integers of shape \(3,\)"):
        vec.step(actions[:2])
    assert same(vec.games.batch.saved(), before)


def test_vector_environment_in_gymnasiums_wrappers():
    vec = gym.make_vec(NAME, num_envs=6, vectorization_mode="vector_entry_point", max_years=2)
    vec = gym.wrappers.vector.RecordEpisodeStatistics(vec)
    observations, info = vec.reset(seed=1)
    assert vec.observation_space.contains(observations)
    observations, *_, info = vec.step(choose(info["action_mask"]))
    masks = vec.unwrapped.action_masks()
    assert masks.dtype == np.bool_ and masks.shape == (6, N_ACTIONS)
    lengths, first = [], observations
    before = first.copy()
    for step in range(150):
        observations, rewards, terminated, truncated, info = vec.step(choose(info["action_mask"], step))
        assert not rewards.any() and not terminated.any()
        assert observations.shape == (6, vitienv.game_spec().observation.n)
        if truncated.any():
            assert np.array_equal(info["_final_obs"], truncated)
            lengths += info["episode"]["l"][truncated].tolist()
    assert same(first, before)  # returned arrays are not reused
    assert len(lengths) > 6 and all(length > 3 for length in lengths)
