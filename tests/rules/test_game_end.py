"""The end of the game: when it comes, who wins, ties, and the limit of years."""

import pytest

import vitienv
from tests.table.facts import place, play, run_to, run_to_year_end, seat, workers

from .positions import start as start_position

EMPTY = {"red": [], "white": [], "blush": [], "sparkling": []}


def start(num_players, season, *seats, **top):
    """A position in which every place has a reward of its own."""
    return start_position(num_players, season, *seats, options={"reward": "rank"}, **top)


def places(game):
    """The places of the seats; the rewards, which the engine makes from its own ranks, must agree with them."""
    rewards = game.rewards
    assert [1 + sum(other > own for other in rewards) for own in rewards] == list(game.ranking)
    return list(game.ranking)


def finish(*seats, num_players=None, **top):
    """The game after a winter in which everybody passes."""
    game = start(num_players or len(seats), "winter", *seats, **top)
    run_to_year_end(game)
    return game


@pytest.mark.parametrize("points, over", [(19, False), (20, True), (21, True), (35, True)])
def test_twenty_points_end_the_game_with_the_year(points, over):
    """Essential, Goal and End game: reaching or passing 20 ends the game when the year is over."""
    game = start(2, "winter", {"victory_points": points}, {"victory_points": 3})
    assert not game.is_over
    play(game, "pass")
    assert not game.is_over
    play(game, "pass")
    assert game.is_over == over
    if over:
        assert (game.seat, game.decision, game.legal_actions()) == (None, None, [])
        assert list(game.scores) == [points, 3]
        assert places(game) == [1, 2]
    else:
        assert game.decision == "wake_up"


def test_any_player_can_end_the_game():
    """Essential, Goal: any player's 20 points, not only the leader's turn or the marker's holder."""
    game = finish({"victory_points": 5}, {"victory_points": 7}, {"victory_points": 20})
    assert game.is_over
    assert places(game) == [3, 2, 1]


def test_the_year_is_played_to_its_end():
    """Essential, Goal: the year in which 20 is reached goes on, and somebody else may win it."""
    own = {"victory_points": 19, "cellar": EMPTY | {"red": [3]}, "hand": {"order": ["order_04"]}}
    rival = {
        "victory_points": 18,
        "cellar": EMPTY | {"red": [2], "white": [2]},
        "hand": {"order": ["order_02"]},
    }
    game = start(3, "winter", {"victory_points": 20}, own, rival)
    play(game, "pass", "pass", place("fill_order", "bonus"), "yes", "card:order:order_02", "wine:red:2", "wine:white:2")
    play(game, "pass")
    assert game.is_over
    assert list(game.scores) == [20, 19, 21]
    assert places(game) == [2, 3, 1]
    early = start(2, "summer", {"victory_points": 20})
    play(early, "pass", "pass")
    assert (early.is_over, early.decision) == (False, "choose_deck")
    play(early, "deck:summer", "deck:winter")
    assert (early.decision, early.to_dict()["season"]) == ("place_worker", "winter")


def test_there_is_no_limit_to_points():
    """Essential, Goal: 20 may be exceeded without limit."""
    game = start(3, "summer", {"victory_points": 60, "crush_pad": {"red": [1], "white": []}})
    play(game, place("sell_grapes_or_field", "bonus"), "yes", "grape:red:1")
    assert seat(game, 0)["victory_points"] == 61


def test_reaching_twenty_counts_even_if_points_are_lost_again():
    """Essential, Goal and End game: the goal is reached at any time of the year; a later loss does not undo it."""
    own = {"victory_points": 19, "hand": {"summer": ["broker"]}}
    game = start(2, "spring", own, {"workers": workers(0, 0)})
    play(game, "wake_up:6", "wake_up:1")
    assert game.to_dict()["goal_reached"]
    play(game, place("play_summer_visitor"), "card:summer:broker", "option:2")
    assert seat(game, 0)["victory_points"] == 18
    run_to_year_end(game)
    assert game.is_over
    assert list(game.scores) == [18, 0]


def test_a_reached_goal_is_part_of_a_position():
    """Essential, Goal: what has been reached this year is remembered."""
    assert finish({"victory_points": 18}, {}, goal_reached=True).is_over
    assert not finish({"victory_points": 18}, {}).is_over


def test_the_last_year_end_is_played():
    """Essential, End game: the game finishes after the steps of the year end; residual lira break a tie."""
    game = finish({"victory_points": 20, "lira": 4}, {"victory_points": 20, "residual": 5})
    assert game.is_over
    assert [seat(game, k)["lira"] for k in range(2)] == [4, 5]
    assert places(game) == [2, 1]


