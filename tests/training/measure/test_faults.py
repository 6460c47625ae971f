"""What faults of programs cost the others at a table, and where they are told."""

import sys

import pytest

import vitienv
from vitienv.agents.seating import make_bots
from vitienv.training.measure.match import play
from vitienv.training.measure.tournament import Settings, run_tournament

GAME = "toscana"
# It takes the first choice three times and then ends.
PLAYER = """
import json, sys
for _, line in zip(range(3), sys.stdin):
    print(json.dumps({"action": json.loads(line)["choices"][0]["number"]}), flush=True)
"""


@pytest.fixture
def spec(tmp_path):
    """A bot that faults in each of its games."""
    (tmp_path / "player.py").write_text(PLAYER)
    return f"pipe:{sys.executable} {tmp_path / 'player.py'}"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_others_share_the_first_place(spec, players):
    """Whoever had most points when the game was cut off."""
    options = vitienv.definition(GAME).options.of(num_players=players, skip_forced=True)
    seating = [[int(seat != own) for seat in range(players)] for own in range(players)]
    played = play(options, range(players), seating, make_bots((spec, "heuristic"), 0, GAME))
    assert len(played.faults) == players
    for game, (seat, _) in played.faults.items():
        assert played.ranks[game].tolist() == [players if other == seat else 1 for other in range(players)]


def test_a_tournament_shares_the_win(spec, tmp_path):
    bots = (spec, "heuristic", "random")
    results = run_tournament(Settings(bots, 3, 6, game=GAME), tmp_path / "run")
    rates = {bot["agent"]: bot["win_rate"]["value"] for bot in results["bots"]}
    ahead = {(pair["agent"], pair["than"]): pair["ahead"]["value"] for pair in results["ahead"]}
    assert rates == {spec: 0, "heuristic": 0.5, "random": 0.5}
    assert ahead["heuristic", "random"] == 0.5 and ahead["random", spec] == 1
