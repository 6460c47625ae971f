"""Tables of the other rulesets in World's layouts: every bot sits at them, and one network at all tables."""

import gymnasium as gym
import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from vitienv import trust
from vitienv.agents import make_agent
from vitienv.agents.protocol import check_game
from vitienv.agents.search.analysis import hint
from vitienv.core.batch import Batch, keys_of
from vitienv.game import Game
from vitienv.games import definition
from vitienv.training.learner import Learner, Settings
from vitienv.training.match import play
from vitienv.training.network import Architecture, PolicyValue, save_network
from vitienv.training.processes import Processes
from vitienv.viticulture.options import Options

WORLD = "vitienv.world.definition"
ALONE = {"ruleset": "solo", "num_players": 1}
SHORT = {"max_years": 2, "skip_forced": True}


def table(**options):
    return Options.of(**SHORT | options)


def points(options, spec):
    """Of two games of a bot against itself."""
    bots = [make_agent(spec, seed=4) for _ in range(options.num_players)]
    return play(options, [5, 6], [list(range(options.num_players))] * 2, bots).points.tolist()


@pytest.mark.parametrize("options", [{"ruleset": "original", "num_players": 3}, ALONE])
@pytest.mark.parametrize(
    "spec", ["heuristic", "policy:champion", "ismcts:simulations=6", "ismcts:simulations=6,policy=champion"]
)
def test_bots_play_as_at_other_tables(spec, options):
    assert points(table(layout="long", **options), spec) == points(table(**options), spec)


@pytest.mark.parametrize("spec", ["policy:champion", "ismcts:simulations=6,policy=champion"])
def test_the_networks_that_ship_play_each_table_by_its_own(spec):
    """Also where a training of World's layouts asks them, which has tables of both kinds."""
    options = table(num_players=2)
    bot = make_agent(spec, seed=4, game=WORLD)
    long = play(table(layout="long", num_players=2), [5], [[0, 0]], [bot])
    assert long.points.tolist() == play(options, [5], [[0, 0]], [make_agent(spec, seed=4)]).points.tolist()


def test_a_search_tells_what_it_considers():
    told = [hint(Game.new(3, layout=layout), "ismcts:simulations=8").told() for layout in ("long", "own")]
    assert told[0] == told[1]


@pytest.fixture
def network(tmp_path):
    """A file of a network that learned at World's tables and at long ones: its weights are drawn."""
    made = PolicyValue(Architecture(hidden=8, blocks=1, advice=None), WORLD)
    save_network(tmp_path / "one.safetensors", made, {})
    return str(tmp_path / "one.safetensors")


@pytest.mark.parametrize(
    "kind",
    [
        "policy:{}",
        "ismcts:simulations=6,policy={}",
        pytest.param("ismcts:simulations=2,policy={},playout=heuristic", marks=pytest.mark.slow),  # compiled for 1 min
    ],
)
def test_one_network_sits_at_all_long_tables(network, kind):
    bot = make_agent(kind.format(network), seed=1)
    for options in ({"num_players": 2}, {"ruleset": "original", "num_players": 4}, ALONE):
        long = table(layout="long", **options)
        check_game(bot, long.definition)
        assert play(long, [5], [[0] * long.num_players], [bot]).points.shape == (1, long.num_players)
        with pytest.raises(ValueError, match="does not know the layouts of Viticulture"):
            check_game(bot, table(**options).definition)
    check_game(bot, definition(WORLD))


def test_it_sees_the_zeros_that_it_learned_with(network):
    batch = Batch(6, table(layout="long", num_players=2))
    batch.start(keys_of(3, 6))
    alone = make_agent(f"policy:{network}")
    assert (alone.act(batch.obs, batch.masks) < batch.definition.own_sizes[1]).all()
    seen = []
    alone.act = lambda observations, masks, games=None: seen.append(observations.shape) or masks.argmax(axis=1)
    play(table(layout="long", num_players=2), [1], [[0, 0]], [alone])
    assert {shape[1] for shape in seen} == {definition(WORLD).observation.n}


def test_a_model_of_the_library_sits_at_worlds_tables(tmp_path, monkeypatch):
    monkeypatch.setenv(trust.WORD, "1")
    env = gym.make("vitienv/ViticultureWorld-v0", num_players=2)
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=8, seed=1, policy_kwargs={"net_arch": [8]})
    model.save(tmp_path / "net.zip")
    bot = make_agent(f"policy:{tmp_path / 'net'}")
    for options in (table(ruleset="world"), table(layout="long")):
        assert np.isfinite(play(options, [5], [[0, 0]], [bot]).points).all()
    with pytest.raises(ValueError, match="does not know the layouts of Viticulture"):
        check_game(bot, definition("viticulture"))


def test_a_training_at_long_tables_imitates_each_tables_own_network():
    """All who ship know the table of two as it is, and not with zeros behind, which are World's."""
    mix = {"game": WORLD, "mix": "essential/layout=long/2:1", "num_envs": 8, "num_steps": 4, "hidden": 8}
    learner = Learner(Settings(**mix, league=(), league_share=0.0, past=0, advice=None), Processes("cpu"))
    champion, alone = make_agent("policy:champion", game=WORLD), make_agent("policy:champion")
    numbers, actions = learner.envs.vecs[0]._batch.definition.own_sizes
    right = learner._right(champion, 0, learner._look(0))
    batch = learner.envs.vecs[0]._batch
    assert (right == alone.act(batch.obs[:, :numbers].copy(), batch.masks[:, :actions].copy())).all()
    with pytest.raises(ValueError, match="teacher is 'policy:champion'; at tables with layout=long it must be"):
        Learner(Settings(**mix, teacher="policy:champion"), Processes("cpu"))
