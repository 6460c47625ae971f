"""Observation of one seat: a vector of small integers, the observing seat first, the others clockwise.

Public fields are copied from the record with rotated seats; the other features are derived.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import namespace, words
from vitienv.core.compiling.static_checks import check_written
from vitienv.core.fields import Visibility
from vitienv.core.frames import Frame
from vitienv.core.observation_spec import Axis, Feature, ObservationSpec
from vitienv.core.options import SHORT
from vitienv.viticulture.cards import AUTOMA_IDS, CARD_NAMES, FIRST_ORDER, MAMAS, N_KINDS, N_VINES, PAPAS
from vitienv.viticulture.enums import (
    ACTS,
    COLOURS,
    DECKS,
    MAX_SEATS,
    N_BOARD_ACTIONS,
    N_DECKS,
    N_ROWS,
    N_SPACES,
    N_VALUES,
    NO_SEAT,
    SEASONS,
    STRUCTURES,
    WINES,
    WORKERS,
    Space,
    Used,
)
from vitienv.viticulture.frames import OPERATIONS, FrameOp
from vitienv.viticulture.handlers import DECISIONS
from vitienv.viticulture.ops.draw import NO_KIND
from vitienv.viticulture.state import FIELDS, GAME_DTYPE, MAX_DEPTH, RULE_NAMES, Rule
from vitienv.viticulture.vocabulary import FIELD_NAMES

OBSERVATION_DTYPE = np.int16

_fields = {field.name: field for field in FIELDS}


# Axes of the features.
SEAT = Axis("seat", ("self", *(f"seat:+{k}" for k in range(1, MAX_SEATS))))
WORKER = Axis("worker", tuple(WORKERS))
STRUCTURE = Axis("structure", tuple(STRUCTURES))
FIELD = Axis("field", FIELD_NAMES)
VALUE = Axis("value", tuple(str(value) for value in range(1, N_VALUES + 1)))
COLOUR = Axis("colour", tuple(COLOURS))
WINE = Axis("wine", tuple(WINES))
ROW = Axis("row", tuple(f"row_{row}" for row in range(1, N_ROWS + 1)))
USED = Axis("use", tuple(words(Used)))
DECK = Axis("deck", tuple(DECKS))
ACT = Axis("action", tuple(ACTS[:N_BOARD_ACTIONS]))
SPACE = Axis("space", tuple(words(Space)))
KIND = Axis("card", tuple(CARD_NAMES))
VINE = Axis("vine", KIND.labels[:N_VINES])
OTHER = Axis("card but vines", KIND.labels[N_VINES:])
RULE = Axis("rule", tuple(RULE_NAMES))
PARENT = Axis("first or second")
LEVEL = Axis("level")

NOTHING = ""  # label of an absent value


def copied_feature(name: str, *axes: Axis, **taken_in: Any) -> Feature:
    """Return a feature that copies a public field.

    axes: of the dimensions of the field. taken_in: labels of values and network input options, see `Feature`.
    """
    field = _fields[name]
    if field.visibility is not Visibility.PUBLIC:
        raise ValueError(f"{name} must be a public field, got {field.visibility.value}")
    return Feature(name, field.shape or (1,), field.text, field.low, field.high, axes, **taken_in)


# Copied fields: by seat (rotated), then of the whole table.
BY_SEAT = (
    copied_feature("lira", SEAT, log=True),
    copied_feature("vp", SEAT, log=True),
    copied_feature("residual", SEAT),
    copied_feature("row", SEAT, unit=5),
    copied_feature("glass", SEAT, ROW),
    copied_feature("bonus_tokens", SEAT),
    copied_feature("passed", SEAT),
    copied_feature("staff", SEAT, WORKER),
    copied_feature("free", SEAT, WORKER),
    copied_feature("trained", SEAT),
    copied_feature("structures", SEAT, STRUCTURE),
    copied_feature("used", SEAT, USED),
    copied_feature("vines", SEAT, FIELD, VINE),
    copied_feature("sold", SEAT, FIELD),
    copied_feature("harvested", SEAT, FIELD),
    copied_feature("crush", SEAT, COLOUR, VALUE),
    copied_feature("cellar", SEAT, WINE, VALUE),
    copied_feature("n_hand", SEAT, DECK, log=True),
    copied_feature("cart", SEAT, WORKER),
    copied_feature("yoke_worker", SEAT, words=(NOTHING, *WORKERS)),
    copied_feature("mamas", SEAT, PARENT, words=(NOTHING, *(mama.id for mama in MAMAS)), unit=17),
    copied_feature("papas", SEAT, PARENT, words=(NOTHING, *(papa.id for papa in PAPAS)), unit=17),
)
OF_TABLE = (
    copied_feature("year", log=True),
    copied_feature("season", words=tuple(SEASONS)),
    copied_feature("goal_reached"),
    copied_feature("automa_vp", log=True),
    copied_feature("lost"),
    copied_feature("automa_deck", Axis("Automa card", tuple(AUTOMA_IDS))),
    copied_feature("rules", RULE, log=True, ignored=("max_years", "skip_forced")),
    copied_feature("n_deck", DECK, log=True),
    copied_feature("n_pile", DECK, log=True),
    copied_feature("discard", KIND),
    copied_feature("space_worker", ACT, SPACE, words=(NOTHING, *WORKERS[1:])),
)

SHOWN_COLUMNS = (
    Frame.LEFT,
    Frame.MIN,
    Frame.DONE,
    Frame.STAGE,
    Frame.A,
    Frame.B,
    Frame.C,
    Frame.GOALS,
    Frame.P0,
    Frame.P1,
    Frame.P2,
    Frame.P3,
)
_column_names = ("left", "least", "done", "stage", "a", "b", "c", "goals", "pick0", "pick1", "pick2", "pick3")

_max_copies = _fields["hand"].high
DERIVED = (
    Feature("hand", (N_KINDS,), "own cards by kind", 0, _max_copies, (KIND,)),
    Feature("known_vines", (MAX_SEATS - 1, N_VINES), "vines that the others are known to hold", 0, _max_copies,
          (Axis("other seat", SEAT.labels[1:]), VINE)),
    Feature("known_holder", (N_KINDS - N_VINES,), "who is known to hold a card: 1 the next seat and so on, 0 unknown",
          0, MAX_SEATS - 1, (OTHER,), (NOTHING, *SEAT.labels[1:])),
    Feature("unseen", (N_KINDS,), "cards in the decks and in hands unknown to this seat, by kind", 0, _max_copies,
          (KIND,)),
    Feature("pile_top", (N_KINDS,), "top cards of the discard piles", 0, 1, (KIND,)),
    Feature("in_play", (N_KINDS,), "visitors being resolved, and the order being filled", 0, 1, (KIND,)),
    Feature("space_owner", (N_BOARD_ACTIONS, N_SPACES),
          "seat of the worker: 1 self, 2 the next seat and so on, 7 the Automa, 0 none", 0, MAX_SEATS + 1, (ACT, SPACE),
          (NOTHING, *SEAT.labels, "automa"), log=True),
    Feature("crowd", (N_BOARD_ACTIONS, MAX_SEATS), "grande workers on full actions", 0, 1, (ACT, SEAT)),
    Feature("place_in_order", (MAX_SEATS,), "each seat's place in this season's order, from 1; 0 in spring",
          0, MAX_SEATS, (SEAT,), unit=5),
    Feature("first_player", (MAX_SEATS,), "who holds the first-player token", 0, 1, (SEAT,)),
    Feature("actor", (MAX_SEATS,), "who decides now", 0, 1, (SEAT,)),
    Feature("turn_seat", (MAX_SEATS,), "whose turn it is", 0, 1, (SEAT,)),
    Feature("present", (MAX_SEATS,), "seats taken", 0, 1, (SEAT,)),
    Feature("decision", (len(DECISIONS),), "the pending decision", 0, 1, (Axis("decision", tuple(DECISIONS)),)),
    Feature("pending", (len(SHOWN_COLUMNS),), "numbers of the pending decision and picks so far", -SHORT, SHORT,
          (Axis("number", _column_names),), log=True),
    Feature("stack", (MAX_DEPTH,), "operations under way, from the year up", 0, max(FrameOp), (LEVEL,),
          (NOTHING, *words(FrameOp)[1:]), log=True),
    Feature("stack_left", (MAX_DEPTH,), "how often each of them is still to be done", -SHORT, SHORT, (LEVEL,),
          log=True),
)  # fmt: skip

OBSERVATION = ObservationSpec([*BY_SEAT, *OF_TABLE, *DERIVED], present="present")
N_OBSERVATION = OBSERVATION.n
# Offsets of each feature and of each number of the pending decision.
At = namespace(f"{__name__}.At", {entry.name.upper(): OBSERVATION.start(entry.name) for entry in OBSERVATION.features})
Pending = namespace(f"{__name__}.Pending", {name.upper(): At.PENDING + i for i, name in enumerate(_column_names)})
UNROLL_STEP = 16  # values copied together
MIN_LOOP_SIZE = 80  # number of values from which a loop is as fast
# Narrow integers, more of which fit into a vector register.
PLACES = np.arange(MAX_SEATS, dtype=OBSERVATION_DTYPE)
SEAT_BITS = (1 << np.arange(MAX_SEATS)).astype(np.int8)


def _copying(entry: Feature, by_seat: bool, record: np.dtype, out_offset: int, addend: int) -> str:
    """Return source code that copies a field, or the part of a seat, adding an offset to each value."""
    dtype, offset = record.fields[entry.name][:2]
    size = entry.size // MAX_SEATS if by_seat else entry.size
    # The bit masks prove to the compiler that neither index is negative, which removes the checks.
    seat, place = ("(seat & 7)", "(place & 7)") if by_seat else ("0", "0")
    view = "bytes_view" if dtype.base.itemsize == 1 else "int16_view"
    first_index, plus = offset // dtype.base.itemsize, f" + {addend}" if addend else ""
    if size > MIN_LOOP_SIZE:
        read = f"{view}[{first_index} + {seat} * {size} + j]{plus}"
        return f"    for j in range({size}): out[{out_offset} + {place} * {size} + j] = {read}\n"
    source = ""
    for first in range(0, size, UNROLL_STEP):
        places = range(first, min(first + UNROLL_STEP, size))
        # All values are read before the first is written, so that the compiler can move them together.
        source += "".join(f"    x{j} = {view}[{first_index} + {seat} * {size} + {j}]{plus}\n" for j in places)
        source += "".join(f"    out[{out_offset} + {place} * {size} + {j}] = x{j}\n" for j in places)
    return source


def copier(
    entries: tuple[Feature, ...],
    by_seat: bool,
    record: np.dtype = GAME_DTYPE,
    layout: ObservationSpec = OBSERVATION,
    addends: Mapping[str, int] = {},
):
    """Return a function (bytes_view, int16_view, seat, place, out) that copies fields of a record to an observation.

    by_seat: copy the part of `seat` to the position `place`. addends: offsets added to the values, by field.

    The generated code copies value by value, which compiles to a few vector moves per field: several times faster than
    a loop over a table of fields.
    """
    source = "def copy(bytes_view, int16_view, seat, place, out):\n"
    for entry in entries:
        source += _copying(entry, by_seat, record, layout.start(entry.name), addends.get(entry.name, 0))
    scope: dict = {"__name__": __name__}
    exec(source, scope)
    return jit(scope["copy"])


copy_seat, copy_table = copier(BY_SEAT, True), copier(OF_TABLE, False)

DECISION_NUMBER = OPERATIONS.decision_numbers()
SHOWN_TO_ACTOR, SHOWN_TO_OTHERS = OPERATIONS.observed(by_others=False), OPERATIONS.observed(by_others=True)
COLUMNS = np.array(SHOWN_COLUMNS, np.int64)


@jit
def copy_fields(bytes_view, int16_view, n, viewer, out):
    """Copy public fields with rotated seats, the viewer first. bytes_view, int16_view: views of the record."""
    for k in range(n):
        copy_seat(bytes_view, int16_view, viewer + k if viewer + k < n else viewer + k - n, k, out)
    copy_table(bytes_view, int16_view, 0, 0, out)


@jit
def relative(g, seat, viewer):
    """Return the clockwise distance of a seat from the viewer."""
    return seat - viewer if seat >= viewer else seat - viewer + int(g.rules[Rule.NUM_PLAYERS])


@jit
def observe_hands(g, viewer, out):
    """Write the hand of the viewer, known cards of the other hands, and unseen cards."""
    for kind in range(N_KINDS):
        out[At.HAND + kind] = g.hand[viewer, kind]
        out[At.UNSEEN + kind] = g.deck[kind]
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        if seat != viewer:
            k = relative(g, seat, viewer)
            observe_vines(g, seat, k, out)
            observe_cards(g, seat, viewer, k, out)


@jit
def observe_vines(g, seat, k, out):
    """Write the known vines of another seat."""
    open_hands = g.rules[Rule.OPEN_HANDS] == 1
    start = At.KNOWN_VINES + ((k - 1) & 7) * N_VINES
    for kind in range(N_VINES):
        num_cards = int(g.hand[seat, kind])
        num_known = num_cards if open_hands else int(g.shown[seat, kind])
        out[start + kind] = num_known
        out[At.UNSEEN + kind] += num_cards - num_known


@jit
def observe_cards(g, seat, viewer, k, out):
    """Write the holders of the known cards of another seat, except vines; each exists once."""
    open_hands = g.rules[Rule.OPEN_HANDS] == 1
    place, bit = PLACES[k], SEAT_BITS[viewer]
    for i in range(N_KINDS - FIRST_ORDER):
        num_cards = g.hand[seat, FIRST_ORDER + i]
        is_known = open_hands or g.shown[seat, FIRST_ORDER + i] & bit != 0
        out[At.KNOWN_HOLDER + i] += place if is_known and num_cards != 0 else 0
        out[At.UNSEEN + FIRST_ORDER + i] += 0 if is_known else num_cards


@jit
def observe_set_aside(g, viewer, out):
    """Add cards that other seats set aside for the Importer to the unseen cards."""
    for t in range(int(g.depth)):
        if g.frames[t, Frame.OP] == FrameOp.IMPORT:
            for i in range(int(g.frames[t, Frame.DONE])):
                card = int(g.frames[t, Frame.P1 + i])
                if card // N_KINDS != viewer:
                    out[At.UNSEEN + card % N_KINDS] += 1


@jit
def observe_workers(g, viewer, out):
    """Write the seats of workers on spaces and crowds."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for act in range(N_BOARD_ACTIONS):
        for space in range(N_SPACES):
            seat = int(g.space_seat[act, space])
            out[At.SPACE_OWNER + act * N_SPACES + space] = 0 if seat < 0 else 1 + relative(g, seat, viewer)
        crowd = int(g.crowd[act])
        rotated = ((crowd >> viewer) | (crowd << (n - viewer))) & ((1 << n) - 1)
        for k in range(MAX_SEATS):
            out[At.CROWD + act * MAX_SEATS + k] = (rotated >> k) & 1


