"""Lookahead of the parts of cards: each is applied to a simulated position."""

from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.features import ME, copy_position, n_players
from vitienv.agents.viticulture.lookahead import LookaheadFunctions
from vitienv.agents.viticulture.moves import (
    build_best,
    fill_best,
    harvest_best,
    lose_grape,
    lose_wine,
    make_several,
    plant_best,
    train_one,
)
from vitienv.agents.viticulture.value import hand_size, position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.cards import N_VINES, VINE_TOTAL
from vitienv.viticulture.cards.parts import ANY_DECK, NO_PRICE, Condition, Fact, Offer, PartOp, Reward
from vitienv.viticulture.derived import (
    fields_with_vines,
    fields_without_vines,
    n_structures,
    planted_vines,
    structure_cost,
    vines_of_kinds,
)
from vitienv.viticulture.enums import N_DECKS, N_FIELDS, N_STRUCTURES, N_VALUES, RESIDUAL_MAX, VP_FLOOR, Deck
from vitienv.viticulture.observation import At
from vitienv.viticulture.ops.counting import BY_COST, FULL_STAFF
from vitienv.viticulture.ops.parts import ROWS
from vitienv.viticulture.tokens import age_wines, has_wine, highest_wine

# Estimated values of cards that depend on other seats, in hundredths of a victory point.
PLANNED = 70
RETRIEVED = 70
GRANDE_BACK = 60
EACH_OPPONENT = {
    Offer.BANKER: -10,
    Offer.HANDYMAN: 25,
    Offer.VOLUNTEER_CREW: 30,
    Offer.MENTOR: 20,
    Offer.GUEST_SPEAKER: 40,
    Offer.MOTIVATOR: 35,
    Offer.SWINDLER: 65,
    Offer.VENDOR: -25,
}
BY_OFFER = tuple(EACH_OPPONENT[offer] for offer in Offer)

PART_LOOKAHEAD = LookaheadFunctions("part", PartOp, ROWS.rows)
lookahead = PART_LOOKAHEAD.add
WORTH_OF_PART = ROWS.table(lambda row: row.worth or 0)


@jit
def pay(me, lira):
    """Receive or pay lira. Returns whether it is possible."""
    me.lira[ME] += lira
    return me.lira[ME] >= 0


@jit
def score(me, vp):
    me.vp[ME] += vp
    return vp >= 0 or me.vp[ME] >= VP_FLOOR


@jit
def discard_cards(me, decks, n, w):
    """Discard n cards of some decks at their average value."""
    for _ in range(n):
        deck, largest_hand = -1, 0
        for d in range(N_DECKS):
            if (decks >> d) & 1 == 1 and me.n_hand[ME, d] > largest_hand:
                deck, largest_hand = d, me.n_hand[ME, d]
        if deck < 0:
            return False
        if deck == Deck.SUMMER or deck == Deck.WINTER:
            me.n_hand[ME, deck] -= 1
        elif deck == 0:
            me.n_hand[ME, deck] -= 1
            me.extra -= w.vine_card
        else:
            me.n_hand[ME, deck] -= 1
            me.extra -= max(w.order_card, me.next_order)
    return True


@jit
def uproot_one(me):
    """Uproot the vine of the lowest kind."""
    for vine in range(N_VINES):
        for field in range(N_FIELDS):
            if me.vines[ME, field, vine] > 0:
                me.vines[ME, field, vine] -= 1
                return True
    return False


@jit
def highest_wine_of_others(o, n):
    best = 0
    for seat in range(1, n):
        for kind in range(4):
            for value in range(1, 10):
                if o[At.CELLAR + (seat * 4 + kind) * 9 + value - 1] == 1:
                    best = max(best, value)
    return best


@jit
def full_staffs_of_others(o, n):
    count = 0
    for seat in range(1, n):
        at = At.STAFF + 3 * seat
        if int(o[at]) + int(o[at + 1]) + int(o[at + 2]) + int(o[At.TRAINED + seat]) >= FULL_STAFF:
            count += 1
    return count


@jit
def count_fact(me, o, fact):
    """Return the count of a `per` part."""
    if fact == Fact.EMPTY_FIELDS:
        return fields_without_vines(me, ME)
    if fact == Fact.PLANTED_FIELDS:
        return fields_with_vines(me, ME)
    if fact == Fact.HAND_CARDS:
        return hand_size(me)
    if fact == Fact.OPPONENTS_WITH_SIX_WORKERS:
        return full_staffs_of_others(o, n_players(o))
    total = 0
    for structure in range(N_STRUCTURES):
        if structure_cost(me, structure) == BY_COST:
            total += me.structures[ME, structure]
    return total


