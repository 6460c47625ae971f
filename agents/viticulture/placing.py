"""What placing a worker would bring, and what the same worker could do in winter."""

from vitienv.agents.viticulture.acts import do_act, wanted_of_act
from vitienv.agents.viticulture.features import copy_position, free_spaces, has_one, n_players
from vitienv.agents.viticulture.maximum import FAR_BELOW
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit
from vitienv.viticulture.enums import N_ACTS, N_BOARD_ACTIONS, N_SUMMER_ACTIONS, Season
from vitienv.viticulture.observation import At, Pending
from vitienv.viticulture.places import PLACING, end_of_acts, first_act
from vitienv.viticulture.vocabulary import N_PLACINGS, Move, Placing


@jit
def act_worth(p, flat, at, w, o, act, bonus):
    """What position `at` is worth after an action with a worker; FAR_BELOW if it cannot be done."""
    top = at + 1
    copy_position(flat, at, top)
    p[top].free -= 1
    possible = do_act(p, flat, top, w, o, act, bonus)
    return position_value(p, flat, top, w) if possible else FAR_BELOW


@jit
def last_worker_in_winter(p, flat, at, w, o):
    """What the last of one's free workers could bring in winter, if each takes the best action that is left."""
    work = at + 1
    copy_position(flat, at, work)
    p[work].season = Season.WINTER
    taken, gained = 0, 0
    for _ in range(min(6, p[at].free)):
        before = position_value(p, flat, work, w)
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
        do_act(p, flat, work, w, o, chosen, 0)
    return gained


@jit
def contested(o, act):
    """Whether only one space of an action is free and an opponent who may still place workers seems to want it."""
    if free_spaces(o, act) != 1:
        return False
    for seat in range(1, n_players(o)):
        may_place = o[At.PASSED + seat] == 0 and has_one(o, At.FREE + 3 * seat, 3)
        if may_place and wanted_of_act(act, o, seat):
            return True
    return False


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
def can_place(mask, act, regular, grande):
    """Whether one of two placings on an action is legal."""
    return mask[PLACING[act, regular]] or mask[PLACING[act, grande]]


@jit
def score_placings(p, flat, w, o, mask, scores):
    """The score of every legal placing and of passing."""
    now = position_value(p, flat, 0, w)
    summer = p[0].season == Season.SUMMER
    saved = last_worker_in_winter(p, flat, 0, w, o) * w.save // 100 if summer else w.place_least
    scores[Move.PASS] = saved
    regular = o[At.FREE] > 0 or o[At.FREE + 2] > 0
    for act in range(first_act(p[0].season), end_of_acts(p[0].season)):
        plain, bonus = FAR_BELOW, FAR_BELOW
        if (
            can_place(mask, act, Placing.PLAIN_REGULAR, Placing.PLAIN_GRANDE)
            or mask[PLACING[act, Placing.CROWD_GRANDE]]
        ):
            plain = act_worth(p, flat, 0, w, o, act, 0) - now
            if p[0].tokens > 0:
                plain = max(plain, act_worth(p, flat, 0, w, o, act, 1) - now - token_worth(p[0], w))
        if can_place(mask, act, Placing.BONUS_REGULAR, Placing.BONUS_GRANDE):
            bonus = act_worth(p, flat, 0, w, o, act, 1) - now + w.bonus_space
        if contested(o, act):
            plain += max(0, plain) * w.contest // 100
            bonus += max(0, bonus) * w.contest // 100
        for how in range(N_PLACINGS):
            action = PLACING[act, how]
            if mask[action]:
                scores[action] = bonus if how == Placing.BONUS_REGULAR or how == Placing.BONUS_GRANDE else plain
                if regular and (
                    how == Placing.PLAIN_GRANDE or how == Placing.BONUS_GRANDE or how == Placing.CROWD_GRANDE
                ):
                    scores[action] -= w.grande
    for act in range(N_BOARD_ACTIONS, N_ACTS):
        for how in range(Placing.BONUS_REGULAR):
            action = PLACING[act, how]
            if mask[action]:
                cost = w.grande if how == Placing.PLAIN_GRANDE and regular else 0
                scores[action] = act_worth(p, flat, 0, w, o, act, 0) - now - cost
