"""What placing a worker would bring, and what the same worker could do in winter."""

from vitienv.agents.viticulture.cards import visitor_worth
from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.moves import (
    FAR_BELOW,
    build_best,
    fill_best,
    harvest_best,
    make_several,
    plant_best,
    sell_best,
    sell_field,
    sell_grape,
    train_one,
)
from vitienv.agents.viticulture.view import ME, contested, copy_position
from vitienv.agents.viticulture.worth import worth
from vitienv.core.jit import jit
from vitienv.viticulture.board import TOUR_LIRA, WINES_PER_ACTION, Bonus
from vitienv.viticulture.cards import FIRST_OF_DECK
from vitienv.viticulture.cards.parts import ALL_STRUCTURES, NO_PRICE
from vitienv.viticulture.facts import can_trade_field, field_capacity
from vitienv.viticulture.names import (
    N_BOARD_ACTIONS,
    N_FIELDS,
    N_SUMMER_ACTIONS,
    N_VALUES,
    Act,
    Deck,
    Season,
    Structure,
    Used,
)
from vitienv.viticulture.observation import At, Pending
from vitienv.viticulture.state import Rule
from vitienv.viticulture.tokens import has_wine
from vitienv.viticulture.vocabulary import N_PLACINGS, Move, Placing


@jit
def best_visitor(p, flat, at, w, o, deck, without):
    """The visitor of a deck that leaves most worth, and that worth; kind -1 if none can be played."""
    best, found = FAR_BELOW, -1
    for kind in range(FIRST_OF_DECK[deck], FIRST_OF_DECK[deck + 1]):
        if p[at].hand[ME, kind] > 0 and kind != without:
            value = visitor_worth(p, flat, at, w, o, kind)
            if value > best:
                best, found = value, kind
    return found, best


@jit
def play_visitors(p, flat, at, w, o, deck, bonus):
    """Play the best visitor, and with the bonus a second one, as far as that brings something."""
    before = worth(p, flat, at, w)
    first, value = best_visitor(p, flat, at, w, o, deck, -1)
    if first < 0:
        return False
    gained = value - before + w.visitor_more
    if bonus == 1 and p[at].rules[Rule.BONUS_OF_ACT + Act.PLAY_SUMMER_VISITOR] != Bonus.NONE:
        second, more = best_visitor(p, flat, at, w, o, deck, first)
        if second >= 0 and more > before:
            gained += more - before + w.visitor_more
    p[at].extra += gained
    return True


@jit
def sell_something(p, flat, at, w, bonus):
    """Sell grapes or a field, or buy one back: the best of them; with the bonus for a point, or for a lira."""
    kind = p[at].rules[Rule.BONUS_OF_ACT + Act.SELL_GRAPES_OR_FIELD]
    p[at].vp[ME] += bonus if kind == Bonus.VP else 0
    p[at].lira[ME] += bonus if kind == Bonus.LIRA else 0
    if sell_best(p, flat, at, w) > 0:
        return True
    best, found = FAR_BELOW, -1
    for thing in range(N_FIELDS + 2 * N_VALUES):
        copy_position(flat, at, at + 1)
        if not sell_one(p[at + 1], thing):
            continue
        value = worth(p, flat, at + 1, w)
        if value > best:
            best, found = value, thing
    return found >= 0 and sell_one(p[at], found)


@jit
def sell_one(me, thing):
    """Trade a field (0 to 2) or sell a grape; returns whether that can be done."""
    if thing < N_FIELDS:
        if not can_trade_field(me, ME, thing):
            return False
        sell_field(me, thing, field_capacity(me, thing))
        return True
    colour, value = (thing - N_FIELDS) // N_VALUES, (thing - N_FIELDS) % N_VALUES + 1
    if me.crush[ME, colour, value - 1] == 0:
        return False
    sell_grape(me, colour, value)
    return True


@jit
def repeat_if_better(p, flat, at, w, act):
    """The bonus of planting or harvesting: once more if that adds worth."""
    copy_position(flat, at, at + 1)
    done = harvest_best(p, flat, at + 1, w) if act == Act.HARVEST_FIELD else plant_best(p, flat, at + 1, w, 0, -1)
    if done >= 0 and worth(p, flat, at + 1, w) > worth(p, flat, at, w):
        copy_position(flat, at + 1, at)


@jit
def do_summer_act(p, flat, at, w, o, act, bonus):
    """Carry out a summer action of the board on position `at`; returns whether it can be done."""
    me = p[at]
    if act == Act.DRAW_VINE:
        for _ in range(1 + bonus):
            draw_card(me, Deck.VINE, w)
    elif act == Act.GIVE_TOUR:
        me.lira[ME] += TOUR_LIRA + bonus
        me.extra += w.tour_more
        tastes = me.rules[Rule.TASTING_NEEDS_WINE] == 0 or has_wine(me, ME, 1)
        if me.structures[ME, Structure.TASTING_ROOM] == 1 and me.used[ME, Used.TASTING_ROOM] == 0 and tastes:
            me.used[ME, Used.TASTING_ROOM] = 1
            me.vp[ME] += 1
    elif act == Act.BUILD_STRUCTURE:
        me.lira[ME] += bonus
        return build_best(p, flat, at, w, 0, NO_PRICE, ALL_STRUCTURES) >= 0
    elif act == Act.PLAY_SUMMER_VISITOR:
        return play_visitors(p, flat, at, w, o, Deck.SUMMER, bonus)
    elif act == Act.SELL_GRAPES_OR_FIELD:
        return sell_something(p, flat, at, w, bonus)
    elif act == Act.PLANT_VINE:
        if plant_best(p, flat, at, w, 0, -1) < 0:
            return False
        if bonus == 1:
            repeat_if_better(p, flat, at, w, act)
    return True


