"""docs/rulings.md: ids are unique and named tests exist."""

import ast
import re
from pathlib import Path

from vitienv.viticulture.cards import SUMMER_VISITORS, WINTER_VISITORS

TESTS = Path(__file__).parent
PAGE = TESTS.parent / "docs" / "rulings.md"
COLUMNS = ["id", "question", "decision", "reason", "source", "test"]
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
# Number of rulings by section.
POINTS = {1: 15, 2: 12, 3: 17, 5: 11, 7: 19, 8: 15, 9: 16}


def rulings():
    """Return the rows of all tables of the page, as dictionaries by column."""
    rows = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("|") or line.startswith("| ---"):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if cells != COLUMNS:
            assert len(cells) == len(COLUMNS), line
            rows.append(dict(zip(COLUMNS, cells, strict=True)))
    return rows


def known_tests(path):
    """Return the names of the tests and lists of cases at the top level of a file."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            names.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.ListComp | ast.BinOp | ast.Call):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name) and target.id.isupper()}
    return names


def test_rulings_are_unique_and_complete():
    """Every ruling has a question, a decision, a reason, a source and a test."""
    rows = rulings()
    ids = [row["id"] for row in rows]
    assert len(ids) > 100 and sorted(name for name in set(ids) if ids.count(name) > 1) == []
    assert [row["id"] for row in rows if not all(row[column] for column in COLUMNS)] == []
    points = {f"R{section}.{number}" for section, last in POINTS.items() for number in range(1, last + 1)}
    assert sorted(points - set(ids)) == []


def test_named_tests_exist():
    """A ruling names tests as file and function, or file and list of cases."""
    tests = {}
    missing = []
    for row in rulings():
        references = TEST.findall(row["test"])
        assert len(references) == row["test"].count("::") > 0, row["id"]
        for file, name in references:
            path = TESTS / file
            if file not in tests:
                tests[file] = known_tests(path) if path.is_file() else set()
            if name not in tests[file]:
                missing.append((row["id"], f"{file}::{name}"))
    assert missing == []


def test_visitors_have_lists_of_cases():
    tested = set().union(*(known_tests(path) for path in (TESTS / "cards").glob("*.py")))
    names = {row.id.upper() for row in (*SUMMER_VISITORS, *WINTER_VISITORS)}
    assert len(names) == 76 and names - tested == set()
