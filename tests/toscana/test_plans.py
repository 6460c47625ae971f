"""Bots with plans of their own: what they do in games among themselves."""

import numpy as np
import pytest

import vitienv
from vitienv.toscana.names import WINEMASTERS
from vitienv.training.measure.match import play

BOTS = ("heuristic", "pieces", "market")


@pytest.fixture(scope="module")
def played():
    """Games of each bot against itself, by its name."""
    options = vitienv.definition("toscana").options.of(num_players=3, skip_forced=True)
    seeds, seating = range(60), np.zeros((60, 3), int)
    return {bot: play(options, seeds, seating, [vitienv.agent(bot, game="toscana")]) for bot in BOTS}


def each_game(games, prefix):
    """How often a seat took an action of such a name in a game, on average."""
    names = games.options.definition.actions.names
    chosen = [number for number, name in enumerate(names) if name.startswith(prefix)]
    return sum(np.isin(moves, chosen).sum() for moves in games.moves) / games.points.size


def left(games, field):
    """Pieces in the storages at the end, (games, seats)."""
    records = games.records.view(games.options.definition.dtype).reshape(len(games))
    return records[field][:, : games.options.num_players]


def test_pieces_puts_everything_on_the_map(played):
    """The third winemaster in most games, seldom by the others; games last seven rounds."""
    third = {bot: (left(games, "winemasters") == 0).mean() for bot, games in played.items()}
    assert third["pieces"] > 0.6 and third["heuristic"] < 0.1
    assert played["pieces"].years.mean() > 6.9 > played["heuristic"].years.mean()


def test_market_hires_services_and_no_winemaster(played):
    services = {bot: each_game(games, "service:") for bot, games in played.items()}
    assert services["market"] > 0.8 > 10 * services["heuristic"]
    assert (left(played["market"], "winemasters") == WINEMASTERS).mean() > 0.9


@pytest.mark.parametrize("bot", BOTS)
def test_every_plan_beats_random_play(bot):
    options = vitienv.definition("toscana").options.of(num_players=4, map="pieces", skip_forced=True)
    seating = [[int(seat != game % 4) for seat in range(4)] for game in range(60)]
    agents = [vitienv.agent(bot, game="toscana"), vitienv.agent("random:seed=1", game="toscana")]
    ranks = play(options, range(60), seating, agents).ranks
    assert (ranks[np.arange(60), np.arange(60) % 4] == 1).mean() > 0.95
