"""Training from search: files of searched games, and a network trained on them."""

import json

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

import vitienv
from vitienv import cli
from vitienv.training.search.games import COLUMNS, Settings, file_of, play_file, read_file
from vitienv.training.search.train import Learner, train_search
from vitienv.training.selfplay.network import Architecture, PolicyValue, load_network, save_network

TOY = "tests.toy.game_spec"
SMALL = {
    "game": TOY, "mix": "2:1,3:1", "games": 6, "full_simulations": 8, "fast_simulations": 2, "full_fraction": 0.5,
    "hidden": 16, "window": 64, "minibatch_size": 32,
}  # fmt: skip
DTYPES = {column.name: column.kind for column in COLUMNS}
CALL = {"evaluation_games": 0, "eval_opponents": [], "progress": False, "threads": 1, "processes": 1}


def save_constant_network(path, game=TOY, bias=None, value=0.0, lead=0.0):
    torch.manual_seed(1)
    network = PolicyValue(Architecture(hidden=16, blocks=0, lead=lead), game)
    with torch.no_grad():
        for tensor in (network.policy.weight, network.value.weight):
            tensor.zero_()
        network.policy.bias[:] = torch.zeros(len(network.policy.bias)) if bias is None else torch.tensor(bias)
        network.value.bias.fill_(value)
    save_network(path, network, {"settings": {}}, half=False)
    return str(path)


@pytest.fixture
def path(tmp_path):
    """The file of a network for the toy that knows nothing."""
    return save_constant_network(tmp_path / "w.safetensors")


@pytest.fixture
def play_rows(tmp_path, path):
    """Function that plays a file of games and returns its decisions as dictionaries."""

    def play_rows(number=0, path=path, **settings):
        play_file(path, Settings(**SMALL | settings), number, str(tmp_path))
        return [
            {name: np.frombuffer(value, DTYPES[name]).tolist() if isinstance(value, bytes) else value
             for name, value in row.items()}
            for row in pq.read_table(file_of(tmp_path, number)).to_pylist()
        ]  # fmt: skip

    return play_rows


def test_rewards_and_observations_are_those_of_the_acting_seat(play_rows):
    """Two seats of a game have opposite rewards; the points of the acting seat come first in its observation."""
    steps = play_rows(mix="2:1", games=20, full_fraction=1.0)
    assert len(steps) > 100 and {row["seat"] for row in steps} == {0, 1}
    points, results = vitienv.game_spec(TOY).observation.start("points"), {}
    for row in steps:
        assert results.setdefault((row["game"], row["seat"]), row["reward"]) == row["reward"]
        assert (row["rank"] == 1) == (row["reward"] >= 0)
        observation = row["observation"]
        assert observation[0] == row["round"] and row["points"] >= observation[points]
        assert observation[points] + observation[points + 1] == row["round"] - 1
    for game in range(20):
        assert results[game, 0] == -results[game, 1]
        rounds = [row["round"] for row in steps if row["game"] == game]
        assert rounds == sorted(rounds)
    assert {1.0, -1.0} <= set(results.values())


def test_policies_are_indexed_by_action(tmp_path, play_rows):
    """With equal values of all leaves the policy is the prior, by index of the action instead of legal position."""
    game = vitienv.game_spec()
    bias = (np.arange(game.actions.n) % 7 * 0.4).astype(np.float32)
    settings = {"game": "viticulture", "mix": "2:1", "games": 2, "full_simulations": 4, "full_fraction": 0.3}
    steps = play_rows(path=save_constant_network(tmp_path / "v.safetensors", "viticulture", bias), **settings)
    early = [row for row in steps if row["round"] <= 1]
    assert len(early) > 8
    for row in early:
        expected = np.where(row["mask"], np.exp(bias), 0)
        assert row["policy"] == pytest.approx(expected / expected.sum(), abs=1e-5)
        assert row["mask"][row["action"]] and row["visits"][row["action"]] == max(row["visits"])


