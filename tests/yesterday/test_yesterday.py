"""Games, positions and bots of an earlier version are what they were: see `make.py` for what is kept of it."""

import gzip
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitienv
from vitienv.agents.champions import path_of

# What `policy:champion` was where another network sits today: the network for two of then, the rule of thumb, at three
# and more seats the one by which levels play, and in the challenges of the campaign the network for the solo game.
SOLO = f"policy:{path_of('solo', vitienv.definition())}"
TWO = f"policy:{Path(__file__).parent / 'two.safetensors'}"
MANY = f"policy:{path_of('level', vitienv.definition())}"
OF_THEN = {("essential", 2): TWO, ("solo", 2): TWO, ("original", 3): "heuristic",
           **{("essential", players): MANY for players in (3, 4, 5, 6)}}  # fmt: skip
FILES = sorted(Path(__file__).parent.glob("version_*.json.gz"))


EVERY = int(os.environ.get("YESTERDAY_EVERY", "1"))  # where rules are interpreted all of them take long


def kept() -> dict[str, Any]:
    with gzip.open(FILES[0], "rt", encoding="utf-8") as file:
        whole = json.load(file)
    logs = dict(list(whole["logs"].items())[::EVERY])
    return {**whole, "logs": logs, "positions": whole["positions"][::EVERY]}


YESTERDAY = kept()


@pytest.mark.parametrize("name", YESTERDAY["logs"])
def test_a_log_leads_to_the_state_that_it_was_written_with(name):
    log = YESTERDAY["logs"][name]
    game = vitienv.replay(log)  # compares the hash of the whole state
    assert game.is_over and game.scores == log["scores"]


def test_positions_ask_the_same_questions():
    for kept in YESTERDAY["positions"]:
        game = vitienv.Game.from_dict(kept["position"])
        assert game.decision == kept["decision"]
        assert game.legal_actions() == kept["legal"]


@pytest.mark.parametrize("spec", sorted(YESTERDAY["positions"][0]["chosen"]))
def test_bots_choose_what_they_chose(spec):
    games = [vitienv.Game.from_dict(kept["position"]) for kept in YESTERDAY["positions"]]
    bots = [bot_of_then(spec, game) for game in games]
    for bot in sorted(set(bots)):
        asked = [i for i, name in enumerate(bots) if name == bot]
        observations = np.stack([games[i].observation() for i in asked])
        actions = vitienv.agent(bot).act(observations, np.stack([games[i].mask for i in asked]))
        chosen = [vitienv.ACTIONS.name(int(action)) for action in actions]
        assert chosen == [YESTERDAY["positions"][i]["chosen"][spec] for i in asked]


def bot_of_then(spec: str, game: vitienv.Game) -> str:
    """Today's spec of a bot of that version."""
    if spec != "policy:champion":
        return spec
    return OF_THEN.get((game.options.ruleset, game.num_players), SOLO if game.options.challenge else spec)
