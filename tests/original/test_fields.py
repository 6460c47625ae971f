"""The three fields: their capacities and the option that sets them, and what else depends on fields."""

import pytest

import vitienv
from tests.table.fixtures import place, play, points, seat

from .positions import FIELDS, both_presets, fields, lira, position, start, vines

PLANT = place("plant_vine")
BOTH = ["trellis", "irrigation"]


def room(vine, planted, **options):
    """The fields on which a vine may be planted."""
    game = start(2, "summer", {"hand": {"vine": [vine]}, "structures": BOTH, "vines": planted}, **options)
    if PLANT not in game.legal_actions():
        return []
    return play(game, PLANT, f"card:vine:{vine}").legal_actions()


@both_presets
@pytest.mark.parametrize(
    "vine, open_to", [("malvasia", FIELDS[1:]), ("pinot", FIELDS[2:]), ("syrah", FIELDS[2:]), ("merlot", [])]
)
def test_each_field_holds_six(vine, open_to, preset):
    """Original, rows 18 and 51: three fields of 6 unless told otherwise; here 0, 1 and 2 are left."""
    planted = [["merlot", "merlot"], ["merlot", "trebbiano"], ["chardonnay"]]
    assert room(vine, planted, preset=preset) == open_to


def test_red_and_white_count_together():
    """Original, row 51: the limit is on the sum of both colours."""
    assert room("chardonnay", [["pinot"], ["pinot", "malvasia"], ["merlot"]]) == FIELDS[:1]


@pytest.mark.parametrize(
    "capacities, vine, open_to",
    [
        ((5, 6, 7), "pinot", FIELDS),
        ((5, 6, 7), "merlot", FIELDS[1:]),
        ((5, 6, 7), "chardonnay", FIELDS[2:]),
        ((7, 6, 5), "chardonnay", FIELDS[:1]),
        ((4, 6, 8), "malvasia", FIELDS),
        ((4, 6, 8), "pinot", FIELDS[1:]),
        ((3, 3, 9), "sangiovese", FIELDS[2:]),
        ((6, 6, 6), "merlot", FIELDS),
        ((6, 6, 6), "chardonnay", []),
    ],
)
def test_capacities_are_an_option(capacities, vine, open_to):
    """Original, row 18: the manual states none, so they can be set; a merlot stands on each field here."""
    assert room(vine, [["merlot"]] * 3, field_capacities=capacities) == open_to


def test_fields_are_named_from_left_to_right():
    """Original, row 18: all of 6, so the three names of fields mean first, second and third."""
    for number, name in enumerate(FIELDS):
        game = start(2, "summer", {"hand": {"vine": ["malvasia"]}})
        play(game, PLANT, "card:vine:malvasia", name)
        assert vines(game) == [["malvasia"] if k == number else [] for k in range(3)]


def test_an_overfull_field_cannot_be_a_position():
    """Original, row 51: no card of this edition plants past the limit."""
    assert start(2, "summer", {"vines": [["merlot", "merlot"], [], []]}).current_seat == 0
    with pytest.raises(ValueError):
        start(2, "summer", {"vines": [["merlot", "chardonnay"], [], []]})
    assert (
        start(2, "summer", {"vines": [["merlot", "chardonnay"], [], []]}, field_capacities=(7, 6, 6)).current_seat == 0
    )
    with pytest.raises(ValueError):
        start(2, "summer", {"vines": [["merlot"], [], []]}, field_capacities=(2, 6, 6))


def test_landscaper_keeps_the_capacities():
    """Original, row 51: two vines change places only where both fields can hold them."""
    own = {"vines": [["merlot", "merlot"], ["chardonnay"], []], "hand": {"summer": ["landscaper"]}}
    steps = [place("play_summer_visitor"), "card:summer:landscaper"]
    assert play(start(2, "summer", own), *steps).legal_actions() == ["option:1"]
    game = play(start(2, "summer", own, field_capacities=(7, 6, 6)), *steps)
    assert game.legal_actions() == ["option:1", "option:2"]
    play(game, "option:2", FIELDS[0], "card:vine:merlot")
    if game.legal_actions() == [FIELDS[1]]:
        play(game, FIELDS[1])
    play(game, "card:vine:chardonnay")
    assert vines(game) == [["chardonnay", "merlot"], ["merlot"], []]


def test_surveyor_counts_all_three_fields():
    """Original, rows 18 and 22: three fields are owned from beginning to end."""
    for option, planted, reward in (
        ("option:1", [[], [], []], (6, 0)),
        ("option:1", [["malvasia"], [], []], (4, 0)),
        ("option:2", [["malvasia"], ["pinot"], ["syrah"]], (0, 3)),
    ):
        game = start(2, "summer", {"vines": planted, "hand": {"summer": ["surveyor"]}})
        play(game, place("play_summer_visitor"), "card:summer:surveyor", option)
        assert (lira(game), points(game)) == reward


def test_a_large_field_still_yields_no_more_than_nine():
    """Original, row 52: the crush pad ends at 9, whatever a field is said to hold."""
    game = start(2, "winter", {"vines": [["chardonnay"] * 3, [], []]}, field_capacities=(12, 6, 6))
    play(game, place("harvest_field"), FIELDS[0])
    assert seat(game)["crush_pad"] == {"red": [], "white": [9]}


@pytest.mark.parametrize("key, value", [("mamas", ["alaena"]), ("papas", ["andrew"]), ("sold", True)])
def test_what_this_edition_does_not_have_is_in_no_position(key, value):
    """Original, rows 3 and 22: no parent is dealt and no field ever sold, so a position that says so is wrong."""
    wrong = position(2, "summer")
    own = wrong["seats"][0]
    (own["fields"][0] if key == "sold" else own)[key] = value
    with pytest.raises(ValueError):
        vitienv.Game.from_dict(wrong)


def test_capacities_stay_with_the_game():
    """Interfaces, Positions: written and read again, the limits are the same."""
    own = {"hand": {"vine": ["merlot"]}, "structures": BOTH, "vines": [["merlot"]] * 3}
    game = vitienv.Game.from_dict(start(2, "summer", own, field_capacities=(4, 6, 8)).to_dict())
    assert play(game, PLANT, "card:vine:merlot").legal_actions() == FIELDS[1:]
    assert [field["vines"] for field in fields([["pinot"], [], []])] == [["pinot"], [], []]
