"""Visitors that involve others: in a solo game only the own part is carried out."""

import pytest

from tests.tabletop import ALL_STRUCTURES, hand_sizes, place, placements, play, points, seat, workers

from .positions import PASS, cellar, fields, own, start


def played(card, of_season, own_seat=None, **top):
    """The game right after that card was played from a hand that holds nothing else of its kind."""
    own_seat = dict(own_seat or {})
    own_seat["hand"] = own_seat.get("hand", {}) | {of_season: [card]}
    game = start(of_season, own_seat, **top)
    return play(game, place(f"play_{of_season}_visitor"), f"card:{of_season}:{card}")


def back(game):
    """The card is done: the seat is at its next turn."""
    assert (game.decision, game.seat) == ("place_worker", 0)
    return game


@pytest.mark.parametrize("structure, price", [("trellis", 0), ("irrigation", 1), ("medium_cellar", 2), ("windmill", 3)])
def test_handyman_builds_for_two_less_and_scores_nothing(structure, price):
    """Handyman, ruling 9.8: the own building stays; points come only from others."""
    game = played("handyman", "summer", {"lira": 4})
    assert (game.decision, game.legal_actions()) == ("offer", ["yes", "no"])
    back(play(game, "yes", f"structure:{structure}"))
    assert (seat(game)["structures"], seat(game)["lira"], points(game)) == ([structure], 4 - price, 0)


def test_handyman_may_be_declined():
    """Handyman: the own building is optional."""
    game = back(play(played("handyman", "summer", {"lira": 4}), "no"))
    assert (seat(game)["structures"], seat(game)["lira"], points(game)) == ([], 4, 0)


def test_volunteer_crew_plants_and_pays_nothing():
    """Volunteer Crew, ruling 9.8: the own planting stays; lira come only from others."""
    game = played("volunteer_crew", "summer", {"hand": {"vine": ["malvasia"]}})
    assert (game.decision, game.legal_actions()) == ("offer", ["yes", "no"])
    back(play(game, "yes", "card:vine:malvasia", "field:7"))
    assert (seat(game)["fields"][2]["vines"], seat(game)["lira"]) == (["malvasia"], 0)


def test_mentor_makes_wine_and_draws_nothing():
    """Mentor, ruling 9.8: the own wine stays; cards come only from others."""
    game = played("mentor", "winter", {"crush_pad": {"red": [1, 2, 3], "white": []}})
    assert (game.decision, game.legal_actions()) == ("offer", ["yes", "no"])
    back(play(game, "yes", "make:red", "grape:red:2", "make:red", "grape:red:3"))
    assert seat(game)["cellar"]["red"] == [2, 3]
    assert sum(hand_sizes(game).values()) == 0


def test_guest_speaker_trains_for_one_lira_and_scores_nothing():
    """Guest Speaker, ruling 9.8: the own training stays; points come only from others."""
    game = played("guest_speaker", "winter", {"lira": 1})
    assert (game.decision, game.legal_actions()) == ("offer", ["yes", "no"])
    back(play(game, "yes"))
    assert (seat(game)["trained_this_year"], seat(game)["lira"], points(game)) == (1, 0, 0)


def test_motivator_takes_back_the_own_grande_and_scores_nothing():
    """Motivator, ruling 9.8: the own grande comes back; points come only from others."""
    away = {"gain_lira": [own("grande")]}
    game = played("motivator", "winter", {"workers": workers(2, 0)}, board=away)
    assert (game.decision, game.legal_actions()) == ("offer", ["yes", "no"])
    back(play(game, "yes"))
    assert (seat(game)["workers"], points(game)) == (workers(1, 1), 0)
    assert "gain_lira" not in game.to_dict()["board"]


def test_motivator_may_take_back_the_grande_that_played_it():
    """Motivator: the grande on the visitor action itself as well."""
    game = start("winter", {"hand": {"winter": ["motivator"]}})
    play(game, place("play_winter_visitor", "plain", "grande"), "card:winter:motivator", "yes")
    assert seat(back(game))["workers"] == workers(2, 1)
    assert "play_winter_visitor" not in game.to_dict()["board"]


