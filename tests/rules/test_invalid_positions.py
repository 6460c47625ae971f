"""Positions with values of a wrong type or size raise a ValueError of one line."""

import pytest

import vitienv
from tests.invalid_positions import position_at, reading_errors

TABLES = {
    "essential": {"num_players": 3},
    "drafted": {"num_players": 2, "draft_parents": True},
    "original": {"ruleset": "original", "num_players": 2},
    "solo": {"ruleset": "solo"},
}
PENDING = ("choose_deck", "discard_card", "choose_grape", "play_visitor", "sell_grapes", "age_wine", "choose_option")


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("decisions", [("place_worker",), PENDING], ids=["turn", "pending"])
def test_wrong_values_raise_in_one_line(name, decisions):
    assert reading_errors(position_at(decisions, **TABLES[name])) == []


@pytest.mark.parametrize("turn_order", [[0, "x"], [0, None], [[1], 0], [0, 0], {"x": 1}, 3, [0.0, 1.0], [True, False]])
@pytest.mark.parametrize("position", [{"season": "summer"}, {"season": "year_end", "status": "over"}])
def test_invalid_turn_order_raises(turn_order, position):
    """Strings and integers cannot be sorted together."""
    position = position | {"turn_order": turn_order}
    with pytest.raises(ValueError, match="turn_order"):
        vitienv.Game.from_dict(position)
