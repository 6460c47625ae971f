"""Tour Guide, Uncertified Architect, Uncertified Broker."""

import pytest

from .table import STRUCTURES, all_but, legal, needs, offered, play, playable, table, to_winter

# ---- Tour Guide: 4 lira, or harvest one field


def test_tour_guide_takes_four_lira():
    assert play(table("tour_guide"), "tour_guide", "option:1") == {0: {"lira": 4}}


def test_tour_guide_is_no_tour_for_the_tasting_room():
    """Single cards: not the tour action."""
    game = table("tour_guide", structures=["tasting_room"], wines={"red": [1]})
    assert play(game, "tour_guide", "option:1") == {0: {"lira": 4}}


def test_tour_guide_harvests_a_field():
    game = table("tour_guide", fields={5: ["pinot", "trebbiano"]})
    assert play(game, "tour_guide", "option:2", "field:5") == {
        0: {"grapes": {"red": [1], "white": [3]}, "harvested": [5]}
    }


def test_tour_guide_harvests_one_field_only():
    game = table("tour_guide", fields={5: ["sangiovese"], 6: ["malvasia"]})
    assert offered(game, "tour_guide", "option:2") == {"field:5", "field:6"}
    play(game, "tour_guide", "option:2", "field:6")
    assert (game.seat, game.decision) == (1, "place_worker")


def test_tour_guide_harvest_is_devalued_to_the_next_free_slot():
    """Rulebook, Harvesting fields, note 2."""
    game = table("tour_guide", fields={5: ["merlot"]}, grapes={"red": [2, 3]})
    assert play(game, "tour_guide", "option:2", "field:5") == {0: {"grapes": {"red": [1, 2, 3]}, "harvested": [5]}}


def test_tour_guide_harvest_without_a_free_slot_is_lost():
    """Ruling 7.8: the field is harvested all the same."""
    game = table("tour_guide", fields={5: ["syrah"]}, grapes={"red": [1, 2]})
    assert play(game, "tour_guide", "option:2", "field:5") == {0: {"harvested": [5]}}


def test_tour_guide_harvested_field_stays_harvested_in_winter():
    game = table("tour_guide", fields={5: ["sangiovese"], 6: ["malvasia"]})
    play(game, "tour_guide", "option:2", "field:6")
    to_winter(game)
    game.step("place:harvest_field:plain:regular")
    assert legal(game) == {"field:5"}


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, {"option:1"}),
        ({"fields": {5: ["pinot"]}, "harvested": [5]}, {"option:1"}),
        ({"fields": {5: ["pinot"], 6: ["pinot"]}, "harvested": [5]}, {"option:1", "option:2"}),
    ],
)
def test_tour_guide_harvest_needs_an_unharvested_vine(seat, options):
    assert offered(table("tour_guide", **seat), "tour_guide") == options


# ---- Uncertified Architect: 1 VP for a structure of cost 2 or 3, or 2 VP for any structure


@pytest.mark.parametrize("structure", ["trellis", "irrigation", "yoke"])
def test_uncertified_architect_builds_a_cheap_structure_for_one_point(structure):
    game = table("uncertified_architect", lira=5)
    assert play(game, "uncertified_architect", "option:1", f"structure:{structure}") == {
        0: {"vp": -1, "built": [structure]}
    }


def test_uncertified_architect_first_branch_builds_nothing_dearer():
    game = table("uncertified_architect", lira=9, structures=["medium_cellar"])
    assert offered(game, "uncertified_architect", "option:1") == {
        "structure:trellis",
        "structure:irrigation",
        "structure:yoke",
    }


@pytest.mark.parametrize("structure", STRUCTURES)
def test_uncertified_architect_builds_anything_for_two_points(structure):
    game = table("uncertified_architect", structures=needs(structure))
    assert play(game, "uncertified_architect", "option:2", f"structure:{structure}") == {
        0: {"vp": -2, "built": [structure]}
    }


def test_uncertified_architect_large_cellar_needs_the_medium_cellar():
    game = table("uncertified_architect")
    assert "structure:large_cellar" not in offered(game, "uncertified_architect", "option:2")


@pytest.mark.parametrize(
    ("vp", "structures", "options"),
    [
        (-3, [], {"option:1", "option:2"}),
        (-4, [], {"option:1"}),
        (-5, [], set()),
        (0, ["trellis", "irrigation", "yoke"], {"option:2"}),
        (-4, ["trellis", "irrigation", "yoke"], set()),
        (0, STRUCTURES, set()),
        (0, all_but("irrigation"), {"option:1", "option:2"}),
    ],
)
def test_uncertified_architect_offers_only_branches_that_fit(vp, structures, options):
    """Ruling 2.1 for the points."""
    assert offered(table("uncertified_architect", vp=vp, structures=structures), "uncertified_architect") == options


@pytest.mark.parametrize(("vp", "answers"), [(-4, ["option:1"]), (-3, ["option:2"])])
def test_uncertified_architect_may_go_down_to_the_floor(vp, answers):
    game = table("uncertified_architect", vp=vp)
    assert play(game, "uncertified_architect", *answers, "structure:yoke") == {0: {"vp": -5 - vp, "built": ["yoke"]}}


# ---- Uncertified Broker: 3 VP for 9 lira, or 6 lira for 2 VP


@pytest.mark.parametrize("vp", [-2, 0, 20])
def test_uncertified_broker_sells_three_points_for_nine_lira(vp):
    game = table("uncertified_broker", vp=vp)
    assert play(game, "uncertified_broker", "option:1") == {0: {"vp": -3, "lira": 9}}


@pytest.mark.parametrize("lira", [6, 30])
def test_uncertified_broker_buys_two_points_for_six_lira(lira):
    game = table("uncertified_broker", lira=lira)
    assert play(game, "uncertified_broker", "option:2") == {0: {"vp": 2, "lira": -6}}


@pytest.mark.parametrize(
    ("lira", "vp", "options"),
    [
        (5, -2, {"option:1"}),
        (6, -2, {"option:1", "option:2"}),
        (6, -3, {"option:2"}),
        (5, -3, set()),
        (0, -5, set()),
    ],
)
def test_uncertified_broker_offers_only_trades_that_fit(lira, vp, options):
    """Ruling 2.1: the whole loss must fit above -5."""
    assert offered(table("uncertified_broker", lira=lira, vp=vp), "uncertified_broker") == options


def test_uncertified_broker_alone_and_unplayable_closes_the_action():
    """Ruling 1.6."""
    game = table("uncertified_broker", lira=5, vp=-3)
    assert playable(game) == set()
    assert "place:play_summer_visitor:plain:regular" not in legal(game)
