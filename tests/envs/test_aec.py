"""The PettingZoo environment."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

import vitienv
from vitienv.viticulture.vocabulary import N_ACTIONS

from .players import choose, playout, same


def advanced(make=vitienv.raw_env, steps=60):
    env = make(num_players=3)
    env.reset(seed=11)
    for step in range(steps):
        env.step(choose(env.observe(env.agent_selection)["action_mask"], 1 + step))
    return env


KINDS = [
    {"num_players": 2}, {"num_players": 6}, {"ruleset": "solo"}, {"ruleset": "solo", "difficulty": "very_hard"},
    {"ruleset": "solo", "challenge": 1, "aggressive": True}, {"ruleset": "solo", "automa_replacement": "rival"},
    {"ruleset": "solo", "automa_replacement": "blocker"}, {"ruleset": "original", "num_players": 5},
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_pettingzoo_checks(kind):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation.*")  # observations are dicts with a mask
        for make in (vitienv.raw_env, vitienv.env):
            api_test(make(**kind), num_cycles=200)
    seed_test(lambda: vitienv.env(**kind), num_cycles=40)


@pytest.mark.parametrize("reward", ["win", "rank", "margin"])
def test_rewards_reach_the_last_transition_of_every_seat(reward):
    env = vitienv.env(num_players=3, reward=reward)
    env.reset(seed=4)
    transitions = playout(env, salt=2)
    last = transitions[-3:]
    assert sorted(agent for agent, *_ in last) == env.possible_agents
    assert all(terminated and not truncated for _, _, _, terminated, truncated, _ in last)
    assert not any(terminated or truncated or reward for _, _, reward, terminated, truncated, _ in transitions[:-3])
    rewards = {agent: reward for agent, _, reward, *_ in last}
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-6)
    ranks = {agent: info["final_rank"] for agent, *_, info in last}
    best = max(rewards, key=rewards.get)
    assert rewards[best] > 0
    if reward != "margin":
        assert ranks[best] == 1
        assert sorted(rewards, key=rewards.get, reverse=True)[0] == min(ranks, key=ranks.get)
    assert env.agents == []


def test_environment_plays_the_game_of_its_seed():
    env, game = vitienv.raw_env(num_players=3), vitienv.Game.new(seed=21, num_players=3)
    env.reset(seed=21)
    while not game.is_over:
        agent = f"player_{game.current_seat}"
        assert env.agent_selection == agent
        assert env.decision == game.decision
        assert env.game_spec.decisions[env.infos[agent]["decision"]] == game.decision
        for seat in range(3):
            observation = env.observe(f"player_{seat}")
            assert np.array_equal(observation["observation"], game.observation(seat))
            assert np.array_equal(
                observation["action_mask"], game.mask if seat == game.current_seat else np.zeros(N_ACTIONS)
            )
        action = choose(game.mask, game.year)
        env.step(np.array(action, np.int16))  # any integer type
        game.step(action)
    assert [env.infos[agent]["final_score"] for agent in env.agents] == game.scores
    assert [env.infos[agent]["final_rank"] for agent in env.agents] == game.ranks
    assert [env.rewards[agent] for agent in env.agents] == pytest.approx(game.rewards)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


def test_observations_are_independent_of_the_environment():
    env = advanced()
    agent = env.agent_selection
    first = env.observe(agent)
    before = copy.deepcopy(first)
    env.step(choose(first["action_mask"]))
    env.observe(env.agent_selection)
    assert same(first, before)
    first["action_mask"][:] = 1
    first["observation"][:] = -1
    assert not env.observe(agent)["action_mask"].all()


def by_state(env):
    other = vitienv.raw_env(**env.options.to_dict())
    other.set_state(pickle.loads(pickle.dumps(env.get_state())))
    return other


COPIES = {
    "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "state": by_state,
}  # fmt: skip


@pytest.mark.parametrize("make, name, steps", [
    *((vitienv.raw_env, name, 45) for name in COPIES), (vitienv.raw_env, "deepcopy", 1), (vitienv.raw_env, "pickle", 0),
    (vitienv.raw_env, "state", 120), (vitienv.env, "deepcopy", 60), (vitienv.env, "pickle", 60),
])  # fmt: skip
def test_copies_have_the_same_future_and_are_independent(make, name, steps):
    env = advanced(make, steps)
    state, other = env.unwrapped.get_state(), COPIES[name](env)
    transitions = playout(other, salt=9)
    assert same(env.unwrapped.get_state(), state)
    assert same(playout(env, salt=9), transitions)
    env.reset()
    other.reset()
    assert same(env.observe("player_0"), other.observe("player_0"))
    env.unwrapped.set_state(state)  # after the end
    assert same(playout(env, salt=9), transitions)


def test_copies_before_reset_and_after_the_end():
    env = vitienv.raw_env(num_players=3)
    unborn = pickle.loads(pickle.dumps(env))
    env.reset(seed=2)
    unborn.reset(seed=2)
    assert same(env.observe("player_0"), unborn.observe("player_0"))
    while not any(env.terminations.values()):
        env.step(choose(env.observe(env.agent_selection)["action_mask"]))
    env.step(None)
    other = copy.deepcopy(env)
    assert len(other.agents) == 2
    assert same(playout(other), playout(env))


def test_copies_keep_the_rng_of_spaces():
    env = advanced()
    env.action_space("player_0").seed(8)
    env.action_space("player_0").sample()
    other = copy.deepcopy(env)
    draws = [env.action_space("player_0").sample() for _ in range(5)]
    assert [other.action_space("player_0").sample() for _ in range(5)] == draws


DAMAGED_STATES = {
    "no mapping": lambda state: [],
    "empty": lambda state: {},
    "no games": lambda state: {key: value for key, value in state.items() if key != "games"},
    "another key": lambda state: state | {"x": 1},
    "options": lambda state: state | {"options": state["options"] | {"num_players": 2}},
    "games": lambda state: state | {"games": None},
    "no arrays": lambda state: state | {"games": {}},
    "type": lambda state: state | {"games": state["games"] | {"masks": state["games"]["masks"].astype(float)}},
    "shape": lambda state: state | {"games": state["games"] | {"obs": state["games"]["obs"][:, 1:]}},
}


@pytest.mark.parametrize("change", DAMAGED_STATES.values(), ids=DAMAGED_STATES)
def test_set_state_of_a_malformed_state_raises_without_a_change(change):
    env = advanced()
    before = env.get_state()
    with pytest.raises(ValueError, match=r"^(state must be that of get_state, |[a-z_]+ of the state must be )"):
        env.set_state(change(env.get_state()))
    assert same(env.get_state(), before)


@pytest.mark.parametrize("action", [None, -1, N_ACTIONS, 10**9, 1.0, "pass", np.float32(3), np.int64(-5)])
def test_invalid_actions_raise(action):
    env = advanced()
    before = env.get_state()
    with pytest.raises(vitienv.IllegalAction, match="not an integer from 0 to"):
        env.step(action)
    assert same(env.get_state(), before)


@pytest.mark.parametrize("make", [vitienv.raw_env, vitienv.env])
def test_illegal_actions_raise_without_a_change(make):
    env = advanced(make)
    agent = env.agent_selection
    mask = env.observe(agent)["action_mask"]
    before = env.unwrapped.get_state()
    for action in np.flatnonzero(mask == 0):
        with pytest.raises(ValueError) as error:
            env.step(action)
    assert same(env.unwrapped.get_state(), before)
    message = str(error.value)
    assert agent in message and repr(env.unwrapped.decision) in message
    assert vitienv.ACTIONS.name(int(action)) in message
    assert all(vitienv.ACTIONS.name(int(number)) in message for number in np.flatnonzero(mask))


def test_calls_in_the_wrong_order_raise():
    env = vitienv.raw_env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.last, env.render, env.get_state):
        with pytest.raises(ResetNeeded, match="reset"):
            call()
    env.reset(seed=1)
    while not any(env.terminations.values()):
        env.step(choose(env.observe(env.agent_selection)["action_mask"]))
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    env.step(None)
    env.step(None)
    with pytest.raises(ResetNeeded, match="over"):
        env.step(None)


def test_max_years_truncates_without_reward():
    env = vitienv.env(num_players=3, max_years=2, reward="margin")
    env.reset(seed=1)
    transitions = playout(env)
    for _, _, reward, terminated, truncated, info in transitions[-3:]:
        assert truncated and not terminated
        assert reward == 0
        assert info["final_rank"] in (1, 2, 3)
    assert len(env.agents) == 0


def test_seeds():
    def opening(env, seed=None):
        env.reset(seed=seed)
        return [env.observe(agent) for agent in env.possible_agents]

    env, other = vitienv.raw_env(), vitienv.raw_env()
    a = [opening(env, 5), opening(env), opening(env), opening(env, 6)]
    b = [opening(other, 5), opening(other), opening(other), opening(other, 6)]
    assert same(a, b)
    assert not same(a[0], a[1]) and not same(a[1], a[2]) and not same(a[0], a[3])
    assert not same(opening(vitienv.raw_env()), opening(vitienv.raw_env()))
    assert env.options == vitienv.raw_env().options
