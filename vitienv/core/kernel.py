"""The compiled loops over games: the only functions that Python calls.

They are written once and compiled for each game: `build` puts the game's own rules in the place of what stands under
"A game's rules" here, and compiles the copy. One kernel holds a whole game, so that it is compiled and cached once,
apart from other games; bits say what a call does.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from vitienv.core.compiling.jit import Home, cache_folder, cache_on_disk, check_sources, has_code, jit
from vitienv.core.compiling.namespaces import Numbers
from vitienv.core.compiling.static_checks import RULES as RULE_FUNCTIONS
from vitienv.core.compiling.static_checks import check_members, check_read
from vitienv.core.frames import Frame
from vitienv.core.operations import Operations
from vitienv.core.rng import below, word
from vitienv.core.rule_parameters import RuleParameters


class Run(Numbers):
    """What a call of `run` does, as bits."""

    START = 1
    STEP = 2
    RESTART = 4
    OBSERVE = 8
    RANDOM = 16
    REFRESH = 32
    PLAYOUT = 64


class Status(Numbers):
    """How a game stands."""

    PLAYING = 0
    OVER = 1
    TRUNCATED = 2


LEAVE = -1  # in place of an action: the game is left alone
NOBODY = -1
BLOCK = 16  # actions counted together

# A game's rules: what each game gives under these names. g is one game record.

N_ACTIONS = 0  # how many actions there are
N_OBSERVATION = 0  # and observed numbers
EMPTY = np.zeros(0, np.int8)  # the bytes of an empty record
NUM_PLAYERS = 0  # where the rules say how many seats play, and whether forced decisions are skipped
SKIP_FORCED = 0
POLICY_STREAM = 0  # the stream of chance of random choices
DECISION_NUMBER = np.zeros((0, 0), np.int64)  # by operation and stage


def new_game(g):
    """Set up a game whose record is empty but for its key and its rules, up to the first pending frame."""


def run_operation(op, g, t):
    """Let frame t do what needs no choice. False if it waits for a seat."""


def legal_operation(op, g, t, mask):
    """Write the legal actions of frame t into a mask of zeros."""


def apply_operation(op, g, t, action):
    """Apply a legal action to frame t."""


def observe(g, bytes_view, int16_view, viewer, out):
    """Write what a seat sees into `out`. bytes_view, int16_view: views of the record."""


def score_of(g, seat):
    """The points of a seat, as they are shown."""


def rank_of(g, seat):
    """The rank of a seat, 1 for the first; equal standings share one."""


def reward_of(g, seat, kind):
    """The reward of a seat in a game that is over, by the number of the reward."""


def redeal_hidden(g, viewer):
    """Deal anew what a seat cannot see; the key is a new one already."""


# The machine: run what needs no choice, say what is legal, apply a choice.


def apply(g, action):
    """Apply a legal action to the top frame."""
    t = int(g.depth) - 1
    apply_operation(int(g.frames[t, Frame.OP]), g, t, action)


def run_top(g):
    """Let the top frame do what needs no choice. False if it waits for a seat."""
    t = int(g.depth) - 1
    return run_operation(int(g.frames[t, Frame.OP]), g, t)


def legal(g, mask):
    """Write the legal actions of the seat to decide into `mask` (all zeros when the game is over)."""
    for i in range(N_ACTIONS):
        mask[i] = 0
    if g.status == Status.PLAYING:
        t = int(g.depth) - 1
        legal_operation(int(g.frames[t, Frame.OP]), g, t, mask)


def count_legal(mask):
    """How many actions are legal, added up in 16 bits: sixteen numbers fit into one vector instead of four."""
    n = np.int16(0)
    for action in range(N_ACTIONS):
        n = np.int16(n + mask[action])
    return int(n)


def nth_legal(mask, n):
    """The n-th legal action, from 0.

    Whole blocks are skipped first, added up in 8 bits, which takes a few vector moves. In the block that has it every
    action with at most n legal ones up to it is passed: without branches, as none of them could be foretold.
    """
    action = 0
    while action + BLOCK <= N_ACTIONS:
        inside = np.int8(0)
        for i in range(BLOCK):
            inside = np.int8(inside + mask[action + i])
        if n < inside:
            break
        n -= int(inside)
        action += BLOCK
    legal_here = np.int8(0)
    passed = 0
    for i in range(min(BLOCK, N_ACTIONS - action)):
        legal_here = np.int8(legal_here + mask[action + i])
        passed += int(legal_here <= n)
    return action + passed


def advance(g, mask):
    """Run to the next decision and write its mask; forced ones are taken if the rules say so."""
    while True:
        while g.status == Status.PLAYING and run_top(g):
            pass
        legal(g, mask)
        if g.status != Status.PLAYING or g.rules[SKIP_FORCED] == 0:
            return
        if count_legal(mask) != 1:
            return
        apply(g, nth_legal(mask, 0))


def actor(g):
    """The seat that decides now; NOBODY when the game is over."""
    if g.status != Status.PLAYING:
        return NOBODY
    return int(g.frames[int(g.depth) - 1, Frame.SEAT])


def decision_number(g):
    """The number of the pending decision; -1 when the game is over."""
    if g.status != Status.PLAYING:
        return -1
    t = int(g.depth) - 1
    return DECISION_NUMBER[int(g.frames[t, Frame.OP]), int(g.frames[t, Frame.STAGE])]


def random_action(g, mask):
    """A legal action, each equally likely, from the game's own stream."""
    used = int(g.chance[POLICY_STREAM])
    g.chance[POLICY_STREAM] = used + 1
    at = below(word(int(g.key[0]), int(g.key[1]), POLICY_STREAM, used), count_legal(mask))
    return nth_legal(mask, at)


