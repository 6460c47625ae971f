"""The cases of Toscana, each played from its position."""

from tests.table.case import check, each
from tests.toscana import cases_end, cases_goods, cases_hiring
from tests.toscana.changes import ends
from vitienv import Game

CASES = [*cases_hiring.CASES, *cases_goods.CASES, *cases_end.CASES]


@each(CASES)
def test_case(case):
    check(case, Game.from_dict(case.position), ends, Game.to_dict)
