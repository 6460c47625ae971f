"""Harvest Expert, Harvester, Innkeeper, Jack-of-all-trades, Judge, Laborer."""

import pytest
from table import all_summer_visitors, answer, legal, pile
from winter_table import CELLARS, MEDIUM, branches, offered, play, playable, winter

# ---- Harvest Expert

BUILD_YOKE = ("option:2", "field:5", "structure:yoke")


def test_harvest_expert_harvests_and_draws_a_vine():
    game = winter("harvest_expert", fields={5: ["merlot"], 6: ["pinot"]}, draws={"vine": ["syrah"]})
    assert play(game, "harvest_expert", "option:1", "field:6") == {
        0: {"gained": ["vine:syrah"], "harvested": [6], "grapes": {"red": [1], "white": [1]}}
    }


def test_harvest_expert_harvests_and_builds_the_yoke_for_one():
    """Ruling 4, Harvest Expert: the harvest belongs to both branches."""
    game = winter("harvest_expert", lira=1, fields={5: ["merlot"], 6: ["pinot"]})
    assert play(game, "harvest_expert", *BUILD_YOKE) == {
        0: {"lira": -1, "built": ["yoke"], "harvested": [5], "grapes": {"red": [3]}}
    }


def test_harvest_expert_yoke_may_be_used_in_the_next_turn():
    """Section 5: a yoke built in the same season is usable from the next own turn."""
    game = winter("harvest_expert", lira=1, fields={5: ["merlot"], 6: ["pinot"]})
    assert "place:yoke:plain:regular" not in legal(game)
    play(game, "harvest_expert", *BUILD_YOKE)
    answer(game, "pass")
    assert game.seat == 0
    assert "place:yoke:plain:regular" in legal(game)


@pytest.mark.parametrize(("lira", "built"), [(0, []), (1, ["yoke"])])
def test_harvest_expert_needs_a_lira_and_no_yoke_for_the_yoke(lira, built):
    game = winter("harvest_expert", lira=lira, structures=built, fields={5: ["merlot"]})
    assert branches(game, "harvest_expert") == [1]


@pytest.mark.parametrize("harvested", [[], [5]])
def test_harvest_expert_needs_a_harvestable_field(harvested):
    fields = {5: ["merlot"]} if harvested else {}
    assert playable(winter("harvest_expert", lira=9, fields=fields, harvested=harvested)) == set()


# ---- Harvester


def test_harvester_takes_lira_for_one_field():
    game = winter("harvester", fields={5: ["merlot"], 6: ["pinot"]})
    assert play(game, "harvester", "option:1", "field:5", "done") == {
        0: {"lira": 2, "harvested": [5], "grapes": {"red": [3]}}
    }


def test_harvester_takes_a_point_for_one_field():
    game = winter("harvester", fields={5: ["merlot"], 6: ["pinot"]})
    assert play(game, "harvester", "option:2", "field:6", "done") == {
        0: {"vp": 1, "harvested": [6], "grapes": {"red": [1], "white": [1]}}
    }


@pytest.mark.parametrize(("branch", "reward"), [("option:1", {"lira": 2}), ("option:2", {"vp": 1})])
def test_harvester_reward_is_the_same_for_two_fields(branch, reward):
    game = winter("harvester", fields={5: ["merlot"], 6: ["pinot"], 7: ["chardonnay"]})
    assert play(game, "harvester", branch, "field:5", "field:7") == {
        0: {**reward, "harvested": [5, 7], "grapes": {"red": [3], "white": [4]}}
    }


def test_harvester_adds_up_the_vines_of_a_field():
    """Essential, Harvesting fields: one token for each colour."""
    game = winter("harvester", fields={7: ["sangiovese", "pinot", "cabernet_sauvignon"]})
    assert play(game, "harvester", "option:1", "field:7")[0]["grapes"] == {"red": [6], "white": [1]}


def test_harvester_grape_takes_the_next_lower_free_slot():
    """Essential, Harvesting fields, note 2."""
    game = winter("harvester", fields={5: ["merlot"]}, grapes={"red": [2, 3]})
    assert play(game, "harvester", "option:1", "field:5")[0]["grapes"] == {"red": [1, 2, 3]}


def test_harvester_grape_without_a_slot_is_lost_and_the_field_harvested():
    """Ruling 7.8."""
    game = winter("harvester", fields={5: ["malvasia"]}, grapes={"white": [1]})
    assert play(game, "harvester", "option:2", "field:5") == {0: {"vp": 1, "harvested": [5]}}


