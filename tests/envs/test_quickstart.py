"""First steps with the environments: infos, observations with masks, seeds, spaces, sizes."""

import copy
from functools import partial

import gymnasium as gym
import numpy as np
import pytest

import vitienv
from vitienv.core import batch
from vitienv.envs.single import SingleAgentEnv

from .players import choose, same

NAME = "vitienv/Viticulture-v0"
DECISIONS = vitienv.game_spec().decisions


def many(num_envs, **options):
    return gym.make_vec(NAME, num_envs=num_envs, vectorization_mode="vector_entry_point", **options)


# Infos


def test_info_has_the_index_of_the_decision():
    game, vec, alone, among = vitienv.Game.new(seed=5), vitienv.make_vec(1), gym.make(NAME), many(1)
    infos = [vec.reset(seed=5)[1], alone.reset(seed=5)[1], among.reset(seed=5)[1]]
    assert [DECISIONS[np.ravel(info["decision"])[0]] for info in infos] == [game.decision] * 3
    assert alone.unwrapped.decision == game.decision
    while not alone.step(choose(alone.unwrapped.action_masks()))[2]:
        assert alone.unwrapped.decision in DECISIONS
    assert alone.unwrapped.decision is None


# Observations with masks


@pytest.mark.parametrize("make", [partial(gym.make, NAME), partial(many, 3)], ids=["make", "make_vec"])
def test_dict_observation_contains_the_mask(make):
    env, plain = make(observation="dict", max_years=1), make(max_years=1)
    (observation, info), (numbers, other) = env.reset(seed=2), plain.reset(seed=2)
    is_over = False
    for step in range(200):
        assert env.observation_space.contains(observation)
        assert same(observation, {"observation": numbers, "action_mask": info["action_mask"]})
        if is_over:
            break
        last, before = observation, copy.deepcopy(observation)
        actions = choose(observation["action_mask"], step)
        observation, _, _, truncated, info = env.step(actions)
        numbers, *_, other = plain.step(actions)
        assert same(last, before)
        is_over = np.any(truncated)
    if "final_obs" not in info:
        assert not observation["action_mask"].any()
        return
    row = int(truncated.argmax())
    assert same(info["final_obs"][row]["observation"], other["final_obs"][row])
    assert not info["final_obs"][row]["action_mask"].any() and info["final_info"]["decision"][row] == -1


# The restart of finished games


@pytest.mark.parametrize("form, illegal_action", [("array", "raise"), ("dict", "lose"), ("array", "random")])
def test_next_step_mode_equals_gymnasium(form, illegal_action):
    options = {"num_envs": 3, "observation": form, "max_years": 2, "illegal_action": illegal_action}
    vec = gym.make_vec(NAME, **options, autoreset_mode=gym.vector.AutoresetMode.NEXT_STEP)
    other = gym.make_vec(NAME, **options, vectorization_mode="sync")
    (observation, info), (expected, _) = vec.reset(seed=[4, 5, 6]), other.reset(seed=4)
    assert vec.metadata["autoreset_mode"] == other.metadata["autoreset_mode"]
    ends = 0
    for step in range(250):
        assert same(observation, expected)
        actions = choose(info["action_mask"], step)
        if illegal_action != "raise" and step % 9 == 0:
            actions[0] = info["action_mask"][0].argmin()
        observation, rewards, terminated, truncated, info = vec.step(actions)
        expected, *results, their_info = other.step(actions)
        assert same([rewards, terminated, truncated], results)
        assert same(info["action_mask"], their_info["action_mask"])
        if (over := terminated | truncated).any():
            ends += 1
            assert same(info["final_ranks"], their_info["final_ranks"])
            assert same(info["_final_ranks"], over) and (info["decision"][over] == -1).all()
    assert ends > 3


def test_unknown_autoreset_mode_raises():
    with pytest.raises(ValueError, match="'never' is not a valid AutoresetMode"):
        many(2, autoreset_mode="never")


# Seeds


