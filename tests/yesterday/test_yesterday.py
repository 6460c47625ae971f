"""Games, positions and bots of an earlier version are what they were: see `make.py` for what is kept of it."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitienv

FILES = sorted(Path(__file__).parent.glob("version_*.json.gz"))


def kept() -> dict[str, Any]:
    with gzip.open(FILES[0], "rt", encoding="utf-8") as file:
        return json.load(file)


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
    bot = vitienv.agent(spec)
    games = [vitienv.Game.from_dict(kept["position"]) for kept in YESTERDAY["positions"]]
    observations, masks = np.stack([game.observation() for game in games]), np.stack([game.mask for game in games])
    chosen = [vitienv.ACTIONS.name(int(action)) for action in bot.act(observations, masks)]
    assert chosen == [kept["chosen"][spec] for kept in YESTERDAY["positions"]]