@pytest.mark.parametrize("fields", [{}, {"fields": {5: ["merlot"]}, "harvested": [5]}])
def test_harvester_needs_a_field_with_vines_not_yet_harvested(fields):
    assert playable(winter("harvester", **fields)) == set()


def test_harvester_offers_only_harvestable_fields():
    game = winter("harvester", fields={5: ["merlot"], 6: ["pinot"]}, harvested=[5], sold=[7])
    assert offered(game, "harvester", "option:1") == {"field:6"}


# ---- Innkeeper


def test_innkeeper_takes_the_top_cards_of_two_piles():
    discards = {"vine": ["pinot", "merlot"], "order": ["order_01", "order_02"], "summer": ["patron"]}
    game = winter("innkeeper", discards=discards)
    assert play(game, "innkeeper", "deck:vine", "deck:order") == {0: {"gained": ["order:order_02", "vine:merlot"]}}
    assert (pile(game, "vine"), pile(game, "order"), pile(game, "summer")) == (["pinot"], ["order_01"], ["patron"])


def test_innkeeper_takes_winter_visitors_but_not_itself():
    """Ruling 3.7: the card reaches the pile after its effect."""
    game = winter("innkeeper", discards={"summer": ["patron"], "winter": ["queen", "judge"]})
    assert play(game, "innkeeper", "deck:summer", "deck:winter") == {0: {"gained": ["summer:patron", "winter:judge"]}}
    assert (pile(game, "summer"), pile(game, "winter")) == ([], ["queen", "innkeeper"])


def test_innkeeper_chooses_two_different_piles_in_ascending_order():
    game = winter("innkeeper", discards={"vine": ["pinot", "syrah"], "summer": ["patron"], "winter": ["judge"]})
    assert offered(game, "innkeeper") == {"deck:vine", "deck:summer"}
    assert offered(game, "innkeeper", "deck:vine") == {"deck:summer", "deck:winter"}


@pytest.mark.parametrize("discards", [{}, {"vine": ["pinot", "syrah"]}, {"winter": ["judge", "queen"]}])
def test_innkeeper_needs_two_piles(discards):
    """Ruling 4, Innkeeper: with one other pile the card itself is no second one."""
    assert playable(winter("innkeeper", discards=discards)) == set()


# ---- Jack-of-all-trades

JACK = "jack_of_all_trades"
MAKE_RED = ("option:2", "make:red", "grape:red:3")


def test_jack_of_all_trades_harvests_then_makes_wine_of_the_harvest():
    """Ruling 3.16: the second is checked after the first; without the harvest no wine could be made."""
    game = winter(JACK, fields={5: ["merlot"]})
    assert branches(game, JACK) == [1]
    assert play(game, JACK, "option:1", "field:5", *MAKE_RED) == {0: {"harvested": [5], "wines": {"red": [3]}}}


def test_jack_of_all_trades_makes_wine_then_fills_an_order_with_it():
    game = winter(JACK, order=["order_03"], grapes={"red": [3]}, wines={"white": [1]})
    assert branches(game, JACK) == [2]
    assert play(game, JACK, *MAKE_RED, "option:3", "card:order:order_03", "wine:red:3", "wine:white:1") == {
        0: {"vp": 2, "residual": 1, "grapes": {"red": []}, "wines": {"white": []}, "lost": ["order:order_03"]}
    }


def test_jack_of_all_trades_fills_an_order_then_harvests():
    game = winter(JACK, order=["order_02"], wines={"red": [2], "white": [2]}, fields={6: ["pinot"]})
    answers = ("option:3", "card:order:order_02", "wine:red:2", "wine:white:2", "option:1", "field:6")
    assert play(game, JACK, *answers) == {
        0: {
            "vp": 2,
            "residual": 1,
            "harvested": [6],
            "grapes": {"red": [1], "white": [1]},
            "wines": {"red": [], "white": []},
            "lost": ["order:order_02"],
        }
    }


def test_jack_of_all_trades_makes_wine_then_harvests():
    game = winter(JACK, grapes={"red": [3]}, fields={6: ["pinot"]})
    assert play(game, JACK, *MAKE_RED, "option:1", "field:6") == {
        0: {"harvested": [6], "grapes": {"red": [1], "white": [1]}, "wines": {"red": [3]}}
    }


