"""A third game, in one directory, works with everything else unchanged."""

import json
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import vitienv
from vitienv import cli, registry
from vitienv.envs.single import SingleAgentEnv
from vitienv.session.replay import replay
from vitienv.training.evaluation.ladder import Champion, Ladder, challenge
from vitienv.training.evaluation.sprt import Sprt
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.report.make import make_report
from vitienv.training.selfplay.train import train_selfplay

TOY = "tests.toy.game_spec"
BOTS = ("random", "ismcts:simulations=16")


def test_pettingzoo():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation.*")
        api_test(vitienv.env(game=TOY, num_players=3), num_cycles=60)
    seed_test(lambda: vitienv.env(game=TOY), num_cycles=20)


def test_gymnasium_and_stable_baselines():
    from stable_baselines3.common.env_checker import check_env as check_for_baselines

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore")
        for mode in ("lose", "random"):
            check_env(SingleAgentEnv(game=TOY, illegal_action=mode), skip_render_check=True)
        check_for_baselines(SingleAgentEnv(game=TOY, illegal_action="lose"))
    env = SingleAgentEnv(game=TOY, illegal_action="random")
    env.reset(seed=1)
    assert env.step(2)[-1]["illegal_action"]


def test_vector_environment():
    vec = vitienv.make_vec(4, game=TOY, num_players=3)
    _, info = vec.reset(seed=1)
    ended = 0
    for _ in range(40):
        _, rewards, terminated, *_ = vec.step(info["action_mask"].argmax(axis=1))
        assert np.allclose(rewards.sum(axis=1), 0)
        ended += int(terminated.sum())
    assert ended >= 8


def test_positions_logs_and_copies_of_the_toy():
    game = vitienv.Game.new(game=TOY, num_players=3, seed=2)
    for move in ("keep", "draw", "keep", "draw"):
        game.step(move)
    position = json.loads(json.dumps(game.to_dict()))
    assert position["game"] == TOY
    for other in (vitienv.Game.from_dict(position), replay(game.log), pickle.loads(pickle.dumps(game))):
        assert other.to_dict() == position
        while not other.is_over:
            other.step("draw")
        assert other.round == 5 and sum(other.scores) == 5


def test_game_without_a_renderer_raises():
    game = vitienv.Game.new(game=TOY, seed=1)
    assert game._repr_svg_() is None
    with pytest.raises(ValueError, match="High card has no drawing"):
        game.svg()


def test_determinize_resamples_hidden_cards():
    game = vitienv.Game.new(game=TOY, num_players=2, seed=3)
    card, others = game.state.hand[0], {int(game.determinize(0, seed).state.hand[1]) for seed in range(30)}
    assert len(others) > 5 and card not in others
    assert {int(game.determinize(0, seed).state.hand[0]) for seed in range(30)} == {int(card)}


def test_tournament_and_report(tmp_path):
    settings = Settings(BOTS, 2, 40, seed=5, game=TOY)
    result = run_tournament(settings, tmp_path, processes=2)
    assert result["settings"]["game"] == TOY and result["games"] == 40
    page = make_report(tmp_path)
    assert page["games"] == 40 and (tmp_path / "report" / page["page"]).stat().st_size > 1000


def test_ladder_challenge():
    ladder = Ladder([Champion("2", "random", beaten="random", game=TOY)])
    trial = challenge(ladder, BOTS[1], "2", Sprt(effect_size=0.3), seed=4, max_pairs=60, game=TOY)
    assert trial.verdict in ("accepted", "rejected", "open") and trial.samples


def test_bench_and_signature(capsys):
    parts = ["--runs", "1", "--seconds", "0.01", "--only", "batch,playouts,envs"]
    assert cli.run(["bench", "--game", TOY, *parts, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["game"] == TOY and all(timing["median"] > 0 for timing in result["measured"])
    assert cli.run(["bench", "--game", TOY, "--signature"]) == 0
    assert result["signature"] in capsys.readouterr().out


def test_self_play_update(tmp_path):
    result = train_selfplay(
        tmp_path / "run",
        updates=1,
        game=TOY,
        mix="2:1,3:1",
        num_envs=8,
        num_steps=16,
        hidden=16,
        minibatch_size=32,
        num_snapshots=1,
        league=("random",),
        value_warmup_updates=0,
        device="cpu",
        evaluation_games=0,
        progress=False,
        eval_opponents=[],
    )
    assert result["updates"] == 1
    bot = f"policy:{result['run']}"
    agent = vitienv.make_agent(bot, game=TOY)
    result = run_tournament(Settings(("random", bot), 2, 4, game=TOY), tmp_path / "t")
    assert agent.name and result["games"] == 4
    with pytest.raises(ValueError, match=r"toy.*viticulture|viticulture.*toy"):
        vitienv.make_agent(bot)


def test_files_of_another_game_raise():
    message = r"toy.*viticulture|viticulture.*toy"
    log = vitienv.Game.from_dict(vitienv.Game.new(game=TOY, seed=1).to_dict()).step("draw").log
    assert replay(log).game_spec is vitienv.game_spec(TOY)
    with pytest.raises(ValueError, match=message):
        replay(log | {"game": "viticulture"})
    with pytest.raises(ValueError, match=message):
        vitienv.make_agent("heuristic", game=TOY)
    with pytest.raises(ValueError, match=message):
        SingleAgentEnv(game=TOY, opponents=[vitienv.make_agent("heuristic")])


def test_game_can_be_registered(monkeypatch):
    monkeypatch.setattr(registry, "_MODULES", dict(registry._MODULES))  # other tests use the module name
    vitienv.register_game("toy", TOY)
    assert vitienv.game_spec("toy") is vitienv.game_spec(TOY)
    assert vitienv.Game.new(game="toy", seed=1).to_dict()["game"] == "toy"
    with pytest.raises(ValueError, match="game 'toy' is already registered"):
        vitienv.register_game("toy", "elsewhere.game_spec")
