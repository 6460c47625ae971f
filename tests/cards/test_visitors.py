"""The visitors' cases, each played from its position."""

from importlib import import_module
from pathlib import Path

import vitienv
from tests.table.case import check, each
from tests.table.changes import ends

MODULES = [path.stem for deck in ("summer", "winter") for path in sorted(Path(__file__).parent.glob(f"{deck}_*.py"))]
CASES = [case for module in MODULES for case in import_module(f"tests.cards.{module}").CASES]


@each(CASES)
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends, vitienv.Game.to_dict)
