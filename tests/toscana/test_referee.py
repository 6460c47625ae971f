"""The engine against the plain referee: all that one whole action can lead to, from positions reached and made up."""

import random

import pytest

import vitienv
from tests.toscana.positions import at, master, new, start
from tests.toscana.referee import prices_after, prices_tasted, read, whole_actions

MARKS = {1: (0, 1), 2: (1, 1), 3: (2, 1), 4: (3, 1), 5: (0, -1), 6: (1, -1), 7: (2, -1)}
TURNS = ("hiring", "winemaking", "trading")
MOST = 3_000  # decisions tried for one action


def ends(game, action, most):
    """All positions to which the engine's sequences of one action lead, or None if they have too many decisions."""
    open_ones, found = [], set()
    for move in game.legal_actions():
        if move.split(":")[1] == TURNS[action]:
            open_ones.append(game.copy().step(move))
    steps = 0
    while open_ones:
        one = open_ones.pop()
        if one.decision in ("take_action", "taste"):
            found.add(read(one).key())
            continue
        steps += 1
        if steps > most:
            return None
        open_ones += [one.copy().step(move) for move in one.legal_actions()]
    return found


def made_up(chance):
    """A position that play seldom reaches: prices at both ends, full storages, an empty bank, a crowded map."""
    n = chance.randint(2, 5)
    places = [(row, column) for row in range(1, 5) for column in range(1, 9)]
    chance.shuffle(places)
    crowded, squares, seats = chance.random() < 0.5, [], []
    for seat in range(n):
        workers = 5 if crowded or chance.random() < 0.5 else chance.randint(1, 4)
        left = workers
        while left:
            here = 1 if crowded else min(left, chance.choice((1, 2)))
            squares.append(at(*places.pop(), seat, here))
            left -= here
        masters = chance.randint(0, 3) if workers == 5 else 0
        masters = min(masters, len(places) - 5 * (n - 1 - seat)) if crowded else min(masters, 1)
        squares += [master(*places.pop(), seat) for _ in range(max(masters, 0))]
        most = 5 if seat == 0 else chance.choice((0, 1, 3))
        held = {good: chance.randint(0, most) for good in ("red", "white", "rose", "champagne")}
        held["water"] = chance.randint(0, 2)
        seats.append({"boxes": held, "money": chance.choice((0, 1, 5, 30))})
    goods = ("red", "white", "rose", "champagne", "water")
    prices = {good: chance.choice((1, 1, 2, 4, 7, 7)) for good in goods}
    stock = {good: min(chance.choice((0, 0, 2, 5)), 15 - sum(seat["boxes"][good] for seat in seats)) for good in goods}
    if min(stock.values()) < 0:
        return made_up(chance)
    try:
        return start(n, *seats, squares=squares, prices=prices, stock=stock, round=1)
    except ValueError:  # a seat whose start worker found no square
        return made_up(chance)


def reached(chance):
    """A position of a random game, at the start of a turn."""
    game = new(chance.randrange(10**6), num_players=chance.randint(2, 5), map=chance.choice(("printed", "pieces")))
    for _ in range(chance.randint(5, 120)):
        last = game.copy()
        game.step(chance.choice(game.legal_actions()))
        if game.is_over:
            return last if last.decision == "take_action" else reached(chance)
    while game.decision != "take_action":
        game.step(chance.choice(game.legal_actions()))
        if game.is_over:
            return reached(chance)
    return game


def compare(n, seed, most=MOST):
    """So many actions that were compared with the referee's."""
    chance, compared = random.Random(seed), 0
    for i in range(n):
        game = (reached, made_up)[i % 2](chance)
        action = chance.choice([turn for turn in range(3) if not game.record.used[game.seat, turn]])
        found = ends(game, action, most)
        if found is not None:
            assert found == whole_actions(read(game), game.seat, action), (game.to_dict(), TURNS[action])
            compared += 1
    return compared


def test_the_engine_allows_what_the_referee_allows():
    assert compare(24, seed=1, most=400) >= 12


@pytest.mark.slow
def test_the_engine_allows_what_the_referee_allows_on_many_positions():
    assert compare(4_000, seed=2) >= 2_500


def test_prices_at_the_end_of_random_rounds():
    """All three phases."""
    chance = random.Random(5)
    for seed in range(15):
        game, rounds = new(seed, num_players=2 + seed % 4), 0
        while not game.is_over and rounds < 3:
            if game.decision != "taste":
                game.step(chance.choice(game.legal_actions()))
                continue
            marks, price = [], read(game).price
            while game.decision == "taste" and len(marks) < game.num_players:
                tile = chance.choice(game.legal_actions())
                marks.append(MARKS[int(tile.removeprefix("taste:"))])
                game.step(tile)
            assert read(game).price == prices_tasted(price, marks)
            rounds += 1


def test_the_referee_knows_when_a_round_is_over():
    game = vitienv.Game.new(game="toscana", seed=1)
    before = read(game)
    assert prices_after(before) == before
