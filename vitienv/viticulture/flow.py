"""The set-up and the year: spring, summer, fall, winter, year end (Essential, Setup; Seasons; Year end)."""

from vitienv.core.jit import jit
from vitienv.core.rng import below
from vitienv.viticulture.board import N_ROWS, START_REGULAR_WORKERS
from vitienv.viticulture.cards import (
    COPIES,
    DECK_SIZE,
    MAMA_DRAWS,
    MAMA_LIRA,
    N_KINDS,
    PAPA_GIFT,
    PAPA_GIFT_LIRA,
    PAPA_LIRA,
)
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT, GIFT_WORKER
from vitienv.viticulture.cards.parts import ANY_DECK, VISITORS
from vitienv.viticulture.frames import get, pop, push, set_stage
from vitienv.viticulture.names import (
    AT_CART,
    COTTAGE,
    FALL,
    GRANDE,
    HAND_LIMIT,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_FIELDS,
    N_SPACES,
    N_SUMMER_ACTIONS,
    NO_SEAT,
    NOWHERE,
    REGULAR,
    SETUP,
    SPRING,
    SUMMER,
    WINTER,
    YEAR_END,
)
from vitienv.viticulture.ops.acts import act_of_place, planned_worker_at, start_planned
from vitienv.viticulture.ops.cards import DISCARD_TO_LIMIT, TO_PILES
from vitienv.viticulture.ops.draw import NO_KIND, draw, hand_size, random_word
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.opponents import OP_CARDS, OP_DECK, seat_in_row
from vitienv.viticulture.ops.planning import row_is_free, take_row
from vitienv.viticulture.ops.workers import free_workers, workers_home
from vitienv.viticulture.state import (
    CHANCE_SETUP,
    DONE,
    DRAFT_PARENTS,
    FRAME_WIDTH,
    MAX_DEPTH,
    MAX_YEARS,
    N_RULES,
    N_STREAMS,
    NUM_PLAYERS,
    OVER,
    P0,
    PLAYING,
    RESULT,
    SEAT,
    STAGE,
    TRUNCATED,
)
from vitienv.viticulture.tokens import age_grapes, age_wines
from vitienv.viticulture.vocabulary import OPTION, WAKE, FrameOp

OP_SETUP, OP_YEAR, OP_PLANNED, OP_WAKE, OP_PARENT, OP_GIFT, OP_PLACE = (
    int(op)
    for op in (
        FrameOp.SETUP,
        FrameOp.YEAR,
        FrameOp.PLANNED,
        FrameOp.WAKE,
        FrameOp.PARENT,
        FrameOp.GIFT,
        FrameOp.PLACE,
    )
)
N_PARENTS = len(MAMA_LIRA)
DRAFT, GIVE_MAMAS, GIFTS = 0, 1, 2  # stages of the set-up
MAMA, PAPA = 0, 1


@jit
def clear(g):
    """An empty table, rules kept."""
    for i in range(2):
        g.key[i] = 0
    for i in range(N_STREAMS):
        g.chance[i] = 0
    for i in range(MAX_DEPTH):
        for j in range(FRAME_WIDTH):
            g.frames[i, j] = 0
    g.depth = 0
    g.year = 0
    g.status = PLAYING
    g.season = SETUP
    g.first_player = 0
    g.turn = 0
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    g.goal_reached = 0
    for kind in range(N_KINDS):
        g.deck[kind] = COPIES[kind]
        g.discard[kind] = 0
    for deck in range(N_DECKS):
        g.n_deck[deck] = DECK_SIZE[deck]
        g.n_pile[deck] = 0
        g.n_forced[deck] = 0
        for i in range(g.pile.shape[1]):
            g.pile[deck, i] = NO_KIND
            g.forced[deck, i] = NO_KIND
    for act in range(N_BOARD_ACTIONS):
        g.crowd[act] = 0
        for space in range(N_SPACES):
            g.space_seat[act, space] = NO_SEAT
            g.space_worker[act, space] = 0
    for seat in range(MAX_SEATS):
        clear_seat(g, seat)


