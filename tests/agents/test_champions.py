"""The networks that ship: which of them plays, that they are what they say, and that they beat the heuristic bot."""

import numpy as np
import pytest

import vitienv
from vitienv.agents.champions import FROZEN, Champions, digest_of, files_in, path_of, quick_of, tables_of
from vitienv.agents.network import read_network
from vitienv.agents.viticulture.champions import HERE, QUICK
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import HISTORY, Ladder, digest_of_weights
from vitienv.training.evaluation.promotion import rows_of

GAME = game_spec("viticulture")
# Where the ladder's champion is a search with a network from before there were rows.
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


def seen_at(options: dict) -> tuple[np.ndarray, np.ndarray]:
    """Observations and masks out of the middle of games."""
    vec = vitienv.make_vec(num_envs=80, **options)
    vec.reset(seed=1)
    for _ in range(150):
        vec._batch.step_random()
    return vec._batch.obs.copy(), vec._batch.masks.copy()


@pytest.mark.parametrize("table", FILES)
def test_each_table_has_its_network_whatever_else_is_asked(table):
    bot, single = vitienv.make_agent("policy:champion"), vitienv.make_agent(f"policy:{path_of(table, GAME)}")
    looks = [seen_at(options) for tables in TABLES.values() for options in tables]
    together = bot.act(*(np.concatenate(part) for part in zip(*looks, strict=True)))
    at = 0
    for name, tables in TABLES.items():
        for _ in tables:
            seen = looks.pop(0)
            rows = slice(at, at := at + len(seen[0]))
            assert (tables_of(GAME, seen[0]) == FILES.index(name)).all()
            if name == table:
                assert (together[rows] == single.act(*seen)).all()
            else:
                assert (together[rows] != single.act(*seen)).any()


def test_levels_of_three_seats_play_by_the_network_that_they_were_measured_with():
    seen = seen_at({"num_players": 3})
    level, own = vitienv.make_agent("level:7"), vitienv.make_agent(f"policy:{path_of('level', GAME)}")
    assert (level.act(*seen) == own.act(*seen)).all()
    assert (level.act(*seen) != vitienv.make_agent("policy:champion").act(*seen)).any()
    seen = seen_at({"num_players": 4})
    assert (level.act(*seen) == vitienv.make_agent("policy:champion").act(*seen)).all()


def test_the_values_are_those_of_the_tables_network():
    seen = seen_at({"num_players": 2})
    for ours, right in zip(Champions().evaluate(*seen), read_network(path_of(TWO, GAME)).evaluate(*seen), strict=True):
        assert np.array_equal(ours, right)


def test_the_files_are_small_and_say_how_they_were_trained():
    frozen = {*files_in(GAME, FROZEN)} - {*FILES}
    sizes = {file.stem: file.stat().st_size for file in HERE.glob("*.safetensors")}
    assert sum(size for name, size in sizes.items() if name not in frozen) < 10e6
    assert sum(sizes[name] for name in frozen) < 3e6
    assert {file.stem for file in HERE.glob("*.safetensors")} == {*FILES, *files_in(GAME, FROZEN), QUICK.file}
    for table in FILES:
        trained = read_network(path_of(table, GAME)).metadata["trained"]
        if trained["method"] == "distillation":
            assert trained["decisions"] > 500_000 and {"simulations", "waves_by_seed"} <= set(trained["settings"])
            trained = trained["before"]
        assert trained["method"] == "selfplay" and trained["decisions"] > 1_000_000
        assert {"mix", "seed", "league", "learning_rate"} <= set(trained["settings"])


def test_the_network_that_plays_leaves_on_is_small_and_decides_alone():
    quick = quick_of(GAME)
    assert path_of(QUICK.file, GAME).stat().st_size < 0.3e6 and quick.policy_prior.width == 0
    trained = quick.metadata["trained"]
    assert trained["decisions"] == 0 and trained["imitated"] > 3_000_000
    assert quick_of(game_spec("world")) is None and quick_of(game_spec("toscana")) is None


def test_the_ladder_knows_the_weights():
    for agent in ("policy:champion", "ismcts:simulations=8,policy=champion", "policy:path=champion,deterministic=true"):
        for table, file in (("2", TWO), ("3", MANY), ("4", CROWD), ("6", CROWD), ("solo", SOLO)):
            assert digest_of_weights(agent, table, GAME) == digest_of(path_of(file, GAME))
    assert digest_of_weights("heuristic", "2", GAME) is None
    assert digest_of_weights("ismcts:simulations=8", "2", GAME) is None


def test_the_ladders_champions_ship_or_did():
    ladder = Ladder.load(HISTORY)
    champions = [ladder.champion(table) for table in GAME.tables]
    shipped = [champion for champion in champions if champion.weights is not None and champion.table not in OLDER]
    assert len(shipped) >= 3
    assert {champion.weights for champion in shipped} <= {row.weights for row in rows_of(GAME)}
