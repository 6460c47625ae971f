"""Import rules: layers, games, extras."""

import ast
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import vitienv
from vitienv.core.compiling import jit

ROOT = Path(vitienv.__file__).resolve().parent.parent
FOLDERS = {"vitienv": ROOT / "vitienv", "vitienv.agents": ROOT / "agents", "vitienv.training": ROOT / "training"}
GAMES = sorted(path.parent.name for path in (ROOT / "vitienv").glob("*/game_spec.py") if path.parent.name != "core")
# Base game of each derived game, which imports it.
VARIES = {name: spec.base_game for name in GAMES if (spec := vitienv.game_spec(name)).base_game}
PLUGIN_PACKAGES = ("vitienv.agents", "vitienv.training", "vitienv.commands")


def modules() -> dict[str, Path]:
    """Return all modules by their dotted names."""
    paths = {}
    for package, folder in FOLDERS.items():
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            paths[".".join([package, *(parts[:-1] if parts[-1] == "__init__" else parts)])] = path
    return paths


MODULES = modules()


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


@cache
def parsed(path: Path) -> ast.Module:
    """Return the cached syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(name: str, lazily: bool, types: bool = True) -> set[str]:
    """Return the project's modules that a module imports.

    lazily: include imports in functions. types: include those for type checking.
    """
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    names: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([node.module] if node.module else [])])
            names.update(f"{base}.{alias.name}" for alias in node.names)
        for child in ast.iter_child_nodes(node):
            is_late = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            if lazily or not is_late:
                if (lazily and types) or not is_for_types(child):
                    visit(child)

    visit(parsed(path))
    in_project = set()
    for full in names:
        while full and full not in MODULES:
            full = full.rpartition(".")[0]
        if full and full != name:
            in_project.add(full)
    return in_project


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


def game_of(name: str) -> str | None:
    """Return the game whose directory or plugin contains a module."""
    for game in GAMES:
        if any(within(name, f"{home}.{game}") for home in ("vitienv", *PLUGIN_PACKAGES)):
            return game
    return None


def outside(package: str, allowed: Iterable[str]) -> set[tuple[str, str]]:
    """Return modules of a package with imports from outside the allowed packages."""
    pairs = {(name, other) for name in MODULES if within(name, package) for other in imported(name, lazily=True)}
    assert pairs
    return {(name, other) for name, other in pairs if not any(within(other, home) for home in allowed)}


def test_core_imports_no_other_package():
    assert outside("vitienv.core", ["vitienv.core", "vitienv.version"]) == set()


def may_import(game: str | None) -> set[str | None]:
    """Return the games that a game's modules can import: itself and its base game."""
    return {game, VARIES.get(game or "")}


@pytest.mark.parametrize("game", GAMES)
def test_rules_import_core_and_base_game(game):
    allowed = ["vitienv.core", *(f"vitienv.{other}" for other in may_import(game))]
    pairs = outside(f"vitienv.{game}", allowed)
    assert {pair for pair in pairs if pair not in outside(f"vitienv.{game}.render", allowed)} == set()
    assert outside(f"vitienv.{game}.render", [*allowed, "vitienv.render"]) == set()


def test_games_are_imported_by_their_plugins_only():
    others = {(name, other) for name in MODULES for other in imported(name, lazily=True) if game_of(other)}
    assert {(name, other) for name, other in others if game_of(other) not in may_import(game_of(name))} == set()


def test_imports_have_no_cycles():
    """Including imports in functions, without those for type checking."""
    graph = {name: imported(name, lazily=True, types=False) for name in MODULES}
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_commands_are_imported_by_the_command_line_only():
    allowed = ("vitienv.commands", "vitienv.cli", "vitienv.web")
    for name in MODULES:
        if not any(within(name, home) for home in allowed):
            assert not {other for other in imported(name, lazily=True) if within(other, "vitienv.commands")}, name


