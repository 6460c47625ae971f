"""Observation of one seat: a vector of small integers, the observing seat first, the others clockwise."""

from typing import Any

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.namespaces import namespace
from vitienv.core.compiling.static_checks import check_written
from vitienv.core.fields import Visibility
from vitienv.core.frames import Frame
from vitienv.core.observation_spec import Axis, Feature, ObservationSpec
from vitienv.core.options import SHORT
from vitienv.toscana.enums import (
    GOODS,
    KINDS,
    MAX_SEATS,
    N_CROSSROADS,
    N_GOODS,
    N_SQUARES,
    N_TILES,
    N_TURNS,
    NO_SEAT,
    NO_TILE,
    TURNS,
    WINEMASTERS,
    Phase,
)
from vitienv.toscana.frames import OPERATIONS
from vitienv.toscana.handlers import DECISIONS
from vitienv.toscana.ops.tiles import is_in_deck
from vitienv.toscana.score import winemasters_on_map
from vitienv.toscana.state import FIELDS, N_SHOWN_RULES, RULE_NAMES, Rule
from vitienv.toscana.vocabulary import CROSSROAD_NAMES, SQUARE_NAMES

_fields = {field.name: field for field in FIELDS}

# Axes of the features.
SEAT = Axis("seat", ("self", *(f"seat:+{k}" for k in range(1, MAX_SEATS))))
OTHER = Axis("other seat", SEAT.labels[1:])
GOOD = Axis("good", tuple(GOODS))
TURN = Axis("action", tuple(TURNS))
TILE = Axis("tile", tuple(f"tile_{tile}" for tile in range(1, N_TILES + 1)))
SQUARE = Axis("square", tuple(SQUARE_NAMES))
CROSSROAD = Axis("crossroad", tuple(CROSSROAD_NAMES))
KIND = Axis("kind", tuple(KINDS))


def copied_feature(name: str, *axes: Axis, **taken_in: Any) -> Feature:
    """Return a feature that copies a public field.

    axes: of the dimensions of the field. taken_in: network input options, see `Feature`.
    """
    field = _fields[name]
    if field.visibility is not Visibility.PUBLIC:
        raise ValueError(f"{name} must be a public field, got {field.visibility.value}")
    return Feature(name, field.shape or (1,), field.text, field.low, field.high, axes, **taken_in)


# Observed columns of the pending decision, by name.
SHOWN = {
    "left": Frame.LEFT, "least": Frame.MIN, "done": Frame.DONE, "stage": Frame.STAGE,
    "a": Frame.A, "b": Frame.B, "c": Frame.C, "pick": Frame.P0,
}  # fmt: skip

