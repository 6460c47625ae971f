"""Numba's own pipeline, in place of `core/compiling/link.py`, and interpreted rules play the same games."""

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
# An internal that both core/compiling/dispatchers.py and Numba need: missing for the former only.
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
# Internals of Numba that link.py needs, but not Numba's own pipeline: a missing name, and two missing methods.
MISSING = {
    "AnnotateTypes": "import numba; del numba.core.typed_passes.AnnotateTypes",
    "add_pass_after": "import numba; del numba.core.compiler_machinery.PassManager.add_pass_after",
    "fold_argument_types": HIDDEN,
}

# Simulates a missing Numba.
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
    """Run a script in a new process that prints every warning."""
    environment = {"VITIENV_PLAIN_NUMBA": str(int(plain)), "NUMBA_DISABLE_JIT": str(int(interpreted))}
    command = [sys.executable, "-W", "always::RuntimeWarning", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, check=True)


def warnings_in(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in done.stderr.splitlines() if "Warning" in line]


def test_pipelines_play_the_same_without_warnings():
    script = SIGN.format(game=TOY)
    linked, plain, interpreted = run(script), run(script, plain=True), run(script, interpreted=True)
    assert linked.stdout == plain.stdout == interpreted.stdout != ""
    assert warnings_in(linked) == warnings_in(plain) == []


@pytest.mark.parametrize("point", MISSING)
def test_missing_internals_of_numba_warn_once(point, tmp_path):
    empty_cache = f"import os; os.environ['VITIENV_CACHE'] = {str(tmp_path)!r}" if MISSING[point] is HIDDEN else ""
    done = run("\n".join([empty_cache, MISSING[point], SIGN.format(game=TOY)]))
    [warning] = warnings_in(done)
    assert point in warning and "first compilation takes longer" in warning
    assert done.stdout == run(SIGN.format(game=TOY)).stdout


def test_pipelines_have_separate_cache_files(tmp_path, monkeypatch):
    """Fallback code has the files of Numba's own pipeline."""
    monkeypatch.setenv("VITIENV_CACHE", str(tmp_path))
    sign, files = run(FILES, plain=True).stdout.splitlines()
    assert run(f"{MISSING['add_pass_after']}\n{FILES}").stdout.splitlines() == [sign, files]
    linked = run(FILES).stdout.splitlines()
    assert linked[0] == sign and len(linked[1].split()) == 2 and files in linked[1].split()


@pytest.mark.slow
def test_signature_of_the_plain_pipeline():
    """Slow: compiles the whole engine function by function, for several minutes."""
    script = SIGN.format(game="viticulture")
    assert run(script, plain=True).stdout == run(script, interpreted=True).stdout != ""


def test_rules_are_not_parsed_without_compilation():
    read = "import vitienv.core.compiling.static_checks as own\nown.members_of = None\n"
    read += "import vitienv\nvitienv.game_spec('world')\n"
    assert run(WITHOUT + read + "print('imported')").stdout == "imported\n"
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(read)
    assert "'NoneType' object is not callable" in failed.value.stderr


def test_searches_are_imported_without_numba():
    alone = "sys.modules |= dict.fromkeys(('safetensors', 'threadpoolctl'))\n"
    search = "import vitienv.agents.search.agent, vitienv.agents.search.networks\nprint(1)"
    assert run(WITHOUT + alone + search).stdout == "1\n"


def test_missing_numba_names_the_extra():
    """A game without prebuilt kernels is never interpreted silently."""
    script = f"{WITHOUT_KERNELS}from vitienv import cli; sys.exit(cli.run([{GAME_OF_TOY}]))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("vitienv: ") and "numba" in done.stderr and "[rules]" in done.stderr


def test_game_and_rendering_without_numba():
    assert run(WITHOUT + PLAYED).stdout == run(PLAYED).stdout != ""
