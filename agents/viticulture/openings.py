"""Scores of the setup and of wake-up rows: parents, gift and row."""

from vitienv.agents.viticulture.drawing import deck_worth
from vitienv.agents.viticulture.features import ME, copy_position, n_players
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.board import Row
from vitienv.viticulture.cards import MAMA_DRAWS, MAMA_LIRA, PAPA_GIFT, PAPA_GIFT_LIRA, PAPA_LIRA
from vitienv.viticulture.cards.papas import GIFT_VICTORY_POINT, GIFT_WORKER
from vitienv.viticulture.enums import N_DECKS, Deck
from vitienv.viticulture.handlers import Decision
from vitienv.viticulture.observation import At
from vitienv.viticulture.state import Rule
from vitienv.viticulture.vocabulary import Move


@jit
def score_rows(p, flat, w, o, mask, scores):
    """Score wake-up rows: an early turn against the bonus of the row."""
    rivals = n_players(o) - 1
    for row in range(1, 8):
        if row == 1:
            value = w.row_1
        elif row == 2:
            value = w.row_2 + deck_worth(p, flat, Deck.VINE, w)
        elif row == 3:
            value = w.row_3 + deck_worth(p, flat, Deck.ORDER, w)
        elif row == 4:
            value = w.row_4
        elif row == 5:
            value = w.row_5 + max(deck_worth(p, flat, Deck.SUMMER, w), deck_worth(p, flat, Deck.WINTER, w))
        elif row == 6:
            value = w.row_6
        else:
            value = w.row_7
        if p[0].rules[Rule.GLASS_TOKENS] == 1:
            value = early_row_value(p[0], w, row, value)
        scores[Move.WAKE_UP + row - 1] = value - row * rivals * w.row_late


@jit
def early_row_value(me, w, row, value):
    """Return the value of a row in the solo game, which uses every row once.

    Rows whose value falls with time come first: a point is needed this year or later, a worker is better later.
    """
    if row == Row.VP:
        return 1000 if me.vp[ME] < me.target else 2
    if row == Row.TEMPORARY:
        return w.temporary_early
    return value if row > 1 else 1


@jit
def score_parents(p, flat, w, o, decision, scores):
    """Score mamas and papas by cards and lira, and the gift against lira."""
    for i in range(2):
        if decision == Decision.CHOOSE_MAMA and o[At.MAMAS + i] >= 0:
            mama = int(o[At.MAMAS + i])
            value = int(MAMA_LIRA[mama]) * w.lira_low
            for deck in range(N_DECKS):
                value += int(MAMA_DRAWS[mama, deck]) * deck_worth(p, flat, deck, w)
            scores[Move.OPTION + i] = value
        elif decision == Decision.CHOOSE_PAPA and o[At.PAPAS + i] >= 0:
            papa = int(o[At.PAPAS + i])
            lira = int(PAPA_LIRA[papa])
            scores[Move.OPTION + i] = max(papa_worth(p, flat, w, papa, 0, lira), papa_worth(p, flat, w, papa, 1, lira))
        elif decision == Decision.PAPA_GIFT:
            scores[Move.OPTION + i] = papa_worth(p, flat, w, int(o[At.PAPAS]), i, 0)


@jit
def papa_worth(p, flat, w, papa, choice, lira):
    copy_position(flat, 0, 1)
    me = p[1]
    gift = int(PAPA_GIFT[papa])
    me.lira[ME] += lira
    if choice == 1:
        me.lira[ME] += int(PAPA_GIFT_LIRA[papa])
    elif gift == GIFT_WORKER:
        me.staff[ME, 0] += 1
    elif gift == GIFT_VICTORY_POINT:
        me.vp[ME] += 1
    else:
        me.structures[ME, gift] = 1
    return position_value(p, flat, 1, w)
