"""Handyman, Homesteader, Horticulturist, Importer."""

import pytest
from table import (
    COST,
    STRUCTURES,
    all_but,
    answer,
    asked,
    begin,
    legal,
    mats,
    me,
    needs,
    offered,
    play,
    playable,
    question,
    table,
)

# ---- Handyman: everybody may build for 2 less; 1 VP for each opponent who does


def test_handyman_own_build_brings_no_point():
    game = table("handyman", lira=3, others=[{"structures": STRUCTURES}])
    assert play(game, "handyman", "yes", "structure:windmill") == {0: {"lira": -3, "built": ["windmill"]}}


def test_handyman_opponent_builds_and_brings_a_point():
    game = table("handyman", structures=STRUCTURES, others=[{"lira": 4}])
    assert play(game, "handyman", "yes", "structure:tasting_room") == {
        0: {"vp": 1},
        1: {"lira": -4, "built": ["tasting_room"]},
    }


def test_handyman_everybody_may_decline():
    assert play(table("handyman", others=[{}, {}]), "handyman", "no", "no", "no") == {}


def test_handyman_two_opponents_bring_two_points():
    game = table("handyman", others=[{}, {}])
    assert play(game, "handyman", "no", "yes", "structure:yoke", "yes", "structure:trellis") == {
        0: {"vp": 2},
        1: {"built": ["yoke"]},
        2: {"built": ["trellis"]},
    }


def test_handyman_asks_in_wake_up_order_the_player_at_the_own_place():
    """Ruling 3.13."""
    game = table("handyman", row=4, others=[{"row": 6}, {"row": 2}, {"row": 5}])
    begin(game, "handyman")
    assert asked(game, "offer", "no") == [2, 0, 3, 1]


def test_handyman_asks_players_who_passed():
    """Ruling 3.14."""
    game = table("handyman", others=[{"passed": True}])
    begin(game, "handyman")
    assert asked(game, "offer", "no") == [0, 1]


@pytest.mark.parametrize("structure", STRUCTURES)
def test_handyman_takes_two_off_the_price(structure):
    price = COST[structure] - 2
    idle = {"structures": STRUCTURES}
    game = table("handyman", lira=price, structures=needs(structure), others=[idle])
    expected = {"built": [structure]} | ({"lira": -price} if price else {})
    assert play(game, "handyman", "yes", f"structure:{structure}") == {0: expected}


@pytest.mark.parametrize("structure", [name for name in STRUCTURES if COST[name] > 2])
def test_handyman_needs_the_reduced_price(structure):
    game = table("handyman", lira=COST[structure] - 3, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "handyman", "yes")
    assert "structure:yoke" in offered(game, "handyman", "yes")


def test_handyman_does_not_ask_who_cannot_build():
    poor = {"lira": 0, "structures": ["trellis", "yoke"]}
    game = table("handyman", others=[poor, {"lira": 1, "structures": ["trellis", "yoke"]}, {"structures": STRUCTURES}])
    begin(game, "handyman")
    assert asked(game, "offer", "no") == [0, 2]


def test_handyman_playable_for_an_opponent_alone():
    game = table("handyman", structures=STRUCTURES, others=[{"lira": 0}])
    assert playable(game) == {"handyman"}


def test_handyman_refused_when_nobody_can_build():
    game = table("handyman", structures=["trellis", "yoke"], others=[{"structures": STRUCTURES, "lira": 9}])
    assert playable(game) == set()


# ---- Homesteader: build for 3 less, or plant one or two vines, or both for 1 VP


@pytest.mark.parametrize("structure", STRUCTURES)
def test_homesteader_builds_for_three_less(structure):
    price = max(COST[structure] - 3, 0)
    game = table("homesteader", lira=price, structures=needs(structure))
    expected = {"built": [structure]} | ({"lira": -price} if price else {})
    assert play(game, "homesteader", "option:1", f"structure:{structure}") == {0: expected}


@pytest.mark.parametrize("structure", [name for name in STRUCTURES if COST[name] > 3])
def test_homesteader_needs_the_reduced_price(structure):
    game = table("homesteader", lira=COST[structure] - 4, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "homesteader", "option:1")


