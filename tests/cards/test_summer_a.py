"""Agriculturist, Architect, Artisan, Auctioneer."""

import pytest

from tests.table.facts import COST

from .table import STRUCTURES, all_but, legal, needs, offered, pile, play, playable, table

# ---- Agriculturist: plant one vine; 2 VP if its field now holds three different varieties


def test_agriculturist_scores_two_for_the_third_variety():
    game = table("agriculturist", vine=["pinot"], structures=["trellis"], fields={7: ["sangiovese", "malvasia"]})
    assert play(game, "agriculturist", "card:vine:pinot", "field:7") == {
        0: {"lost": ["vine:pinot"], "fields": {7: ["malvasia", "pinot", "sangiovese"]}, "vp": 2}
    }


def test_agriculturist_scores_nothing_extra_for_a_fourth_variety():
    planted = ["sangiovese", "malvasia", "pinot"]
    game = table("agriculturist", vine=["syrah"], structures=["trellis"], fields={7: planted})
    assert play(game, "agriculturist", "card:vine:syrah", "field:7")[0]["vp"] == 2


def test_agriculturist_counts_a_variety_once():
    """Single cards, Agriculturist: distinct names."""
    game = table("agriculturist", vine=["malvasia"], fields={7: ["sangiovese", "malvasia"]})
    assert play(game, "agriculturist", "card:vine:malvasia", "field:7") == {
        0: {"lost": ["vine:malvasia"], "fields": {7: ["malvasia", "malvasia", "sangiovese"]}}
    }


def test_agriculturist_scores_a_duplicate_on_a_field_of_three_varieties():
    planted = ["sangiovese", "malvasia", "pinot"]
    game = table("agriculturist", vine=["sangiovese"], fields={7: planted})
    assert play(game, "agriculturist", "card:vine:sangiovese", "field:7")[0]["vp"] == 2


def test_agriculturist_ignores_varieties_on_other_fields():
    fields = {5: ["sangiovese"], 6: ["malvasia"]}
    game = table("agriculturist", vine=["pinot"], structures=["trellis"], fields=fields)
    assert play(game, "agriculturist", "card:vine:pinot", "field:7") == {
        0: {"lost": ["vine:pinot"], "fields": {7: ["pinot"]}}
    }


def test_agriculturist_adds_the_windmill_point():
    game = table(
        "agriculturist",
        vine=["pinot"],
        structures=["trellis", "windmill"],
        fields={7: ["sangiovese", "malvasia"]},
    )
    change = play(game, "agriculturist", "card:vine:pinot", "field:7")[0]
    assert change["vp"] == 3
    assert change["used"] == ["windmill"]


def test_agriculturist_plants_under_the_normal_rules():
    game = table(
        "agriculturist",
        vine=["malvasia", "syrah", "merlot"],
        structures=["trellis"],
        fields={5: ["cabernet_sauvignon"], 6: ["cabernet_sauvignon", "malvasia"]},
        sold=[7],
    )
    assert offered(game, "agriculturist") == {"card:vine:malvasia"}
    assert offered(game, "agriculturist", "card:vine:malvasia") == {"field:5", "field:6"}


@pytest.mark.parametrize(
    "seat",
    [
        pytest.param({}, id="no vine in hand"),
        pytest.param({"vine": ["pinot"]}, id="no trellis"),
        pytest.param({"vine": ["merlot"], "structures": ["trellis"]}, id="no irrigation"),
        pytest.param({"vine": ["malvasia"], "sold": [5, 6, 7]}, id="all fields sold"),
        pytest.param(
            {
                "vine": ["malvasia"],
                "fields": {
                    5: ["merlot", "syrah"],
                    6: ["merlot", "merlot"],
                    7: ["cabernet_sauvignon", "merlot"],
                },
            },
            id="all fields full",
        ),
    ],
)
def test_agriculturist_refused_without_a_plantable_vine(seat):
    assert playable(table("agriculturist", **seat)) == set()


# ---- Architect: build for 3 less, or 1 VP for each structure of cost 4


