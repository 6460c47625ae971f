"""Rules of one ruleset out of those of another: what is replaced, shared, and found to be unused."""

import numpy as np
import pytest

from vitienv.core.compiling.jit import jit
from vitienv.core.compiling.static_checks import plain
from vitienv.core.compiling.variants import Variant

TABLE, OTHER_TABLE = np.array([1, 2]), np.array([10, 20])


@jit
def price(g, i):
    return TABLE[i]


@jit
def dear(g, i):
    return price(g, i) > 5


@jit
def countdown(g, i):
    return 0 if i == 0 else price(g, 0) + countdown(g, i - 1)


@jit
def apart(g):
    return 7


@jit
def higher(g, i):
    return price(g, i) + 100


def of(rule):
    """The function that a copy calls by a name, as plain Python."""
    return lambda name: plain(plain(rule).__globals__[name])


def test_what_comes_to_a_replaced_function_is_copied_and_the_rest_is_shared():
    variant = Variant(__name__, [(price, higher)])
    assert variant(apart) is apart and variant(dear) is not dear
    assert of(variant(dear))("price").__code__ is plain(higher).__code__
    assert variant(dear) is variant(dear) and plain(dear).__globals__["price"] is price


def test_what_stands_in_may_call_what_it_stands_in_for():
    """Which then has the other replacements in it."""
    variant = Variant(__name__, [(price, higher), (TABLE, OTHER_TABLE)])
    inner = of(variant(price))("price")
    assert inner.__code__ is plain(price).__code__ and inner.__globals__["TABLE"] is OTHER_TABLE


def test_a_rule_that_calls_itself_calls_its_copy():
    copy = Variant(__name__, [(price, higher)])(countdown)
    assert plain(copy).__globals__["countdown"] is copy and copy is not countdown


def test_a_replacement_that_nothing_calls_is_found():
    variant = Variant(__name__, [(price, higher), (apart, apart)])
    variant(dear)
    assert variant.unused() == ["apart"]


def test_rules_that_come_back_to_each_other_are_refused():
    names = {"__name__": __name__, "jit": jit}
    exec("@jit\ndef ping(g): return pong(g)\n@jit\ndef pong(g): return ping(g)\n", names)
    with pytest.raises(ValueError, match="comes back to itself: ping -> pong -> ping"):
        Variant(__name__, [(price, higher)])(names["ping"])
