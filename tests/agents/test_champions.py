"""Bundled networks: selection by table, metadata, and the ladder."""

import numpy as np
import pytest

import vitienv
from tests.random_play import random_batch
from vitienv.agents.champions import (
    FROZEN,
    NO_NETWORK,
    Champions,
    digest_of,
    files_in,
    path_of,
    plugin,
    rollout_network,
    tables_of,
)
from vitienv.agents.network import PolicyPrior
from vitienv.agents.viticulture.champions import QUICK
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import HISTORY, Ladder, digest_of_weights
from vitienv.training.evaluation.promotion import rows_of

GAME, TOSCANA = game_spec("viticulture"), game_spec("toscana")
# Tables whose champion is a search with a network older than `networks.json`.
OLDER = ("2",)
SOLO, TWO, MANY, ORIGINAL, CAMPAIGN, CROWD = "solo", "two", "many", "original", "campaign", "crowd"
TABLES = {
    SOLO: [
        {"ruleset": "solo"},
        {"ruleset": "solo", "difficulty": "very_hard"},
        *({"ruleset": "solo", "challenge": number} for number in (3, 4, 7, 8)),
    ],
    TWO: [{"num_players": 2}, {"num_players": 2, "friendly": True}, {"num_players": 2, "ruleset": "original"}],
    MANY: [{"num_players": 3}, {"num_players": 3, "draft_parents": True}],
    ORIGINAL: [{"num_players": players, "ruleset": "original"} for players in (3, 4)],
    CAMPAIGN: [{"ruleset": "solo", "challenge": number} for number in (1, 2, 5, 6)],
    CROWD: [{"num_players": players} for players in (4, 5, 6)],
}


OTHER_GAMES = {
    "toscana": {"all": [{"num_players": players} for players in (2, 3, 5)]},
    "world": {name: [{"continent": "asia", "num_players": players} for players in seats]
              for name, seats in (("few", (1, 3)), ("more", (4, 6)))},
}  # fmt: skip


def inputs_at(game: str = "viticulture", **options) -> tuple[np.ndarray, np.ndarray]:
    batch = random_batch(game_spec(game).options.of(**options), 80, 150)
    return batch.obs, batch.masks


@pytest.mark.parametrize(("game", "tables_by_file"), [("viticulture", TABLES), *OTHER_GAMES.items()])
def test_each_table_has_its_network_in_any_batch(game, tables_by_file):
    spec, files = game_spec(game), files_in(game_spec(game))
    tables = [(name, inputs_at(game, **options)) for name, rows in tables_by_file.items() for options in rows]
    batch = [np.concatenate(arrays) for arrays in zip(*(inputs for _, inputs in tables), strict=True)]
    champion = vitienv.make_agent("policy:champion", game=game)
    actions, values = (
        np.split(output, len(tables)) for output in (champion.act(*batch), champion.network.evaluate(*batch)[1])
    )
    networks = {file: vitienv.make_agent(f"policy:{path_of(file, spec)}", game=game) for file in files}
    for (name, inputs), table_actions, table_values in zip(tables, actions, values, strict=True):
        assert (tables_of(spec, inputs[0]) == files.index(name)).all()
        for file, bot in networks.items():
            assert (table_actions == bot.act(*inputs)).all() == (file == name), (name, file)
        assert np.array_equal(table_values, networks[name].network.evaluate(*inputs)[1])


@pytest.mark.parametrize(("game", "limit", "frozen_limit"), [("viticulture", 10e6, 3e6), ("toscana", 2e6, 2e6)])
def test_files_are_small(game, limit, frozen_limit):
    spec = game_spec(game)
    frozen = {*files_in(spec, FROZEN)} - {*files_in(spec)}
    sizes = {file.stem: file.stat().st_size for file in plugin(spec).HERE.glob("*.safetensors")}
    assert sum(size for name, size in sizes.items() if name not in frozen) < limit
    assert sum(sizes[name] for name in frozen) < frozen_limit