@jit
def observe_table(g, viewer, out):
    """Write seats, turn order and discard piles."""
    n = int(g.rules[Rule.NUM_PLAYERS])
    for k in range(n):
        out[At.PRESENT + k] = 1
        if g.season > 1:
            out[At.PLACE_IN_ORDER + relative(g, int(g.order[k]), viewer)] = k + 1
    out[At.FIRST_PLAYER + relative(g, int(g.first_player), viewer)] = 1
    if g.turn_seat != NO_SEAT:
        out[At.TURN_SEAT + relative(g, int(g.turn_seat), viewer)] = 1
    for deck in range(N_DECKS):
        if g.n_pile[deck] > 0:
            out[At.PILE_TOP + int(g.pile[deck, int(g.n_pile[deck]) - 1])] = 1


@jit
def observe_pending(g, viewer, out):
    """Write the pending decision, its card, and the stack below it."""
    t = int(g.depth) - 1
    if t < 0:
        return
    for i in range(t + 1):
        out[At.STACK + i] = g.frames[i, Frame.OP]
        out[At.STACK_LEFT + i] = g.frames[i, Frame.LEFT]
        if g.frames[i, Frame.CARD] != NO_KIND and g.frames[i, Frame.OP] > 0 and g.frames[i, Frame.CARD] >= FIRST_ORDER:
            out[At.IN_PLAY + int(g.frames[i, Frame.CARD])] = 1
    op, stage, seat = int(g.frames[t, Frame.OP]), int(g.frames[t, Frame.STAGE]), int(g.frames[t, Frame.SEAT])
    if op == FrameOp.FILL and stage == 1:
        out[At.IN_PLAY + int(g.frames[t, Frame.P0])] = 1  # the order was revealed when it was chosen
    out[At.ACTOR + relative(g, seat, viewer)] = 1
    out[At.DECISION + DECISION_NUMBER[op, stage]] = 1
    for i in range(len(COLUMNS)):
        column = COLUMNS[i]
        is_visible = SHOWN_TO_ACTOR[op, column] if seat == viewer else SHOWN_TO_OTHERS[op, column]
        out[At.PENDING + i] = is_visible * int(g.frames[t, column])


@jit
def observe(g, bytes_view, int16_view, viewer, out):
    """Write the observation of `viewer` into `out` (N_OBSERVATION,), followed by zeros."""
    for i in range(len(out)):
        out[i] = 0
    copy_fields(bytes_view, int16_view, int(g.rules[Rule.NUM_PLAYERS]), viewer, out)
    observe_hands(g, viewer, out)
    observe_set_aside(g, viewer, out)
    observe_workers(g, viewer, out)
    observe_table(g, viewer, out)
    observe_pending(g, viewer, out)


check_written((rule for rule in globals().values() if hasattr(rule, "__code__")), At, (
    entry.name for entry in DERIVED
))  # fmt: skip
