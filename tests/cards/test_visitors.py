"""The visitors' cases, each played from its position."""

from importlib import import_module

import vitienv
from tests.table.case import check, each
from tests.table.changes import ends

MODULES = (
    "summer_building winter_cards winter_everybody winter_harvest winter_manager winter_orders winter_space "
    "winter_trades winter_wine winter_workers"
).split()
CASES = [case for module in MODULES for case in import_module(f"tests.cards.{module}").CASES]


@each(CASES)
def test_case(case):
    check(case, vitienv.Game.from_dict(case.position), ends, vitienv.Game.to_dict)