@pytest.mark.parametrize("structure", STRUCTURES)
def test_architect_builds_for_three_less(structure):
    """Ruling 2.7: a price is never below 0."""
    price = max(COST[structure] - 3, 0)
    game = table("architect", lira=price, structures=needs(structure))
    expected = {"built": [structure]} | ({"lira": -price} if price else {})
    assert play(game, "architect", "option:1", f"structure:{structure}") == {0: expected}


@pytest.mark.parametrize("structure", [name for name in STRUCTURES if COST[name] > 3])
def test_architect_build_needs_the_reduced_price(structure):
    game = table("architect", lira=COST[structure] - 4, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "architect", "option:1")
    assert "structure:trellis" in offered(game, "architect", "option:1")


def test_architect_gives_no_change_on_a_cheap_structure():
    game = table("architect", lira=5)
    assert play(game, "architect", "option:1", "structure:yoke") == {0: {"built": ["yoke"]}}


def test_architect_large_cellar_needs_the_medium_cellar():
    assert "structure:large_cellar" not in offered(table("architect", lira=9), "architect", "option:1")


@pytest.mark.parametrize(
    ("structures", "points"),
    [
        (["cottage", "medium_cellar"], 2),
        (["cottage"], 1),
        (["medium_cellar", "large_cellar"], 1),
        (all_but("cottage", "medium_cellar", "large_cellar"), 0),
        ([], 0),
    ],
)
def test_architect_scores_structures_of_cost_four(structures, points):
    """Rulings 2.8 (exactly that cost) and 2.12 (a branch that yields nothing is open)."""
    game = table("architect", structures=structures)
    assert play(game, "architect", "option:2") == ({0: {"vp": points}} if points else {})


def test_architect_build_refused_when_everything_stands():
    game = table("architect", lira=9, structures=STRUCTURES)
    assert offered(game, "architect") == {"option:2"}
    assert play(game, "architect", "option:2") == {0: {"vp": 2}}


def test_architect_build_refused_without_the_lira():
    built = ["trellis", "irrigation", "yoke"]
    assert offered(table("architect", lira=0, structures=built), "architect") == {"option:2"}
    assert offered(table("architect", lira=1, structures=built), "architect") == {"option:1", "option:2"}


# ---- Artisan: 3 lira, or build for 1 less, or plant one or two vines


def test_artisan_takes_three_lira():
    assert play(table("artisan"), "artisan", "option:1") == {0: {"lira": 3}}


@pytest.mark.parametrize("structure", STRUCTURES)
def test_artisan_builds_for_one_less(structure):
    price = COST[structure] - 1
    game = table("artisan", lira=price, structures=needs(structure))
    assert play(game, "artisan", "option:2", f"structure:{structure}") == {0: {"built": [structure], "lira": -price}}


@pytest.mark.parametrize("structure", STRUCTURES)
def test_artisan_build_needs_the_reduced_price(structure):
    game = table("artisan", lira=COST[structure] - 2, structures=needs(structure))
    assert f"structure:{structure}" not in offered(game, "artisan", "option:2")


def test_artisan_plants_one_vine():
    game = table("artisan", vine=["sangiovese", "malvasia"])
    assert play(game, "artisan", "option:3", "card:vine:malvasia", "field:6", "done") == {
        0: {"lost": ["vine:malvasia"], "fields": {6: ["malvasia"]}}
    }


def test_artisan_plants_two_vines_and_no_more():
    game = table("artisan", vine=["sangiovese", "malvasia", "malvasia"])
    assert play(game, "artisan", "option:3", "card:vine:sangiovese", "field:5", "card:vine:malvasia", "field:7") == {
        0: {"lost": ["vine:malvasia", "vine:sangiovese"], "fields": {5: ["sangiovese"], 7: ["malvasia"]}}
    }
    assert (game.seat, game.decision) == (1, "place_worker")


def test_artisan_must_plant_at_least_one():
    """Ruling 3.2: up to N means at least one."""
    game = table("artisan", vine=["sangiovese", "malvasia"])
    assert offered(game, "artisan", "option:3") == {"card:vine:sangiovese", "card:vine:malvasia"}


