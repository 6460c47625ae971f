"""Positions as JSON: written and read back, all keys optional, contradictions named, each pending number in bounds."""

import json
import random

import pytest

import vitienv
from tests.registers import Registers
from tests.toscana.invariants import problems
from tests.toscana.positions import ALL, at, begun, boxes, crew, full_map, master, money, new, play, prices, start
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.machine import OPERATIONS

TOLD = {
    "game": "toscana", "num_players": 2, "round": 1, "start_seat": 1, "to_act": 1, "prices": {"red": 1, "rose": 4},
    "stock": {"water": 5}, "next_draws": [[7], []],
    "squares": [{"at": [1, 2], "seat": 0, "workers": 2}, {"at": [2, 5], "seat": 1, "workers": 1}],
    "seats": [{"money": 12, "boxes": {"red": 1}, "workers": 3, "used": ["hiring"], "hand": [1, 5]},
              {"used": ["trading"]}],
}  # fmt: skip


def test_a_position_written_by_hand():
    game = vitienv.Game.from_dict(TOLD)
    assert (game.round, game.seat, game.decision) == (1, 1, "take_action")
    assert prices(game) == {"red": 1, "white": 3, "rose": 4, "champagne": 4, "water": 2}
    assert boxes(game) == {"red": 1} and boxes(game, 1) == {"red": 2, "water": 2} and money(game) == 12
    assert game.record.workers[:2].tolist() == [3, 4]


def test_without_anything_it_is_the_start_of_a_game():
    game = vitienv.Game.from_dict({"game": "toscana"})
    assert (game.round, game.decision, game.seat) == (0, "start_worker", 1)


@pytest.mark.parametrize("options", (
    {"num_players": 2}, {"num_players": 3, "map": "pieces", "player_trades": True}, {"num_players": 5},
    {"num_players": 2, "components": {"supply": {"champagne": {"count": 12}}}},
), ids=str)  # fmt: skip
def test_every_position_of_a_game_is_read_back_as_it_was(options):
    """Chance included, in the middle of every decision."""
    game, chance, met = new(9, **options), random.Random(1), set()
    while not game.is_over:
        position = json.loads(json.dumps(game.to_dict()))
        other = vitienv.Game.from_dict(position)
        assert other == game and other.to_dict() == position and other.legal_actions() == game.legal_actions()
        met.add(game.decision)
        active = [move for move in game.legal_actions() if not move.startswith("pass:")]
        game.step(chance.choice(active or game.legal_actions()))
    assert vitienv.Game.from_dict(game.to_dict()) == game
    assert len(met) >= (11 if "player_trades" in options else 8)


def with_(**changes):
    return {**TOLD, **changes}


def seat(**changes):
    return with_(seats=[{**TOLD["seats"][0], **changes}, TOLD["seats"][1]])


