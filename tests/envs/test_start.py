"""Batches from positions, the last observations of a game, and what a central critic sees."""

import copy
import pickle

import numpy as np
import pytest

import vitienv

from .playing import choose, same

LIMITS = {"viticulture": {"max_years": 2}, "toscana": {"max_rounds": 2}}
GAMES = [pytest.param(name, limit, id=name) for name, limit in LIMITS.items()]


def middle(name="viticulture", steps=20, seed=4, **options):
    game = vitienv.Game.new(game=name, seed=seed, **{"num_players": 3, **LIMITS[name], **options})
    for step in range(steps):
        game.step(choose(game.mask, step))
    return game


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_final_obs_are_what_each_seat_sees_of_the_end(name, limit):
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
        assert same(out, plain.step(actions)[:4])  # all else is as without
        ended = out[2] | out[3]
        assert [each is not None for each in info["final_obs"]] == ended.tolist()
        if ended[0] and not checked:
            checked = True
            assert info["final_obs"][0].dtype == np.int16
            assert np.array_equal(info["final_obs"][0], [game.observation(seat) for seat in range(3)])
        ends += ended.sum()
    assert ends > 3 and checked


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_a_batch_of_a_game_has_exact_copies(name, limit):
    game = middle(name)
    vec = game.batch(5)
    assert np.array_equal(vec._batch.bytes_view, np.repeat(game._batch.bytes_view, 5, axis=0))
    observation = game.observation()
    actions = vec.action_masks().argmax(axis=1)
    one = vec.step(actions)
    game.step(int(actions[0]))
    assert (one[0] == game.observation()).all() and not (one[0] == observation).all()
    deals = game.batch(20).determinize(3)
    assert (deals._batch.obs == game.observation()).all()  # what the seat sees is the same under every deal
    assert len({row.tobytes() for row in deals._batch.bytes_view}) == 20
    assert len(set(map(tuple, deals.playout()[4]["final_scores"].tolist()))) > 1


@pytest.mark.parametrize(("name", "limit"), GAMES)
def test_every_game_starts_from_its_position(name, limit):
    starts = [middle(name, 10), middle(name, 20, seed=5)]
    vec = vitienv.make_vec(5, start=starts)
    obs, info = vec.reset(seed=2)
    expected = np.array([starts[i % 2].observation() for i in range(5)])
    assert np.array_equal(obs, expected) and info["seat"].tolist() == [starts[i % 2].current_seat for i in range(5)]
    assert len({row.tobytes() for row in vec._batch.bytes_view}) == 5  # each with a deal of its own
    bytes_view, ends = vec._batch.bytes_view.copy(), 0
    for step in range(400):
        obs, _, terminated, truncated, info = vec.step(choose(info["action_mask"], step))
        for row in np.flatnonzero(terminated | truncated):
            assert np.array_equal(obs[row], expected[row]) and not np.array_equal(
                vec._batch.bytes_view[row], bytes_view[row]
            )
            ends += 1
    assert ends > 5
    vec.reset(seed=2)
    assert np.array_equal(vec._batch.bytes_view, bytes_view)
    few = vitienv.make_vec(3, start=starts)
    few.reset(seed=2)
    assert np.array_equal(few._batch.bytes_view, bytes_view[:3])  # by the seed and the number of the game only


@pytest.mark.parametrize("how", [copy.copy, lambda vec: pickle.loads(pickle.dumps(vec))])
def test_copies_start_from_the_same_positions(how):
    vec = vitienv.make_vec(4, start=middle(), final_obs=True)
    _, info = vec.reset(seed=1)
    other = how(vec)
    for step in range(150):
        actions = choose(info["action_mask"], step)
        *out, info = vec.step(actions)
        *copied, copied_info = other.step(actions)
        assert same(out, copied)
        assert [each is None for each in info["final_obs"]] == [each is None for each in copied_info["final_obs"]]


def test_wrong_starts_are_named():
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
def test_a_central_critic_sees_what_all_seats_hold(name):
    game, is_open = middle(name), middle(name, open_hands=True)
    vec = game.batch(2)
    for seat in range(3):
        assert np.array_equal(game.observation(seat, open_hands=True), is_open.observation(seat))
        assert np.array_equal(vec.observe([seat] * 2, open_hands=True)[1], is_open.observation(seat))
        assert not np.array_equal(game.observation(seat), is_open.observation(seat))
        assert np.array_equal(vec.observe([seat] * 2)[0], game.observation(seat))  # and nothing was changed


def test_pettingzoos_state_is_the_open_view_of_seat_0():
    env, game = vitienv.env(num_players=3), vitienv.Game.new(num_players=3, seed=1, open_hands=True)
    env.reset(seed=1)
    for step in range(25):
        assert np.array_equal(env.state(), game.observation(0)) and env.unwrapped.state_space.contains(env.state())
        action = choose(game.mask, step)
        env.step(action)
        game.step(action)
