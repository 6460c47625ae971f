"""The tables of the documentation are those that the code gives, and what its pages name exists."""

import re
from pathlib import Path

import pytest

import vitienv
from tools import docs
from vitienv.commands.tables import END, start_mark
from vitienv.registry import game_names, game_spec
from vitienv.training.evaluation import published


def test_nothing_is_out_of_date():
    """Generated tables, named files and tests, and the sections of the rulebook."""
    assert docs.outdated() == []


def test_a_missing_name_is_found():
    """The check would notice a test that is gone."""
    page = "`tests/test_docs.py::test_nothing_is_out_of_date` and `tests/test_docs.py::test_gone` and `vitienv/gone.py`"
    assert docs.broken_names(page) == ["tests/test_docs.py::test_gone", "vitienv/gone.py"]


ROOT = Path(vitienv.__file__).resolve().parent.parent
MEASURED = re.compile(r"\d\.\d|\d ?%|\d,\d{3}|± ?\d|\d ?(ms|µs|ns|s)\b")


def tables_of_results(text):
    """The heads of tables of which more than three cells in ten hold a measured number. Those that `make docs` writes
    are left out, as they are of rules and sizes."""
    for name in docs.TABLES:
        before, mark, rest = text.partition(start_mark(name))
        text = before + rest.partition(END)[2] if mark else text
    heads = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = table.splitlines()
        cells = [cell for row in rows for cell in row.strip("|").split("|")[1:]]
        if sum(bool(MEASURED.search(cell)) for cell in cells) > 0.3 * len(cells):
            heads.append(head)
    return heads


PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def test_the_first_page_tells_what_a_learner_gets():
    """The sizes are the code's."""
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    sizes = {game: (f"{made.observation.n:,}", made.actions.n) for game in game_names() if (made := game_spec(game))}
    assert "An observation has {} features and there are {} actions".format(*sizes["viticulture"]) in readme
    assert "World: {} and {}; Toscana: {} and {}".format(*sizes["world"], *sizes["toscana"]) in readme


def shares_not_published(text):
    """The shares with intervals in a text, but for what a command printed, that are no published figure."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    told = [figure.text for figure in published.read()]
    known = {*told, *(figure.replace(" %", "") for figure in told)}
    found = re.findall(r"\d+(?:\.\d+)?(?: %)? \(\d+(?:\.\d+)? to \d+(?:\.\d+)?\)", " ".join(text.split()))
    return [share for share in found if share not in known]


@pytest.mark.parametrize("page", PAGES)
def test_a_measured_number_is_a_published_one(page):
    """A table of results is made from the data, a share in a sentence stands there too; all else is in results/."""
    text = (ROOT / page).read_text(encoding="utf-8")
    assert tables_of_results(text) == [] and shares_not_published(text) == []


def test_a_share_that_is_not_published_is_found():
    known = next(figure.text for figure in published.read() if figure.unit == "%")
    assert shares_not_published(f"it wins {known}, or 12.3 % (4.5\nto 67.8)") == ["12.3 % (4.5 to 67.8)"]


def test_a_table_of_results_is_told_from_others():
    assert tables_of_results("| bot | won |\n| --- | --- |\n| a | 51.2 % (48 to 54) |\n") == ["| bot | won |"]
    assert tables_of_results("| option | meaning |\n| --- | --- |\n| `seed` | 3 of 4 |\n") == []


def test_every_result_is_listed_with_its_data():
    folder = ROOT / "results"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    pages = [path for path in folder.glob("*.md") if path.name != "README.md"]
    told = listed + "".join(path.read_text(encoding="utf-8") for path in pages)
    assert pages and [path.name for path in pages if f"({path.name})" not in listed] == []
    assert [path.name for path in folder.iterdir() if path.suffix != ".md" and path.name not in told] == []
    for path in pages:
        date, text = path.name[:10], path.read_text(encoding="utf-8")
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", date) and f"*{date}, version " in text
        assert re.search(r"\b(vitienv|python|make) [a-z-]", text), f"{path.name} has no command"
