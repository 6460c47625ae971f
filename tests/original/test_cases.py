"""Cases of the original edition."""

import vitienv
from tests.table.case import check, parametrize_cases
from tests.table.changes import ends

from . import actions, points, shared, structures, wine


@parametrize_cases([*shared.CASES, *actions.CASES, *structures.CASES, *wine.CASES, *points.CASES])
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends, vitienv.Game.to_dict)