def test_jack_of_all_trades_makes_up_to_two_wines():
    game = winter(JACK, grapes={"red": [1, 2, 3]}, fields={6: ["trebbiano"]})
    makes = ("option:2", "make:red", "grape:red:1", "make:red", "grape:red:2")
    assert play(game, JACK, *makes, "option:1", "field:6")[0]["wines"] == {"red": [1, 2]}


def test_jack_of_all_trades_harvests_a_single_field():
    game = winter(JACK, fields={5: ["merlot"], 6: ["syrah"]})
    assert play(game, JACK, "option:1", "field:5", *MAKE_RED)[0]["harvested"] == [5]


def test_jack_of_all_trades_does_not_do_the_same_thing_twice():
    game = winter(JACK, grapes={"red": [3]}, fields={5: ["merlot"], 6: ["pinot"]})
    assert branches(game, JACK) == [1, 2]
    assert offered(game, JACK, "option:1", "field:5") == {"option:2"}


def test_jack_of_all_trades_cannot_stop_after_one():
    """Ruling 3.16: two are required."""
    game = winter(
        JACK, order=["order_02"], wines={"red": [2], "white": [2]}, grapes={"red": [1]}, fields={5: ["merlot"]}
    )
    assert offered(game, JACK, "option:1", "field:5") == {"option:2", "option:3"}


@pytest.mark.parametrize(
    "only",
    [
        {"grapes": {"red": [3]}},
        {"order": ["order_02"], "wines": {"red": [2], "white": [2]}},
        {"fields": {5: ["sangiovese"]}, "wines": {"red": [1]}},
        {"grapes": {"red": [3]}, "order": ["order_01"]},
    ],
)
def test_jack_of_all_trades_needs_two_possible_things(only):
    """Third case: the grape of value 1 finds its slot taken. Fourth case: the wine made is too weak for the order."""
    assert playable(winter(JACK, **only)) == set()


def test_jack_of_all_trades_harvests_only_a_field_that_leaves_a_second_thing():
    """Ruling 3.1: a red of value 1 could not be made into wine, a 3 could."""
    game = winter(JACK, fields={5: ["sangiovese"], 6: ["merlot"]}, wines={"red": [1]})
    assert offered(game, JACK, "option:1") == {"field:6"}


def test_jack_of_all_trades_order_frees_the_slot_for_the_wine():
    """Rulings 3.1 and 7.13: the grape of value 1 needs the slot that the order has to free, so the 2 cannot be used."""
    wines = {"red": [1, 2], "white": [3]}
    game = winter(JACK, order=["order_04"], grapes={"red": [1]}, wines=wines)
    assert branches(game, JACK) == [3]
    fill = ("option:3", "card:order:order_04")
    assert offered(game, JACK, *fill) == {"wine:red:1"}
    assert play(game, JACK, *fill, "wine:red:1", "wine:white:3", "option:2", "make:red", "grape:red:1") == {
        0: {"vp": 2, "residual": 1, "grapes": {"red": []}, "wines": {"white": []}, "lost": ["order:order_04"]}
    }


def test_jack_of_all_trades_makes_wine_that_leaves_a_second_thing():
    """Rulings 3.1 and 3.16: nothing but the order can follow, and it takes both wines."""
    game = winter(JACK, grapes={"red": [3], "white": [1]}, structures=MEDIUM, order=["order_03"])
    assert branches(game, JACK) == [2]
    assert offered(game, JACK, "option:2") == {"make:red", "make:white"}
    assert offered(game, JACK, *MAKE_RED) == {"make:white"}


# ---- Judge


def test_judge_draws_two_summer_visitors():
    game = winter("judge", draws={"summer": ["patron", "banker"]})
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:banker", "summer:patron"]}}


@pytest.mark.parametrize(("kind", "value"), [("red", 4), ("white", 9), ("blush", 4), ("sparkling", 7)])
def test_judge_takes_any_wine_from_four_up(kind, value):
    game = winter("judge", structures=CELLARS, wines={kind: [value]})
    assert play(game, "judge", "option:2", f"wine:{kind}:{value}") == {0: {"vp": 3, "wines": {kind: []}}}


def test_judge_offers_no_wine_below_four():
    game = winter("judge", structures=MEDIUM, wines={"red": [3, 4], "white": [1, 6]})
    assert offered(game, "judge", "option:2") == {"wine:red:4", "wine:white:6"}


