"""Patron, Peddler, Planter. (Planner, Producer: files of their own.)"""

import pytest

from .table import (
    all_summer_visitors,
    all_vines,
    answer,
    begin,
    legal,
    me,
    offered,
    pile,
    play,
    playable,
    table,
)

# ---- Patron: 4 lira, or an order and a winter visitor


def test_patron_takes_four_lira():
    assert play(table("patron"), "patron", "option:1") == {0: {"lira": 4}}


def test_patron_draws_an_order_and_a_winter_visitor():
    game = table("patron", draws={"order": ["order_07"], "winter": ["queen"]})
    assert play(game, "patron", "option:2") == {0: {"gained": ["order:order_07", "winter:queen"]}}


def test_patron_is_always_playable():
    assert offered(table("patron", vp=-5), "patron") == {"option:1", "option:2"}


# ---- Peddler: discard two cards, then draw one of each deck

DRAWS = {"vine": ["merlot"], "order": ["order_07"], "summer": ["broker"], "winter": ["queen"]}
DRAWN = ["order:order_07", "summer:broker", "vine:merlot", "winter:queen"]


def test_peddler_trades_two_cards_for_one_of_each_deck():
    game = table("peddler", vine=["pinot"], winter=["judge"], draws=DRAWS)
    assert play(game, "peddler", "card:vine:pinot", "card:winter:judge") == {
        0: {"gained": DRAWN, "lost": ["vine:pinot", "winter:judge"]}
    }
    assert pile(game, "vine") == ["pinot"]
    assert pile(game, "winter") == ["judge"]


def test_peddler_discards_any_kinds():
    game = table("peddler", "buyer", order=["order_01"], draws=DRAWS)
    change = play(game, "peddler", "card:order:order_01", "card:summer:buyer")[0]
    assert change == {"gained": DRAWN, "lost": ["order:order_01", "summer:buyer"]}
    assert pile(game, "summer") == ["buyer", "peddler"]


@pytest.mark.parametrize(("others", "cards"), [(0, set()), (1, set()), (2, {"peddler"}), (3, {"peddler"})])
def test_peddler_does_not_count_itself(others, cards):
    """Ruling 3.6."""
    assert playable(table("peddler", vine=["pinot"] * others)) == cards


def test_peddler_discards_before_it_draws():
    """The discards are the cost, so an exhausted deck is renewed by them."""
    mine = ["pinot", "pinot"]
    game = table("peddler", vine=mine, others=[{"vine": all_vines(*mine)}], draws={"summer": ["broker"]})
    change = play(game, "peddler", "card:vine:pinot", "card:vine:pinot")[0]
    assert change["lost"] == ["vine:pinot"]  # two discarded, one of them drawn again
    assert [card.split(":")[0] for card in change["gained"]] == ["order", "summer", "winter"]


def test_peddler_draws_nothing_of_an_exhausted_deck():
    """Ruling 8.2."""
    game = table("peddler", winter=["judge", "queen"], others=[{"vine": all_vines()}])
    change = play(game, "peddler", "card:winter:judge", "card:winter:queen")[0]
    assert [card.split(":")[0] for card in change["gained"]] == ["order", "summer", "winter"]


def test_peddler_is_not_reshuffled_while_in_play():
    """Ruling 3.7: the played card is discarded after it is resolved."""
    others = [{"summer": all_summer_visitors("peddler")}]
    game = table("peddler", winter=["judge", "queen"], others=others)
    begin(game, "peddler", "card:winter:judge", "card:winter:queen")
    assert [card.split(":")[0] for card in me(game)["hand"]] == ["order", "vine", "winter"]


def test_peddler_drawn_visitor_may_be_the_second_of_a_bonus_space():
    """Ruling 3.8."""
    game = table("peddler", vine=["pinot", "syrah"], lira=9, others=[{}, {}], draws=DRAWS)
    answers = ["card:vine:pinot", "card:vine:syrah", "card:summer:broker", "option:1"]
    change = play(game, "peddler", *answers, space="bonus")[0]
    assert (change["lira"], change["vp"]) == (-9, 3)
    assert change["gained"] == ["order:order_07", "vine:merlot", "winter:queen"]
    assert pile(game, "summer") == ["peddler", "broker"]


# ---- Planter: plant one or two vines and 1 lira, or uproot and discard one for 2 VP


