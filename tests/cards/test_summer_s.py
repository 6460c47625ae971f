"""Sharecropper, Sponsor, Stonemason, Surveyor, Swindler."""

import pytest

from .table import (
    STRUCTURES,
    all_but,
    asked,
    begin,
    mats,
    me,
    offered,
    pile,
    play,
    playable,
    question,
    table,
)

# ---- Sharecropper: plant without structures, or uproot and discard one vine for 2 VP


@pytest.mark.parametrize("vine", ["pinot", "merlot", "cabernet_sauvignon", "malvasia"])
def test_sharecropper_plants_without_structures(vine):
    """Rulebook, Examples and clarifications."""
    game = table("sharecropper", vine=[vine])
    assert play(game, "sharecropper", "option:1", f"card:vine:{vine}", "field:5") == {
        0: {"lost": [f"vine:{vine}"], "fields": {5: [vine]}}
    }


def test_sharecropper_planting_keeps_the_field_limit():
    fields = {5: ["syrah"], 6: ["syrah"], 7: ["cabernet_sauvignon"]}
    game = table("sharecropper", vine=["chardonnay"], fields=fields)
    assert offered(game, "sharecropper", "option:1", "card:vine:chardonnay") == {"field:6"}


def test_sharecropper_plants_one_vine_only():
    game = table("sharecropper", vine=["pinot", "pinot"])
    play(game, "sharecropper", "option:1", "card:vine:pinot", "field:5")
    assert (game.seat, game.decision) == (1, "place_worker")


def test_sharecropper_planting_scores_the_windmill():
    game = table("sharecropper", vine=["merlot"], structures=["windmill"])
    assert play(game, "sharecropper", "option:1", "card:vine:merlot", "field:5")[0]["vp"] == 1


def test_sharecropper_gives_up_a_planted_vine_for_two_points():
    game = table("sharecropper", fields={5: ["malvasia", "syrah"]})
    assert play(game, "sharecropper", "option:2", "field:5", "card:vine:syrah", "card:vine:syrah") == {
        0: {"vp": 2, "fields": {5: ["malvasia"]}}
    }
    assert pile(game, "vine") == ["syrah"]


def test_sharecropper_may_discard_another_vine():
    """Rulebook, Examples and clarifications."""
    game = table("sharecropper", vine=["merlot"], fields={5: ["syrah"]})
    assert play(game, "sharecropper", "option:2", "field:5", "card:vine:syrah", "card:vine:merlot") == {
        0: {"vp": 2, "fields": {5: []}, "gained": ["vine:syrah"], "lost": ["vine:merlot"]}
    }


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, set()),
        ({"vine": ["pinot"], "sold": [5, 6, 7]}, set()),
        ({"vine": ["pinot"]}, {"option:1"}),
        ({"fields": {5: ["pinot"]}}, {"option:2"}),
        ({"fields": {5: ["cabernet_sauvignon"]}, "vine": ["pinot"], "sold": [6, 7]}, {"option:2"}),
    ],
)
def test_sharecropper_offers_only_branches_that_can_be_done(seat, options):
    assert offered(table("sharecropper", **seat), "sharecropper") == options


# ---- Sponsor: 2 vine cards, or 3 lira, or both for 1 VP

TWO_VINES = {"vine": ["merlot", "malvasia"]}


def test_sponsor_draws_two_vines():
    game = table("sponsor", draws=TWO_VINES)
    assert play(game, "sponsor", "option:1", "done") == {0: {"gained": ["vine:malvasia", "vine:merlot"]}}


def test_sponsor_takes_three_lira():
    game = table("sponsor")
    assert play(game, "sponsor", "option:2", "done") == {0: {"lira": 3}}


@pytest.mark.parametrize(("first", "second"), [("option:1", "option:2"), ("option:2", "option:1")])
def test_sponsor_both_cost_one_point(first, second):
    game = table("sponsor", draws=TWO_VINES)
    assert play(game, "sponsor", first, second) == {
        0: {"lira": 3, "vp": -1, "gained": ["vine:malvasia", "vine:merlot"]}
    }
    assert (game.seat, game.decision) == (1, "place_worker")


def test_sponsor_decides_about_the_second_half_after_the_first():
    """Ruling 3.17."""
    game = table("sponsor", draws=TWO_VINES)
    assert offered(game, "sponsor") == {"option:1", "option:2"}
    assert offered(game, "sponsor", "option:1") == {"option:2", "done"}
    assert offered(game, "sponsor", "option:2") == {"option:1", "done"}


def test_sponsor_both_may_take_the_last_point_above_the_floor():
    game = table("sponsor", vp=-4, draws=TWO_VINES)
    assert play(game, "sponsor", "option:2", "option:1")[0]["vp"] == -1


def test_sponsor_both_refused_at_the_floor():
    """Ruling 2.1."""
    game = table("sponsor", vp=-5)
    assert play(game, "sponsor", "option:2") == {0: {"lira": 3}}
    assert (game.seat, game.decision) == (1, "place_worker")


# ---- Stonemason: 8 lira for any two structures


def test_stonemason_builds_two_structures_for_eight_lira():
    game = table("stonemason", lira=8)
    assert play(game, "stonemason", "structure:windmill", "structure:tasting_room") == {
        0: {"lira": -8, "built": ["tasting_room", "windmill"]}
    }


