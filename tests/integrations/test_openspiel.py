"""The games in OpenSpiel: its tests and search, and equality with our games."""

import pickle
import subprocess
import sys

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation

import vitienv
import vitienv.envs.openspiel
from vitienv.registry import game_names
from vitienv.testing import check_hidden_information

# Number of random games by table: every game and ruleset, from one seat to six.
TABLES = {
    "vitienv_viticulture(players=2,max_years=8)": 20,
    "vitienv_viticulture(players=4,max_years=8)": 10,
    "vitienv_viticulture(players=6,max_years=6)": 5,
    "vitienv_viticulture(ruleset=solo,difficulty=hard)": 15,
    "vitienv_viticulture(ruleset=original,players=3,max_years=8,reward=margin)": 10,
    "vitienv_world(players=2,max_years=4)": 5,
    "vitienv_toscana(players=2)": 15,
    "vitienv_toscana(players=4)": 10,
    "vitienv_toscana(players=5,reward=margin)": 10,
}


def start_state(name, seed):
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    for byte in seed.to_bytes(4, "little"):
        assert state.is_chance_node()
        state.apply_action(byte)
    return game, state


def our_game(game, seed):
    options = game.options
    return vitienv.Game.new(seed, game=options.game_spec, **options.to_dict())


def test_games_are_registered():
    assert {f"vitienv_{name}" for name in game_names()} <= {game.short_name for game in pyspiel.registered_games()}


@pytest.mark.parametrize(("name", "games"), TABLES.items(), ids=TABLES)
def test_random_games_pass_the_tests_of_openspiel(name, games):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=games, serialize=True, verbose=False)


def test_games_equal_ours_move_by_move():
    rng = np.random.default_rng(5)
    for number in range(1000):
        game, state = start_state(list(TABLES)[number % len(TABLES)], number)
        mine = our_game(game, number)
        while not mine.is_over:
            assert state.current_player() == mine.current_seat
            assert state.legal_actions() == np.flatnonzero(mine.mask).tolist()
            action = int(rng.choice(state.legal_actions()))
            assert state.action_to_string(action) == mine.game_spec.actions.name(action)
            state.apply_action(action)
            mine.step(action)
        assert state.played == mine and state.is_terminal() == mine.is_over
        assert state.returns() == pytest.approx(mine.rewards, abs=1e-6)


@pytest.mark.parametrize("name", TABLES)
def test_clones_and_saved_states_are_independent(name):
    game, state = start_state(name, 3)
    for _ in range(30):
        state.apply_action(state.legal_actions()[0])
    clone, read = state.clone(), game.deserialize_state(state.serialize())
    pickled = pickle.loads(pickle.dumps(state))
    for other in (clone, read, pickled):
        assert other.played == state.played and other.recalled == state.recalled
        other.apply_action(other.legal_actions()[-1])
        assert other.played != state.played


@pytest.mark.parametrize("name", TABLES)
def test_resampling_keeps_the_information_state(name):
    game, state = start_state(name, 11)
    rng, sampler = np.random.default_rng(1), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    recalls, changed = make_observation(game, INFO_STATE_OBS_TYPE), 0
    for _ in range(60):
        if state.is_terminal():
            break
        seat = state.current_player()
        other = state.resample_from_infostate(seat, sampler)
        assert recalls.string_from(other, seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()
        changed += other.played != state.played
        state.apply_action(int(rng.choice(state.legal_actions())))
    assert changed > 30


def test_information_states_contain_past_actions():
    """Different paths to one observation are different information states."""
    _, state = start_state("vitienv_viticulture(players=2)", 1)
    seat = state.current_player()
    before = state.information_state_string(seat)
    first_child, second_child = state.child(state.legal_actions()[0]), state.child(state.legal_actions()[1])
    first_child.played = second_child.played
    assert len({before, first_child.information_state_string(seat), second_child.information_state_string(seat)}) == 3


@pytest.mark.parametrize(("name", "games"), [
    ("vitienv_toscana(players=2)", 70),
    ("vitienv_toscana(players=4)", 20),
    ("vitienv_viticulture(players=2,max_years=2)", 10),
])  # fmt: skip
def test_ismcts_of_openspiel_plays(name, games):
    rng = np.random.RandomState(4)
    for number in range(games):
        game, state = start_state(name, number)
        bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 2, random_state=rng)
        while not state.is_terminal():
            is_searched = state.current_player() == number % game.num_players()
            action = bot.step(state) if is_searched else int(rng.choice(state.legal_actions()))
            assert action in state.legal_actions()
            state.apply_action(int(action))
        assert sum(state.returns()) == pytest.approx(0)


def test_options_are_parameters():
    game = pyspiel.load_game("vitienv_viticulture", {"players": 3, "ruleset": "original", "train_price": 5})
    assert (game.num_players(), game.options.ruleset, game.options.train_price) == (3, "original", 5)
    assert pyspiel.load_game("vitienv_viticulture").options == vitienv.game_spec().options.of()
    for parameters, message in (
        ({"players": 9}, "num_players must be .*, got 9"),
        ({"ruleset": "tuscany"}, "unknown ruleset 'tuscany'"),
        ({"difficulty": "hard"}, "it belongs to ruleset 'solo'"),
    ):
        with pytest.raises(ValueError, match=message):
            pyspiel.load_game("vitienv_viticulture", parameters)


def test_missing_openspiel_raises_in_one_line():
    code = "import sys; sys.modules['pyspiel'] = None; import vitienv.envs.openspiel"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode and done.stderr.splitlines()[-1].endswith("in vitienv's source directory")


@pytest.mark.parametrize("name", ["leduc_poker", "gin_rummy", "bridge"])
def test_games_of_openspiel_have_no_leaks(name):
    report = check_hidden_information(pyspiel.load_game(name).new_initial_state(), num_steps=30)
    assert report.distinct > 0


def test_leak_in_hearts_is_detected():
    """In OpenSpiel 2.0.2 the struct contains the number of passed cards, which the information state does not."""
    state = pyspiel.load_game("hearts").new_initial_state()
    with pytest.raises(AssertionError, match="'observation_struct' of player"):
        check_hidden_information(state, num_steps=30)