BEYOND_CORE = (
    "vitienv.agents", "vitienv.commands", "vitienv.console", "vitienv.core.targets", "vitienv.data",
    "vitienv.envs.openspiel", "vitienv.render", "vitienv.session", "vitienv.training", "vitienv.web",
    *(f"vitienv.{game}.render" for game in GAMES),
)  # fmt: skip
# Late imports: the target, threads of a batch, games on a GPU, the text environment, and bots of an environment.
HOOKS = {
    "vitienv.core.targets": "vitienv.core.batch", "vitienv.core.targets.parallel": "vitienv",
    "vitienv.core.targets.cuda": "vitienv.envs.device", "vitienv.core.targets.device_batch": "vitienv.envs.device",
    "vitienv.session.text_interface": "vitienv", "vitienv.agents.query": "vitienv.envs.one_learner",
    "vitienv.agents.protocol": "vitienv.envs.opponents", "vitienv.agents.seeding": "vitienv.envs",
}  # fmt: skip


def test_rules_and_environments_import_no_dependents():
    """Renderers, reports, training and other targets are referenced by name or hook. Imports in functions count."""
    core = ("vitienv.core", "vitienv.envs", "vitienv.game", "vitienv.registry", *(f"vitienv.{game}" for game in GAMES))
    pairs = {
        (name, other) for name in MODULES for other in imported(name, lazily=True, types=False)
        if any(within(name, home) for home in core) and not any(within(name, home) for home in BEYOND_CORE)
    }  # fmt: skip
    assert len(pairs) > 500
    beyond = {(name, other) for name, other in pairs if any(within(other, home) for home in BEYOND_CORE)}
    assert {(name, other) for name, other in beyond if other not in HOOKS or not within(name, HOOKS[other])} == set()


WITHOUT_EXTRAS = """
import sys
from vitienv.extras import EXTRA_OF

sys.modules |= dict.fromkeys([*EXTRA_OF.keys() - {"llvmlite", "numba"}, "threadpoolctl"])  # simulates missing modules
import vitienv
from vitienv import cli

vitienv.env(num_players=2).reset(seed=1)
vitienv.make_vec(num_envs=2, num_players=2).reset(seed=1)
vitienv.Game.new(game="toscana", seed=1).describe()
cli.threads.limit_threads()
assert cli.run(["evaluate", "heuristic", "--opponents", "random", "--games", "2", "--processes", "1"]) == 0
for command, module, extra in (
    (["tournament", "random", "heuristic"], "pandas", "analysis"), (["play", "--web"], "starlette", "play"),
    (["data", "generate", "set"], "pyarrow", "analysis"), (["train", "--steps", "512"], "torch", "train"),
    (["evaluate", "llm:model=m,url=http://x", "--opponents", "random"], "httpx2", "llm"),
):
    assert cli.run(command) == 2, command
    print(command[0], module, extra)
"""


def test_commands_name_missing_extras(tmp_path):
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines()[-5:]:
        _, module, extra = line.split()
        assert f'needs {module}: pip install -e ".[{extra}]" in vitienv\'s source directory' in done.stderr
    assert not list(tmp_path.iterdir())


REQUIRE_NUMBA = ("vitienv.core.compiling", "vitienv.core.targets", "vitienv.envs.device")


def test_only_compilation_requires_numba():
    """Prebuilt kernels run, and networks are trained, without Numba."""
    importers = {name for name, path in MODULES.items() for node in parsed(path).body
                 if re.match(r"(import|from) (numba|llvmlite)", ast.unparse(node))}  # fmt: skip
    assert {"vitienv.core.targets.cuda", "vitienv.core.compiling.link"} <= importers
    dependents = {name for name in MODULES if not all_imports([name]).isdisjoint(importers)}
    assert {name for name in dependents if not any(within(name, home) for home in REQUIRE_NUMBA)} == set()


def test_installed_modules_import_no_study():
    """Studies are not installed."""
    studies = re.compile(r"^\s*(import|from) studies\b", re.MULTILINE)
    assert studies.search("def play():\n    from studies.learned import page")
    assert [name for name, path in MODULES.items() if studies.search(path.read_text(encoding="utf-8"))] == []


def all_imports(names: Iterable[str]) -> set[str]:
    """Return modules with all direct and indirect imports; not through `jit`, which registers and loads kernels."""
    dependencies, pending = set(names), list(names)
    while pending:
        new = imported(pending.pop(), lazily=False) - dependencies - {JIT}
        dependencies |= new
        pending += new
    return dependencies


JIT, NETWORKS = "vitienv.core.compiling.jit", "vitienv.core.networks"


