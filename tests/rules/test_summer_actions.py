"""The summer actions: drawing, tours, building, planting, selling; and the limits that they keep."""

import pytest

import vitienv
from tests.table.facts import ALL_STRUCTURES, hand_sizes, place, placements, play, seat, settle

from .positions import fields, start

COSTS = {
    "trellis": 2,
    "irrigation": 3,
    "yoke": 2,
    "windmill": 5,
    "cottage": 4,
    "tasting_room": 6,
    "medium_cellar": 4,
    "large_cellar": 6,
}
# Red, white, needs trellis, needs irrigation.
VINES = {
    "sangiovese": (1, 0, False, False),
    "malvasia": (0, 1, False, False),
    "pinot": (1, 1, True, False),
    "syrah": (2, 0, True, False),
    "trebbiano": (0, 2, True, False),
    "merlot": (3, 0, False, True),
    "sauvignon_blanc": (0, 3, False, True),
    "cabernet_sauvignon": (4, 0, True, True),
    "chardonnay": (0, 4, True, True),
}
PRICES = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 2, 7: 3, 8: 3, 9: 3}


def test_draw_vine():
    """Essential, Draw one vine card: one card from the deck to the hand."""
    game = start(2, "summer", next_draws={"vine": ["chardonnay", "merlot"]})
    play(game, place("draw_vine"))
    assert seat(game, 0)["hand"]["vine"] == ["chardonnay"]
    assert hand_sizes(game, 0) == {"vine": 1, "order": 0, "summer": 0, "winter": 0}


def test_tour():
    """Essential, Give a vineyard tour: 2 lira."""
    game = start(2, "summer", {"lira": 1})
    play(game, place("give_tour"))
    assert (seat(game, 0)["lira"], seat(game, 0)["victory_points"]) == (3, 0)


@pytest.mark.parametrize("structure", COSTS)
def test_cost_of_a_structure(structure):
    """Essential, Structures: the printed cost is paid, and one lira less is not enough."""
    cost = COSTS[structure]
    built = ["medium_cellar"] if structure == "large_cellar" else []
    game = start(2, "summer", {"lira": cost, "structures": built})
    play(game, place("build_structure"), f"structure:{structure}")
    assert seat(game, 0)["lira"] == 0
    assert set(seat(game, 0)["structures"]) == {*built, structure}
    assert game.seat == 1
    poor = start(2, "summer", {"lira": cost - 1, "structures": built})
    if placements(poor, "build_structure"):
        play(poor, place("build_structure"))
        assert f"structure:{structure}" not in poor.legal_actions()


def test_what_is_offered_to_build():
    """Essential, Build one structure: each structure once; the large cellar after the medium one."""
    game = start(2, "summer", {"lira": 20, "structures": ["trellis", "windmill"]})
    play(game, place("build_structure"))
    assert game.decision == "build_structure"
    names = ["irrigation", "yoke", "cottage", "tasting_room", "medium_cellar"]
    assert game.legal_actions() == [f"structure:{name}" for name in names]
    game = start(2, "summer", {"lira": 20, "structures": ["medium_cellar", *names[:3]]})
    play(game, place("build_structure"))
    names = ["trellis", "windmill", "tasting_room", "large_cellar"]
    assert game.legal_actions() == [f"structure:{name}" for name in names]


def test_nothing_left_to_build():
    """Essential, Build one structure, Note: one of each."""
    assert placements(start(2, "summer", {"lira": 50, "structures": ALL_STRUCTURES}), "build_structure") == []


def test_large_cellar_alone_cannot_be_a_position():
    """Essential, Structures, Note: the medium cellar comes first."""
    with pytest.raises(ValueError):
        start(2, "summer", {"structures": ["large_cellar"]})


