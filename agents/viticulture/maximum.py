"""The best of several actions: each is applied to a simulated position, and the most valuable one is selected."""

from collections.abc import Callable

from vitienv.agents.viticulture.features import copy_position
from vitienv.agents.viticulture.value import position_value
from vitienv.core.compiling.jit import jit

NOTHING = -1
FAR_BELOW = -(10**9)
SOURCE = """
def best(p, flat, at, w{more}):
    best, best_item = FAR_BELOW, NOTHING
    for item in range({n}):
        {test}copy_position(flat, at, at + 1)
        {tried}
        after = worth(p, flat, at + 1, w)
        if after > best:
            best, best_item = after, item
    if best_item >= 0:
        do(p, flat, at, w, best_item{more})
    return best_item"""
TEST = "if not can(p[at], item{more}):\n            continue\n        "
APPLY, APPLY_OR_CONTINUE = "do(p, flat, at + 1, w, item{more})", "if not {done}:\n            continue"


def best_of(n: int, do: Callable, can: Callable | None = None, extra: str = "") -> Callable:
    """Return `best(p, flat, at, w)`, which applies the best possible item to position `at`.

    It returns the lowest of the best items 0 to n - 1, or NOTHING. Positions above `at` are scratch. can(me, item):
    whether an item is possible. do(p, flat, at, w, item): applies an item to position `at`; without `can` it returns
    whether it was possible. extra: names of further arguments, ", min_value".
    """
    if {name.strip() for name in extra.split(",")} & {"best", "best_item", "item", "after"}:
        raise ValueError(f"extra must not be best, best_item, item or after, got {extra!r}")
    action = APPLY.format(more=extra)
    source = SOURCE.format(
        n=n,
        more=extra,
        test=TEST.format(more=extra) if can else "",
        tried=action if can else APPLY_OR_CONTINUE.format(done=action),
    )
    scope = {"__name__": __name__, "FAR_BELOW": FAR_BELOW, "NOTHING": NOTHING, "worth": position_value,
             "copy_position": copy_position, "do": jit(do), "can": can and jit(can)}  # fmt: skip
    exec(source, scope)
    return jit(scope["best"])