def test_core_cache_hash_covers_all_imports():
    """Changes of other files cannot affect compiled code of the core."""
    left_out = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in jit.UNCOMPILED}
    rules = {name for name in MODULES if any(within(name, f"vitienv.{home}") for home in ("core", *GAMES))}
    compiled = {name for name in rules - left_out if JIT in imported(name, lazily=False)}
    assert len(compiled) > 50 and left_out < rules
    of_game = compiled - {name for name in compiled if within(name, NETWORKS) or within(name, "vitienv.core.search")}
    assert not any(within(name, NETWORKS) for name in all_imports(of_game))  # covered by the hash of the search only
    assert not all_imports(compiled) & left_out
    assert not any(
        re.search(r"@jit|\bcache_on_disk\(", MODULES[name].read_text(encoding="utf-8")) for name in left_out - {JIT}
    )


KERNELS = [name for name in MODULES if name.endswith(".kernel") and game_of(name) is not None]


@pytest.mark.parametrize("name", KERNELS)
def test_game_cache_hash_covers_all_imports(name):
    kernel = importlib.import_module(name)
    of_game = {
        other: path.resolve() for other, path in MODULES.items() if path.resolve().is_relative_to(kernel.SOURCE_DIR)
    }
    read = set(jit.sources(kernel.SOURCE_DIR, kernel.UNCOMPILED))
    left_out = {other for other, path in of_game.items() if path not in read}
    compiled = {other for other in set(of_game) - left_out if JIT in imported(other, lazily=False)}
    assert len(compiled) > 10 and left_out
    assert not all_imports(compiled) & left_out


def test_cache_hash_covers_game_data():
    kernel = importlib.import_module("vitienv.toscana.kernel")
    assert {path.name for path in jit.sources(kernel.SOURCE_DIR, kernel.UNCOMPILED)} >= {"components.py", "map.toml"}


@pytest.mark.parametrize("game", sorted(VARIES))
def test_cache_hash_covers_the_base_game(game):
    kernel, varied = (importlib.import_module(f"vitienv.{name}.kernel") for name in (game, VARIES[game]))
    homes = kernel.SOURCE_DIR, kernel.UNCOMPILED, *kernel.BASE_SOURCES
    assert {*jit.sources(varied.SOURCE_DIR, varied.UNCOMPILED)} < {*jit.sources(*homes)}
    assert kernel.default().kernels.folder.name.startswith(jit.cache_folder(*homes).name)


def test_bots_are_seeded_in_one_place():
    """Only `agents.seeding` passes seeds to `make_agent`, and the subprocess agent, which recreates a seeded bot."""
    modules = {name for name, path in MODULES.items() if seeds_a_bot(parsed(path))}
    assert modules == {"vitienv.agents.seeding", "vitienv.agents.subprocess_agent"}


def seeds_a_bot(tree: ast.AST) -> bool:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "make_agent" in ast.unparse(node.func)]
    return any(len(call.args) > 1 or "seed" in {word.arg for word in call.keywords} for call in calls)


def late_imports() -> set[str]:
    """Return the imports in functions, as statements."""
    folders = ("vitienv", "agents", "training", "tests", "studies", "benchmarks", "tools")
    return {
        ast.unparse(node)
        for folder in folders for path in (ROOT / folder).rglob("*.py") for function in ast.walk(parsed(path))
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function) if isinstance(node, ast.Import | ast.ImportFrom)
    }  # fmt: skip


# Packages that `make test` does not install
OPTIONAL = ("catanatron", "cupy", "jax", "pgx", "pyspiel", "ray")
IMPORT = """
import sys
for statement in sys.stdin.read().splitlines():
    try:
        exec(statement, {})
    except BaseException as error:
        if not (isinstance(error, ModuleNotFoundError) and error.name in sys.argv):
            print(f"{statement}: {type(error).__name__}: {error}")
"""


def test_imports_in_functions_succeed():
    """Otherwise only a call would fail."""
    statements = late_imports()
    assert len(statements) > 100
    # pytest adds directories of test files to the path
    environment = os.environ | {"PYTHONPATH": str(ROOT / "tests" / "agents")}
    command = [sys.executable, "-c", IMPORT, *OPTIONAL]
    text = "\n".join(sorted(statements))
    program = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT, env=environment, check=True)
    assert program.stdout == ""
