"""Partial reset of a batch, the end of a game in each autoreset mode, and unknown options of reset."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import vitienv
from vitienv.envs.single import SingleAgentEnv, SingleAgentVectorEnv

from .players import SaltedBot, choose, same

NAME = "vitienv/Viticulture-v0"
OPTIONS = {"num_players": 3, "learner_seat": "random"}


def many(mode="SameStep", n=4, **options):
    return SingleAgentVectorEnv(n, opponents=[SaltedBot()], autoreset_mode=mode, **{**OPTIONS, **options})


def advanced(env, seed=3, steps=25):
    _, info = env.reset(seed=seed)
    for step in range(steps):
        *_, info = env.step(choose(info["action_mask"], step))
    return info


def masked(*rows, n=4):
    mask = np.zeros(n, np.bool_)
    mask[list(rows)] = True
    return mask


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("seed", "same_as"), [(None, "successors"), (11, "seed"), ([None, 5, 6, 7], "list"), (np.int8(11), "seed")]
)
def test_reset_mask_restarts_masked_games_only(mode, seed, same_as):
    env, twin = many(mode), many(mode)
    advanced(env)
    before = advanced(twin)
    reset_mask, options = masked(0, 2), {"reset_mask": masked(0, 2)}
    observation, info = env.reset(seed=seed, options=options)
    assert list(options) == ["reset_mask"]  # read by Gymnasium's wrappers
    fresh = many(mode)
    expected = fresh.reset(seed={"successors": 3, "seed": 11, "list": [1, 5, 6, 7]}[same_as])
    if same_as == "successors":
        expected = fresh.reset()
    started = [2] if same_as == "list" else [0, 2]  # game 0 of the list is a successor
    for name in ("action_mask", "learner_seat", "decision"):
        assert np.array_equal(info[name][started], expected[1][name][started])
        assert np.array_equal(info[name][~reset_mask], before[name][~reset_mask])
    assert np.array_equal(observation[started], expected[0][started])
    for step in range(40):  # other games are not affected
        actions = choose(info["action_mask"], step)
        observation, rewards, terminated, truncated, info = env.step(actions)
        other = twin.step(np.where(reset_mask, choose(before["action_mask"], step), actions))
        before = other[-1]
        for array, other_array in zip((observation, rewards, terminated, truncated), other, strict=False):
            assert np.array_equal(array[~reset_mask], other_array[~reset_mask])


def test_seeded_partial_reset_keeps_other_games():
    env, twin = many(max_years=1), many(max_years=1)
    advanced(env)
    advanced(twin)
    env.reset(seed=11, options={"reset_mask": masked(0, 2)})
    ends = 0
    for step in range(120):
        actions = choose(env.action_masks().astype(np.int8), step)
        other = choose(twin.action_masks().astype(np.int8), step)
        step_out, twin_out = env.step(actions), twin.step(other)
        for a, b in zip(step_out[:4], twin_out[:4], strict=True):
            assert np.array_equal(a[[1, 3]], b[[1, 3]])
        ends += step_out[3][[1, 3]].sum()
    assert ends > 3


def test_reset_mask_equals_gymnasium():
    """Compared with the single environments in Gymnasium's vector."""
    vec = gym.make_vec(NAME, num_envs=3, num_players=2)
    sync = gym.make_vec(NAME, num_envs=3, vectorization_mode="sync", num_players=2)
    _, info = vec.reset(seed=[1, 2, 3])
    sync.reset(seed=[1, 2, 3])
    for step in range(10):
        actions = choose(info["action_mask"], step)
        *_, info = vec.step(actions)
        sync.step(actions)
    observation, info = vec.reset(seed=[7, 8, 9], options={"reset_mask": masked(1, n=3)})
    other, other_info = sync.reset(seed=[7, 8, 9], options={"reset_mask": masked(1, n=3)})
    assert np.array_equal(observation, other)
    assert np.array_equal(info["action_mask"][1], other_info["action_mask"][1])


def test_episode_statistics_after_a_partial_reset():
    vec = gym.wrappers.vector.RecordEpisodeStatistics(many("Disabled", max_years=1))
    _, info = vec.reset(seed=1)
    lengths = []
    for step in range(150):
        *_, terminated, truncated, info = vec.step(choose(info["action_mask"], step))
        if (ended := terminated | truncated).any():
            lengths += info["episode"]["l"][ended].tolist()
            _, info = vec.reset(options={"reset_mask": ended})
    assert len(lengths) > 4 and min(lengths) > 3


