"""Batched games: arrays in, arrays out."""

import tracemalloc
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import vitienv
from vitienv.core.batch import Batch, make_keys
from vitienv.viticulture.options import Options
from vitienv.viticulture.vocabulary import N_ACTIONS

from .players import choose, same

RESULTS = ("action_mask", "seat", "final_scores", "final_ranks")


def run(vec, steps, seed):
    """Return copies of the results of each step."""
    _, info = vec.reset(seed=seed)
    results = []
    for step in range(steps):
        *out, info = vec.step(choose(info["action_mask"], step))
        results.append([x.copy() for x in (*out, *(info[name] for name in RESULTS))])
    return results


def test_spaces():
    vec = vitienv.make_vec(5, num_players=3)
    obs, _ = vec.reset(seed=1)
    assert vec.observation_space.contains(obs) and vec.single_observation_space.contains(obs[0])
    assert vec.single_action_space.n == N_ACTIONS and vec.action_space.shape == (5,)


@pytest.mark.parametrize("game", vitienv.registry.game_names())
def test_determinize_changes_hidden_information_only(game):
    vec = vitienv.make_vec(32, game=game, num_players=2)
    _, info = vec.reset(seed=1)
    for _ in range(60):
        vec._batch.step_random()
    before = vec._batch.bytes_view.copy()
    first, repeated, second = (vec.determinize(seed) for seed in (3, 3, 4))
    for other in (first, second):
        assert np.array_equal(other._batch.obs, vec._batch.obs) and np.array_equal(other._batch.masks, vec._batch.masks)
        assert (other._batch.bytes_view != before).any(axis=1).all()
    assert np.array_equal(first._batch.bytes_view, repeated._batch.bytes_view)
    assert (first._batch.bytes_view != second._batch.bytes_view).any(axis=1).all()
    rivals = 1 - info["seat"]
    assert (first.observe(rivals) != vec.observe(rivals)).any() and np.array_equal(vec._batch.bytes_view, before)
    few = vitienv.make_vec(3, game=game, num_players=2)
    few.reset(seed=1)
    vec.reset(seed=1)
    assert np.array_equal(few.determinize(2)._batch.bytes_view, vec.determinize(2)._batch.bytes_view[:3])


@pytest.mark.parametrize("game", vitienv.registry.game_names())
def test_playout_equals_random_steps(game):
    vec = vitienv.make_vec(16, game=game, num_players=2, **{vitienv.game_spec(game).options.LIMIT: 9})
    vec.reset(seed=1)
    slow = vec.copy()._batch
    while len(slow.active_rows()):
        slow.step_random(restart=False)
    _, rewards, terminated, truncated, info = vec.playout()
    assert (terminated ^ truncated).all() and np.array_equal(terminated, slow.ended == 1)
    assert np.array_equal(info["final_scores"], slow.scores[:, :2]) and np.array_equal(rewards, slow.rewards[:, :2])
    if slow.game_spec.token is not None:
        assert np.array_equal(info["final_influence"], slow.games[slow.game_spec.token.field])
    assert (info["seat"] >= 0).all() and info["action_mask"].any(axis=1).all()  # the next games have started


@pytest.mark.parametrize("value", ["no", 1, None, [True]])
def test_flags_must_be_booleans(value):
    vec = vitienv.make_vec(2, num_players=2)
    vec.reset(seed=1)
    game = vitienv.Game.new(seed=1, num_players=2)
    for call in (
        lambda: vec.observe(np.zeros(2, int), open_hands=value), lambda: game.observation(open_hands=value),
        lambda: vitienv.make_vec(2, final_obs=value), lambda: vitienv.make_vec(2, open_hands=value),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"^(open_hands|final_obs) must be True or False, got "):
            call()


def test_games_have_the_keys_of_the_seed():
    vec = vitienv.make_vec(3, num_players=3)
    obs, info = vec.reset(seed=8)
    games = []
    for key in make_keys(8, 3):
        batch = Batch(1, Options(num_players=3))
        batch.start(key[None])
        games.append(vitienv.Game(batch, None, {}))
    assert games[0] == vitienv.Game.new(seed=8, num_players=3)
    ended = 0
    for step in range(5000):
        for i, game in enumerate(games):
            if game is not None:
                assert np.array_equal(obs[i], game.observation())
                assert np.array_equal(info["action_mask"][i], game.mask)
                assert info["seat"][i] == game.current_seat
        actions = choose(info["action_mask"], step)
        obs, rewards, terminated, truncated, info = vec.step(actions)
        for i, game in enumerate(games):
            if game is None:
                continue
            game.step(int(actions[i]))
            assert terminated[i] == game.is_over and not truncated[i]
            assert rewards[i].tolist() == pytest.approx(game.rewards)
            if game.is_over:
                assert info["final_scores"][i].tolist() == game.scores
                assert info["final_ranks"][i].tolist() == game.ranks
                assert info["action_mask"][i].any()
                games[i] = None
                ended += 1
        if ended == 3:
            break
    assert ended == 3


