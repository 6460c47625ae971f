"""Random play: money, rewards and the number of rounds."""

import numpy as np

import vitienv
from vitienv.core.batch import Batch, make_keys


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
    batch.playout()
    assert batch.rewards.any() and np.abs(batch.rewards.sum(axis=1)).max() < 1e-5
    assert (batch.records["round_number"] <= 7).all()
