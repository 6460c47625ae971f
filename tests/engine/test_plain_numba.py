"""Numba's own pipeline, in place of that of `core/compiling/link.py`, makes the same games; rules without it too."""

import functools
import os
import subprocess
import sys

import pytest

TOY = "tests.toy.game_spec"  # compiled within seconds
SIGN = "from vitienv.commands.bench.signature import signature; print(signature({game!r}).total)"
FILES = f"""
from pathlib import Path
{SIGN.format(game=TOY)}
from vitienv.registry import game_spec
print(*sorted(path.name for path in game_spec({TOY!r}).kernels.folder.glob("run-*")))
"""
# What link.py needs of Numba and Numba's own pipeline does without: gone as a name, and as a method.
MISSING = {
    "AnnotateTypes": "import numba; del numba.core.typed_passes.AnnotateTypes",
    "add_pass_after": "import numba; del numba.core.compiler_machinery.PassManager.add_pass_after",
}
# What core/compiling/dispatchers.py needs of Numba itself, and Numba too: gone for the one who asks from there.
HIDDEN = """
import sys
from numba.core.dispatcher import _FunctionCompiler as Compiler

class Hidden:
    def __init__(self, method):
        self.method = method

    def __get__(self, owner, kind):
        if sys._getframe(1).f_globals["__name__"] == "vitienv.core.compiling.dispatchers":
            raise AttributeError("fold_argument_types")
        return self.method.__get__(owner, kind)

Compiler.fold_argument_types = Hidden(Compiler.fold_argument_types)
"""

# Importing Numba fails, as where it is not installed.
WITHOUT = """
import os, sys
sys.modules["numba"] = None
os.environ["NUMBA_DISABLE_JIT"] = "1"
"""
WITHOUT_KERNELS = """
import sys
sys.modules["numba"] = None
from pathlib import Path
from vitienv.core.compiling import prebuilt
prebuilt.FOLDER = Path("missing")
"""
GAME_OF_TOY = f"'bench', '--signature', '--game', {TOY!r}"
PLAYED = """
from vitienv import Game
game = Game.new(seed=7, game="toscana", num_players=2)
for number in range(12):
    legal = game.legal_actions()
    game.step(legal[number % len(legal)])
print(game.log["state"], len(game.svg(0)))
"""


@functools.cache
def run(script: str, plain: bool = False, interpreted: bool = False) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own that shows every warning."""
    chosen = {"VITIENV_PLAIN_NUMBA": str(int(plain)), "NUMBA_DISABLE_JIT": str(int(interpreted))}
    command = [sys.executable, "-W", "always::RuntimeWarning", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | chosen, check=True)


def warnings_in(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if "Warning" in line]


def test_linked_plain_and_interpreted_play_the_same_without_a_warning():
    script = SIGN.format(game=TOY)
    linked, plain, interpreted = run(script), run(script, plain=True), run(script, interpreted=True)
    assert linked.stdout == plain.stdout == interpreted.stdout != ""
    assert warnings_in(linked) == warnings_in(plain) == []


@pytest.mark.parametrize("point", MISSING)
def test_a_missing_inner_point_is_warned_of_once_and_plays_the_same(point):
    done = run(f"{MISSING[point]}; {SIGN.format(game=TOY)}")
    [warning] = warnings_in(done)
    assert point in warning and "first compilation takes longer" in warning
    assert done.stdout == run(SIGN.format(game=TOY)).stdout


def test_arguments_that_cannot_be_widened_are_warned_of_once_and_play_the_same(tmp_path):
    anew = f"import os; os.environ['VITIENV_CACHE'] = {str(tmp_path)!r}"
    done = run(f"{anew}\n{HIDDEN}\n{SIGN.format(game=TOY)}")
    [warning] = warnings_in(done)
    assert "fold_argument_types" in warning and "first compilation takes longer" in warning
    assert done.stdout == run(SIGN.format(game=TOY)).stdout


def test_code_of_both_pipelines_is_never_mixed(tmp_path, monkeypatch):
    """Each has files of its own; what a missing point leads to has those of Numba's own pipeline."""
    monkeypatch.setenv("VITIENV_CACHE", str(tmp_path))
    sign, files = run(FILES, plain=True).stdout.splitlines()
    assert run(f"{MISSING['add_pass_after']}\n{FILES}").stdout.splitlines() == [sign, files]
    linked = run(FILES).stdout.splitlines()
    assert linked[0] == sign and len(linked[1].split()) == 2 and files in linked[1].split()


@pytest.mark.slow
def test_the_bench_signature_of_the_plain_pipeline_equals_the_interpreted_one():
    """Slow: the whole engine is compiled function by function, for several minutes."""
    script = SIGN.format(game="viticulture")
    assert run(script, plain=True).stdout == run(script, interpreted=True).stdout != ""


def test_rules_are_not_read_where_nothing_is_compiled():
    read = "import vitienv.core.compiling.static_checks as own\nown.members_of = None\n"
    read += "import vitienv\nvitienv.game_spec('world')\n"
    assert run(WITHOUT + read + "print('imported')").stdout == "imported\n"
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(read)
    assert "'NoneType' object is not callable" in failed.value.stderr


def test_searches_are_imported_by_numpy_alone():
    alone = "sys.modules |= dict.fromkeys(('safetensors', 'threadpoolctl'))\n"
    search = "import vitienv.agents.search.agent, vitienv.agents.search.networks\nprint(1)"
    assert run(WITHOUT + alone + search).stdout == "1\n"


def test_without_numba_a_line_names_the_extra():
    """A game without prebuilt kernels is never interpreted silently."""
    script = f"{WITHOUT_KERNELS}from vitienv import cli; sys.exit(cli.run([{GAME_OF_TOY}]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("vitienv: ") and "numba" in done.stderr and "[rules]" in done.stderr


def test_a_game_is_played_and_drawn_without_numba():
    assert run(WITHOUT + PLAYED).stdout == run(PLAYED).stdout != ""