@pytest.mark.parametrize(("position", "told"), (
    (with_(colour=1), "unknown key 'colour' in the position"),
    (with_(num_players=6), "num_players is 6"),
    (with_(options={"max_years": 3}), "unknown option 'max_years'"),
    (with_(round=8), "round is 8; it must be a whole number from 0 to 7"),
    (with_(to_act=0), "to_act is 0, but seat 1 is the next to act"),
    (with_(prices={"red": 0}), "prices.red is 0; it must be a whole number from 1 to 7"),
    (with_(prices={"wine": 1}), "unknown key 'wine' in prices"),
    (with_(stock={"red": 6}), "stock.red is 6"),
    (with_(signs={"red": "plus"}), "two goods have"),
    (with_(signs={"red": []}), r"unknown sign of red: \[\]; there is plus, minus"),
    (with_(map=["R" * 8] * 4), "map is not the printed one"),
    (with_(map=["RW"]), "it must be 4 words of 8 letters"),
    (with_(options={"map": "pieces"}, map=["R" * 8] * 4), "cannot be laid of the 8 pieces"),
    (with_(squares=[at(5, 1)]), "it must be a whole number from 1 to 4"),
    (with_(squares=[at(1, 2, 2)]), "the seat of the square"),
    (with_(squares=[at(1, 2, 0, 2)]), "seat 1 has 0 workers on the map"),
    (with_(round=2, squares=[]), "seat 0 has 0 workers on the map; there is 1 to 5"),
    (with_(water=[[1, 1]]), "there is water on crossroads and no pending winemaking"),
    (with_(status="over"), "actions are left; a game ends when a round is over"),
    (with_(status="lost"), "unknown status: 'lost'"),
    (seat(money=-1), "money of seat 0 is -1"),
    (seat(boxes={"red": 6}), "red of seat 0 is 6"),
    (seat(workers=4), "seat 0 has 4 workers in its storage and 2 on the map; there are 5"),
    (seat(winemasters=2), "2 winemasters in its storage, 0 on the map and 0 lost"),
    (seat(used=["hiring", "hiring"]), "seat 0 has used hiring twice"),
    (seat(used=ALL), "from start_seat 1 on each uses one a turn"),
    (seat(used=["resting"]), "unknown action used by seat 0: 'resting'"),
    (seat(hand=[1, 1]), "there is one of each tile"),
    (seat(hand=[1]), "seat 0 has 1 tiles in hand; in round 1 it has 2"),
    (seat(hand=[1, 7]), "next_draws of seat 0 has a tile that is in hand or played"),
    (seat(played=[2]), "seat 0 has 1 tiles played; in round 1 it has 0"),
    (seat(chosen=1), "seat 0 has chosen a tile; that is done when all actions"),
    (with_(squares=[master(1, 1, 0), *TOLD["squares"]]), "has hired a winemaster and has workers left"),
))  # fmt: skip
def test_contradictions_are_named(position, told):
    with pytest.raises(ValueError, match=told) as caught:
        vitienv.Game.from_dict(position)
    assert "\n" not in str(caught.value)


def test_with_fewer_seats_no_winemaster_is_lost():
    """T38."""
    for n in (2, 3, 4):
        with pytest.raises(ValueError, match="that happens with 5 seats alone"):
            start(n, {"lost": 1})


MADE, TAKER = {"used": ["winemaking"]}, {"used": ["hiring"]}
CREW = crew(0, (1, 1), (1, 2), (1, 3))


def marked(square):
    return {**square, "produced": True}


def taken_over(mine, taker=TAKER, lost=1):
    """Seat 4 has made wine and then perhaps lost a winemaster, seat 0 has used an action."""
    return full_map(mine, taker, {}, {}, {}, {**MADE, "lost": lost}, start_seat=4)


def test_a_square_taken_over_may_have_produced():
    assert taken_over([*CREW, marked(master(1, 4))]).record.square_produced.sum() == 1


@pytest.mark.parametrize(("board", "told"), (
    (lambda: start(2, MADE, squares=[{**at(1, 1), "produced": 1}]), "has produced 1; it must be true or false"),
    (lambda: start(2, squares=[marked(at(1, 1))]), r"square \[1, 1\] has produced and seat 0 has not used winemaking"),
    (lambda: start(2, MADE, squares=[marked(at(1, 3))]), "has produced and is abandoned and has one worker"),
    (lambda: vitienv.Game.from_dict(with_(round=0, squares=[marked(at(1, 1))], seats=[])), "has produced in round 0"),
    (lambda: taken_over([*CREW, marked(master(1, 4))], lost=0), "seat 0 has not used winemaking"),
    (lambda: taken_over([*CREW, marked(master(1, 4))], {"used": ["trading"]}), "seat 0 has not used winemaking"),
    (lambda: taken_over([*CREW, *(marked(master(1, k)) for k in (4, 5))]), "seat 0 has not used winemaking"),
    (lambda: taken_over([*CREW[1:], marked(CREW[0]), master(1, 4)]), "seat 0 has not used winemaking"),
))  # fmt: skip
def test_squares_that_cannot_have_produced(board, told):
    with pytest.raises(ValueError, match=told):
        board()


