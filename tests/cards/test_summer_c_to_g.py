"""Contractor, Cultivator, Entertainer, Grower."""

import pytest

from tests.table.facts import COST

from .table import STRUCTURES, answer, legal, me, needs, offered, pile, play, playable, table

# ---- Contractor: two different ones of 1 VP, build at full price, plant a vine


def test_contractor_point_then_build():
    game = table("contractor", lira=2)
    assert play(game, "contractor", "option:1", "option:2", "structure:yoke") == {
        0: {"vp": 1, "lira": -2, "built": ["yoke"]}
    }


def test_contractor_build_then_point():
    """Ruling 3.4: the parts may be taken in any order."""
    game = table("contractor", lira=2)
    assert play(game, "contractor", "option:2", "structure:yoke", "option:1") == {
        0: {"vp": 1, "lira": -2, "built": ["yoke"]}
    }


@pytest.mark.parametrize("order", [("option:1", "plant"), ("plant", "option:1")])
def test_contractor_point_and_plant(order):
    game = table("contractor", vine=["malvasia"])
    answers = {"option:1": ["option:1"], "plant": ["option:3", "card:vine:malvasia", "field:6"]}
    assert play(game, "contractor", *(name for part in order for name in answers[part])) == {
        0: {"vp": 1, "lost": ["vine:malvasia"], "fields": {6: ["malvasia"]}}
    }


@pytest.mark.parametrize("order", [("build", "plant"), ("plant", "build")])
def test_contractor_build_and_plant(order):
    game = table("contractor", lira=3, vine=["malvasia"])
    answers = {
        "build": ["option:2", "structure:irrigation"],
        "plant": ["option:3", "card:vine:malvasia", "field:6"],
    }
    assert play(game, "contractor", *(name for part in order for name in answers[part])) == {
        0: {"lira": -3, "built": ["irrigation"], "lost": ["vine:malvasia"], "fields": {6: ["malvasia"]}}
    }


def test_contractor_trellis_makes_its_own_planting_possible():
    """Ruling 3.4: a later part is judged after the earlier one."""
    game = table("contractor", lira=2, vine=["pinot"])
    assert offered(game, "contractor") == {"option:1", "option:2"}
    assert offered(game, "contractor", "option:2", "structure:trellis") == {"option:1", "option:3"}
    assert offered(game, "contractor", "option:2", "structure:yoke") == {"option:1"}
    play(game, "contractor", "option:2", "structure:trellis", "option:3", "card:vine:pinot", "field:5")
    assert me(game)["fields"][5] == ["pinot"]
    assert me(game)["vp"] == 0


def test_contractor_windmill_scores_its_own_planting():
    game = table("contractor", lira=5, vine=["malvasia"])
    change = play(game, "contractor", "option:2", "structure:windmill", "option:3", "card:vine:malvasia", "field:5")[0]
    assert change["vp"] == 1
    assert change["lira"] == -5


@pytest.mark.parametrize("structure", STRUCTURES)
def test_contractor_builds_at_full_price(structure):
    enough = table("contractor", lira=COST[structure], structures=needs(structure))
    assert f"structure:{structure}" in offered(enough, "contractor", "option:2")
    change = play(enough, "contractor", "option:2", f"structure:{structure}", "option:1")[0]
    assert change == {"lira": -COST[structure], "built": [structure], "vp": 1}
    too_little = table("contractor", lira=COST[structure] - 1, structures=needs(structure))
    assert f"structure:{structure}" not in offered(too_little, "contractor", "option:2")


def test_contractor_second_part_is_compulsory_and_different():
    """Ruling 3.16."""
    game = table("contractor", lira=2, vine=["malvasia"])
    assert offered(game, "contractor") == {"option:1", "option:2", "option:3"}
    assert offered(game, "contractor", "option:1") == {"option:2", "option:3"}
    assert offered(game, "contractor", "option:2", "structure:yoke") == {"option:1", "option:3"}
    assert offered(game, "contractor", "option:3", "card:vine:malvasia", "field:5") == {"option:1", "option:2"}


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({"lira": 1}, set()),
        ({"lira": 9, "structures": STRUCTURES}, set()),
        ({"lira": 1, "vine": ["pinot"]}, set()),
        ({"lira": 1, "vine": ["malvasia"], "sold": [5, 6, 7]}, set()),
        ({"lira": 1, "vine": ["malvasia"]}, {"option:1", "option:3"}),
        ({"lira": 2}, {"option:1", "option:2"}),
    ],
)
def test_contractor_needs_two_possible_parts(seat, options):
    """Ruling 3.16: the point alone is not enough."""
    assert offered(table("contractor", **seat), "contractor") == options


# ---- Cultivator: plant one vine even past the field's limit

BOTH = ["trellis", "irrigation"]


