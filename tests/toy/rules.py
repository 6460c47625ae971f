"""High card: each round every seat gets a card from 1 to 10 and may draw another; the highest card scores."""

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.frames import Frame, get, pop, push
from vitienv.core.kernel import Status
from vitienv.core.operations import Operations
from vitienv.core.rng import below, word
from vitienv.core.rule_parameters import RuleParameter, RuleParameters
from vitienv.core.score import bind

CARDS, LAST_ROUND, DEALER = 10, 5, -1
KEEP, DRAW = 0, 1  # the actions


class Op(IntConstants):
    NONE = 0
    ROUND = 1
    CHOOSE = 2


RULE_PARAMETERS = RuleParameters(
    f"{__name__}.Rule",
    [
        RuleParameter("num_players", 0, "seats"),
        RuleParameter("skip_forced", 0, "forced decisions are taken by the engine"),
        RuleParameter("max_rounds", 0, "cut off after; 0: never"),
    ],
)
Rule = RULE_PARAMETERS.numbers
OPERATIONS = Operations(Op)


@jit
def deal(g, seat):
    """Deal a card from the deck; cards in no hand are in the deck."""
    num_cards = 0
    for card in range(CARDS):
        num_cards += int(g.deck[card])
    at = below(word(int(g.key[0]), int(g.key[1]), 0, int(g.chance[0])), num_cards)
    g.chance[0] += 1
    card = 0
    while at > 0 or g.deck[card] == 0:
        at -= int(g.deck[card])
        card += 1
    g.deck[card] = 0
    if g.hand[seat] > 0:
        g.deck[int(g.hand[seat]) - 1] = 1
    g.hand[seat] = card + 1


@jit
def new_game(g):
    push(g, Op.ROUND, DEALER, int(g.rules[Rule.NUM_PLAYERS]), 0, 0, 0, 0)
    g.frames[0, Frame.DONE] = g.rules[Rule.NUM_PLAYERS]


@jit
def run_round(g, t):
    """Ask the next seat; after the last one score, and deal again or end."""
    n, num_asked = int(g.rules[Rule.NUM_PLAYERS]), get(g, t, Frame.DONE)
    if num_asked < n:
        g.frames[t, Frame.DONE] = num_asked + 1
        push(g, Op.CHOOSE, num_asked, 1, 1, 0, 0, 0)
        return True
    best = 0
    for seat in range(n):
        best = seat if g.hand[seat] > g.hand[best] else best
    if g.turn > 0:
        g.points[best] += 1
    if g.turn == LAST_ROUND:
        g.status = Status.OVER
        pop(g)
    elif 0 < g.rules[Rule.MAX_ROUNDS] <= g.turn:
        g.status = Status.TRUNCATED
        pop(g)
    else:
        g.turn += 1
        g.frames[t, Frame.DONE] = 0
        for seat in range(n):
            deal(g, seat)
    return True


OPERATIONS.add(Op.ROUND, run=run_round)


@jit
def legal_choose(g, t, mask):
    mask[KEEP] = 1
    mask[DRAW] = 1


@jit
def apply_choose(g, t, action):
    seat = get(g, t, Frame.SEAT)
    pop(g)
    if action == DRAW:
        deal(g, seat)


OPERATIONS.add(Op.CHOOSE, "choose", legal=legal_choose, apply=apply_choose, shows=())


@jit
def observe(g, bytes_view, int16_view, viewer, out):
    """Round, own card, points and occupied seats, the viewer first."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for i in range(8):
        out[i] = 0
    out[0] = g.turn
    out[1] = g.hand[viewer]
    for k in range(n):
        out[2 + k] = g.points[(viewer + k) % n]
        out[5 + k] = 1


@jit
def redeal_hidden(g, viewer):
    """Redeal the cards of the other seats."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for seat in range(n):
        if seat != viewer and g.hand[seat] > 0:
            deal(g, seat)


@jit
def points_of(g, seat):
    return int(g.points[seat])


rank_among, reward_among = bind(__name__, points_of, points_of)


@jit
def rank_of(g, seat):
    return rank_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]))


@jit
def reward_of(g, seat, kind):
    return reward_among(g, seat, int(g.rules[Rule.NUM_PLAYERS]), kind)