@pytest.mark.parametrize("structures", [[], ["trellis"], ["irrigation"], ["trellis", "irrigation"]])
@pytest.mark.parametrize("vine", VINES)
def test_structures_needed_for_a_vine(vine, structures):
    """Essential, Vine deck: the structures shown on a card must be built before it is planted."""
    red, white, trellis, irrigation = VINES[vine]
    game = start(2, "summer", {"hand": {"vine": [vine]}, "structures": structures})
    possible = (not trellis or "trellis" in structures) and (not irrigation or "irrigation" in structures)
    assert bool(placements(game, "plant_vine")) == possible
    if possible:
        play(game, place("plant_vine"), f"card:vine:{vine}", "field:7")
        assert seat(game, 0)["fields"][2]["vines"] == [vine]
        assert hand_sizes(game, 0)["vine"] == 0


@pytest.mark.parametrize("vine", VINES)
def test_planting_keeps_the_limit_of_each_field(vine):
    """Essential, Plant one vine, Note: red and white values together stay within 5, 6 or 7."""
    red, white, _, _ = VINES[vine]
    own = {
        "hand": {"vine": [vine]},
        "structures": ["trellis", "irrigation"],
        "fields": fields(["merlot"], ["chardonnay"], ["merlot"]),
    }
    game = start(2, "summer", own)
    room = {5: 2, 6: 2, 7: 4}
    open_to = [capacity for capacity, left in room.items() if red + white <= left]
    if not open_to:
        assert placements(game, "plant_vine") == []
        return
    play(game, place("plant_vine"))
    assert (game.decision, game.legal_actions()) == ("plant_vine", [f"card:vine:{vine}"])
    play(game, f"card:vine:{vine}")
    assert (game.decision, game.legal_actions()) == ("plant_field", [f"field:{capacity}" for capacity in open_to])


def test_an_overfull_field_cannot_be_a_position():
    """Essential, Plant one vine, Note: a field stays within its value."""
    with pytest.raises(ValueError):
        start(2, "summer", {"fields": fields(["merlot", "merlot"])})
    assert start(2, "summer", {"fields": fields((), ["merlot", "merlot"])}).seat == 0


def test_a_full_field_takes_no_more():
    """Essential, Plant one vine: vines are stacked up to the value of the field."""
    own = {"hand": {"vine": ["malvasia"]}, "fields": fields(["merlot", "trebbiano"], ["merlot", "merlot"])}
    game = start(2, "summer", own)
    play(game, place("plant_vine"), "card:vine:malvasia")
    assert game.legal_actions() == ["field:7"]


def test_structures_do_not_matter_to_vines_already_planted():
    """Essential, Vine deck: the structure is asked for at planting; the yield needs none."""
    game = start(2, "winter", {"fields": fields((), (), ["chardonnay"])})
    play(game, place("harvest_field"), "field:7")
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": [4]}


def test_planting_on_a_sold_field_is_impossible():
    """Essential, Sell grapes or field: no planting on sold fields."""
    game = start(2, "summer", {"hand": {"vine": ["malvasia"]}, "fields": fields(sold=(5, 7))})
    play(game, place("plant_vine"), "card:vine:malvasia")
    assert game.legal_actions() == ["field:6"]
    none = start(2, "summer", {"hand": {"vine": ["malvasia"]}, "fields": fields(sold=(5, 6, 7))})
    assert placements(none, "plant_vine") == []


def test_planting_on_a_harvested_field_is_possible():
    """Essential, Harvesting fields: a field is harvested once a year; planting on it is not restricted."""
    game = start(2, "summer", {"hand": {"vine": ["malvasia"]}, "fields": fields(["sangiovese"], harvested=(5,))})
    play(game, place("plant_vine"), "card:vine:malvasia", "field:5")
    assert seat(game, 0)["fields"][0]["vines"] in (["sangiovese", "malvasia"], ["malvasia", "sangiovese"])
    assert seat(game, 0)["fields"][0]["harvested"]


def test_the_plant_action_uproots_nothing():
    """Essential, Plant one vine: a planted vine leaves its field through the yoke or a visitor only."""
    game = start(2, "summer", {"fields": fields(["merlot", "trebbiano"])})
    assert placements(game, "plant_vine") == []


