"""Wrong values in positions of the rulesets: no error but ValueError, and none of several lines."""

import pytest

import vitienv
from tests.invalid_positions import faults, met

TABLES = {
    "essential": {"num_players": 3},
    "drafted": {"num_players": 2, "draft_parents": True},
    "original": {"ruleset": "original", "num_players": 2},
    "solo": {"ruleset": "solo"},
}
PENDING = ("choose_deck", "discard_card", "choose_grape", "play_visitor", "sell_grapes", "age_wine", "choose_option")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("decisions", [("place_worker",), PENDING], ids=["turn", "pending"])
def test_a_wrong_value_is_told_in_one_line(name, decisions):
    assert faults(met(decisions, **TABLES[name])) == []


@pytest.mark.parametrize("wrong", [[0, "x"], [0, None], [[1], 0], [0, 0], {"x": 1}, 3, [0.0, 1.0], [True, False]])
@pytest.mark.parametrize("given", [{"season": "summer"}, {"season": "year_end", "status": "over"}])
def test_a_bad_order_of_turns(wrong, given):
    """Words and numbers cannot be sorted together."""
    given = given | {"turn_order": wrong}
    with pytest.raises(ValueError, match="turn_order"):
        vitienv.Game.from_dict(given)