def next_key(key, i):
    """The key of a game's successor: the same whatever the other games do."""
    first, second = int(key[i, 0]), int(key[i, 1])
    key[i, 0] = word(first, second, POLICY_STREAM, 2**31)
    key[i, 1] = word(first, second, POLICY_STREAM, 2**31 + 1)


def begin(g, bytes_view, key0, key1, rules):
    """A new game: the empty record, its key and its rules, and the set-up up to the first decision's frame."""
    for i in range(len(EMPTY)):
        bytes_view[i] = EMPTY[i]
    for i in range(len(rules)):
        g.rules[i] = rules[i]
    g.key[0] = key0
    g.key[1] = key1
    new_game(g)


def imagine(g, viewer, key0, key1):
    """Deal anew what a seat cannot see, and all chance to come, under a new key."""
    g.key[0] = key0
    g.key[1] = key1
    for stream in range(len(g.chance)):
        g.chance[stream] = 0
    redeal_hidden(g, viewer)


# The loops.


def run(
    what,
    reward_kind,
    games,
    bytes_view,
    int16_view,
    actions,
    keys,
    rules,
    masks,
    seats,
    decisions,
    obs,
    rewards,
    ended,
    scores,
    ranks,
):
    """For each game, in this order and as the bits of `what` say:

    START a new game under keys[i] and rules; choose a RANDOM legal action into actions[i]; STEP by actions[i];
    PLAYOUT at random to the end; RESTART a game that ended; OBSERVE for the seat to act.

    games (n,) records, bytes_view and int16_view (n, bytes) views of them; keys (n, 2) uint32; masks (n, actions) int8;
    obs (n, observed numbers); seats, decisions, ended (n,) int8; rewards (n, seats) float32; scores, ranks (n, seats)
    int16. A game whose action is LEAVE is left alone, with all that is written of it. Returns the number of decisions
    taken.
    """
    taken = 0
    for i in range(len(games)):
        if what & Run.STEP and what & Run.RANDOM == 0 and actions[i] == LEAVE:
            continue
        g, mask = games[i], masks[i]
        fresh = what & Run.START != 0
        if not fresh and what & (Run.STEP | Run.RANDOM | Run.PLAYOUT):
            while g.status == Status.PLAYING:
                if what & Run.RANDOM:
                    actions[i] = random_action(g, mask)
                apply(g, int(actions[i]))
                advance(g, mask)
                taken += 1
                if what & Run.PLAYOUT == 0:
                    break
        if not fresh and what & Run.REFRESH:
            advance(g, mask)
        if what & Run.START == 0:
            ended[i] = g.status
            if g.status != Status.PLAYING:
                for seat in range(int(g.rules[NUM_PLAYERS])):
                    scores[i, seat] = score_of(g, seat)
                    ranks[i, seat] = rank_of(g, seat)
                    rewards[i, seat] = reward_of(g, seat, reward_kind) if g.status == Status.OVER else 0.0
                if what & Run.RESTART:
                    next_key(keys, i)
                    fresh = True
            else:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = 0.0
        if fresh:
            begin(g, bytes_view[i], int(keys[i, 0]), int(keys[i, 1]), rules)
            advance(g, mask)
        seats[i] = actor(g)
        decisions[i] = decision_number(g)
        if what & Run.OBSERVE and g.status == Status.PLAYING:
            observe(g, bytes_view[i], int16_view[i], int(seats[i]), obs[i])
    return taken


def observe_seat(games, bytes_view, int16_view, viewers, obs):
    """What seat viewers[i] sees of games[i], written into obs[i]."""
    for i in range(len(games)):
        observe(games[i], bytes_view[i], int16_view[i], int(viewers[i]), obs[i])