@pytest.mark.parametrize("value", PRICES)
@pytest.mark.parametrize("colour", ["red", "white"])
def test_price_of_a_grape(colour, value):
    """Essential, Sell grapes or field: 1 lira for values 1 to 3, 2 for 4 to 6, 3 for 7 to 9."""
    crush_pad = {"red": [], "white": []} | {colour: [value]}
    game = start(2, "summer", {"lira": 2, "crush_pad": crush_pad})
    play(game, place("sell_grapes_or_field"), f"grape:{colour}:{value}")
    settle(game)
    assert seat(game, 0)["lira"] == 2 + PRICES[value]
    assert seat(game, 0)["crush_pad"] == {"red": [], "white": []}
    assert game.seat == 1


def test_any_number_of_grapes_in_one_action():
    """Essential, Sell grapes or field: one or more; at least one."""
    game = start(2, "summer", {"crush_pad": {"red": [2, 5], "white": [3, 9]}})
    play(game, place("sell_grapes_or_field"))
    assert game.decision == "sell"
    grapes = ["grape:red:2", "grape:red:5", "grape:white:3", "grape:white:9"]
    assert set(game.legal_actions()) == {*grapes, "field:5", "field:6", "field:7"}
    play(game, "grape:red:5")
    assert sorted(game.legal_actions()) == ["done", "grape:white:3", "grape:white:9"]
    settle(play(game, "grape:white:9"))
    assert seat(game, 0)["lira"] == 5
    assert seat(game, 0)["crush_pad"] == {"red": [2], "white": [3]}
    assert game.seat == 1


@pytest.mark.parametrize("capacity", [5, 6, 7])
def test_price_of_a_field(capacity):
    """Essential, Sell grapes or field: a field is sold and bought back for its value."""
    game = start(2, "summer", {"lira": 1}, {"workers": {"regular": 0, "grande": 0, "temporary": 0}})
    play(game, place("sell_grapes_or_field"), f"field:{capacity}")
    assert seat(game, 0)["lira"] == 1 + capacity
    assert [field["capacity"] for field in seat(game, 0)["fields"] if field["sold"]] == [capacity]
    back = start(2, "summer", {"lira": capacity, "fields": fields(sold=(capacity,))})
    play(back, place("sell_grapes_or_field"), f"field:{capacity}")
    assert seat(back, 0)["lira"] == 0
    assert not any(field["sold"] for field in seat(back, 0)["fields"])


def test_a_field_is_bought_back_for_its_full_value_only():
    """Essential, Sell grapes or field: same cost as the sale price."""
    game = start(2, "summer", {"lira": 5, "fields": fields(["malvasia"], sold=(6, 7))})
    assert placements(game, "sell_grapes_or_field") == []
    game = start(2, "summer", {"lira": 6, "fields": fields(["malvasia"], sold=(6, 7))})
    play(game, place("sell_grapes_or_field"))
    assert game.legal_actions() == ["field:6"]
    play(game, "field:6")
    assert (seat(game)["lira"], [field["sold"] for field in seat(game)["fields"]]) == (0, [False, False, True])


def test_a_planted_field_is_not_for_sale():
    """Essential, Sell grapes or field: not with vines on it, harvested or not."""
    game = start(2, "summer", {"fields": fields(["malvasia"], (), ["sangiovese"], harvested=(7,))})
    play(game, place("sell_grapes_or_field"))
    assert game.legal_actions() == ["field:6"]


def test_one_field_and_no_grape_with_it():
    """Essential, Sell grapes or field: the field is the alternative, and it is one."""
    game = start(2, "summer", {"crush_pad": {"red": [4], "white": []}})
    play(game, place("sell_grapes_or_field"), "field:5")
    assert seat(game, 0)["crush_pad"]["red"] == [4]
    assert seat(game, 0)["lira"] == 5
    assert (game.decision, game.seat) == ("place_worker", 1)


def test_money_has_no_shortage():
    """Essential, Components: coins are a means of counting; nothing limits what a seat may own."""
    game = start(2, "summer", {"lira": 200})
    play(game, place("give_tour"))
    assert seat(game, 0)["lira"] == 202


def test_an_illegal_step_changes_nothing():
    """Essential, Worker placement: what the rules forbid is refused, by name."""
    game = start(2, "summer", {"lira": 1})
    before = game.to_dict()
    with pytest.raises(vitienv.IllegalAction):
        game.step(place("build_structure"))
    assert game.to_dict() == before
