"""Commands announce their compilation once: engine, bots, search and learner together.

Nothing is compiled for it: a kernel that is read from the cache stands for one that would be compiled.
"""

import json

import pytest

import vitienv
from tests.command import Forked
from vitienv.core.compiling.jit import can_compile

pytestmark = pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
BEGIN = """
import json, sys
from contextlib import contextmanager
from pathlib import Path
from vitienv import cli
from vitienv.core.compiling.code_cache import CodeCache
from vitienv.core.compiling.progress import PROGRESS

announced, depth, expected = [], 0, []  # of each announcement, the kernels
together, load = PROGRESS.group, CodeCache.load_overload

@contextmanager
def noted(kernels):
    global depth
    kernels, depth = list(kernels), depth + 1
    if depth == 1:
        announced.append([])
    expected.extend(kernel.__name__ for kernel in kernels)
    try:
        with together(kernels):
            yield
    finally:
        depth -= 1

def loaded(own, *given):
    if not depth:
        announced.append([])
    announced[-1].append(own._function.__name__)
    return load(own, *given)

PROGRESS.group, CodeCache.load_overload = noted, loaded
folder = Path(sys.argv[1])
"""
END = """
few = {"answer"}  # functions that read a position: they take no time that is announced
print(json.dumps([[kernels for kernels in announced if set(kernels) - few], sorted(few | set(expected))]))
"""
LITTLE = "updates=1, evaluation_games=2, progress=False"
POSITION = "assert not cli.run(['analyse', str(folder / 'position.json'), '--simulations', '8'])"
COMMANDS = {
    "a position": POSITION,
    "a game": POSITION.replace("position.json", "log.json"),
    "a terminal game": "import io\nsys.stdin = io.StringIO('1\\n1\\nboard\\nundo\\nquit\\n')\n"
    "assert not cli.run(['play', '--seed', '1'])",
    "bot check": "assert not cli.run(['bot', 'check', 'heuristic', '--games', '2'])",
    "candidates": "assert not cli.run(['tournament', 'heuristic', 'policy:champion', 'ismcts:simulations=8', '--games',"
    " '3', '--multipv', '2', '--option', 'max_years=1', '--processes', '1', '--run', str(folder / 'run')])",
    "selfplay": "from vitienv.training.selfplay.train import train_selfplay\n"
    f"train_selfplay(folder / 'run', num_envs=8, num_steps=8, {LITTLE})",
    "search": "from vitienv.training.search.train import train_search\n"
    "train_search(folder / 'run', processes=1, games=1, max_years=1, full_simulations=2, "
    f"fast_simulations=1, {LITTLE})",
    "ppo": "from vitienv.training.ppo.train import train\n"
    "train(run=folder / 'run', steps=256, num_envs=2, evaluation_games=2, progress=False)",
    "demo": "from tools.demo import show\nshow(folder, 8, 1, 16384, 2, 2)",
}
# Modules of the commands; each command reads its kernels from the cache.
IMPORTED = "torch._dynamo torch.utils.tensorboard sb3_contrib pandas pyarrow vitienv.viticulture.game_spec".split()


@pytest.fixture(scope="module")
def forked():
    with Forked(IMPORTED) as process:
        yield process


@pytest.mark.parametrize("command", COMMANDS)
def test_compilation_is_announced_once(command, forked, tmp_path):
    """And from the beginning of all of it, so that the time that is announced is the time that it takes."""
    game = vitienv.Game.new(seed=1, max_years=1)
    (tmp_path / "position.json").write_text(json.dumps(game.to_dict()))
    while not game.is_over:
        game.step(game.legal_actions()[0])
    (tmp_path / "log.json").write_text(json.dumps(game.log))
    done = forked.run(BEGIN + COMMANDS[command] + END, str(tmp_path))
    assert done.returncode == 0, done.stderr
    announced, expected = json.loads(done.stdout.splitlines()[-1])
    assert len(announced) == 1, announced
    assert set(announced[0]) <= set(expected)
