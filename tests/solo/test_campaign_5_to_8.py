"""The last four challenges of the campaign: the tweak, its boundary, and that the rest stays."""

import pytest

import vitienv
from tests.tabletop import CELLARS, WINTER_ACTIONS, hand_sizes, place, placements, play, points, seat, workers
from vitienv.viticulture.cards.mamas import MAMAS

from .positions import (
    ABLE,
    PASS,
    ROWS,
    begin,
    blocked,
    cellar,
    run_to_end,
    run_to_winter,
    run_to_year_end,
    start,
    tokens,
)

# 5: eight years, any row, no tokens.

FIFTH = {"challenge": 5}


def test_5_any_row_in_any_year():
    """Campaign 5: the same row may be chosen again and again."""
    game = begin(challenge=5)
    for _ in range(8):
        assert game.legal_actions() == ROWS
        play(game, "wake_up:6")
        assert tokens(game) == 0
        run_to_year_end(game)
    assert (game.is_over, points(game)) == (True, 8)


def test_5_no_token_is_asked_for():
    """Campaign 5: bonus action tokens cannot be used."""
    game = play(start("spring", options=FIFTH, automa_deck=["automa_16"]), "wake_up:1", place("give_tour"))
    assert (game.decision, seat(game)["lira"]) == ("place_worker", 2)


def test_5_nothing_is_payable_with_a_token():
    """Campaign 5: without tokens no lira comes from one."""
    game = play(start("spring", {"lira": 1}, options=FIFTH, automa_deck=["automa_16"]), "wake_up:1")
    assert placements(game, "build_structure") == []


@pytest.mark.parametrize("vp, outcome", [(21, "win"), (20, "draw"), (19, "loss")])
def test_5_the_eighth_year_is_the_last(vp, outcome):
    """Campaign 5: eight years, then points as ever."""
    seventh = play(start("winter", {"victory_points": vp}, options=FIFTH, year=7), PASS)
    assert (seventh.is_over, seventh.decision) == (False, "wake_up")
    eighth = play(start("winter", {"victory_points": vp}, options=FIFTH, year=8), PASS)
    assert (eighth.is_over, eighth.outcome) == (True, outcome)


@pytest.mark.parametrize("vp, year, outcome", [(20, 7, "loss"), (21, 7, None), (20, 8, "loss"), (21, 8, "win")])
def test_5_the_aggressive_variant_keeps_its_last_number(vp, year, outcome):
    """Campaign 5 with the aggressive variant: its table ends with year 7; the eighth year has 20 again."""
    options = FIFTH | {"aggressive": True}
    game = start("winter", {"victory_points": vp}, options=options, year=year)
    assert game.automa_score == 20
    assert (play(game, PASS).outcome, game.automa_score) == (outcome, 20)


def test_5_the_automa_plays_as_ever():
    """Campaign: like normal except for the tweak."""
    game = play(start("spring", options=FIFTH, automa_deck=["automa_02"]), "wake_up:1")
    assert blocked(game) == {"draw_vine", "build_structure", "plant_vine"}
    assert game.automa_score == 20


# 6: points for wine at the end only.

SIXTH = {"challenge": 6}


def test_6_a_row_gives_no_point():
    """Campaign 6: no points during the game."""
    assert points(play(start("spring", options=SIXTH), "wake_up:6")) == 0


def test_6_an_order_gives_its_payment_only():
    """Campaign 6: the points of an order and of the bonus do not count; the residual payment does."""
    own = {"hand": {"order": ["order_04"]}, "cellar": cellar(red=[1], white=[3]), "bonus_tokens": 1}
    game = start("winter", own, options=SIXTH)
    play(game, place("fill_order"), "yes", "card:order:order_04", "wine:red:1", "wine:white:3")
    assert (points(game), seat(game)["residual"], tokens(game)) == (0, 1, 0)
    assert seat(game)["cellar"] == cellar()


