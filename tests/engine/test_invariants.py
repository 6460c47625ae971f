"""Random games at every table: the checks of the soak test."""

import random

import pytest

from tests.engine.kinds import KINDS
from tests.soak.play import Piece, play
from vitienv.world.enums import CONTINENTS

VARIANTS = [{}, {"friendly": True}, {"draft_parents": True}, {"skip_forced": True}, {"open_hands": True}]
TABLES = [("viticulture", {"num_players": n, **variant}) for n in range(2, 7) for variant in VARIANTS]
TABLES += [("viticulture", options) for options in KINDS.values()]
TABLES += [
    ("world", {"num_players": n, "continent": name, "open_hands": n == 4,
               **({"partner": "none"} if n == 1 and name != "asia" else {}),
               **({"events": "shuffled"} if n % 2 and name != "greengully" else {})})
    for name in CONTINENTS for n in range(1, 7)
]  # fmt: skip
TABLES += [("toscana", options) for options in (
    {"num_players": 2}, {"num_players": 3, "map": "pieces"}, {"num_players": 4, "player_trades": True},
    {"num_players": 5, "map": "pieces", "player_trades": True, "start_on_water": False}, {"num_players": 5},
    {"num_players": 3, "skip_forced": True, "max_rounds": 4}, {"num_players": 3, "open_hands": True},
)]  # fmt: skip


@pytest.mark.parametrize(("game", "options"), TABLES, ids=str)
def test_random_games(game, options):
    """A game without a legal action stays so, and the last check finds it. Games of several seats may never end."""
    piece = Piece(game, options, 4, seed=11)
    assert play(piece, "random", 40, random.Random(11), lambda: False)
    is_limited = game != "viticulture" or options.get("ruleset") == "solo"
    assert not (is_limited and len(piece.batch.active_rows()))
