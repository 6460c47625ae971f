"""Kernels that bots announce, which the progress bar of the first start counts, are those that they compile."""

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
from vitienv.core.compiling.progress import PROGRESS
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import play, warm_up

def ready():
    return {f"{kernel.__module__}.{kernel.__name__}" for kernel in PROGRESS._kernels if kernel.signatures}

seen, depth, at_end = [], 0, set()
together = PROGRESS.group
@contextmanager
def recorded(kernels):
    global depth, at_end
    kernels, depth = list(kernels), depth + 1
    seen.extend(f"{kernel.__module__}.{kernel.__name__}" for kernel in kernels)
    with together(kernels):
        yield
    depth -= 1
    at_end = at_end if depth else ready()
PROGRESS.group = recorded
"""
BOTS = """
game, *specs = sys.argv[1:]
own = game_spec(game)
bots = make_bots(specs, 0, game)
warm_up(bots, own)
# Kernels of champions with a policy prior, at other tables.
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
    ) as process:
        yield process


def run(forked, code, *arguments):
    result = forked.run(BEGIN + code, *arguments)
    assert result.returncode == 0, result.stderr


SPECS = [
    "random", "heuristic", "policy:champion", "policy:champion,deterministic=false", "ismcts:simulations=8",
    "ismcts:simulations=8,playout=none", "ismcts:simulations=8,policy=champion",
    "ismcts:simulations=8,policy=champion,playout=none",
]  # fmt: skip


@pytest.mark.parametrize("arguments", [
    *(("viticulture", spec) for spec in SPECS),
    *((game, "heuristic", "policy:champion") for game in ("world", "toscana")),
], ids=" ".join)  # fmt: skip
def test_expected_kernels_are_compiled(forked, arguments):
    run(forked, BOTS, *arguments)


def test_terminal_game_is_compiled_before_its_first_prompt(forked):
    run(forked, PLAY)
