"""Landscaper, Negotiator, Novice Guide."""

import pytest

from .table import legal, me, offered, pile, play, playable, table

CELLARS = ["medium_cellar", "large_cellar"]

# ---- Landscaper: draw a vine and plant at most one, or exchange two planted vines


def test_landscaper_draws_and_plants_nothing():
    """Ruling 3.2 names the exception: the planting may be left out."""
    game = table("landscaper", draws={"vine": ["malvasia"]})
    assert play(game, "landscaper", "option:1", "done") == {0: {"gained": ["vine:malvasia"]}}


def test_landscaper_plants_the_drawn_vine():
    game = table("landscaper", draws={"vine": ["malvasia"]})
    assert play(game, "landscaper", "option:1", "card:vine:malvasia", "field:5") == {0: {"fields": {5: ["malvasia"]}}}


def test_landscaper_plants_another_vine():
    game = table("landscaper", vine=["sangiovese"], draws={"vine": ["malvasia"]})
    assert offered(game, "landscaper", "option:1") == {"card:vine:sangiovese", "card:vine:malvasia", "done"}
    assert play(game, "landscaper", "option:1", "card:vine:sangiovese", "field:5") == {
        0: {"gained": ["vine:malvasia"], "lost": ["vine:sangiovese"], "fields": {5: ["sangiovese"]}}
    }


def test_landscaper_plants_one_vine_only():
    game = table("landscaper", vine=["sangiovese"], draws={"vine": ["malvasia"]})
    play(game, "landscaper", "option:1", "card:vine:malvasia", "field:5")
    assert (game.seat, game.decision) == (1, "place_worker")


def test_landscaper_plants_under_the_normal_rules():
    fields = {5: ["merlot"], 6: [], 7: []}
    game = table("landscaper", vine=["pinot"], draws={"vine": ["merlot"]}, structures=["irrigation"], fields=fields)
    assert offered(game, "landscaper", "option:1") == {"card:vine:merlot", "done"}
    assert offered(game, "landscaper", "option:1", "card:vine:merlot") == {"field:6", "field:7"}


def test_landscaper_draw_is_playable_where_nothing_can_be_planted():
    game = table("landscaper", sold=[5, 6, 7], draws={"vine": ["malvasia"]})
    assert play(game, "landscaper", "option:1", "done") == {0: {"gained": ["vine:malvasia"]}}


def test_landscaper_planting_scores_the_windmill():
    game = table("landscaper", draws={"vine": ["malvasia"]}, structures=["windmill"])
    assert play(game, "landscaper", "option:1", "card:vine:malvasia", "field:5")[0]["vp"] == 1


def swap(lower, vine, higher, other):
    return ["option:2", f"field:{lower}", f"card:vine:{vine}", f"field:{higher}", f"card:vine:{other}"]


def test_landscaper_exchanges_two_vines():
    game = table("landscaper", fields={5: ["malvasia", "syrah"], 7: ["merlot"]})
    assert play(game, "landscaper", *swap(5, "malvasia", 7, "merlot")) == {
        0: {"fields": {5: ["merlot", "syrah"], 7: ["malvasia"]}}
    }


def test_landscaper_exchange_is_no_planting():
    """Single cards, Landscaper: no structure is needed and the windmill does not score."""
    game = table("landscaper", fields={5: ["pinot"], 6: ["merlot"]}, structures=["windmill"])
    assert play(game, "landscaper", *swap(5, "pinot", 6, "merlot")) == {0: {"fields": {5: ["merlot"], 6: ["pinot"]}}}


def test_landscaper_exchange_leaves_the_harvest_mark_on_the_field():
    game = table("landscaper", fields={5: ["pinot"], 6: ["merlot"]}, harvested=[5])
    play(game, "landscaper", *swap(5, "pinot", 6, "merlot"))
    assert me(game)["harvested"] == [5]


def test_landscaper_exchange_may_fill_a_field_exactly():
    game = table("landscaper", fields={5: ["malvasia", "malvasia", "syrah"], 6: ["merlot", "merlot"]})
    assert play(game, "landscaper", *swap(5, "syrah", 6, "merlot")) == {
        0: {"fields": {5: ["malvasia", "malvasia", "merlot"], 6: ["merlot", "syrah"]}}
    }


