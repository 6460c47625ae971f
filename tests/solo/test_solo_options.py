"""Options of the solo game; tests/engine/test_options.py has invalid ones."""

import pytest

import vitienv
from tests.table.fixtures import points

from .positions import begin


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_aggressive_variant_at_three_levels(level):
    """Aggressive variant: easy, normal and hard; the marker starts at -1."""
    assert begin(difficulty=level, aggressive=True).automa_score == -1


@pytest.mark.parametrize("challenge", [1, 2, 3, 4, 5, 7, 8])
def test_aggressive_variant_with_challenges(challenge):
    """Campaign 6: only this challenge is omitted."""
    assert begin(challenge=challenge, aggressive=True).automa_score == -1


def test_challenge_overrides_level():
    """Campaign 4 and 7, at the easy level: the challenge is the later rule."""
    assert points(begin(difficulty="easy", challenge=4)) == -2
    assert points(begin(difficulty="easy", challenge=7)) == -2
    assert points(begin(difficulty="easy", challenge=3)) == 3


def test_invalid_options_of_a_position_raise():
    position = {"ruleset": "solo", "season": "spring", "options": {"difficulty": "nightmare"}}
    with pytest.raises(ValueError, match="difficulty"):
        vitienv.Game.from_dict(position)