@jit
def do_winter_act(p, flat, at, w, o, act, bonus):
    """Carry out a winter action of the board on position `at`; returns whether it can be done."""
    me = p[at]
    if act == Act.DRAW_ORDER:
        for _ in range(1 + bonus):
            draw_card(me, Deck.ORDER, w)
    elif act == Act.HARVEST_FIELD:
        if harvest_best(p, flat, at, w) < 0:
            return False
        for _ in range(bonus + me.rules[Rule.FIELDS_PER_HARVEST] - 1):
            repeat_if_better(p, flat, at, w, act)
    elif act == Act.TRAIN_WORKER:
        me.lira[ME] += bonus
        return train_one(me, int(me.rules[Rule.TRAIN_PRICE]), w)
    elif act == Act.PLAY_WINTER_VISITOR:
        return play_visitors(p, flat, at, w, o, Deck.WINTER, bonus)
    elif act == Act.MAKE_WINE:
        p[at].extra += w.make_more
        return make_several(p, flat, at, w, WINES_PER_ACTION + bonus, 0)[0] > 0
    elif act == Act.FILL_ORDER:
        me.vp[ME] += bonus
        return fill_best(p, flat, at, w) >= 0
    return True


@jit
def act_worth(p, flat, at, w, o, act, bonus):
    """What position `at` is worth after an action with a worker; FAR_BELOW if it cannot be done."""
    top = at + 1
    copy_position(flat, at, top)
    p[top].free -= 1
    if act < N_SUMMER_ACTIONS:
        possible = do_summer_act(p, flat, top, w, o, act, bonus)
    elif act < N_BOARD_ACTIONS:
        possible = do_winter_act(p, flat, top, w, o, act, bonus)
    elif act == Act.GAIN_LIRA:
        p[top].lira[ME] += 1
        possible = True
    else:
        possible = harvest_best(p, flat, top, w) >= 0
    return worth(p, flat, top, w) if possible else FAR_BELOW


@jit
def last_worker_in_winter(p, flat, at, w, o):
    """What the last of one's free workers could bring in winter, if each takes the best action that is left."""
    work = at + 1
    copy_position(flat, at, work)
    p[work].season = Season.WINTER
    taken, gained = 0, 0
    for _ in range(min(6, p[at].free)):
        before = worth(p, flat, work, w)
        best, chosen = FAR_BELOW, -1
        for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
            if (taken >> act) & 1 == 0:
                value = act_worth(p, flat, work, w, o, act, 0)
                if value > best:
                    best, chosen = value, act
        if chosen < 0 or best - before <= w.place_least:
            return 0
        gained = best - before
        taken |= 1 << chosen
        p[work].free -= 1
        do_winter_act(p, flat, work, w, o, chosen, 0)
    return gained


@jit
def token_worth(me, w):
    """What a bonus action token is kept for: less with several in hand, and little at the end."""
    kept = w.token // max(1, me.tokens)
    return kept if me.later > 0 else kept // 3


@jit
def score_token(p, flat, w, o, scores):
    """Whether the bonus of the action under way is worth a token."""
    act = int(o[Pending.A])
    scores[Move.NO] = act_worth(p, flat, 0, w, o, act, 0)
    scores[Move.YES] = act_worth(p, flat, 0, w, o, act, 1) - token_worth(p[0], w)


@jit
def score_placings(p, flat, w, o, mask, scores):
    """The score of every legal placing and of passing."""
    now = worth(p, flat, 0, w)
    summer = p[0].season == Season.SUMMER
    saved = last_worker_in_winter(p, flat, 0, w, o) * w.save // 100 if summer else w.place_least
    scores[Move.PASS] = saved
    regular = o[At.FREE] > 0 or o[At.FREE + 2] > 0
    first = 0 if summer else N_SUMMER_ACTIONS
    for act in range(first, first + N_SUMMER_ACTIONS):
        start = Move.PLACE + act * N_PLACINGS
        plain, bonus = FAR_BELOW, FAR_BELOW
        if mask[start] or mask[start + Placing.PLAIN_GRANDE] or mask[start + Placing.CROWD_GRANDE]:
            plain = act_worth(p, flat, 0, w, o, act, 0) - now
            if p[0].tokens > 0:
                plain = max(plain, act_worth(p, flat, 0, w, o, act, 1) - now - token_worth(p[0], w))
        if mask[start + Placing.BONUS_REGULAR] or mask[start + Placing.BONUS_GRANDE]:
            bonus = act_worth(p, flat, 0, w, o, act, 1) - now + w.bonus_space
        if contested(o, act):
            plain += max(0, plain) * w.contest // 100
            bonus += max(0, bonus) * w.contest // 100
        for how in range(N_PLACINGS):
            if mask[start + how]:
                scores[start + how] = bonus if how == Placing.BONUS_REGULAR or how == Placing.BONUS_GRANDE else plain
                if regular and (
                    how == Placing.PLAIN_GRANDE or how == Placing.BONUS_GRANDE or how == Placing.CROWD_GRANDE
                ):
                    scores[start + how] -= w.grande
    for grande in range(2):
        cost = w.grande if grande == 1 and regular else 0
        if mask[Move.PLACE_CART + grande]:
            scores[Move.PLACE_CART + grande] = act_worth(p, flat, 0, w, o, Act.GAIN_LIRA, 0) - now - cost
        if mask[Move.PLACE_YOKE + grande]:
            scores[Move.PLACE_YOKE + grande] = act_worth(p, flat, 0, w, o, Act.GAIN_LIRA + 1, 0) - now - cost