def test_homesteader_plants_one_vine_and_stops():
    game = table("homesteader", vine=["malvasia", "malvasia"])
    answers = ["option:2", "card:vine:malvasia", "field:5", "done", "done"]
    assert play(game, "homesteader", *answers) == {0: {"lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}}


def test_homesteader_plants_two_vines_and_no_third():
    game = table("homesteader", structures=STRUCTURES, vine=["malvasia", "malvasia", "malvasia"])
    answers = ["option:2", "card:vine:malvasia", "field:5", "card:vine:malvasia", "field:6"]
    change = play(game, "homesteader", *answers)[0]
    assert change["fields"] == {5: ["malvasia"], 6: ["malvasia"]}
    assert change["vp"] == 1  # the windmill, once
    assert (game.seat, game.decision) == (1, "place_worker")


def test_homesteader_build_then_plant_costs_one_point():
    game = table("homesteader", lira=1, vine=["malvasia"])
    answers = ["option:1", "structure:cottage", "option:2", "card:vine:malvasia", "field:5"]
    assert play(game, "homesteader", *answers) == {
        0: {"lira": -1, "vp": -1, "built": ["cottage"], "lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}
    }


def test_homesteader_plant_two_then_build_costs_one_point():
    """Ruling 3.4: either order."""
    game = table("homesteader", lira=1, vine=["malvasia", "malvasia"])
    answers = ["option:2", "card:vine:malvasia", "field:5", "card:vine:malvasia", "field:5"]
    assert play(game, "homesteader", *answers, "option:1", "structure:cottage") == {
        0: {
            "lira": -1,
            "vp": -1,
            "built": ["cottage"],
            "lost": ["vine:malvasia", "vine:malvasia"],
            "fields": {5: ["malvasia", "malvasia"]},
        }
    }


def test_homesteader_decides_about_the_second_part_after_the_first():
    """Ruling 3.17."""
    game = table("homesteader", vine=["malvasia"])
    assert offered(game, "homesteader", "option:1", "structure:trellis") == {"option:2", "done"}
    assert play(game, "homesteader", "option:1", "structure:trellis", "done") == {0: {"built": ["trellis"]}}


def test_homesteader_trellis_makes_its_own_planting_possible():
    game = table("homesteader", vine=["pinot"])
    assert offered(game, "homesteader") == {"option:1"}
    play(game, "homesteader", "option:1", "structure:trellis", "option:2", "card:vine:pinot", "field:7")
    assert me(game)["fields"][7] == ["pinot"]
    assert me(game)["vp"] == -1


def test_homesteader_asks_for_no_second_part_that_is_impossible():
    game = table("homesteader", vine=["pinot"])
    assert play(game, "homesteader", "option:1", "structure:yoke") == {0: {"built": ["yoke"]}}
    assert (game.seat, game.decision) == (1, "place_worker")


@pytest.mark.parametrize(("vp", "second"), [(-4, True), (-5, False)])
def test_homesteader_second_part_needs_the_point(vp, second):
    """Rulings 2.1 and 3.17: the point must be payable at the second part."""
    game = table("homesteader", vp=vp, vine=["malvasia"])
    begin(game, "homesteader", "option:1", "structure:yoke")
    assert ("option:2" in legal(game)) is second


def test_homesteader_windmill_point_may_pay_for_the_second_part():
    """Ruling 3.17: the point is due only then."""
    game = table("homesteader", vp=-5, vine=["malvasia"], structures=["windmill"])
    answers = ["option:2", "card:vine:malvasia", "field:5", "option:1", "structure:yoke"]
    play(game, "homesteader", *answers)
    assert me(game)["vp"] == -5
    assert me(game)["structures"] == ["windmill", "yoke"]


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, {"option:1"}),
        ({"vine": ["malvasia"]}, {"option:1", "option:2"}),
        ({"vine": ["malvasia"], "structures": STRUCTURES}, {"option:2"}),
        ({"structures": STRUCTURES, "lira": 9}, set()),
        ({"structures": all_but("windmill"), "lira": 1}, set()),
        ({"structures": all_but("windmill"), "lira": 2}, {"option:1"}),
    ],
)
def test_homesteader_offers_only_branches_that_can_be_done(seat, options):
    assert offered(table("homesteader", **seat), "homesteader") == options


