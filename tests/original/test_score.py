"""Points: no more than 25 and no fewer than -5, what ends the game, and who has won."""

import pytest

from tests.table.facts import CELLARS, place, placements, play, points, run_to_year_end, seat

from .positions import EMPTY_CELLAR, NOBODY, both_presets, lira, start

SUMMER = place("play_summer_visitor")
SUMMER_AGAIN = place("play_summer_visitor", "crowd", "grande")
WINTER = place("play_winter_visitor")


def finish(*seats, **top):
    """The game after a winter in which everybody passes."""
    return run_to_year_end(start(len(seats), "winter", *seats, **top))


# The most and the least.


@both_presets
@pytest.mark.parametrize("before, after", [(21, 24), (22, 25), (23, 25), (24, 25)])
def test_points_stop_at_twenty_five(before, after, preset):
    """Original, row 60: a gain of 3 that would go past 25 ends there."""
    own = {"victory_points": before, "lira": 9, "hand": {"summer": ["broker"]}}
    game = start(2, "summer", own, preset=preset)
    play(game, SUMMER, "card:summer:broker", "option:1")
    assert (points(game), lira(game), game.scores) == (after, 0, [after, 0])


@both_presets
def test_points_past_twenty_five_are_not_kept_for_later(preset):
    """Original, row 60: a loss counts from 25, not from what would have been there."""
    own = {"victory_points": 24, "lira": 9, "hand": {"summer": ["broker", "uncertified_broker"]}}
    game = start(2, "summer", own, NOBODY, preset=preset)
    play(game, SUMMER, "card:summer:broker", "option:1")
    play(game, SUMMER_AGAIN, "card:summer:uncertified_broker", "option:1")
    assert (points(game), lira(game)) == (22, 9)


@both_presets
def test_a_loss_makes_room_for_a_gain(preset):
    """Original, row 60: from 25 down by 2 and up by 3 is 25 again."""
    own = {"victory_points": 25, "lira": 3, "hand": {"summer": ["broker", "uncertified_broker"]}}
    game = start(2, "summer", own, NOBODY, preset=preset)
    play(game, SUMMER, "card:summer:broker", "option:2")
    assert (points(game), lira(game)) == (23, 9)
    play(game, SUMMER_AGAIN, "card:summer:uncertified_broker", "option:2")
    assert (points(game), lira(game)) == (25, 3)


@both_presets
def test_every_source_of_points_stops_at_twenty_five(preset):
    """Original, row 60: wake-up row, windmill, tasting room, orders and their bonus; what gives a point stays open."""
    spring = start(2, "spring", {"victory_points": 25}, preset=preset)
    play(spring, "wake_up:6")
    assert (points(spring), spring.seat) == (25, 1)
    own = {"victory_points": 25, "structures": ["windmill", "tasting_room"], "hand": {"vine": ["malvasia"]}}
    game = start(2, "summer", own, NOBODY, preset=preset)
    play(game, place("plant_vine"), "card:vine:malvasia", "field:5", place("give_tour"))
    assert (points(game), lira(game)) == (25, 2)
    own = {"victory_points": 24, "hand": {"order": ["order_04"]}, "cellar": EMPTY_CELLAR | {"red": [1], "white": [3]}}
    order = start(3, "winter", own, preset=preset)
    play(order, place("fill_order", "bonus"), "yes", "card:order:order_04", "wine:red:1", "wine:white:3")
    assert (points(order), seat(order)["residual"], order.seat) == (25, 1, 1)


def test_an_order_across_twenty_five():
    """Original, row 60: six points at 22 are three; the residual payment is not touched by that."""
    own = {
        "victory_points": 22,
        "structures": CELLARS,
        "hand": {"order": ["order_36"]},
        "cellar": EMPTY_CELLAR | {"white": [2], "sparkling": [8]},
    }
    game = play(start(2, "winter", own), place("fill_order"), "card:order:order_36", "wine:white:2", "wine:sparkling:8")
    assert (points(game), seat(game)["residual"]) == (25, 2)


def test_points_given_by_opponents_stop_as_well():
    """Original, row 60: Handyman and its point for an opponent who builds."""
    own = {"victory_points": 25, "hand": {"summer": ["handyman"]}}
    game = start(2, "summer", own, NOBODY)
    play(game, SUMMER, "card:summer:handyman", "no", "yes", "structure:yoke")
    assert (points(game), seat(game, 1)["structures"]) == (25, ["yoke"])


@pytest.mark.parametrize("score, possible", [(25, True), (26, False), (-5, True), (-6, False)])
def test_no_position_beyond_the_limits(score, possible):
    """Original, rows 60 and 61: 25 and -5 are the ends of the track in use."""
    if possible:
        assert points(start(2, "summer", {"victory_points": score})) == score
    else:
        with pytest.raises(ValueError):
            start(2, "summer", {"victory_points": score})


@both_presets
def test_twenty_five_does_not_end_the_year(preset):
    """Original, rows 59 and 60: the year is played to its end, whatever was reached."""
    own = {"victory_points": 24, "lira": 9, "hand": {"summer": ["broker"]}}
    game = start(2, "summer", own, preset=preset)
    play(game, SUMMER, "card:summer:broker", "option:1")
    assert not game.is_over
    assert (game.decision, game.seat) == ("place_worker", 1)
    run_to_year_end(game)
    assert game.is_over
    assert (game.scores, game.ranking) == ([25, 0], [1, 2])


def test_a_neighbour_at_minus_five_loses_no_point_to_the_queen():
    """Original, row 61: money or cards, or the card is not played at all."""
    own = {"hand": {"winter": ["queen"]}}
    game = start(2, "winter", own, {"victory_points": -5, "lira": 3})
    play(game, WINTER, "card:winter:queen")
    assert (game.decision, game.seat, game.legal_actions()) == ("queen", 1, ["option:3"])
    assert placements(start(2, "winter", own, {"victory_points": -5}), "play_winter_visitor") == []


# The end of the game.


@both_presets
def test_two_at_the_limit_are_tied(preset):
    """Original, rows 60 and 62: who would have had more is not ahead; the tiebreakers decide."""
    own = {"victory_points": 24, "lira": 10, "hand": {"summer": ["broker"]}}
    game = start(2, "summer", own, {"victory_points": 25, "lira": 2}, preset=preset)
    play(game, SUMMER, "card:summer:broker", "option:1", "pass")
    assert (points(game), lira(game)) == (25, 1)
    run_to_year_end(game)
    assert (game.scores, game.ranking) == ([25, 25], [2, 1])


# Orders and residual payments, which are as in the Essential Edition.


def test_promoter_gives_its_point_at_a_residual_of_five():
    """Original, rows 57 and 68: the card is the later printing's, with residual payment; past 5 it is lost."""
    for residual, after in ((2, 3), (5, 5)):
        own = {"residual": residual, "hand": {"winter": ["promoter"]}, "crush_pad": {"red": [4], "white": []}}
        game = play(start(2, "winter", own), WINTER, "card:winter:promoter", "option:1", "grape:red:4")
        assert (points(game), seat(game)["residual"]) == (1, after)
