"""Hiring workers and winemasters: T29 to T38."""

import pytest

from tests.toscana.positions import (
    GOODS,
    all_squares,
    at,
    boxes,
    by_good,
    crew,
    full_map,
    master,
    money,
    offered,
    play,
    square,
    start,
)

CREW = crew(0, (1, 1), (1, 2), (1, 3))
ONE_EACH = dict.fromkeys(GOODS, 1)


def singles(workers):
    """So many workers of seat 0 on squares of their own."""
    return [at(1, column) for column in range(1, workers + 1)]


def test_one_piece_and_one_service_in_either_order_or_one_of_them():
    """T29: not both services, not two pieces."""
    game = start(2, {"boxes": {"red": 2, "rose": 1, "champagne": 1}}).step("take:hiring")
    assert offered(game, "service") == ["lobbyist", "mr_rose"] and "done" not in game.legal_actions()
    piece = game.copy().step("square:1:1")
    assert set(piece.legal_actions()) == {"service:lobbyist", "service:mr_rose", "done"}
    assert piece.copy().step("done").seat == 1
    service = play(game.copy(), "service:lobbyist", "tile:red", "tile:rose")
    assert service.decision == "hire" and offered(service, "service") == []
    assert "done" in service.legal_actions() and len(offered(service, "square")) == 31
    assert service.copy().step("square:1:1").seat == 1
    assert play(piece, "service:lobbyist", "tile:red", "tile:rose").seat == 1


def test_costs_go_from_the_storage_into_the_bank_and_the_first_half_may_pay_for_the_second():
    """T30."""
    game = start(2, {"boxes": {"red": 1}})
    before = by_good(game.record.bank)
    play(game, "take:hiring", "square:1:1")
    assert boxes(game) == {} and by_good(game.record.bank)["red"] == before["red"] + 1 and game.seat == 1
    poor = start(2, {"money": 9, "boxes": {"rose": 1}}).step("take:hiring")
    assert offered(poor, "square") == []
    play(poor, "service:mr_rose", "buy:red:1", "price:white:up", "price:rose:up")
    assert poor.decision == "hire" and len(offered(poor, "square")) == 31
    assert offered(start(2, {"boxes": {"white": 3}}), "take") == ["trading"]


def test_all_workers_leave_the_storage_before_the_first_winemaster():
    """T31."""
    rich = {"boxes": {"red": 1, "white": 5}}
    squares = [[at(1, 1, 0, k)] if k < 3 else [at(1, 1, 0, 2), at(1, 2, 0, k - 2)] for k in range(1, 5)]
    for there in squares:
        game = play(start(2, rich, squares=there), "take:hiring", "square:3:1")
        assert square(game, 3, 1) == (0, 1, 0) and boxes(game) == {"white": 5}
    game = play(start(2, rich, squares=CREW), "take:hiring", "square:3:1")
    assert square(game, 3, 1) == (0, 0, 1) and boxes(game) == {"red": 1, "white": 4}


def test_a_worker_costs_a_red_box_and_may_join_one_own_worker():
    """T32."""
    squares = [at(1, 1, 0, 1), at(1, 2, 0, 2), at(1, 3, 1, 1), at(1, 4, 1, 2)]
    game = start(2, {"boxes": {"red": 1}}, squares=squares).step("take:hiring")
    assert set(offered(game, "square")) == {f"{r}:{c}" for r, c in all_squares()} - {"1:2", "1:3", "1:4"}
    game.step("square:1:1")
    assert square(game, 1, 1) == (0, 2, 0) and boxes(game) == {}
    assert offered(start(2, {"boxes": {"rose": 0}}, squares=squares), "take") == ["trading"]


@pytest.mark.parametrize(("hired", "cost"), ((0, 1), (1, 2)))
def test_a_winemaster_costs_one_then_two_white_boxes_and_stands_alone(hired, cost):
    """T33: on an empty square only."""
    masters = [master(2, column) for column in range(1, 1 + hired)]
    seat = {"boxes": {"white": cost + 1}}
    game = start(2, seat, squares=[*CREW, *masters]).step("take:hiring")
    taken = {"1:1", "1:2", "1:3", "4:2"} | {f"2:{column}" for column in range(1, 1 + hired)}
    assert set(offered(game, "square")) == {f"{r}:{c}" for r, c in all_squares()} - taken
    game.step("square:3:1")
    assert square(game, 3, 1) == (0, 0, 1) and boxes(game) == {"white": 1} and money(game) == 3
    poor = start(2, {"boxes": {"white": cost - 1, "water": 1}}, squares=[*CREW, *masters])
    assert "hiring" not in offered(poor, "take")


