"""Bundled networks: selection by table, metadata, and the ladder."""

import numpy as np
import pytest

import vitienv
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
from vitienv.agents.network import PolicyPrior, read_network
from vitienv.agents.protocol import GameViews
from vitienv.agents.viticulture.champions import HERE, QUICK
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import HISTORY, Ladder, digest_of_weights
from vitienv.training.evaluation.promotion import rows_of

GAME, TOSCANA = game_spec("viticulture"), game_spec("toscana")
# Tables whose champion is a search with a network older than `networks.json`.
OLDER = ("2",)
FILES = files_in(GAME)
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
    vec = vitienv.make_vec(num_envs=80, game=game, **options)
    vec.reset(seed=1)
    for _ in range(150):
        vec._batch.step_random()
    return vec._batch.obs.copy(), vec._batch.masks.copy()


@pytest.mark.parametrize(("game", "tables_by_file"), [("viticulture", TABLES), *OTHER_GAMES.items()])
def test_each_table_has_its_network_in_any_batch(game, tables_by_file):
    spec, files = game_spec(game), files_in(game_spec(game))
    tables = [(name, inputs_at(game, **options)) for name, rows in tables_by_file.items() for options in rows]
    batch = [np.concatenate(arrays) for arrays in zip(*(inputs for _, inputs in tables), strict=True)]
    actions = np.split(vitienv.make_agent("policy:champion", game=game).act(*batch), len(tables))
    networks = {file: vitienv.make_agent(f"policy:{path_of(file, spec)}", game=game) for file in files}
    for (name, inputs), champion_actions in zip(tables, actions, strict=True):
        assert (tables_of(spec, inputs[0]) == files.index(name)).all()
        for file, network in networks.items():
            assert (champion_actions == network.act(*inputs)).all() == (file == name), (name, file)


def test_levels_use_the_network_of_their_rating():
    inputs = inputs_at(num_players=3)
    level, network = vitienv.make_agent("level:7"), vitienv.make_agent(f"policy:{path_of('level', GAME)}")
    assert (level.act(*inputs) == network.act(*inputs)).all()
    assert (level.act(*inputs) != vitienv.make_agent("policy:champion").act(*inputs)).any()
    inputs = inputs_at(num_players=4)
    assert (level.act(*inputs) == vitienv.make_agent("policy:champion").act(*inputs)).all()


def test_values_are_those_of_the_network_of_the_table():
    inputs = inputs_at(num_players=2)
    for ours, expected in zip(
        Champions().evaluate(*inputs), read_network(path_of(TWO, GAME)).evaluate(*inputs), strict=True
    ):
        assert np.array_equal(ours, expected)


def test_files_are_small_and_contain_their_training():
    frozen = {*files_in(GAME, FROZEN)} - {*FILES}
    sizes = {file.stem: file.stat().st_size for file in HERE.glob("*.safetensors")}
    assert sum(size for name, size in sizes.items() if name not in frozen) < 10e6
    assert sum(sizes[name] for name in frozen) < 3e6
    assert {file.stem for file in HERE.glob("*.safetensors")} == {*FILES, *files_in(GAME, FROZEN), QUICK.file}
    toscana = list(plugin(TOSCANA).HERE.glob("*.safetensors"))
    assert {file.stem for file in toscana} == {*files_in(TOSCANA), *files_in(TOSCANA, FROZEN)}
    assert sum(file.stat().st_size for file in toscana) < 2e6
    for table in FILES:
        trained = read_network(path_of(table, GAME)).metadata["trained"]
        while trained["method"] == "distillation":
            assert trained["decisions"] > 500_000 and {"simulations", "waves_by_seed"} <= set(trained["settings"])
            trained = trained["before"]
        assert trained["method"] == "selfplay" and trained["decisions"] > 1_000_000
        assert {"mix", "seed", "league", "learning_rate"} <= set(trained["settings"])


def test_network_for_playouts_is_small_and_has_no_prior():
    quick = rollout_network(GAME)
    assert path_of(QUICK.file, GAME).stat().st_size < 0.3e6 and quick.policy_prior.width == 0
    trained = quick.metadata["trained"]
    assert trained["decisions"] == 0 and trained["imitated"] > 3_000_000
    assert rollout_network(game_spec("world")) is None and rollout_network(game_spec("toscana")) is None


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


def test_levels_of_toscana_use_the_network_of_their_rating():
    """The one that they were measured with; where nothing was learned, the heuristic bot, as for the champion."""
    assert digest_of(path_of("level", TOSCANA)) in {row.weights for row in rows_of(TOSCANA)[:-1]}
    network = vitienv.make_agent(f"policy:{path_of('level', TOSCANA)}", game="toscana")
    level = vitienv.make_agent("level:7", seed=1, game="toscana")
    learned, fallback = inputs_at("toscana", num_players=4), inputs_at("toscana", num_players=3, map="pieces")
    assert (level.act(*learned) == network.act(*learned)).all()
    assert (level.act(*learned) != vitienv.make_agent("policy:champion", game="toscana").act(*learned)).any()
    assert (level.act(*fallback) == vitienv.make_agent("heuristic", game="toscana").act(*fallback)).all()


def test_network_of_toscana_is_the_champion_of_every_table():
    ladder = Ladder.load(HISTORY)
    for table in TOSCANA.tables:
        champion = ladder.champion(table, "toscana")
        assert champion.weights == digest_of_weights("policy:champion", table, TOSCANA)


def test_search_with_the_network_takes_legal_actions():
    vec = vitienv.make_vec(num_envs=2, num_players=3, game="toscana")
    vec.reset(seed=1)
    bot = vitienv.make_agent("ismcts:simulations=16,policy=champion,seed=1", game="toscana")
    actions = bot.act(vec._batch.obs, vec._batch.masks, GameViews(vec._batch, [0, 1]))
    assert vec._batch.are_legal(actions).all()
