"""The friendly variant: a bonus space only for those who use the bonus, or when nothing else of the action is free."""

import pytest

from tests.table.facts import at, place, placements, play, seat, settle

from .positions import ABLE, fields, start


def friendly(season, own, **top):
    """A position of three players in the friendly variant."""
    return start(3, season, own, **{"options": {"friendly": True}, **top})


def spaces(game, action):
    """The spaces of an action open to a regular worker."""
    return [name.split(":")[2] for name in placements(game, action) if name.endswith("regular")]


def take(game):
    """Takes a bonus that may not be left, whether or not the only answer is asked for."""
    if game.decision == "take_bonus":
        assert game.legal_actions() == ["yes"]
        game.step("yes")


# action, season, what allows the action only, what allows the bonus too
CASES = {
    "plant_vine": ("summer", {"hand": {"vine": ["sangiovese"]}}, {"hand": {"vine": ["sangiovese", "malvasia"]}}),
    "harvest_field": (
        "winter",
        {"fields": fields(["sangiovese"], ["malvasia"], harvested=(6,))},
        {"fields": fields(["sangiovese"], ["malvasia"])},
    ),
    "make_wine": (
        "winter",
        {"crush_pad": {"red": [1, 2], "white": []}},
        {"crush_pad": {"red": [1, 2], "white": [1]}},
    ),
    "play_summer_visitor": ("summer", {"hand": {"summer": ["patron"]}}, {"hand": {"summer": ["patron", "surveyor"]}}),
    "play_winter_visitor": (
        "winter",
        {"hand": {"winter": ["politician"]}},
        {"hand": {"winter": ["politician", "craftsman"]}},
    ),
}


@pytest.mark.parametrize("action", CASES)
def test_bonus_space_is_closed_to_who_cannot_use_it(action):
    """Essential, Friendly variant: with a free plain space, the bonus space needs a bonus that is completed."""
    season, single, double = CASES[action]
    assert spaces(friendly(season, single), action) == ["plain"]
    assert spaces(friendly(season, double), action) == ["plain", "bonus"]
    assert spaces(start(3, season, single), action) == ["plain", "bonus"]


@pytest.mark.parametrize("action", CASES)
def test_bonus_space_is_open_when_no_other_is_free(action):
    """Essential, Friendly variant: the last free space of an action may be taken by anybody."""
    season, single, _ = CASES[action]
    game = friendly(season, single, board={action: [at(1)]})
    assert spaces(game, action) == ["bonus"]


@pytest.mark.parametrize(
    "action, season, steps, gain",
    [
        ("give_tour", "summer", [], {"lira": 3}),
        ("sell_grapes_or_field", "summer", ["field:7"], {"lira": 7, "victory_points": 1}),
        ("build_structure", "summer", ["structure:trellis"], {"lira": -1}),
        ("fill_order", "winter", ["card:order:order_04", "wine:red:3", "wine:white:3"], {"victory_points": 3}),
        ("train_worker", "winter", [], {"lira": -3}),
    ],
)
def test_bonus_of_lira_or_points_must_be_taken(action, season, steps, gain):
    """Essential, Friendly variant: who stands on the bonus space completes the bonus, unless it was the last space."""
    game = friendly(season, ABLE)
    take(play(game, place(action, "bonus")))
    play(game, *steps)
    assert game.seat == 1
    before = ABLE | {"victory_points": 0}
    assert {key: seat(game, 0)[key] - before[key] for key in gain} == gain
    last = friendly(season, ABLE, board={action: [at(1)]})
    play(last, place(action, "bonus"))
    assert (last.decision, last.legal_actions()) == ("take_bonus", ["yes", "no"])


def test_bonus_card_must_be_drawn():
    """Essential, Friendly variant: the second card of a draw space belongs to the bonus."""
    game = friendly("summer", {})
    take(play(game, place("draw_vine", "bonus")))
    assert len(seat(game, 0)["hand"]["vine"]) == 2
    assert game.seat == 1