@jit
def clear_seat(g, seat):
    g.lira[seat] = 0
    g.vp[seat] = 0
    g.residual[seat] = 0
    g.order[seat] = seat
    g.row[seat] = 0
    g.passed[seat] = 0
    g.trained[seat] = 0
    g.yoke_worker[seat] = -1
    for worker in range(3):
        g.staff[seat, worker] = 0
        g.free[seat, worker] = 0
        g.cart[seat, worker] = 0
        g.used[seat, worker] = 0
    for structure in range(g.structures.shape[1]):
        g.structures[seat, structure] = 0
    for field in range(N_FIELDS):
        g.sold[seat, field] = 0
        g.harvested[seat, field] = 0
        for vine in range(g.vines.shape[2]):
            g.vines[seat, field, vine] = 0
    for value in range(g.crush.shape[2]):
        for colour in range(2):
            g.crush[seat, colour, value] = 0
        for kind in range(4):
            g.cellar[seat, kind, value] = 0
    for kind in range(N_KINDS):
        g.hand[seat, kind] = 0
        g.shown[seat, kind] = 0
    for deck in range(N_DECKS):
        g.n_hand[seat, deck] = 0
    for i in range(2):
        g.mamas[seat, i] = -1
        g.papas[seat, i] = -1


@jit
def new_game(g, key0, key1, rules):
    """Start a game: first player, parents dealt, up to the first decision's frame (Essential, Setup)."""
    clear(g)
    for i in range(N_RULES):
        g.rules[i] = rules[i]
    g.key[0] = key0
    g.key[1] = key1
    n = int(g.rules[NUM_PLAYERS])
    for seat in range(n):
        g.staff[seat, REGULAR] = START_REGULAR_WORKERS
        g.staff[seat, GRANDE] = 1
        g.free[seat, REGULAR] = START_REGULAR_WORKERS
        g.free[seat, GRANDE] = 1
    g.first_player = below(random_word(g, CHANCE_SETUP), n)
    for i in range(1 + int(g.rules[DRAFT_PARENTS])):
        for seat in range(n):
            g.mamas[seat, i] = deal_parent(g, MAMA)
            g.papas[seat, i] = deal_parent(g, PAPA)
    set_stage(g, push(g, OP_SETUP, 0, 0, 0, 0, 0, 0), DRAFT if g.rules[DRAFT_PARENTS] == 1 else GIVE_MAMAS)


@jit
def deal_parent(g, parent):
    """A mama or papa not yet dealt, at random."""
    left = N_PARENTS
    for number in range(N_PARENTS):
        if is_dealt(g, parent, number):
            left -= 1
    at = below(random_word(g, CHANCE_SETUP), left)
    number = 0
    while at > 0 or is_dealt(g, parent, number):
        if not is_dealt(g, parent, number):
            at -= 1
        number += 1
    return number


@jit
def is_dealt(g, parent, number):
    for seat in range(MAX_SEATS):
        for i in range(2):
            if (g.mamas[seat, i] if parent == MAMA else g.papas[seat, i]) == number:
                return True
    return False


@jit
def clockwise(g, i):
    """The i-th seat from the first player on."""
    return (int(g.first_player) + i) % int(g.rules[NUM_PLAYERS])


