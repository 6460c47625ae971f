"""What playing a visitor would bring: its row in the card tables is tried on an imagined position, part by part."""

from vitienv.agents.viticulture.drawing import draw_card
from vitienv.agents.viticulture.moves import (
    FAR_BELOW,
    build_best,
    fill_best,
    harvest_best,
    lose_grape,
    lose_wine,
    make_several,
    plant_best,
    train_one,
)
from vitienv.agents.viticulture.view import ME, copy_position, n_players
from vitienv.agents.viticulture.worth import hand_size, worth
from vitienv.core.jit import jit
from vitienv.viticulture.cards import (
    DECK_OF_KIND,
    FIRST_SUMMER,
    MODE,
    N_BRANCHES,
    N_VINES,
    PARTS,
    VINE_TOTAL,
)
from vitienv.viticulture.cards.parts import MAX_PARTS, NO_PRICE, Condition, Fact, Mode, Offer, PartOp, Reward
from vitienv.viticulture.facts import (
    fields_with_vines,
    fields_without_vines,
    n_structures,
    planted_vines,
    structure_cost,
    vines_of_kinds,
)
from vitienv.viticulture.names import N_DECKS, N_FIELDS, N_STRUCTURES, RESIDUAL_MAX, VP_FLOOR, Deck
from vitienv.viticulture.observation import At
from vitienv.viticulture.ops.counting import BY_COST, FULL_STAFF
from vitienv.viticulture.ops.parts import IMAGINED, ROWS
from vitienv.viticulture.possible.asking import can_age_any
from vitienv.viticulture.tokens import age_wine, age_wines, can_age, has_wine, highest_wine

# What the cards that need the whole table bring, roughly, in hundredths of a victory point.
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

# Parts that bots carry out in a position of their own; of the others the row says what they are worth.
CARRIED_OUT = {
    PartOp.LIRA, PartOp.POINTS, PartOp.RESIDUAL, PartOp.DRAW, PartOp.BUILD, PartOp.PLANT, PartOp.HARVEST, PartOp.MAKE,
    PartOp.FILL, PartOp.TRAIN, PartOp.UPROOT, PartOp.DISCARD, PartOp.DISCARD_HAND, PartOp.DISCARD_GRAPE,
    PartOp.DISCARD_WINE, PartOp.AGE_ALL, PartOp.AGE_ONE, PartOp.IN_ANY_ORDER, PartOp.BUY_GRAPE, PartOp.BUY_GRAPE_PAIR,
    PartOp.PER, PartOp.WHEN, PartOp.NEEDS, PartOp.EACH_MAY, PartOp.CHOOSE_OPPONENTS, PartOp.IMPORT, PartOp.PLAN,
    PartOp.RETRIEVE,
}  # fmt: skip
for _op, _row in ROWS.rows.items():
    if (_row.worth is IMAGINED) != (_op in CARRIED_OUT):
        raise ValueError(f"part {PartOp(_op).name}: bots know it, or its row says what it is worth, but not both")
WORTH_OF_PART = ROWS.table(lambda row: row.worth or 0)


@jit
def pay(me, lira):
    """Receive lira, or pay them; returns whether that is possible."""
    me.lira[ME] += lira
    return me.lira[ME] >= 0


@jit
def score(me, vp):
    me.vp[ME] += vp
    return vp >= 0 or me.vp[ME] >= VP_FLOOR


@jit
def discard_cards(me, decks, n, w):
    """Give up n cards of these decks, at the price of an average one."""
    for _ in range(n):
        deck, most = -1, 0
        for d in range(N_DECKS):
            if (decks >> d) & 1 == 1 and me.n_hand[ME, d] > most:
                deck, most = d, me.n_hand[ME, d]
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
    """Give up the least planted vine."""
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
    found = 0
    for seat in range(1, n):
        at = At.STAFF + 3 * seat
        if int(o[at]) + int(o[at + 1]) + int(o[at + 2]) + int(o[At.TRAINED + seat]) >= FULL_STAFF:
            found += 1
    return found


@jit
def count_fact(me, o, fact):
    """The number that a `per` part pays for."""
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
    """How often a `when` part pays, after the part before it gave `result`."""
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
    """Use an offer oneself, as far as that is an act of one's own; returns whether it can be done."""
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


