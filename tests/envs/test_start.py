"""Batches from positions, final observations, and the state for a central critic."""

import copy
import pickle

import numpy as np
import pytest

import vitienv

from .players import choose, same

LIMITS = {"viticulture": {"max_years": 2}, "toscana": {"max_rounds": 2}}
GAMES = [pytest.param(name, limit, id=name) for name, limit in LIMITS.items()]


def middle(name="viticulture", steps=20, seed=4, **options):
    game = vitienv.Game.new(game=name, seed=seed, **{"num_players": 3, **LIMITS[name], **options})
    for step in range(steps):
        game.step(choose(game.mask, step))
    return game


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_final_obs_of_each_seat(name, limit):
    vec = vitienv.make_vec(3, game=name, num_players=3, final_obs=True, **limit)
    plain = vitienv.make_vec(3, game=name, num_players=3, **limit)
    _, info = vec.reset(seed=8)
    plain.reset(seed=8)
    assert info["final_obs"].tolist() == [None] * 3
    game, ends, checked = vitienv.Game.new(game=name, seed=8, num_players=3, **limit), 0, False
    for step in range(600):
        actions = choose(info["action_mask"], step)
        if not game.is_over:
            game.step(int(actions[0]))
        *out, info = vec.step(actions)
        assert same(out, plain.step(actions)[:4])  # other results do not change
        ended = out[2] | out[3]
        assert [obs is not None for obs in info["final_obs"]] == ended.tolist()
        if ended[0] and not checked:
            checked = True
            assert info["final_obs"][0].dtype == np.int16
            assert np.array_equal(info["final_obs"][0], [game.observation(seat) for seat in range(3)])
        ends += ended.sum()
    assert ends > 3 and checked


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_batch_of_a_game_has_exact_copies(name, limit):
    game = middle(name)
    vec = game.batch(5)
    assert np.array_equal(vec._batch.bytes_view, np.repeat(game._batch.bytes_view, 5, axis=0))
    observation = game.observation()
    actions = vec.action_masks().argmax(axis=1)
    out = vec.step(actions)
    game.step(int(actions[0]))
    assert (out[0] == game.observation()).all() and not (out[0] == observation).all()
    deals = game.batch(20).determinize(3)
    assert (deals._batch.obs == game.observation()).all()  # determinization keeps the observation
    assert len({row.tobytes() for row in deals._batch.bytes_view}) == 20
    assert len(set(map(tuple, deals.playout()[4]["final_scores"].tolist()))) > 1


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_games_start_from_a_position(name, limit):
    starts = [middle(name, 10), middle(name, 20, seed=5)]
    vec = vitienv.make_vec(5, start=starts)
    obs, info = vec.reset(seed=2)
    expected = np.array([starts[i % 2].observation() for i in range(5)])
    assert np.array_equal(obs, expected) and info["seat"].tolist() == [starts[i % 2].current_seat for i in range(5)]
    assert len({row.tobytes() for row in vec._batch.bytes_view}) == 5  # each game has another deal
    bytes_view, ends = vec._batch.bytes_view.copy(), 0
    for step in range(400):
        obs, _, terminated, truncated, info = vec.step(choose(info["action_mask"], step))
        for row in np.flatnonzero(terminated | truncated):
            assert np.array_equal(obs[row], expected[row])
            assert not np.array_equal(vec._batch.bytes_view[row], bytes_view[row])
            ends += 1
    assert ends > 5
    vec.reset(seed=2)
    assert np.array_equal(vec._batch.bytes_view, bytes_view)
    few = vitienv.make_vec(3, start=starts)
    few.reset(seed=2)
    assert np.array_equal(few._batch.bytes_view, bytes_view[:3])  # depends on the seed and the index of the game only


def results(vec, steps=150):
    """Step a batch; return observations, rewards, ends, and which games have final observations."""
    rows = []
    for step in range(steps):
        *out, info = vec.step(choose(vec.action_masks(), step))
        rows.append([*(x.copy() for x in out), [obs is not None for obs in info.get("final_obs", ())]])
    return rows


@pytest.mark.parametrize("has_start", [False, True])
@pytest.mark.parametrize("copy_vec", [copy.copy, copy.deepcopy, lambda vec: pickle.loads(pickle.dumps(vec))])
def test_copies_are_equal_and_independent(copy_vec, has_start):
    options = {"start": middle(), "final_obs": True} if has_start else {"num_players": 2}
    vec = vitienv.make_vec(4, **options)
    vec.reset(seed=1)
    results(vec, 80)
    other = copy_vec(vec)
    expected = results(other)
    assert same(results(vec), expected)


def test_invalid_starts_raise():
    game, over = middle(), middle()
    while not over.is_over:
        over.step(over.legal_actions()[0])
    for start, options, words in (
        ([], {}, "start must be a Game or a list of them"),
        ("x", {}, "start must be a Game or a list of them"),
        (5, {}, "start must be a Game or a list of them, got 5"),
        (game, {"num_players": 3}, r"options must come from start, got \['num_players'\]"),
        (game, {"game": "toscana"}, "options must come from start, got 'toscana'"),
        ([game, middle(max_years=3)], {}, "must have the same options"),
        ([game, over], {}, "must not be over"),
    ):
        with pytest.raises(ValueError, match=words):
            vitienv.make_vec(2, start=start, **options)
    with pytest.raises(ValueError, match="the game must not be over"):
        over.batch(2)


@pytest.mark.parametrize("name", LIMITS)
def test_state_of_a_central_critic(name):
    game, is_open = middle(name), middle(name, open_hands=True)
    vec = game.batch(2)
    for seat in range(3):
        assert np.array_equal(game.observation(seat, open_hands=True), is_open.observation(seat))
        assert np.array_equal(vec.observe([seat] * 2, open_hands=True)[1], is_open.observation(seat))
        assert not np.array_equal(game.observation(seat), is_open.observation(seat))
        assert np.array_equal(vec.observe([seat] * 2)[0], game.observation(seat))  # the state is unchanged


def test_pettingzoo_state_is_the_open_view_of_seat_0():
    env, game = vitienv.env(num_players=3), vitienv.Game.new(num_players=3, seed=1, open_hands=True)
    env.reset(seed=1)
    for step in range(25):
        assert np.array_equal(env.state(), game.observation(0)) and env.unwrapped.state_space.contains(env.state())
        action = choose(game.mask, step)
        env.step(action)
        game.step(action)
