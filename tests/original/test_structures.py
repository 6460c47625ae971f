"""Prices of structures, cards that name a price, and what windmill, tasting room and yoke do."""

import pytest

from tests.table.facts import place, placements, play, points, seat

from .positions import EMPTY_CELLAR, FIELDS, NOBODY, PRESETS, both_presets, lira, start, vines

COSTS = {
    "trellis": 2,
    "irrigation": 2,
    "yoke": 2,
    "windmill": 5,
    "cottage": 4,
    "tasting_room": 6,
    "medium_cellar": 4,
    "large_cellar": 6,
}
BUILD = place("build_structure")
YOKE = place("yoke")
SUMMER = place("play_summer_visitor")
WINTER = place("play_winter_visitor")


def built(game, number=0):
    """The structures of a seat."""
    return set(seat(game, number)["structures"])


def offered(own, **options):
    """What the build action offers to a seat."""
    game = start(2, "summer", own, **options)
    if BUILD not in game.legal_actions():
        return set()
    return {name.split(":")[1] for name in play(game, BUILD).legal_actions()}


# Prices.


@both_presets
@pytest.mark.parametrize("structure", COSTS)
def test_price_of_a_structure(structure, preset):
    """Original, rows 44 to 46: 2, 2, 2, 5, 4, 6, 4, 6; exactly that is enough and one less is not."""
    cost = COSTS[structure]
    base = ["medium_cellar"] if structure == "large_cellar" else []
    game = start(2, "summer", {"lira": cost, "structures": base}, preset=preset)
    play(game, BUILD, f"structure:{structure}")
    assert (lira(game), built(game), game.seat) == (0, {*base, structure}, 1)
    assert structure not in offered({"lira": cost - 1, "structures": base}, preset=preset)


@both_presets
@pytest.mark.parametrize("price", [3, 5, 8])
def test_the_missing_price_is_an_option(price, preset):
    """Original, row 46: the manual names no price for the large cellar."""
    own = {"lira": price, "structures": ["medium_cellar"]}
    game = start(2, "summer", own, preset=preset, large_cellar_price=price)
    play(game, BUILD, "structure:large_cellar")
    assert lira(game) == 0
    less = {"lira": price - 1, "structures": ["medium_cellar"]}
    assert "large_cellar" not in offered(less, preset=preset, large_cellar_price=price)


@both_presets
def test_one_of_each_and_the_medium_cellar_first(preset):
    """Original, row 26: not stated by the manual, and its mats have one place for each; the large cellar comes last."""
    assert offered({"lira": 30, "structures": ["irrigation", "windmill"]}, preset=preset) == {
        "trellis",
        "yoke",
        "cottage",
        "tasting_room",
        "medium_cellar",
    }
    assert offered({"lira": 30, "structures": list(COSTS)}, preset=preset) == set()


# Cards that name a price go by this edition's prices.


@pytest.mark.parametrize("card, steps", [("blacksmith", []), ("architect", ["option:1"]), ("handyman", ["yes"])])
def test_a_card_that_builds_cheaply_builds_irrigation_for_nothing(card, steps):
    """Original, rows 45 and 50: 2 or 3 lira off a price of 2."""
    game = start(2, "summer", {"hand": {"summer": [card]}}, {"lira": 0} | NOBODY)
    play(game, SUMMER, f"card:summer:{card}", *steps)
    assert "structure:irrigation" in game.legal_actions()
    play(game, "structure:irrigation")
    assert (lira(game), built(game)) == (0, {"irrigation"})


@both_presets
def test_uncertified_architect_builds_what_costs_two_or_three(preset):
    """Original, row 50: at a price of 2 irrigation is still one of them."""
    game = start(2, "summer", {"hand": {"summer": ["uncertified_architect"]}}, preset=preset)
    play(game, SUMMER, "card:summer:uncertified_architect", "option:1")
    assert game.legal_actions() == ["structure:trellis", "structure:irrigation", "structure:yoke"]
    play(game, "structure:irrigation")
    assert (points(game), lira(game)) == (-1, 0)


@pytest.mark.parametrize("options, reward", [({}, 2), ({"large_cellar_price": 4}, 3), ({"large_cellar_price": 5}, 2)])
def test_architect_counts_structures_of_price_four(options, reward):
    """Original, rows 46 and 50: cottage and medium cellar, and the large one if that is its price."""
    own = {"structures": list(COSTS), "hand": {"summer": ["architect"]}}
    game = start(2, "summer", own, **options)
    play(game, SUMMER, "card:summer:architect", "option:2")
    assert points(game) == reward