@jit
def table_part(p, flat, at, w, o, op, a):
    """The parts that involve the whole table or draw on what is not in a position."""
    me = p[at]
    others = n_players(o) - 1
    if op == PartOp.EACH_MAY:
        if Offer.HANDYMAN <= a <= Offer.MOTIVATOR:
            copy_position(flat, at, at + 1)
            if take_offer(p, flat, at + 1, w, a) and worth(p, flat, at + 1, w) > worth(p, flat, at, w):
                copy_position(flat, at + 1, at)
        p[at].extra += BY_OFFER[a] * others
    elif op == PartOp.CHOOSE_OPPONENTS:
        for seat in range(1, min(3, others) + 1):
            if a == Reward.PAY_TWO_LIRA:
                if me.lira[ME] < 2:
                    return seat > 1
                me.lira[ME] -= 2
                me.vp[ME] += 1
            elif o[At.N_HAND + seat * N_DECKS + Deck.SUMMER] == 0:
                me.vp[ME] += 1
            else:
                draw_card(me, Deck.SUMMER, w)
    elif op == PartOp.IMPORT:
        for _ in range(3):
            draw_card(me, Deck.WINTER, w)
    elif op == PartOp.PLAN:
        me.extra += PLANNED
        return me.free > 0
    elif op == PartOp.RETRIEVE:
        placed = me.staff[ME, 0] + me.staff[ME, 1] + me.staff[ME, 2] - me.free - 1
        me.extra += RETRIEVED * min(a, max(0, placed))
        return placed > 0
    else:
        me.extra += WORTH_OF_PART[op]
    return True


@jit
def age_and_fill(p, flat, at, w):
    """Age a wine by a step and fill an order, in the order that works (Master Vintner)."""
    for kind in range(4):
        for value in range(1, 9):
            if p[at].cellar[ME, kind, value - 1] == 1 and can_age(p[at], ME, kind, value):
                copy_position(flat, at, at + 1)
                age_wine(p[at + 1], ME, kind, value)
                if fill_best(p, flat, at + 1, w) >= 0:
                    copy_position(flat, at + 1, at)
                    return True
    return fill_best(p, flat, at, w) >= 0 and can_age_any(p[at], ME)


@jit
def own_part(p, flat, at, w, o, op, a, b, c, result):
    """Carry out a part in one's own vineyard. Returns whether it can be done, and what it hands on."""
    me = p[at]
    if op == PartOp.LIRA:
        return pay(me, a), result
    if op == PartOp.POINTS:
        return score(me, a), result
    if op == PartOp.RESIDUAL:
        me.residual[ME] += a
        allowed = me.residual[ME] >= 0 and (a < 0 or b == 1 or me.residual[ME] <= RESIDUAL_MAX or a == 2)
        me.residual[ME] = min(me.residual[ME], RESIDUAL_MAX)
        return allowed, result
    if op == PartOp.DRAW:
        for deck in range(N_DECKS):
            for _ in range((a >> (3 * deck)) & 7):
                draw_card(me, deck, w)
        return True, result
    if op == PartOp.BUILD:
        built = build_best(p, flat, at, w, a, b, c)
        return built >= 0, built
    if op == PartOp.PLANT:
        planted = -1
        for i in range(a):
            found = plant_best(p, flat, at, w, b, -1)
            if found < 0 and i == 0:
                return c == 1, -1
            planted = max(planted, found)
        return True, planted
    if op == PartOp.HARVEST:
        fields = 0
        while fields < a and harvest_best(p, flat, at, w) >= 0:
            fields += 1
        return fields > 0, fields
    if op == PartOp.MAKE:
        kinds, sparkling = make_several(p, flat, at, w, a, b)
        return kinds > 0, kinds + 16 * sparkling
    if op == PartOp.FILL:
        return fill_best(p, flat, at, w) >= 0, result
    if op == PartOp.TRAIN:
        return train_one(me, a, w), result
    if op == PartOp.UPROOT:
        for _ in range(a):
            if not uproot_one(me):
                return False, result
        return True, result
    return less_common_part(p, flat, at, w, o, op, a, b, c, result)


