"""Queen, Reaper, Scholar, Supervisor."""

import pytest

from .table import pile, question
from .winter_table import begin, branches, offered, play, playable, winter

# ---- Queen (the neighbour's answers are part of `play`)


def test_queen_costs_the_neighbour_a_point():
    game = winter("queen", others=[{"vp": 3}])
    assert play(game, "queen", "option:1") == {1: {"vp": -1}}


def test_queen_takes_two_cards():
    game = winter("queen", others=[{"vine": ["pinot", "syrah"], "summer": ["patron"]}])
    assert play(game, "queen", "option:2", "card:vine:syrah", "card:summer:patron") == {
        0: {"gained": ["summer:patron", "vine:syrah"]},
        1: {"lost": ["summer:patron", "vine:syrah"]},
    }
    assert pile(game, "summer") == pile(game, "vine") == []


def test_queen_takes_cards_of_any_kind():
    """Ruling 4, Queen: any two cards."""
    game = winter("queen", others=[{"order": ["order_09"], "winter": ["judge"]}])
    change = play(game, "queen", "option:2", "card:order:order_09", "card:winter:judge")
    assert change[0] == {"gained": ["order:order_09", "winter:judge"]}


def test_queen_takes_two_equal_vines():
    game = winter("queen", others=[{"vine": ["merlot", "merlot"]}])
    change = play(game, "queen", "option:2", "card:vine:merlot", "card:vine:merlot")
    assert change[0] == {"gained": ["vine:merlot", "vine:merlot"]}


def test_queen_takes_three_lira():
    game = winter("queen", others=[{"lira": 3}])
    assert play(game, "queen", "option:3") == {0: {"lira": 3}, 1: {"lira": -3}}


@pytest.mark.parametrize(
    ("neighbour", "actions"),
    [
        ({"vp": -4}, {"option:1"}),
        ({"vp": -5, "vine": ["pinot", "pinot"]}, {"option:2"}),
        ({"vp": -5, "lira": 3, "order": ["order_01"]}, {"option:3"}),
        ({"lira": 2, "summer": ["patron"]}, {"option:1"}),
        ({"lira": 3, "summer": ["patron"], "order": ["order_01"]}, {"option:1", "option:2", "option:3"}),
    ],
)
def test_queen_neighbour_has_the_options_that_are_payable(neighbour, actions):
    """Rulings 2.2 and 4, Queen."""
    game = winter("queen", others=[neighbour])
    begin(game, "queen")
    assert question(game) == (1, "queen", actions)


def test_queen_is_refused_when_the_neighbour_can_do_nothing():
    """Ruling 4, Queen: -5, two lira and one card leave no option."""
    assert playable(winter("queen", others=[{"vp": -5, "lira": 2, "vine": ["pinot"]}])) == set()


def test_queen_neighbour_gives_cards_in_ascending_order():
    game = winter("queen", others=[{"vine": ["malvasia", "pinot"], "winter": ["judge"]}])
    assert offered(game, "queen", "option:2") == {"card:vine:malvasia", "card:vine:pinot"}
    assert offered(game, "queen", "option:2", "card:vine:pinot") == {"card:winter:judge"}


@pytest.mark.parametrize("rows", [(4, 3, 2, 1), (1, 2, 3, 4), (2, 1, 4, 3)])
def test_queen_asks_the_previous_seat_whatever_the_wake_up_order(rows):
    """Ruling 4, Queen: the right-hand neighbour in seating order."""
    game = winter("queen", row=rows[0], others=[{"row": row} for row in rows[1:]])
    begin(game, "queen")
    assert question(game) == (3, "queen", {"option:1"})


def test_queen_asks_a_neighbour_who_has_passed():
    """Ruling 3.14."""
    game = winter("queen", others=[{}, {"passed": True}])
    assert play(game, "queen", "option:1") == {2: {"vp": -1}}


def test_queen_looks_at_nobody_but_the_neighbour():
    rich = {"lira": 9, "vine": ["pinot", "syrah"]}
    assert playable(winter("queen", others=[rich, {"vp": -5}])) == set()


# ---- Scholar

TWO_ORDERS = {"order": ["order_07", "order_08"]}
DREW_TWO = ["order:order_07", "order:order_08"]


def test_scholar_draws_two_orders():
    game = winter("scholar", lira=3, draws=TWO_ORDERS)
    assert play(game, "scholar", "option:1", "done") == {0: {"gained": DREW_TWO}}


def test_scholar_trains_for_three_lira():
    game = winter("scholar", lira=3)
    assert play(game, "scholar", "option:2", "done") == {0: {"lira": -3, "trained": 1}}


@pytest.mark.parametrize("answers", [("option:1", "option:2"), ("option:2", "option:1")])
def test_scholar_does_both_for_a_point(answers):
    game = winter("scholar", lira=3, vp=2, draws=TWO_ORDERS)
    assert play(game, "scholar", *answers) == {0: {"vp": -1, "lira": -3, "trained": 1, "gained": DREW_TWO}}


def test_scholar_decides_about_the_second_part_after_the_first():
    """Ruling 3.17."""
    game = winter("scholar", lira=3, draws=TWO_ORDERS)
    assert offered(game, "scholar", "option:1") == {"option:2", "done"}
    assert offered(game, "scholar", "option:2") == {"option:1", "done"}


def test_scholar_may_do_both_at_minus_four():
    game = winter("scholar", lira=3, vp=-4, draws=TWO_ORDERS)
    assert play(game, "scholar", "option:1", "option:2")[0]["vp"] == -1


@pytest.mark.parametrize("first", ["option:1", "option:2"])
def test_scholar_cannot_do_both_at_minus_five(first):
    """Rulings 2.1 and 3.17: there is no second part to ask about."""
    game = winter("scholar", lira=3, vp=-5, draws=TWO_ORDERS)
    assert branches(game, "scholar") == [1, 2]
    change = play(game, "scholar", first)[0]
    assert "vp" not in change
    assert ("trained" in change) != ("gained" in change)


@pytest.mark.parametrize(("lira", "regular"), [(2, 2), (9, 5)])
def test_scholar_without_money_or_room_only_draws(lira, regular):
    game = winter("scholar", lira=lira, regular=regular, draws=TWO_ORDERS)
    assert branches(game, "scholar") == [1]
    assert play(game, "scholar", "option:1") == {0: {"gained": DREW_TWO}}