def test_artisan_scores_the_windmill_once_for_two_vines():
    game = table("artisan", vine=["malvasia", "malvasia"], structures=["windmill"])
    change = play(game, "artisan", "option:3", "card:vine:malvasia", "field:5", "card:vine:malvasia", "field:5")[0]
    assert change["vp"] == 1
    assert change["used"] == ["windmill"]


def test_artisan_scores_no_windmill_used_before():
    game = table("artisan", vine=["malvasia"], structures=["windmill"], used=["windmill"])
    assert play(game, "artisan", "option:3", "card:vine:malvasia", "field:5") == {
        0: {"lost": ["vine:malvasia"], "fields": {5: ["malvasia"]}}
    }


@pytest.mark.parametrize(
    ("seat", "options"),
    [
        ({}, {"option:1"}),
        ({"lira": 1}, {"option:1", "option:2"}),
        ({"lira": 9, "structures": STRUCTURES}, {"option:1"}),
        ({"vine": ["malvasia"]}, {"option:1", "option:3"}),
        ({"vine": ["pinot"]}, {"option:1"}),
        ({"vine": ["pinot"], "structures": ["trellis"]}, {"option:1", "option:3"}),
    ],
)
def test_artisan_offers_only_branches_that_can_be_done(seat, options):
    assert offered(table("artisan", **seat), "artisan") == options


# ---- Auctioneer: 2 cards for 4 lira, or 4 cards for 3 VP


def test_auctioneer_sells_two_cards_for_four_lira():
    game = table("auctioneer", vine=["pinot"], winter=["judge"])
    assert play(game, "auctioneer", "option:1", "card:vine:pinot", "card:winter:judge") == {
        0: {"lira": 4, "lost": ["vine:pinot", "winter:judge"]}
    }


def test_auctioneer_sells_four_cards_for_three_points():
    game = table("auctioneer", "broker", vine=["pinot"], order=["order_01"], winter=["judge"])
    cards = ["vine:pinot", "order:order_01", "summer:broker", "winter:judge"]
    assert play(game, "auctioneer", "option:2", *(f"card:{card}" for card in cards)) == {
        0: {"vp": 3, "lost": sorted(cards)}
    }


def test_auctioneer_discards_to_the_own_piles():
    game = table("auctioneer", "broker", vine=["pinot"], order=["order_01"], winter=["judge"])
    cards = ["vine:pinot", "order:order_01", "summer:broker", "winter:judge"]
    play(game, "auctioneer", "option:2", *(f"card:{card}" for card in cards))
    assert pile(game, "vine") == ["pinot"]
    assert pile(game, "order") == ["order_01"]
    assert pile(game, "winter") == ["judge"]
    # Ruling 3.7: the played card follows after it is resolved.
    assert pile(game, "summer") == ["broker", "auctioneer"]


@pytest.mark.parametrize(
    ("others", "options"),
    [(0, set()), (1, set()), (2, {"option:1"}), (3, {"option:1"}), (4, {"option:1", "option:2"})],
)
def test_auctioneer_does_not_count_itself(others, options):
    """Ruling 3.6: the card in play is not in hand."""
    game = table("auctioneer", vine=["pinot"] * others)
    assert offered(game, "auctioneer") == options


def test_auctioneer_cannot_discard_itself():
    game = table("auctioneer", vine=["pinot", "merlot"])
    assert offered(game, "auctioneer", "option:1") == {"card:vine:pinot"}
    play(game, "auctioneer", "option:1", "card:vine:pinot", "card:vine:merlot")
    assert game.decision == "place_worker"


def test_auctioneer_may_sell_two_equal_cards():
    game = table("auctioneer", vine=["pinot", "pinot", "pinot"])
    assert play(game, "auctioneer", "option:1", "card:vine:pinot", "card:vine:pinot") == {
        0: {"lira": 4, "lost": ["vine:pinot", "vine:pinot"]}
    }
    assert "pass" in legal(game)