def test_planter_plants_one_vine_for_a_lira():
    game = table("planter", vine=["malvasia", "pinot"])
    assert play(game, "planter", "option:1", "card:vine:malvasia", "field:5", "done") == {
        0: {"lira": 1, "lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}
    }


def test_planter_plants_two_vines_for_one_lira():
    game = table("planter", vine=["sangiovese", "malvasia", "malvasia"])
    answers = ["option:1", "card:vine:sangiovese", "field:5", "card:vine:malvasia", "field:6"]
    assert play(game, "planter", *answers) == {
        0: {
            "lira": 1,
            "lost": ["vine:malvasia", "vine:sangiovese"],
            "fields": {5: ["sangiovese"], 6: ["malvasia"]},
        }
    }
    assert (game.seat, game.decision) == (1, "place_worker")


def test_planter_may_stop_after_one_but_not_before():
    """Ruling 3.2."""
    game = table("planter", vine=["sangiovese", "malvasia"])
    assert offered(game, "planter", "option:1") == {"card:vine:sangiovese", "card:vine:malvasia"}
    assert "done" in offered(game, "planter", "option:1", "card:vine:sangiovese", "field:5")


def test_planter_second_vine_needs_room_left_by_the_first():
    game = table(
        "planter", vine=["pinot", "syrah", "malvasia"], structures=["trellis"], fields={5: ["syrah"]}, sold=[6, 7]
    )
    assert offered(game, "planter", "option:1", "card:vine:pinot", "field:5") == {"card:vine:malvasia", "done"}


def test_planter_scores_the_windmill_once_for_two_vines():
    game = table("planter", vine=["malvasia", "malvasia"], structures=["windmill"])
    change = play(game, "planter", "option:1", "card:vine:malvasia", "field:5", "card:vine:malvasia", "field:6")[0]
    assert change["vp"] == 1


def test_planter_gives_up_a_planted_vine_for_two_points():
    game = table("planter", fields={6: ["syrah", "pinot"]})
    assert play(game, "planter", "option:2", "field:6", "card:vine:syrah", "card:vine:syrah") == {
        0: {"vp": 2, "fields": {6: ["pinot"]}}
    }
    assert pile(game, "vine") == ["syrah"]


def test_planter_may_discard_another_vine():
    """Single cards, Sharecropper, Horticulturist, Planter: any vine in hand."""
    game = table("planter", vine=["merlot"], fields={6: ["syrah"]})
    assert offered(game, "planter", "option:2", "field:6", "card:vine:syrah") == {"card:vine:syrah", "card:vine:merlot"}
    assert play(game, "planter", "option:2", "field:6", "card:vine:syrah", "card:vine:merlot") == {
        0: {"vp": 2, "fields": {6: []}, "gained": ["vine:syrah"], "lost": ["vine:merlot"]}
    }


def test_planter_discards_vines_only():
    game = table("planter", "broker", order=["order_01"], winter=["judge"], fields={6: ["syrah"]})
    assert offered(game, "planter", "option:2", "field:6", "card:vine:syrah") == {"card:vine:syrah"}


def test_planter_lets_the_player_pick_the_uprooted_vine():
    game = table("planter", fields={5: ["malvasia"], 7: ["pinot", "syrah"]})
    assert offered(game, "planter", "option:2") == {"field:5", "field:7"}
    assert offered(game, "planter", "option:2", "field:7") == {"card:vine:pinot", "card:vine:syrah"}


def test_planter_may_uproot_a_harvested_field_which_keeps_its_mark():
    """Ruling 7.5."""
    game = table("planter", fields={6: ["syrah"]}, harvested=[6])
    play(game, "planter", "option:2", "field:6", "card:vine:syrah", "card:vine:syrah")
    assert me(game)["harvested"] == [6]


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, set()),
        ({"vine": ["pinot"]}, set()),
        ({"vine": ["malvasia"], "sold": [5, 6, 7]}, set()),
        ({"vine": ["malvasia"]}, {"option:1"}),
        ({"fields": {5: ["pinot"]}}, {"option:2"}),
        ({"fields": {5: ["pinot"]}, "vine": ["malvasia"]}, {"option:1", "option:2"}),
    ],
)
def test_planter_offers_only_branches_that_can_be_done(seat, options):
    assert offered(table("planter", **seat), "planter") == options


def test_planter_field_emptied_by_it_may_be_sold():
    """Ruling 7.4: a field without vines is empty, harvested or not."""
    game = table("planter", fields={6: ["syrah"]}, sold=[5, 7], harvested=[6])
    play(game, "planter", "option:2", "field:6", "card:vine:syrah", "card:vine:syrah")
    game.step("pass")
    answer(game, "place:sell_grapes_or_field:plain:regular")
    assert "field:6" in legal(game)
