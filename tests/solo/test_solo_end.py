"""The end of a solo game: how long it lasts, who wins, and what is reported."""

import pytest

import vitienv
from tests.tabletop import place, play, seat, workers

from .positions import PASS, ROWS, cellar, run_to_end, run_to_year_end, start

OUTCOME = pytest.mark.parametrize(
    "vp, outcome, reward, rank", [(21, "win", 1.0, [1]), (20, "draw", 0.0, [1]), (19, "loss", -1.0, [2])]
)


def last_winter(vp, year=7, options=None, own=None, **top):
    """The last winter of a game in which the seat has so many points; the seat passes."""
    game = start("winter", {"victory_points": vp} | (own or {}), options=options, year=year, **top)
    return play(game, PASS)


@OUTCOME
def test_the_points_are_compared_with_the_marker(vp, outcome, reward, rank):
    """Solo, Game end: ahead wins, the same space is a draw, behind loses."""
    game = last_winter(vp)
    assert game.is_over
    assert not game.is_truncated
    assert (game.seat, game.decision, game.legal_actions()) == (None, None, [])
    assert (game.outcome, list(game.rewards), list(game.ranking)) == (outcome, [reward], rank)
    assert (game.scores, game.automa_score) == ([vp], 20)


@OUTCOME
def test_the_reward_of_rank_is_that_of_winning(vp, outcome, reward, rank):
    """With one seat a rank says no more than win, draw or loss."""
    game = last_winter(vp, options={"reward": "rank"})
    assert (list(game.rewards), game.outcome) == ([reward], outcome)


@pytest.mark.parametrize("vp, margin", [(21, 0.05), (20, 0.0), (10, -0.5), (-5, -1.25), (40, 1.0)])
def test_the_margin_is_counted_from_the_marker(vp, margin):
    """The reward by margin: twentieths of the way to the Automa's marker."""
    assert list(last_winter(vp, options={"reward": "margin"}).rewards) == pytest.approx([margin])


@pytest.mark.parametrize("vp, outcome", [(24, "win"), (23, "draw"), (22, "loss")])
def test_very_hard_has_the_marker_further_on(vp, outcome):
    """Difficulty levels, very hard: the Automa starts, and stays, at 23."""
    game = last_winter(vp, options={"difficulty": "very_hard"})
    assert (game.outcome, game.automa_score) == (outcome, 23)


@pytest.mark.parametrize("vp, margin", [(33, 0.5), (23, 0.0), (20, -0.15)])
def test_the_margin_of_very_hard_is_counted_from_23(vp, margin):
    """The reward by margin, where the marker stands elsewhere."""
    game = last_winter(vp, options={"difficulty": "very_hard", "reward": "margin"})
    assert list(game.rewards) == pytest.approx([margin])


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("vp, outcome", [(21, "win"), (20, "draw"), (19, "loss")])
def test_the_other_levels_have_the_marker_at_20(level, vp, outcome):
    """Solo, Setup 1: the marker on the last space of the track."""
    assert last_winter(vp, options={"difficulty": level}).outcome == outcome


def test_the_marker_of_a_position_counts():
    """Positions: the Automa's points are part of a position."""
    assert last_winter(11, automa_points=10).outcome == "win"
    assert last_winter(10, automa_points=10).outcome == "draw"


@pytest.mark.parametrize("year", range(1, 7))
@pytest.mark.parametrize("vp", [0, 20, 35])
def test_twenty_points_do_not_end_the_game(year, vp):
    """Solo, Goal: the end of the seventh year, whatever the score."""
    game = last_winter(vp, year=year)
    assert not game.is_over
    assert (game.decision, game.to_dict()["year"], game.outcome) == ("wake_up", year + 1, None)
    assert list(game.rewards) == [0.0]


def test_points_lost_after_the_goal_are_lost():
    """Solo, Game end: the markers are compared at the end and at no other time."""
    own = {"victory_points": 22, "hand": {"summer": ["broker"]}, "workers": workers(1, 0)}
    game = start("summer", own, year=7)
    run_to_end(play(game, place("play_summer_visitor"), "card:summer:broker", "option:2"))
    assert (game.outcome, game.scores) == ("draw", [20])


def test_very_easy_ends_after_the_eighth_year():
    """Difficulty levels, very easy: one year more."""
    assert not last_winter(30, year=7, options={"difficulty": "very_easy"}).is_over
    game = last_winter(30, year=8, options={"difficulty": "very_easy"})
    assert (game.is_over, game.outcome) == (True, "win")


@pytest.mark.parametrize("level", ["easy", "normal", "hard", "very_hard"])
def test_the_other_levels_end_after_the_seventh_year(level):
    """Solo, Goal: seven years."""
    assert last_winter(5, year=7, options={"difficulty": level}).is_over


def test_there_are_no_tie_breakers():
    """Solo, Game end: the same space is a draw, whatever else there is."""
    rich = {"lira": 60, "cellar": cellar(red=[3], white=[3]), "crush_pad": {"red": [9], "white": [9]}}
    game = last_winter(20, own=rich)
    assert (game.outcome, list(game.rewards), list(game.ranking)) == ("draw", [0.0], [1])


