"""Random play: states, observations and rewards."""

import numpy as np
import pytest

import vitienv
from tests.states import contradictions
from vitienv.core.batch import Batch, make_keys

TABLES = (
    {"num_players": 2}, {"num_players": 3, "map": "pieces"}, {"num_players": 4, "player_trades": True},
    {"num_players": 5, "map": "pieces", "player_trades": True, "start_on_water": False}, {"num_players": 5},
    {"num_players": 3, "skip_forced": True, "max_rounds": 4},
)  # fmt: skip


def check(options, n, steps, seed):
    """Play n games at random, one after the other in each place, and check some of them at every step."""
    game_spec = vitienv.game_spec("toscana")
    batch = Batch(n, game_spec.options.of(**options))
    batch.start(make_keys(seed, n))
    low, high = game_spec.observation.bounds
    ended = 0
    for step in range(steps):
        playing = batch.active_rows()
        assert ((batch.obs[playing] >= low) & (batch.obs[playing] <= high)).all()
        assert batch.masks[playing].any(axis=1).all()
        assert not (lines := contradictions(batch, [step % n])), (seed, step, lines)
        assert np.isfinite(batch.rewards).all() and np.abs(batch.rewards.sum(axis=1)).max() < 1e-5
        batch.step_random(restart=False)
        over = np.flatnonzero(batch.seats < 0)
        if len(over):
            assert not (lines := contradictions(batch, over[:1])), (seed, step, lines)
            max_rounds = game_spec.options.of(**options).max_rounds or 7
            assert (batch.records["round_number"][over] <= max_rounds).all()
            ended += len(over)
            batch.restart_rows(over)
    return ended


@pytest.mark.parametrize("options", TABLES, ids=str)
@pytest.mark.parametrize(("n", "steps"), [(40, 340), pytest.param(2048, 814, marks=pytest.mark.slow)])
def test_invariants_of_random_games(options, n, steps):
    """The long test takes 10^7 decisions."""
    assert check(options, n, steps, seed=11) >= n


def test_money_only_comes_from_market_and_award():
    """Between seats no money moves without the variant."""
    game_spec = vitienv.game_spec("toscana")
    batch = Batch(30, game_spec.options.of(num_players=4))
    batch.start(make_keys(3, 30))
    for _ in range(150):
        before, seats = batch.records["money"].copy(), batch.seats.copy()
        batch.step_random(restart=False)
        moved = batch.records["money"].astype(int) - before
        for i in np.flatnonzero((seats >= 0) & (batch.seats >= 0)):
            others = [seat for seat in range(5) if seat != seats[i]]
            assert not moved[i, others].any()
            name = game_spec.actions.name(int(batch.actions[i]))
            if moved[i].any():
                assert name.startswith(("buy:", "sell:", "square:"))
