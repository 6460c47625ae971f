"""Spring: the wake-up chart, who chooses when, and what the rows give."""

import pytest

from tests.table.facts import hand_sizes, play, season, seat

from .positions import start

ROWS = [f"wake_up:{row}" for row in range(1, 8)]
NO_CARDS = {"vine": 0, "order": 0, "summer": 0, "winter": 0}


def test_the_first_player_may_take_each_of_seven_rows():
    """Essential, Spring actions, Wake-up chart: seven rows, whatever the number of players."""
    for num_players in (2, 6):
        game = start(num_players, "spring", first_player=1)
        assert (game.decision, game.seat) == ("wake_up", 1)
        assert game.legal_actions() == ROWS


def test_rows_are_chosen_clockwise_from_the_marker():
    """Essential, Spring: the holder of the marker first, then clockwise, one rooster on a row."""
    game = start(4, "spring", first_player=2)
    free = list(ROWS)
    for number, name in ((2, "wake_up:7"), (3, "wake_up:1"), (0, "wake_up:4"), (1, "wake_up:6")):
        assert (game.decision, game.seat) == ("wake_up", number)
        assert game.legal_actions() == free
        game.step(name)
        free.remove(name)
        assert seat(game, number)["wake_up"] == int(name[-1])
    assert season(game) == "summer"


def test_the_chart_and_not_the_marker_orders_the_summer():
    """Essential, Spring actions: the top row of the chart begins, the other rows follow downwards."""
    game = start(4, "spring", first_player=2)
    play(game, "wake_up:7", "wake_up:1", "wake_up:4", "wake_up:6")
    order = []
    for _ in range(4):
        order.append(game.seat)
        game.step("place:gain_lira:plain:regular")
    assert order == [3, 0, 1, 2]


@pytest.mark.parametrize(
    "row, lira, points, temporary, cards",
    [
        (1, 0, 0, 0, {}),
        (2, 0, 0, 0, {"vine": 1}),
        (3, 0, 0, 0, {"order": 1}),
        (4, 1, 0, 0, {}),
        (6, 0, 1, 0, {}),
        (7, 0, 0, 1, {}),
    ],
)
def test_the_bonus_of_a_row_comes_at_once_and_unasked(row, lira, points, temporary, cards):
    """Essential, Spring actions, Wake-up chart: the bonuses of rows 1, 2, 3, 4, 6 and 7."""
    game = start(3, "spring", {"lira": 2, "victory_points": 3})
    game.step(f"wake_up:{row}")
    own = seat(game, 0)
    assert own["lira"] == 2 + lira
    assert own["victory_points"] == 3 + points
    assert own["workers"] == {"regular": 2, "grande": 1, "temporary": temporary}
    assert hand_sizes(game, 0) == {**NO_CARDS, **cards}
    assert own["residual"] == 0
    assert (game.decision, game.seat) == ("wake_up", 1)


@pytest.mark.parametrize("deck", ["summer", "winter"])
def test_row_five_lets_choose_the_kind_of_visitor(deck):
    """Essential, Spring actions, Wake-up chart: row 5 is a summer or a winter visitor, by choice."""
    game = start(2, "spring")
    game.step("wake_up:5")
    assert (game.decision, game.seat) == ("choose_deck", 0)
    assert game.legal_actions() == ["deck:summer", "deck:winter"]
    game.step(f"deck:{deck}")
    assert hand_sizes(game, 0) == {**NO_CARDS, deck: 1}
    assert (game.decision, game.seat) == ("wake_up", 1)


def test_a_row_draws_from_the_deck():
    """Essential, Spring actions, Wake-up chart: the cards of rows 2 and 3 come from the decks."""
    game = start(2, "spring", next_draws={"vine": ["merlot"], "order": ["order_17"]})
    play(game, "wake_up:2", "wake_up:3")
    assert seat(game, 0)["hand"]["vine"] == ["merlot"]
    assert seat(game, 1)["hand"]["order"] == ["order_17"]


def test_the_point_of_row_six_may_reach_the_goal():
    """Essential, Goal: twenty points may be reached at any time of the year; the year is then played to its end."""
    game = start(2, "spring", {"victory_points": 19})
    play(game, "wake_up:6", "wake_up:1")
    assert seat(game, 0)["victory_points"] == 20
    assert not game.is_over
    assert season(game) == "summer"


def test_the_temporary_worker_belongs_to_one_seat():
    """Essential, Glossary, Temporary worker: one row, one worker, for the seat in row 7."""
    game = start(3, "spring")
    play(game, "wake_up:7", "wake_up:1", "wake_up:2")
    assert [seat(game, k)["workers"]["temporary"] for k in range(3)] == [1, 0, 0]


def test_turn_order_stays_with_the_row_in_fall_and_winter():
    """Essential, Spring actions, Note: fall and winter begin again with the top row, whoever acted last."""
    game = start(2, "spring")
    play(game, "wake_up:6", "wake_up:4")
    assert game.seat == 1
    play(game, "place:gain_lira:plain:regular", "pass")
    assert game.seat == 1
    play(game, "place:gain_lira:plain:regular", "pass")
    assert (season(game), game.decision, game.seat) == ("fall", "choose_deck", 1)
    play(game, "deck:summer")
    assert (season(game), game.decision, game.seat) == ("fall", "choose_deck", 0)
    play(game, "deck:winter")
    assert (season(game), game.decision, game.seat) == ("winter", "place_worker", 1)
