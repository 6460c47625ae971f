"""Scores of the legal actions in World's decisions, and in decisions of Viticulture that differ in World."""

import numpy as np

from vitienv.agents.viticulture.drawing import estimate_draws
from vitienv.agents.viticulture.features import ME, copy_position
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.value import position_value
from vitienv.agents.world.effects import (
    age_grape,
    buy_step,
    do_effect,
    gain_best_kind,
    gain_kind,
    lose_kind,
    remove_hat,
    sell_wine_of,
    tile_value,
)
from vitienv.agents.world.placing import place_value
from vitienv.agents.world.trading import score_answer, score_give, score_partner, score_start, score_take
from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import namespace
from vitienv.viticulture.board import GRAPE_PRICE
from vitienv.viticulture.cards import PAPA_GIFT, PAPA_GIFT_LIRA
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT
from vitienv.viticulture.enums import N_ROWS, N_VALUES
from vitienv.viticulture.observation import At, Pending
from vitienv.viticulture.ops.cellar import wine_of_action
from vitienv.viticulture.tokens import place_grape
from vitienv.viticulture.vocabulary import Move
from vitienv.world.continents import EventCol
from vitienv.world.enums import N_LETTERS, N_TILES, Hat, Tile
from vitienv.world.enums import Kind as Worker
from vitienv.world.goals import event_number
from vitienv.world.observation import WORLD_DECISIONS
from vitienv.world.ops.exchange import Kind, word_of
from vitienv.world.ops.tokens import N_GRAPES, slot_of_row
from vitienv.world.rows import BLUE, COVER, FALL_WAYS, LETTER_OF_PLACE, PLACE_OF_LETTER, RING
from vitienv.world.setup import BlueColumn
from vitienv.world.state import N_PAPAS
from vitienv.world.tables import GIFT_GRAPE, GIFT_POINT, GIFT_VISITOR
from vitienv.world.vocabulary import KIND_OF, MAX_AMOUNT, N_ACTIONS, PLACE_OF, WorldMove

WorldDecision = namespace(
    f"{__name__}.WorldDecision", {name.upper(): number for number, name in enumerate(WORLD_DECISIONS)}
)
# Decisions whose scores depend on the value of unknown cards.
DRAWING = ("event_offer", "fall_benefit", "exchange_lose", "exchange_gain")
MAY_DRAW = np.isin(WORLD_DECISIONS, DRAWING).astype(np.int64)


@jit
def effect_value(p, flat, w, o, row):
    """Return the value of the position after an effect."""
    copy_position(flat, 0, 1)
    return position_value(p, flat, 1, w) if do_effect(p, flat, 1, w, o, row, 0) else FAR_BELOW


@jit
def score_ring(p, flat, w, o, mask, baseline, scores):
    """Score each wake-up position, with a penalty for late turns."""
    for row in range(1, N_ROWS + 1):
        action = Move.WAKE_UP + row - 1
        if mask[action]:
            scores[action] = effect_value(p, flat, w, o, RING[row]) - baseline - row * w.late_place


@jit
def gift_of(papa):
    """Return the gift of a blue card or papa (a structure or a `GIFT_*`), and its lira alternative."""
    if papa >= N_PAPAS:
        return BLUE[papa - N_PAPAS, BlueColumn.GIFT], BLUE[papa - N_PAPAS, BlueColumn.GIFT_LIRA]
    gift = GIFT_POINT if PAPA_GIFT[papa] == GIFT_VICTORY_POINT else PAPA_GIFT[papa]
    return gift, PAPA_GIFT_LIRA[papa]


@jit
def score_gift(p, flat, w, o, scores):
    """Score the gift and its lira alternative."""
    gift, lira = gift_of(int(o[At.PAPAS]))
    copy_position(flat, 0, 1)
    p[1].lira[ME] += lira
    scores[Move.OPTION + 1] = position_value(p, flat, 1, w)
    copy_position(flat, 0, 1)
    if gift == GIFT_POINT:
        p[1].vp[ME] += 1
    elif gift == GIFT_GRAPE:
        place_grape(p[1], ME, 0, 1)
    elif gift == GIFT_VISITOR:
        p[1].extra += max(w.summer_card, w.winter_card)
    else:
        p[1].structures[ME, gift] = 1
    scores[Move.OPTION] = position_value(p, flat, 1, w)