def test_landscaper_exchange_must_keep_the_limits():
    """Single cards, Landscaper: the limits hold after the exchange."""
    fields = {5: ["malvasia", "merlot"], 7: ["cabernet_sauvignon", "syrah"]}
    game = table("landscaper", fields=fields)
    # malvasia for cabernet: 3 + 4 is too much for the field of 5; merlot for cabernet: 1 + 4 is just enough.
    assert offered(game, "landscaper", "option:2", "field:5") == {"card:vine:malvasia", "card:vine:merlot"}
    assert offered(game, "landscaper", *swap(5, "malvasia", 7, "syrah")[:4]) == {"card:vine:syrah"}
    assert offered(game, "landscaper", *swap(5, "merlot", 7, "syrah")[:4]) == {
        "card:vine:syrah",
        "card:vine:cabernet_sauvignon",
    }


def test_landscaper_exchange_refused_where_every_one_breaks_a_limit():
    # Swapping the sangiovese puts 6 or 7 on the field of 5; swapping the cabernet puts 8 or 9 on the field of 7.
    fields = {5: ["sangiovese", "cabernet_sauvignon"], 7: ["merlot", "syrah", "syrah"]}
    assert offered(table("landscaper", fields=fields), "landscaper") == {"option:1"}
    fields = {5: ["malvasia", "merlot"], 7: ["merlot", "syrah", "syrah"]}
    assert offered(table("landscaper", fields=fields), "landscaper") == {"option:1", "option:2"}


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({}, id="no vine"),
        pytest.param({5: ["malvasia", "sangiovese"]}, id="vines on one field only"),
    ],
)
def test_landscaper_exchange_needs_two_planted_fields(fields):
    assert offered(table("landscaper", fields=fields), "landscaper") == {"option:1"}


def test_landscaper_exchange_may_mend_a_field_over_its_limit():
    fields = {5: ["cabernet_sauvignon", "chardonnay"], 6: ["malvasia"]}
    game = table("landscaper", fields=fields, over_limit=[5])
    play(game, "landscaper", *swap(5, "chardonnay", 6, "malvasia"))
    assert me(game)["fields"] == {5: ["cabernet_sauvignon", "malvasia"], 6: ["chardonnay"], 7: []}


def test_landscaper_exchange_refused_if_a_field_stays_over_its_limit():
    fields = {5: ["cabernet_sauvignon", "chardonnay"], 6: ["merlot"]}
    game = table("landscaper", fields=fields, over_limit=[5])
    assert offered(game, "landscaper") == {"option:1"}


# ---- Negotiator: a grape for residual +1, or a wine for residual +2


@pytest.mark.parametrize(("colour", "value"), [("red", 1), ("white", 9)])
def test_negotiator_grape_raises_the_residual_by_one(colour, value):
    game = table("negotiator", grapes={colour: [value]})
    assert play(game, "negotiator", "option:1", f"grape:{colour}:{value}") == {
        0: {"residual": 1, "grapes": {colour: []}}
    }


@pytest.mark.parametrize(("wine", "value"), [("red", 1), ("white", 9), ("blush", 4), ("sparkling", 7)])
def test_negotiator_wine_raises_the_residual_by_two(wine, value):
    game = table("negotiator", wines={wine: [value]}, structures=CELLARS)
    assert play(game, "negotiator", "option:2", f"wine:{wine}:{value}") == {0: {"residual": 2, "wines": {wine: []}}}


def test_negotiator_lets_the_player_pick_the_token():
    game = table("negotiator", grapes={"red": [2, 5], "white": [2]}, wines={"red": [1], "white": [3]})
    assert offered(game, "negotiator", "option:1") == {"grape:red:2", "grape:red:5", "grape:white:2"}
    assert offered(game, "negotiator", "option:2") == {"wine:red:1", "wine:white:3"}


@pytest.mark.parametrize(
    ("residual", "grape_gain", "wine_gain"),
    [(0, 1, 2), (3, 1, 2), (4, 1, 1)],
)
def test_negotiator_residual_stops_at_five(residual, grape_gain, wine_gain):
    """Rulings 2.4 and 2.5: at 4 the wine raises it by one only."""
    for answers, gain in (
        (["option:1", "grape:red:3"], grape_gain),
        (["option:2", "wine:red:3"], wine_gain),
    ):
        game = table("negotiator", residual=residual, grapes={"red": [3]}, wines={"red": [3]})
        assert play(game, "negotiator", *answers)[0]["residual"] == gain


