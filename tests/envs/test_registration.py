"""Ids of the games in the registries of Gymnasium and PettingZoo."""

import subprocess
import sys

import pytest

pettingzoo = pytest.importorskip("pettingzoo", "1.27")

CHECK = """
import pettingzoo, gymnasium
assert pettingzoo.make("aec", "vitienv/{name}-v0", num_players=2).unwrapped.options.num_players == 2
assert gymnasium.spec("vitienv/{name}-v0")
"""


@pytest.mark.parametrize("lines", [
    "import vitienv\nimport gymnasium, pettingzoo", "import gymnasium, pettingzoo\nimport vitienv",
    "import pettingzoo\nimport vitienv\nimport gymnasium",
])  # fmt: skip
def test_ids_are_registered_in_any_order_of_imports(lines):
    program = f"{lines}\n{CHECK.format(name='Viticulture')}"
    subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", program], check=True)


@pytest.mark.parametrize("name", ["Viticulture", "Toscana", "ViticultureWorld"])
def test_an_id_makes_the_aec_environment(name):
    env = pettingzoo.make("aec", f"vitienv/{name}-v0", num_players=3)
    env.reset(seed=1)
    assert len(env.agents) == 3 and env.unwrapped.metadata["name"]


def test_importing_vitienv_imports_neither_library():
    program = "import sys, vitienv; assert not {'gymnasium', 'pettingzoo'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
