"""The bundled network of Toscana: where it plays, and that it beats the heuristic bot."""

import numpy as np
import pytest

import vitienv
from vitienv.agents.champions import FROZEN, NO_NETWORK, Champions, digest_of, files_in, path_of, tables_of
from vitienv.agents.network import PolicyPrior
from vitienv.agents.protocol import GameViews
from vitienv.agents.toscana.champions import HERE
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import HISTORY, Ladder, digest_of_weights
from vitienv.training.evaluation.promotion import rows_of

GAME = game_spec("toscana")


def seen_at(**options) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks out of the middle of games."""
    vec = vitienv.make_vec(num_envs=20, game="toscana", **options)
    vec.reset(seed=1)
    for _ in range(40):
        vec._batch.step_random()
    return vec._batch.obs.copy(), vec._batch.masks.copy()


@pytest.mark.parametrize("options", [{"num_players": 2}, {"num_players": 3}, {"num_players": 5}])
def test_one_network_plays_all_tables(options):
    observations = seen_at(**options)
    assert (tables_of(GAME, observations[0]) == 0).all()
    network = vitienv.make_agent(f"policy:{path_of('all', GAME)}", game="toscana")
    champion = vitienv.make_agent("policy:champion", game="toscana")
    assert (champion.act(*observations) == network.act(*observations)).all()


@pytest.mark.parametrize("options", [{"player_trades": True}, {"map": "pieces"}])
def test_heuristic_bot_plays_tables_without_a_network(options):
    observations = seen_at(num_players=3, **options)
    assert (tables_of(GAME, observations[0]) == NO_NETWORK).all()
    expected = vitienv.make_agent("heuristic", game="toscana").act(*observations)
    assert (vitienv.make_agent("policy:champion", game="toscana").act(*observations) == expected).all()
    assert Champions("toscana").evaluate(*observations)[0].shape == observations[1].shape


def test_prior_scores_are_scores_and_value_of_the_bot():
    observations, masks = seen_at(num_players=4)
    bot = vitienv.make_agent("heuristic", game="toscana")
    prior_scores = PolicyPrior("heuristic", GAME)(observations, masks)
    assert prior_scores.dtype == np.int16 and prior_scores.shape == (len(masks), GAME.actions.n + 1)
    for observation, mask, row in zip(observations, masks, prior_scores, strict=True):
        scores = bot.explain(observation, mask)
        best = max(scores.values())
        for action in np.flatnonzero(mask):
            assert row[action] == max(-30_000, scores[GAME.actions.name(int(action))] - best)
        assert (row[:-1][mask == 0] == 0).all()
    assert (prior_scores[:, -1] // 4 == bot.heuristic_values(observations)).all()


def test_network_files_are_small():
    assert {file.stem for file in HERE.glob("*.safetensors")} == {*files_in(GAME), *files_in(GAME, FROZEN)}
    assert sum(file.stat().st_size for file in HERE.glob("*.safetensors")) < 2e6


def test_levels_play_with_a_bundled_network():
    """The one that they were measured with; where nothing was learned, the heuristic bot, as for the champion."""
    assert digest_of(path_of("level", GAME)) in {row.weights for row in rows_of(GAME)[:-1]}
    network = vitienv.make_agent(f"policy:{path_of('level', GAME)}", game="toscana")
    level = vitienv.make_agent("level:7", seed=1, game="toscana")
    learned, fallback = seen_at(num_players=4), seen_at(num_players=3, map="pieces")
    assert (level.act(*learned) == network.act(*learned)).all()
    assert (level.act(*learned) != vitienv.make_agent("policy:champion", game="toscana").act(*learned)).any()
    assert (level.act(*fallback) == vitienv.make_agent("heuristic", game="toscana").act(*fallback)).all()


def test_network_is_the_champion_of_every_table():
    ladder = Ladder.load(HISTORY)
    for table in GAME.tables:
        champion = ladder.champion(table, "toscana")
        assert champion.weights == digest_of_weights("policy:champion", table, GAME)


def test_search_with_the_network_takes_legal_actions():
    vec = vitienv.make_vec(num_envs=2, num_players=3, game="toscana")
    vec.reset(seed=1)
    bot = vitienv.make_agent("ismcts:simulations=16,policy=champion,seed=1", game="toscana")
    actions = bot.act(vec._batch.obs, vec._batch.masks, GameViews(vec._batch, [0, 1]))
    assert vec._batch.are_legal(actions).all()