def test_step_reuses_arrays():
    vec = vitienv.make_vec(256, num_players=2)
    obs, info = vec.reset(seed=1)
    first = vec.step(choose(info["action_mask"]))
    actions = choose(info["action_mask"], 1)
    second = vec.step(actions)
    assert all(a is b for a, b in zip(first[:-1], second[:-1], strict=True))
    assert first[0] is obs and first[-1] is info is second[-1]
    actions = choose(info["action_mask"], 2)
    tracemalloc.start()
    vec.step(actions)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2048  # less than one array over the games


def test_masks_and_seats_are_read_only():
    _, info = vitienv.make_vec(2).reset(seed=1)
    for name in ("action_mask", "seat"):
        with pytest.raises(ValueError, match="read-only"):
            info[name][0] = 1


def test_illegal_actions_raise_before_any_step():
    vec = vitienv.make_vec(20, num_players=2)
    _, info = vec.reset(seed=1)
    before = vec.__getstate__()
    mask = info["action_mask"][3]
    from_the_end = int(mask.argmax()) - N_ACTIONS
    for bad in (N_ACTIONS, -1, 10**6, int(mask.argmin()), from_the_end):
        actions = choose(info["action_mask"])
        actions[[3, 11]] = bad
        with pytest.raises(vitienv.IllegalAction, match=r"2 of 20 games \(3, 11\)") as error:
            vec.step(actions)
        assert all(word in str(error.value) for word in ("papa_gift", "game 3", "game 11"))
        assert same(vec.__getstate__(), before)
    with pytest.raises(ValueError, match="20 of 20"):
        vec.step(np.full(20, N_ACTIONS))


NOT_TWO_INTEGERS = [
    [0], [[0, 0]], [0.0, 0.0], [np.nan, 0], "ab", ["a", "b"], [True, True], 3, None, np.ma.array([0, 0], mask=True),
]  # fmt: skip


@pytest.mark.parametrize("values", NOT_TWO_INTEGERS, ids=repr)
def test_invalid_actions_and_seats_raise(values):
    vec = vitienv.make_vec(2)
    vec.reset(seed=1)
    for name, call in (("actions", vec.step), ("seats", vec.observe)):
        with pytest.raises(ValueError, match=rf"^{name} must be integers of shape \(2,\), got .* of shape "):
            call(values)


def test_calls_in_the_wrong_order_and_invalid_options_raise():
    vec = vitienv.make_vec(2)
    actions = [0, 0]
    for call in (
        partial(vec.step, actions), partial(vec.observe, actions), vec.determinize, vec.playout, vec.action_masks,
    ):  # fmt: skip
        with pytest.raises(ResetNeeded, match=r"call reset\(\) before "):
            call()
    vec.reset(seed=1)
    for call in (vec.reset, vec.determinize):
        with pytest.raises(ValueError, match=r"^seed must be None or an integer from 0, got -1$"):
            call(-1)


def test_observe_any_seat():
    vec = vitienv.make_vec(2, num_players=3)
    obs, info = vec.reset(seed=9)
    game = vitienv.Game.new(seed=9, num_players=3)
    for seat in range(3):
        assert np.array_equal(vec.observe(np.array([seat, 0]))[0], game.observation(seat))
    assert np.array_equal(vec.observe(info["seat"]), obs)
    for seats, span in (([0, 3], "0 to 3"), ([-1, 0], "-1 to 0"), ([2**40, 0], "0 to 1099511627776")):
        with pytest.raises(ValueError, match=f"^seats must be from 0 to 2, got {span}$"):
            vec.observe(seats)


def test_numpy_integers_are_accepted_and_threads_change_no_result():
    vec = vitienv.make_vec(np.int8(9), num_threads=np.int8(2), num_players=2)
    assert same(run(vec, 60, seed=np.int8(5)), run(vitienv.make_vec(9, num_players=2), 60, seed=5))


def test_boolean_masks():
    vec = vitienv.make_vec(3)
    _, info = vec.reset(seed=1)
    masks = vec.action_masks()
    assert masks.dtype == np.bool_ and np.array_equal(masks, info["action_mask"])
    before = masks.copy()
    for step in range(20):
        vec.step(choose(info["action_mask"], step))
    assert np.array_equal(masks, before) and not np.array_equal(masks, vec.action_masks())  # always a new array


def test_reset_restarts_all_games():
    vec = vitienv.make_vec(3)
    first = run(vec, 30, seed=4)
    other = vitienv.make_vec(3)
    other.reset(seed=4)
    opening = other.reset()[0].copy()
    vec.reset(seed=4)
    assert same(vec.reset()[0], opening)
    assert same(run(vec, 30, seed=4), first)
    assert len({row.tobytes() for row in np.concatenate([opening, vec.reset(seed=4)[0]])}) == 6


@pytest.mark.parametrize("skip_forced", [True, False])
def test_skip_forced(skip_forced):
    vec = vitienv.make_vec(3, game="toscana", num_players=2, skip_forced=skip_forced)
    _, info = vec.reset(seed=2)
    fewest = set()
    for step in range(100):
        fewest.add(int(info["action_mask"].sum(axis=1).min()))
        *_, info = vec.step(choose(info["action_mask"], step))
    assert (min(fewest) > 1) == skip_forced
