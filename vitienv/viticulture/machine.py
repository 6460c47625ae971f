"""The machine: run what needs no choice, say what is legal, apply a choice.

`step(g, action)` applies an action to the top frame and runs until a seat must decide or the game is over.
"""

from vitienv.core.jit import jit
from vitienv.viticulture import setup
from vitienv.viticulture.flow import run_planned, run_start, run_year
from vitienv.viticulture.ops import acts, cards, cellar, opponents, planning, vineyard, visitors
from vitienv.viticulture.state import OP, PLAYING, SEAT, SKIP_FORCED
from vitienv.viticulture.vocabulary import N_ACTIONS, FrameOp

(
    _NONE,
    SETUP,
    YEAR,
    PLANNED,
    CARD,
    PARTS,
    OFFERS,
    TRAIN,
    IMPORT,
    GOVERN,
    WAKE,
    PARENT,
    GIFT,
    DECK,
    PLACE,
    BONUS,
    PLAY,
    BRANCH,
    ORDER,
    BUILD,
    PLANT,
    HARVEST,
    UPROOT,
    CARDS,
    SELL,
    MAKE,
    FILL,
    YOKE,
    GRAPE,
    WINE,
    BUY,
    SWAP,
    ASK,
    QUEEN,
    OFFER_CARDS,
    OPPONENTS,
    PLAN,
    RETRIEVE,
    MANAGE,
    ROOSTER,
    CARAVAN,
    PILES,
    TOKEN,
    MAMA,
    CHOOSE_VINE,
) = (int(op) for op in FrameOp)
BLOCK = 16


@jit
def run_top(g):
    """Let the top frame do what needs no choice. False if it waits for a seat."""
    t = int(g.depth) - 1
    op = int(g.frames[t, OP])
    if op == YEAR:
        return run_year(g, t)
    if op == PLANNED:
        return run_planned(g, t)
    if op == PARTS:
        return visitors.run_parts(g, t)
    if op == CARD:
        return visitors.run_card(g, t)
    if op == PLAY:
        return visitors.run_play(g, t)
    if op == PLANT:
        return vineyard.run_plant(g, t)
    if op == HARVEST:
        return vineyard.run_harvest(g, t)
    if op == SELL:
        return vineyard.run_sell(g, t)
    if op == MAKE:
        return cellar.run_make(g, t)
    if op == DECK:
        return cards.run_deck(g, t)
    if op == BONUS:
        return acts.run_bonus(g, t)
    if op == TRAIN:
        return acts.run_train(g, t)
    if op == OFFERS:
        return opponents.run_offers(g, t)
    if op == OPPONENTS:
        return opponents.run_opponents(g, t)
    if op == GOVERN:
        return opponents.run_govern(g, t)
    if op == IMPORT:
        return opponents.run_import(g, t)
    if op == RETRIEVE:
        return planning.run_retrieve(g, t)
    if op == CARAVAN:
        return cards.run_caravan(g, t)
    if op == SETUP:
        return run_start(g, t)
    return False


@jit
def legal(g, mask):
    """Write the legal actions of the seat to decide into `mask` (all zeros when the game is over)."""
    for i in range(N_ACTIONS):
        mask[i] = 0
    if g.status != PLAYING:
        return
    t = int(g.depth) - 1
    op = int(g.frames[t, OP])
    if op == PLACE:
        acts.legal_place(g, t, mask)
    elif op == WAKE:
        planning.legal_wake(g, t, mask)
    elif op == DECK:
        cards.legal_deck(g, t, mask)
    elif op == PLAY:
        visitors.legal_play(g, t, mask)
    elif op == BRANCH:
        visitors.legal_branch(g, t, mask)
    elif op == ORDER:
        visitors.legal_order(g, t, mask)
    elif op == BUILD:
        vineyard.legal_build(g, t, mask)
    elif op == PLANT:
        vineyard.legal_plant(g, t, mask)
    elif op == HARVEST:
        vineyard.legal_harvest(g, t, mask)
    elif op == UPROOT:
        vineyard.legal_uproot(g, t, mask)
    elif op == SELL:
        vineyard.legal_sell(g, t, mask)
    elif op == SWAP:
        vineyard.legal_swap(g, t, mask)
    elif op == CARDS:
        cards.legal_cards(g, t, mask)
    elif op == MAKE:
        cellar.legal_make(g, t, mask)
    elif op == FILL:
        cellar.legal_fill(g, t, mask)
    elif op == GRAPE:
        cellar.legal_grape(g, t, mask)
    elif op == WINE:
        cellar.legal_wine(g, t, mask)
    elif op == BUY:
        cellar.legal_buy(g, t, mask)
    else:
        legal_other(g, t, op, mask)