@pytest.mark.parametrize(
    "mask", [masked(), masked(0)[:3], masked(0).astype(int), [True, False, False, False], None, True, masked(0)[None]],
    ids=repr,
)  # fmt: skip
def test_invalid_masks_raise_without_a_change(mask):
    env = many()
    advanced(env)
    before = env.games.batch.saved()
    expected = r"^reset_mask must be an array \(4,\) of bool with at least one True, got "
    with pytest.raises(ValueError, match=expected):
        env.reset(options={"reset_mask": mask})
    assert same(env.games.batch.saved(), before)


def test_first_reset_must_be_complete():
    with pytest.raises(ResetNeeded, match="the first reset must include all games"):
        many().reset(options={"reset_mask": masked(0)})


# The end of a game in each mode


@pytest.mark.parametrize("mode", AutoresetMode)
def test_end_of_a_game_by_autoreset_mode(mode):
    env, single = many(mode, n=3, max_years=1), SingleAgentEnv([SaltedBot()], max_years=1, **OPTIONS)
    _, info = env.reset(seed=4)
    _, single_info = single.reset(seed=4)
    for step in range(200):
        action = choose(info["action_mask"][0], step)
        observation, _, _, is_truncated, single_info = single.step(action)
        actions = choose(info["action_mask"], step)
        obs, _, terminated, truncated, info = env.step(actions)
        assert truncated[0] == is_truncated
        if truncated[0]:
            break
        if (terminated | truncated).any() and mode == AutoresetMode.DISABLED:
            _, info = env.reset(options={"reset_mask": terminated | truncated})
    assert truncated[0]
    first_obs, first_info = single.reset()
    if mode == AutoresetMode.SAME_STEP:
        assert np.array_equal(info["final_obs"][0], observation) and np.array_equal(obs[0], first_obs)
        assert not info["final_info"]["action_mask"][0].any() and info["action_mask"].any(axis=1).all()
        assert np.array_equal(info["final_info"]["final_scores"][0], single_info["final_scores"])
        return
    assert np.array_equal(obs[0], observation) and not info["action_mask"][0].any() and info["decision"][0] == -1
    assert np.array_equal(info["final_scores"][0], single_info["final_scores"])
    ended = terminated | truncated
    actions = choose(info["action_mask"], 0)
    if mode == AutoresetMode.DISABLED:
        before = env.games.batch.saved()
        with pytest.raises(ResetNeeded, match=r"^game 0 is over; call reset\(\)$"):
            env.step(actions)
        assert same(env.games.batch.saved(), before)
        obs, info = env.reset(options={"reset_mask": ended})
    else:
        actions[ended] = -7
        obs, rewards, terminated, truncated, info = env.step(actions)
        assert not (rewards[ended].any() or terminated[ended].any() or truncated[ended].any())
    assert np.array_equal(obs[0], first_obs) and np.array_equal(info["action_mask"][0], first_info["action_mask"])


def test_partial_reset_keeps_other_finished_games():
    env = many("Disabled", illegal_action="lose")
    _, info = env.reset(seed=2)
    actions = choose(info["action_mask"])
    actions[[1, 3]] = info["action_mask"][[1, 3]].argmin(axis=1)
    *_, terminated, _, info = env.step(actions)
    assert terminated.tolist() == [False, True, False, True]
    _, info = env.reset(options={"reset_mask": masked(1)})
    assert (info["decision"] < 0).tolist() == [False, False, False, True]
    with pytest.raises(ResetNeeded, match="game 3 is over"):
        env.step(choose(info["action_mask"]))


# Options of reset


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (vitienv.env, "reset takes no options"),
        (vitienv.raw_env, "reset takes no options"),
        (lambda: gym.make(NAME), "reset takes no options"),
        (lambda: SingleAgentVectorEnv(2), "expected one of: reset_mask"),
    ],
    ids=["env", "raw_env", "make", "make_vec"],
)
def test_unknown_options_of_reset_raise(make, expected):
    env = make()
    for options in (None, {}):
        env.reset(seed=1, options=options)
    with pytest.raises(ValueError, match=f"^unknown reset option 'position'; {expected}$"):
        env.reset(seed=1, options={"position": "x"})


@pytest.mark.parametrize("make", [vitienv.text_env, lambda: vitienv.make_vec(2)], ids=["text_env", "make_vec"])
def test_reset_without_options_has_no_such_argument(make):
    with pytest.raises(TypeError, match="options"):
        make().reset(options={})


def test_set_options_of_stable_baselines_raises():
    env = pytest.importorskip("vitienv.envs.sb3").SingleAgentVecEnv(2)
    for options in (None, {}, [{}, {}]):
        env.set_options(options)
    for options in ({"position": 1}, [{}, {"position": 1}]):
        with pytest.raises(ValueError, match="unknown reset option 'position'"):
            env.set_options(options)