# ---- Horticulturist: plant without structures, or uproot and discard two vines for 3 VP


@pytest.mark.parametrize("vine", ["pinot", "merlot", "cabernet_sauvignon"])
def test_horticulturist_plants_without_structures(vine):
    game = table("horticulturist", vine=[vine])
    assert play(game, "horticulturist", "option:1", f"card:vine:{vine}", "field:5") == {
        0: {"lost": [f"vine:{vine}"], "fields": {5: [vine]}}
    }


def test_horticulturist_planting_keeps_the_field_limit():
    game = table("horticulturist", vine=["chardonnay"], fields={5: ["syrah"], 6: ["syrah"], 7: ["cabernet_sauvignon"]})
    assert offered(game, "horticulturist", "option:1", "card:vine:chardonnay") == {"field:6"}


def test_horticulturist_planting_scores_the_windmill():
    game = table("horticulturist", vine=["merlot"], structures=["windmill"])
    assert play(game, "horticulturist", "option:1", "card:vine:merlot", "field:5")[0]["vp"] == 1


def test_horticulturist_gives_up_two_vines_of_two_fields():
    game = table("horticulturist", fields={5: ["malvasia"], 7: ["pinot", "syrah"]})
    answers = ["field:5", "card:vine:malvasia", "field:7", "card:vine:syrah", "card:vine:malvasia", "card:vine:syrah"]
    assert play(game, "horticulturist", "option:2", *answers) == {0: {"vp": 3, "fields": {5: [], 7: ["pinot"]}}}


def test_horticulturist_gives_up_two_vines_of_one_field():
    game = table("horticulturist", fields={7: ["pinot", "pinot"]})
    answers = ["field:7", "card:vine:pinot", "field:7", "card:vine:pinot", "card:vine:pinot", "card:vine:pinot"]
    assert play(game, "horticulturist", "option:2", *answers) == {0: {"vp": 3, "fields": {7: []}}}


def test_horticulturist_may_discard_other_vines():
    """Single cards, Sharecropper and Horticulturist: any vine cards in hand."""
    game = table("horticulturist", vine=["sangiovese", "malvasia"], fields={7: ["pinot", "syrah"]})
    answers = ["field:7", "card:vine:pinot", "field:7", "card:vine:syrah"]
    assert play(game, "horticulturist", "option:2", *answers, "card:vine:sangiovese", "card:vine:malvasia") == {
        0: {
            "vp": 3,
            "fields": {7: []},
            "gained": ["vine:pinot", "vine:syrah"],
            "lost": ["vine:malvasia", "vine:sangiovese"],
        }
    }


def test_horticulturist_uproots_each_pair_in_one_order_only():
    game = table("horticulturist", fields={5: ["malvasia"], 6: ["pinot"], 7: ["pinot", "syrah"]})
    assert offered(game, "horticulturist", "option:2") == {"field:5", "field:6", "field:7"}
    assert offered(game, "horticulturist", "option:2", "field:6", "card:vine:pinot") == {"field:7"}
    # A first vine after which no second one is left is not offered.
    assert offered(game, "horticulturist", "option:2", "field:7") == {"card:vine:pinot"}


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, set()),
        ({"fields": {5: ["pinot"]}}, set()),
        ({"fields": {5: ["pinot", "pinot"]}}, {"option:2"}),
        ({"fields": {5: ["pinot"], 6: ["pinot"]}}, {"option:2"}),
        ({"vine": ["pinot"], "sold": [5, 6, 7]}, set()),
        ({"vine": ["pinot"], "fields": {5: ["pinot"]}}, {"option:1"}),
    ],
)
def test_horticulturist_offers_only_branches_that_can_be_done(seat, options):
    assert offered(table("horticulturist", **seat), "horticulturist") == options


# ---- Importer: 3 winter visitors, unless the opponents together give 3 visitors

DRAWS = {"winter": ["merchant", "crusher", "judge"]}
DRAWN = ["winter:crusher", "winter:judge", "winter:merchant"]


