"""Where each rule of Toscana is carried out and tested, read from the sources so that it is never out of date."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import vitienv
from vitienv.toscana.components import COMPONENTS

PACKAGE = Path(vitienv.__file__).parent
GAME, TESTS = PACKAGE / "toscana", PACKAGE.parent / "tests" / "toscana"
CITED = re.compile(r"\bT(\d+)(?: to T(\d+))?")
N_RULES = 80


def cited(text: str) -> list[int]:
    """The rules that a text cites, those between two as well: "T5, T7 to T9"."""
    found = [range(int(first), int(last or first) + 1) for first, last in CITED.findall(text)]
    return [number for numbers in found for number in numbers]


def places(folder: Path) -> dict[int, list[str]]:
    """By rule, the functions whose docstrings cite it, and the files that cite it beside a number."""
    found: dict[int, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                said, place = ast.get_docstring(node) or "", f"`{name}::{node.name}`"
            elif isinstance(node, ast.Expr):  # what the file says of itself
                continue
            else:
                said, place = "\n".join(lines[node.lineno - 1 : node.end_lineno]), f"`{name}`"
            for number in cited(said):
                if place not in found.setdefault(number, []):
                    found[number].append(place)
    return found


def rules_table() -> str:
    """A row for each rule: where it is carried out and its tests. ValueError for one that has neither."""
    code, tests = places(GAME), places(TESTS)
    rows = ["| rule | in `vitienv/toscana/` | in `tests/toscana/` |", "| --- | --- | --- |"]
    for number in range(1, N_RULES + 1):
        checked = [place for place in tests.get(number, []) if "::test_" in place]
        if not code.get(number) or not checked:
            raise ValueError(f"T{number} is cited by no {'test' if code.get(number) else 'rule'} of Toscana")
        rows.append(f"| T{number} | {', '.join(code[number])} | {', '.join(checked)} |")
    return "\n".join(rows)


def components_table() -> str:
    """What of the game is reconstructed or inferred, and why."""
    rows = ["| `components` | source | why |", "| --- | --- | --- |"]
    rows += [f"| `{found.path}` | {found.source} | {found.why} |" for found in COMPONENTS.values()]
    return "\n".join(rows)


def options_table() -> str:
    """The options of the game."""
    return vitienv.definition("toscana").options.table()


def actions_table() -> str:
    """The blocks of actions."""
    return vitienv.definition("toscana").actions.table()


def observation_table() -> str:
    """The entries of the observation."""
    return vitienv.definition("toscana").observation.table()