def test_6_structures_give_no_points():
    """Campaign 6: windmill and tasting room are points like others."""
    own = {"structures": ["windmill", "tasting_room"], "hand": {"vine": ["malvasia"]}, "cellar": cellar(red=[1])}
    game = start("summer", own, options=SIXTH)
    play(game, place("plant_vine"), "card:vine:malvasia", "field:5", place("give_tour"))
    assert (points(game), seat(game)["lira"]) == (0, 2)


def test_6_visitors_give_no_points():
    """Campaign 6: what a visitor gives besides points is given."""
    own = {"hand": {"summer": ["buyer"]}, "crush_pad": {"red": [4], "white": []}}
    game = start("summer", own, options=SIXTH)
    play(game, place("play_summer_visitor"), "card:summer:buyer", "option:2", "grape:red:4")
    assert (points(game), seat(game)["lira"]) == (0, 2)


def test_6_points_may_still_be_lost():
    """Campaign 6: not scoring is not the same as not paying."""
    game = start("summer", {"hand": {"summer": ["broker"]}}, options=SIXTH)
    play(game, place("play_summer_visitor"), "card:summer:broker", "option:2")
    assert (points(game), seat(game)["lira"]) == (-2, 6)


def final_points(wines, structures=CELLARS, vp=0, options=None):
    """The points after the last year of a seat with those wines."""
    own = {"structures": list(structures), "cellar": cellar(**wines), "victory_points": vp}
    game = play(start("winter", own, options=SIXTH | (options or {}), year=7), PASS)
    assert game.is_over
    return game.scores[0]


@pytest.mark.parametrize(
    "wines, vp",
    [
        ({}, 0),
        ({"red": [1]}, 0),
        ({"red": [4]}, 2),
        ({"red": [8]}, 4),
        ({"white": [4, 5]}, 4),
        ({"blush": [4]}, 2),
        ({"blush": [9]}, 4),
        ({"sparkling": [7, 9]}, 8),
        ({"red": [1, 4, 8], "white": [1, 7], "blush": [5], "sparkling": [9]}, 16),
    ],
)
def test_6_wine_scores_by_its_cellar_at_the_end(wines, vp):
    """Campaign 6: each wine of the large cellar, each of the medium one, none for the small one; all four kinds."""
    assert final_points(wines) == vp


def test_6_wine_ages_before_it_is_counted():
    """Campaign 6 and Year end: the end of the game comes after the upkeep of the last year."""
    assert final_points({"red": [3]}) == 2
    assert final_points({"red": [6]}) == 4
    assert final_points({"red": [6]}, ["medium_cellar"]) == 2
    assert final_points({"red": [3]}, []) == 0


def test_6_wine_is_added_to_what_was_lost():
    """Campaign 6: points below zero count against the wine."""
    assert final_points({"red": [8]}, vp=-3) == 1


@pytest.mark.parametrize(
    "options, vp",
    [
        ({"large_wine_vp": 3}, 3 + 2),
        ({"medium_wine_vp": 1}, 4 + 1),
        ({"large_wine_vp": 5, "medium_wine_vp": 3}, 8),
        ({"medium_wine_vp": 0}, 4),
    ],
)
def test_6_the_points_for_wine_can_be_changed(options, vp):
    """Campaign 6: both numbers are lost, so that they are options."""
    assert final_points({"red": [8], "white": [4]}, options=options) == vp


@pytest.mark.parametrize(
    "wines, options, outcome",
    [
        ({"red": [7, 8, 9], "white": [8, 9]}, {}, "draw"),
        ({"red": [7, 8, 9], "white": [8, 9], "blush": [4]}, {}, "win"),
        ({"red": [7, 8, 9], "white": [8, 9], "blush": [4]}, {"large_wine_vp": 3}, "loss"),
    ],
)
def test_6_the_wine_decides_the_game(wines, options, outcome):
    """Campaign 6: the points of the end are compared with the marker."""
    own = {"structures": CELLARS, "cellar": cellar(**wines)}
    game = play(start("winter", own, options=SIXTH | options, year=7), PASS)
    assert (game.outcome, list(game.rewards)) == (outcome, [{"win": 1.0, "draw": 0.0, "loss": -1.0}[outcome]])


