"""Readers of untrusted text and JSON return a value or raise ValueError with one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import vitienv
from vitienv.agents import make_agent
from vitienv.session.replay import replay

WORDS = st.text(max_size=30)
NUMBERS = st.integers() | st.floats(allow_subnormal=False)  # torch, where a test has it learn, takes them for 0
NAMES = ["heuristic", "ismcts", "policy", "level", "program", "subprocess", "llm"]
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner) | st.dictionaries(WORDS, inner),
    max_leaves=8,
)
GAME = vitienv.Game.new(seed=1, num_players=2)
POSITION, LOG = GAME.to_dict(), GAME.log
QUICK = settings(max_examples=100, deadline=None, derandomize=True, database=None)


def changed(whole: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with another value at one of its keys, or at a key that it has not."""
    return st.builds(lambda key, value: whole | {key: value}, st.sampled_from(sorted(whole)) | WORDS, VALUES)


def answers(read: Callable[[Any], Any], value: Any) -> None:
    """ValueError, in one line, is an answer too."""
    try:
        read(value)
    except ValueError as refused:
        assert str(refused) and "\n" not in str(refused)


@QUICK
@given(WORDS | st.builds("{}:{}".format, st.sampled_from(NAMES), WORDS))
def test_random_bot_specs_raise_in_one_line(spec):
    answers(make_agent, spec)


@QUICK
@given(changed(POSITION) | VALUES)
def test_random_positions_raise_in_one_line(position):
    answers(vitienv.Game.from_dict, position)


@QUICK
@given(changed(LOG) | st.dictionaries(WORDS, VALUES))
def test_random_logs_raise_in_one_line(log):
    answers(replay, log)