@jit
def less_common_part(p, flat, at, w, o, op, a, b, c, result):
    me = p[at]
    if op == PartOp.DISCARD:
        return discard_cards(me, b, a, w), result
    if op == PartOp.DISCARD_HAND:
        n = hand_size(me)
        return n > 0 and discard_cards(me, 15, n, w), result
    if op == PartOp.DISCARD_GRAPE:
        return lose_grape(p, flat, at, w) >= 0, result
    if op == PartOp.DISCARD_WINE:
        wine = lose_wine(p, flat, at, w, a)
        return wine >= 0, wine % 9 + 1
    if op == PartOp.AGE_ALL:
        for _ in range(a):
            age_wines(me, ME)
        return has_wine(me, ME, 1), result
    if op == PartOp.AGE_ONE or op == PartOp.IN_ANY_ORDER:
        return True, result
    if op == PartOp.BUY_GRAPE:
        colour = 0 if me.crush[ME, 0, 0] == 0 else 1
        possible = me.crush[ME, colour, 0] == 0
        me.crush[ME, colour, 0] = 1
        return possible, result
    if op == PartOp.BUY_GRAPE_PAIR:
        possible = me.crush[ME, 0, 0] == 0 and me.crush[ME, 1, 0] == 0
        me.crush[ME, 0, 0] = 1
        me.crush[ME, 1, 0] = 1
        return possible, result
    if op == PartOp.PER:
        n = count_fact(me, o, a)
        return pay(me, n * b) and score(me, n * c), result
    if op == PartOp.WHEN:
        return score(me, b * count_condition(me, o, a, result)), result
    if op == PartOp.NEEDS:
        return count_condition(me, o, a, result) > 0, result
    return table_part(p, flat, at, w, o, op, a), result


@jit
def play_branch(p, flat, at, w, o, card, branch):
    """Carry out a branch of a card; returns whether it can be done."""
    result = -1
    for i in range(MAX_PARTS):
        op, a = PARTS[card, branch, i, 0], PARTS[card, branch, i, 1]
        b, c = PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        if op == 0:
            return True
        if op == PartOp.IN_ANY_ORDER:
            first = N_BRANCHES[card]
            if PARTS[card, first, 0, 0] == PartOp.AGE_ONE:
                return age_and_fill(p, flat, at, w)
            return play_plain(p, flat, at, w, o, card, first) and play_plain(p, flat, at, w, o, card, first + 1)
        possible, result = own_part(p, flat, at, w, o, op, a, b, c, result)
        if not possible:
            return False
    return True


@jit
def play_plain(p, flat, at, w, o, card, branch):
    """As `play_branch`, for a half of a card, which has no halves of its own."""
    result = -1
    for i in range(MAX_PARTS):
        op = PARTS[card, branch, i, 0]
        if op == 0:
            return True
        a, b, c = PARTS[card, branch, i, 1], PARTS[card, branch, i, 2], PARTS[card, branch, i, 3]
        possible, result = own_part(p, flat, at, w, o, op, a, b, c, result)
        if not possible:
            return False
    return True


@jit
def branch_worth(p, flat, at, w, o, card, branch):
    """What the position is worth after a branch, the card's second one included where it may follow."""
    copy_position(flat, at, at + 1)
    if not play_branch(p, flat, at + 1, w, o, card, branch):
        return FAR_BELOW
    mode = MODE[card]
    best = worth(p, flat, at + 1, w)
    if mode != Mode.TWO and mode != Mode.BOTH_FOR_A_POINT:
        return best
    if mode == Mode.TWO:
        best = FAR_BELOW
    for other in range(N_BRANCHES[card]):
        if other != branch:
            copy_position(flat, at + 1, at + 2)
            if mode == Mode.BOTH_FOR_A_POINT:
                p[at + 2].vp[ME] -= 1
            if play_branch(p, flat, at + 2, w, o, card, other):
                best = max(best, worth(p, flat, at + 2, w))
    return best


@jit
def visitor_worth(p, flat, at, w, o, kind):
    """What position `at` is worth after playing a visitor from hand in the best way; FAR_BELOW if it cannot be."""
    card = kind - FIRST_SUMMER
    top = at + 1
    copy_position(flat, at, top)
    p[top].hand[ME, kind] -= 1
    p[top].n_hand[ME, DECK_OF_KIND[kind]] -= 1
    best = FAR_BELOW
    mode = MODE[card]
    if mode == Mode.BY_SIGN:
        return branch_worth(p, flat, top, w, o, card, 0 if p[at].vp[ME] < 0 else 1)
    for branch in range(N_BRANCHES[card]):
        best = max(best, branch_worth(p, flat, top, w, o, card, branch))
    return best