BOARD = [at(1, 1), at(2, 5, 1)]
NONE = {"boxes": {"red": 0}}
ENDED = {**NONE, "used": ALL, "played": [1, 2, 3]}


def after(**top):
    """The end of round 3."""
    return start(2, ENDED, ENDED, squares=BOARD, round=3, **top)


@pytest.mark.parametrize(("board", "told"), (
    (lambda: start(5, {"lost": 1}, squares=CREW), "seat 0 has lost a winemaster and 25 squares are empty; that needs"),
    (lambda: start(2, ENDED, {**ENDED, "money": 60, "boxes": {"red": 1}}, round=3, status="over"),
     "status is over and seat 1 has boxes; at the end all are sold"),
    (lambda: after(status="over"), "status is over in round 3; it ends with round 7, or when a seat has 60 money"),
    (lambda: after(status="truncated"), "truncated in round 3; only max_rounds does that, at the end of its round"),
    (lambda: after(status="truncated", options={"max_rounds": 4}), "truncated in round 3; only max_rounds"),
    (lambda: start(2, ENDED, {**ENDED, "money": 60}, round=3, status="truncated", options={"max_rounds": 3}),
     "truncated in round 3, in which the game is over without max_rounds"),
    (lambda: start(2, round=3, options={"max_rounds": 2}), "round is 3; max_rounds cuts the game off after round 2"),
    (lambda: start(2, {"money": 60}, round=2), "with 60 the game was over after round 1"),
    (lambda: start(2, {"money": 60, "used": ["winemaking"]}, round=2), "seat 0 has 60 money and has not traded"),
    (lambda: start(2, squares=[at(1, 4)], options={"start_on_water": False}), "all workers of seat 0 stand on water"),
    (lambda: start(2, {"used": ALL, "hand": [1, 2], "chosen": 1}, {"used": ALL}, pending=TRADE["pending"]),
     "an action is pending and a tile is chosen"),
))  # fmt: skip
def test_what_cannot_be_is_named(board, told):
    with pytest.raises(ValueError, match=told) as caught:
        board()
    assert "\n" not in str(caught.value)


def test_what_can_be_is_read():
    """What stands beside each contradiction."""
    rich = {"money": 60, "used": ["trading"]}
    assert start(2, rich, round=2).seat == 1 and start(2, {"money": 60}, round=1).seat == 0
    paid = start(2, {"money": 60, "used": ["winemaking"]}, {"used": ["trading"]}, round=2,
                 options={"player_trades": True})  # fmt: skip
    assert paid.seat == 0
    assert after(status="truncated", options={"max_rounds": 3}).is_truncated
    seven = {**ENDED, "played": [1, 2, 3, 4, 5, 6, 7]}
    assert start(2, seven, seven, round=7, status="over").is_over
    dry = start(2, squares=[at(1, 4), at(1, 1)], options={"start_on_water": False})
    assert dry.record.square_workers.sum() == 3


def test_money_is_read_up_to_what_a_game_can_hold():
    """More is cut off by the game, so that what is written is always read."""
    game = start(2, {"money": 32_760, "boxes": {"red": 5}}, prices={"red": 7})
    play(game, "take:trading", "sell:red:5")
    assert money(game) == 32_767
    assert vitienv.Game.from_dict(json.loads(json.dumps(game.to_dict()))) == game


def test_more_boxes_than_there_are():
    full = {"boxes": {"champagne": 5}}
    with pytest.raises(ValueError, match="the position has 17 boxes of champagne; there are 15"):
        start(4, full, full, full)


def test_tastings_begin_when_all_actions_are_used():
    seats = [{"used": ALL, "hand": [1, 2], "chosen": 2}, {"used": ALL}]
    game = start(2, *seats)
    assert (game.decision, game.seat) == ("taste", 1)
    with pytest.raises(ValueError, match="tiles are chosen clockwise"):
        start(2, seats[1], seats[0])
    with pytest.raises(ValueError, match="which is not in its hand"):
        start(2, {"used": ALL, "hand": [1, 2], "chosen": 3}, seats[1])


