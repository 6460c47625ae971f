"""How strong the bots are, on a fixed small number of games, and that their strategies differ."""

import pytest
from agent_matches import Match

from vitienv.agents import make_agent
from vitienv.training.measure.match import play
from vitienv.viticulture.options import Options

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


def test_heuristic_is_the_strongest():
    """At a table of all four, over 40 games it wins at least its share."""
    match = Match([make_agent(name, seed=1) for name in ("heuristic", "visitors", "cellar", "random")], GAMES)
    assert match.wins[0] >= GAMES / 3
    assert match.wins[3] <= 1


@pytest.mark.parametrize("num_players", [2, 4])
def test_heuristic_reaches_the_goal_like_a_good_player(num_players):
    """Among its like it needs at most ten years on the average."""
    match = Match([make_agent("heuristic")] * num_players, 30)
    assert match.years.mean() <= 10


@pytest.mark.parametrize("bot, least", [("heuristic", 16), ("visitors", 11), ("cellar", 11)])
def test_rules_of_thumb_play_alone(bot, least):
    """Points after seven years; random play comes to 2.4. Over 10,000 games the heuristic has 17."""
    seeds = range(200)
    played = play(Options(ruleset="solo", skip_forced=True), seeds, [[0]] * len(seeds), [make_agent(bot)])
    assert played.points.mean() > least


def test_the_year_that_must_be_survived_comes_first():
    """Against the aggressive Automa the heuristic looks after the points of each year."""
    seeds = range(200)
    options = Options(ruleset="solo", aggressive=True, skip_forced=True)
    played = play(options, seeds, [[0]] * len(seeds), [make_agent("heuristic")])
    assert played.years.mean() > 5.5
