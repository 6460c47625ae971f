"""Luck in finished games: it adds up with play to the result, and its mean is zero."""

import numpy as np
import pytest

import vitienv
from tests.random_play import bot_game
from vitienv.agents.luck import DEALS, chances_of, luck, mean_chances
from vitienv.agents.registry import make_agent
from vitienv.agents.search.networks import load_evaluator
from vitienv.core.batch import Batch, make_keys


def finished_game(**options):
    game = vitienv.Game.new(seed=3, **options)
    return bot_game(make_agent(game.game_spec.heuristic_bot, game=game.game_spec), game)


@pytest.mark.parametrize(
    "options",
    [{}, {"num_players": 4}, {"ruleset": "solo"}, {"game": "toscana", "num_players": 3},
     {"game": "world"}],
)  # fmt: skip
def test_start_luck_and_play_add_up_to_the_result(options):
    game = finished_game(**options)
    report = luck(game, draws=2)
    assert np.allclose(np.add(report.start, report.luck) + report.play, report.result)
    assert np.allclose(np.sum([draw.luck for draw in report.draws], axis=0), report.luck)
    assert [draw.number for draw in report.draws] == list(range(len(game.moves) + 1))
    assert report == luck(game, draws=2) != luck(game, draws=2, seed=1)
    winners = [rank == min(game.ranks) for rank in game.ranks]
    if options.get("game") != "world" and game.num_players > 1:
        assert [result > 0 for result in report.result] == winners
        assert np.isclose(sum(report.result), 1)
        assert np.allclose(np.sum([draw.chances for draw in report.draws], axis=1), 1)


def test_moves_without_a_draw_have_no_luck():
    """Row 1 of the wake-up chart has no bonus."""
    report = luck(finished_game(num_players=6), draws=4)
    rows = [draw for draw in report.draws if draw.title == "Row 1"]
    assert rows and all(np.allclose(draw.luck, 0, atol=1e-6) for draw in rows)
    assert any(np.abs(draw.luck).max() > 1e-3 for draw in report.draws[1:])


def test_mean_luck_is_zero():
    """Of all draws in many games together, although the networks are far from exact for random play."""
    game = vitienv.game_spec("toscana")
    options, rng = game.options.of(num_players=3), np.random.default_rng(5)
    evaluator, batch = load_evaluator("champion", game=game), Batch(1024, options)
    batch.start(make_keys(7, len(batch)))
    totals, chances = np.zeros((len(batch), 3)), chances_of(batch, evaluator)
    start = Batch(DEALS * 4, options)
    start.start(make_keys(8, len(start)))
    totals += chances - chances_of(start, evaluator).mean(axis=0)
    while (playing := batch.seats >= 0).any():
        noise = np.where(batch.masks != 0, rng.random(batch.masks.shape), -1)
        actions = np.where(playing, noise.argmax(axis=1), -1)
        expected = mean_chances(batch, actions, 1, evaluator, rng)
        batch.actions[:] = actions
        batch.step()
        chances = chances_of(batch, evaluator)
        totals[playing] += (chances - expected)[playing]
    errors = totals.std(axis=0) / np.sqrt(len(batch))
    assert (totals.std(axis=0) > 0.05).all() and (np.abs(totals.mean(axis=0)) < 3.5 * errors).all()


def test_unfinished_and_truncated_games_are_refused():
    for game in (vitienv.Game.new(seed=1), finished_game(max_years=1)):
        with pytest.raises(ValueError, match="game must be finished"):
            luck(game)
