"""The end of the game: T75 to T80."""

import pytest

from tests.toscana.positions import (
    ALL,
    GOODS,
    all_squares,
    at,
    boxes,
    crew,
    master,
    money,
    new,
    play,
    prices,
    start,
    to_tasting,
)

NOTHING = dict.fromkeys(GOODS, 0)


def last(*seats, round=7, squares=(), num_players=None, **top):
    """The game after the tasting of a round in which nothing else happens; all seats have no boxes unless told."""
    n = num_players or len(seats)
    told = [{"used": ALL, "boxes": NOTHING, **seat} for seat in seats]
    game = start(n, *told, squares=squares, round=round, **top)
    while game.decision == "taste" and game.round == round:
        game.step(game.legal_actions()[0])
    return game


def test_the_game_ends_with_the_seventh_tile_or_after_a_round_with_sixty_money():
    """T75."""
    assert last({"money": 1}, {"money": 2}).is_over
    early = last({"money": 60}, {"money": 2}, round=3)
    assert early.is_over and early.round == 3 and early.record.played[:2].sum() == 6
    assert not last({"money": 59}, {"money": 2}, round=3).is_over
    game = new(num_players=2)
    while not game.is_over:
        game.step(game.legal_actions()[-1])
    assert game.round <= 7


def test_sixty_money_ends_nothing_in_the_middle_of_a_round():
    """T75, ruling O8: what is spent again does not count."""
    seats = [{"money": 58, "boxes": {"red": 1}, "used": ALL[:1]}, {"used": ALL[:1]}]
    game = start(2, *seats, prices={"red": 4, "white": 3})
    play(game, "take:trading", "sell:red:1")
    assert money(game) == 62 and not game.is_over
    to_tasting(game)
    assert not game.is_over and game.decision == "taste"
    play(game, *(game.legal_actions()[:1]))
    play(game, *(game.legal_actions()[:1]))
    assert game.is_over
    spent = start(2, {"money": 62, "used": ALL[:2]}, {"used": ALL[:2]}, prices={"white": 3})
    play(spent, "take:trading", "buy:white:1", "pass:trading", "taste:" + str(first_tile(spent, 0)))
    assert not spent.step("taste:" + str(first_tile(spent, 1))).is_over


def first_tile(game, seat):
    return 1 + int(game.record.hand[seat].argmax())


def test_at_the_end_every_seat_sells_all_its_boxes():
    """T76: at the prices of that moment, without limit; no price moves."""
    full = dict.fromkeys(GOODS, 3)
    # The last two tiles cancel out.
    seats = [{"money": 5, "boxes": full, "hand": [1]}, {"money": 1, "boxes": {"white": 2}, "hand": [5]}]
    fields = {"red": 2, "white": 3, "rose": 4, "champagne": 1, "water": 7}
    game = last(*seats, prices=fields, stock=dict.fromkeys(GOODS, 5))
    assert game.scores == [5 + 3 * (2 + 3 + 4 + 0 + 7), 1 + 2 * 3] and prices(game) == fields
    assert boxes(game) == boxes(game, 1) == {}


def test_most_money_wins():
    """T77."""
    game = last({"money": 10}, {"money": 12}, {"money": 11})
    assert game.ranking == [3, 1, 2] and game.rewards == [-0.5, 1, -0.5]


def test_equal_money_goes_to_who_holds_more_squares():
    """T78: water and abandoned squares count, a square with two workers once."""
    more = [at(1, 3, 0), at(1, 4, 0), at(2, 1, 1, 2), at(2, 3, 1, 1)]
    game = last({"money": 9}, {"money": 9}, squares=[*more, at(2, 2, 0, 1)])
    assert game.ranking == [1, 2] and game.rewards == [1, -1]
    even = last({"money": 9}, {"money": 9}, squares=more)
    assert even.ranking == [1, 1]
    assert last({"money": 9}, {"money": 10}, squares=[*more, at(2, 2, 0, 1)]).ranking == [2, 1]


def test_then_to_who_has_more_winemasters_on_the_map():
    """T79: removed ones do not count."""
    squares = [*crew(0, (1, 1), (1, 2), (1, 3)), master(1, 4, 0)]
    game = last({"money": 9}, {"money": 9}, squares=[*squares, *(at(2, column, 1) for column in range(1, 5))])
    assert game.ranking == [1, 2]
    places = [place for place in all_squares() if place[0] > 2 or place[1] > 5]  # the map is full
    rest = [at(*places.pop(), seat) for seat in (2, 3, 4) for _ in range(5)]
    rest += [master(*place, seat) for seat, place in zip((2, 2, 2, 3, 3, 3, 4), places, strict=True)]
    five = [{"money": 9}, {"money": 9, "lost": 1}, {}, {}, {}]
    crews = [at(2, column, 1, 1) for column in range(1, 6)]
    own = [at(1, 1, 0, 2), at(1, 2, 0, 2), at(1, 3, 0, 1), master(1, 4, 0), master(1, 5, 0)]
    lost = last(*five, squares=[*own, *crews, *rest])
    assert lost.ranking[:2] == [1, 2]
    fewer = [at(1, column, 0, 1) for column in range(1, 6)]
    assert last(*five, squares=[*fewer, *crews, *rest]).ranking[:2] == [1, 1]


@pytest.mark.parametrize("n", (2, 3))
def test_whoever_is_still_tied_shares_the_victory(n):
    """T80."""
    game = last(*[{"money": 9}] * n, num_players=n)
    assert game.ranking == [1] * n and game.rewards == [0] * n
    if n == 3:
        shared = last({"money": 9}, {"money": 9}, {"money": 2})
        assert shared.ranking == [1, 1, 3] and shared.rewards == [0.5, 0.5, -1]