@jit
def count_condition(me, o, condition, result):
    """Return the count of a `when` part. result: of the previous part."""
    if condition == Condition.BUILT_COST_5_OR_6:
        return 1 if result >= 0 and 5 <= structure_cost(me, result) <= 6 else 0
    if condition == Condition.PLANTED_TOTAL_4:
        return 1 if result >= 0 and VINE_TOTAL[result // N_FIELDS] == 4 else 0
    if condition == Condition.SIX_VINES_PLANTED:
        return 1 if planted_vines(me, ME) >= 6 else 0
    if condition == Condition.THREE_VARIETIES_ON_FIELD:
        return 1 if result >= 0 and vines_of_kinds(me, ME, result % N_FIELDS) >= 3 else 0
    if condition == Condition.THREE_HARVESTED:
        return 1 if result >= 3 else 0
    if condition == Condition.SIX_STRUCTURES:
        return 1 if n_structures(me, ME) >= 6 else 0
    if condition == Condition.EACH_SPARKLING:
        return result // 16
    if condition == Condition.EACH_TYPE:
        return (result & 1) + (result >> 1 & 1) + (result >> 2 & 1) + (result >> 3 & 1)
    if condition == Condition.MOST_VALUABLE_WINE:
        return 1 if result > highest_wine_of_others(o, n_players(o)) and result > highest_wine(me, ME) else 0
    return 1 if me.staff[ME, 0] + me.staff[ME, 1] + me.staff[ME, 2] + me.trained[ME] >= FULL_STAFF else 0


@jit
def take_offer(p, flat, at, w, offer):
    """Apply an offer to the viewer's vineyard. Returns whether it is possible."""
    me = p[at]
    if offer == Offer.BANKER:
        return score(me, -1) and pay(me, 3)
    if offer == Offer.HANDYMAN:
        return build_best(p, flat, at, w, 2, NO_PRICE, (1 << N_STRUCTURES) - 1) >= 0
    if offer == Offer.VOLUNTEER_CREW:
        return plant_best(p, flat, at, w, 0, -1) >= 0
    if offer == Offer.MENTOR:
        return make_several(p, flat, at, w, 2, 0)[0] > 0
    if offer == Offer.GUEST_SPEAKER:
        return train_one(me, 1, w)
    if offer == Offer.MOTIVATOR:
        me.extra += GRANDE_BACK
    elif offer == Offer.SWINDLER:
        return pay(me, -2)
    elif offer == Offer.VENDOR:
        draw_card(me, Deck.SUMMER, w)
    return True


lookahead(PartOp.LIRA)(lambda p, flat, at, w, o, a, b, c, result: (pay(p[at], a), result))
lookahead(PartOp.POINTS)(lambda p, flat, at, w, o, a, b, c, result: (score(p[at], a), result))
lookahead(PartOp.FILL)(lambda p, flat, at, w, o, a, b, c, result: (fill_best(p, flat, at, w) >= 0, result))
lookahead(PartOp.TRAIN)(lambda p, flat, at, w, o, a, b, c, result: (train_one(p[at], a, w), result))
lookahead(PartOp.DISCARD)(lambda p, flat, at, w, o, a, b, c, result: (discard_cards(p[at], b, a, w), result))
lookahead(PartOp.DISCARD_GRAPE)(lambda p, flat, at, w, o, a, b, c, result: (lose_grape(p, flat, at, w) >= 0, result))
lookahead(PartOp.AGE_ONE)(lambda p, flat, at, w, o, a, b, c, result: (True, result))
lookahead(PartOp.IN_ANY_ORDER)(lambda p, flat, at, w, o, a, b, c, result: (True, result))
lookahead(PartOp.NEEDS)(lambda p, flat, at, w, o, a, b, c, result: (count_condition(p[at], o, a, result) > 0, result))
lookahead(PartOp.WHEN)(
    lambda p, flat, at, w, o, a, b, c, result: (score(p[at], b * count_condition(p[at], o, a, result)), result)
)


@lookahead(PartOp.RESIDUAL)
def move_residual(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    me.residual[ME] += a
    allowed = me.residual[ME] >= 0 and (a < 0 or b == 1 or me.residual[ME] <= RESIDUAL_MAX or a == 2)
    me.residual[ME] = min(me.residual[ME], RESIDUAL_MAX)
    return allowed, result


@lookahead(PartOp.DRAW)
def draw_counts(p, flat, at, w, o, a, b, c, result):
    for deck in range(N_DECKS):
        for _ in range((a >> (3 * deck)) & 7):
            draw_card(p[at], deck, w)
    return True, result


@lookahead(PartOp.BUILD)
def build(p, flat, at, w, o, a, b, c, result):
    built = build_best(p, flat, at, w, a, b, c)
    return built >= 0, built


@lookahead(PartOp.PLANT)
def plant_several(p, flat, at, w, o, a, b, c, result):
    planted = -1
    for i in range(a):
        vine = plant_best(p, flat, at, w, b, -1)
        if vine < 0 and i == 0:
            return c == 1, -1
        planted = max(planted, vine)
    return True, planted


@lookahead(PartOp.HARVEST)
def harvest_several(p, flat, at, w, o, a, b, c, result):
    fields = 0
    while fields < a and harvest_best(p, flat, at, w) >= 0:
        fields += 1
    return fields > 0, fields


@lookahead(PartOp.MAKE)
def make_wines(p, flat, at, w, o, a, b, c, result):
    kinds, sparkling = make_several(p, flat, at, w, a, b)
    return kinds > 0, kinds + 16 * sparkling


@lookahead(PartOp.UPROOT)
def uproot_several(p, flat, at, w, o, a, b, c, result):
    for _ in range(a):
        if not uproot_one(p[at]):
            return False, result
    return True, result


@lookahead(PartOp.DISCARD_HAND)
def discard_hand(p, flat, at, w, o, a, b, c, result):
    n = hand_size(p[at])
    return n > 0 and discard_cards(p[at], ANY_DECK, n, w), result


@lookahead(PartOp.DISCARD_WINE)
def discard_wine(p, flat, at, w, o, a, b, c, result):
    wine = lose_wine(p, flat, at, w, a)
    return wine >= 0, wine % N_VALUES + 1


@lookahead(PartOp.AGE_ALL)
def age_all(p, flat, at, w, o, a, b, c, result):
    for _ in range(a):
        age_wines(p[at], ME)
    return has_wine(p[at], ME, 1), result


@lookahead(PartOp.BUY_GRAPE)
def buy_grape(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    colour = 0 if me.crush[ME, 0, 0] == 0 else 1
    possible = me.crush[ME, colour, 0] == 0
    me.crush[ME, colour, 0] = 1
    return possible, result


@lookahead(PartOp.BUY_GRAPE_PAIR)
def buy_pair(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    possible = me.crush[ME, 0, 0] == 0 and me.crush[ME, 1, 0] == 0
    me.crush[ME, 0, 0] = 1
    me.crush[ME, 1, 0] = 1
    return possible, result


@lookahead(PartOp.PER)
def pay_for(p, flat, at, w, o, a, b, c, result):
    n = count_fact(p[at], o, a)
    return pay(p[at], n * b) and score(p[at], n * c), result


# Parts that involve other seats, or state outside a position.


@lookahead(PartOp.EACH_MAY)
def offer_all(p, flat, at, w, o, a, b, c, result):
    if Offer.HANDYMAN <= a <= Offer.MOTIVATOR:
        copy_position(flat, at, at + 1)
        if take_offer(p, flat, at + 1, w, a) and position_value(p, flat, at + 1, w) > position_value(p, flat, at, w):
            copy_position(flat, at + 1, at)
    p[at].extra += BY_OFFER[a] * (n_players(o) - 1)
    return True, result


@lookahead(PartOp.CHOOSE_OPPONENTS)
def choose_opponents(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    for seat in range(1, min(3, n_players(o) - 1) + 1):
        if a == Reward.PAY_TWO_LIRA:
            if me.lira[ME] < 2:
                return seat > 1, result
            me.lira[ME] -= 2
            me.vp[ME] += 1
        elif o[At.N_HAND + seat * N_DECKS + Deck.SUMMER] == 0:
            me.vp[ME] += 1
        else:
            draw_card(me, Deck.SUMMER, w)
    return True, result


@lookahead(PartOp.IMPORT)
def draw_imported(p, flat, at, w, o, a, b, c, result):
    for _ in range(3):
        draw_card(p[at], Deck.WINTER, w)
    return True, result


@lookahead(PartOp.PLAN)
def plan(p, flat, at, w, o, a, b, c, result):
    p[at].extra += PLANNED
    return p[at].free > 0, result


@lookahead(PartOp.RETRIEVE)
def retrieve_worker(p, flat, at, w, o, a, b, c, result):
    me = p[at]
    placed = me.staff[ME, 0] + me.staff[ME, 1] + me.staff[ME, 2] - me.free - 1
    me.extra += RETRIEVED * min(a, max(0, placed))
    return placed > 0, result


try_part = PART_LOOKAHEAD.dispatch("try_part", "p, flat, at, w, o, a, b, c, result", otherwise="(True, result)")


@jit
def own_part(p, flat, at, w, o, op, a, b, c, result):
    """Apply a part to the viewer's vineyard. Returns whether it is possible, and the result for the next part."""
    p[at].extra += WORTH_OF_PART[op]
    return try_part(op, p, flat, at, w, o, a, b, c, result)