def test_6_earlier_years_count_no_wine():
    """Campaign 6: at the end of the game, not of each year."""
    own = {"structures": CELLARS, "cellar": cellar(red=[9])}
    assert points(play(start("winter", own, options=SIXTH, year=6), PASS)) == 0


def test_6_without_the_challenge_wine_scores_nothing_at_the_end():
    """Solo, Game end: points are those of the track."""
    own = {"structures": CELLARS, "cellar": cellar(red=[9]), "victory_points": 3}
    assert play(start("winter", own, year=7), PASS).scores == [3]


# 7: two other numbers at the start.


@pytest.mark.parametrize(
    "options, vp, lira", [({}, -2, 0), ({"start_vp": -4}, -4, 0), ({"start_lira": 4}, -2, 4), ({"start_vp": 1}, 1, 0)]
)
def test_7_points_and_lira_of_the_start_are_others(options, vp, lira):
    """Campaign 7: both icons are lost, so that both numbers are options; the parents' lira do not count."""
    for seed in range(6):
        game = begin(seed, challenge=7, **options)
        assert (points(game), seat(game)["lira"]) == (vp, lira)


def test_7_the_gift_is_kept_but_its_lira_are_not():
    """Campaign 7: structures, workers and cards are those of the parents."""
    gifts = set()
    for seed in range(30):
        game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=7)
        assert game.decision == "papa_gift"
        play(game, "option:1")
        own = seat(game)
        gifts |= set(own["structures"])
        assert own["lira"] == 0
        assert own["victory_points"] in (-2, -1)
        assert sum(hand_sizes(game).values()) in (2, 3)
    assert len(gifts) >= 4


def test_7_the_rest_stays():
    """Campaign: like normal except for the tweak."""
    game = begin(challenge=7)
    assert (game.automa_score, game.legal_actions()) == (20, ROWS)
    play(game, "wake_up:4")
    assert (seat(game)["lira"], tokens(game)) == (1, 1)


# 8: no orders.

EIGHTH = {"challenge": 8}


def test_8_no_order_is_filled():
    """Campaign 8: the action is closed, with a wine that would do."""
    assert place("fill_order") in start("winter", ABLE).legal_actions()
    game = start("winter", ABLE, options=EIGHTH)
    open_actions = {action for action in WINTER_ACTIONS if placements(game, action)}
    assert open_actions == set(WINTER_ACTIONS) - {"fill_order"}


@pytest.mark.parametrize(
    "card, filling", [("merchant", 2), ("marketer", 2), ("exporter", 2), ("jack_of_all_trades", 3)]
)
def test_8_no_visitor_fills_an_order(card, filling):
    """Campaign 8: the visitors' ways are closed as well; what else they offer is not."""
    hand = ABLE["hand"] | {"winter": [card]}
    own = ABLE | {"hand": hand, "crush_pad": {"red": [2], "white": [2]}}
    offered = []
    for options in ({}, EIGHTH):
        game = start("winter", own, options=options)
        play(game, place("play_winter_visitor"), f"card:winter:{card}")
        offered.append(game.legal_actions())
    assert f"option:{filling}" in offered[0]
    assert offered[1] == [option for option in offered[0] if option != f"option:{filling}"]


def test_8_the_master_vintner_only_builds():
    """Campaign 8: its other branch needs an order to be filled, so it is closed altogether."""
    hand = {"hand": ABLE["hand"] | {"winter": ["master_vintner"]}, "cellar": cellar(red=[1], white=[3])}
    for options, expected in (({}, ["option:1", "option:2"]), (EIGHTH, ["option:1"])):
        game = start("winter", ABLE | hand, options=options)
        play(game, place("play_winter_visitor"), "card:winter:master_vintner")
        assert game.legal_actions() == expected


def test_8_wine_brings_points_in_other_ways():
    """Campaign 8: wine can be used for points in all other ways."""
    own = {"hand": {"winter": ["judge"]}, "structures": CELLARS, "cellar": cellar(red=[4])}
    game = start("winter", own, options=EIGHTH)
    play(game, place("play_winter_visitor"), "card:winter:judge", "option:2", "wine:red:4")
    assert (points(game), seat(game)["cellar"]) == (3, cellar())


