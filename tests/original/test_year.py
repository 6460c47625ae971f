"""The course of a year, which is as in the Essential Edition: what is the same is shown to be the same."""

import pytest

from tests.table.facts import (
    CELLARS,
    ORDERS,
    at,
    hand_sizes,
    place,
    placements,
    play,
    points,
    run_to_season,
    run_to_year_end,
    season,
    seat,
    workers,
)

from .positions import EMPTY_CELLAR, NOBODY, both_presets, lira, start


@both_presets
@pytest.mark.parametrize(
    "row, money, score, temporary, cards",
    [
        (1, 0, 0, 0, {}),
        (2, 0, 0, 0, {"vine": 1}),
        (3, 0, 0, 0, {"order": 1}),
        (4, 1, 0, 0, {}),
        (6, 0, 1, 0, {}),
        (7, 0, 0, 1, {}),
    ],
)
def test_rows_of_the_wake_up_chart(row, money, score, temporary, cards, preset):
    """Original, row 20: nothing, vine, order, lira, (visitor), point, temporary worker."""
    game = start(3, "spring", preset=preset)
    assert game.legal_actions() == [f"wake_up:{k}" for k in range(1, 8)]
    play(game, f"wake_up:{row}")
    assert (lira(game), points(game), seat(game)["workers"]) == (money, score, workers(2, 1, temporary))
    assert hand_sizes(game) == {"vine": 0, "order": 0, "summer": 0, "winter": 0} | cards
    assert game.seat == 1


@both_presets
@pytest.mark.parametrize("deck", ["summer", "winter"])
def test_the_fifth_row_gives_a_visitor_of_either_kind(deck, preset):
    """Original, row 20: the player names the deck."""
    game = start(3, "spring", preset=preset)
    play(game, "wake_up:5")
    assert (game.decision, game.legal_actions()) == ("choose_deck", ["deck:summer", "deck:winter"])
    play(game, f"deck:{deck}")
    assert hand_sizes(game)[deck] == 1


@both_presets
def test_roosters_are_placed_clockwise_and_order_the_year(preset):
    """Original, rows 19 and 20: from the first player clockwise; then the top row of the chart acts first."""
    game = start(3, "spring", first_player=2, preset=preset)
    asked = []
    for row in (4, 6, 1):
        asked.append(game.seat)
        play(game, f"wake_up:{row}")
    assert asked == [2, 0, 1]
    turns = []
    while season(game) == "summer":
        turns.append(game.seat)
        play(game, "pass")
    assert turns == [1, 2, 0]


@both_presets
def test_who_has_passed_is_out_until_the_next_season(preset):
    """Original, rows 36 and 37: in summer and in winter, and a pass in winter is allowed with workers left."""
    for name in ("summer", "winter"):
        action = {"summer": "draw_vine", "winter": "draw_order"}[name]
        game = start(3, name, preset=preset)
        play(game, "pass", place(action), place(action, "bonus"), "no")
        assert game.seat == 1
        play(game, "pass", "pass")
        assert season(game) == {"summer": "fall", "winter": "spring"}[name]
        assert seat(game)["workers"] == workers(2, 1)
        assert lira(game) == 0


@both_presets
def test_one_visitor_in_fall(preset):
    """Original, row 35: in wake-up order, a summer or a winter visitor."""
    game = run_to_season(start(2, "summer", preset=preset), "fall")
    assert (game.decision, game.seat, game.legal_actions()) == ("choose_deck", 0, ["deck:summer", "deck:winter"])
    play(game, "deck:summer", "deck:winter")
    assert (hand_sizes(game)["summer"], hand_sizes(game, 1)["winter"], season(game)) == (1, 1, "winter")


@both_presets
@pytest.mark.parametrize("first, second", [("summer", "summer"), ("summer", "winter"), ("winter", "winter")])
def test_two_visitors_at_once_with_a_cottage(first, second, preset):
    """Original, row 35: in any mix, both decks named before a card is seen."""
    game = run_to_season(start(2, "summer", {"structures": ["cottage"]}, preset=preset), "fall")
    play(game, f"deck:{first}")
    assert (game.seat, sum(hand_sizes(game).values())) == (0, 0)
    play(game, f"deck:{second}")
    assert hand_sizes(game)["summer"] == (first, second).count("summer")
    assert hand_sizes(game)["winter"] == (first, second).count("winter")
    assert game.seat == 1


@both_presets
def test_year_end(preset):
    """Original, rows 42 and 58: ageing, workers home, residual payment, the marker counter-clockwise, roosters off."""
    own = {
        "residual": 3,
        "structures": ["windmill", *CELLARS[:1]],
        "crush_pad": {"red": [4], "white": [9]},
        "cellar": EMPTY_CELLAR | {"red": [3, 6], "blush": [4, 5]},
        "workers": workers(0, 1, 1),
        "used": ["windmill"],
        "harvested": (0, 1, 2),
        "vines": [["pinot"], ["pinot"], []],
    }
    board = {"draw_order": [at(0)], "gain_lira": [at(0)]}
    game = start(2, "winter", own, preset=preset, board=board, year=4)
    run_to_year_end(game)
    now = seat(game)
    assert now["crush_pad"] == {"red": [5], "white": [9]}
    assert now["cellar"] == EMPTY_CELLAR | {"red": [4, 6], "blush": [5, 6]}
    assert (now["workers"], now["lira"], now["used"], now["wake_up"]) == (workers(2, 1), 3, [], None)
    assert not any(field["harvested"] for field in now["fields"])
    assert not any(game.to_dict()["board"].values())
    assert (game.to_dict()["first_player"], game.seat, game.year) == (1, 1, 5)


@both_presets
def test_wine_passes_six_with_the_large_cellar_only(preset):
    """Original, row 58: and three with the medium one."""
    for structures, after in (([], [3]), (CELLARS[:1], [4]), (CELLARS, [4])):
        game = start(2, "winter", {"structures": structures, "cellar": EMPTY_CELLAR | {"red": [3]}}, preset=preset)
        assert seat(run_to_year_end(game))["cellar"]["red"] == after
    for structures, after in ((CELLARS[:1], [6]), (CELLARS, [7])):
        game = start(2, "winter", {"structures": structures, "cellar": EMPTY_CELLAR | {"red": [6]}}, preset=preset)
        assert seat(run_to_year_end(game))["cellar"]["red"] == after


@both_presets
@pytest.mark.parametrize("held, discarded", [(7, 0), (8, 1), (10, 3)])
def test_hands_are_cut_to_seven(held, discarded, preset):
    """Original, row 58: at the end of the year, cards of one's choice."""
    game = start(2, "winter", {"hand": {"order": ORDERS[:held]}}, preset=preset)
    run_to_year_end(game)
    count = 0
    while game.decision == "discard_to_limit":
        play(game, game.legal_actions()[0])
        count += 1
    assert (count, hand_sizes(game)["order"]) == (discarded, 7)


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
def test_the_marker_goes_counter_clockwise(num_players):
    """Original, row 58: to the right-hand neighbour."""
    game = run_to_year_end(start(num_players, "winter", first_player=1))
    assert (game.to_dict()["first_player"], game.seat) == (0, 0)


@both_presets
def test_a_seat_without_workers_is_skipped(preset):
    """Original, row 36: the season goes on with those who have some."""
    game = start(3, "winter", {"workers": workers(2, 0)}, NOBODY, NOBODY, preset=preset)
    play(game, place("gain_lira"))
    assert game.seat == 0
    play(game, place("gain_lira"))
    assert season(game) == "spring"
    assert placements(game) == []
