"""Scores of worker placements, against the gain of the same worker in winter."""

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
    """Return the value of position `at` after a worker action; FAR_BELOW if impossible."""
    top = at + 1
    copy_position(flat, at, top)
    p[top].free -= 1
    possible = do_act(p, flat, top, w, o, act, bonus)
    return position_value(p, flat, top, w) if possible else FAR_BELOW


@jit
def last_worker_in_winter(p, flat, at, w, o):
    """Return the gain of the last free worker in winter if all workers take the best remaining actions."""
    work = at + 1
    copy_position(flat, at, work)
    p[work].season = Season.WINTER
    used_acts, gain = 0, 0
    for _ in range(min(6, p[at].free)):
        before = position_value(p, flat, work, w)
        best, best_act = FAR_BELOW, -1
        for act in range(N_SUMMER_ACTIONS, N_BOARD_ACTIONS):
            if (used_acts >> act) & 1 == 0:
                value = act_worth(p, flat, work, w, o, act, 0)
                if value > best:
                    best, best_act = value, act
        if best_act < 0 or best - before <= w.place_least:
            return 0
        gain = best - before
        used_acts |= 1 << best_act
        p[work].free -= 1
        do_act(p, flat, work, w, o, best_act, 0)
    return gain


@jit
def is_contested(o, act):
    """Return whether an action has a single free space that an opponent may want."""
    if free_spaces(o, act) != 1:
        return False
    for seat in range(1, n_players(o)):
        may_place = o[At.PASSED + seat] == 0 and has_one(o, At.FREE + 3 * seat, 3)
        if may_place and wanted_of_act(act, o, seat):
            return True
    return False


@jit
def token_worth(me, w):
    """Return the value of saving a bonus action token; it falls with their number and in the last year."""
    value = w.token // max(1, me.tokens)
    return value if me.later > 0 else value // 3


@jit
def score_token(p, flat, w, o, scores):
    """Score the use of a token for the bonus of the current action."""
    act = int(o[Pending.A])
    scores[Move.NO] = act_worth(p, flat, 0, w, o, act, 0)
    scores[Move.YES] = act_worth(p, flat, 0, w, o, act, 1) - token_worth(p[0], w)


@jit
def can_place(mask, act, regular, grande):
    """Return whether a regular or the grande worker can be placed."""
    return mask[PLACING[act, regular]] or mask[PLACING[act, grande]]


@jit
def score_placings(p, flat, w, o, mask, scores):
    """Score all legal placements and passing."""
    current_value = position_value(p, flat, 0, w)
    summer = p[0].season == Season.SUMMER
    pass_value = last_worker_in_winter(p, flat, 0, w, o) * w.save // 100 if summer else w.place_least
    scores[Move.PASS] = pass_value
    regular = o[At.FREE] > 0 or o[At.FREE + 2] > 0
    for act in range(first_act(p[0].season), end_of_acts(p[0].season)):
        plain, bonus = FAR_BELOW, FAR_BELOW
        if (
            can_place(mask, act, Placing.PLAIN_REGULAR, Placing.PLAIN_GRANDE)
            or mask[PLACING[act, Placing.CROWD_GRANDE]]
        ):
            plain = act_worth(p, flat, 0, w, o, act, 0) - current_value
            if p[0].tokens > 0:
                plain = max(plain, act_worth(p, flat, 0, w, o, act, 1) - current_value - token_worth(p[0], w))
        if can_place(mask, act, Placing.BONUS_REGULAR, Placing.BONUS_GRANDE):
            bonus = act_worth(p, flat, 0, w, o, act, 1) - current_value + w.bonus_space
        if is_contested(o, act):
            plain += max(0, plain) * w.contest // 100
            bonus += max(0, bonus) * w.contest // 100
        for placing in range(N_PLACINGS):
            action = PLACING[act, placing]
            if mask[action]:
                scores[action] = bonus if placing == Placing.BONUS_REGULAR or placing == Placing.BONUS_GRANDE else plain
                if regular and (
                    placing == Placing.PLAIN_GRANDE
                    or placing == Placing.BONUS_GRANDE
                    or placing == Placing.CROWD_GRANDE
                ):
                    scores[action] -= w.grande
    for act in range(N_BOARD_ACTIONS, N_ACTS):
        for placing in range(Placing.BONUS_REGULAR):
            action = PLACING[act, placing]
            if mask[action]:
                cost = w.grande if placing == Placing.PLAIN_GRANDE and regular else 0
                scores[action] = act_worth(p, flat, 0, w, o, act, 0) - current_value - cost
