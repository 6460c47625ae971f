"""Networks for World: its layouts, its tables in a mix, and the data they were trained with."""

from dataclasses import replace

import pytest

from vitienv.agents import make_agent
from vitienv.agents.champions import path_of
from vitienv.agents.protocol import check_game
from vitienv.agents.weights import layout_of
from vitienv.registry import game_spec
from vitienv.training.selfplay.envs import parse_mix
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network, widened

WORLD = "world"


def test_layout_has_the_digest_of_the_data():
    world = game_spec(WORLD)
    assert layout_of(world)["data"] == world.data and "data" not in layout_of(game_spec("viticulture"))


def test_mix_of_continents_and_seats():
    kinds = parse_mix("world/asia/3:1,world/africa:1,world/4:1", game_spec(WORLD))
    assert [kind.table.get("continent") for kind in kinds] == ["asia", "africa", None]
    assert [kind.num_players for kind in kinds] == [3, 2, 4]
    for strange in ("world/atlantis", "world/asia/three", "asia"):
        with pytest.raises(ValueError, match="must contain tables like"):
            parse_mix(strange, game_spec(WORLD))


@pytest.mark.parametrize("spec", ["policy:champion", "ismcts:simulations=8,policy=champion"])
def test_network_of_other_data_raises(spec):
    world, bot = game_spec(WORLD), make_agent(spec)
    check_game(bot, world)
    check_game(bot, game_spec("viticulture"))
    with pytest.raises(ValueError, match=f"was trained with other data of Viticulture World, {world.data}, not 0123"):
        check_game(bot, replace(world, data="0123"))
    file = spec.replace("champion", str(path_of("few", world)))
    with pytest.raises(ValueError, match="the network is for world, not viticulture"):
        make_agent(file)
    alone = make_agent(file, game=WORLD)
    check_game(alone, world)
    with pytest.raises(ValueError, match=r"plays world, not viticulture|does not support Viticulture"):
        check_game(alone, game_spec("viticulture"))


def test_widened_network_is_saved_and_loaded(tmp_path):
    world = game_spec(WORLD)
    network = PolicyValue(Architecture(hidden=8, blocks=1, policy_prior=None), WORLD)
    wider = widened(network, 12, seed=1)
    assert wider.game_spec is world and wider.input.weight.shape == (12, world.observation.n + world.actions.n)
    save_network(tmp_path / "wide.safetensors", wider, {})
    assert load_network(tmp_path / "wide.safetensors", game=WORLD).architecture == wider.architecture
    assert make_agent(f"policy:{tmp_path / 'wide.safetensors'}", game=WORLD).table is world
