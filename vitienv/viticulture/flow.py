"""Flow of the year: spring, summer, fall, winter, year end (Essential, Spring actions; Year end)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, get, pop, push, set_stage
from vitienv.core.kernel import Status
from vitienv.viticulture.board import LARGE_TIER, MEDIUM_TIER, MIN_WINE_VALUE
from vitienv.viticulture.cards.parts import ANY_DECK, VISITORS
from vitienv.viticulture.enums import (
    AT_CART,
    HAND_LIMIT,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_FIELDS,
    N_ROWS,
    N_SPACES,
    N_SUMMER_ACTIONS,
    N_VALUES,
    NO_SEAT,
    NOWHERE,
    Season,
    Structure,
)
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.ops.acts import planned_worker_at, start_planned
from vitienv.viticulture.ops.automa import is_lost, lacks_staff, set_target, start_automa_season
from vitienv.viticulture.ops.cards import DISCARD_TO_LIMIT, TO_PILES
from vitienv.viticulture.ops.draw import hand_size
from vitienv.viticulture.ops.money import gain_lira
from vitienv.viticulture.ops.offers import seat_in_row
from vitienv.viticulture.ops.workers import free_workers, is_blocker, return_workers
from vitienv.viticulture.places import act_of_place, place_of_crowd, place_of_space
from vitienv.viticulture.setup import clockwise, fix_lira, run_setup
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import age_grapes, age_wines

# The year is the bottom frame of the stack; DONE counts the seats served in the current season.


@jit
def run_start(g, t):
    """Run the set-up, then start the first year."""
    if not run_setup(g, t):
        fix_lira(g)
        pop(g)
        push(g, FrameOp.YEAR, NO_SEAT, 0, 0, 0, 0, 0)
        start_year(g, 1)
    return True


operation(FrameOp.SETUP, run=run_start)


@jit
def start_year(g, year):
    """Start a year; in an eighth solo year glass tokens return (Essential, Difficulty levels, very easy)."""
    g.year = year
    set_target(g)
    if g.rules[Rule.GLASS_TOKENS] == 1 and year == N_ROWS + 1:
        for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
            for row in range(N_ROWS):
                g.glass[seat, row] = 1
    start_season(g, Season.SPRING)


@jit
def start_season(g, season):
    """Start a season: reset passes, and order the seats by the wake-up chart (ruling 1.12)."""
    g.season = season
    g.frames[0, Frame.DONE] = 0
    g.turn = 0
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    for seat in range(MAX_SEATS):
        g.passed[seat] = 0
        g.order[seat] = seat
    if season != Season.SPRING:
        order_by_rows(g)


@jit
def order_by_rows(g):
    position = 0
    for row in range(1, N_ROWS + 1):
        seat = seat_in_row(g, row)
        if seat != NO_SEAT:
            g.order[position] = seat
            position += 1


@jit
def run_year(g, t):
    """Ask the next seat, or start the next season."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    i = get(g, t, Frame.DONE)
    g.frames[t, Frame.RESULT] = 0  # unused, and absent from positions
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    if g.season == Season.SUMMER or g.season == Season.WINTER:
        if not next_turn(g, n):
            if g.season == Season.SUMMER:
                start_season(g, Season.FALL)
            elif lacks_staff(g):
                lose_game(g)
            else:
                start_season(g, Season.YEAR_END)
                age_and_pay(g, n)
    elif i == n:
        end_short_season(g, n)
    else:
        g.frames[t, Frame.DONE] = i + 1
        if g.season == Season.SPRING:
            push(g, FrameOp.WAKE, clockwise(g, i), 1, 1, 0, 0, 0)
        elif g.season == Season.FALL:
            seat = int(g.order[i])
            cards = 1 + int(g.structures[seat, Structure.COTTAGE])
            if not is_blocker(g, seat):
                push(g, FrameOp.DECK, seat, cards, cards, VISITORS, 0, 0)
        else:
            seat = int(g.order[i])
            excess = hand_size(g, seat) - HAND_LIMIT
            if excess > 0:
                set_stage(g, push(g, FrameOp.CARDS, seat, excess, excess, ANY_DECK, 0, TO_PILES), DISCARD_TO_LIMIT)
    return True


operation(FrameOp.YEAR, run=run_year)


