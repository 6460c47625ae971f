"""Cases of all visitors, and properties of every visitor."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.table.case import check, make_moves, parametrize_cases
from tests.table.changes import ends
from tests.table.fixtures import SUMMER_VISITORS, WINTER_VISITORS, at, place
from tests.table.setup_position import table
from vitienv import Game

from .visitor import visitor

MODULES = [path.stem for deck in ("summer", "winter") for path in sorted(Path(__file__).parent.glob(f"{deck}_*.py"))]
CASES = [case for module in MODULES for case in import_module(f"tests.cards.{module}").CASES]
# A seat that can play any visitor, and a table at which it can.
RICH = {
    "lira": 20, "vp": 5, "vine": ["sangiovese", "malvasia"], "order": ["order_01"],
    "fields": {5: ["malvasia"], 6: ["sangiovese", "pinot"]}, "grapes": {"red": [2], "white": [2]},
    "wines": {"red": [7], "white": [2]}, "structures": ["trellis", "medium_cellar", "large_cellar"],
}  # fmt: skip
THREE_MORE = {"summer": {"winter": ["judge", "queen", "crusher"]}, "winter": {"summer": ["broker", "buyer", "patron"]}}
BOARD = {"draw_vine": [at(0)], "give_tour": [at(1, worker="grande")]}
PILES = {"vine": ["pinot"], "order": ["order_02"]}


@parametrize_cases(CASES)
def test_case(case):
    check(case, Game.from_dict(case.position), ends, Game.to_dict)


@pytest.mark.parametrize("card", (*SUMMER_VISITORS, *WINTER_VISITORS))
def test_resolved_visitor_is_discarded(card):
    """Rulings 3.6 and 3.7: meanwhile in no hand and on no pile. It takes one worker and one turn."""
    season = "summer" if card in SUMMER_VISITORS else "winter"
    case = visitor(card)("", RICH | THREE_MORE[season], {"grande": 0}, top={"board": BOARD, "discards": PILES})
    game = make_moves(Game.from_dict(case.position), *case.moves)
    while game.decision != "place_worker":
        position = game.to_dict()
        hands = [position["discards"], *(seat["hand"] for seat in position["seats"])]
        assert all(card not in cards.get(season, []) for cards in hands)
        game.step(game.legal_actions()[0])
    position = game.to_dict()
    assert (position["discards"][season][-1], game.current_seat) == (card, 1)
    assert position["board"][f"play_{season}_visitor"] == [at(0)]


@pytest.mark.parametrize("card", (*SUMMER_VISITORS, *WINTER_VISITORS))
def test_visitors_of_other_seats_cannot_be_played(card):
    season = "summer" if card in SUMMER_VISITORS else "winter"
    position = table(season, RICH | THREE_MORE[season], {season: [card], "grande": 0}, board=BOARD, discards=PILES)
    assert place(f"play_{season}_visitor") not in Game.from_dict(position).legal_actions()
