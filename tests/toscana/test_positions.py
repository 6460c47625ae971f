"""Positions of Toscana: start values, contradictions, and permitted exceptions."""

import json

import pytest

import vitienv
from tests.invalid_positions import assert_refused
from tests.toscana.positions import ALL, at, boxes, crew, full_table, master, money, play, prices, start, table
from vitienv.toscana.handlers import OPERATIONS

POSITION = {
    "game": "toscana", "num_players": 2, "start_seat": 1, "to_act": 1, "prices": {"red": 1, "rose": 4},
    "stock": {"water": 5}, "next_draws": [[7], []],
    "squares": [{"at": [1, 2], "seat": 0, "workers": 2}, {"at": [2, 5], "seat": 1, "workers": 1}],
    "seats": [{"money": 12, "boxes": {"red": 1}, "workers": 3, "used": ["hiring"], "hand": [1, 5]},
              {"used": ["trading"]}],
}  # fmt: skip


def test_position_written_by_hand():
    game = vitienv.Game.from_dict(POSITION)
    assert (game.round, game.current_seat, game.decision) == (1, 1, "take_action")
    assert prices(game) == {"red": 1, "white": 3, "rose": 4, "champagne": 4, "water": 2}
    assert boxes(game) == {"red": 1} and boxes(game, 1) == {"red": 2, "water": 2} and money(game) == 12
    assert game.state.workers[:2].tolist() == [3, 4]


def test_empty_position_is_the_start_of_a_game():
    game = vitienv.Game.from_dict({"game": "toscana"})
    assert (game.round, game.decision, game.current_seat) == (0, "start_worker", 1)


def with_(**changes):
    return {**POSITION, **changes}


def seat(**changes):
    return with_(seats=[{**POSITION["seats"][0], **changes}, POSITION["seats"][1]])


WINEMAKING, HIRING = {"used": ["winemaking"]}, {"used": ["hiring"]}
CREW = crew(0, (1, 1), (1, 2), (1, 3))
FULL = {"boxes": {"champagne": 5}}
ENDED = {"boxes": {"red": 0}, "used": ALL, "played": [1, 2, 3]}
TASTED, TASTING = {"used": ALL, "hand": [1, 2], "chosen": 2}, {"used": ALL}


def marked(square):
    return {**square, "produced": True}


def taken_over(squares, taker=HIRING, lost=1):
    """Return a position in which seat 4 has made wine and lost winemasters, and seat 0 has used an action."""
    return full_table(squares, taker, {}, {}, {}, {**WINEMAKING, "lost": lost}, start_seat=4)


def after(**top):
    return table(ENDED, ENDED, squares=[at(1, 1), at(2, 5, 1)], round=3, **top)


def pending(*actions, seats=(), **top):
    return play(start(2, *seats, **top), *actions).to_dict()


WATER = pending("take:winemaking", "crossroad:1:1")
ROSE = pending("take:hiring", "service:mr_rose", seats=[{"boxes": {"rose": 1, "red": 1}}])
OFFER = pending("take:trading", "seat:+1", "sell:red:1", "at:1", options={"player_trades": True})
LOBBY = pending("take:hiring", "service:lobbyist", "tile:red", seats=[{"boxes": {"champagne": 1, "red": 1}}])
TRADE = pending("take:trading")
HIRED = pending("take:hiring", "square:1:1", seats=[{"boxes": {"rose": 1, "red": 1}}])
MADE_TWO = pending("take:winemaking", "crossroad:1:3", "crossroad:1:7",
                   seats=[{"boxes": {"water": 2}}], squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])  # fmt: skip


def without_mark(position):
    first, *squares = position["squares"]
    return {**position, "squares": [{key: first[key] for key in first if key != "produced"}, *squares]}


def frame(position, index, **columns):
    """Return a position with other numbers in a pending frame. columns: by their indices."""
    frames = [list(numbers) for numbers in position["pending"]]
    for column, number in columns.items():
        frames[index][int(column[1:])] = number
    return {**position, "pending": frames}