def test_stonemason_price_is_the_same_for_cheap_structures():
    game = table("stonemason", lira=10)
    assert play(game, "stonemason", "structure:trellis", "structure:yoke") == {
        0: {"lira": -8, "built": ["trellis", "yoke"]}
    }


def test_stonemason_builds_medium_then_large_cellar():
    """Single cards, Stonemason: a legal pair."""
    game = table("stonemason", lira=8)
    assert play(game, "stonemason", "structure:medium_cellar", "structure:large_cellar") == {
        0: {"lira": -8, "built": ["large_cellar", "medium_cellar"]}
    }


def test_stonemason_large_cellar_needs_the_medium_cellar_first():
    game = table("stonemason", lira=8)
    assert "structure:large_cellar" not in offered(game, "stonemason")
    assert "structure:large_cellar" not in offered(game, "stonemason", "structure:cottage")
    assert "structure:large_cellar" in offered(game, "stonemason", "structure:medium_cellar")


def test_stonemason_must_build_two():
    game = table("stonemason", lira=8)
    assert "done" not in offered(game, "stonemason", "structure:trellis")
    play(game, "stonemason", "structure:trellis", "structure:irrigation")
    assert (game.seat, game.decision) == (1, "place_worker")


@pytest.mark.parametrize(
    ("lira", "structures", "cards"),
    [
        (7, [], set()),
        (8, [], {"stonemason"}),
        (8, STRUCTURES, set()),
        (8, all_but("yoke"), set()),
        (8, all_but("large_cellar"), set()),
        (8, all_but("yoke", "large_cellar"), {"stonemason"}),
        (8, all_but("medium_cellar", "large_cellar"), {"stonemason"}),
    ],
)
def test_stonemason_needs_eight_lira_and_two_structures(lira, structures, cards):
    assert playable(table("stonemason", lira=lira, structures=structures)) == cards


def test_stonemason_leaves_no_first_structure_that_ends_blind():
    game = table("stonemason", lira=8, structures=all_but("medium_cellar", "large_cellar"))
    assert offered(game, "stonemason") == {"structure:medium_cellar"}
    assert offered(game, "stonemason", "structure:medium_cellar") == {"structure:large_cellar"}


# ---- Surveyor: 2 lira for each empty field, or 1 VP for each planted field

ONE = {5: ["pinot"]}
TWO = ONE | {6: ["syrah", "syrah"]}
THREE = TWO | {7: ["merlot"]}


@pytest.mark.parametrize(
    ("fields", "sold", "lira"),
    [
        ({}, [], 6),
        (ONE, [], 4),
        (TWO, [], 2),
        (THREE, [], 0),
        ({}, [6], 4),
        (ONE, [6], 2),
        (ONE, [6, 7], 0),
        ({}, [5, 6, 7], 0),
    ],
)
def test_surveyor_pays_two_lira_for_each_owned_empty_field(fields, sold, lira):
    """A sold field does not count; ruling 2.12: a branch that yields nothing is open."""
    game = table("surveyor", fields=fields, sold=sold)
    assert play(game, "surveyor", "option:1") == ({0: {"lira": lira}} if lira else {})


@pytest.mark.parametrize(("fields", "sold", "points"), [({}, [], 0), (ONE, [6, 7], 1), (TWO, [7], 2), (THREE, [], 3)])
def test_surveyor_scores_each_planted_field(fields, sold, points):
    game = table("surveyor", fields=fields, sold=sold)
    assert play(game, "surveyor", "option:2") == ({0: {"vp": points}} if points else {})


# ---- Swindler: 2 lira or 1 VP from each opponent


def test_swindler_takes_two_lira_of_an_opponent_who_pays():
    game = table("swindler", others=[{"lira": 2}])
    assert play(game, "swindler", "yes") == {0: {"lira": 2}, 1: {"lira": -2}}


def test_swindler_scores_one_for_an_opponent_who_keeps_the_money():
    game = table("swindler", others=[{"lira": 2}])
    assert play(game, "swindler", "no") == {0: {"vp": 1}}


def test_swindler_scores_without_asking_who_cannot_pay():
    game = table("swindler", others=[{"lira": 1}, {"lira": 0}])
    assert play(game, "swindler") == {0: {"vp": 2}}
    assert (game.seat, game.decision) == (1, "place_worker")


def test_swindler_opponents_decide_apart():
    game = table("swindler", others=[{"lira": 5}, {"lira": 1}, {"lira": 3}])
    assert play(game, "swindler", "yes", "no") == {0: {"lira": 2, "vp": 2}, 1: {"lira": -2}}


def test_swindler_asks_in_wake_up_order_passed_players_too():
    """Rulings 3.13 and 3.14."""
    rows = [{"row": 6, "lira": 2}, {"row": 2, "lira": 2, "passed": True}, {"row": 5, "lira": 2}]
    game = table("swindler", row=4, others=rows)
    begin(game, "swindler")
    assert question(game) == (2, "offer", {"yes", "no"})
    assert asked(game, "offer", "yes") == [2, 3, 1]
    assert [seat["lira"] for seat in mats(game)] == [6, 0, 0, 0]
    assert me(game)["vp"] == 0


def test_swindler_is_over_after_the_last_answer():
    game = table("swindler", others=[{"lira": 2}])
    play(game, "swindler", "no")
    assert (game.seat, game.decision) == (1, "place_worker")
