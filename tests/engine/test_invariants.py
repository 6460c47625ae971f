"""States of random games, a few of each batch."""

import pytest

from tests.engine.kinds import KINDS, SOLO, STAND_INS
from tests.states import contradictions
from vitienv.core.batch import Batch, make_keys
from vitienv.viticulture.options import Options

VARIANTS = [{}, {"friendly": True}, {"draft_parents": True}, {"skip_forced": True}]


def play_and_check(seed: int, games: int, steps: int, every: int, **options) -> int:
    batch = Batch(games, Options.of(**options))
    batch.start(make_keys(seed, games))
    ended = 0
    for step in range(steps):
        assert (batch.masks.sum(axis=1) > 0).all(), f"seed {seed}, step {step}: a seat to decide has no legal action"
        if step % every == 0:
            assert not (lines := contradictions(batch, range(step % 8, games, 16))), (seed, step, options, lines)
        batch.step_random(observe=False)
        ended += int((batch.ended > 0).sum())
    return ended


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("variant", VARIANTS, ids=["plain", "friendly", "draft", "skip_forced"])
def test_invariants_of_variants(num_players, variant):
    assert play_and_check(11, games=32, steps=600, every=5, num_players=num_players, **variant) >= 0


@pytest.mark.parametrize("kind", KINDS)
def test_invariants_of_rulesets(kind):
    assert play_and_check(12, games=32, steps=400, every=5, **KINDS[kind]) >= 0


@pytest.mark.parametrize("kind", [*SOLO, *STAND_INS])
def test_solo_games_end_in_time(kind):
    assert play_and_check(6, games=8, steps=700, every=100, **KINDS[kind]) >= 8


def test_random_games_finish():
    assert play_and_check(5, games=64, steps=3000, every=50, num_players=3) > 64


@pytest.mark.slow
@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_invariants_of_long_random_play(num_players):
    for seed in range(4):
        assert play_and_check(seed, games=256, steps=4000, every=3, num_players=num_players, friendly=seed % 2 == 1) > 0
