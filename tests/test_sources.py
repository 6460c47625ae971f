"""How the sources are written: names of numbers and of modules, and the way of an action through them."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.test_imports import MODULES, ROOT, parsed

# Follows a worker that is placed to build, up to the choice of the structure: each file as it is entered.
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


def test_the_way_of_an_action_is_as_the_page_tells():
    """A step enters the files of the page in its order."""
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    section = page.partition("## From a step to the mask")[2].partition("\n## ")[0]
    files = re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", FOLLOWED], capture_output=True, text=True, check=False,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "1"})  # fmt: skip
    assert done.returncode == 0, done.stderr
    paths = [Path(line) for line in done.stdout.splitlines() if line.startswith(str(ROOT))]
    entered = [path.relative_to(ROOT).as_posix() for path in paths]
    way = [file for file in entered if file in files]
    stays = [file for file, before in zip(way, [None, *way]) if file != before]
    assert len(files) > 5 and list(dict.fromkeys(stays)) == files


def test_no_module_is_named_like_one_of_the_standard_library():
    own = {name.rpartition(".")[2] for name in MODULES}
    assert not own & sys.stdlib_module_names


def numbered_by_position(tree: ast.Module) -> list[str]:
    """Names of a module that get the numbers 0, 1, 2 ... by the place at which they stand in one assignment."""
    found = []
    for node in tree.body:
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Tuple):
            continue
        value = node.value
        if isinstance(value, ast.Tuple):
            counted = [getattr(item, "value", None) for item in value.elts] == list(range(len(value.elts)))
        else:
            counted = isinstance(value, ast.Name) or ast.unparse(value).startswith(("range(", "map(", "enumerate("))
        found += [ast.unparse(node.targets[0])] if counted else []
    return found


def test_no_number_has_its_name_by_position():
    named = {name: numbered_by_position(parsed(path)) for name, path in MODULES.items()}
    assert {name: names for name, names in named.items() if names} == {}


def ordered_decisions(tree: ast.AST) -> list[str]:
    """Comparisons of the number of a decision by order: numbers may move, so a range of them means nothing."""
    comparisons = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare):
            continue
        is_by_order = any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
        sides = (ast.unparse(side) for side in (node.left, *node.comparators))
        if is_by_order and any(re.search(r"\bdecision\b|\b(Decision|Own)\.", side) for side in sides):
            comparisons.append(ast.unparse(node))
    return comparisons


# Counts through the decisions until the pending one is found.
COUNTED = {"decision < N_DECISIONS"}


def test_no_decision_is_told_by_a_range_of_numbers():
    told = {name: ordered_decisions(parsed(path)) for name, path in MODULES.items()}
    assert {name: set(found) - COUNTED for name, found in told.items() if set(found) - COUNTED} == {}


MOST_MODULES = 20


def modules_by_folder() -> dict[str, int]:
    """How many modules lie directly in each folder of the sources and the tests."""
    counts: dict[str, int] = {}
    for top in ("vitienv", "agents", "training", "studies", "benchmarks", "tools", "tests"):
        for path in (ROOT / top).rglob("*.py"):
            if path.name != "__init__.py":
                folder = path.parent.relative_to(ROOT).as_posix()
                counts[folder] = counts.get(folder, 0) + 1
    return counts


def test_no_folder_is_large():
    large = {folder for folder, n in modules_by_folder().items() if n > MOST_MODULES}
    assert sorted(large) == [], f"more than {MOST_MODULES} modules: make folders"


def test_commands_print_by_what_replaces_control_characters():
    """`screen.echo` and `screen.console` alone: names in what is printed may come from anybody."""
    raw = {"print", "typer.echo", "Console", "rich.print", "sys.stdout.write", "sys.stderr.write"}
    assert raw_prints("vitienv.console", raw)
    inside = [name for name in MODULES if name.startswith("vitienv.commands.") and ".make." not in name]
    assert [name for name in inside if name != "vitienv.console" and raw_prints(name, raw)] == []


def raw_prints(name: str, raw: set[str]) -> list[int]:
    calls = [node for node in ast.walk(parsed(MODULES[name])) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if ast.unparse(call.func) in raw]
