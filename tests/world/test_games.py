"""Whole games of World: results, hidden information, logs and environments."""

import json

import numpy as np
import pytest

import vitienv
from tests.random_play import decisions, random_game
from tests.world.table import new
from vitienv.core.batch import Batch, make_keys
from vitienv.core.compiling.static_checks import plain
from vitienv.session.replay import replay
from vitienv.viticulture import vocabulary
from vitienv.viticulture.game_spec import GAME_SPEC as OTHERS
from vitienv.viticulture.state import MAX_BYTES, RULE_PARAMETERS
from vitienv.world.enums import CONTINENTS, Flag
from vitienv.world.game_spec import GAME_SPEC
from vitienv.world.goals import flag
from vitienv.world.options import Options
from vitienv.world.rows import EVENT_FLAGS
from vitienv.world.tables import DEFAULT


@pytest.mark.parametrize("continent", CONTINENTS)
def test_token_and_end_of_random_games(continent):
    """The token never moves back, and the seats of a team have equal results."""
    batch, token = Batch(8, Options(num_players=3, continent=continent)), np.zeros(8, np.int8)
    batch.start(make_keys(3, 8))
    while len(batch.active_rows()):
        assert (batch.games["influence"] >= token).all()
        token = batch.games["influence"].copy()
        batch.step_random(restart=False)
    assert (batch.games["year"] == 6).all() and (batch.games["n_events"] == 6).all()
    assert (batch.rewards[:, :3] == batch.rewards[:, :1]).all() and (batch.ranks[:, :3] == batch.ranks[:, :1]).all()


def test_specs_extend_those_of_viticulture():
    """Actions, decisions and features of the other rulesets have the same indices."""
    n = len(vocabulary.ACTIONS)
    assert GAME_SPEC.actions.names[:n] == vocabulary.ACTIONS.names and GAME_SPEC.actions.n > n
    assert GAME_SPEC.observation.names[: OTHERS.observation.n] == OTHERS.observation.names
    assert GAME_SPEC.decisions[: len(OTHERS.decisions)] == OTHERS.decisions
    assert GAME_SPEC.rule_parameters.names[: len(RULE_PARAMETERS)] == RULE_PARAMETERS.names
    assert GAME_SPEC.dtype.itemsize <= MAX_BYTES
    assert vitienv.ACTIONS.n == n and vitienv.OBSERVATION.n == OTHERS.observation.n


def test_trade_hides_the_cards_offered():
    """Observations in a trade are independent of hidden hands."""
    seen_decisions = set()
    for seed in range(12):
        for step, game in enumerate(decisions(seed, game="world", num_players=3)):
            if game.decision in ("trade_give", "trade_take", "trade_answer", "give_card"):
                seen_decisions.add(game.decision)
                for seat in range(3):
                    other = game.determinize(seat, seed=step)
                    assert np.array_equal(game.observation(seat), other.observation(seat))
        if len(seen_decisions) == 4:
            return
    assert len(seen_decisions) == 4


def test_replay_requires_the_same_data():
    game = random_game(4, game="world", num_players=2)
    log = json.loads(json.dumps(game.log))
    assert log["options"]["continent"] == "greengully" and replay(log).scores == game.scores
    assert log["data"] == DEFAULT.digest
    with pytest.raises(ValueError, match="different card data"):
        replay(log | {"data": "0123456789abcdef"})


def test_flags_are_python_integers():
    """Interpreted rules shift numbers that depend on flags; NumPy's int16 would overflow there."""
    for continent in CONTINENTS:
        state = new(3, continent=continent).state
        for state.event in range(-1, len(EVENT_FLAGS[0])):
            assert {type(plain(flag)(state, number)) for number in Flag} == {int}, (continent, state.event)
