"""The yardstick that looks one ply ahead, `studies/afterstate.py`."""

import csv

import numpy as np
import torch

from studies import afterstate
from vitienv.core.batch import Batch, keys_of
from vitienv.games import definition
from vitienv.viticulture.observation import At

OPTIONS = definition().options.of(num_players=2, skip_forced=True, max_years=3)


def later(steps, n=6):
    batch = Batch(n, OPTIONS)
    batch.start(keys_of(3, n))
    for _ in range(steps):
        batch.step_random(restart=False)
    return batch


def test_returns_run_from_the_result_back_over_a_seats_own_choices():
    """By hand: two games of two seats; the last choice of a seat is followed by the result alone."""
    steps = [([0, 1], [0, 1], [0.5, 0.6]), ([0], [1], [0.3]), ([0], [0], [0.9])]
    steps = [tuple(np.array(part) for part in step) for step in steps]
    first, second, third = afterstate.returns(steps, np.array([[1.0, 0.0], [0.0, 1.0]]))
    assert third.tolist() == [1.0] and second.tolist() == [0.0]
    assert first.tolist() == [0.1 * 0.9 + 0.9 * 1.0, 1.0]


def test_choices_are_legal_and_know_nothing_hidden():
    """With what is hidden and all chance dealt anew the same deals make every action worth the same."""
    torch.manual_seed(0)
    worth, batch = afterstate.Worth(), later(40, 32)
    rows = batch.playing()
    of, actions = np.nonzero(batch.masks[rows])
    other = batch.copy()
    other.deal_anew(batch.seats.copy(), keys_of(8, len(batch)))
    other.refresh()
    assert (other.games["hand"] != batch.games["hand"]).any()
    found, again = (afterstate.OnePly(worth, 5)._worth_of(games, rows[of], of, actions) for games in (batch, other))
    assert (found == again).all() and len(np.unique(found)) > 1
    chosen = afterstate.OnePly(worth, 5).choose(batch, rows)
    assert batch.are_legal(chosen, rows).all() and len(np.unique(chosen)) > 1


def test_the_action_that_is_worth_most_is_taken():
    """A worth that is the own points seen: no other action leaves more of them under the same deal."""

    class Points(torch.nn.Module):
        def forward(self, observations):
            return observations[:, At.VP].float() / 1000

    batch = later(40, 32)
    rows = batch.playing()
    found = afterstate.OnePly(Points(), 1, deals=1).choose(batch, rows)
    keys = np.random.default_rng(1).integers(0, 2**32, (len(rows), 1, 2), np.uint32)
    differ = 0
    for row, action, key in zip(rows, found, keys):
        legal = np.flatnonzero(batch.masks[row])
        copies, viewers = Batch(len(legal), OPTIONS), np.full(len(legal), batch.seats[row], np.int8)
        copies.octets[:] = batch.octets[row]
        copies.deal_anew(viewers, np.repeat(key, len(legal), axis=0))
        copies.actions[:] = legal
        copies.step()
        points = copies.games["vp"][np.arange(len(legal)), viewers]
        goes_on = copies.seats >= 0
        assert not goes_on.all() or points[legal == action] == points.max()
        differ += goes_on.all() and points.min() < points.max()
    assert differ


def test_a_run_learns_and_goes_on(tmp_path, monkeypatch):
    for name, value in (("AT_ONCE", 4), ("EVERY", 4), ("WATCHED", 2), ("YEARS_LEARNED", 2), ("YEARS", 2)):
        monkeypatch.setattr(afterstate, name, value)
    for games in (4, 8):
        afterstate.main([str(tmp_path), "--games", str(games)])
    with (tmp_path / "curve.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["games"] for row in rows] == ["4", "8"]
    assert float(rows[0]["loss"]) > float(rows[1]["loss"]) > 0
