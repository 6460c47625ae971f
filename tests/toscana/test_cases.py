"""The cases of Toscana, each played from its position."""

from tests.table.case import check, parametrize_cases
from tests.toscana.cases import end, goods, hiring
from tests.toscana.cases.changes import ends
from vitienv import Game

CASES = [*hiring.CASES, *goods.CASES, *end.CASES]


@parametrize_cases(CASES)
def test_case(case):
    check(case, Game.from_dict(case.position), ends, Game.to_dict)