def test_negotiator_refused_at_residual_five():
    """Ruling 2.5."""
    assert playable(table("negotiator", residual=5, grapes={"red": [3]}, wines={"red": [3]})) == set()


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, set()),
        ({"grapes": {"white": [1]}}, {"option:1"}),
        ({"wines": {"white": [1]}}, {"option:2"}),
        ({"grapes": {"white": [1]}, "wines": {"white": [1]}}, {"option:1", "option:2"}),
    ],
)
def test_negotiator_needs_the_token(seat, options):
    assert offered(table("negotiator", **seat), "negotiator") == options


# ---- Novice Guide: 3 lira, or make one or two wines


def test_novice_guide_takes_three_lira():
    assert play(table("novice_guide"), "novice_guide", "option:1") == {0: {"lira": 3}}


def test_novice_guide_makes_one_wine():
    game = table("novice_guide", grapes={"red": [2, 3]})
    assert play(game, "novice_guide", "option:2", "make:red", "grape:red:2", "done") == {
        0: {"grapes": {"red": [3]}, "wines": {"red": [2]}}
    }


def test_novice_guide_makes_two_wines_and_no_third():
    game = table("novice_guide", grapes={"red": [1, 2], "white": [3]})
    answers = ["option:2", "make:red", "grape:red:2", "make:white", "grape:white:3"]
    assert play(game, "novice_guide", *answers) == {
        0: {"grapes": {"red": [1], "white": []}, "wines": {"red": [2], "white": [3]}}
    }
    assert (game.seat, game.decision) == (1, "place_worker")


def test_novice_guide_must_make_one_wine():
    """Ruling 3.2."""
    game = table("novice_guide", grapes={"red": [1], "white": [3]})
    assert offered(game, "novice_guide", "option:2") == {"make:red", "make:white"}


def test_novice_guide_devalues_without_a_cellar():
    """Rulebook, Making wine, example 1."""
    game = table("novice_guide", grapes={"red": [1, 4]})
    answers = ["option:2", "make:red", "grape:red:1", "make:red", "grape:red:4"]
    assert play(game, "novice_guide", *answers) == {0: {"grapes": {"red": []}, "wines": {"red": [1, 3]}}}


def test_novice_guide_makes_blush_and_sparkling_with_the_cellars():
    game = table("novice_guide", grapes={"red": [1, 2, 4], "white": [3, 4]}, structures=CELLARS)
    sparkling = ["make:sparkling", "grape:red:1", "grape:red:2", "grape:white:4"]
    play(game, "novice_guide", "option:2", *sparkling, "make:blush", "grape:red:4", "grape:white:3")
    assert me(game)["wines"] == {"red": [], "white": [], "blush": [7], "sparkling": [7]}
    assert me(game)["grapes"] == {"red": [], "white": []}


def test_novice_guide_makes_no_blush_without_the_medium_cellar():
    game = table("novice_guide", grapes={"red": [3], "white": [3]})
    assert "make:blush" not in offered(game, "novice_guide", "option:2")
    game = table("novice_guide", grapes={"red": [3], "white": [3]}, structures=["medium_cellar"])
    assert "make:blush" in offered(game, "novice_guide", "option:2")


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, {"option:1"}),
        ({"grapes": {"red": [1]}, "wines": {"red": [1]}}, {"option:1"}),
        ({"grapes": {"red": [2]}, "wines": {"red": [2]}}, {"option:1", "option:2"}),
    ],
)
def test_novice_guide_offers_wine_only_if_one_can_be_made(seat, options):
    """Ruling 7.11: a wine without a free slot at or below its value cannot be made."""
    assert offered(table("novice_guide", **seat), "novice_guide") == options


def test_novice_guide_goes_to_the_discard_pile():
    game = table("novice_guide", discards={"summer": ["broker"]})
    play(game, "novice_guide", "option:1")
    assert pile(game, "summer") == ["broker", "novice_guide"]
    assert "pass" in legal(game)
