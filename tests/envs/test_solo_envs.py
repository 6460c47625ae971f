"""The solo game and the original edition in every environment."""

import gymnasium as gym
import pytest

import vitienv
from vitienv.viticulture.observation import N_OBSERVATION
from vitienv.viticulture.vocabulary import N_ACTIONS

from .players import choose, play, playout

NAME = "vitienv/ViticultureSolo-v0"


def test_solo_game_has_one_agent():
    env = vitienv.env(ruleset="solo")
    env.reset(seed=1)
    assert env.possible_agents == env.agents == ["player_0"]
    last = playout(env)[-1]
    assert last[0] == "player_0" and last[3] and last[2] in (-1.0, 0.0, 1.0)
    assert vitienv.env(ruleset="solo", automa_replacement="rival").possible_agents == ["player_0", "player_1"]


def test_solo_layout_equals_that_of_several_players():
    env, other = gym.make(NAME), gym.make("vitienv/Viticulture-v0")
    assert env.observation_space == other.observation_space and env.action_space == other.action_space
    observation, info = env.reset(seed=3)
    assert observation.shape == (N_OBSERVATION,) and info["action_mask"].shape == (N_ACTIONS,)
    assert env.unwrapped.action_masks().sum() == info["action_mask"].sum() > 0
    present = vitienv.OBSERVATION.get(observation, "present")
    assert present.tolist() == [1, 0, 0, 0, 0, 0]


def test_environment_plays_the_game_of_its_seed():
    env = gym.make(NAME, difficulty="hard", reward="margin")
    steps = play(env, seed=11, salt=1)
    game = vitienv.Game.new(ruleset="solo", difficulty="hard", reward="margin", seed=11)
    info = steps[0][1]
    for number, step in enumerate(steps[1:], 1):
        assert env.unwrapped.games.game_spec.decisions[info["decision"]] == game.decision
        game.step(choose(info["action_mask"], number))
        info = step[-1]
    assert game.is_over
    assert (info["final_scores"].tolist(), info["final_ranks"].tolist()) == (game.scores, game.ranks)
    assert steps[-1][1] == pytest.approx(game.rewards[0]) == pytest.approx((game.scores[0] - 20) / 20)


@pytest.mark.parametrize("form", ["rival", "blocker"])
def test_bot_as_automa_replacement(form):
    """The default is a rival."""
    env = gym.make(NAME, opponents=["random"], **({} if form == "rival" else {"automa_replacement": form}))
    steps = play(env, seed=2)
    assert steps[0][1]["learner_seat"] == 0
    assert env.unwrapped.games.options.automa_replacement == form
    assert len(steps[-1][-1]["final_scores"]) == 2
    if form == "blocker":
        assert steps[-1][-1]["final_scores"][1] == 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"automa_replacement": "rival"}, "opponents must be .*, got 0"),
        ({"opponents": ["random", "random"]}, "opponents must be .*, got 2"),
        ({"opponents": ["random"], "automa_replacement": None}, "this game has no other seats"),
        ({"num_players": 3}, "num_players must be 1 for ruleset 'solo', got 3"),
        ({"difficulty": "nightmare"}, "unknown difficulty 'nightmare'"),
        ({"friendly": True}, "friendly must be False in ruleset .solo., got True; it belongs to ruleset 'essential'"),
    ],
)
def test_invalid_options_raise(options, words):
    with pytest.raises(ValueError, match=words):
        gym.make(NAME, **options)
