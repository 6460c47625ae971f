"""Smoke tests: each command and interface of the project runs once, at a small size."""

import json
import re
import signal
import subprocess
import sys
from importlib.util import find_spec
from urllib.request import urlopen

import gymnasium
import numpy as np
import pandas as pd
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import vitienv
from tests.command import logs, run
from tests.external_players.endpoint import Stub, first
from tests.external_players.programs import write_player
from tests.random_play import random_game
from vitienv.core.batch import Batch

TABLES = {
    "essential": {"num_players": 3},
    "solo": {"ruleset": "solo", "num_players": 1},
    "original": {"ruleset": "original", "num_players": 2},
    "world": {"game": "world", "num_players": 2, "continent": "asia"},
    "toscana": {"game": "toscana", "num_players": 4},
}
BATCHES = {name: options | {"num_envs": 4} for name, options in TABLES.items()}
SHORT = ["--evaluation-games", "0", "--threads", "1"]
SETTINGS = {
    "selfplay": "--num-envs 8 --num-steps 8 --hidden 8 --value-warmup-updates 0 --updates 1",
    "search": "--hidden 8 --games 2 --full-simulations 2 --max-considered-actions 2 --updates 1 --processes 1",
}


def command(capsys, *arguments):
    """Return the standard output of a successful command."""
    status, out, error = run(capsys, *map(str, arguments))
    assert status == 0, error
    return out


def options(table):
    """Return the command line options of a table."""
    names = {"game": "--game", "ruleset": "--ruleset", "num_players": "--players"}
    return [word for key, name in names.items() if key in TABLES[table] for word in (name, str(TABLES[table][key]))]


@pytest.mark.parametrize("table", TABLES)
def test_game_and_replay(table, tmp_path, capsys):
    game = random_game(1, **TABLES[table])
    assert vitienv.replay(json.loads(json.dumps(game.log))).scores == game.scores
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.log))
    assert str(max(game.scores)) in command(capsys, "replay", file)


@pytest.mark.parametrize("table", TABLES)
def test_batch(table):
    vec, rng = vitienv.make_vec(**BATCHES[table]), np.random.default_rng(1)
    observations, info = vec.reset(seed=1)
    for _ in range(50):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        observations, rewards, _, _, info = vec.step(actions)
    assert observations.shape == (4, vec.single_observation_space.shape[0]) and rewards.dtype == np.float32


@pytest.mark.parametrize("table", ["essential", "original", "world", "toscana"])
def test_tournament(table, tmp_path, capsys):
    arguments = ["--games", 4, "--processes", 1, "--run", tmp_path, "--json", *options(table)]
    result = json.loads(command(capsys, "tournament", "heuristic", "policy:champion", *arguments))
    assert [bot["agent"] for bot in result["bots"]] and len(logs(tmp_path)) >= 4


def test_solo_evaluation_and_campaign(capsys):
    for arguments in (["--games", 2], ["--campaign", 1, "--max-games", 2]):
        command(capsys, "evaluate", "policy:champion", "--difficulty", "easy", "--processes", 1, *arguments)


@pytest.mark.parametrize(("method", "mix"), [
    ("selfplay", "3:1"), ("selfplay", "solo:1"), ("selfplay", "original/2:1"), ("selfplay", "world"),
    ("selfplay", "toscana"), ("search", "2:1"),
])  # fmt: skip
def test_training_step(method, mix, tmp_path, capsys):
    table = ["--mix", mix] if ":" in mix else ["--game", mix]
    command(capsys, "train", "--method", method, *table, "--run", tmp_path, *SHORT, *SETTINGS[method].split())
    assert (tmp_path / "agent.safetensors").exists()


def test_maskable_ppo(tmp_path, capsys):
    command(capsys, "train", "--method", "ppo", "--steps", 512, "--num-envs", 4, *SHORT, "--run", tmp_path)
    assert (tmp_path / "agent.safetensors").exists()


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_aec(table):
    api_test(vitienv.env(**TABLES[table]), num_cycles=20)


@pytest.mark.parametrize("name", ["Viticulture-v0", "ViticultureSolo-v0"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_gymnasium(name):
    check_env(gymnasium.make(f"vitienv/{name}").unwrapped, skip_render_check=True)


def test_stable_baselines():
    from sb3_contrib import MaskablePPO

    env = vitienv.envs.sb3.SingleAgentVecEnv(4, opponents=["heuristic"], num_players=2)
    assert MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16).learn(32).num_timesteps == 32


def test_program_and_language_model(tmp_path, capsys):
    stub = Stub(first)
    bots = [write_player(tmp_path / "player.py"), f"llm:model=m,url={stub.url}", "level:1"]
    arguments = ["--players", 3, "--games", 3, "--option", "max_years=1", "--processes", 1, "--run", tmp_path / "run"]
    result = json.loads(command(capsys, "tournament", *bots, *arguments, "--json"))
    stub.close()
    assert not any(bot.get("forfeits") for bot in result["bots"]) and stub.requests


def test_browser():
    serve = [sys.executable, "-m", "vitienv.cli", "play", "--web", "--port", "0"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        address = next(match[0] for line in server.stdout if (match := re.search(r"http://\S+", line)))
        assert b"<script" in urlopen(address, timeout=60).read()
        server.send_signal(signal.SIGINT)


def test_terminal(play):
    status, out, _ = play("1\nquit\n", "--bots", "random", "--seed", "1")
    assert status == 0 and "Seed 1" in out


def test_data_set(tmp_path, capsys):
    command(capsys, "data", "generate", tmp_path / "set", "--games", 2, "--processes", 1)
    assert sum(len(pd.read_parquet(file)) for file in (tmp_path / "set").rglob("*.parquet")) > 50


def test_report_and_analysis(tmp_path, capsys):
    command(capsys, "tournament", "heuristic", "random", "--games", 4, "--processes", 1, "--run", tmp_path / "run")
    command(capsys, "analyse", tmp_path / "run", "--processes", 1)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(vitienv.Game.new(seed=1).log))
    command(capsys, "analyse", file, "--simulations", 8)


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (make test-cluster)")
def test_ray(capsys):
    arguments = ["--games", 4, "--backend", "ray", "--processes", 1, "--json"]
    assert json.loads(command(capsys, "tournament", "heuristic", "random", *arguments))["bots"]


def test_webassembly(tmp_path):
    """Kernels of the toy game; skipped without LLVM's linker. `make test-wasm` builds those of all games."""
    from tools.entry_points import entry_points
    from tools.wasm import emit

    if (reason := emit.missing()) is not None:
        pytest.skip(reason)
    emit.write(tmp_path / "toy.wasm", entry_points(Batch(1, vitienv.game_spec("tests.toy.game_spec").options.of())))
    assert (tmp_path / "toy.wasm").read_bytes().startswith(b"\0asm")