def test_hands_are_cut_in_the_last_year_too():
    """Essential, End game: after the year-end steps, the hand limit being one of them."""
    hand = {"order": [f"order_{number:02d}" for number in range(1, 9)]}
    game = finish({"victory_points": 20, "hand": hand}, {})
    assert (game.decision, game.is_over) == ("discard_to_limit", False)
    play(game, "card:order:order_01")
    assert game.is_over


def test_tie_is_broken_by_lira_first():
    """Essential, End game, tiebreaker 1: most lira, before any wine or grape."""
    richest_cellar = {"victory_points": 20, "lira": 2, "cellar": EMPTY | {"red": [3], "white": [3]}}
    game = finish(richest_cellar, {"victory_points": 20, "lira": 3})
    assert places(game) == [2, 1]


def test_tie_is_broken_by_wine_next():
    """Essential, End game, tiebreaker 2: total value of wine, all types, before any grape."""
    first = {"victory_points": 20, "crush_pad": {"red": [8], "white": [8]}, "cellar": EMPTY | {"red": [3]}}
    second = {"victory_points": 20, "cellar": EMPTY | {"red": [3], "white": [1]}}
    game = finish(first, second)
    assert places(game) == [2, 1]


def test_tie_is_broken_by_the_value_and_not_the_number_of_wines():
    """Essential, End game, tiebreaker 2: values are added."""
    many = {"victory_points": 20, "cellar": EMPTY | {"red": [2, 3], "white": [2, 3]}}
    one = {
        "victory_points": 20,
        "structures": ["medium_cellar", "large_cellar"],
        "cellar": EMPTY | {"sparkling": [9], "blush": [4]},
    }
    game = finish(many, one)
    assert places(game) == [2, 1]


def test_tie_is_broken_by_grapes_last():
    """Essential, End game, tiebreaker 3: total value of grapes, both colours."""
    first = {"victory_points": 20, "crush_pad": {"red": [4], "white": []}}
    second = {"victory_points": 20, "crush_pad": {"red": [2], "white": [3]}}
    game = finish(first, second)
    assert places(game) == [2, 1]


def test_tiebreakers_are_compared_after_ageing():
    """Essential, End game: after the year-end steps; a wine that ages is worth more."""
    stuck = {"victory_points": 20, "cellar": EMPTY | {"red": [3]}}
    ageing = {"victory_points": 20, "cellar": EMPTY | {"red": [1], "white": [1]}}
    game = finish(stuck, ageing)
    assert places(game) == [2, 1]


def test_what_is_equal_in_everything_is_shared():
    """Essential, End game: after the last tiebreaker a rank is shared, and the next rank is left out."""
    best = {"victory_points": 20, "lira": 3, "cellar": EMPTY | {"red": [3]}, "crush_pad": {"red": [9], "white": []}}
    game = finish(best, {"victory_points": 4}, dict(best), {"victory_points": 19})
    assert places(game) == [1, 4, 1, 3]
    assert list(game.scores) == [20, 4, 20, 19]


def test_ties_behind_the_winner_use_the_same_tiebreakers():
    """Essential, End game: every place is decided alike."""
    game = finish({"victory_points": 9, "lira": 1}, {"victory_points": 20}, {"victory_points": 9, "lira": 2})
    assert places(game) == [3, 1, 2]


def test_points_below_zero_rank_last():
    """Essential, Game board setup, Note 1: points may be negative."""
    game = finish({"victory_points": -5}, {"victory_points": 20}, {"victory_points": 0})
    assert list(game.scores) == [-5, 20, 0]
    assert places(game) == [3, 1, 2]


def test_nobody_starts_below_the_floor():
    """Essential, Game board setup, Note 1: not below -5."""
    with pytest.raises(ValueError):
        start(2, "summer", {"victory_points": -6})


@pytest.mark.parametrize("max_years", [1, 3])
def test_max_years_ends_an_unfinished_game(max_years):
    """An option of the environment, not a rule: after so many years the game is cut off and ranked as it stands."""
    game = vitienv.Game.new(num_players=2, seed=1, max_years=max_years)
    years = 0
    while not game.is_over:
        years = max(years, game.to_dict()["year"])
        run_to(game, lambda g: g.decision == "wake_up")
        if game.seat is not None:
            game.step("option:2" if game.decision == "papa_gift" else game.legal_actions()[0])
    assert years == max_years
    assert game.is_truncated
    assert (game.seat, game.legal_actions()) == (None, [])
    assert sorted(game.ranking) in ([1, 2], [1, 1])


def test_without_max_years_a_game_goes_on():
    """Essential, Goal: only 20 points end a game."""
    game = start(2, "winter", year=30)
    play(game, "pass", "pass")
    assert not game.is_over
    assert game.to_dict()["year"] == 31