@pytest.mark.parametrize("price, reward", [(None, 1), (5, 1), (4, 0), (7, 0)])
def test_blacksmith_rewards_a_price_of_five_or_six(price, reward):
    """Original, rows 46 and 50: the large cellar is worth the point if its price is 5 or 6."""
    options = {} if price is None else {"large_cellar_price": price}
    own = {"lira": 9, "structures": ["medium_cellar"], "hand": {"summer": ["blacksmith"]}}
    game = start(2, "summer", own, **options)
    play(game, SUMMER, "card:summer:blacksmith", "structure:large_cellar")
    assert (points(game), lira(game)) == (reward, 9 - ((price or 6) - 2))


def test_cards_that_raise_the_cellar():
    """Original, row 46: the Master Vintner takes 2 lira off the price; the Oenologist asks 3 whatever it is."""
    for card, options, cost in (
        ("master_vintner", {}, 4),
        ("master_vintner", {"large_cellar_price": 9}, 7),
        ("oenologist", {"large_cellar_price": 9}, 3),
    ):
        option = "option:1" if card == "master_vintner" else "option:2"
        own = {"lira": cost, "structures": ["medium_cellar"], "hand": {"winter": [card]}}
        game = start(2, "winter", own, **options)
        play(game, WINTER, f"card:winter:{card}", option)
        if game.decision == "build_structure":
            play(game, "structure:large_cellar")
        assert (lira(game), built(game)) == (0, {"medium_cellar", "large_cellar"})


# Windmill, tasting room.


@both_presets
@pytest.mark.parametrize("cellar", [{}, {"red": [1]}], ids=["no wine", "a wine"])
def test_tasting_room_needs_no_wine(cellar, preset):
    """Original, row 47: 1 point for a tour, with wine or without."""
    own = {"structures": ["tasting_room"], "cellar": EMPTY_CELLAR | cellar}
    game = start(2, "summer", own, preset=preset)
    play(game, place("give_tour"))
    assert (points(game), lira(game)) == (1, 2)


# Yoke.

PLANTED = {"structures": ["yoke"], "vines": [["pinot"], [], ["malvasia"]]}


@pytest.mark.parametrize("name, option", [("summer", "option:1"), ("winter", "option:2")])
def test_the_yoke_by_the_letter_goes_with_the_season(name, option):
    """Original, row 49: it uproots in summer and harvests in winter."""
    game = start(2, name, PLANTED, preset="manual_literal")
    play(game, YOKE)
    assert (game.decision, game.legal_actions()) == ("yoke", [option])
    play(game, option)
    if name == "summer":
        play(game, FIELDS[2], "card:vine:malvasia")
        assert (vines(game), seat(game)["hand"]["vine"]) == ([["pinot"], [], []], ["malvasia"])
        assert seat(game)["crush_pad"] == {"red": [], "white": []}
    else:
        play(game, FIELDS[0])
        assert (vines(game), seat(game)["crush_pad"]) == ([["pinot"], [], ["malvasia"]], {"red": [1], "white": [1]})
    assert game.seat == 1


def test_the_yoke_by_the_letter_is_closed_where_its_act_is_impossible():
    """Original, rows 34 and 49: with all fields harvested there is nothing to do in winter, but still in summer."""
    own = PLANTED | {"harvested": (0, 2)}
    assert placements(start(2, "winter", own, preset="manual_literal"), "yoke") == []
    assert placements(start(2, "summer", own, preset="manual_literal"), "yoke") != []
    assert placements(start(2, "winter", own, preset="second_edition"), "yoke") != []
    bare = {"structures": ["yoke"]}
    for preset in PRESETS:
        for name in ("summer", "winter"):
            assert placements(start(2, name, bare, preset=preset), "yoke") == []


@both_presets
def test_a_field_harvested_by_the_yoke_is_harvested_for_the_year(preset):
    """Original, row 52: once a year for each field, whichever way."""
    game = start(2, "winter", {"structures": ["yoke"], "vines": [["pinot"], [], []]}, NOBODY, preset=preset)
    play(game, YOKE, "option:2", FIELDS[0])
    assert placements(game, "harvest_field") == []
