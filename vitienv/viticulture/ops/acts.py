"""The actions of the board: when they can be taken, what they start, their bonuses, cart and yoke."""

from vitienv.core.frames import Frame, finish, get, pop, push
from vitienv.core.jit import jit
from vitienv.viticulture.board import CART_LIRA, TOUR_LIRA, WINES_PER_ACTION, Bonus
from vitienv.viticulture.cards import KIND
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, NO_PRICE
from vitienv.viticulture.facts import harvestable, planted_vines
from vitienv.viticulture.frames import FrameOp, operation
from vitienv.viticulture.names import (
    AT_CROWD,
    N_SPACES,
    N_SUMMER_ACTIONS,
    NOWHERE,
    Act,
    Deck,
    Season,
    Space,
    Structure,
    Used,
    Worker,
)
from vitienv.viticulture.ops.draw import draw
from vitienv.viticulture.ops.money import gain_lira, gain_vp
from vitienv.viticulture.ops.possible import (
    act_possible,
    bonus_of,
    bonus_possible,
    may_spend_token,
    summer_act_possible,
)
from vitienv.viticulture.ops.workers import (
    act_of_placing,
    bonus_space_free,
    free_plain_space,
    free_regular,
    is_blocker,
    mark_placings,
    put_worker,
    take_worker,
    train,
)
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import has_wine
from vitienv.viticulture.vocabulary import N_PLACINGS, Move

# How an action gets its bonus.
WITHOUT, ASKED, AT_ONCE = 0, 1, 2
# Cards for which it matters which worker plays them.
PLANNER = KIND["summer:planner"]
MOTIVATOR_CARD = KIND["winter:motivator"]


@jit
def possible_with(g, seat, act, grande):
    """Whether an action could be carried out after placing a worker of this kind there: it is then no longer free."""
    place = int(g.turn_place)
    worker = take_worker(g, seat, grande)
    g.turn_place = AT_CROWD + act
    possible = act_possible(g, seat, act, 0)
    g.turn_place = place
    g.free[seat, worker] += 1
    return possible


@jit
def legal_act(g, seat, act, mask):
    """Allow the placings of one action of the board."""
    plain_free, bonus_free = free_plain_space(g, act) >= 0, bonus_space_free(g, act)
    regular, grande = free_regular(g, seat) > 0, g.free[seat, Worker.GRANDE] > 0
    if not plain_free and not bonus_free and not grande:
        return
    extra = 1 if bonus_of(g, act) == Bonus.LIRA else 0
    if act == Act.PLAY_SUMMER_VISITOR or act == Act.PLAY_WINTER_VISITOR:
        with_regular = regular and possible_with(g, seat, act, 0)
        with_grande = with_regular
        if grande and (not regular or g.hand[seat, PLANNER] > 0 or g.hand[seat, MOTIVATOR_CARD] > 0):
            with_grande = possible_with(g, seat, act, 1)
        regular_bonus, grande_bonus = with_regular, with_grande
    else:
        with_token = extra if extra > 0 and may_spend_token(g, seat, act) else 0
        with_regular = act_possible(g, seat, act, with_token)
        with_grande = with_regular
        regular_bonus = with_regular or (extra > 0 and bonus_free and act_possible(g, seat, act, extra))
        grande_bonus = regular_bonus
    if g.rules[Rule.FRIENDLY] == 1 and plain_free and bonus_free and not bonus_possible(g, seat, act):
        regular_bonus, grande_bonus = False, False
    mark_placings(g, seat, act, with_regular, regular_bonus, with_grande, grande_bonus, mask)


@jit
def can_yoke(g, seat):
    """Once a year, to uproot or to harvest (Essential, Structures, Yoke)."""
    if g.structures[seat, Structure.YOKE] == 0 or g.used[seat, Used.YOKE] == 1:
        return False
    return can_yoke_uproot(g, seat) or can_yoke_harvest(g, seat)


@jit
def can_yoke_uproot(g, seat):
    """In the manual of the original edition in summer only (Original, Structures)."""
    return planted_vines(g, seat) > 0 and (g.rules[Rule.YOKE_BY_SEASON] == 0 or g.season == Season.SUMMER)


@jit
def can_yoke_harvest(g, seat):
    """In the manual of the original edition in winter only."""
    return harvestable(g, seat) > 0 and (g.rules[Rule.YOKE_BY_SEASON] == 0 or g.season == Season.WINTER)


