"""Games depend on their seed only: not on batch, threads or copies."""

import numpy as np
import pytest

from vitienv.core.batch import Batch, make_keys
from vitienv.core.fields import digest
from vitienv.viticulture.options import Options
from vitienv.viticulture.state import FIELDS


def trajectory(batch: Batch, row: int, steps: int) -> list:
    """Return actions, seats, masks, observations and rewards of one game of a batch under random play."""
    transitions = []
    for _ in range(steps):
        mask, obs, seat = batch.masks[row].tobytes(), batch.obs[row].tobytes(), int(batch.seats[row])
        batch.step_random()
        transitions.append(
            (mask, obs, seat, int(batch.actions[row]), int(batch.ended[row]), batch.rewards[row].tobytes())
        )
    return transitions


KINDS_TRIED = [{"num_players": n} for n in (2, 4, 6)]
KINDS_TRIED += [{"ruleset": "solo"}, {"ruleset": "solo", "automa_replacement": "blocker"}, {"ruleset": "original"}]


@pytest.mark.parametrize("kind", KINDS_TRIED, ids=lambda kind: " ".join(map(str, kind.values())))
def test_games_are_independent_of_their_batch(kind):
    keys = make_keys(3, 32)
    options = Options(**kind)
    many, alone, threads = Batch(32, options), Batch(1, options), Batch(32, options, num_threads=2)
    many.start(keys)
    alone.start(keys[17:18])
    threads.start(keys)
    expected = trajectory(many, 17, 1500)
    assert trajectory(alone, 0, 1500) == expected
    assert trajectory(threads, 17, 1500) == expected


def test_games_of_a_batch_differ():
    batch = Batch(64, Options(num_players=4))
    batch.start(make_keys(0, 64))
    assert len({game.tobytes() for game in batch.games}) == 64


def finished_games(n: int, **options) -> Batch:
    batch = Batch(n, Options(max_years=1, **options))
    batch.start(make_keys(2, n))
    while (playing := batch.active_rows()).size:
        batch.step_rows(playing, batch.masks[playing].argmax(axis=1))
    return batch


def test_successor_keys_have_64_random_bits():
    batch = finished_games(6, num_players=2)
    before = batch.keys.copy()
    batch.step_random(restart=True)
    assert not (batch.keys == before).any()
    assert all(len(set(half)) == 6 for half in batch.keys.T.tolist())


@pytest.mark.parametrize("options", [{"num_players": 2}, {"ruleset": "solo"}])
def test_finished_game_has_no_legal_action(options):
    batch = finished_games(4, **options)
    assert not batch.masks.any() and (batch.seats == -1).all() and (batch.decisions == -1).all()


def test_truncated_game_has_no_legal_action():
    batch = Batch(2, Options())
    batch.start(make_keys(2, 2))
    batch.end_rows(np.array([1]))
    assert batch.masks[0].any() and not batch.masks[1].any() and batch.seats[1] == -1


def test_state_of_another_batch_size_raises():
    """NumPy would broadcast a single game."""
    small, large = Batch(1, Options()), Batch(4, Options())
    small.start(make_keys(1, 1))
    with pytest.raises(ValueError, match=r"^bytes_view of the state must be int8 of shape"):
        large.restore(small.saved())


def test_random_actions_are_uniform():
    """The relative index among legal actions is uniform; 4,000 decisions of 200 games."""
    batch = Batch(200, Options(num_players=4))
    batch.start(make_keys(0, 200))
    places = []
    for _ in range(20):
        masks = batch.masks.copy()
        batch.step_random()
        for mask, action in zip(masks, batch.actions, strict=True):
            legal = np.flatnonzero(mask)
            if len(legal) > 1:
                places.append((np.searchsorted(legal, action) + 0.5) / len(legal))
    assert len(places) > 2000 and abs(np.mean(places) - 0.5) < 5 * np.std(places) / np.sqrt(len(places))
    assert min(np.mean(np.array(places) < 0.5), np.mean(np.array(places) > 0.5)) > 0.35


def test_copies_share_no_memory():
    batch = Batch(4, Options(num_players=2))
    batch.start(make_keys(9, 4))
    other = batch.copy()
    before = [digest(game, FIELDS) for game in batch.games]
    for _ in range(200):
        other.step_random()
    assert [digest(game, FIELDS) for game in batch.games] == before
    for name in ("games", "bytes_view", "masks", "obs", "keys", "rewards", "seats", "actions"):
        assert not np.shares_memory(getattr(batch, name), getattr(other, name)), name
