"""Opponents of a learner: pools, changes between games, and attributes of a batch."""

import copy
import pickle
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

import vitienv
from vitienv.envs.single import SingleAgentEnv, SingleAgentVectorEnv

from .players import SaltedBot, choose, same

NAME = "vitienv/Viticulture-v0"
SHORT = {"max_years": 1, "num_players": 3}


class Counting(SaltedBot):
    """A bot that counts its decisions by batch size."""

    num_decisions = 0

    def act(self, observations, action_masks, games=None):
        self.num_decisions += len(observations)
        return super().act(observations, action_masks)


def sb3(num_envs, **options):
    return pytest.importorskip("vitienv.envs.sb3").SingleAgentVecEnv(num_envs, **options)


def play(vec, steps):
    """Step an environment of any library; return observations, rewards and ends."""
    results = []
    for step in range(steps):
        out = vec.step(choose(vec.action_masks().astype(np.int8), step))
        results.append(out[:3])
        if isinstance(vec, SingleAgentEnv) and (out[2] or out[3]):
            vec.reset()
    return results


def reset(vec, seed):
    if hasattr(vec, "seed"):
        vec.seed(seed)
        vec.reset()
    else:
        vec.reset(seed=seed)


MANY = {"make_vec": SingleAgentVectorEnv, "sb3": sb3}
KINDS = MANY | {"make": lambda num_envs, **options: SingleAgentEnv(**options)}


@pytest.mark.parametrize("kind", MANY)
def test_pool_fractions(kind):
    vec = MANY[kind](2000, opponents={"random": 1, SaltedBot(): 3, ("random", SaltedBot("b")): 1}, **SHORT)
    reset(vec, 1)
    bots, agent_ids = vec.games._opponents, Counter(map(tuple, vec.games._opponents.agent_ids.tolist()))
    assert [agent.name for agent in bots.agents] == ["random", "salted", "b"]
    assert {lineup: round(games / 2000, 1) for lineup, games in agent_ids.items()} == {
        (0, 0): 0.2,
        (1, 1): 0.6,
        (0, 2): 0.2,
    }


def test_opponent_of_a_pool_depends_on_the_seed_only():
    pool = {"random": 1, "heuristic": 1}
    single, many = SingleAgentEnv(pool, **SHORT), SingleAgentVectorEnv(5, pool, **SHORT)
    bots = []
    for seed in range(8):
        many.reset(seed=[seed] * 5)
        single.reset(seed=seed)
        assert (many.games._opponents.agent_ids == single.games._opponents.agent_ids).all()
        bots.append(int(single.games._opponents.agent_ids[0, 0]))
    assert set(bots) == {0, 1}
    without_pool = {0: SingleAgentEnv("random", **SHORT), 1: SingleAgentEnv("heuristic", **SHORT)}
    for seed, bot in enumerate(bots):  # the bots play as without a pool
        for env in (single, without_pool[bot]):
            env.reset(seed=seed)
        for step in range(40):
            action = choose(single.action_masks().astype(np.int8), step)
            out = single.step(action)
            assert same(out, without_pool[bot].step(action))
            if out[2] or out[3]:
                break


@pytest.mark.parametrize("kind", MANY)
def test_new_opponents_start_with_new_games(kind):
    first, second = Counting("first"), Counting("second")
    vec = MANY[kind](6, opponents=[first], **SHORT)
    reset(vec, 1)
    play(vec, 5)
    vec.set_opponents([second])
    assert vec.opponents == [second] and vec.get_attr("opponents")[0] == [second]
    num_decisions = first.num_decisions
    play(vec, 3)
    assert first.num_decisions > num_decisions and second.num_decisions == 0  # unfinished games keep their opponents
    play(vec, 150)
    assert second.num_decisions > 100
    assert [agent.name for agent in vec.games._opponents.agents] == ["first", "second"]
    vec.set_opponents({second: 1, "random": 1})
    assert [agent.name for agent in vec.games._opponents.agents] == ["second", "random"]  # `first` has no game left
    num_decisions = first.num_decisions
    play(vec, 150)
    assert first.num_decisions == num_decisions


def test_set_opponents_of_a_single_environment():
    first, second = Counting("first"), Counting("second")
    env = gym.make(NAME, opponents=[first], **SHORT)
    env.reset(seed=1)
    env.unwrapped.set_opponents(second)
    assert first.num_decisions > 0 and second.num_decisions == 0
    env.reset(seed=1)
    assert second.num_decisions > 0
    for attribute in ("opponents", "learner_seat", "illegal_action", "num_players"):
        with pytest.raises(AttributeError):
            setattr(env.unwrapped, attribute, ["heuristic"])
    assert env.unwrapped.opponents == second


def pools(make):
    """Return an environment with games against two pools of opponents, and a random seat of the learner."""
    vec = make(6, opponents={"random": 1, SaltedBot(): 2}, learner_seat="random", **SHORT)
    reset(vec, 1)
    play(vec, 5)
    vec.set_opponents({"heuristic": 1, "random": 1})
    play(vec, 20)
    return vec


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copy_env", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_have_the_same_future_and_are_independent(kind, copy_env):
    vec = pools(KINDS[kind])
    other, before = copy_env(vec), vec.games.batch.saved()
    steps = play(other, 60)
    assert same(vec.games.batch.saved(), before)
    assert same(play(vec, 60), steps)


