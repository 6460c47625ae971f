"""Winemaking: T49 to T57."""

import vitienv
from tests.toscana.positions import at, boxes, by_good, crew, full_map, master, offered, play, square, start

FIVE = {"boxes": {"water": 5}}


def make(squares, *crossroads, water=None, num_players=2, others=(), **top):
    """Seat 0 has so much water, places it on crossroads and is done."""
    seat = {"boxes": {"water": len(crossroads) if water is None else water, **top.pop("held", {})}}
    game = start(num_players, seat, *others, squares=squares, **top).step("take:winemaking")
    play(game, *(f"crossroad:{crossroad}" for crossroad in crossroads))
    return game.step("done") if game.decision == "place_water" else game


def test_one_to_five_boxes_on_crossroads_at_most_one_on_each():
    """T49: all lie there before anything is produced, wherever they lie (ruling O11)."""
    game = start(2, FIVE, squares=[at(1, 1)]).step("take:winemaking")
    assert len(offered(game, "crossroad")) == 21 and "done" not in game.legal_actions()
    game.step("crossroad:1:1")
    assert boxes(game) == {"water": 4} and "done" in game.legal_actions()
    assert len(offered(game, "crossroad")) == 20 and "1:1" not in offered(game, "crossroad")
    play(game, "crossroad:1:2", "crossroad:2:5", "crossroad:3:1")
    assert game.decision == "place_water" and game.record.water.sum() == 4
    game.step("crossroad:3:7")
    assert game.seat == 1 and boxes(game) == {"red": 1}
    far = make([at(1, 1)], "3:7", water=2)
    assert boxes(far) == {"water": 1} and by_good(far.record.bank)["water"] == 20 - 3 - 1 - 2
    last = start(2, FIVE, squares=[at(1, 1)]).step("take:winemaking").step("crossroad:3:7")
    assert last.seat == 1 and boxes(last) == {"water": 4}  # no later crossroad is left


def test_squares_with_own_pieces_that_touch_water_produce():
    """T50: no others do."""
    game = make([at(1, 1), at(2, 1), at(1, 8), at(1, 2, 1), at(2, 2, 1)], "1:1")
    assert boxes(game) == {"red": 1, "white": 1}
    assert boxes(game, 1) == {"red": 2, "water": 2}


def test_one_worker_makes_one_box_two_or_a_winemaster_two():
    """T51: water squares make water."""
    everybody = crew(0, (3, 1), (3, 8), (4, 8))
    for column, good in ((1, "red"), (2, "champagne"), (4, "water"), (5, "rose"), (8, "white")):
        crossroad = f"1:{min(column, 7)}"
        assert boxes(make([at(1, column)], crossroad)) == {good: 1}
        assert boxes(make([at(1, column, 0, 2)], crossroad)) == {good: 2}
        assert boxes(make([*everybody, master(1, column)], crossroad)) == {good: 2}


def test_an_abandoned_square_makes_a_chosen_box_with_two_workers_or_a_winemaster():
    """T52: nothing with one worker."""
    alone = make([at(1, 3)], "1:3")
    assert boxes(alone) == {} and alone.seat == 1
    for squares in ([at(1, 3, 0, 2)], [*crew(0, (3, 1), (3, 7), (4, 7)), master(1, 3)]):
        game = make(squares, "1:3")
        assert game.decision == "abandoned_kind"
        assert offered(game, "good") == ["red", "white", "rose", "champagne", "water"]
        for good in offered(game, "good"):
            end = game.copy().step(f"good:{good}")
            assert boxes(end) == {good: 1} and end.seat == 1


def test_a_square_produces_once_however_many_boxes_touch_it():
    """T53."""
    assert boxes(make([at(2, 2, 0, 1), at(2, 3, 0, 1)], "1:1", "1:2", "2:1", "2:2")) == {"water": 1, "rose": 1}
    game = make([at(1, 3, 0, 2)], "1:2", "1:3")
    assert game.step("good:red").seat == 1


