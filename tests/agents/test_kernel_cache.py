"""What bots say that they compile is what they compile: the bar of a first start is made of it."""

import pytest

from tests.command import Forked
from vitienv.core.compiling.jit import can_compile

pytestmark = pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
BEGIN = """
import io, sys
from contextlib import contextmanager
import vitienv
from vitienv import cli
from vitienv.agents.protocol import bind_agent
from vitienv.agents.seeding import make_bots
from vitienv.core.compiling.progress import WATCH
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import play, warm_up

def ready():
    return {f"{kernel.__module__}.{kernel.__name__}" for kernel in WATCH._kernels if kernel.signatures}

seen, depth, at_end = [], 0, set()
together = WATCH.together
@contextmanager
def noted(kernels):
    global depth, at_end
    kernels, depth = list(kernels), depth + 1
    seen.extend(f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels)
    with together(kernels):
        yield
    depth -= 1
    at_end = at_end if depth else ready()
WATCH.together = noted
"""
BOTS = """
game, *specs = sys.argv[1:]
own = game_spec(game)
bots = make_bots(specs, 0, game)
warm_up(bots, own)
# What champions with a policy prior call, who sit at other tables.
others = {"vitienv.agents.viticulture.rule_agent.compute_prior_scores", "vitienv.core.networks.network._best"}
assert ready() <= set(seen) <= ready() | others, (sorted(ready() - set(seen)), sorted(set(seen) - ready()))
options = own.options.of(num_players=2, **{own.options.LIMIT: 1})
play(options, range(len(bots)), [[i] * 2 for i in range(len(bots))], bots)
assert ready() <= set(seen), sorted(ready() - set(seen))
"""
PLAY = """
sys.stdin = io.StringIO("1\\n1\\nboard\\nundo\\nquit\\n")
assert cli.run(["play", "--seed", "1"]) == 0
assert ready() == at_end, sorted(ready() - at_end)
assert ready() - set(seen) <= {"vitienv.viticulture.queries.answer"}, sorted(ready() - set(seen))  # a few functions
"""


@pytest.fixture(scope="module")
def forked():
    with Forked(
        ["vitienv.viticulture.game_spec", "vitienv.agents.seeding", "vitienv.training.evaluation.match"]
    ) as made:
        yield made


def run(forked, code, *arguments):
    done = forked.run(BEGIN + code, *arguments)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("spec", [
    "random", "heuristic", "policy:champion", "policy:champion,deterministic=false", "ismcts:simulations=8",
    "ismcts:simulations=8,playout=none", "ismcts:simulations=8,policy=champion",
    "ismcts:simulations=8,policy=champion,playout=none",
])  # fmt: skip
def test_what_is_expected_is_what_is_compiled(forked, spec):
    run(forked, BOTS, "viticulture", spec)


@pytest.mark.parametrize("game", ["world", "toscana"])
def test_so_it_is_in_other_games(forked, game):
    run(forked, BOTS, game, "heuristic", "policy:champion")


def test_a_game_at_the_keyboard_is_compiled_before_it_is_shown(forked):
    """No choice of the first minutes waits for another compilation."""
    run(forked, PLAY)
