"""The cases of the original edition, each played from its position."""

import vitienv
from tests.table.case import check, each
from tests.table.changes import ends

from . import actions, points, shared, structures, wine


@each([*shared.CASES, *actions.CASES, *structures.CASES, *wine.CASES, *points.CASES])
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends, vitienv.Game.to_dict)