@pytest.mark.parametrize("make", [lambda: many(3), lambda: vitienv.make_vec(3)])
def test_list_of_seeds(make):
    vec = make()
    observations, _ = vec.reset(seed=[7, 7, 9])
    single = SingleAgentEnv() if isinstance(vec, gym.vector.VectorEnv) else vitienv.make_vec(1)
    for seed, row in ((7, 0), (7, 1), (9, 2)):
        assert np.array_equal(np.ravel(single.reset(seed=seed)[0]), observations[row])
    assert same(make().reset(seed=(7, 7, 9))[0], observations) and same(
        make().reset(seed=np.array([7, 7, 9]))[0], observations
    )


def test_game_with_seed_none_keeps_its_rng():
    vec, other = many(2), many(2)
    vec.reset(seed=4)
    other.reset(seed=4)
    mixed, plain = vec.reset(seed=[None, 8])[0].copy(), other.reset()[0]
    assert same(mixed[0], plain[0]) and same(mixed[1], SingleAgentEnv().reset(seed=8)[0])
    assert not same(many(2).reset(seed=[None, 8])[0][0], many(2).reset(seed=[None, 8])[0][0])


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        ([1, 2], "list of 3, got a list of 2"),
        ([1, 2, 3, 4], "list of 3, got a list of 4"),
        ([1, -2, 3], "seed must be .*got -2"),
        ([1, 2.5, 3], "seed must be .*got 2.5"),
        ("7", "seed must be .*got '7'"),
    ],
)
def test_invalid_seeds_raise_without_a_change(seed, words):
    vec = many(3)
    before = vec.reset(seed=1)[0].copy()
    with pytest.raises(ValueError, match=words):
        vec.reset(seed=seed)
    assert same(vec.games.batch.obs, before)


@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, [3]], ids=repr)
def test_invalid_seed_of_a_single_environment_raises(seed):
    for env in (vitienv.raw_env(), SingleAgentEnv()):
        with pytest.raises(ValueError, match="seed must be None or an integer from 0, got ") as error:
            env.reset(seed=seed)
        assert repr(seed) in str(error.value)


# Names and sizes


@pytest.mark.parametrize("space", ["observation_space", "action_space", "observe"])
@pytest.mark.parametrize("make", [vitienv.env, vitienv.raw_env])
def test_unknown_agent_raises(make, space):
    env = make()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="unknown agent 'player_9'; expected one of: player_0, player_1"):
        getattr(env, space)("player_9")


@pytest.mark.parametrize("num_envs", [0, -1, 2.0, "4", None, True])
@pytest.mark.parametrize("make", [vitienv.make_vec, many])
def test_invalid_num_envs_raises(make, num_envs):
    with pytest.raises(ValueError, match=r"the number of games must be an integer from 1, got "):
        make(num_envs)


def test_too_many_games_raise_before_allocation(monkeypatch):
    monkeypatch.setattr(batch.np, "zeros", None)
    monkeypatch.setattr(batch.np, "full", None)
    message = r"1000000000 games require .* GiB; this machine has .* GiB, enough for"
    with pytest.raises(ValueError, match=message) as error:
        vitienv.make_vec(10**9)
    assert "\n" not in str(error.value) and len(str(error.value)) < 200


@pytest.mark.parametrize("num_threads", [0, 1025, 10**6, 1.5, "2", None])
def test_invalid_num_threads_raises(num_threads):
    with pytest.raises(ValueError, match=r"num_threads must be an integer from 1 to 1024, got "):
        vitienv.make_vec(4, num_threads=num_threads)


def test_unknown_option_lists_known_ones():
    with pytest.raises(TypeError, match="unknown option 'players'; expected one of: ruleset, num_players, ") as error:
        vitienv.env(players=3)
    assert "RULESETS" not in str(error.value)


@pytest.mark.parametrize("action", ["pass", "4", None, 4.0, True, [4, 5], []])
def test_action_of_a_wrong_type_is_quoted(action):
    env = SingleAgentEnv(illegal_action="lose")
    env.reset(seed=1)
    with pytest.raises(vitienv.IllegalAction, match=r"action must be an integer from 0 to 270, got ") as error:
        env.step(action)
    assert repr(action) in str(error.value)
