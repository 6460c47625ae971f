"""A third game, which is one folder, goes through everything unchanged elsewhere."""

import json
import pickle
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import vitienv
from vitienv import cli, registry
from vitienv.envs.single import LearnerEnv
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
        for what in ("lose", "random"):
            check_env(LearnerEnv(game=TOY, illegal_action=what), skip_render_check=True)
        check_for_baselines(LearnerEnv(game=TOY, illegal_action="lose"))


def test_an_illegal_action_draws_one_of_this_game():
    env = LearnerEnv(game=TOY, illegal_action="random")
    env.reset(seed=1)
    *_, info = env.step(2)
    assert info["illegal_action"]


def test_vector_rendering():
    vec = vitienv.make_vec(4, game=TOY, num_players=3)
    _, info = vec.reset(seed=1)
    ended = 0
    for _ in range(40):
        _, rewards, terminated, *_ = vec.step(info["action_mask"].argmax(axis=1))
        assert np.allclose(rewards.sum(axis=1), 0)
        ended += int(terminated.sum())
    assert ended >= 8


def test_positions_logs_and_copies():
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


def test_a_game_without_a_drawing_says_so():
    game = vitienv.Game.new(game=TOY, seed=1)
    assert game._repr_svg_() is None
    with pytest.raises(ValueError, match="High card has no drawing"):
        game.svg()


def test_search_sees_no_hidden_card():
    game = vitienv.Game.new(game=TOY, num_players=2, seed=3)
    own, other = game.state.hand[0], {int(game.determinize(0, seed).state.hand[1]) for seed in range(30)}
    assert len(other) > 5 and own not in other
    assert {int(game.determinize(0, seed).state.hand[0]) for seed in range(30)} == {int(own)}


def test_a_tournament_with_search_and_its_report(tmp_path):
    settings = Settings(BOTS, 2, 40, seed=5, game=TOY)
    told = run_tournament(settings, tmp_path, processes=2)
    assert told["settings"]["game"] == TOY and told["games"] == 40
    page = make_report(tmp_path)
    assert page["games"] == 40 and (tmp_path / "report" / page["page"]).stat().st_size > 1000


def test_a_challenge_of_the_ladder():
    ladder = Ladder([Champion("2", "random", beaten="random", game=TOY)])
    trial = challenge(ladder, BOTS[1], "2", Sprt(effect_size=0.3), seed=4, max_pairs=60, game=TOY)
    assert trial.verdict in ("accepted", "rejected", "open") and trial.samples


def test_bench_is_measured_and_signed(capsys):
    parts = ["--runs", "1", "--seconds", "0.01", "--only", "batch,playouts,envs"]
    assert cli.run(["bench", "--game", TOY, *parts, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["game"] == TOY and all(found["median"] > 0 for found in told["measured"])
    assert cli.run(["bench", "--game", TOY, "--signature"]) == 0
    assert told["signature"] in capsys.readouterr().out


def test_an_update_of_self_play_makes_a_bot(tmp_path):
    made = train_selfplay(
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
        output=tmp_path / "bot.safetensors",
    )
    assert made["updates"] == 1
    bot = f"policy:{tmp_path / 'bot.safetensors'}"
    made = vitienv.make_agent(bot, game=TOY)
    told = run_tournament(Settings(("random", bot), 2, 4, game=TOY), tmp_path / "t")
    assert made.name and told["games"] == 4
    with pytest.raises(ValueError, match=r"toy.*viticulture|viticulture.*toy"):
        vitienv.make_agent(bot)


def test_what_belongs_to_another_game_is_refused_in_one_line():
    both = r"toy.*viticulture|viticulture.*toy"
    log = vitienv.Game.from_dict(vitienv.Game.new(game=TOY, seed=1).to_dict()).step("draw").log
    assert replay(log).game_spec is vitienv.game_spec(TOY)
    with pytest.raises(ValueError, match=both):
        replay(log | {"game": "viticulture"})
    with pytest.raises(ValueError, match=both):
        vitienv.make_agent("heuristic", game=TOY)
    with pytest.raises(ValueError, match=both):
        LearnerEnv(game=TOY, opponents=[vitienv.make_agent("heuristic")])


def test_a_name_is_given_to_a_game(monkeypatch):
    monkeypatch.setattr(registry, "_MODULES", dict(registry._MODULES))  # other tests know the toy by its module
    vitienv.register_game("toy", TOY)
    assert vitienv.game_spec("toy") is vitienv.game_spec(TOY)
    assert vitienv.Game.new(game="toy", seed=1).to_dict()["game"] == "toy"
    with pytest.raises(ValueError, match="there already is a game 'toy'"):
        vitienv.register_game("toy", "elsewhere.game_spec")
