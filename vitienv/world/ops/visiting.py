"""Visitors that take an action or retrieve workers: Manager and Producer (W106, W107)."""

from vitienv.core.compiling.jit import jit
from vitienv.core.frames import Frame, finish, get, has_enough, push
from vitienv.viticulture.frames import FrameOp
from vitienv.viticulture.vocabulary import Move
from vitienv.world.enums import FIRST_WINTER, NO_OVAL, Kind, Stance
from vitienv.world.frames import WorldOp, operation
from vitienv.world.legality import NO_KIND, can_take
from vitienv.world.ops.workers import n_placed_as, n_placed_from, retrieve, worker_placed_as
from vitienv.world.vocabulary import IN_ORDER, N_PLACINGS, PLACE_OF, PLACING

# Manager: any summer action, without a worker, bonus or trade (W106).


@jit
def legal_manage(g, t, mask):
    seat, has_action = get(g, t, Frame.SEAT), False
    for place in range(FIRST_WINTER):
        if can_take(g, seat, place, NO_KIND):
            mask[PLACING[place, Stance.PLAIN, Kind.REGULAR]] = 1
            has_action = True
    if not has_action:
        mask[Move.DONE] = 1


@jit
def apply_manage(g, t, action):
    seat = get(g, t, Frame.SEAT)
    finish(g, 1)
    if action != Move.DONE:
        push(g, WorldOp.TAKING, seat, 1, 1, PLACE_OF[action], NO_KIND, NO_OVAL)


operation(FrameOp.MANAGE, "manage_action", legal=legal_manage, apply=apply_manage, shows=())


# Producer: retrieves workers except the one that played the card (W107); B is the next placement that can be chosen.


@jit
def run_retrieve(g, t):
    """End after the second worker, or if no other worker is placed."""
    has_more = n_placed_from(g, get(g, t, Frame.SEAT), get(g, t, Frame.B)) > 0
    if (g.frames[t, Frame.LEFT] > 0 and has_more) or g.frames[t, Frame.DONE] == 0:
        return False
    finish(g, 1)
    return True


@jit
def legal_retrieve(g, t, mask):
    for i in range(get(g, t, Frame.B), N_PLACINGS):
        if n_placed_as(g, get(g, t, Frame.SEAT), IN_ORDER[i]) > 0:
            mask[IN_ORDER[i]] = 1
    if has_enough(g, t):
        mask[Move.DONE] = 1


@jit
def apply_retrieve(g, t, action):
    seat = get(g, t, Frame.SEAT)
    if action == Move.DONE:
        finish(g, 1)
        return
    retrieve(g, seat, worker_placed_as(g, seat, action))
    for i in range(N_PLACINGS):
        if IN_ORDER[i] == action:
            g.frames[t, Frame.B] = i
    g.frames[t, Frame.DONE] += 1
    g.frames[t, Frame.LEFT] -= 1


operation(
    FrameOp.RETRIEVE, "retrieve_worker", run=run_retrieve, legal=legal_retrieve, apply=apply_retrieve, shows=(Frame.B,)
)