@pytest.mark.parametrize(("position", "message"), (
    (with_(colour=1), "unknown key 'colour' in the position"),
    (with_(num_players=6), "num_players must be .*, got 6"),
    (with_(options={"max_years": 3}), "unknown option 'max_years'"),
    (with_(round=8), "round must be an integer from 0 to 7, got 8"),
    (with_(to_act=0), "to_act must be 1, got 0"),
    (with_(prices={"red": 0}), "red of prices must be an integer from 1 to 7, got 0"),
    (with_(prices={"wine": 1}), "unknown key 'wine' in prices"),
    (with_(stock={"red": 6}), "red of stock must be an integer from 0 to 5, got 6"),
    (with_(signs={"red": "plus"}), "signs must be two plus, two minus and a good without"),
    (with_(signs={"red": []}), r"unknown red of signs \[\]; expected one of: plus, minus"),
    (with_(map=["R" * 8] * 4), "map must be the printed one; others come with components or th"),
    (with_(map=["RW"]), r"map must be 4 words of 8 letters out of RWOCAY, got \['RW'\]"),
    (with_(options={"map": "pieces"}, map=["R" * 8] * 4), r"map must consist of the 8 pieces, got \[0, 0, 0, 0, 0,"),
    (with_(squares=[at(5, 1)]), "must be an integer from 1 to 4"),
    (with_(squares=[at(1, 2, 2)]), "the seat of the square"),
    (with_(squares=[at(1, 2, 0, 2)]), "workers of seat 1 on the map must be from 1 to 5 in round 1, g"),
    (with_(round=2, squares=[]), "workers of seat 0 must be 5, got 3"),
    (with_(water=[[1, 1]]), "water must be empty while no winemaking is pending"),
    (with_(status="over"), "status must be playing while actions are left, got 1"),
    (with_(status="lost"), "unknown status 'lost'; expected one of: playing, over, truncat"),
    (seat(money=-1), "money of seat 0 must be .*got -1"),
    (seat(boxes={"red": 6}), "red of boxes of seat 0 must be an integer from 0 to "),
    (seat(workers=4), "workers of seat 0 must be 3, got 4"),
    (seat(winemasters=2), "winemasters of seat 0 must be 3, got 2"),
    (seat(used=["hiring", "hiring"]), r"used of seat 0 must name each at most once, got \['hiring', 'hi"),
    (seat(used=ALL), r"used must be one action a turn from start_seat 1 on, got \[1, 3"),
    (seat(used=["resting"]), "unknown used of seat 0 'resting'; expected one of: hiring, win"),
    (seat(hand=[1, 1]), r"hand of seat 0 must name each at most once, got \[1, 1\]"),
    (seat(hand=[1]), "hand of seat 0 must have 2 tiles in round 1, got 1"),
    (seat(hand=[1, 7]), "hand, played and next_draws of seat 0 must have different tile"),
    (seat(played=[2]), "played of seat 0 must have 0 tiles in round 1, got 1"),
    (seat(chosen=1), "chosen of seat 0 must be left out while actions are left"),
    (with_(squares=[master(1, 1, 0), *POSITION["squares"]]), "seat 0 must hire all workers before a winemaster"),
    *((table({"lost": 1}, n=n), r"lost of seat 0 must be 0 but with 5 seats and a full map \(T36") for n in (2, 3, 4)),
    (table(WINEMAKING, squares=[{**at(1, 1), "produced": 1}]), r"produced of the square \[1, 1\] must be true"),
    (table(squares=[marked(at(1, 1))]), "cannot have produced"),
    (table(WINEMAKING, squares=[marked(at(1, 3))]), "cannot have produced"),
    (with_(round=0, squares=[marked(at(1, 1))], seats=[]), "cannot have produced"),
    (taken_over([*CREW, marked(master(1, 4))], lost=0), "cannot have produced"),
    (taken_over([*CREW, marked(master(1, 4))], {"used": ["trading"]}), "cannot have produced"),
    (taken_over([*CREW, *(marked(master(1, k)) for k in (4, 5))]), "cannot have produced"),
    (taken_over([*CREW[1:], marked(CREW[0]), master(1, 4)]), "cannot have produced"),
    (table({"lost": 1}, n=5, squares=CREW), r"lost of seat 0 must be 0 but with 5 seats and a full map \(T36,"),
    (table(ENDED, {**ENDED, "money": 60, "boxes": {"red": 1}}, round=3, status="over"),
     "boxes must be sold when the game is over"),
    (after(status="over"), "status must be playing before round 7 while no seat has 60 mon"),
    (after(status="truncated"), "status must be truncated only after round max_rounds, in a gam"),
    (after(status="truncated", options={"max_rounds": 4}), "status must be truncated only after round"),
    (table(ENDED, {**ENDED, "money": 60}, round=3, status="truncated", options={"max_rounds": 3}),
     "status must be truncated only after round max_rounds, in a gam"),
    (table(round=3, options={"max_rounds": 2}), "round must be at most 2 with this max_rounds, got 3"),
    (table({"money": 60}, round=2), "money of seat 0 must be below 60, which ended the game in an e"),
    (table({"money": 60, "used": ["winemaking"]}, round=2), "money of seat 0 must be below 60, which"),
    (table(squares=[at(1, 4)], options={"start_on_water": False}), "a worker of seat 0 must be on dry"),
    (table({**TASTED, "chosen": 1}, TASTING, pending=TRADE["pending"]),
     "the seat of the turn, or that of the offer"),
    (table(FULL, FULL, FULL, n=4), r"bank must be from 0 to 100, got \[-2\]"),
    (table(TASTING, TASTED), "chosen, clockwise: some seats must have done so in their order"),
    (table({**TASTED, "chosen": 3}, TASTING), "chosen of seat 0 must be in its hand, got 3"),
    ({**WATER, "water": []}, "its boxes are on crossroads and in the storage"),
    (frame(WATER, 1, _7=22), "a of the pending place_water must be from 0 to 20, got 22"),
    (frame(WATER, 1, _4=5), "its boxes are on crossroads and in the storage"),
    (frame(WATER, 1, _7=3), "its boxes are on crossroads and in the storage"),
    (frame(WATER, 1, _1=1), "the seat of the turn, or that of the offer"),
    (frame(WATER, 0, _6=2), "done of the pending round must be the number of used actions, 1, got 2"),
    (frame(WATER, 1, _0="taste", _6=0, _7=0), "pending must be left out when the game is over or the decision"),
    (frame(WATER, 1, _2=4), "card of the pending place_water must be -1, got 4"),
    (frame(WATER, 1, _11=7), "result of the pending place_water must be 0, got 7"),
    (frame(LOBBY, 2, _7=0), "a is the sign of the tile moved"),
    (frame(LOBBY, 2, _6=0), "done of the pending lobby must be 1, got 0"),
    (frame(LOBBY, 2, _3=0, _4=2, _6=0), "a of the pending lobby must be 0, got 1"),
    (frame(LOBBY, 1, _8=0), "one half is left, or its service is pending"),
    (frame(LOBBY, 1, _7=1), "c is whether the hiring below has its piece"),
    (frame(ROSE, 2, _6=2), "2 price changes in all, of goods in order"),
    (frame(ROSE, 2, _3=1, _4=1, _6=1, _7=4), "a of the pending mr_rose must be from 0 to 3, got 4"),
    (frame(ROSE, 2, _4=1, _6=1), "2 price changes in all, of goods in order"),
    (frame(ROSE, 2, _4=0, _6=2, _8=1, _7=3), "2 price changes in all, of goods in order"),
    (frame(ROSE, 2, _7=2), "2 price changes in all, of goods in order"),
    (frame(TRADE, 1, _6=1), "option player_trades"),
    (frame(TRADE, 1, _7=3), "a of the pending trade must be 0, got 3"),
    (frame(HIRED, 1, _8=1), "one half is left, or its service is pending"),
    (frame(MADE_TWO, 1, _4=1), "watered squares have produced, and their boxes are left"),
    (frame(MADE_TWO, 1, _7=2), "watered squares have produced, and their boxes are left"),
    (without_mark(MADE_TWO), "watered squares have produced, and their boxes are left"),
    ({**MADE_TWO, "water": []}, "watered squares have produced, and their boxes are left"),
    ({**TRADE, "water": [[1, 1]]}, "water must be on crossroads exactly while winemaking is pendin"),
    ({**ROSE, "pending": ROSE["pending"][:1] + ROSE["pending"][2:]}, "mr_rose cannot be on round among the pending"),
    (frame(ROSE, 2, _7=9), "a of the pending mr_rose must be from 0 to 4, got 9"),
    ({**OFFER, "options": {}}, "option player_trades"),
    (frame(OFFER, 2, _9=5), "c of the pending answer must be from 0 to 4, got 5"),
    (frame(OFFER, 2, _9=3), "option player_trades, and an offer that both seats can keep"),
    (frame(OFFER, 1, _6=2), "it is the last offer of the trading below, before its first sale"),
    (frame(OFFER, 1, _3=1, _7=1), "it is the last offer of the trading below, before its first sale"),
    ({**WATER, "pending": []}, "pending must start with round, of seat -1"),
    ({**WATER, "pending": 3}, "pending must be a list"),
))  # fmt: skip
def test_contradictions_raise(position, message):
    assert_refused(position, message)