@jit
def legal_place(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    mask[Move.PASS] = 1
    first = 0 if g.season == Season.SUMMER else N_SUMMER_ACTIONS
    if is_blocker(g, seat):
        legal_block(g, seat, first, mask)
        return
    for act in range(first, first + N_SUMMER_ACTIONS):
        legal_act(g, seat, act, mask)
    cart = g.season == Season.WINTER or g.rules[Rule.CART_IN_SUMMER] == 1
    yoke = can_yoke(g, seat)
    for grande in range(2):
        if (grande == 0 and free_regular(g, seat) > 0) or (grande == 1 and g.free[seat, Worker.GRANDE] > 0):
            if cart:
                mask[Move.PLACE_CART + grande] = 1
            if yoke:
                mask[Move.PLACE_YOKE + grande] = 1


@jit
def legal_block(g, seat, first, mask):
    """A seat that only blocks may stand on any free space of the season, whatever it could do there."""
    for act in range(first, first + N_SUMMER_ACTIONS):
        is_room = free_plain_space(g, act) >= 0 or bonus_space_free(g, act)
        mark_placings(g, seat, act, True, True, is_room, True, mask)


@jit
def apply_place(g, t, action):
    """Place a worker and start the action at once, or pass (Essential, Worker placement)."""
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == Move.PASS:
        g.passed[seat] = 1
        return
    act = act_of_placing(action)
    had_choice = act < Act.YOKE and action < Move.PLACE_CART and free_plain_space(g, act) >= 0
    place = put_worker(g, seat, action)
    if is_blocker(g, seat):
        return
    if action >= Move.PLACE_YOKE:
        g.used[seat, Used.YOKE] = 1
        push(g, FrameOp.YOKE, seat, 1, 1, 0, 0, 0)
    elif action >= Move.PLACE_CART:
        gain_lira(g, seat, CART_LIRA)
    else:
        g.turn_place = place
        if act == Act.GIVE_TOUR:
            use_tasting_room(g, seat)
        if may_spend_token(g, seat, act):
            push(g, FrameOp.TOKEN, seat, 1, 1, act, 0, 0)
        elif not is_bonus_place(place):
            start_act(g, seat, act, WITHOUT, 0)
        elif g.rules[Rule.FRIENDLY] == 1 and had_choice:
            start_act(g, seat, act, AT_ONCE, 1)
        else:
            start_act(g, seat, act, ASKED, 0)


operation(FrameOp.PLACE, "place_worker", legal=legal_place, apply=apply_place, shows=())


@jit
def is_bonus_place(place):
    return place < AT_CROWD and place % N_SPACES == Space.BONUS


@jit
def use_tasting_room(g, seat):
    """1 VP for placing a worker on the tour with a wine in the cellar, once a year (Essential, Structures).

    The original edition asks for no wine (Original, Structures).
    """
    ready = g.structures[seat, Structure.TASTING_ROOM] == 1 and g.used[seat, Used.TASTING_ROOM] == 0
    if ready and (g.rules[Rule.TASTING_NEEDS_WINE] == 0 or has_wine(g, seat, 1)):
        g.used[seat, Used.TASTING_ROOM] = 1
        gain_vp(g, seat, 1)


@jit
def start_act(g, seat, act, bonus, must):
    """Carry out an action of the board; `bonus`: WITHOUT it, ASKED for, or AT_ONCE; `must`: it may not be skipped.

    Bonuses that repeat the act raise the number of times. Others are a question of their own if they are asked for:
    before acts that cost lira, which is as good as any order, as a lira taken early never harms (ruling 1.1).
    """
    kind = bonus_of(g, act)
    again = 1 if bonus != WITHOUT and kind == Bonus.AGAIN else 0
    least = 1 + again * must
    if act == Act.DRAW_VINE:
        draw(g, seat, Deck.VINE)
    elif act == Act.DRAW_ORDER:
        draw(g, seat, Deck.ORDER)
    elif act == Act.GIVE_TOUR:
        gain_lira(g, seat, TOUR_LIRA)
    elif act == Act.BUILD_STRUCTURE:
        push(g, FrameOp.BUILD, seat, 1, 1, 0, NO_PRICE, ALL_STRUCTURES)
    elif act == Act.PLAY_SUMMER_VISITOR:
        push(g, FrameOp.PLAY, seat, 1 + again, least, Deck.SUMMER, 0, 0)
    elif act == Act.PLAY_WINTER_VISITOR:
        push(g, FrameOp.PLAY, seat, 1 + again, least, Deck.WINTER, 0, 0)
    elif act == Act.SELL_GRAPES_OR_FIELD:
        push(g, FrameOp.SELL, seat, 2 * 9, 1, 0, 0, 0)
    elif act == Act.PLANT_VINE:
        push(g, FrameOp.PLANT, seat, 1 + again, least, 0, 0, 0)
    elif act == Act.HARVEST_FIELD:
        push(g, FrameOp.HARVEST, seat, int(g.rules[Rule.FIELDS_PER_HARVEST]) + again, least, 0, 0, 0)
    elif act == Act.TRAIN_WORKER:
        push(g, FrameOp.TRAIN, seat, 1, 1, int(g.rules[Rule.TRAIN_PRICE]), 0, 0)
    elif act == Act.MAKE_WINE:
        push(g, FrameOp.MAKE, seat, WINES_PER_ACTION + again, 1 + WINES_PER_ACTION * again * must, 0, 0, 0)
    elif act == Act.FILL_ORDER:
        push(g, FrameOp.FILL, seat, 1, 1, 0, 0, 0)
    if bonus == AT_ONCE:
        take_bonus(g, seat, act)
    elif bonus == ASKED and again == 0 and kind != Bonus.NONE:
        push(g, FrameOp.BONUS, seat, 1, 0, act, 0, 0)


# Bonus: A the action.


@jit
def take_bonus(g, seat, act):
    kind = bonus_of(g, act)
    if kind == Bonus.LIRA:
        gain_lira(g, seat, 1)
    elif kind == Bonus.VP:
        gain_vp(g, seat, 1)
    elif kind == Bonus.DRAW:
        draw(g, seat, Deck.VINE if act == Act.DRAW_VINE else Deck.ORDER)


@jit
def run_bonus(g, t):
    """Asks nothing when the deck has run out."""
    act = get(g, t, Frame.A)
    if bonus_of(g, act) == Bonus.DRAW and not act_possible(g, get(g, t, Frame.SEAT), act, 0):
        pop(g)
        return True
    return False


@jit
def legal_bonus(g, t, mask):
    """The lira must be taken where the action cannot be paid without it (ruling 1.7)."""
    mask[Move.YES] = 1
    act = get(g, t, Frame.A)
    if bonus_of(g, act) != Bonus.LIRA or act_possible(g, get(g, t, Frame.SEAT), act, 0):
        mask[Move.NO] = 1


@jit
def apply_bonus(g, t, action):
    seat, act = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    pop(g)
    if action == Move.YES:
        take_bonus(g, seat, act)


operation(FrameOp.BONUS, "take_bonus", run=run_bonus, legal=legal_bonus, apply=apply_bonus, shows=(Frame.A,))


# Bonus action token: A the action of the worker just placed.


@jit
def legal_token(g, t, mask):
    """The token must be spent where the action cannot be paid without its lira (as ruling 1.7)."""
    mask[Move.YES] = 1
    if act_possible(g, get(g, t, Frame.SEAT), get(g, t, Frame.A), 0):
        mask[Move.NO] = 1


@jit
def apply_token(g, t, action):
    """Take the bonus of the action too (Essential, Bonus action tokens)."""
    seat, act = get(g, t, Frame.SEAT), get(g, t, Frame.A)
    pop(g)
    if action == Move.YES:
        g.bonus_tokens[seat] -= 1
    start_act(g, seat, act, AT_ONCE if action == Move.YES else WITHOUT, 0)


operation(FrameOp.TOKEN, "spend_token", legal=legal_token, apply=apply_token, shows=(Frame.A,))


@jit
def run_train(g, t):
    seat, price, at_once = get(g, t, Frame.SEAT), get(g, t, Frame.A), get(g, t, Frame.B)
    finish(g, 1)
    train(g, seat, price, at_once)
    return True


operation(FrameOp.TRAIN, run=run_train)


# Yoke: uproot or harvest.


@jit
def legal_yoke(g, t, mask):
    seat = get(g, t, Frame.SEAT)
    if can_yoke_uproot(g, seat):
        mask[Move.OPTION] = 1
    if can_yoke_harvest(g, seat):
        mask[Move.OPTION + 1] = 1


@jit
def apply_yoke(g, t, action):
    seat = get(g, t, Frame.SEAT)
    pop(g)
    push(g, FrameOp.UPROOT if action == Move.OPTION else FrameOp.HARVEST, seat, 1, 1, 0, 0, 0)


operation(FrameOp.YOKE, "yoke", legal=legal_yoke, apply=apply_yoke, shows=())


# Manager: one of the six summer actions, without worker and bonus.


@jit
def legal_manage(g, t, mask):
    for act in range(N_SUMMER_ACTIONS):
        if summer_act_possible(g, get(g, t, Frame.SEAT), act, 0):
            mask[Move.PLACE + act * N_PLACINGS] = 1


@jit
def apply_manage(g, t, action):
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    start_act(g, seat, (action - Move.PLACE) // N_PLACINGS, WITHOUT, 0)


operation(FrameOp.MANAGE, "manage_action", legal=legal_manage, apply=apply_manage, shows=())


# Planned actions: at the start of winter, seats in wake-up order, actions in board order. P0 the next step.


@jit
def planned_worker_at(g, seat, place):
    """Whether a seat's worker stands at a place of the board."""
    if place >= AT_CROWD:
        return (int(g.crowd[place - AT_CROWD]) >> seat) & 1 == 1
    return g.space_seat[place // N_SPACES, place % N_SPACES] == seat


@jit
def act_of_place(place):
    return place - AT_CROWD if place >= AT_CROWD else place // N_SPACES


@jit
def start_planned(g, seat, place):
    """Carry out a planned action if it is possible now; otherwise the worker just stays (rulings, Planner)."""
    act = act_of_place(place)
    bonus = ASKED if is_bonus_place(place) else WITHOUT
    extra = 1 if bonus == ASKED and bonus_of(g, act) == Bonus.LIRA else 0
    g.turn_seat = seat
    g.turn_place = place
    if act_possible(g, seat, act, extra):
        start_act(g, seat, act, bonus, 0)
    else:
        g.turn_place = NOWHERE