def stand(games, scores, ranks):
    """Points and rank of every seat as things stand, written into scores and ranks (n, seats)."""
    for i in range(len(games)):
        for seat in range(int(games[i].rules[NUM_PLAYERS])):
            scores[i, seat] = score_of(games[i], seat)
            ranks[i, seat] = rank_of(games[i], seat)


def determinize(games, viewers, keys):
    """Deal anew what viewers[i] cannot see in games[i], under the chance keys (n, 2) uint32."""
    for i in range(len(games)):
        imagine(games[i], int(viewers[i]), int(keys[i, 0]), int(keys[i, 1]))


# Compiling them for a game.

TYPES = {
    "int64": "what reward_kind",
    "record[::1]": "games",
    "int8[:, ::1]": "bytes_view masks",
    "int16[:, ::1]": "int16_view obs scores ranks",
    "int64[::1]": "actions rules",
    "uint32[:, ::1]": "keys",
    "int8[::1]": "seats decisions ended viewers",
    "float32[:, ::1]": "rewards",
}
GIVEN = (
    "N_ACTIONS", "N_OBSERVATION", "EMPTY", "POLICY_STREAM", "new_game", "observe", "score_of", "rank_of", "reward_of",
    "redeal_hidden",
)  # fmt: skip
RULES = (
    "apply", "run_top", "legal", "count_legal", "nth_legal", "advance", "actor", "decision_number", "random_action",
    "next_key", "begin", "imagine",
)  # fmt: skip
LOOPS = ("run", "observe_seat", "stand", "determinize")


@dataclass(frozen=True)
class Kernels:
    """The compiled loops of one game, where their machine code is kept, its record, and by what names they find its
    rules."""

    run: Callable
    observe_seat: Callable
    stand: Callable
    determinize: Callable
    folder: Path
    record: np.dtype
    names: Mapping[str, Any] = field(compare=False, repr=False)


def build(
    module: str,
    home: Path,
    apart: tuple[str, ...],
    operations: Operations,
    rule_parameters: RuleParameters,
    rules: Mapping[str, Any],
    also: str = "",
    others: tuple[Home, ...] = (),
) -> Kernels:
    """The loops with a game's rules. ValueError names a rule that is missing, or a rule parameter that no rule reads.

    module: the one that calls this. home: the folder of the game's sources, on which its machine code depends, but for
    those named in `apart` (files and folders in which nothing is compiled). also: what else it depends on, such as the
    digest of data that are no sources. others: further folders of sources, those of a game that this one varies, each
    with what is apart there.
    """
    missing = [name for name in GIVEN if name not in rules]
    if missing:
        raise ValueError(f"{module} gives no {missing[0]!r}, which the compiled loops need")
    if module not in sys.modules:  # kept machine code is found again by it
        raise ValueError(f"there is no module {module!r}; give the one that calls this, `__name__`")
    check_sources(home, apart)
    folder = cache_folder(home, apart, *others)
    folder = folder.with_name(f"{folder.name}-{also}") if also else folder
    if not has_code(folder):  # else the sources are those of the last check
        check_members(RULE_FUNCTIONS)
        check_read(RULE_FUNCTIONS, rule_parameters)
    empty = rules["EMPTY"]
    own_rules = {
        "NUM_PLAYERS": int(rule_parameters.numbers.NUM_PLAYERS),
        "SKIP_FORCED": int(rule_parameters.numbers.SKIP_FORCED),
        "DECISION_NUMBER": operations.decision_numbers(),
        **{f"{kind}_operation": operations.dispatch(kind) for kind in ("run", "legal", "apply")},
    }
    names = globals() | own_rules | dict(rules) | {"__name__": module, "EMPTY": empty.view(np.int8)}
    compile_into(names, globals(), RULES, LOOPS, folder, "the engine", {"record": empty.dtype})
    return Kernels(**{name: names[name] for name in LOOPS}, folder=folder, record=empty.dtype, names=names)


def compile_into(
    names: dict[str, Any],
    source: Mapping[str, Any],
    rules: tuple[str, ...],
    loops: tuple[str, ...],
    folder: Path,
    part: str,
    records: Mapping[str, np.dtype],
) -> None:
    """Put copies of some functions of `source` into `names`, compiled, which find there what they call.

    rules: called by compiled code alone; loops: called from Python, their machine code is kept in `folder`. part: its
    name in the progress of compiling. records: dtypes that `source["TYPES"]` names.
    """
    for name in (*rules, *loops):
        own = FunctionType(source[name].__code__, names, name)
        own.__doc__ = source[name].__doc__
        names[name] = cache_on_disk(own, folder, part, source["TYPES"], records) if name in loops else jit(own)