def test_8_orders_may_be_drawn_and_blocked():
    """Campaign 8: only the filling is forbidden."""
    game = start("spring", {"lira": 0}, options=EIGHTH, automa_deck=["automa_16"])
    play(game, "wake_up:3")
    assert hand_sizes(game)["order"] == 1
    game = run_to_winter(start("summer", options=EIGHTH, automa_deck=["automa_24"]))
    assert blocked(game) == {"make_wine", "fill_order"}


def test_8_a_planned_order_is_lost():
    """Campaign 8: however the action is reached."""
    board = {"fill_order": [{"space": "plain", "seat": 0, "worker": "regular"}]}
    game = run_to_winter(start("summer", ABLE, options=EIGHTH, board=board, automa_deck=["automa_01"]))
    assert (game.decision, seat(game)["hand"]["order"]) == ("place_worker", ["order_04"])


def eighth(seed, answer):
    """A game of the eighth challenge in which every mama with orders is answered alike, and how often that was."""
    game = vitienv.Game.new(ruleset="solo", seed=seed, challenge=8)
    asked = 0
    while game.decision == "redraw_mama":
        assert (game.seat, game.legal_actions()) == (0, ["yes", "no"])
        asked += 1
        play(game, answer)
    assert game.decision == "papa_gift"
    return asked, game


def test_8_a_mama_with_orders_may_be_redrawn():
    """Campaign 8: again and again, until one without orders comes; a mama without orders is not in question."""
    counts = []
    for seed in range(40):
        asked, game = eighth(seed, "yes")
        counts.append(asked)
        assert hand_sizes(game)["order"] == 0
        assert sum(hand_sizes(game).values()) in (2, 3)
        assert seat(game)["workers"] == workers()
    assert 0 in counts
    assert max(counts) >= 2


def test_8_a_mama_with_orders_may_be_kept():
    """Campaign 8: redrawing is a choice."""
    kept = 0
    for seed in range(40):
        asked, game = eighth(seed, "no")
        assert asked in (0, 1)
        assert (hand_sizes(game)["order"] > 0) == (asked == 1)
        kept += asked
    assert 0 < kept < 40


def test_8_a_redrawn_mama_leaves_nothing_behind():
    """Campaign 8: her cards and lira do not come; every papa adds 6 or 7 lira, two mamas another 2."""
    for seed in range(40):
        _, game = eighth(seed, "yes")
        play(game, "option:2")
        assert seat(game)["lira"] in (6, 7, 8, 9)
        record = game.to_dict()
        (mama,) = (mama for mama in MAMAS if [mama.id] == record["seats"][0]["mamas"])
        assert hand_sizes(game) == {deck: getattr(mama, deck) for deck in hand_sizes(game)} and mama.order == 0
        assert not any(record["discards"].values())
        assert vitienv.Game.from_dict(record) == game


def test_only_the_eighth_challenge_asks_about_the_mama():
    """Campaign 8: nothing of the kind elsewhere."""
    for challenge in (None, 2, 4, 7):
        for seed in range(15):
            assert vitienv.Game.new(ruleset="solo", seed=seed, challenge=challenge).decision == "papa_gift"


def test_8_the_rest_stays():
    """Campaign: like normal except for the tweak."""
    game = begin(challenge=8)
    assert (game.automa_score, game.legal_actions()) == (20, ROWS)
    run_to_end(game)
    assert game.outcome == "loss"


@pytest.mark.parametrize("challenge", [1, 3, 4, 6, 7, 8])
def test_a_challenge_after_losses_starts_with_tokens(challenge):
    """Campaign play: as many bonus action tokens as losses in a row, where tokens are of any use."""
    assert tokens(begin(challenge=challenge, bonus_tokens=2)) == 2


@pytest.mark.parametrize("challenge", [1, 3, 4, 6, 7, 8])
def test_a_challenge_may_be_played_at_any_level(challenge):
    """Campaign play and Difficulty levels: two adjustments that do not exclude each other."""
    game = begin(challenge=challenge, difficulty="very_hard")
    assert game.automa_score == 23
    assert play(game, "wake_up:1").automa_score == 23