@jit
def score_exchange(p, flat, w, decision, mask, scores):
    """Score the kinds to lose, each with its best gain, or the kinds to gain."""
    scores[Move.DONE] = position_value(p, flat, 0, w)
    for kind in range(Kind.POINTS + 1):
        action = word_of(kind)
        if not mask[action]:
            continue
        copy_position(flat, 0, 1)
        if decision == WorldDecision.EXCHANGE_LOSE:
            is_able = lose_kind(p, flat, 1, w, kind) and gain_best_kind(p, flat, 1, w, kind) >= 0
        else:
            is_able = gain_kind(p, flat, 1, w, kind)
        scores[action] = position_value(p, flat, 1, w) if is_able else FAR_BELOW


@jit
def score_tiles(p, w, decision, mask, scores):
    """Score the tiles on show, or the places for an oval."""
    if decision == WorldDecision.CHOOSE_TILE:
        for letter in range(N_TILES):
            if mask[WorldMove.TILE + letter]:
                tile = PLACE_OF_LETTER[letter] if letter < N_LETTERS else letter
                scores[WorldMove.TILE + letter] = 1 + tile_value(p[0], w, tile)
        return
    for place in range(N_LETTERS):
        paired = w.together if p[0].tile[place] == Tile.PLACED else 0
        scores[WorldMove.LETTER + LETTER_OF_PLACE[place]] = w.oval_places[place] + paired + COVER[place] * w.lira_low