OBSERVATION = ObservationSpec([
    # Seats, the observing seat first.
    copied_feature("money", SEAT, log=True),
    copied_feature("boxes", SEAT, GOOD),
    copied_feature("workers", SEAT),
    copied_feature("winemasters", SEAT),
    copied_feature("lost", SEAT),
    copied_feature("used", SEAT, TURN),
    copied_feature("played", SEAT, TILE),
    Feature("squares_held", (MAX_SEATS,), "squares with own pieces", 0, N_SQUARES, (SEAT,), unit=5),
    Feature("masters_on_map", (MAX_SEATS,), "winemasters on the map", 0, WINEMASTERS, (SEAT,)),
    Feature("not_seen", (MAX_SEATS, N_TILES), "tiles in the own deck, in hands and decks of the others", 0, 1,
          (SEAT, TILE)),
    Feature("hand_size", (MAX_SEATS,), "tiles in hand, the chosen one too", 0, N_TILES, (SEAT,)),
    Feature("has_chosen", (MAX_SEATS,), "has chosen a tile that is not yet shown", 0, 1, (SEAT,)),
    Feature("hand", (N_TILES,), "own hand", 0, 1, (TILE,)),
    Feature("choice", (N_TILES,), "own tile, chosen and not yet shown", 0, 1, (TILE,)),
    Feature("hands", (MAX_SEATS - 1, N_TILES), "hands of the others, with `open_hands` alone", 0, 1, (OTHER, TILE)),
    Feature("choices", (MAX_SEATS - 1, N_TILES), "their choices, likewise", 0, 1, (OTHER, TILE)),
    Feature("present", (MAX_SEATS,), "seats taken", 0, 1, (SEAT,)),
    Feature("start_seat", (MAX_SEATS,), "who begins the round", 0, 1, (SEAT,)),
    Feature("turn_seat", (MAX_SEATS,), "whose turn it is", 0, 1, (SEAT,)),
    Feature("actor", (MAX_SEATS,), "who decides now", 0, 1, (SEAT,)),
    # Market, map and round.
    copied_feature("price", GOOD),
    copied_feature("stock", GOOD),
    copied_feature("bank", GOOD, log=True),
    copied_feature("sign", GOOD),
    copied_feature("round_number"),
    Feature("turns_left", (1,), "turns of this round not yet started", 0, MAX_SEATS * N_TURNS, unit=5),
    Feature("square_kind", (N_SQUARES, len(KINDS)), "what a square makes", 0, 1, (SQUARE, KIND)),
    Feature("square_owner", (N_SQUARES, MAX_SEATS), "seat of the pieces on it", 0, 1, (SQUARE, SEAT)),
    copied_feature("square_workers", SQUARE),
    copied_feature("square_winemaster", SQUARE),
    copied_feature("square_produced", SQUARE),
    copied_feature("water", CROSSROAD),
    Feature("decision", (len(DECISIONS),), "the pending decision", 0, 1, (Axis("decision", tuple(DECISIONS)),)),
    Feature("pending", (len(SHOWN),), "numbers of the pending decision and picks so far", -SHORT, SHORT,
          (Axis("number", tuple(SHOWN)),), log=True),
    Feature("rules", (N_SHOWN_RULES,), "options, costs and the marks of the tiles", -SHORT, SHORT,
          (Axis("rule", tuple(RULE_NAMES[:N_SHOWN_RULES])),), log=True),
], present="present")  # fmt: skip
N_OBSERVATION = OBSERVATION.n
# Offset of each feature.
At = namespace(f"{__name__}.At", {entry.name.upper(): OBSERVATION.start(entry.name) for entry in OBSERVATION.features})
# Positions of the columns within the feature `pending`.
Pending = namespace(f"{__name__}.Pending", {name.upper(): place for place, name in enumerate(SHOWN)})

DECISION_NUMBER = OPERATIONS.decision_numbers()
SHOWN_TO_ACTOR, SHOWN_TO_OTHERS = OPERATIONS.observed(by_others=False), OPERATIONS.observed(by_others=True)
COLUMNS = tuple(int(column) for column in SHOWN.values())
N_COLUMNS, N_KINDS, N_DECISIONS = len(COLUMNS), len(KINDS), len(DECISIONS)


@jit
def relative(g, seat, viewer):
    """Return the clockwise distance of a seat from the viewer."""
    return seat - viewer if seat >= viewer else seat - viewer + int(g.rules[Rule.NUM_PLAYERS])


@jit
def observe_seat(g, seat, k, out):
    """Write the public information of a seat at index k."""
    out[At.MONEY + k] = g.money[seat]
    out[At.WORKERS + k] = g.workers[seat]
    out[At.WINEMASTERS + k] = g.winemasters[seat]
    out[At.LOST + k] = g.lost[seat]
    out[At.MASTERS_ON_MAP + k] = winemasters_on_map(g, seat)
    out[At.HAS_CHOSEN + k] = 1 if g.chosen[seat] != NO_TILE else 0
    out[At.PRESENT + k] = 1
    for good in range(N_GOODS):
        out[At.BOXES + N_GOODS * k + good] = g.boxes[seat, good]
    for turn in range(N_TURNS):
        out[At.USED + N_TURNS * k + turn] = g.used[seat, turn]
    hand_size = 0
    for tile in range(N_TILES):
        out[At.PLAYED + N_TILES * k + tile] = g.played[seat, tile]
        hand_size += int(g.hand[seat, tile])
    out[At.HAND_SIZE + k] = hand_size


