"""Board actions as table rows: a missing or incomplete row raises on import."""

import pytest

from vitienv.agents.viticulture import acts
from vitienv.agents.viticulture.lookahead import LookaheadFunctions
from vitienv.viticulture.enums import Act
from vitienv.viticulture.ops import board
from vitienv.viticulture.ops.parts import BY_LOOKAHEAD, NOTHING

WHOLE = {"needs": NOTHING, "starts": lambda g, seat, again, must: None, "with_bonus": NOTHING, "worth": BY_LOOKAHEAD}


def without(table, act):
    return {number: row for number, row in table.items() if number != act}


@pytest.mark.parametrize("act", list(Act))
def test_action_without_a_row_raises(act):
    with pytest.raises(ValueError, match=f"board action {act.name} must have a row"):
        board.check(without(board.ROWS, act))


@pytest.mark.parametrize("act", list(Act))
def test_action_without_bot_handler_raises(act):
    with pytest.raises(ValueError, match=f"board action {act.name} must have either a fixed value"):
        handlers = LookaheadFunctions("board action", Act, board.ROWS)
        handlers.does = without(acts.BY_LOOKAHEAD.does, act)
        handlers.check()


@pytest.mark.parametrize("lacking", [{"needs": None}, {"starts": None}, {"with_bonus": None}, {"needs": "something"}])
def test_incomplete_row_raises(lacking, monkeypatch):
    monkeypatch.setattr(board, "ROWS", without(board.ROWS, Act.GIVE_TOUR))
    with pytest.raises(ValueError, match=f"board action GIVE_TOUR must have (a function )?`{next(iter(lacking))}`"):
        board.board_action(Act.GIVE_TOUR, **WHOLE | lacking)
    assert Act.GIVE_TOUR not in board.ROWS


def test_duplicate_row_raises():
    with pytest.raises(ValueError, match="board action GIVE_TOUR must have one row"):
        board.board_action(Act.GIVE_TOUR, **WHOLE)
    with pytest.raises(ValueError, match="board action GIVE_TOUR: duplicate lookahead function"):
        acts.lookahead(Act.GIVE_TOUR, does=WHOLE["starts"])