def test_cultivator_plants_past_the_limit():
    game = table("cultivator", vine=["chardonnay"], structures=BOTH, fields={5: ["cabernet_sauvignon"]})
    assert play(game, "cultivator", "card:vine:chardonnay", "field:5") == {
        0: {"lost": ["vine:chardonnay"], "fields": {5: ["cabernet_sauvignon", "chardonnay"]}, "over_limit": [5]}
    }


def test_cultivator_marks_no_field_that_is_merely_full():
    game = table("cultivator", vine=["malvasia"], structures=BOTH, fields={5: ["cabernet_sauvignon"]})
    assert play(game, "cultivator", "card:vine:malvasia", "field:5") == {
        0: {"lost": ["vine:malvasia"], "fields": {5: ["cabernet_sauvignon", "malvasia"]}}
    }


def test_cultivator_may_use_every_unsold_field():
    game = table("cultivator", vine=["malvasia"], structures=BOTH, fields={5: ["merlot", "syrah"]}, sold=[6])
    assert offered(game, "cultivator", "card:vine:malvasia") == {"field:5", "field:7"}


def test_cultivator_still_needs_the_structures():
    """Single cards, Cultivator: only the field limit is waived."""
    game = table("cultivator", vine=["malvasia", "pinot", "merlot", "cabernet_sauvignon"], structures=["trellis"])
    assert offered(game, "cultivator") == {"card:vine:malvasia", "card:vine:pinot"}


@pytest.mark.parametrize(
    "seat",
    [
        pytest.param({}, id="no vine"),
        pytest.param({"vine": ["merlot"]}, id="no irrigation"),
        pytest.param({"vine": ["malvasia"], "sold": [5, 6, 7]}, id="all fields sold"),
    ],
)
def test_cultivator_refused_without_vine_structure_or_field(seat):
    assert playable(table("cultivator", **seat)) == set()


def test_cultivator_playable_where_no_field_has_room():
    full = {5: ["merlot", "syrah"], 6: ["merlot", "merlot"], 7: ["cabernet_sauvignon", "merlot"]}
    game = table("cultivator", vine=["malvasia"], fields=full)
    assert "place:plant_vine:plain:regular" not in legal(game)
    assert play(game, "cultivator", "card:vine:malvasia", "field:7")[0]["over_limit"] == [7]


def test_cultivator_scores_the_windmill():
    game = table("cultivator", vine=["malvasia"], structures=["windmill"])
    assert play(game, "cultivator", "card:vine:malvasia", "field:7")[0]["vp"] == 1


def test_cultivator_field_over_its_limit_takes_no_further_vine():
    """Rulebook, Examples and clarifications: a one-time exception."""
    game = table("cultivator", vine=["chardonnay", "malvasia"], structures=BOTH, fields={5: ["cabernet_sauvignon"]})
    play(game, "cultivator", "card:vine:chardonnay", "field:5")
    game.step("pass")
    answer(game, "place:plant_vine:plain:regular", "card:vine:malvasia")
    assert legal(game) == {"field:6", "field:7"}


def test_cultivator_field_over_its_limit_closes_planting_where_it_is_the_last():
    planted = {5: ["cabernet_sauvignon", "chardonnay"]}
    game = table(vine=["malvasia"], fields=planted, over_limit=[5], sold=[6, 7])
    assert "place:plant_vine:plain:regular" not in legal(game)


def test_cultivator_field_is_open_again_when_it_fits_again():
    """Single cards, Cultivator: later planting on that field must fit again."""
    planted = {5: ["cabernet_sauvignon", "chardonnay"]}
    game = table("planter", vine=["malvasia"], fields=planted, over_limit=[5], sold=[6, 7])
    play(game, "planter", "option:2", "field:5", "card:vine:chardonnay", "card:vine:chardonnay")
    game.step("pass")
    answer(game, "place:plant_vine:plain:regular", "card:vine:malvasia", "field:5")
    assert me(game)["fields"][5] == ["cabernet_sauvignon", "malvasia"]


def test_cultivator_harvest_of_more_than_nine_counts_as_nine():
    """Ruling 7.7."""
    game = table(
        "cultivator",
        "tour_guide",
        vine=["cabernet_sauvignon"],
        structures=BOTH,
        fields={7: ["cabernet_sauvignon", "merlot"]},
    )
    play(game, "cultivator", "card:vine:cabernet_sauvignon", "field:7")
    game.step("pass")
    change = play(game, "tour_guide", "option:2", "field:7", worker="grande", space="crowd")[0]
    assert change == {"grapes": {"red": [9]}, "harvested": [7]}


# ---- Entertainer: 4 lira for 3 winter visitors, or a wine and 3 visitors for 3 VP


def test_entertainer_buys_three_winter_visitors():
    drawn = ["judge", "queen", "crusher"]
    game = table("entertainer", lira=4, draws={"winter": drawn})
    assert play(game, "entertainer", "option:1") == {
        0: {"lira": -4, "gained": ["winter:crusher", "winter:judge", "winter:queen"]}
    }