def pending(*moves, seats=(), **top):
    return play(start(2, *seats, **top), *moves).to_dict()


WATER = pending("take:winemaking", "crossroad:1:1")
ROSE = pending("take:hiring", "service:mr_rose", seats=[{"boxes": {"rose": 1, "red": 1}}])
OFFER = pending("take:trading", "seat:+1", "sell:red:1", "at:1", options={"player_trades": True})


LOBBY = pending("take:hiring", "service:lobbyist", "tile:red", seats=[{"boxes": {"champagne": 1, "red": 1}}])
TRADE = pending("take:trading")
HIRED = pending("take:hiring", "square:1:1", seats=[{"boxes": {"rose": 1, "red": 1}}])
MADE_TWO = pending("take:winemaking", "crossroad:1:3", "crossroad:1:7",
                   seats=[{"boxes": {"water": 2}}], squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])  # fmt: skip


def without_mark(position):
    """The position with a square that is not marked as produced."""
    first, *squares = position["squares"]
    return {**position, "squares": [{key: told for key, told in first.items() if key != "produced"}, *squares]}


def frame(position, at, **columns):
    """The position with some numbers of a pending frame changed, by their places."""
    frames = [list(numbers) for numbers in position["pending"]]
    for column, number in columns.items():
        frames[at][int(column[1:])] = number
    return {**position, "pending": frames}


@pytest.mark.parametrize(("position", "told"), (
    ({**WATER, "water": []}, "not what the pending winemaking has placed"),
    (frame(WATER, 1, _7=22), "place_water is pending with a 22"),
    (frame(WATER, 1, _4=5), "the winemaking has 5 boxes left and seat 0 1"),
    (frame(WATER, 1, _7=3), "not what the pending winemaking has placed"),
    (frame(WATER, 1, _1=1), "place_water is pending for seat 1; it would be asked of seat 0"),
    (frame(WATER, 0, _6=2), "has asked 2 turns and 1 actions are used"),
    (frame(WATER, 1, _0="taste", _6=0, _7=0), "taste cannot lie on round"),
    (frame(WATER, 1, _2=4), "place_water is pending with card 4; that is -1"),
    (frame(WATER, 1, _11=7), "place_water is pending with result 7; that is 0"),
    (frame(LOBBY, 2, _7=0), "the lobbyist has moved a tile of no sign"),
    (frame(LOBBY, 2, _6=0), "lobby is pending with done 0; that is 1"),
    (frame(LOBBY, 2, _3=0, _4=2, _6=0), "lobby is pending with a 1; that is 0"),
    (frame(LOBBY, 1, _8=0), "a service is at work and the hiring below has none"),
    (frame(LOBBY, 1, _7=1), "a service says otherwise than the hiring below"),
    (frame(ROSE, 2, _6=2), "Mr Rose changes 2 prices in all"),
    (frame(ROSE, 2, _3=1, _4=1, _6=1, _7=4), "mr_rose is pending with a 4; that is a number from 0 to 3"),
    (frame(ROSE, 2, _4=1, _6=1), "the second price is asked for after the first, and only then"),
    (frame(ROSE, 2, _4=0, _6=2, _8=1, _7=3), "after both price changes and the deal Mr Rose is done"),
    (frame(ROSE, 2, _7=2), "Mr Rose has changed 0 prices, the last of good 2"),
    (frame(TRADE, 1, _6=1), "an offer was made; it needs the option player_trades"),
    (frame(TRADE, 1, _7=3), "trade is pending with a 3; that is 0"),
    (frame(HIRED, 1, _8=1), "both halves of the hiring are done, which ends it"),
    (frame(MADE_TWO, 1, _4=1), "1 boxes of abandoned squares are chosen or left; there are 2"),
    (frame(MADE_TWO, 1, _7=2), "good 2 was chosen last and none is chosen"),
    (without_mark(MADE_TWO), "a square of seat 0 beside the water has not produced"),
    ({**MADE_TWO, "water": []}, "2 boxes of abandoned squares are chosen or left; there are 0"),
    ({**TRADE, "water": [[1, 1]]}, "there is water on crossroads exactly while winemaking is pending"),
    ({**ROSE, "pending": ROSE["pending"][:1] + ROSE["pending"][2:]}, "mr_rose cannot lie on round"),
    (frame(ROSE, 2, _7=9), "mr_rose is pending with a 9"),
    ({**OFFER, "options": {}}, "it needs the option player_trades"),
    (frame(OFFER, 2, _9=5), "answer is pending with c 5"),
    (frame(OFFER, 2, _9=3), "cannot carry out"),
    (frame(OFFER, 1, _6=2), "the offer is not the last one of the trading below"),
    (frame(OFFER, 1, _3=1, _7=1), "the offer is not the last one of the trading below, or comes after its first sale"),
    ({**WATER, "pending": []}, "the first of the pending frames is the round's"),
    ({**WATER, "pending": 3}, "pending must be a list"),
))  # fmt: skip
def test_pending_decisions_that_no_game_has_are_refused(position, told):
    with pytest.raises(ValueError, match=told):
        vitienv.Game.from_dict(position)