def test_playouts_by_setting(play_rows):
    """With a constant network values differ only if playouts reach the end of the game."""
    played = {
        playout: play_rows(number, mix="2:1", games=8, full_fraction=1.0, playout=playout, years=9)
        for number, playout in enumerate(("none", "policy"))
    }
    assert {row["value"] for row in played["none"] if row["round"] == 1} == {0.0}
    assert any(row["value"] for row in played["policy"] if row["round"] == 1)


def test_noise_differs_between_decisions(play_rows):
    """With one simulation and two equally likely actions, each is chosen half of the time, in every game."""
    settings = {"mix": "2:1", "games": 30, "full_simulations": 1, "max_considered_actions": 1, "full_fraction": 1.0}
    steps = play_rows(**settings)
    actions = np.array([row["action"] for row in steps])
    assert 0.4 < actions.mean() < 0.6
    by_game = [np.mean([row["action"] for row in steps if row["game"] == game]) for game in range(30)]
    by_round = [np.mean([row["action"] for row in steps if row["round"] == turn]) for turn in range(1, 6)]
    assert np.mean([0 < share < 1 for share in by_game]) > 0.9 and all(0.2 < share < 0.8 for share in by_round)


def test_file_depends_on_its_number_and_the_network(tmp_path, play_rows):
    first = play_rows(3)
    file_of(tmp_path, 3).unlink()
    assert play_rows(3) == first != play_rows(4)


def test_fast_decisions_are_not_trained_on(tmp_path, play_rows):
    steps = play_rows(games=20)
    counts = read_file(file_of(tmp_path, 0), vitienv.game_spec(TOY)).counts
    assert {row["simulations"] for row in steps} == {8} and len(steps) == counts["learned"]
    assert 0.35 < counts["learned"] / counts["decisions"] < 0.65 and counts["searched"] == counts["decisions"]
    none = play_rows(1, fast_simulations=0)
    counts = read_file(file_of(tmp_path, 1), vitienv.game_spec(TOY)).counts
    assert counts["searched"] == counts["learned"] == len(none) < counts["decisions"]


@pytest.mark.parametrize("players", [1, 2, 6])
def test_tables_by_number_of_players(tmp_path, play_rows, players):
    mix = "solo/hard:1" if players == 1 else f"{players}:1"
    path = save_constant_network(tmp_path / "v.safetensors", "viticulture")
    small = {"games": 1, "full_simulations": 2, "fast_simulations": 0, "full_fraction": 0.2, "max_years": 2}
    steps = play_rows(path=path, game="viticulture", mix=mix, **small)
    assert steps and {row["players"] for row in steps} == {players}
    assert {row["seat"] for row in steps} <= set(range(players))


def test_resumed_run_equals_an_uninterrupted_one(tmp_path):
    train_search(tmp_path / "whole", updates=4, **SMALL, **CALL)
    train_search(tmp_path / "half", updates=2, **SMALL, **CALL)
    (tmp_path / "half" / "samples" / ".0000002.parquet.x.tmp").write_bytes(b"half a file")
    result = train_search(tmp_path / "half", updates=2, resume=True, **CALL)
    assert result["updates"] == 4
    weights_by_run = [
        load_network(tmp_path / name / "agent.safetensors", game=TOY).state_dict() for name in ("whole", "half")
    ]
    assert all(torch.equal(weights_by_run[0][name], weights_by_run[1][name]) for name in weights_by_run[0])
    for number in range(4):
        whole, other = (pq.read_table(file_of(tmp_path / name / "samples", number)) for name in ("whole", "half"))
        assert whole.equals(other)


def test_existing_file_is_not_played_again(tmp_path):
    """After a kill between a file and its checkpoint."""
    train_search(tmp_path / "run", updates=1, **SMALL, **CALL)
    samples = tmp_path / "run" / "samples"
    play_file(str(tmp_path / "run" / "agent.safetensors"), Settings(**SMALL), 1, str(samples))
    before = file_of(samples, 1).stat().st_mtime_ns
    train_search(tmp_path / "run", updates=1, resume=True, **CALL)
    assert file_of(samples, 1).stat().st_mtime_ns == before


