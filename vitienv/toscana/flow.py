"""Flow of a round: turns, price changes, tasting, and the end of the game (T24, T67 to T76)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push
from vitienv.core.kernel import Status
from vitienv.toscana.enums import CAPACITY, MAX_SEATS, N_GOODS, N_SQUARES, N_TILES, N_TURNS, NO_TILE, Phase
from vitienv.toscana.frames import FrameOp, operation
from vitienv.toscana.ops.tiles import draw_tile
from vitienv.toscana.setup import seat_in_start_order
from vitienv.toscana.state import Rule
from vitienv.toscana.storage import earn, move_price, selling_price

# The round is the bottom frame of the stack; DONE counts the seats asked in the current phase.


@jit
def clockwise(g, i):
    """Return the i-th seat in turn order (T24)."""
    return (int(g.start_seat) + i) % int(g.rules[Rule.NUM_PLAYERS])


@jit
def run_round(g, t):
    """Ask the next seat or start the next phase; three phases change prices (T24, T67)."""
    n, num_asked = int(g.rules[Rule.NUM_PLAYERS]), get(g, t, Frame.DONE)
    g.frames[t, Frame.DONE] = num_asked + 1
    if g.phase == Phase.SETUP:
        if num_asked < n:
            push(g, FrameOp.START_WORKER, seat_in_start_order(g, num_asked), 1, 1, 0, 0, 0)
        else:
            start_round(g, 1)
    elif g.phase == Phase.ACTIONS:
        if num_asked < N_TURNS * n:
            push(g, FrameOp.TURN, clockwise(g, num_asked), 1, 1, 0, 0, 0)
        else:
            apply_recommendations(g)
            apply_market_stocks(g)
            start_phase(g, Phase.TASTING)
    elif num_asked < n:
        push(g, FrameOp.TASTE, clockwise(g, num_asked), 1, 1, 0, 0, 0)
    else:
        taste(g, n)
        end_round(g, n)
    return True


operation(FrameOp.ROUND, run=run_round, bounds={Frame.DONE: (0, N_TURNS * MAX_SEATS)})


@jit
def start_phase(g, phase):
    g.phase = phase
    g.frames[0, Frame.DONE] = 0


@jit
def start_round(g, number):
    """Return all action coins (T74) and let every square produce again (T53)."""
    g.round_number = number
    for square in range(N_SQUARES):
        g.square_produced[square] = 0
    for seat in range(MAX_SEATS):
        for turn in range(N_TURNS):
            g.used[seat, turn] = 0
    start_phase(g, Phase.ACTIONS)


@jit
def apply_recommendations(g):
    """Raise the price of each good with a plus tile and lower it with a minus tile (T69)."""
    for good in range(N_GOODS):
        move_price(g, good, int(g.sign[good]))


@jit
def apply_market_stocks(g):
    """Lower the price of each good with a full market storage and raise it with an empty one (T70)."""
    for good in range(N_GOODS):
        if g.stock[good] == CAPACITY:
            move_price(g, good, -1)
        elif g.stock[good] == 0:
            move_price(g, good, 1)


@jit
def taste(g, n):
    """Reveal the chosen tiles, move each price by the sum of its marks, and draw new tiles (T72, T73)."""
    for good in range(N_GOODS):
        marks = 0
        for seat in range(n):
            marks += int(g.rules[Rule.MARKS + N_GOODS * (int(g.chosen[seat]) - 1) + good])
        move_price(g, good, marks)
    for seat in range(n):
        tile = int(g.chosen[seat]) - 1
        g.hand[seat, tile] = 0
        g.played[seat, tile] = 1
        g.chosen[seat] = NO_TILE
        draw_tile(g, seat)


@jit
def is_last_round(g, n):
    """Return whether the game ends: all tiles are played, or a seat has the required money (T75, ruling O8)."""
    if g.round_number == g.rules[Rule.LAST_ROUND] or g.round_number == N_TILES:
        return True
    for seat in range(n):
        if g.money[seat] >= g.rules[Rule.END_MONEY]:
            return True
    return False


@jit
def end_round(g, n):
    """End the game, or start the next round with the seat to the left (T74, T75)."""
    if is_last_round(g, n):
        sell_all(g, n)
        g.status = Status.OVER
        pop(g)
    elif 0 < g.rules[Rule.MAX_ROUNDS] <= g.round_number:
        g.status = Status.TRUNCATED
        pop(g)
    else:
        g.start_seat = clockwise(g, 1)
        start_round(g, int(g.round_number) + 1)


@jit
def sell_all(g, n):
    """Sell all boxes of every seat to the bank at current prices, without limit (T76)."""
    for seat in range(n):
        for good in range(N_GOODS):
            boxes = int(g.boxes[seat, good])
            earn(g, seat, boxes * selling_price(g, good))
            g.boxes[seat, good] = 0
            g.bank[good] += boxes
