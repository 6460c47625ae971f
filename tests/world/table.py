"""Games of World at a certain decision."""

from collections.abc import Callable
from typing import Any

from vitienv import Game
from vitienv.viticulture.enums import Season


def new(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    """Return a new game, by default without the partner."""
    alone = {"partner": "none"} if num_players == 1 else {}
    return Game.new(seed=seed, game="world", num_players=num_players, **alone | options)


def pass_until(game: Game, stop: Callable[[Game], bool]) -> Game:
    """Pass, and take the first legal action of other decisions, until `stop(game)` or the end."""
    while not game.is_over and not stop(game):
        legal = game.legal_actions()
        game.step("option:2" if game.decision == "papa_gift" else "pass" if "pass" in legal else legal[0])
    return game


def summer(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    return pass_until(new(num_players, seed, **options), lambda game: game.decision == "place_worker")


def winter(num_players: int = 2, seed: int = 1, **options: Any) -> Game:
    game = new(num_players, seed, **options)
    return pass_until(game, lambda game: game.state.season == Season.WINTER and game.decision == "place_worker")


def put(game: Game, **fields: Any) -> Game:
    for name, value in fields.items():
        game.state[name] = value
    game._batch.refresh(observe=False)
    return game