def test_the_last_year_has_its_year_end():
    """Solo, Year end: the usual upkeep, with residual payment, ageing and the hand limit, before the game ends."""
    own = {"residual": 3, "hand": {"order": [f"order_{number:02d}" for number in range(1, 9)]}}
    game = last_winter(25, own=own | {"cellar": cellar(red=[1])})
    assert (game.decision, game.is_over) == ("discard_to_limit", False)
    play(game, "card:order:order_01")
    assert game.is_over
    assert (seat(game)["lira"], seat(game)["cellar"]["red"]) == (3, [2])


def test_while_playing_there_is_a_marker_but_no_outcome():
    """The report of a game that goes on."""
    game = start("summer", {"victory_points": 25})
    assert (game.outcome, game.automa_score, game.is_over) == (None, 20, False)


def test_games_of_other_rulesets_have_no_outcome():
    """Marker and outcome belong to the solo game."""
    game = vitienv.Game.new(num_players=2, seed=1)
    assert (game.outcome, game.automa_score) == (None, None)


def test_a_game_cut_off_has_no_outcome():
    """The limit of years is an option of the environment, not a rule: nothing is decided."""
    game = vitienv.Game.new(ruleset="solo", seed=1, max_years=2)
    run_to_end(game)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, True, None)
    assert list(game.rewards) == [0.0]


def test_a_limit_beyond_the_seventh_year_changes_nothing():
    """Solo, Goal: a game that ends by its rules is not cut off."""
    game = vitienv.Game.new(ruleset="solo", seed=1, max_years=7)
    run_to_end(game)
    assert (game.is_over, game.is_truncated, game.outcome) == (True, False, "loss")


def test_the_last_row_may_bring_the_winning_point():
    """Wake-up chart, row 6, and Solo, Game end: a point counts whenever it is gained."""
    game = start("spring", {"victory_points": 20, "glass_tokens": [6]}, year=7)
    run_to_end(play(game, "wake_up:6"))
    assert (game.outcome, game.scores) == ("win", [21])


# The aggressive variant.

TARGETS = [-1, 0, 1, 4, 8, 13, 20]
AGGRESSIVE = {"aggressive": True}


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
@pytest.mark.parametrize("year, target", list(enumerate(TARGETS, 1)))
def test_a_year_must_end_ahead_of_its_number(level, year, target):
    """Aggressive variant: on the number is not ahead of it; one point more is."""
    options = AGGRESSIVE | {"difficulty": level}
    lost = last_winter(target, year=year, options=options, automa_points=target)
    assert (lost.is_over, lost.outcome, list(lost.rewards), list(lost.ranking)) == (True, "loss", [-1.0], [2])
    assert not lost.is_truncated
    ahead = last_winter(target + 1, year=year, options=options, automa_points=target)
    if year < 7:
        assert (ahead.is_over, ahead.outcome, ahead.decision) == (False, None, "wake_up")
        assert ahead.automa_score == TARGETS[year]
    else:
        assert (ahead.is_over, ahead.outcome, list(ahead.rewards), list(ahead.ranking)) == (True, "win", [1.0], [1])


@pytest.mark.parametrize("year, target", list(enumerate(TARGETS, 1)))
def test_the_marker_stands_on_the_number_of_the_year(year, target):
    """Aggressive variant and positions: placed there at the beginning of each year, so that it need not be said."""
    for season in ("spring", "summer", "winter"):
        game = start(season, {"victory_points": 21}, options=AGGRESSIVE, year=year)
        assert (game.automa_score, game.to_dict()["automa_points"]) == (target, target)


def test_the_marker_moves_on_with_the_years():
    """Aggressive variant: seven numbers in a game that is always ahead."""
    game = start("spring", {"victory_points": 30}, options=AGGRESSIVE, automa_points=-1)
    seen = []
    while not game.is_over:
        seen.append(game.automa_score)
        play(game, next(row for row in ROWS if row in game.legal_actions()))
        assert game.automa_score == seen[-1]
        run_to_year_end(game)
    assert seen == TARGETS
    assert (game.outcome, game.automa_score) == ("win", 20)


@pytest.mark.parametrize("year", [1, 4, 6])
def test_being_behind_loses_at_once(year):
    """Aggressive variant: not only on the number, behind it as well."""
    game = last_winter(-5, year=year, options=AGGRESSIVE | {"reward": "margin"})
    assert (game.is_over, game.outcome, list(game.rewards)) == (True, "loss", [-1.0])


def test_being_behind_during_the_year_does_not_matter():
    """Aggressive variant: the ends of the years count."""
    game = start("spring", {"victory_points": 8}, options=AGGRESSIVE, year=5, automa_points=8)
    assert not play(game, "wake_up:6").is_over
    run_to_year_end(game)
    assert (game.is_over, game.decision, game.automa_score) == (False, "wake_up", 13)


def test_the_margin_of_an_aggressive_win_is_counted_from_the_last_number():
    """The reward by margin, the marker standing on 20 in the last year."""
    game = last_winter(25, options=AGGRESSIVE | {"reward": "margin"})
    assert list(game.rewards) == pytest.approx([0.25])


def test_the_game_is_played_by_points_at_the_end_without_the_variant():
    """Aggressive variant: off unless asked for."""
    assert not last_winter(-5, year=6).is_over
