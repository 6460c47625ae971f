"""The compiled loops over games, the only compiled functions that Python calls.

`build` compiles a copy of them for each game, with its rules in place of the stubs below. A single kernel with flags
contains a whole game, so that it is compiled and cached once.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from vitienv.core.compiling.jit import SourceDir, cache_folder, cache_on_disk, check_sources, has_code, jit
from vitienv.core.compiling.namespaces import IntConstants
from vitienv.core.compiling.static_checks import RULES as RULE_FUNCTIONS
from vitienv.core.compiling.static_checks import check_members, check_read
from vitienv.core.frames import Frame
from vitienv.core.operations import Operations
from vitienv.core.rng import below, word
from vitienv.core.rule_parameters import RuleParameters


class Run(IntConstants):
    """Flags of `run`."""

    START = 1
    STEP = 2
    RESTART = 4
    OBSERVE = 8
    RANDOM = 16
    REFRESH = 32
    PLAYOUT = 64


class Status(IntConstants):
    """Status of a game."""

    PLAYING = 0
    OVER = 1
    TRUNCATED = 2


SKIP = -1  # action that skips a game
NOBODY = -1
BLOCK = 16  # actions counted per vector

# Stubs that `build` replaces by the rules of a game. g is a game record.

N_ACTIONS = 0  # number of actions
N_OBSERVATION = 0  # length of an observation
EMPTY = np.zeros(0, np.int8)  # bytes of an empty record
NUM_PLAYERS = 0  # offset of the rule parameter
SKIP_FORCED = 0  # offset of the rule parameter
POLICY_STREAM = 0  # RNG stream of random actions
DECISION_NUMBER = np.zeros((0, 0), np.int64)  # decision by operation and stage


def new_game(g):
    """Set up a game, up to the first pending frame. The record is empty except for key and rules."""


def run_operation(op, g, t):
    """Play forced steps of frame t. False if it waits for a seat."""


def legal_operation(op, g, t, mask):
    """Write the legal actions of frame t into a mask of zeros."""


def apply_operation(op, g, t, action):
    """Apply a legal action to frame t."""


def observe(g, bytes_view, int16_view, viewer, out):
    """Write the observation of a seat into `out`. bytes_view, int16_view: views of the record."""


def score_of(g, seat):
    """Return the score of a seat."""


def rank_of(g, seat):
    """Return the rank of a seat, 1 for the first; ties share a rank."""


def reward_of(g, seat, kind):
    """Return the reward of a seat in a finished game. kind: index of the reward."""


def redeal_hidden(g, viewer):
    """Redeal everything that a seat cannot see, with the key of the record."""


# The stack machine.


def apply(g, action):
    """Apply a legal action to the top frame."""
    t = int(g.depth) - 1
    apply_operation(int(g.frames[t, Frame.OP]), g, t, action)


def run_top(g):
    """Play forced steps of the top frame. False if it waits for a seat."""
    t = int(g.depth) - 1
    return run_operation(int(g.frames[t, Frame.OP]), g, t)


def legal(g, mask):
    """Write the legal actions of the current seat into `mask` (zeros when the game is over)."""
    for i in range(N_ACTIONS):
        mask[i] = 0
    if g.status == Status.PLAYING:
        t = int(g.depth) - 1
        legal_operation(int(g.frames[t, Frame.OP]), g, t, mask)


def count_legal(mask):
    """Return the number of legal actions."""
    # int16 sums use vectors of 16 numbers instead of 4.
    n = np.int16(0)
    for action in range(N_ACTIONS):
        n = np.int16(n + mask[action])
    return int(n)


def nth_legal(mask, n):
    """Return the n-th legal action, from 0."""
    # Skips whole blocks with vectorised int8 sums, then counts within the block without branches, which would be
    # mispredicted.
    action = 0
    while action + BLOCK <= N_ACTIONS:
        num_in_block = np.int8(0)
        for i in range(BLOCK):
            num_in_block = np.int8(num_in_block + mask[action + i])
        if n < num_in_block:
            break
        n -= int(num_in_block)
        action += BLOCK
    num_legal = np.int8(0)
    num_skipped = 0
    for i in range(min(BLOCK, N_ACTIONS - action)):
        num_legal = np.int8(num_legal + mask[action + i])
        num_skipped += int(num_legal <= n)
    return action + num_skipped


def advance(g, mask):
    """Run to the next decision and write its mask; plays forced decisions if the rules skip them."""
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
    """Return the current seat; NOBODY when the game is over."""
    if g.status != Status.PLAYING:
        return NOBODY
    return int(g.frames[int(g.depth) - 1, Frame.SEAT])


def decision_number(g):
    """Return the index of the pending decision; -1 when the game is over."""
    if g.status != Status.PLAYING:
        return -1
    t = int(g.depth) - 1
    return DECISION_NUMBER[int(g.frames[t, Frame.OP]), int(g.frames[t, Frame.STAGE])]


def random_action(g, mask):
    """Return a uniformly random legal action from the RNG stream of the game."""
    counter = int(g.chance[POLICY_STREAM])
    g.chance[POLICY_STREAM] = counter + 1
    index = below(word(int(g.key[0]), int(g.key[1]), POLICY_STREAM, counter), count_legal(mask))
    return nth_legal(mask, index)


def next_key(key, i):
    """Write the key of the successor of game i, independent of the other games."""
    first, second = int(key[i, 0]), int(key[i, 1])
    key[i, 0] = word(first, second, POLICY_STREAM, 2**31)
    key[i, 1] = word(first, second, POLICY_STREAM, 2**31 + 1)


def begin(g, bytes_view, key0, key1, rules):
    """Start a game: the empty record with key and rules, and the set-up to the first pending frame."""
    for i in range(len(EMPTY)):
        bytes_view[i] = EMPTY[i]
    for i in range(len(rules)):
        g.rules[i] = rules[i]
    g.key[0] = key0
    g.key[1] = key1
    new_game(g)


def redeal(g, viewer, key0, key1):
    """Redeal everything that a seat cannot see, and restart all RNG streams, with a new key."""
    g.key[0] = key0
    g.key[1] = key1
    for stream in range(len(g.chance)):
        g.chance[stream] = 0
    redeal_hidden(g, viewer)


# The loops.


def run(
    flags,
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
    """Run the steps that the bits of `flags` select on each game; return the number of decisions taken.

    In this order: START a new game under keys[i] and rules; choose a RANDOM legal action into actions[i]; STEP by
    actions[i]; PLAYOUT at random to the end; RESTART a game that ended; OBSERVE for the seat to act. A game whose
    action is SKIP is skipped, and its outputs are unchanged.

    games (n,) records, bytes_view and int16_view (n, bytes) views of them; keys (n, 2) uint32; masks (n, actions) int8;
    obs (n, features); seats, decisions, ended (n,) int8; rewards (n, seats) float32; scores, ranks (n, seats) int16.
    """
    num_decisions = 0
    for i in range(len(games)):
        if flags & Run.STEP and flags & Run.RANDOM == 0 and actions[i] == SKIP:
            continue
        g, mask = games[i], masks[i]
        is_new = flags & Run.START != 0
        if not is_new and flags & (Run.STEP | Run.RANDOM | Run.PLAYOUT):
            while g.status == Status.PLAYING:
                if flags & Run.RANDOM:
                    actions[i] = random_action(g, mask)
                apply(g, int(actions[i]))
                advance(g, mask)
                num_decisions += 1
                if flags & Run.PLAYOUT == 0:
                    break
        if not is_new and flags & Run.REFRESH:
            advance(g, mask)
        if flags & Run.START == 0:
            ended[i] = g.status
            if g.status != Status.PLAYING:
                for seat in range(int(g.rules[NUM_PLAYERS])):
                    scores[i, seat] = score_of(g, seat)
                    ranks[i, seat] = rank_of(g, seat)
                    rewards[i, seat] = reward_of(g, seat, reward_kind) if g.status == Status.OVER else 0.0
                if flags & Run.RESTART:
                    next_key(keys, i)
                    is_new = True
            else:
                for seat in range(rewards.shape[1]):
                    rewards[i, seat] = 0.0
        if is_new:
            begin(g, bytes_view[i], int(keys[i, 0]), int(keys[i, 1]), rules)
            advance(g, mask)
        seats[i] = actor(g)
        decisions[i] = decision_number(g)
        if flags & Run.OBSERVE and g.status == Status.PLAYING:
            observe(g, bytes_view[i], int16_view[i], int(seats[i]), obs[i])
    return num_decisions


def observe_seat(games, bytes_view, int16_view, viewers, obs):
    """Write the observation of seat viewers[i] in games[i] into obs[i]."""
    for i in range(len(games)):
        observe(games[i], bytes_view[i], int16_view[i], int(viewers[i]), obs[i])


def write_standings(games, scores, ranks):
    """Write current points and ranks of all seats into scores and ranks (n, seats)."""
    for i in range(len(games)):
        for seat in range(int(games[i].rules[NUM_PLAYERS])):
            scores[i, seat] = score_of(games[i], seat)
            ranks[i, seat] = rank_of(games[i], seat)


def determinize(games, viewers, keys):
    """Redeal everything that viewers[i] cannot see in games[i], with the RNG keys (n, 2) uint32."""
    for i in range(len(games)):
        redeal(games[i], int(viewers[i]), int(keys[i, 0]), int(keys[i, 1]))


# Compilation for a game.

TYPES = {
    "int64": "flags reward_kind",
    "record[::1]": "games",
    "int8[:, ::1]": "bytes_view masks",
    "int16[:, ::1]": "int16_view obs scores ranks",
    "int64[::1]": "actions rules",
    "uint32[:, ::1]": "keys",
    "int8[::1]": "seats decisions ended viewers",
    "float32[:, ::1]": "rewards",
}
REQUIRED_RULES = (
    "N_ACTIONS", "N_OBSERVATION", "EMPTY", "POLICY_STREAM", "new_game", "observe", "score_of", "rank_of", "reward_of",
    "redeal_hidden",
)  # fmt: skip
RULES = (
    "apply", "run_top", "legal", "count_legal", "nth_legal", "advance", "actor", "decision_number", "random_action",
    "next_key", "begin", "redeal",
)  # fmt: skip
LOOPS = ("run", "observe_seat", "write_standings", "determinize")


@dataclass(frozen=True)
class Kernels:
    """The compiled loops of a game.

    folder: directory of their machine code. record: dtype of the game record. names: globals of the loops.
    """

    run: Callable
    observe_seat: Callable
    write_standings: Callable
    determinize: Callable
    folder: Path
    record: np.dtype
    names: Mapping[str, Any] = field(compare=False, repr=False)


def build(
    module: str,
    home: Path,
    uncompiled: tuple[str, ...],
    operations: Operations,
    rule_parameters: RuleParameters,
    rules: Mapping[str, Any],
    data_digest: str = "",
    base_sources: tuple[SourceDir, ...] = (),
) -> Kernels:
    """Compile the loops with the rules of a game.

    module: `__name__` of the caller. home: directory of the game's sources, of which the cached machine code depends on
    all but `uncompiled` (files and directories without compiled code). data_digest: digest of further inputs.
    base_sources: source directories of the base game. ValueError for a missing rule or an unused rule parameter.
    """
    missing = [name for name in REQUIRED_RULES if name not in rules]
    if missing:
        raise ValueError(f"{module} must define {missing[0]}")
    if module not in sys.modules:  # the key of cached machine code
        raise ValueError(f"module must be the caller's `__name__`, got {module!r}")
    check_sources(home, uncompiled)
    folder = cache_folder(home, uncompiled, *base_sources)
    folder = folder.with_name(f"{folder.name}-{data_digest}") if data_digest else folder
    if not has_code(folder):  # else the same sources have been checked before
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
    """Compile functions of `source` with the globals `names`, and add them to `names`.

    rules: functions called by compiled code only. loops: functions called from Python, whose machine code is cached in
    `folder`. part: name in the progress of compilation. records: dtypes named in `source["TYPES"]`.
    """
    for name in (*rules, *loops):
        function = FunctionType(source[name].__code__, names, name)
        function.__doc__ = source[name].__doc__
        names[name] = (
            cache_on_disk(function, folder, part, source["TYPES"], records) if name in loops else jit(function)
        )
