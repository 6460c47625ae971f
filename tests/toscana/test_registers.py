"""Each number of each pending frame out of its bounds is refused; what is read keeps every invariant."""

import random

import pytest

import vitienv
from tests.registers import Registers
from tests.toscana.invariants import problems
from tests.toscana.positions import at, begun, start
from vitienv.toscana.frames import FrameOp
from vitienv.toscana.machine import OPERATIONS

TABLES = (
    {"num_players": 2}, {"num_players": 3, "player_trades": True}, {"num_players": 5, "map": "pieces"},
    {"num_players": 4, "skip_forced": True, "start_on_water": False},
)  # fmt: skip
# Two boxes of abandoned squares are to be chosen, which random play seldom comes to.
ABANDONED = {"boxes": {"water": 2}}
FOLLOWING = (FrameOp.START_WORKER, FrameOp.TURN, FrameOp.TASTE)  # written in other words, never as frames


def bounds_of(frame, game):
    return OPERATIONS.bounds(frame, game.num_players)


def test_every_operation_has_bounds():
    assert [row.word for row in OPERATIONS.rows.values() if row.bounds is None] == []


@pytest.mark.parametrize("seed", range(2))
def test_each_number_of_a_pending_frame_has_its_bounds(seed):
    registers = Registers(lambda position: position.get("pending"), bounds_of, most=3, problems=problems)
    chance = random.Random(seed)
    made = start(2, ABANDONED, squares=[at(1, 3, 0, 2), at(1, 7, 0, 2)])
    games = [made, *(begun(seed, **options) for options in TABLES)]
    for game in games:
        if game is made:
            game.step("take:winemaking").step("crossroad:1:3").step("crossroad:1:7")
        while not game.is_over:
            registers.try_all(game)
            active = [move for move in game.legal_actions() if not move.startswith("pass:")]
            game.step(chance.choice(active or game.legal_actions()))
    stages = {(op, stage) for op, row in OPERATIONS.rows.items() for stage in range(max(len(row.decisions), 1))}
    asked = {(op, stage) for op, stage in stages if op not in FOLLOWING}
    assert set(registers.met) == asked
    assert registers.refused > 2000
    assert vitienv.Game.from_dict(game.to_dict()) == game
