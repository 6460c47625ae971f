"""Kernels that bots announce, which the progress bar of the first start counts, are those that they compile."""

import pytest

from tests.command import Forked
from vitienv.core.compiling.jit import can_compile

pytestmark = pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
BOTS = """
import sys
from vitienv.agents.seeding import make_bots
from vitienv.core.compiling.progress import PROGRESS
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import play, warm_up

def name_of(kernel):
    return f"{kernel.__module__}.{kernel.__name__}"

def ready():
    return {name_of(kernel) for kernel in PROGRESS._kernels if kernel.signatures}

def recorded(kernels):
    kernels = list(kernels)
    seen.update(map(name_of, kernels))
    return together(kernels)

seen, together, PROGRESS.group = set(), PROGRESS.group, recorded
game, *specs = sys.argv[1:]
own = game_spec(game)
bots = make_bots(specs, 0, game)
warm_up(bots, own)
# Kernels of champions with a policy prior, at other tables.
others = {"vitienv.agents.viticulture.rule_agent.compute_prior_scores", "vitienv.core.networks.network._best"}
assert ready() <= seen <= ready() | others, (sorted(ready() - seen), sorted(seen - ready()))
options = own.options.of(num_players=2, **{own.options.LIMIT: 1})
play(options, range(len(bots)), [[i] * 2 for i in range(len(bots))], bots)
assert ready() <= seen, sorted(ready() - seen)
"""


@pytest.fixture(scope="module")
def forked():
    with Forked(
        ["vitienv.viticulture.game_spec", "vitienv.agents.seeding", "vitienv.training.evaluation.match"]
    ) as process:
        yield process


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
    result = forked.run(BOTS, *arguments)
    assert result.returncode == 0, result.stderr