def test_the_second_vine_must_be_planted():
    """Essential, Friendly variant: no stopping after the first vine, and no first vine that leaves no second."""
    own = {"hand": {"vine": ["sangiovese", "malvasia"]}, "fields": fields(sold=(6, 7))}
    game = friendly("summer", own)
    play(game, place("plant_vine", "bonus"), "card:vine:sangiovese", "field:5")
    assert (game.decision, game.legal_actions()) == ("plant_vine", ["card:vine:malvasia"])
    tight = {
        "hand": {"vine": ["malvasia", "merlot"]},
        "structures": ["irrigation"],
        "fields": fields(["merlot"], ["merlot", "pinot"], sold=(7,)),
    }
    assert spaces(friendly("summer", tight), "plant_vine") == ["plain"]


def test_a_first_vine_must_leave_room_for_the_second():
    """Essential, Friendly variant: the bonus is completed, so the first vine goes where the second still fits."""
    own = {
        "hand": {"vine": ["malvasia", "syrah"]},
        "structures": ["trellis", "irrigation"],
        "fields": fields(["merlot"], ["merlot", "syrah"], sold=(7,)),
    }
    game = friendly("summer", own)
    play(game, place("plant_vine", "bonus"), "card:vine:malvasia")
    assert (game.decision, game.legal_actions()) == ("plant_field", ["field:6"])


def test_the_second_field_must_be_harvested():
    """Essential, Friendly variant: no stopping after the first field."""
    game = friendly("winter", {"fields": fields(["sangiovese"], ["malvasia"])})
    play(game, place("harvest_field", "bonus"), "field:5")
    assert (game.decision, game.legal_actions()) == ("harvest_field", ["field:6"])


def test_the_third_wine_must_be_made():
    """Essential, Friendly variant: no stopping before the third token, and no blend that leaves too few grapes."""
    own = {"crush_pad": {"red": [1, 4], "white": [2]}, "structures": ["medium_cellar"]}
    game = friendly("winter", own)
    play(game, place("make_wine", "bonus"))
    assert game.legal_actions() == ["make:red", "make:white"]
    play(game, "make:red", "grape:red:1")
    assert game.legal_actions() == ["make:red", "make:white"]
    play(game, "make:white", "grape:white:2")
    assert game.legal_actions() == ["make:red"]
    play(game, "make:red", "grape:red:4")
    settle(game)
    assert seat(game, 0)["cellar"]["red"] == [1, 4]
    assert game.seat == 1


def test_the_second_visitor_must_be_played():
    """Essential, Friendly variant: with two visitors in hand the second is played if it can be."""
    game = friendly("summer", {"hand": {"summer": ["patron", "surveyor"]}})
    play(game, place("play_summer_visitor", "bonus"), "card:summer:patron", "option:1")
    assert (game.decision, game.legal_actions()) == ("play_visitor", ["card:summer:surveyor"])


def test_a_second_visitor_that_becomes_unplayable_is_let_off():
    """Essential, Friendly variant: two visitors of which one is playable open the space; what follows may fail."""
    own = {"lira": 4, "victory_points": -5, "hand": {"summer": ["entertainer", "broker"]}}
    game = friendly("summer", own)
    assert spaces(game, "play_summer_visitor") == ["plain", "bonus"]
    play(game, place("play_summer_visitor", "bonus"), "card:summer:entertainer", "option:1")
    settle(game)
    assert seat(game, 0)["lira"] == 0
    assert seat(game, 0)["hand"]["summer"] == ["broker"]
    assert game.seat == 1


def test_a_grande_is_bound_by_the_variant_too():
    """Essential, Friendly variant: it speaks of players, not of kinds of workers."""
    game = friendly("summer", {"hand": {"vine": ["sangiovese"]}})
    assert placements(game, "plant_vine") == [place("plant_vine"), place("plant_vine", worker="grande")]
