"""Steps of a readable game: invalid actions raise, and interrupted steps keep log and state consistent."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import vitienv
from vitienv.game import Game

HOME = Path(vitienv.__file__).parent
TOY = "tests.toy.game_spec"


@pytest.mark.parametrize("action", [True, False, 1.5, 5.0, None, [1], np.float64(1), np.True_], ids=repr)
def test_invalid_actions_raise(action):
    game = Game.new(num_players=2, seed=7)
    before = game.copy()
    with pytest.raises(vitienv.IllegalAction, match="action must be a name or an integer, got ") as error:
        game.step(action)
    assert "legal: option:1, option:2" in str(error.value) and not game.moves
    for illegal in ("pass", "place:nowhere", 10_000, -1):
        with pytest.raises(vitienv.IllegalAction, match="papa_gift"):
            game.step(illegal)
    assert game == before and game.log == before.log
    assert game.step(np.int16(vitienv.ACTIONS.number("option:1"))).moves == ["option:1"]


class Interruption:
    """Raises KeyboardInterrupt at one executed Python line of a step."""

    def __init__(self, line: int) -> None:
        self.left = line

    def trace(self, frame, event, _):
        if not Path(frame.f_code.co_filename).is_relative_to(HOME) and "toy" not in frame.f_code.co_filename:
            return None
        if event == "line":
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self.trace


def is_interrupted(game: Game, action: str, line: int) -> bool:
    interruption = Interruption(line)
    sys.settrace(interruption.trace)
    try:
        game.step(action)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def check_every_line(before: Game, action: str) -> int:
    """Interrupt at each line; return the number of lines."""
    after, line = before.copy().step(action), 0
    while True:
        line += 1
        game = before.copy()
        was_interrupted = is_interrupted(game, action, line)
        ends = before if len(game.moves) == len(before.moves) else after
        assert game.to_dict() == ends.to_dict() and game.moves == ends.moves, line
        assert vitienv.replay(game.log) == game and game.legal_actions() == ends.legal_actions(), line
        assert (game.current_seat, game.decision, game.rewards) == (ends.current_seat, ends.decision, ends.rewards), (
            line
        )
        if ends is before:
            assert game.step(action) == after and game.log == after.log, line
        if not was_interrupted:
            return line - 1


def test_step_is_atomic():
    game = Game.new(num_players=2, seed=3, max_years=1)
    for _ in range(4):
        game.step(game.legal_actions()[0])
    assert check_every_line(game, game.legal_actions()[-1]) > 5
    while not game.is_over:
        last = game.copy()
        game.step(game.legal_actions()[-1])
    assert check_every_line(last, last.legal_actions()[-1]) > 5


def test_interpreted_step_is_atomic():
    """Every line of the toy's rules, which would not be interrupted in compiled code."""
    done = subprocess.run(
        [sys.executable, "-c", "from tests.engine import test_step; test_step.of_the_toy()"],
        capture_output=True, text=True, check=False, cwd=HOME.parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 100


def of_the_toy() -> None:
    """Yield two steps: within a round, and the last one of the game."""
    game = Game.new(game=TOY, num_players=2, seed=3)
    lines = check_every_line(game, "draw")
    while not game.is_over:
        last = game.copy()
        game.step("keep")
    print(lines + check_every_line(last, "keep"))
