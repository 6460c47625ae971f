"""Harvesting: sums by colour, one token each, lower slots when taken, lost grapes, once a year."""

import pytest

from tests.table.facts import at, place, placements, play, run_to_year_end, seat, settle, workers

from .positions import fields, start

NOBODY = {"workers": workers(0, 0)}


@pytest.mark.parametrize(
    "vines, red, white",
    [
        (["sangiovese"], [1], []),
        (["malvasia"], [], [1]),
        (["pinot"], [1], [1]),
        (["pinot", "pinot", "pinot"], [3], [3]),
        (["sangiovese", "syrah", "merlot"], [6], []),
        (["merlot", "cabernet_sauvignon"], [7], []),
        (["chardonnay", "sauvignon_blanc"], [], [7]),
        (["cabernet_sauvignon", "trebbiano"], [4], [2]),
        (["syrah", "pinot", "sauvignon_blanc"], [3], [4]),
    ],
)
def test_yield_of_a_field(vines, red, white):
    """Essential, Harvesting fields: all red values make one token, all white values another; the vines stay."""
    game = start(2, "winter", {"fields": fields((), (), vines)})
    play(game, place("harvest_field"))
    assert (game.decision, game.legal_actions()) == ("harvest_field", ["field:7"])
    play(game, "field:7")
    own = seat(game, 0)
    assert own["crush_pad"] == {"red": red, "white": white}
    assert sorted(own["fields"][2]["vines"]) == sorted(vines)
    assert own["fields"][2]["harvested"]
    assert game.seat == 1


def test_fields_are_harvested_one_by_one():
    """Essential, Harvest one field: grapes of different fields are never added up."""
    game = start(3, "winter", {"fields": fields(["syrah"], ["syrah"])})
    play(game, place("harvest_field", "bonus"), "field:5", "field:6")
    settle(game)
    assert seat(game, 0)["crush_pad"] == {"red": [1, 2], "white": []}


@pytest.mark.parametrize(
    "before, after",
    [
        ([4], [3, 4]),
        ([3, 4], [2, 3, 4]),
        ([2, 3, 4], [1, 2, 3, 4]),
        ([1, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 5], [1, 2, 3, 4, 5]),
    ],
)
@pytest.mark.parametrize("colour, vine", [("red", "cabernet_sauvignon"), ("white", "chardonnay")])
def test_a_taken_slot_lowers_the_grape(colour, vine, before, after):
    """Essential, Harvesting fields, Note 2: the next lower free slot; with none the grape is lost."""
    crush_pad = {"red": [], "white": []} | {colour: before}
    game = start(2, "winter", {"fields": fields([vine]), "crush_pad": crush_pad})
    play(game, place("harvest_field"), "field:5")
    assert seat(game, 0)["crush_pad"][colour] == after
    assert seat(game, 0)["fields"][0]["harvested"]


def test_the_colours_do_not_get_in_each_others_way():
    """Essential, Harvesting fields, Note 2: each colour has its own slots."""
    own = {"fields": fields(["pinot", "pinot"]), "crush_pad": {"red": [1, 2], "white": [1]}}
    game = start(2, "winter", own)
    play(game, place("harvest_field"), "field:5")
    assert seat(game, 0)["crush_pad"] == {"red": [1, 2], "white": [1, 2]}


def test_a_field_with_no_room_for_its_grapes_may_be_harvested():
    """Essential, Harvesting fields, Note 2: a grape without a slot is lost; the field counts as harvested."""
    own = {"fields": fields(["sangiovese"]), "crush_pad": {"red": [1], "white": []}}
    game = start(2, "winter", own)
    play(game, place("harvest_field"), "field:5")
    assert seat(game, 0)["crush_pad"] == {"red": [1], "white": []}
    assert seat(game, 0)["fields"][0]["harvested"]


def test_a_total_above_nine_is_nine():
    """Essential, Age grape and wine tokens: no token is worth more than 9; a field filled beyond its limit can."""
    overfull = fields((), (), ["cabernet_sauvignon", "merlot", "cabernet_sauvignon"])
    overfull[2]["over_limit"] = True
    game = start(2, "winter", {"fields": overfull})
    play(game, place("harvest_field"), "field:7")
    assert seat(game, 0)["crush_pad"] == {"red": [9], "white": []}


def test_an_empty_or_sold_or_harvested_field_is_not_harvested():
    """Essential, Harvesting fields, Note 1 and Glossary, Harvest: a planted field, once a year."""
    own = {"fields": fields(["pinot"], (), ["malvasia"], sold=(6,), harvested=(5,))}
    game = start(2, "winter", own)
    play(game, place("harvest_field"))
    assert game.legal_actions() == ["field:7"]
    own = {"fields": fields(["pinot"], (), ["malvasia"], harvested=(5, 7))}
    assert placements(start(2, "winter", own), "harvest_field") == []


def test_no_harvest_on_the_summer_board():
    """Essential, Winter actions: harvesting is a winter action."""
    game = start(2, "summer", {"fields": fields(["pinot"])})
    assert placements(game, "harvest_field") == []


def test_a_second_harvest_in_one_year_takes_another_field():
    """Essential, Harvesting fields, Note 1: once a year each."""
    own = {"fields": fields(["pinot"], ["malvasia"])}
    game = start(3, "winter", own, NOBODY, NOBODY)
    play(game, place("harvest_field"), "field:5")
    play(game, place("harvest_field", "bonus"))
    assert game.legal_actions() == ["field:6"]
    settle(play(game, "field:6"))
    assert placements(game, "harvest_field") == []
    assert not any("crowd" in name for name in game.legal_actions())


def test_fields_can_be_harvested_again_next_year():
    """Essential, Harvesting fields, Note 1: the limit is for a year."""
    game = start(2, "winter", {"fields": fields(["pinot"], harvested=(5,))})
    run_to_year_end(game)
    assert [field["harvested"] for field in seat(game, 0)["fields"]] == [False, False, False]


def test_a_grande_harvests_on_a_full_action():
    """Essential, Grande worker placement: the action is carried out as usual."""
    own = {"fields": fields(["pinot"])}
    game = start(2, "winter", own, board={"harvest_field": [at(1)]})
    play(game, place("harvest_field", "crowd", "grande"), "field:5")
    assert seat(game, 0)["crush_pad"] == {"red": [1], "white": [1]}
