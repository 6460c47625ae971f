"""PPO in one file: it runs, its network is a bot, and its advantages are those of each seat's own decisions."""

import sys

import numpy as np
import pytest
import torch

import vitienv
from vitienv.training.ppo import one_file as ppo

SMALL = ["--minutes", "0.0001", "--num-envs", "8", "--num-steps", "4", "--minibatch-size", "16", "--hidden", "8",
         "--eval-games", "4"]  # fmt: skip


@pytest.mark.parametrize(("game", "players"), [("viticulture", 3), ("toscana", 2)])
def test_it_runs_and_leaves_a_bot(game, players, tmp_path, monkeypatch, capsys):
    file = tmp_path / "ppo.safetensors"
    given = [*SMALL, "--out", str(file), "--game", game, "--num-players", str(players), "--max-years", "2"]
    monkeypatch.setattr(sys, "argv", ["ppo", *given])
    ppo.main()
    told = capsys.readouterr().out
    assert told.startswith("32 decisions, ") and "of 4 games against random" in told
    bot = vitienv.make_agent(f"policy:{file}", game=game)
    table = vitienv.Game.new(game=game, num_players=players, seed=1)
    for _ in range(20):
        table.step(int(bot.act(table.observation()[None], table.mask[None])[0]))


def test_the_bot_chooses_as_the_network_does(tmp_path):
    vec = vitienv.make_vec(num_envs=16, num_players=2)
    observations, info = vec.reset(seed=1)
    torch.manual_seed(1)
    agent = ppo.Agent(observations.shape[1], info["action_mask"].shape[1], 8)
    file = tmp_path / "ppo.safetensors"
    agent.save(str(file), {"reward": "win"}, "viticulture")
    bot = vitienv.make_agent(f"policy:{file}")
    with torch.no_grad():
        policy, _ = agent(ppo.compressed(observations), torch.from_numpy(info["action_mask"] != 0))
    assert (bot.act(observations, info["action_mask"]) == policy.logits.argmax(dim=1).numpy()).all()


def test_advantages_are_of_each_seats_own_decisions():
    """Against a loop over each seat's decisions in each game, with games that end on the way."""
    rng = np.random.default_rng(3)
    steps, games, seats, gamma, lam = 40, 5, 3, 0.9, 0.8
    who, values = rng.integers(0, seats, (steps, games)), rng.normal(size=(steps, games))
    ended, last = rng.random((steps, games)) < 0.1, rng.normal(size=(games, seats))
    rewards = rng.normal(size=(steps, games, seats)) * ended[:, :, None]
    estimates = ppo.advantages(*map(torch.from_numpy, (rewards, ended, who, values, last)), gamma, lam)
    for game in range(games):
        for seat in range(seats):
            ahead, coming, gained = last[game, seat], 0.0, 0.0
            for t in reversed(range(steps)):
                if ended[t, game]:
                    ahead, coming, gained = 0.0, 0.0, rewards[t, game, seat]
                if who[t, game] == seat:
                    coming = gained + gamma * ahead - values[t, game] + gamma * lam * coming
                    ahead, gained = values[t, game], 0.0
                    assert estimates[t, game].item() == pytest.approx(coming)


def test_wrong_settings_are_one_line(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ppo", "--minibatch-size", "1000"])
    with pytest.raises(SystemExit):
        ppo.main()
    assert "minibatch_size must divide num_envs * num_steps = 64 * 128, got 1000" in capsys.readouterr().err


def test_a_game_that_is_cut_off_brings_what_each_seat_expects_of_its_end(tmp_path, monkeypatch):
    """Every game is cut off after a year here, so that no other reward comes."""
    seen, advantages = [], ppo.advantages

    def noted(rewards, ended, *others):
        seen.append((rewards.clone(), ended.clone()))
        return advantages(rewards, ended, *others)

    monkeypatch.setattr(ppo, "advantages", noted)
    ppo.learn(ppo.Args(minutes=0.00001, num_envs=8, num_steps=100, minibatch_size=80, hidden=8, eval_games=2,
                       max_years=1, num_players=2, out=str(tmp_path / "ppo.safetensors")))  # fmt: skip
    [(rewards, ended)] = seen[:1]
    assert ended.any() and (rewards[ended] != 0).all() and not rewards[~ended].any()