def importer(*others, **seat0):
    return table("importer", others=others, draws=DRAWS, **seat0)


@pytest.mark.parametrize(
    "others", [[{}], [{"summer": ["broker", "buyer"]}], [{"summer": ["broker"]}, {"winter": ["queen"]}]]
)
def test_importer_draws_three_when_opponents_hold_too_few(others):
    """Section 6: no question where the opponents cannot gather three."""
    assert play(importer(*others), "importer") == {0: {"gained": DRAWN}}


def test_importer_does_not_count_vines_and_orders_of_opponents():
    game = importer({"vine": ["pinot"], "order": ["order_01"], "summer": ["broker", "buyer"]})
    assert play(game, "importer") == {0: {"gained": DRAWN}}


def test_importer_draws_three_when_opponents_decline():
    game = importer({"summer": ["broker", "buyer", "grower"]})
    assert play(game, "importer", "done") == {0: {"gained": DRAWN}}


def test_importer_takes_three_visitors_instead_of_drawing():
    game = importer({"summer": ["broker", "grower"], "winter": ["queen"]})
    given = ["summer:broker", "summer:grower", "winter:queen"]
    assert play(game, "importer", *(f"card:{card}" for card in given)) == {
        0: {"gained": given},
        1: {"lost": given},
    }


def test_importer_takes_three_visitors_of_two_opponents():
    game = importer({"summer": ["broker", "buyer", "grower"]}, {"winter": ["oenologist", "queen", "noble"]})
    answers = ["card:summer:broker", "done", "card:winter:oenologist", "card:winter:queen"]
    assert play(game, "importer", *answers) == {
        0: {"gained": ["summer:broker", "winter:oenologist", "winter:queen"]},
        1: {"lost": ["summer:broker"]},
        2: {"lost": ["winter:oenologist", "winter:queen"]},
    }


def test_importer_offers_that_fall_short_are_taken_back():
    game = importer({"summer": ["broker", "buyer", "grower"]}, {"winter": ["oenologist", "queen", "noble"]})
    answers = ["card:summer:broker", "card:summer:buyer", "done", "done"]
    assert play(game, "importer", *answers) == {0: {"gained": DRAWN}}


def test_importer_asks_in_wake_up_order_passed_players_too():
    visitors = [["broker", "buyer", "grower"], ["planter", "peddler", "patron"], ["sponsor", "artisan", "vendor"]]
    rows = [6, 2, 5]
    others = [{"row": row, "summer": hand, "passed": row == 2} for row, hand in zip(rows, visitors, strict=True)]
    game = importer(*others, row=4)
    begin(game, "importer")
    assert asked(game, "import_card", "done") == [2, 3, 1]


def test_importer_stops_asking_when_three_are_together():
    game = importer({"summer": ["broker", "buyer", "grower", "patron"]}, {"winter": ["oenologist", "queen", "noble"]})
    play(game, "importer", "card:summer:broker", "card:summer:buyer", "card:summer:patron")
    assert game.decision == "place_worker"
    assert mats(game)[1]["hand"] == ["summer:grower"]
    assert len(mats(game)[0]["hand"]) == 3


def test_importer_takes_no_more_than_is_missing():
    game = importer({"summer": ["broker", "buyer", "grower"]}, {"winter": ["oenologist", "queen", "noble"]})
    begin(game, "importer", "card:summer:broker", "card:summer:buyer", "done")
    assert question(game)[:2] == (2, "import_card")
    answer(game, "card:winter:queen")
    assert game.decision == "place_worker"
    assert me(game)["hand"] == ["summer:broker", "summer:buyer", "winter:queen"]


def test_importer_offers_only_visitors_and_never_forces():
    game = importer({"vine": ["pinot"], "order": ["order_01"], "summer": ["broker", "buyer"], "winter": ["queen"]})
    begin(game, "importer")
    seat, decision, choices = question(game)
    assert (seat, decision) == (1, "import_card")
    assert "done" in choices
    assert "card:summer:broker" in choices
    assert not any(name.startswith(("card:vine", "card:order")) for name in choices)