JUNK = (None, [], {}, "x", 1.5, 10**400, -1, True, [None], {"red": []}, [[1]], float("nan"))


def junked(value):
    """Every way to put junk in the place of one thing of a position."""
    yield from JUNK
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        for junk in junked(one):
            changed = dict(value) if isinstance(value, dict) else list(value)
            changed[key] = junk
            yield changed


@pytest.mark.parametrize("position", (TOLD, WATER, OFFER), ids=("told", "water", "offer"))
def test_junk_is_refused_or_read_and_never_fails_otherwise(position):
    chance = random.Random(3)
    cases = list(junked(position))
    for case in chance.sample(cases, min(len(cases), 700)):
        try:
            vitienv.Game.from_dict(case)
        except ValueError as error:
            assert "\n" not in str(error)


def test_boxes_and_pieces_of_a_late_position():
    squares = [*crew(0, (1, 1), (1, 2), (1, 3)), master(2, 2), master(2, 3)]
    game = start(2, {"boxes": {"white": 1}}, squares=squares, round=6)
    assert game.record.workers[0] == 0 and game.record.winemasters[0] == 1
    assert begun(1).round == 1


TABLES = (
    {"num_players": 2}, {"num_players": 3, "player_trades": True}, {"num_players": 5, "map": "pieces"},
    {"num_players": 4, "skip_forced": True, "start_on_water": False},
)  # fmt: skip
# Two boxes of abandoned squares are to be chosen, which random play seldom comes to.
ABANDONED = {"boxes": {"water": 2}}
FOLLOWING = (FrameOp.START_WORKER, FrameOp.TURN, FrameOp.TASTE)  # written in other words, never as frames


def bounds_of(frame, game):
    return OPERATIONS.bounds(frame, game.num_players)


def test_every_operation_has_bounds():
    assert [row.word for row in OPERATIONS.rows.values() if row.bounds is None] == []


@pytest.mark.parametrize("seed", range(2))
def test_each_number_of_a_pending_frame_has_its_bounds(seed):
    registers = Registers(lambda position: position.get("pending"), bounds_of, most=3, problems=problems)
    chance = random.Random(seed)
    made = start(2, ABANDONED, squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])
    play(made, "take:winemaking", "crossroad:1:3", "crossroad:1:7")
    for game in (made, *(begun(seed, **options) for options in TABLES)):
        while not game.is_over:
            registers.try_all(game)
            active = [move for move in game.legal_actions() if not move.startswith("pass:")]
            game.step(chance.choice(active or game.legal_actions()))
    stages = {(op, stage) for op, row in OPERATIONS.rows.items() for stage in range(max(len(row.decisions), 1))}
    asked = {(op, stage) for op, stage in stages if op not in FOLLOWING}
    assert set(registers.met) == asked
    assert registers.refused > 2000
    assert vitienv.Game.from_dict(game.to_dict()) == game
