"""The rows of `python -m tests.breaks` can be run: each finds its text once and changes what the text means."""

import pytest

from tests.breaks.row import EQUAL, systems
from tests.breaks.run import Result, verdict

SYSTEMS = systems()


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_row_changes_one_place(system):
    rows = SYSTEMS[system]
    assert rows and len({row.rule for row in rows}) == len(rows)
    assert [told for row in rows if (told := row.problem())] == []


def test_a_row_that_finds_nothing_or_changes_nothing_is_told(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").touch()
    (tmp_path / "a.py").write_text("x = 1\ny = 1\n", encoding="utf-8")
    row = next(iter(SYSTEMS.values()))[0]._replace(file="a.py", tests="x", old="x = 1", new="x = 2", note="")
    assert row.problem(tmp_path) == ""
    assert "stands 2 times" in row._replace(old=" = 1", new="").problem(tmp_path)
    assert "says the same" in row._replace(new="x  =  1  # the same").problem(tmp_path)
    assert "there is no" in row._replace(tests="y").problem(tmp_path)
    assert "the note" in row._replace(note="who knows").problem(tmp_path)


@pytest.mark.parametrize(
    ("told", "note", "expected"),
    [
        ({"failed": [["tests/test_x.py::test_y", "AssertionError", "1 == 2"]], "code": 1}, "", "noticed"),
        ({"failed": [["tests/test_x.py::test_y", "NameError", "no g"]], "code": 1}, "", "wrong row"),
        ({"failed": [], "code": 0}, "", "survived"),
        ({"failed": [], "code": 0}, f"{EQUAL}nobody can see it", "equal"),
        ({"failed": [], "code": 5}, "", "wrong row"),
        (None, "", "noticed"),
    ],
)
def test_what_a_row_is_called(told, note, expected):
    row = next(iter(SYSTEMS.values()))[0]._replace(note=note)
    assert verdict(row, told, 1.0) == Result(expected, verdict(row, told, 1.0).by, 1.0)