@jit
def observe_tiles(g, seat, viewer, k, out):
    """Write the hand and the choice of the viewer; of opponents only the unplayed tiles, unless hands are open."""
    is_open = g.rules[Rule.OPEN_HANDS] == 1
    for tile in range(N_TILES):
        if seat == viewer or is_open:
            out[At.NOT_SEEN + N_TILES * k + tile] = 1 if is_in_deck(g, seat, tile) else 0
        else:
            out[At.NOT_SEEN + N_TILES * k + tile] = 1 - g.played[seat, tile]
    if seat != viewer and not is_open:
        return
    hand = At.HAND if seat == viewer else At.HANDS + N_TILES * (k - 1)
    choice = At.CHOICE if seat == viewer else At.CHOICES + N_TILES * (k - 1)
    for tile in range(N_TILES):
        out[hand + tile] = g.hand[seat, tile]
    if g.chosen[seat] != NO_TILE:
        out[choice + int(g.chosen[seat]) - 1] = 1


@jit
def observe_table(g, viewer, out):
    for good in range(N_GOODS):
        out[At.PRICE + good] = g.price[good]
        out[At.STOCK + good] = g.stock[good]
        out[At.BANK + good] = g.bank[good]
        out[At.SIGN + good] = g.sign[good]
    for square in range(N_SQUARES):
        out[At.SQUARE_KIND + N_KINDS * square + int(g.square_kind[square])] = 1
        out[At.SQUARE_WORKERS + square] = g.square_workers[square]
        out[At.SQUARE_WINEMASTER + square] = g.square_winemaster[square]
        out[At.SQUARE_PRODUCED + square] = g.square_produced[square]
        owner = int(g.square_owner[square])
        if owner != NO_SEAT:
            k = relative(g, owner, viewer)
            out[At.SQUARE_OWNER + MAX_SEATS * square + k] = 1
            out[At.SQUARES_HELD + k] += 1
    for crossroad in range(N_CROSSROADS):
        out[At.WATER + crossroad] = g.water[crossroad]
    for rule in range(N_SHOWN_RULES):
        out[At.RULES + rule] = g.rules[rule]
    out[At.ROUND_NUMBER] = g.round_number
    out[At.START_SEAT + relative(g, int(g.start_seat), viewer)] = 1


@jit
def observe_pending(g, viewer, out):
    """Write the seat to move and the pending decision."""
    t = int(g.depth) - 1
    if t < 1:
        return
    turn_seat = int(g.frames[1, Frame.SEAT])
    out[At.TURN_SEAT + relative(g, turn_seat, viewer)] = 1
    if g.phase == Phase.ACTIONS:
        out[At.TURNS_LEFT] = N_TURNS * int(g.rules[Rule.NUM_PLAYERS]) - int(g.frames[0, Frame.DONE])
    op, stage, seat = int(g.frames[t, Frame.OP]), int(g.frames[t, Frame.STAGE]), int(g.frames[t, Frame.SEAT])
    out[At.ACTOR + relative(g, seat, viewer)] = 1
    out[At.DECISION + DECISION_NUMBER[op, stage]] = 1
    for i in range(N_COLUMNS):
        column = COLUMNS[i]
        is_visible = SHOWN_TO_ACTOR[op, column] if seat == viewer else SHOWN_TO_OTHERS[op, column]
        out[At.PENDING + i] = is_visible * int(g.frames[t, column])


@jit
def observe(g, bytes_view, int16_view, viewer, out):
    """Write the observation of `viewer` into `out` (N_OBSERVATION,)."""
    for i in range(N_OBSERVATION):
        out[i] = 0
    for seat in range(int(g.rules[Rule.NUM_PLAYERS])):
        k = relative(g, seat, viewer)
        observe_seat(g, seat, k, out)
        observe_tiles(g, seat, viewer, k, out)
    observe_table(g, viewer, out)
    observe_pending(g, viewer, out)


check_written((rule for rule in globals().values() if hasattr(rule, "__code__")), At, (
    entry.name for entry in OBSERVATION.features
))  # fmt: skip
