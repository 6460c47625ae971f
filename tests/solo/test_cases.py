"""Cases of the solo game."""

from tests.table.case import check, parametrize_cases
from tests.table.changes import ends
from vitienv import Game

from . import automa, automa_replacements, campaign, end, tokens, visitors, wake_up

CASES = [
    *automa.CASES,
    *campaign.CASES,
    *end.CASES,
    *automa_replacements.CASES,
    *tokens.CASES,
    *visitors.CASES,
    *wake_up.CASES,
]


@parametrize_cases(CASES)
def test_case(case):
    check(case, Game.from_dict(case.position), ends, Game.to_dict)