@jit
def run_setup(g, t):
    """Draft if asked for, then all mamas, then the papas' gifts, clockwise (rulings 8.13, 8.14)."""
    n, i = int(g.rules[NUM_PLAYERS]), get(g, t, DONE)
    stage = get(g, t, STAGE)
    g.frames[t, DONE] = i + 1
    if stage == DRAFT and i < 2 * n:
        set_stage(g, push(g, OP_PARENT, clockwise(g, i // 2), 1, 1, 0, 0, 0), i % 2)
    elif stage == DRAFT:
        start_stage(g, t, GIVE_MAMAS)
    elif stage == GIVE_MAMAS and i < n:
        give_parents(g, clockwise(g, i))
    elif stage == GIVE_MAMAS:
        start_stage(g, t, GIFTS)
    elif i < n:
        push(g, OP_GIFT, clockwise(g, i), 1, 1, 0, 0, 0)
    else:
        pop(g)
        push(g, OP_YEAR, NO_SEAT, 0, 0, 0, 0, 0)
        start_year(g, 1)
    return True


@jit
def start_stage(g, t, stage):
    set_stage(g, t, stage)
    g.frames[t, DONE] = 0


@jit
def give_parents(g, seat):
    """The mama's cards and lira, and the papa's lira."""
    mama, papa = int(g.mamas[seat, 0]), int(g.papas[seat, 0])
    for deck in range(N_DECKS):
        for _ in range(MAMA_DRAWS[mama, deck]):
            draw(g, seat, deck)
    gain_lira(g, seat, int(MAMA_LIRA[mama]) + int(PAPA_LIRA[papa]))


@jit
def legal_parent(g, t, mask):
    mask[OPTION] = 1
    mask[OPTION + 1] = 1


@jit
def apply_parent(g, t, action):
    """Keep one of two dealt parents."""
    seat, kept = get(g, t, SEAT), action - OPTION
    if g.frames[t, STAGE] == MAMA:
        g.mamas[seat, 0] = g.mamas[seat, kept]
        g.mamas[seat, 1] = -1
    else:
        g.papas[seat, 0] = g.papas[seat, kept]
        g.papas[seat, 1] = -1
    pop(g)


@jit
def legal_gift(g, t, mask):
    mask[OPTION] = 1
    mask[OPTION + 1] = 1


@jit
def apply_gift(g, t, action):
    """The papa's gift, or more lira instead (Essential, Mamas and papas)."""
    seat = get(g, t, SEAT)
    papa = int(g.papas[seat, 0])
    pop(g)
    gift = PAPA_GIFT[papa]
    if action != OPTION:
        gain_lira(g, seat, int(PAPA_GIFT_LIRA[papa]))
    elif gift == GIFT_WORKER:
        g.staff[seat, REGULAR] += 1
        g.free[seat, REGULAR] += 1
    elif gift == GIFT_VICTORY_POINT:
        gain_vp(g, seat, 1)
    else:
        g.structures[seat, gift] = 1


# The year: one frame at the bottom of the stack; DONE the seats served in this season.


@jit
def start_year(g, year):
    g.year = year
    start_season(g, SPRING)


@jit
def start_season(g, season):
    """Begin a season: nobody has passed, the order is that of the wake-up chart (ruling 1.12)."""
    g.season = season
    g.frames[0, DONE] = 0
    g.turn = 0
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    for seat in range(MAX_SEATS):
        g.passed[seat] = 0
        g.order[seat] = seat
    if season != SPRING:
        order_by_rows(g)


@jit
def order_by_rows(g):
    at = 0
    for row in range(1, N_ROWS + 1):
        seat = seat_in_row(g, row)
        if seat != NO_SEAT:
            g.order[at] = seat
            at += 1


@jit
def run_year(g, t):
    """One step of the year: ask the next seat, or begin the next season."""
    n = int(g.rules[NUM_PLAYERS])
    i = get(g, t, DONE)
    g.frames[t, RESULT] = 0  # nobody reads what a turn gave; a position has none
    g.turn_seat = NO_SEAT
    g.turn_place = NOWHERE
    if g.season == SUMMER or g.season == WINTER:
        if not next_turn(g, n):
            if g.season == SUMMER:
                start_season(g, FALL)
            else:
                start_season(g, YEAR_END)
                age_and_pay(g, n)
    elif i == n:
        end_short_season(g, n)
    else:
        g.frames[t, DONE] = i + 1
        if g.season == SPRING:
            push(g, OP_WAKE, clockwise(g, i), 1, 1, 0, 0, 0)
        elif g.season == FALL:
            seat = int(g.order[i])
            cards = 1 + int(g.structures[seat, COTTAGE])
            push(g, OP_DECK, seat, cards, cards, VISITORS, 0, 0)
        else:
            seat = int(g.order[i])
            over = hand_size(g, seat) - HAND_LIMIT
            if over > 0:
                set_stage(g, push(g, OP_CARDS, seat, over, over, ANY_DECK, 0, TO_PILES), DISCARD_TO_LIMIT)
    return True


@jit
def end_short_season(g, n):
    """What follows spring, fall and the year end, once every seat is served."""
    if g.season == SPRING:
        start_season(g, SUMMER)
    elif g.season == FALL:
        start_season(g, WINTER)
        push(g, OP_PLANNED, NO_SEAT, 0, 0, 0, 0, 0)
    else:
        end_year(g, n)


@jit
def next_turn(g, n):
    """Ask the next seat that has not passed to place a worker; False when all have.

    Who has no worker left when the turn comes counts as passed (ruling 1.11).
    """
    for _ in range(n):
        seat = int(g.order[g.turn])
        g.turn = (int(g.turn) + 1) % n
        if g.passed[seat] == 0 and free_workers(g, seat) == 0:
            g.passed[seat] = 1
        if g.passed[seat] == 0:
            g.turn_seat = seat
            push(g, OP_PLACE, seat, 1, 1, 0, 0, 0)
            return True
    return False


@jit
def legal_wake(g, t, mask):
    for row in range(1, N_ROWS + 1):
        if row_is_free(g, row):
            mask[WAKE + row - 1] = 1


@jit
def apply_wake(g, t, action):
    seat = get(g, t, SEAT)
    pop(g)
    take_row(g, seat, action - WAKE + 1)


@jit
def any_planned(g):
    """Whether a worker stands on a winter action: at the start of winter only planned ones do."""
    for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
        if g.crowd[act] != 0:
            return True
        for space in range(N_SPACES):
            if g.space_seat[act, space] != NO_SEAT:
                return True
    return False


@jit
def run_planned(g, t):
    """The next planned action, seats in wake-up order, actions in board order (rulings, Planner)."""
    places = AT_CART
    step = get(g, t, P0)
    if step == 0 and not any_planned(g):
        pop(g)
        return True
    n = int(g.rules[NUM_PLAYERS])
    while step < n * places:
        seat, place = int(g.order[step // places]), place_in_board_order(step % places)
        step += 1
        g.frames[t, P0] = step
        if act_of_place(place) >= N_SUMMER_ACTIONS and planned_worker_at(g, seat, place):
            start_planned(g, seat, place)
            return True
    pop(g)
    return True


@jit
def place_in_board_order(i):
    """The places of each action in turn: its three spaces, then its crowd."""
    act, at = i // (N_SPACES + 1), i % (N_SPACES + 1)
    return act * N_SPACES + at if at < N_SPACES else N_BOARD_ACTIONS * N_SPACES + act


@jit
def age_and_pay(g, n):
    """Age grapes and wines, bring workers home, pay residuals (Essential, Year end; ruling 8.7)."""
    for seat in range(n):
        age_grapes(g, seat)
        age_wines(g, seat)
        gain_lira(g, seat, int(g.residual[seat]))
        for i in range(3):
            g.used[seat, i] = 0
        for field in range(N_FIELDS):
            g.harvested[seat, field] = 0
    workers_home(g)


@jit
def end_year(g, n):
    """The marker goes counter-clockwise, the roosters leave; the game may be over (Essential, End game goal)."""
    g.first_player = (int(g.first_player) + n - 1) % n
    for seat in range(n):
        g.row[seat] = 0
    if g.goal_reached == 1:
        g.status = OVER
        pop(g)
    elif g.rules[MAX_YEARS] > 0 and g.year >= g.rules[MAX_YEARS]:
        g.status = TRUNCATED
        pop(g)
    else:
        start_year(g, int(g.year) + 1)

