"""New prices, tasting, and the next round: T67 to T74."""

import pytest

import vitienv
from tests.toscana.positions import ALL, GOODS, offered, play, prices, start, tail, to_tasting

FOUR = dict.fromkeys(GOODS, 4)
SOME = dict.fromkeys(GOODS, 3)  # neither full nor empty


def after_actions(**top):
    """The prices when tiles are chosen: after recommendations, supply and demand."""
    return prices(to_tasting(tail(2, **({"stock": SOME, "prices": FOUR} | top))))


def tasted(n, *tiles, **top):
    """The round is over and each seat has chosen its tile."""
    seats = [{"used": ALL, "hand": [tile, tile % 7 + 1]} for tile in tiles]
    game = start(n, *seats, **({"prices": FOUR} | top))
    return play(game, *(f"taste:{tile}" for tile in tiles))


def test_three_phases_each_from_the_result_of_the_one_before():
    """T67: after the last of three turns of every seat, not before."""
    game = tail(2, {"hand": [1, 2]}, {"hand": [1, 2]}, prices=FOUR, stock={**SOME, "red": 5, "water": 0})
    assert prices(game) == FOUR
    game.step("pass:trading")
    assert game.decision == "taste"
    assert prices(game) == {"red": 4, "white": 5, "rose": 3, "champagne": 3, "water": 5}
    play(game, "taste:1", "taste:2")
    assert prices(game) == {"red": 5, "white": 6, "rose": 3, "champagne": 3, "water": 5}


def test_every_movement_is_cut_off_at_the_ends_phase_by_phase():
    """T68: what is cut off is not remembered."""
    assert after_actions(prices={**FOUR, "red": 7}, stock={**SOME, "red": 5})["red"] == 6
    assert after_actions(prices={**FOUR, "rose": 1}, stock={**SOME, "rose": 0})["rose"] == 2
    low = tasted(3, 5, 5, 1, prices={**FOUR, "red": 1})
    assert prices(low)["red"] == 1
    high = tasted(3, 1, 1, 1, prices={**FOUR, "red": 6})
    assert prices(high)["red"] == 7


def test_recommendations_move_prices():
    """T69: up under plus, down under minus, the empty square stays."""
    assert after_actions() == {"red": 5, "white": 5, "rose": 3, "champagne": 3, "water": 4}
    signs = {"red": "minus", "rose": "minus", "champagne": "plus", "water": "plus"}
    assert after_actions(signs=signs) == {"red": 3, "white": 4, "rose": 3, "champagne": 5, "water": 5}


@pytest.mark.parametrize("boxes", range(6))
def test_full_storages_lower_a_price_empty_ones_raise_it(boxes):
    """T70: boxes do not move."""
    game = to_tasting(tail(2, prices=FOUR, stock={**SOME, "water": boxes}))
    assert prices(game)["water"] == {0: 5, 5: 3}.get(boxes, 4)
    assert game.record.stock[4] == boxes


def test_tiles_are_chosen_in_secret_and_shown_at_once():
    """T71, rulings O7 and O15: from the start seat on, knowing the prices of the first two phases."""
    layout = vitienv.definition("toscana").observation
    game = to_tasting(tail(3, {"hand": [1, 2]}, {"hand": [3, 4]}, {"hand": [5, 6]}, prices=FOUR, stock=SOME))
    known = prices(game)
    assert known != FOUR and game.seat == 0 and offered(game, "taste") == ["1", "2"]
    one, two = game.copy().step("taste:1"), game.copy().step("taste:2")
    assert one.seat == two.seat == 1 and prices(one) == known
    for viewer in (1, 2):
        assert (one.observation(viewer) == two.observation(viewer)).all()
    assert layout.get(one.observation(1), "has_chosen").tolist() == [0, 0, 1, 0, 0]
    assert layout.get(one.observation(0), "choice").tolist() == [1, 0, 0, 0, 0, 0, 0]
    play(one, "taste:3", "taste:5")
    assert layout.get(one.observation(1), "played")[2].tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_marks_are_added_up_before_a_price_moves():
    """T72: a plus and a minus on a price at its end cancel out."""
    assert prices(tasted(2, 1, 5, prices={**FOUR, "red": 7}))["red"] == 7
    assert prices(tasted(2, 5, 1, prices={**FOUR, "red": 1}))["red"] == 1
    assert prices(tasted(5, 3, 3, 7, 5, 5)) == {**FOUR, "red": 2, "rose": 5}


def test_used_tiles_lie_open_and_the_top_tile_is_drawn_while_there_is_one():
    """T73: hands are 2, 2, 2, 2, 2, 2, 1 in rounds 1 to 7 (ruling O13)."""
    layout = vitienv.definition("toscana").observation
    game, hands = start(2), []
    while not game.is_over:
        to_tasting(game)
        hands.append(len(offered(game, "taste")))
        for seat in (0, 1):
            tiles = layout.get(game.observation(seat), "played")
            assert tiles[0].sum() == tiles[1].sum() == game.round - 1
        play(game, game.legal_actions()[0])
        play(game, game.legal_actions()[0])
    assert hands == [2, 2, 2, 2, 2, 2, 1]
    drawn = start(2, {"used": ALL, "hand": [1, 2]}, {"used": ALL, "hand": [1, 2]}, next_draws=[[6], [7, 3]])
    play(drawn, "taste:1", "taste:2")
    assert [sorted(t + 1 for t in range(7) if drawn.record.hand[seat, t]) for seat in (0, 1)] == [[2, 6], [1, 7]]


@pytest.mark.parametrize("n", (2, 3, 5))
def test_the_seat_to_the_left_begins_the_next_round_with_all_actions_unused(n):
    """T74."""
    game = start(n, start_seat=n - 1)
    for number in range(1, 4):
        assert (game.round, game.seat) == (number, (n - 2 + number) % n)
        assert not game.record.used.any()
        to_tasting(game)
        for _ in range(n):
            game.step(game.legal_actions()[0])