def test_judge_draws_on_after_the_discards_became_the_deck():
    """Ruling 8.1: the Patron is the last card of the deck, the Banker the only discard."""
    others = [{"summer": all_summer_visitors("patron", "banker")}]
    game = winter("judge", others=others, discards={"summer": ["banker"]})
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:banker", "summer:patron"]}}
    assert pile(game, "summer") == []


def test_judge_draws_what_there_is():
    """Ruling 8.2: with one card left and no discards the second draw gives nothing."""
    game = winter("judge", others=[{"summer": all_summer_visitors("patron")}])
    assert play(game, "judge", "option:1") == {0: {"gained": ["summer:patron"]}}


def test_judge_with_a_three_offers_only_the_cards():
    assert branches(winter("judge", structures=MEDIUM, wines={"red": [3]}), "judge") == [1]


# ---- Laborer

LABORER_GRAPES = {"red": [1, 2], "white": [1, 2]}
THREE_WINES = ("make:red", "grape:red:1", "make:red", "grape:red:2", "make:white", "grape:white:1")


@pytest.mark.parametrize(("fields", "reds"), [(["field:5"], [3]), (["field:5", "field:7"], [3, 4])])
def test_laborer_harvests_one_or_two_fields(fields, reds):
    game = winter("laborer", fields={5: ["merlot"], 6: ["pinot"], 7: ["cabernet_sauvignon"]})
    done = ["done"] if len(fields) == 1 else []
    assert play(game, "laborer", "option:1", *fields, *done, "done") == {
        0: {"harvested": [int(name[-1]) for name in fields], "grapes": {"red": reds}}
    }


def test_laborer_makes_three_wines_and_no_fourth():
    game = winter("laborer", grapes=LABORER_GRAPES)
    assert play(game, "laborer", "option:2", *THREE_WINES) == {
        0: {"grapes": {"red": [], "white": [2]}, "wines": {"red": [1, 2], "white": [1]}}
    }


def test_laborer_harvests_then_makes_wine_of_the_harvest_for_a_point():
    """Ruling 3.4: the second part is judged after the first."""
    game = winter("laborer", vp=1, fields={5: ["merlot"]})
    assert branches(game, "laborer") == [1]
    assert play(game, "laborer", "option:1", "field:5", "option:2", "make:red", "grape:red:3") == {
        0: {"vp": -1, "harvested": [5], "wines": {"red": [3]}}
    }


def test_laborer_makes_wine_then_harvests_for_a_point():
    """The wine frees the slot of the 3, so the harvest is not lowered."""
    game = winter("laborer", grapes={"red": [3]}, fields={5: ["merlot"]})
    assert play(game, "laborer", "option:2", "make:red", "grape:red:3", "option:1", "field:5") == {
        0: {"vp": -1, "harvested": [5], "wines": {"red": [3]}}
    }


@pytest.mark.parametrize(("points", "cost"), [(-4, -1), (5, -1)])
def test_laborer_may_do_both_from_minus_four(points, cost):
    game = winter("laborer", vp=points, fields={5: ["merlot"]})
    assert play(game, "laborer", "option:1", "field:5", "option:2", "make:red", "grape:red:3")[0]["vp"] == cost


def test_laborer_cannot_do_both_at_minus_five():
    """Rulings 2.1 and 3.17: there is no second part to ask about."""
    game = winter("laborer", vp=-5, fields={5: ["merlot"]})
    assert play(game, "laborer", "option:1", "field:5") == {0: {"harvested": [5], "grapes": {"red": [3]}}}


def test_laborer_may_stop_after_one_part_at_no_cost():
    game = winter("laborer", fields={5: ["merlot"]}, grapes={"white": [2]})
    assert offered(game, "laborer", "option:1", "field:5") == {"option:2", "done"}
    assert play(game, "laborer", "option:1", "field:5", "done") == {0: {"harvested": [5], "grapes": {"red": [3]}}}


def test_laborer_is_not_asked_for_a_second_part_that_is_impossible():
    """The harvested 1 finds its cellar slot taken."""
    game = winter("laborer", fields={5: ["sangiovese"]}, wines={"red": [1]})
    assert play(game, "laborer", "option:1", "field:5") == {0: {"harvested": [5], "grapes": {"red": [1]}}}


def test_laborer_needs_one_possible_part():
    assert playable(winter("laborer")) == set()
    assert branches(winter("laborer", grapes={"red": [1]}), "laborer") == [2]
