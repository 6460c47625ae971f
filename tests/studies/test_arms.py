"""Networks trained in parallel."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

import pytest
import torch

import vitienv
from studies import arms
from vitienv.agents.champions import path_of
from vitienv.agents.network import read_network
from vitienv.training.selfplay.network import load_network

RESULTS = Path(__file__).resolve().parents[2] / "results"
TINY = {"num_envs": 8, "num_steps": 24, "league": (), "num_snapshots": 0, "league_share": 0.0}


@pytest.mark.parametrize("file, network", [("toscana", "all"), ("three-seats", "many")])
def test_arms_have_the_settings_of_their_networks(file, network):
    """Independently of the current defaults."""
    design = json.loads((RESULTS / "arms" / f"{file}.json").read_text())
    game = vitienv.game_spec(design["game"])
    trained = read_network(path_of(network, game), game).metadata["trained"]["settings"]
    settings = json.loads(json.dumps(asdict(arms.settings_of(design, "all", path_of(design["start"], game)))))
    shared = settings.keys() & trained.keys()
    assert len(shared) > 25 and all(settings[name] == trained[name] for name in shared)


def test_arms_are_trained_in_turn_and_resumed(tmp_path):
    design = {
        "start": "two", "table": "2", "decisions": 4000, "eval_opponents": ["random"],
        "common": {"mix": "2:1", **TINY, "league": [], "minibatch_size": 256, "max_years": 3},
        "arms": {"with": {"ent_coef": 0.05}, "without": {}},
    }  # fmt: skip
    file, run = tmp_path / "arms.json", tmp_path / "run"
    file.write_text(json.dumps(design))
    for _ in range(2):
        arms.main([str(file), str(run), "--minutes", "0.05", "--games", "4"])
    with (run / "curve.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["arm"] for row in rows] == ["with", "without"] * 2
    first, last = (int(row["updates"]) for row in rows[::2])
    assert last > first > 0 and int(rows[3]["updates"]) == last
    mean, last_weights = (load_network(run / "with" / name).state_dict() for name in (arms.MEAN, "agent.safetensors"))
    assert any(not torch.equal(mean[name], last_weights[name]) for name in mean)
    network = vitienv.make_agent(f"policy:{run / 'without' / arms.MEAN}").network
    assert network is not None
