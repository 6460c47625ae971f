"""The common tools at a table of this game."""

import json
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import vitienv
from vitienv import cli
from vitienv.session.replay import replay
from vitienv.training.measure.tournament import Settings, run_tournament

BOTS = ("random", "ismcts:simulations=16")


@pytest.mark.parametrize("n", (2, 5))
def test_pettingzoo(n):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation.*")
        api_test(vitienv.env(game="toscana", num_players=n), num_cycles=60)
    seed_test(lambda: vitienv.env(game="toscana"), num_cycles=20)
    assert vitienv.raw_env(game="toscana", num_players=n).max_num_agents == n


def test_gymnasium_and_stable_baselines():
    from stable_baselines3.common.env_checker import check_env as check_for_baselines

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        env = gymnasium.make("vitienv/Toscana-v0", opponents=["random"])
        check_env(env.unwrapped, skip_render_check=True)
        check_for_baselines(env.unwrapped)
        many = gymnasium.make_vec("vitienv/Toscana-v0", num_envs=3, opponents=["random"])
    many.reset(seed=1)
    assert many.observation_space.shape == (3, vitienv.definition("toscana").observation.n)


def test_many_at_once():
    vec = vitienv.make_vec(8, game="toscana", num_players=3)
    _, info = vec.reset(seed=1)
    ended = 0
    for _ in range(300):
        _, rewards, terminated, *_ = vec.step(info["action_mask"].argmax(axis=1))
        assert np.allclose(rewards.sum(axis=1), 0)
        ended += int(terminated.sum())
    assert ended >= 8


def test_a_log_leads_to_the_same_game():
    game = vitienv.Game.new(game="toscana", num_players=3, seed=2)
    while not game.is_over:
        game.step(game.legal_actions()[0])
    log = json.loads(json.dumps(game.log))
    assert log["game"] == "toscana" and replay(log).to_dict() == game.to_dict()
    with pytest.raises(ValueError, match="this log is damaged: unknown option"):
        replay(log | {"game": "viticulture"})


def test_a_tournament_with_search(tmp_path):
    told = run_tournament(Settings(BOTS, 2, 4, seed=5, game="toscana"), tmp_path, processes=1)
    assert told["settings"]["game"] == "toscana" and told["games"] == 4


def test_bench_is_measured_and_signed(capsys):
    parts = ["--runs", "1", "--seconds", "0.01", "--only", "batch,playouts,envs"]
    assert cli.run(["bench", "--game", "toscana", *parts, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == "toscana" and all(found["median"] > 0 for found in told["measured"])
    assert len(told["signature"]) == 16


def test_an_unknown_game_is_refused_in_one_line(capsys):
    assert cli.run(["tournament", "random", "random", "--game", "tuscany", "--games", "2"]) == 2
    assert "unknown game 'tuscany'" in capsys.readouterr().err
