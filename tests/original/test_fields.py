"""The three fields: their capacities, the option that sets them, and rules that depend on fields."""

import pytest

import vitienv
from tests.table.fixtures import place, play, points, seat

from .positions import FIELDS, both_presets, lira, position, start, vines

PLANT = place("plant_vine")
BOTH = ["trellis", "irrigation"]


def room(vine, planted, **options):
    """Return the fields on which a vine can be planted."""
    game = start(2, "summer", {"hand": {"vine": [vine]}, "structures": BOTH, "vines": planted}, **options)
    if PLANT not in game.legal_actions():
        return []
    return play(game, PLANT, f"card:vine:{vine}").legal_actions()


@both_presets
@pytest.mark.parametrize(
    "vine, open_to", [("malvasia", FIELDS[1:]), ("pinot", FIELDS[2:]), ("syrah", FIELDS[2:]), ("merlot", [])]
)
def test_field_capacity_is_six(vine, open_to, preset):
    """Original, rows 18 and 51: three fields of 6 by default; 0, 1 and 2 are free in this position."""
    planted = [["merlot", "merlot"], ["merlot", "trebbiano"], ["chardonnay"]]
    assert room(vine, planted, preset=preset) == open_to


def test_field_limit_is_the_sum_of_red_and_white():
    """Original, row 51: the limit applies to the sum of both colours."""
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
def test_option_field_capacities(capacities, vine, open_to):
    """Original, row 18: the manual states no capacities; each field has a merlot."""
    assert room(vine, [["merlot"]] * 3, field_capacities=capacities) == open_to


def test_field_names():
    """Original, row 18: with equal capacities the names mean first, second and third."""
    for number, name in enumerate(FIELDS):
        game = start(2, "summer", {"hand": {"vine": ["malvasia"]}})
        play(game, PLANT, "card:vine:malvasia", name)
        assert vines(game) == [["malvasia"] if k == number else [] for k in range(3)]


def test_overfull_field_raises():
    """Original, row 51: no card of this edition exceeds the limit."""
    assert start(2, "summer", {"vines": [["merlot", "merlot"], [], []]}).current_seat == 0
    with pytest.raises(ValueError):
        start(2, "summer", {"vines": [["merlot", "chardonnay"], [], []]})
    assert (
        start(2, "summer", {"vines": [["merlot", "chardonnay"], [], []]}, field_capacities=(7, 6, 6)).current_seat == 0
    )
    with pytest.raises(ValueError):
        start(2, "summer", {"vines": [["merlot"], [], []]}, field_capacities=(2, 6, 6))


def test_landscaper_respects_capacities():
    """Original, row 51: vines are exchanged only if both fields have room."""
    mat = {"vines": [["merlot", "merlot"], ["chardonnay"], []], "hand": {"summer": ["landscaper"]}}
    steps = [place("play_summer_visitor"), "card:summer:landscaper"]
    assert play(start(2, "summer", mat), *steps).legal_actions() == ["option:1"]
    game = play(start(2, "summer", mat, field_capacities=(7, 6, 6)), *steps)
    assert game.legal_actions() == ["option:1", "option:2"]
    play(game, "option:2", FIELDS[0], "card:vine:merlot")
    if game.legal_actions() == [FIELDS[1]]:
        play(game, FIELDS[1])
    play(game, "card:vine:chardonnay")
    assert vines(game) == [["chardonnay", "merlot"], ["merlot"], []]


def test_surveyor_counts_three_fields():
    """Original, rows 18 and 22: a seat always owns three fields."""
    for option, planted, reward in (
        ("option:1", [[], [], []], (6, 0)),
        ("option:1", [["malvasia"], [], []], (4, 0)),
        ("option:2", [["malvasia"], ["pinot"], ["syrah"]], (0, 3)),
    ):
        game = start(2, "summer", {"vines": planted, "hand": {"summer": ["surveyor"]}})
        play(game, place("play_summer_visitor"), "card:summer:surveyor", option)
        assert (lira(game), points(game)) == reward


def test_large_field_yields_at_most_nine():
    """Original, row 52: the crush pad ends at 9."""
    game = start(2, "winter", {"vines": [["chardonnay"] * 3, [], []]}, field_capacities=(12, 6, 6))
    play(game, place("harvest_field"), FIELDS[0])
    assert seat(game)["crush_pad"] == {"red": [], "white": [9]}


@pytest.mark.parametrize("key, value", [("mamas", ["alaena"]), ("papas", ["andrew"]), ("sold", True)])
def test_parents_and_sold_fields_raise(key, value):
    """Original, rows 3 and 22: there are no parents and no sold fields."""
    invalid = position(2, "summer")
    mat = invalid["seats"][0]
    (mat["fields"][0] if key == "sold" else mat)[key] = value
    with pytest.raises(ValueError):
        vitienv.Game.from_dict(invalid)


def test_positions_keep_capacities():
    """Interfaces, Positions: capacities survive a round trip."""
    mat = {"hand": {"vine": ["merlot"]}, "structures": BOTH, "vines": [["merlot"]] * 3}
    game = vitienv.Game.from_dict(start(2, "summer", mat, field_capacities=(4, 6, 8)).to_dict())
    assert play(game, PLANT, "card:vine:merlot").legal_actions() == FIELDS[1:]