def test_network_for_playouts_is_small_and_has_no_prior():
    quick = rollout_network(GAME)
    assert path_of(QUICK.file, GAME).stat().st_size < 0.3e6 and quick.policy_prior.width == 0
    assert rollout_network(game_spec("world")) is None and rollout_network(TOSCANA) is None


def test_ladder_identifies_the_weights():
    for agent in ("policy:champion", "ismcts:simulations=8,policy=champion", "policy:path=champion,deterministic=true"):
        for table, file in (("2", TWO), ("3", MANY), ("4", CROWD), ("6", CROWD), ("solo", SOLO)):
            assert digest_of_weights(agent, table, GAME) == digest_of(path_of(file, GAME))
    assert digest_of_weights("heuristic", "2", GAME) is None
    assert digest_of_weights("ismcts:simulations=8", "2", GAME) is None


def test_champions_of_the_ladder_are_bundled_networks():
    ladder = Ladder.load(HISTORY)
    champions = [ladder.champion(table) for table in GAME.tables]
    shipped = [champion for champion in champions if champion.weights is not None and champion.table not in OLDER]
    assert len(shipped) >= 3
    assert {champion.weights for champion in shipped} <= {row.weights for row in rows_of(GAME)}


@pytest.mark.parametrize("options", [{"player_trades": True}, {"map": "pieces"}])
def test_heuristic_bot_plays_tables_without_a_network(options):
    observations = inputs_at("toscana", num_players=3, **options)
    assert (tables_of(TOSCANA, observations[0]) == NO_NETWORK).all()
    expected = vitienv.make_agent("heuristic", game="toscana").act(*observations)
    assert (vitienv.make_agent("policy:champion", game="toscana").act(*observations) == expected).all()
    assert Champions("toscana").evaluate(*observations)[0].shape == observations[1].shape


def test_prior_scores_are_scores_and_value_of_the_bot():
    observations, masks = inputs_at("toscana", num_players=4)
    bot = vitienv.make_agent("heuristic", game="toscana")
    prior_scores = PolicyPrior("heuristic", TOSCANA)(observations, masks)
    assert prior_scores.dtype == np.int16 and prior_scores.shape == (len(masks), TOSCANA.actions.n + 1)
    for observation, mask, row in zip(observations, masks, prior_scores, strict=True):
        scores = bot.explain(observation, mask)
        best = max(scores.values())
        for action in np.flatnonzero(mask):
            assert row[action] == max(-30_000, scores[TOSCANA.actions.name(int(action))] - best)
        assert (row[:-1][mask == 0] == 0).all()
    assert (prior_scores[:, -1] // 4 == bot.heuristic_values(observations)).all()


@pytest.mark.parametrize(("game", "rated_table", "other_table", "other_bot"), [
    ("viticulture", {"num_players": 3}, {"num_players": 4}, "policy:champion"),
    ("toscana", {"num_players": 4}, {"num_players": 3, "map": "pieces"}, "heuristic"),
])  # fmt: skip
def test_levels_use_the_network_of_their_rating(game, rated_table, other_table, other_bot):
    """At other tables they use the bot of the champion."""

    def actions(spec, inputs):
        return vitienv.make_agent(spec, seed=1, game=game).act(*inputs)

    inputs = inputs_at(game, **rated_table)
    assert (actions("level:7", inputs) == actions(f"policy:{path_of('level', game_spec(game))}", inputs)).all()
    assert (actions("level:7", inputs) != actions("policy:champion", inputs)).any()
    inputs = inputs_at(game, **other_table)
    assert (actions("level:7", inputs) == actions(other_bot, inputs)).all()


def test_network_of_toscana_is_the_champion_of_every_table():
    ladder = Ladder.load(HISTORY)
    for table in TOSCANA.tables:
        champion = ladder.champion(table, "toscana")
        assert champion.weights == digest_of_weights("policy:champion", table, TOSCANA)