@pytest.mark.parametrize("position", (
    table({"money": 60, "used": ["trading"]}, round=2),
    table({"money": 60}, round=1),
    table({"money": 60, **WINEMAKING}, {"used": ["trading"]}, round=2, options={"player_trades": True}),
    after(status="truncated", options={"max_rounds": 3}),
    table(*[{**ENDED, "played": [1, 2, 3, 4, 5, 6, 7]}] * 2, round=7, status="over"),
    table(squares=[at(1, 4), at(1, 1)], options={"start_on_water": False}),
    taken_over([*CREW, marked(master(1, 4))]),
    table(TASTED, TASTING),
))  # fmt: skip
def test_exceptions_to_contradictions_are_accepted(position):
    written = vitienv.Game.from_dict(position).to_dict()
    assert all(written[key] == position[key] for key in ("round", "status") if key in position)
    assert all(square in written["squares"] for square in position["squares"])
    for seat, entry in zip(written["seats"], position["seats"], strict=False):
        assert all(seat[key] == value for key, value in entry.items() if key != "boxes")


def test_money_is_read_up_to_what_a_game_can_hold():
    """The game caps money, so that each written position can be read."""
    game = start(2, {"money": 32_760, "boxes": {"red": 5}}, prices={"red": 7})
    play(game, "take:trading", "sell:red:5")
    assert money(game) == 32_767
    assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game


def test_boxes_and_pieces_of_a_late_position():
    squares = [*crew(0, (1, 1), (1, 2), (1, 3)), master(2, 2), master(2, 3)]
    game = start(2, {"boxes": {"white": 1}}, squares=squares, round=6)
    assert game.state.workers[0] == 0 and game.state.winemasters[0] == 1


def test_every_operation_has_bounds():
    assert [row.word for row in OPERATIONS.rows.values() if row.bounds is None] == []