def test_training_with_several_processes(tmp_path):
    result = train_search(tmp_path / "run", updates=3, **SMALL, **CALL | {"processes": 2})
    assert result["updates"] == 3 and result["counts"]["games"] == 18
    assert vitienv.make_agent(f"policy:{tmp_path / 'run' / 'agent.safetensors'}", game=TOY).name


def test_network_approaches_the_search(tmp_path):
    """Trained repeatedly on the same decisions, the policy approaches the search, and the value the result."""
    folder = tmp_path / "samples"
    folder.mkdir()
    settings = Settings(
        **SMALL | {"mix": "2:1", "games": 20, "full_simulations": 64, "window": 400, "learning_rate": 3e-3}
    )
    play_file(save_constant_network(tmp_path / "w.safetensors", lead=0.5), settings, 0, str(folder))
    learner = Learner(settings, torch.device("cpu"))
    new = learner.take(file_of(folder, 0))
    first = learner.learn(32)
    last = [learner.learn(new) for _ in range(40)][-1]
    assert last["kl"] < 0.5 * first["kl"] and last["value"] < first["value"] and last["explained"] > 0.2


def replace_columns(path, change):
    """Write a file's table again. change: function of the table."""
    pq.write_table(change(pq.read_table(path)), path)


DAMAGES = {
    "short": (lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), "is damaged"),
    "noise": (lambda path: path.write_bytes(b"no file of columns at all"), "is damaged"),
    "columns": (lambda path: replace_columns(path, lambda table: table.drop_columns(["policy"])),
                "column 'policy' differs"),
    "game": (lambda path: replace_columns(
        path, lambda table: table.replace_schema_metadata({**table.schema.metadata, b"game": b"chess"})), "of 'chess'"),
}  # fmt: skip


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_file_raises_in_one_line(tmp_path, play_rows, name):
    damage, message = DAMAGES[name]
    play_rows()
    damage(file_of(tmp_path, 0))
    with pytest.raises(ValueError, match=message) as error:
        read_file(file_of(tmp_path, 0), vitienv.game_spec(TOY))
    assert "\n" not in str(error.value) and "0000000.parquet" in str(error.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"full_fraction": 0.0}, "full_fraction must be above 0 and at most 1, got 0.0"),
        ({"fast_simulations": -1}, "fast_simulations must be at least 0, got -1"),
        ({"playout": "always"}, "unknown playout 'always'; expected one of: heuristic, quick, policy, random, none"),
        ({"years": 0}, "years must be at least 1, got 0"),
        ({"value_scale": 0.0}, "value_scale must be above 0 with root=gumbel, got 0.0"),
        ({"mix": "9:1"}, "num_players"),
        ({"league": ()}, "league"),
    ],
)
def test_invalid_settings_raise(tmp_path, settings, message):
    with pytest.raises(ValueError, match=message):
        train_search(tmp_path / "run", updates=1, **SMALL | settings, **CALL)
    assert not (tmp_path / "run").exists()


def test_command_counts_steps_of_the_run(tmp_path, capsys):
    run = ["train", "--method", "search", "--game", TOY, "--mix", "2:1", "--run", str(tmp_path / "run"), "--json"]
    few = "--steps 50 --full-simulations 4 --fast-simulations 0 --processes 1 --threads 1 --hidden 16".split()
    assert cli.run([*run, *few]) == 0
    finish = json.loads(capsys.readouterr().out)["steps"]
    assert finish >= 50
    again = ["train", "--run", str(tmp_path / "run"), "--resume", "--game", TOY, "--processes", "1", "--json"]
    for steps, low, high in ((10, finish, finish), (finish + 1, finish + 1, 2 * finish)):
        assert cli.run([*again, "--steps", str(steps)]) == 0
        assert low <= json.loads(capsys.readouterr().out)["steps"] <= high
    assert cli.run(["train", "--method", "selfplay", "--full-simulations", "4"]) == 2
    assert "--full-simulations is for --method search, not for selfplay" in capsys.readouterr().err
    assert cli.run(["train", "--method", "search", "--league", "none"]) == 2
    assert "--league is for --method selfplay, not for search" in capsys.readouterr().err
