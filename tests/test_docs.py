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