@pytest.mark.parametrize(
    ("opponents", "words"),
    [
        ({}, "shares of opponents must be positive numbers"),
        ({"random": 0}, "positive numbers, got 0"),
        ({"random": -1.0}, "positive numbers, got -1.0"),
        ({"random": float("nan")}, "positive numbers, got nan"),
        ({"random": float("inf")}, "positive numbers, got inf"),
        ({"random": "1"}, "positive numbers, got '1'"),
        ({"random": True}, "positive numbers, got True"),
        ({"nobody_knows": 1}, "nobody_knows"),
        ({("random", "random", "random"): 1}, "opponents must be .*, got 3"),
        ([], "opponents must be .*got 0"),
        ([3], "opponent must be a spec .*, got 3"),
        (["random", "random", "random"], r"a pool is a mapping to shares, such as \{'random': 1\}, got 3"),
        ({3: 1}, "opponents must be a bot, a list of bots or a pool of them, got 3"),
        (5, "opponents must be a bot, a list of bots or a pool of them, got 5"),
        (None, "opponents must be a bot, a list of bots or a pool of them, got None"),
        (["nobody_knows"], "nobody_knows"),
    ],
    ids=repr,
)
def test_invalid_opponents_raise_without_a_change(opponents, words):
    with pytest.raises(ValueError, match=words):
        SingleAgentEnv(opponents, **SHORT)
    vec = SingleAgentVectorEnv(2, ["random"], **SHORT)
    vec.reset(seed=1)
    with pytest.raises(ValueError, match=words):
        vec.set_opponents(opponents)
    assert vec.opponents == ["random"]
    play(vec, 30)
    vec.set_opponents({"random": np.float32(0.5), "heuristic": np.int64(1)})  # NumPy scalars are accepted


# Attributes of vector environments


def test_attributes_of_gymnasium_vectors():
    vec = gym.make_vec(NAME, num_envs=3, render_mode="ansi", **SHORT)
    _, info = vec.reset(seed=1)
    assert np.array_equal(vec.call("action_masks"), info["action_mask"]) and len(vec.call("action_masks")) == 3
    assert vec.get_attr("decision") == tuple(vec.unwrapped.games.batch.decision(i) for i in range(3))
    assert vec.get_attr("num_players") == (3, 3, 3) and vec.get_attr("illegal_action") == ("lose",) * 3
    assert vec.get_attr("action_space")[2] == vec.single_action_space
    assert vec.get_attr("observation_space")[0] == vec.single_observation_space
    assert len(vec.call("render")) == 3 and "Seat 2" in vec.call("render")[1]
    assert vec.call("set_opponents", {"heuristic": 1}) == (None,) * 3
    assert vec.get_attr("opponents") == ({"heuristic": 1},) * 3
    with pytest.raises(AttributeError, match="unknown attribute 'teleport' of a game; expected one of: action_masks, "):
        vec.call("teleport")
    for name in ("opponents", "note"):
        with pytest.raises(AttributeError, match=rf"cannot set '{name}' of single games; set_opponents\(\)"):
            vec.set_attr(name, ["heuristic"])


def test_attributes_of_stable_baselines_vectors():
    vec = sb3(3, **SHORT)
    vec.reset()
    assert vec.env_method("set_opponents", ["heuristic"]) == [None] * 3 and vec.opponents == ["heuristic"]
    with pytest.raises(ValueError, match="for all 3 games, got indices 0"):
        vec.env_method("set_opponents", "random", indices=0)
    with pytest.raises(AttributeError, match="unknown method 'teleport' of a game; expected one of: action_masks, "):
        vec.env_method("teleport")
    for name in ("opponents", "note"):
        with pytest.raises(AttributeError, match=rf"cannot set '{name}' of single games; set_opponents\(\)"):
            vec.set_attr(name, ["random"])
    assert vec.opponents == ["heuristic"]


def test_checkpoints_as_opponents(tmp_path):
    torch = pytest.importorskip("torch")
    from vitienv.training.ppo.one_file import Agent

    torch.manual_seed(1)
    file = tmp_path / "ppo.safetensors"
    Agent(vitienv.OBSERVATION.n, vitienv.ACTIONS.n, 8).save(str(file), {"reward": "win"}, "viticulture")
    pool = {f"policy:{file}": 1, f"policy:{file},deterministic=false": 1, "random": 1}
    vecs = [gym.make_vec(NAME, num_envs=4, opponents=pool, **SHORT).unwrapped, sb3(4, opponents=pool, **SHORT)]
    for vec in vecs:
        reset(vec, 1)
        play(vec, 20)
        assert [agent.name for agent in vec.games._opponents.agents] == ["policy:ppo", "policy:ppo", "random"]
    env = gym.make(NAME, opponents=[f"policy:{file}"], **SHORT)
    env.reset(seed=1)
    env.step(int(env.unwrapped.action_masks().argmax()))