@jit
def end_short_season(g, n):
    """Continue after spring, fall or year end, once every seat is served."""
    if g.season == Season.SPRING:
        start_season(g, Season.SUMMER)
        start_automa_season(g)
    elif g.season == Season.FALL:
        start_season(g, Season.WINTER)
        push(g, FrameOp.PLANNED, NO_SEAT, 0, 0, 0, 0, 0)
    else:
        end_year(g, n)


@jit
def next_turn(g, n):
    """Ask the next seat that has not passed to place a worker; return False if all have passed.

    A seat without free workers passes automatically (ruling 1.11).
    """
    for _ in range(n):
        seat = int(g.order[g.turn])
        g.turn = int(g.turn) + 1 if g.turn + 1 < n else 0  # faster than a division
        if g.passed[seat] == 0 and free_workers(g, seat) == 0:
            g.passed[seat] = 1
        if g.passed[seat] == 0:
            g.turn_seat = seat
            push(g, FrameOp.PLACE, seat, 1, 1, 0, 0, 0)
            return True
    return False


@jit
def any_planned(g):
    """Return whether a winter action has a worker; before the first turn of winter it is a planned one."""
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        if g.crowd[act] != 0:
            return True
        for space in range(N_SPACES):
            if g.space_seat[act, space] != NO_SEAT:
                return True
    return False


@jit
def run_planned(g, t):
    """Run the next planned action, by wake-up row, then board order (rulings, Planner), then the Automa."""
    places = AT_CART
    step = get(g, t, Frame.P0)
    if step == 0 and not any_planned(g):
        step = int(g.rules[Rule.NUM_PLAYERS]) * places
    n = int(g.rules[Rule.NUM_PLAYERS])
    while step < n * places:
        seat, place = int(g.order[step // places]), place_in_board_order(step % places)
        step += 1
        g.frames[t, Frame.P0] = step
        if act_of_place(place) >= N_SUMMER_ACTIONS and planned_worker_at(g, seat, place):
            start_planned(g, seat, place)
            return True
    pop(g)
    start_automa_season(g)
    return True


operation(FrameOp.PLANNED, run=run_planned)


@jit
def place_in_board_order(i):
    """Return the place for an index in board order: the spaces of each action, then its crowd."""
    act, position = i // (N_SPACES + 1), i % (N_SPACES + 1)
    return place_of_space(act, position) if position < N_SPACES else place_of_crowd(act)


@jit
def age_and_pay(g, n):
    """Age grapes and wines, retrieve workers, pay residuals (Essential, Year end; ruling 8.7)."""
    for seat in range(n):
        age_grapes(g, seat)
        age_wines(g, seat)
        gain_lira(g, seat, int(g.residual[seat]))
        for i in range(3):
            g.used[seat, i] = 0
        for field in range(N_FIELDS):
            g.harvested[seat, field] = 0
    return_workers(g)


@jit
def lose_game(g):
    """End the solo game as lost."""
    g.lost = 1
    g.status = Status.OVER
    pop(g)


@jit
def end_year(g, n):
    """Pass the first-player marker and end the game if it is over (Essential, End game goal)."""
    g.first_player = (int(g.first_player) + n - 1) % n
    for seat in range(n):
        g.row[seat] = 0
    if is_lost(g):
        lose_game(g)
    elif g.goal_reached == 1 or g.year == g.rules[Rule.LAST_YEAR]:
        score_cellars(g, n)
        g.status = Status.OVER
        pop(g)
    elif g.rules[Rule.MAX_YEARS] > 0 and g.year >= g.rules[Rule.MAX_YEARS]:
        g.status = Status.TRUNCATED
        pop(g)
    else:
        start_year(g, int(g.year) + 1)


@jit
def score_cellars(g, n):
    """Score the wines in the medium and large cellar (Essential, Campaign play, 6)."""
    medium, large = int(g.rules[Rule.MEDIUM_WINE_VP]), int(g.rules[Rule.LARGE_WINE_VP])
    if medium == 0 and large == 0:
        return
    for seat in range(n):
        for kind in range(len(MIN_WINE_VALUE)):
            for value in range(MEDIUM_TIER, N_VALUES + 1):
                if g.cellar[seat, kind, value - 1] == 1:
                    g.vp[seat] += large if value >= LARGE_TIER else medium
