"""Invalid options of the solo game raise an error of one line."""

import pytest

import vitienv
from tests.table.fixtures import points

from .positions import begin

# Options, the option that is named, and what the message says would be right.
SOLO = [
    ({"num_players": 2}, "num_players", "1"),
    ({"num_players": 6}, "num_players", "1"),
    ({"num_players": 1, "automa_replacement": "rival"}, "num_players", "2"),
    ({"num_players": 3, "automa_replacement": "blocker"}, "num_players", "2"),
    ({"difficulty": "nightmare"}, "difficulty", "very_hard"),
    ({"difficulty": 3}, "difficulty", "normal"),
    ({"difficulty": None}, "difficulty", "normal"),
    ({"challenge": 0}, "challenge", "8"),
    ({"challenge": 9}, "challenge", "8"),
    ({"challenge": "1"}, "challenge", "8"),
    ({"challenge": 1.5}, "challenge", "8"),
    ({"aggressive": True, "difficulty": "very_easy"}, "aggressive", "normal"),
    ({"aggressive": True, "difficulty": "very_hard"}, "aggressive", "normal"),
    ({"aggressive": True, "challenge": 6}, "aggressive", "6"),
    ({"aggressive": True, "automa_vp": 10}, "automa_vp", "aggressive"),
    ({"aggressive": True, "automa_replacement": "rival"}, "automa_replacement", "marker"),
    ({"challenge": 1, "automa_replacement": "rival"}, "automa_replacement", "marker"),
    ({"bonus_tokens": -1}, "bonus_tokens", "0"),
    ({"bonus_tokens": 1.5}, "bonus_tokens", "0"),
    ({"automa_replacement": "robot"}, "automa_replacement", "rival"),
    ({"friendly": True}, "friendly", "essential"),
    ({"start_vp": -6, "challenge": 4}, "start_vp", "-5"),
    ({"start_lira": -1, "challenge": 7}, "start_lira", "0"),
    ({"regular_workers": 6, "challenge": 2}, "regular_workers", "5"),
    ({"medium_wine_vp": -1, "challenge": 6}, "medium_wine_vp", "0"),
    ({"large_wine_vp": "four", "challenge": 6}, "large_wine_vp", "0"),
    ({"automa_vp": "far", "difficulty": "very_hard"}, "automa_vp", ""),
]
RULESET_ALIASES = [
    {"difficulty": "hard"}, {"aggressive": True}, {"challenge": 1}, {"bonus_tokens": 1}, {"redraw_visitors": True},
    {"automa_replacement": "rival"}, {"start_vp": -3}, {"start_lira": 2}, {"automa_vp": 23}, {"regular_workers": 2},
    {"medium_wine_vp": 2}, {"large_wine_vp": 4},
]  # fmt: skip


def refusal(**options):
    """Return the one-line error of invalid options."""
    with pytest.raises(ValueError) as error:
        vitienv.Game.new(seed=1, **options)
    text = str(error.value)
    assert text
    assert "\n" not in text
    return text


@pytest.mark.parametrize("options, name, expected", SOLO, ids=lambda value: str(value))
def test_errors_name_the_option_and_the_expected_value(options, name, expected):
    text = refusal(ruleset="solo", **options)
    assert name in text
    assert expected in text


@pytest.mark.parametrize("options", RULESET_ALIASES, ids=lambda options: next(iter(options)))
@pytest.mark.parametrize("ruleset", ["essential", "original"])
def test_solo_options_raise_elsewhere(options, ruleset):
    text = refusal(ruleset=ruleset, **options)
    assert next(iter(options)) in text
    assert "solo" in text


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_aggressive_variant_at_three_levels(level):
    """Aggressive variant: easy, normal and hard; the marker starts at -1."""
    assert begin(difficulty=level, aggressive=True).automa_score == -1


@pytest.mark.parametrize("challenge", [1, 2, 3, 4, 5, 7, 8])
def test_aggressive_variant_with_challenges(challenge):
    """Campaign 6: only this challenge is omitted."""
    assert begin(challenge=challenge, aggressive=True).automa_score == -1


def test_explicit_solo_defaults_are_accepted():
    plain = vitienv.Game.new(num_players=2, seed=1)
    assert vitienv.Game.new(num_players=2, seed=1, difficulty="normal", aggressive=False, challenge=None) == plain


def test_challenge_overrides_level():
    """Campaign 4 and 7, at the easy level: the challenge is the later rule."""
    assert points(begin(difficulty="easy", challenge=4)) == -2
    assert points(begin(difficulty="easy", challenge=7)) == -2
    assert points(begin(difficulty="easy", challenge=3)) == 3


def test_invalid_options_of_a_position_raise():
    position = {"ruleset": "solo", "season": "spring", "options": {"difficulty": "nightmare"}}
    with pytest.raises(ValueError, match="difficulty"):
        vitienv.Game.from_dict(position)
