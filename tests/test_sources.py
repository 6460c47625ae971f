"""Conventions of the sources: enums, module names, and the documented path of an action."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.test_imports import MODULES, ROOT, parsed

# Traces the files that are entered between the placement of a worker and the choice of a structure.
FOLLOWED = """
import sys
import vitienv

game = vitienv.Game.new(seed=5)
place = "place:build_structure:plain:regular"
while place not in game.legal_actions():
    game.step(next(name for name in game.legal_actions() if name != "pass"))
entered = []
sys.setprofile(lambda frame, event, _: entered.append(frame.f_code.co_filename) if event == "call" else None)
game.step(place)
sys.setprofile(None)
assert game.decision == "build_structure", game.decision
print("\\n".join(entered))
"""


def test_documented_path_of_an_action():
    """A step enters the files of the page in order."""
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    section = page.partition("## From a step to the mask")[2].partition("\n## ")[0]
    files = re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)
    result = subprocess.run([sys.executable, "-c", FOLLOWED], capture_output=True, text=True, check=False,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "1"})  # fmt: skip
    assert result.returncode == 0, result.stderr
    paths = [Path(line) for line in result.stdout.splitlines() if line.startswith(str(ROOT))]
    entered = [path.relative_to(ROOT).as_posix() for path in paths]
    route = [file for file in entered if file in files]
    remaining = [file for file, before in zip(route, [None, *route]) if file != before]
    assert len(files) > 5 and list(dict.fromkeys(remaining)) == files


def test_module_names_differ_from_the_standard_library():
    stems = {name.rpartition(".")[2] for name in MODULES}
    assert not stems & sys.stdlib_module_names


def ordered_decisions(tree: ast.AST) -> list[str]:
    """Return order comparisons of decision indices, which can change."""
    comparisons = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        is_by_order = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
        sides = (ast.unparse(side) for side in (node.left, *node.comparators))
        if is_by_order and any(re.search(r"\bdecision\b|\b(Decision|Own)\.", side) for side in sides):
            comparisons.append(ast.unparse(node))
    return comparisons


# Iterates over decisions by index.
COUNTED = {"decision < N_DECISIONS"}


def test_decisions_are_not_compared_by_order():
    comparisons = {name: ordered_decisions(parsed(path)) for name, path in MODULES.items()}
    assert {name: set(ordered) - COUNTED for name, ordered in comparisons.items() if set(ordered) - COUNTED} == {}


MOST_MODULES = 20


def modules_by_folder() -> dict[str, int]:
    """Return the number of modules in each directory of the sources and tests."""
    counts: dict[str, int] = {}
    for top in ("vitienv", "agents", "training", "studies", "benchmarks", "tools", "tests"):
        for path in (ROOT / top).rglob("*.py"):
            if path.name != "__init__.py":
                folder = path.parent.relative_to(ROOT).as_posix()
                counts[folder] = counts.get(folder, 0) + 1
    return counts


def test_directories_are_small():
    large = {folder for folder, n in modules_by_folder().items() if n > MOST_MODULES}
    assert sorted(large) == [], f"more than {MOST_MODULES} modules: make folders"


def test_commands_print_through_screen():
    """`screen.echo` and `screen.console` replace control characters, as names are untrusted."""
    raw = {"print", "typer.echo", "Console", "rich.print", "sys.stdout.write", "sys.stderr.write"}
    assert raw_prints("vitienv.console", raw)
    inside = [name for name in MODULES if name.startswith("vitienv.commands.") and ".make." not in name]
    assert [name for name in inside if name != "vitienv.console" and raw_prints(name, raw)] == []


def raw_prints(name: str, raw: set[str]) -> list[int]:
    calls = [node for node in ast.walk(parsed(MODULES[name])) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if ast.unparse(call.func) in raw]
