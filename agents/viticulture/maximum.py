"""The best of several things to do: each is tried on an imagined position, and what leaves most worth is done."""

from collections.abc import Callable

from vitienv.agents.viticulture.features import copy_position
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit

NOTHING = -1
FAR_BELOW = -(10**9)
SOURCE = """
def best(p, flat, at, w{more}):
    best, kept = FAR_BELOW, NOTHING
    for thing in range({n}):
        {test}copy_position(flat, at, at + 1)
        {tried}
        after = worth(p, flat, at + 1, w)
        if after > best:
            best, kept = after, thing
    if kept >= 0:
        do(p, flat, at, w, kept{more})
    return kept
"""
TEST = "if not can(p[at], thing{more}):\n            continue\n        "
DONE, ANSWERED = "do(p, flat, at + 1, w, thing{more})", "if not {done}:\n            continue"


def best_of(n: int, do: Callable, can: Callable | None = None, more: str = "") -> Callable:
    """`best(p, flat, at, w)`, which does the best of things 0 to n - 1 on position `at`, the first among equals, and
    returns it, NOTHING if none can be done; the positions above are scratch.

    can(me, thing): whether a thing can be done. do(p, flat, at, w, thing): do it on position `at`; without `can` it
    returns whether it was done. more: names of further arguments that all of them have, ", least".
    """
    if {name.strip() for name in more.split(",")} & {"best", "kept", "thing", "after"}:
        raise ValueError(f"best_of has names of its own for one of {more!r}; call the argument otherwise")
    done = DONE.format(more=more)
    source = SOURCE.format(
        n=n, more=more, test=TEST.format(more=more) if can else "", tried=done if can else ANSWERED.format(done=done)
    )
    scope = {"__name__": __name__, "FAR_BELOW": FAR_BELOW, "NOTHING": NOTHING, "worth": position_value,
             "copy_position": copy_position, "do": jit(do), "can": can and jit(can)}  # fmt: skip
    exec(source, scope)
    return jit(scope["best"])
