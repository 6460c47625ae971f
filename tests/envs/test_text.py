"""The text environment: prompts, answers, and counts of answers without a legal action."""

import re

import numpy as np
import pytest

import vitienv


def played(env, seed, answers):
    prompt, info = env.reset(seed=seed)
    prompts = [prompt]
    while True:
        last = env.step(answers(prompt, info))
        prompt, info = last[0], last[-1]
        prompts.append(prompt)
        if last[2] or last[3]:
            return last, prompts


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 3, "opponents": ["heuristic"], "seat": 2},
        {"ruleset": "solo", "num_players": 1, "opponents": []},
        {"game": "world", "num_players": 2, "years": 1},
        {"game": "toscana", "num_players": 3, "seat": "random"},
    ],
    ids=str,
)
def test_game_by_prompts(options):
    env = vitienv.text_env(**options)

    def first_line(prompt, info):
        number = re.search(r"^Choices:\n(\d+): ", prompt, re.MULTILINE)[1]
        assert int(number) == info["choices"][0]["number"] and info["error"] is None
        return f"Let me think.\n<action>{number}</action>"

    last_step, prompts = played(env, 5, first_line)
    assert last_step[2] or last_step[3]
    info = last_step[-1]
    assert info["forfeit"] is False and info["illegal"] == 0 and len(info["final_ranks"]) >= 1
    assert prompts[-1].endswith("The game is over.") and info["choices"] == []
    assert played(env, 5, first_line)[1] == prompts  # depends on the seed only


def test_prompt_describes_the_view_of_the_seat():
    env = vitienv.text_env(num_players=3, opponents=["random"], seat=2)
    _, info = env.reset(seed=4)
    descriptions = [env._game.describe(seat) for seat in range(3)]
    assert len(set(descriptions)) == 3 and info["text"] == descriptions[2]


def test_reward_equals_the_numeric_environment():
    text = vitienv.text_env(num_players=2, opponents=["heuristic"], reward="margin")
    from vitienv.envs.single import SingleAgentEnv

    numbers = SingleAgentEnv(("heuristic",), num_players=2, reward="margin")
    rng = np.random.default_rng(3)
    _, info = text.reset(seed=11)
    _, other = numbers.reset(seed=11)
    over = False
    while not over:
        assert [choice["number"] for choice in info["choices"]] == np.flatnonzero(other["action_mask"]).tolist()
        action = int(rng.choice(np.flatnonzero(other["action_mask"])))
        _, reward, over, _, info = text.step(str(action))
        _, same, _, _, other = numbers.step(action)
        assert reward == same
    assert reward != 0


def test_invalid_answers_are_retried_and_then_forfeit():
    env = vitienv.text_env(num_players=2, retries=2)
    prompt, info = env.reset(seed=1)
    good = info["choices"][0]["name"]
    for bad in ("I resign", "take everything"):
        again, reward, terminated, truncated, info = env.step(bad)
        assert "is not an action" in info["error"] and again == f"{info['error']}\n\n{prompt}"
        assert not (reward or terminated or truncated)
    prompt, _, terminated, _, info = env.step(good)  # resets the count of retries
    assert not terminated and info["error"] is None and info["illegal"] == 2
    for retries_left in (2, 1, 0):
        prompt, reward, terminated, _, info = env.step("")
        assert terminated == (retries_left == 0)
    assert reward == -1 and info["forfeit"] and info["illegal"] == 5 and info["final_ranks"] == [2, 1]
    with pytest.raises(vitienv.IllegalAction, match="the game is over"):
        env.step(good)


@pytest.mark.parametrize(("options", "words"), [
    ({"seat": 2}, r"^learner_seat must be 'random' or an integer from 0 to 1, got 2$"),
    ({"retries": -1}, "retries must be an integer from 0, got -1"),
    ({"colour": "red"}, "unknown option 'colour'"),
    ({"illegal_action": "random"}, "multiple values for .*argument 'illegal_action'"),
    ({"learner_seat": "random"}, "multiple values for .*argument 'learner_seat'"),
    ({"ruleset": "solo", "num_players": 1}, r"this game has no other seats: set opponents=\[\]"),
    ({"num_players": 1}, "num_players must be .* for ruleset 'essential', got 1"),
], ids=str)  # fmt: skip
def test_invalid_options_raise(options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        vitienv.text_env(**options)
