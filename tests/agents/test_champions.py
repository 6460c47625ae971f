"""Bundled networks: selection by table, metadata, and the ladder."""

import numpy as np

import vitienv
from vitienv.agents.champions import FROZEN, Champions, digest_of, files_in, path_of, rollout_network, tables_of
from vitienv.agents.network import read_network
from vitienv.agents.viticulture.champions import HERE, QUICK
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import HISTORY, Ladder, digest_of_weights
from vitienv.training.evaluation.promotion import rows_of

GAME = game_spec("viticulture")
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


def inputs_at(options: dict) -> tuple[np.ndarray, np.ndarray]:
    vec = vitienv.make_vec(num_envs=80, **options)
    vec.reset(seed=1)
    for _ in range(150):
        vec._batch.step_random()
    return vec._batch.obs.copy(), vec._batch.masks.copy()


def test_each_table_has_its_network_in_any_batch():
    tables = [(name, inputs_at(options)) for name, rows in TABLES.items() for options in rows]
    batch = [np.concatenate(arrays) for arrays in zip(*(inputs for _, inputs in tables), strict=True)]
    actions = np.split(vitienv.make_agent("policy:champion").act(*batch), len(tables))
    networks = {file: vitienv.make_agent(f"policy:{path_of(file, GAME)}") for file in FILES}
    for (name, inputs), champion_actions in zip(tables, actions, strict=True):
        assert (tables_of(GAME, inputs[0]) == FILES.index(name)).all()
        for file, network in networks.items():
            assert (champion_actions == network.act(*inputs)).all() == (file == name), (name, file)


def test_levels_use_the_network_of_their_rating():
    inputs = inputs_at({"num_players": 3})
    level, network = vitienv.make_agent("level:7"), vitienv.make_agent(f"policy:{path_of('level', GAME)}")
    assert (level.act(*inputs) == network.act(*inputs)).all()
    assert (level.act(*inputs) != vitienv.make_agent("policy:champion").act(*inputs)).any()
    inputs = inputs_at({"num_players": 4})
    assert (level.act(*inputs) == vitienv.make_agent("policy:champion").act(*inputs)).all()


def test_values_are_those_of_the_network_of_the_table():
    inputs = inputs_at({"num_players": 2})
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
