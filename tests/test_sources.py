"""Conventions of the sources: module names, and the documented path of an action."""

import ast
import sys
from collections import Counter

from tests.test_imports import MODULES, ROOT, parsed


def test_module_names_differ_from_the_standard_library():
    stems = {name.rpartition(".")[2] for name in MODULES}
    assert not stems & sys.stdlib_module_names


def test_directories_have_at_most_20_modules():
    tops = ("vitienv", "agents", "training", "studies", "benchmarks", "tools", "tests")
    paths = [path for top in tops for path in (ROOT / top).rglob("*.py") if path.name != "__init__.py"]
    counts = Counter(path.parent.relative_to(ROOT).as_posix() for path in paths)
    assert {folder: n for folder, n in counts.items() if n > 20} == {}


def test_commands_print_through_screen():
    """`screen.echo` and `screen.console` replace control characters, as names are untrusted."""
    raw = {"print", "typer.echo", "Console", "rich.print", "sys.stdout.write", "sys.stderr.write"}
    assert raw_prints("vitienv.console", raw)
    inside = [name for name in MODULES if name.startswith("vitienv.commands.") and ".make." not in name]
    assert [name for name in inside if name != "vitienv.console" and raw_prints(name, raw)] == []


def raw_prints(name: str, raw: set[str]) -> list[int]:
    calls = [node for node in ast.walk(parsed(MODULES[name])) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if ast.unparse(call.func) in raw]
