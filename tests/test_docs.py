"""Generated tables of the documentation are up to date, and named files and tests exist."""

import ast
import re
from pathlib import Path

import pytest

import vitienv
from tools import docs
from tools.markdown_tables import END, start_mark
from vitienv.registry import game_names, game_spec
from vitienv.training.evaluation import published
from vitienv.viticulture.cards import SUMMER_VISITORS, WINTER_VISITORS

from .test_examples import blocks


def test_documentation_is_up_to_date():
    """Generated tables, named files and tests, and the sections of the rulebook."""
    assert docs.outdated() == []


ROOT = Path(vitienv.__file__).resolve().parent.parent
MEASURED = re.compile(r"\d\.\d|\d ?%|\d,\d{3}|± ?\d|\d ?(ms|µs|ns|s)\b")


def tables_of_results(text):
    """Return the header lines of tables in which more than 30 % of the cells contain a measured value.

    Generated tables are excluded: they contain rules and sizes.
    """
    for name in docs.TABLES:
        before, mark, after = text.partition(start_mark(name))
        text = before + after.partition(END)[2] if mark else text
    heads = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = table.splitlines()
        cells = [cell for row in rows for cell in row.strip("|").split("|")[1:]]
        if sum(bool(MEASURED.search(cell)) for cell in cells) > 0.3 * len(cells):
            heads.append(head)
    return heads


PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def broken_imports(block):
    """Return the imports of vitienv's modules and names that fail, none if a library is not installed."""
    nodes = (node for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Import | ast.ImportFrom))
    broken = []
    for line in filter(re.compile(r"(from|import) vitienv\b").match, map(ast.unparse, nodes)):
        try:
            exec(line, {})
        except ImportError as error:
            broken += [line] if (error.name or "").startswith("vitienv") else []
    return broken


def test_readme_has_the_sizes_of_the_spaces():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sizes = {game: (f"{spec.observation.n:,}", spec.actions.n) for game in game_names() if (spec := game_spec(game))}
    assert "An observation has {} features, the action mask {} actions".format(*sizes["viticulture"]) in readme
    assert "World: {} and {}; Toscana: {} and {}".format(*sizes["world"], *sizes["toscana"]) in readme


def unpublished_shares(text):
    """Return shares with intervals in a text that are not published results, except in code and generated tables."""
    text = re.sub(r"^```.*?^```|<!-- table: .*?<!-- end -->", "", text, flags=re.MULTILINE | re.DOTALL)
    texts = [figure.text for figure in published.read()]
    published_shares = {*texts, *(figure.replace(" %", "") for figure in texts)}
    shares = re.findall(r"\d+(?:\.\d+)?(?: %)? \(\d+(?:\.\d+)? to \d+(?:\.\d+)?\)", " ".join(text.split()))
    return [share for share in shares if share not in published_shares]


@pytest.mark.parametrize("page", PAGES)
def test_measured_numbers_are_published_and_examples_import(page):
    """Tables of results are generated; shares in sentences are published results; all other results are in results/."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert tables_of_results(text) == [] and unpublished_shares(text) == []
    assert [line for block in blocks(r"python[^\n]*", text) for line in broken_imports(block)] == []


def test_checks_of_pages_report_violations():
    names = "tests/test_docs.py::test_documentation_is_up_to_date", "tests/test_docs.py::test_gone", "vitienv/gone.py"
    assert docs.broken_names(" and ".join(f"`{name}`" for name in names)) == [*names[1:]]
    missing = ["from vitienv.gone import env", "from vitienv.envs import gone"]
    assert broken_imports("\n".join(["import gone", "from vitienv.envs import env", *missing])) == missing
    share = next(figure.text for figure in published.read() if figure.unit == "%")
    assert unpublished_shares(f"it wins {share}, or 12.3 % (4.5\nto 67.8)") == ["12.3 % (4.5 to 67.8)"]
    assert tables_of_results("| bot | won |\n| --- | --- |\n| a | 51.2 % (48 to 54) |\n") == ["| bot | won |"]
    assert tables_of_results("| option | meaning |\n| --- | --- |\n| `seed` | 3 of 4 |\n") == []


def test_results_are_listed_with_their_data():
    folder = ROOT / "results"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    pages = [path for path in folder.glob("*.md") if path.name != "README.md"]
    all_text = listed + "".join(path.read_text(encoding="utf-8") for path in pages)
    assert pages and [path.name for path in pages if f"({path.name})" not in listed] == []
    assert [path.name for path in folder.iterdir() if path.suffix != ".md" and path.name not in all_text] == []
    for path in pages:
        date, text = path.name[:10], path.read_text(encoding="utf-8")
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", date) and f"*{date}, version " in text
        assert re.search(r"\b(vitienv|python|make) [a-z-]", text), f"{path.name} has no command"


# Rulings

COLUMNS = ["id", "question", "decision", "reason", "source", "test"]
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
# Number of rulings by section
POINTS = {1: 15, 2: 12, 3: 17, 5: 11, 7: 19, 8: 15, 9: 16}


def rulings():
    """Return the rows of all tables of docs/rulings.md, as dictionaries by column."""
    rows = []
    for line in (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8").splitlines():
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
            path = ROOT / "tests" / file
            if file not in tests:
                tests[file] = known_tests(path) if path.is_file() else set()
            if name not in tests[file]:
                missing.append((row["id"], f"{file}::{name}"))
    assert missing == []


def test_visitors_have_lists_of_cases():
    tested = set().union(*(known_tests(path) for path in (ROOT / "tests" / "cards").glob("*.py")))
    names = {row.id.upper() for row in (*SUMMER_VISITORS, *WINTER_VISITORS)}
    assert len(names) == 76 and names - tested == set()