@jit
def score_tokens(p, flat, w, decision, mask, baseline, scores):
    """Score wines to sell, or grapes to age or to gain."""
    if decision == WorldDecision.SELL_WINE:
        for action in range(Move.WINE, Move.MAKE):
            if mask[action]:
                kind, value = wine_of_action(action)
                copy_position(flat, 0, 1)
                sell_wine_of(p[1], kind * N_VALUES + value - 1)
                scores[action] = position_value(p, flat, 1, w) - baseline
        return
    for grape in range(N_GRAPES):
        if mask[Move.GRAPE + grape]:
            copy_position(flat, 0, 1)
            if decision == WorldDecision.AGE_GRAPE:
                age_grape(p[1], grape)
            else:
                place_grape(p[1], ME, grape // N_VALUES, grape % N_VALUES + 1)
            scores[Move.GRAPE + grape] = position_value(p, flat, 1, w) - baseline


@jit
def score_hats(p, flat, w, scores):
    copy_position(flat, 0, 1)
    remove_hat(p[1], Hat.YELLOW)
    # A worker without its yellow hat may still work this winter; a blue hat only matters in later summers.
    scores[WorldMove.HAT] = position_value(p, flat, 1, w) + 1
    copy_position(flat, 0, 1)
    remove_hat(p[1], Hat.BLUE)
    scores[WorldMove.HAT + 1] = position_value(p, flat, 1, w)


@jit
def score_steps(p, flat, w, o, mask, scores):
    """Score the number of influence steps to buy."""
    for n in range(1, MAX_AMOUNT + 1):
        if mask[WorldMove.AMOUNT + n - 1]:
            copy_position(flat, 0, 1)
            for _ in range(n):
                buy_step(p[1], w, int(o[Pending.B]))
            scores[WorldMove.AMOUNT + n - 1] = position_value(p, flat, 1, w)


@jit
def score_payment(p, flat, w, o, mask, baseline, scores):
    """Score the seat's part of the team payment: its share of the influence step minus its lira."""
    missing = int(o[Pending.A]) - int(o[Pending.PICK0])
    copy_position(flat, 0, 1)
    p[1].influence += 1
    step = position_value(p, flat, 1, w) - baseline
    scores[Move.DONE] = 0
    for n in range(1, MAX_AMOUNT + 1):
        if mask[WorldMove.AMOUNT + n - 1]:
            copy_position(flat, 0, 1)
            p[1].lira[ME] -= n
            scores[WorldMove.AMOUNT + n - 1] = (
                position_value(p, flat, 1, w) - baseline + step * min(n, missing) // max(1, missing)
            )


@jit
def score_world_decision(p, flat, w, o, decision, mask, scores):
    """Score a decision that only World has."""
    baseline = position_value(p, flat, 0, w)
    scores[Move.DONE] = 0
    if MAY_DRAW[decision] == 1:
        estimate_draws(p, flat, w, o)
        baseline = position_value(p, flat, 0, w)
    if decision == WorldDecision.EVENT_OFFER:
        copy_position(flat, 0, 1)
        is_able = do_effect(p, flat, 1, w, o, event_number(p[0], EventCol.PAY), 0)
        is_able = is_able and do_effect(p, flat, 1, w, o, event_number(p[0], EventCol.GAIN), 0)
        scores[Move.YES] = position_value(p, flat, 1, w) - baseline if is_able else FAR_BELOW
        scores[Move.NO] = 0
    elif decision == WorldDecision.FALL_BENEFIT:
        for i in range(len(FALL_WAYS)):
            if mask[Move.OPTION + i]:
                scores[Move.OPTION + i] = effect_value(p, flat, w, o, FALL_WAYS[i])
    elif decision == WorldDecision.EXCHANGE_LOSE or decision == WorldDecision.EXCHANGE_GAIN:
        score_exchange(p, flat, w, decision, mask, scores)
    elif decision == WorldDecision.CHOOSE_TILE or decision == WorldDecision.PLACE_OVAL:
        score_tiles(p, w, decision, mask, scores)
    elif decision == WorldDecision.TAKE_HAT:
        score_hats(p, flat, w, scores)
    elif (
        decision == WorldDecision.SELL_WINE
        or decision == WorldDecision.AGE_GRAPE
        or decision == WorldDecision.GAIN_GRAPE
    ):
        score_tokens(p, flat, w, decision, mask, baseline, scores)
    elif decision == WorldDecision.BUY_INFLUENCE:
        score_steps(p, flat, w, o, mask, scores)
    elif decision == WorldDecision.TEAM_PAYMENT:
        score_payment(p, flat, w, o, mask, baseline, scores)
    elif decision == WorldDecision.PARTNER_ACTS:
        scores[Move.YES] = 1
    elif decision == WorldDecision.TRADE_START:
        score_start(p, flat, w, o, scores)
    elif decision == WorldDecision.TRADE_PARTNER:
        score_partner(p, flat, w, o, mask, scores)
    elif decision == WorldDecision.TRADE_GIVE:
        score_give(p, flat, w, o, mask, scores)
    elif decision == WorldDecision.TRADE_TAKE:
        score_take(p, flat, w, o, mask, scores)
    else:
        score_answer(p, flat, w, o, scores)


# Decisions of Viticulture that differ in World.


@jit
def score_bought(p, flat, w, mask, baseline, scores):
    """Score grapes to buy; the price depends on the row of the crush pad (W58)."""
    for grape in range(0, N_GRAPES, 3):
        if mask[Move.GRAPE + grape]:
            colour, row = grape // N_VALUES, grape % N_VALUES // 3
            copy_position(flat, 0, 1)
            p[1].lira[ME] -= int(GRAPE_PRICE[row * 3])
            p[1].crush[ME, colour, slot_of_row(p[1], ME, colour, row) - 1] = 1
            scores[Move.GRAPE + grape] = position_value(p, flat, 1, w) - baseline


@jit
def score_managed(p, flat, w, o, mask, baseline, scores):
    """Score the Manager's summer actions, taken without a worker."""
    for action in range(N_ACTIONS):
        if mask[action] and PLACE_OF[action] >= 0:
            scores[action] = place_value(p, flat, 0, w, o, PLACE_OF[action], Worker.HATTED) - baseline


@jit
def score_retrieved(mask, scores):
    """Prefer workers that can be placed in any season."""
    for action in range(N_ACTIONS):
        if mask[action] and PLACE_OF[action] >= 0:
            scores[action] = 1 + KIND_OF[action]
