"""How strong the bots are, on a fixed small number of games, and that their strategies differ."""

import pytest
from agent_matches import Match

from vitienv.agents import make_agent

GAMES = 40


@pytest.mark.parametrize(("name", "least"), [("heuristic", 39), ("visitors", 38), ("cellar", 38)])
def test_beats_three_random_bots(name, least):
    agents = [make_agent(name)] + [make_agent("random", seed=seed) for seed in range(3)]
    match = Match(agents, GAMES)
    assert match.wins[0] >= least
    assert match.years.mean() <= 10


def test_strategies_differ():
    """Against each other: one lives on visitors and tours, the other on cellars, wine and orders."""
    match = Match([make_agent("visitors"), make_agent("cellar")], GAMES)
    guests = [match.each_game(k, "place:give_tour", "card:summer", "card:winter") for k in (0, 1)]
    rooms = [match.each_game(k, "structure:tasting_room", "structure:windmill", "structure:cottage") for k in (0, 1)]
    cellars = [match.each_game(k, "structure:medium_cellar", "structure:large_cellar") for k in (0, 1)]
    great_wines = [match.each_game(k, "make:blush", "make:sparkling") for k in (0, 1)]
    orders = [match.each_game(k, "place:fill_order", "card:order") for k in (0, 1)]
    assert guests[0] > 1.2 * guests[1]
    assert rooms[0] > rooms[1] + 0.5
    assert cellars[1] > cellars[0] + 0.5
    assert great_wines[1] > 2 * great_wines[0]
    assert orders[1] > 1.5 * orders[0]
