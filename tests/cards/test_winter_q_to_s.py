"""Queen, Reaper, Scholar, Supervisor."""

import pytest
from table import pile, question
from winter_table import CELLARS, MEDIUM, begin, branches, offered, play, playable, winter

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


# ---- Reaper

VINEYARD = {5: ["merlot"], 6: ["pinot"], 7: ["chardonnay"]}


def test_reaper_scores_three_fields():
    game = winter("reaper", fields=VINEYARD)
    assert play(game, "reaper", "field:5", "field:6", "field:7") == {
        0: {"vp": 2, "harvested": [5, 6, 7], "grapes": {"red": [1, 3], "white": [1, 4]}}
    }


def test_reaper_two_fields_score_nothing():
    game = winter("reaper", fields=VINEYARD)
    assert play(game, "reaper", "field:5", "field:7", "done") == {
        0: {"harvested": [5, 7], "grapes": {"red": [3], "white": [4]}}
    }


def test_reaper_one_field_scores_nothing():
    game = winter("reaper", fields=VINEYARD)
    assert play(game, "reaper", "field:6", "done") == {0: {"harvested": [6], "grapes": {"red": [1], "white": [1]}}}


def test_reaper_does_not_count_a_field_harvested_earlier():
    """Ruling 4, Reaper: three fields harvested with this card."""
    game = winter("reaper", fields=VINEYARD, harvested=[5])
    assert play(game, "reaper", "field:6", "field:7") == {
        0: {"harvested": [5, 6, 7], "grapes": {"red": [1], "white": [1, 4]}}
    }


def test_reaper_scores_three_fields_although_grapes_are_lost():
    """Ruling 4, Reaper: whatever the yield."""
    game = winter("reaper", fields={5: ["sangiovese"], 6: ["sangiovese"], 7: ["malvasia"]}, grapes={"white": [1]})
    assert play(game, "reaper", "field:5", "field:6", "field:7") == {
        0: {"vp": 2, "harvested": [5, 6, 7], "grapes": {"red": [1]}}
    }


def test_reaper_must_harvest_at_least_one_field():
    assert offered(winter("reaper", fields=VINEYARD), "reaper") == {"field:5", "field:6", "field:7"}


@pytest.mark.parametrize("state", [{}, {"fields": {5: ["merlot"]}, "harvested": [5]}, {"sold": [5, 6, 7]}])
def test_reaper_needs_a_harvestable_field(state):
    assert playable(winter("reaper", **state)) == set()


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


# ---- Supervisor


def test_supervisor_scores_a_sparkling_wine():
    game = winter("supervisor", grapes={"red": [1, 2], "white": [4]}, structures=CELLARS)
    answers = ("make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4")
    assert play(game, "supervisor", *answers) == {
        0: {"vp": 1, "grapes": {"red": [], "white": []}, "wines": {"sparkling": [7]}}
    }


def test_supervisor_scores_two_sparkling_wines():
    game = winter("supervisor", grapes={"red": [1, 2, 3, 4], "white": [2, 4]}, structures=CELLARS)
    first = ("make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4")
    second = ("make:sparkling", "grape:red:3", "grape:red:4", "grape:white:2")
    assert play(game, "supervisor", *first, *second) == {
        0: {"vp": 2, "grapes": {"red": [], "white": []}, "wines": {"sparkling": [7, 9]}}
    }


@pytest.mark.parametrize(
    ("answers", "wines"),
    [
        (("make:red", "grape:red:5", "make:white", "grape:white:5"), {"red": [5], "white": [5]}),
        (("make:blush", "grape:red:5", "grape:white:5"), {"blush": [9]}),
    ],
)
def test_supervisor_scores_no_other_wine(answers, wines):
    game = winter("supervisor", grapes={"red": [5], "white": [5]}, structures=CELLARS)
    assert play(game, "supervisor", *answers) == {0: {"grapes": {"red": [], "white": []}, "wines": wines}}


def test_supervisor_does_not_score_sparkling_wine_already_there():
    game = winter("supervisor", grapes={"red": [5]}, structures=CELLARS, wines={"sparkling": [7]})
    assert play(game, "supervisor", "make:red", "grape:red:5") == {0: {"grapes": {"red": []}, "wines": {"red": [5]}}}


def test_supervisor_makes_at_most_two_wines():
    game = winter("supervisor", grapes={"red": [1, 2, 3]})
    assert play(game, "supervisor", "make:red", "grape:red:1", "make:red", "grape:red:2")[0]["grapes"] == {"red": [3]}


@pytest.mark.parametrize(("built", "white"), [(MEDIUM, 4), (CELLARS, 3)])
def test_supervisor_sparkling_needs_the_large_cellar_and_seven(built, white):
    """Ruling 7.12 and Essential, Making wine, note 2."""
    game = winter("supervisor", grapes={"red": [1, 2], "white": [white]}, structures=built)
    assert offered(game, "supervisor") == {"make:red", "make:white", "make:blush"}


def test_supervisor_needs_a_wine_to_make():
    assert playable(winter("supervisor", structures=CELLARS)) == set()
