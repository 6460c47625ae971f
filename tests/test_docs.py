"""The tables of the documentation are those that the code gives, and what its pages name exists."""

from vitienv import docs
from vitienv.commands.viticulture.card_index import cards_table


def test_nothing_is_out_of_date():
    """Generated tables, named files and tests, and the sections of the rulebook."""
    assert docs.outdated() == []


def test_every_card_has_a_row_verbs_and_tests():
    """The cards' page leaves out no card and no column."""
    lines = cards_table().splitlines()[2:]
    assert len(lines) == 9 + 36 + 38 + 38 + 18 + 18
    assert [line for line in lines if not all(cell.strip() for cell in line.strip("|").split("|"))] == []


def test_a_missing_name_is_found():
    """The check would notice a test that is gone."""
    page = "`tests/test_docs.py::test_nothing_is_out_of_date` and `tests/test_docs.py::test_gone` and `vitienv/gone.py`"
    assert docs.broken_names(page) == ["tests/test_docs.py::test_gone", "vitienv/gone.py"]