@jit
def legal_other(g, t, op, mask):
    """The rarer decisions."""
    if op == BONUS:
        acts.legal_bonus(g, t, mask)
    elif op == YOKE:
        acts.legal_yoke(g, t, mask)
    elif op == ASK:
        opponents.legal_ask(g, t, mask)
    elif op == QUEEN:
        opponents.legal_queen(g, t, mask)
    elif op == OFFER_CARDS:
        opponents.legal_offer_cards(g, t, mask)
    elif op == OPPONENTS:
        opponents.legal_opponents(g, t, mask)
    elif op == PLAN:
        planning.legal_plan(g, t, mask)
    elif op == RETRIEVE:
        planning.legal_retrieve(g, t, mask)
    elif op == ROOSTER:
        planning.legal_rooster(g, t, mask)
    elif op == MANAGE:
        acts.legal_manage(g, t, mask)
    elif op == CARAVAN:
        cards.legal_caravan(g, t, mask)
    elif op == PILES:
        cards.legal_piles(g, t, mask)
    elif op == GIFT:
        setup.legal_gift(g, t, mask)
    elif op == PARENT:
        setup.legal_parent(g, t, mask)
    elif op == TOKEN:
        acts.legal_token(g, t, mask)
    elif op == MAMA:
        setup.legal_mama(g, t, mask)
    elif op == CHOOSE_VINE:
        setup.legal_choose_vine(g, t, mask)


@jit
def apply(g, action):
    """Apply a legal action to the top frame."""
    t = int(g.depth) - 1
    op = int(g.frames[t, OP])
    if op == PLACE:
        acts.apply_place(g, t, action)
    elif op == WAKE:
        planning.apply_wake(g, t, action)
    elif op == DECK:
        cards.apply_deck(g, t, action)
    elif op == PLAY:
        visitors.apply_play(g, t, action)
    elif op == BRANCH:
        visitors.apply_branch(g, t, action)
    elif op == ORDER:
        visitors.apply_order(g, t, action)
    elif op == BUILD:
        vineyard.apply_build(g, t, action)
    elif op == PLANT:
        vineyard.apply_plant(g, t, action)
    elif op == HARVEST:
        vineyard.apply_harvest(g, t, action)
    elif op == UPROOT:
        vineyard.apply_uproot(g, t, action)
    elif op == SELL:
        vineyard.apply_sell(g, t, action)
    elif op == SWAP:
        vineyard.apply_swap(g, t, action)
    elif op == CARDS:
        cards.apply_cards(g, t, action)
    elif op == MAKE:
        cellar.apply_make(g, t, action)
    elif op == FILL:
        cellar.apply_fill(g, t, action)
    elif op == GRAPE:
        cellar.apply_grape(g, t, action)
    elif op == WINE:
        cellar.apply_wine(g, t, action)
    elif op == BUY:
        cellar.apply_buy(g, t, action)
    else:
        apply_other(g, t, op, action)


@jit
def apply_other(g, t, op, action):
    """The rarer decisions."""
    if op == BONUS:
        acts.apply_bonus(g, t, action)
    elif op == YOKE:
        acts.apply_yoke(g, t, action)
    elif op == ASK:
        opponents.apply_ask(g, t, action)
    elif op == QUEEN:
        opponents.apply_queen(g, t, action)
    elif op == OFFER_CARDS:
        opponents.apply_offer_cards(g, t, action)
    elif op == OPPONENTS:
        opponents.apply_opponents(g, t, action)
    elif op == PLAN:
        planning.apply_plan(g, t, action)
    elif op == RETRIEVE:
        planning.apply_retrieve(g, t, action)
    elif op == ROOSTER:
        planning.apply_rooster(g, t, action)
    elif op == MANAGE:
        acts.apply_manage(g, t, action)
    elif op == CARAVAN:
        cards.apply_caravan(g, t, action)
    elif op == PILES:
        cards.apply_piles(g, t, action)
    elif op == GIFT:
        setup.apply_gift(g, t, action)
    elif op == PARENT:
        setup.apply_parent(g, t, action)
    elif op == TOKEN:
        acts.apply_token(g, t, action)
    elif op == MAMA:
        setup.apply_mama(g, t, action)
    elif op == CHOOSE_VINE:
        setup.apply_choose_vine(g, t, action)


@jit
def count_legal(mask):
    """How many actions are legal."""
    n = 0
    for action in range(N_ACTIONS):
        n += int(mask[action])
    return n


@jit
def nth_legal(mask, n):
    """The n-th legal action, from 0. Whole blocks are skipped first: a block is added up in a few vector moves."""
    block = 0
    while block < N_ACTIONS // BLOCK:
        inside = 0
        for i in range(BLOCK):
            inside += int(mask[block * BLOCK + i])
        if n < inside:
            break
        n -= inside
        block += 1
    action = block * BLOCK
    while n > 0 or mask[action] == 0:
        n -= int(mask[action])
        action += 1
    return action


@jit
def advance(g, mask):
    """Run to the next decision and write its mask; forced ones are taken if the rules say so."""
    while True:
        while g.status == PLAYING and run_top(g):
            pass
        legal(g, mask)
        if g.status != PLAYING or g.rules[SKIP_FORCED] == 0:
            return
        if count_legal(mask) != 1:
            return
        apply(g, nth_legal(mask, 0))


@jit
def actor(g):
    """The seat that decides now; -1 when the game is over."""
    if g.status != PLAYING:
        return -1
    return int(g.frames[int(g.depth) - 1, SEAT])