def test_vendor_draws_three_cards_without_a_question():
    """Vendor, ruling 9.8: vine, order and winter visitor; the summer visitors are the others' part."""
    game = back(played("vendor", "summer"))
    assert hand_sizes(game) == {"vine": 1, "order": 1, "summer": 0, "winter": 1}


def test_banker_brings_five_lira_without_a_question():
    """Banker, ruling 9.8: nobody else is there to be offered anything."""
    game = back(played("banker", "summer"))
    assert (seat(game)["lira"], points(game)) == (5, 0)


def test_importer_draws_three_winter_visitors():
    """Importer, ruling 9.7: kept, and nobody can prevent the draw."""
    game = back(played("importer", "summer"))
    assert hand_sizes(game) == {"vine": 0, "order": 0, "summer": 0, "winter": 3}


def test_uncertified_teacher_finds_no_opponents():
    """Uncertified Teacher: a point for every opponent with six workers, of whom there is none."""
    game = played("uncertified_teacher", "winter", {"workers": workers(5, 1), "victory_points": 2})
    # With a full staff of one's own there is no room to train.
    assert (game.decision, game.legal_actions()) == ("choose_option", ["option:2"])
    assert points(back(play(game, "option:2"))) == 2


def test_uncertified_teacher_still_trains_for_a_point():
    """Uncertified Teacher: the branch that concerns only the own staff."""
    game = back(play(played("uncertified_teacher", "winter"), "option:1"))
    assert (points(game), seat(game)["trained_this_year"]) == (-1, 1)


@pytest.mark.parametrize(
    "wines, taken, score",
    [
        ({"red": [3]}, "wine:red:3", 2),
        ({"red": [3], "white": [2]}, "wine:red:3", 2),
        ({"red": [3], "white": [3]}, "wine:red:3", 0),
        ({"red": [3], "white": [2]}, "wine:white:2", 0),
    ],
)
def test_taster_compares_with_the_own_cellar(wines, taken, score):
    """Taster: only the own cellar is on the table, and it counts."""
    game = back(play(played("taster", "winter", {"cellar": cellar(**wines)}), taken))
    assert (seat(game)["lira"], points(game)) == (4, score)


@pytest.mark.parametrize(
    "card, of_season, cannot",
    [
        ("handyman", "summer", {"lira": 9, "structures": ALL_STRUCTURES}),
        ("volunteer_crew", "summer", {"hand": {"vine": ["pinot"]}}),
        ("mentor", "winter", {"lira": 9}),
        ("guest_speaker", "winter", {"lira": 0}),
        ("guest_speaker", "winter", {"lira": 9, "workers": workers(5, 1)}),
    ],
)
def test_a_card_for_everybody_needs_the_seat_to_use_it(card, of_season, cannot):
    """Playing visitors: with nobody else at the table, somebody means the seat itself."""
    cannot = dict(cannot)
    cannot["hand"] = cannot.get("hand", {}) | {of_season: [card]}
    game = start(of_season, cannot)
    assert placements(game, f"play_{of_season}_visitor") == []


def test_cards_for_oneself_are_unchanged():
    """Solo, Gameplay: whatever the Automa rules do not mention is as in every game."""
    game = start("summer", {"hand": {"summer": ["contractor"], "vine": ["sangiovese"]}, "lira": 2})
    play(game, place("play_summer_visitor"), "card:summer:contractor", "option:1", "option:3")
    play(game, "card:vine:sangiovese", "field:5")
    assert (points(back(game)), seat(game)["fields"][0]["vines"]) == (1, ["sangiovese"])
    reaper = {"hand": {"winter": ["reaper"]}, "fields": fields(["sangiovese"], ["malvasia"], ["syrah"])}
    game = start("winter", reaper)
    play(game, place("play_winter_visitor"), "card:winter:reaper", "field:5", "field:6", "field:7")
    assert points(back(game)) == 2
    assert PASS in game.legal_actions()