def test_entertainer_needs_four_lira_to_draw():
    assert playable(table("entertainer", lira=3)) == set()
    assert offered(table("entertainer", lira=4), "entertainer") == {"option:1"}


def test_entertainer_spends_a_wine_and_three_visitors():
    game = table("entertainer", "broker", "buyer", winter=["judge", "queen"], wines={"red": [1], "white": [3]})
    answers = ["wine:white:3", "card:summer:broker", "card:summer:buyer", "card:winter:queen"]
    assert play(game, "entertainer", "option:2", *answers) == {
        0: {"vp": 3, "wines": {"white": []}, "lost": ["summer:broker", "summer:buyer", "winter:queen"]}
    }
    assert pile(game, "summer") == ["broker", "buyer", "entertainer"]
    assert pile(game, "winter") == ["queen"]


def test_entertainer_takes_a_wine_of_any_type_and_value():
    wines = {"red": [1], "white": [9], "blush": [4], "sparkling": [7]}
    game = table(
        "entertainer", winter=["judge", "queen", "crusher"], wines=wines, structures=["medium_cellar", "large_cellar"]
    )
    assert offered(game, "entertainer", "option:2") == {
        "wine:red:1",
        "wine:white:9",
        "wine:blush:4",
        "wine:sparkling:7",
    }


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        pytest.param({"winter": ["judge", "queen"], "wines": {"red": [1]}}, set(), id="itself is no third visitor"),
        pytest.param({"winter": ["judge", "queen", "crusher"]}, set(), id="no wine"),
        pytest.param(
            {"winter": ["judge", "queen"], "vine": ["pinot"], "order": ["order_01"], "wines": {"red": [1]}},
            set(),
            id="vines and orders are no visitors",
        ),
        pytest.param({"winter": ["judge", "queen", "crusher"], "wines": {"red": [1]}}, {"option:2"}, id="just enough"),
    ],
)
def test_entertainer_show_needs_wine_and_three_other_visitors(seat, options):
    """Ruling 3.6 for the card itself."""
    assert offered(table("entertainer", **seat), "entertainer") == options


def test_entertainer_offers_only_visitors_to_discard():
    game = table(
        "entertainer",
        vine=["pinot"],
        order=["order_01"],
        winter=["crusher", "judge", "queen"],
        wines={"red": [1]},
    )
    seen = offered(game, "entertainer", "option:2", "wine:red:1")
    assert seen == {"card:winter:crusher"}  # in ascending order, and all three are needed


# ---- Grower: plant one vine; 2 VP if six or more vine cards are planted then


@pytest.mark.parametrize(
    ("planted", "points"),
    [
        ({5: ["sangiovese", "sangiovese"], 6: ["malvasia"], 7: ["sangiovese"]}, 0),
        ({5: ["sangiovese", "sangiovese"], 6: ["malvasia", "malvasia"], 7: ["sangiovese"]}, 2),
        ({5: ["sangiovese", "sangiovese"], 6: ["malvasia", "malvasia"], 7: ["sangiovese", "sangiovese"]}, 2),
        ({7: ["sangiovese", "sangiovese", "sangiovese", "malvasia", "malvasia"]}, 2),
    ],
)
def test_grower_scores_two_from_the_sixth_vine_card(planted, points):
    """Single cards, Grower: cards over all fields, the new one included."""
    game = table("grower", vine=["pinot"], structures=["trellis"], fields=planted)
    change = play(game, "grower", "card:vine:pinot", "field:7")[0]
    assert change.get("vp", 0) == points
    assert change["fields"] == {7: sorted(planted.get(7, []) + ["pinot"])}
    assert change["lost"] == ["vine:pinot"]


def test_grower_counts_cards_not_values():
    game = table("grower", vine=["merlot"], structures=["irrigation"], fields={5: ["cabernet_sauvignon"]})
    assert play(game, "grower", "card:vine:merlot", "field:7") == {
        0: {"lost": ["vine:merlot"], "fields": {7: ["merlot"]}}
    }


def test_grower_adds_the_windmill_point():
    planted = {5: ["sangiovese", "sangiovese"], 6: ["malvasia", "malvasia"], 7: ["sangiovese"]}
    game = table("grower", vine=["malvasia"], structures=["windmill"], fields=planted)
    assert play(game, "grower", "card:vine:malvasia", "field:7")[0]["vp"] == 3


@pytest.mark.parametrize(
    "seat",
    [
        pytest.param({}, id="no vine"),
        pytest.param({"vine": ["trebbiano"], "structures": ["irrigation"]}, id="no trellis"),
        pytest.param({"vine": ["malvasia"], "sold": [5, 6, 7]}, id="all fields sold"),
        pytest.param(
            {"vine": ["pinot"], "structures": ["trellis"], "fields": {5: ["cabernet_sauvignon"]}, "sold": [6, 7]},
            id="no room",
        ),
    ],
)
def test_grower_refused_without_a_plantable_vine(seat):
    assert playable(table("grower", **seat)) == set()
