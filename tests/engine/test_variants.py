"""Derived rulesets: replaced, shared and unused functions."""

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
def constant_rule(g):
    return 7


@jit
def higher(g, i):
    return price(g, i) + 100


def of(rule):
    """Return the plain Python function that a copy calls by a name."""
    return lambda name: plain(plain(rule).__globals__[name])


def test_callers_of_replaced_functions_are_copied():
    variant = Variant(__name__, [(price, higher)])
    assert variant(constant_rule) is constant_rule and variant(dear) is not dear
    assert of(variant(dear))("price").__code__ is plain(higher).__code__
    assert variant(dear) is variant(dear) and plain(dear).__globals__["price"] is price


def test_replacement_can_call_the_original():
    """With the other replacements applied."""
    variant = Variant(__name__, [(price, higher), (TABLE, OTHER_TABLE)])
    inner = of(variant(price))("price")
    assert inner.__code__ is plain(price).__code__ and inner.__globals__["TABLE"] is OTHER_TABLE


def test_recursive_function_calls_its_copy():
    copy = Variant(__name__, [(price, higher)])(countdown)
    assert plain(copy).__globals__["countdown"] is copy and copy is not countdown


def test_unused_replacement_raises():
    variant = Variant(__name__, [(price, higher), (constant_rule, constant_rule)])
    variant(dear)
    assert variant.unused() == ["constant_rule"]


def test_mutually_recursive_rules_raise():
    names = {"__name__": __name__, "jit": jit}
    exec("@jit\ndef ping(g): return pong(g)\n@jit\ndef pong(g): return ping(g)\n", names)
    with pytest.raises(ValueError, match="must not be mutually recursive: ping -> pong -> ping"):
        Variant(__name__, [(price, higher)])(names["ping"])