def test_the_third_winemaster_is_free_for_who_has_a_box_of_each_good():
    """T34."""
    two = [*CREW, master(2, 1), master(2, 2)]
    for missing in GOODS:
        lacking = start(2, {"boxes": {**dict.fromkeys(GOODS, 2), missing: 0}}, squares=two)
        if "take:hiring" in lacking.legal_actions():
            assert offered(lacking.step("take:hiring"), "square") == []
    game = play(start(2, {"boxes": ONE_EACH}, squares=two), "take:hiring", "square:3:1")
    assert boxes(game) == ONE_EACH and square(game, 3, 1) == (0, 0, 1)


def test_ten_money_for_the_third_winemaster_hired():
    """T35: at once, and whatever became of the others."""
    two = [*CREW, master(2, 1), master(2, 2)]
    game = play(start(2, {"boxes": ONE_EACH}, squares=two), "take:hiring", "square:3:1")
    assert money(game) == 13
    first = play(start(2, {"boxes": {"white": 1}}, squares=CREW), "take:hiring", "square:3:1")
    second = play(start(2, {"boxes": {"white": 2}}, squares=[*CREW, master(2, 1)]), "take:hiring", "square:3:1")
    assert money(first) == money(second) == 3
    lost = full_map(CREW, {"boxes": ONE_EACH, "lost": 2}).step("take:hiring")
    assert money(lost.step(lost.legal_actions()[0])) == 13


def test_on_a_full_map_of_five_seats_a_winemaster_may_be_replaced():
    """T36: by a worker or a winemaster, at the usual cost; only of an opponent, only without an empty square."""
    game = full_map(singles(4), {"boxes": {"red": 1}}).step("take:hiring")
    r = game.record
    masters = {f"{i // 8 + 1}:{i % 8 + 1}" for i in range(32) if r.square_winemaster[i] and r.square_owner[i] != 0}
    single = {f"1:{column}" for column in range(1, 5)}
    assert masters and set(offered(game, "square")) == masters | single
    place = sorted(masters)[0]
    row, column = (int(x) for x in place.split(":"))
    owner = square(game, row, column)[0]
    game.step(f"square:{place}")
    assert square(game, row, column) == (0, 1, 0) and boxes(game) == {}
    assert game.record.lost[owner] == 1
    taken = full_map(singles(5), {"boxes": {"white": 1}}).step("take:hiring")
    assert offered(taken, "square") and not single & set(offered(taken, "square"))
    place = offered(taken, "square")[0]
    taken.step(f"square:{place}")
    assert square(taken, *(int(x) for x in place.split(":"))) == (0, 0, 1) and boxes(taken) == {}
    roomy = start(5, {"boxes": {"red": 1}}, squares=[*crew(1, (1, 1), (1, 2), (1, 3)), master(2, 2, 1)])
    assert "2:2" not in offered(roomy.step("take:hiring"), "square")


def test_a_removed_winemaster_never_returns_and_costs_stay():
    """T37: what it brought stays too."""
    game = full_map(singles(4), {"boxes": {"red": 1}}).step("take:hiring")
    place = next(i for i in range(32) if game.record.square_winemaster[i])
    owner = int(game.record.square_owner[place])
    left, had = int(game.record.winemasters[owner]), money(game, owner)
    game.step(f"square:{place // 8 + 1}:{place % 8 + 1}")
    assert game.record.winemasters[owner] == left and money(game, owner) == had
    second = full_map(CREW, {"boxes": {"white": 3}, "lost": 1}).step("take:hiring")
    assert boxes(second.step(second.legal_actions()[0])) == {"white": 1}


@pytest.mark.parametrize("n", (2, 3, 4))
def test_with_fewer_seats_nothing_is_removed(n):
    """T38: their pieces never need a 33rd square."""
    places = all_squares()
    squares = [at(*places.pop(0), seat) for seat in range(n) for _ in range(5 if seat else 4)]
    squares += [master(*places.pop(0), seat) for seat in range(1, n) for _ in range(3)]
    game = start(n, {"boxes": {"red": 1}}, squares=squares).step("take:hiring")
    masters = [f"{s['at'][0]}:{s['at'][1]}" for s in squares if s.get("winemaster")]
    assert not set(masters) & set(offered(game, "square"))
    assert len(offered(game, "square")) == len(places) + 4
    with pytest.raises(ValueError, match="that happens with 5 seats alone"):
        start(n, {"lost": 1})