def test_a_square_taken_over_does_not_produce_again_in_the_round():
    """T53: once each round, whoever holds it (ruling O18); in the next one it does."""
    mine = [*crew(0, (1, 2), (2, 1), (2, 2)), master(1, 1)]
    game = full_map(mine, {"boxes": {"water": 1}}, {}, {}, {}, {"boxes": {"water": 2, "white": 1}})
    play(game, "take:winemaking", "crossroad:1:1")
    assert boxes(game) == {"red": 2, "champagne": 2, "white": 2, "water": 1}
    play(game, *["pass:trading"] * 3, "take:hiring")
    choice = vitienv.definition("toscana").wording.choices(game)[0]
    assert choice.action == "square:1:1" and choice.text.endswith("makes 2 red from the next round on")
    play(game, "square:1:1", *["pass:hiring"] * 4, "take:winemaking")
    assert square(game, 1, 1) == (4, 0, 1) and vitienv.Game.from_dict(game.to_dict()) == game
    assert vitienv.definition("toscana").wording.choices(game)[0].text == "makes nothing more"
    play(game, "crossroad:1:1", "done")
    assert boxes(game, 4) == {"water": 1}
    while game.round == 1:
        game.step(next(move for move in game.legal_actions() if move.startswith(("pass:", "taste:"))))
    while game.seat != 4:
        game.step("pass:trading")
    play(game, "take:winemaking", "crossroad:1:1")
    assert boxes(game, 4) == {"red": 2}


def test_what_has_produced_is_marked_until_the_round_is_over():
    """T53: a square that makes a box, even if nothing of it is kept, and no other (ruling O18)."""
    full = {"red": 5, "white": 5}
    game = make([at(1, 1), at(1, 3), at(2, 3, 0, 2), at(2, 2)], "1:1", "1:2", held=full, water=2)
    assert game.record.square_produced.nonzero()[0].tolist() == [0, 8 + 1, 8 + 2]
    while game.round == 1:
        assert game.record.square_produced.any()
        game.step(next(move for move in game.legal_actions() if move.startswith(("pass:", "taste:"))))
    assert not game.record.square_produced.any()


def test_boxes_come_from_the_bank_and_what_exceeds_five_is_not_taken():
    """T54: water on crossroads no longer counts in the storage."""
    game = make([at(1, 1, 0, 2)], "1:1", held={"red": 4})
    assert boxes(game) == {"red": 5} and by_good(game.record.bank)["red"] == 15 - 5 - 2 - 2
    wet = make([at(1, 4, 0, 2)], "1:4", water=5)
    assert boxes(wet) == {"water": 5}
    assert boxes(make([at(1, 4, 0, 2)], "1:4", "3:7", water=5)) == {"water": 5}


def test_what_the_bank_lacks_is_lost():
    """T55: each good gives the least of what is made, room and bank."""
    others = [{"boxes": {"champagne": held}} for held in (5, 5, 2)]
    game = make([at(1, 2, 0, 2), at(2, 5, 0, 2)], "1:1", "1:5", num_players=4, others=others, stock={"champagne": 2})
    assert boxes(game) == {"champagne": 1} and by_good(game.record.bank).get("champagne", 0) == 0


def test_the_goods_of_abandoned_squares_are_chosen_last_among_those_that_give_a_box():
    """T56: if none would, nothing is chosen; several squares are chosen for in ascending order."""
    held = {"red": 4, "white": 5, "rose": 5, "champagne": 5}
    game = make([at(1, 3, 0, 2), at(1, 1)], "1:1", "1:3", held=held, water=2)
    assert boxes(game)["red"] == 5 and offered(game, "good") == ["water"]
    none = make([at(1, 3, 0, 2), at(1, 4, 0, 2)], "1:3", held={**held, "red": 5}, water=5)
    assert none.seat == 1 and boxes(none)["water"] == 5
    two = make([at(1, 3, 0, 2), at(1, 7, 0, 2)], "1:3", "1:7", held={"champagne": 4, "rose": 5, "white": 5}, water=2)
    assert offered(two, "good") == ["red", "champagne", "water"]
    two.step("good:champagne")
    assert offered(two, "good") == ["water"]
    scarce = {"red": 4, "white": 5, "rose": 5, "champagne": 4}
    short = make([at(1, 3, 0, 2), at(1, 7, 0, 2), at(1, 4)], "1:3", "1:7", held=scarce, water=5)
    assert boxes(short)["water"] == 4 and offered(short, "good") == ["red", "champagne"]  # after water none would give
    assert offered(short.step("good:red"), "good") == ["champagne", "water"]


def test_the_used_water_goes_to_the_bank_at_the_end():
    """T57: it cannot be won in the same action."""
    others = [{"boxes": {"water": held}} for held in (5, 5, 5)]
    game = make([at(1, 4, 0, 2)], "1:4", num_players=4, others=others, stock={"water": 4})
    assert boxes(game) == {} and by_good(game.record.bank)["water"] == 1 and not game.record.water.any()
