"""Horticulturist, Importer."""

import pytest

from .table import (
    answer,
    asked,
    begin,
    mats,
    me,
    offered,
    play,
    question,
    table,
)

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
