"""Golden games: random games as text, with the legal actions and the observation changes at each decision."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np

import vitienv

GOLDEN = Path(__file__).parent / "golden"
# Seed and options by file name.
GAMES: dict[str, tuple[int, dict[str, Any]]] = {
    "players_2": (1, {"num_players": 2}),
    "players_3": (2, {"num_players": 3, "friendly": True}),
    "players_4": (3, {"num_players": 4, "draft_parents": True}),
    "players_6": (4, {"num_players": 6, "skip_forced": True}),
    "solo": (5, {"ruleset": "solo", "difficulty": "hard"}),
    "challenge": (5, {"ruleset": "solo", "challenge": 1, "aggressive": True, "bonus_tokens": 2}),
    "blocker": (5, {"ruleset": "solo", "automa_replacement": "blocker"}),
    "original": (5, {"ruleset": "original", "num_players": 3}),
    "toscana_2": (1, {"game": "toscana", "num_players": 2}),
    "toscana_3": (2, {"game": "toscana", "num_players": 3, "map": "pieces"}),
    "toscana_4": (3, {"game": "toscana", "num_players": 4, "player_trades": True}),
    "toscana_5": (4, {"game": "toscana", "num_players": 5, "start_on_water": False, "skip_forced": True}),
    "world_greengully": (1, {"game": "world", "num_players": 2}),
    "world_asia": (2, {"game": "world", "num_players": 2, "continent": "asia", "events": "shuffled"}),
    "world_oceania": (3, {"game": "world", "num_players": 2, "continent": "oceania", "skip_forced": True}),
    "world_south_america": (
        4,
        {"game": "world", "num_players": 1, "continent": "south_america", "partner": "none", "parents": "mixed"},
    ),
    "world_europe": (5, {"game": "world", "num_players": 3, "continent": "europe", "skip_forced": True}),
    "world_north_america": (6, {"game": "world", "num_players": 4, "continent": "north_america", "years": 3}),
    "world_africa": (7, {"game": "world", "num_players": 2, "continent": "africa", "training_visitors": "hats"}),
    "world_burattino": (8, {"game": "world", "num_players": 1}),
}
# Field of all seats that is reported at the start of a round besides points.
RESOURCES = {"viticulture": "lira", "world": "lira", "toscana": "workers"}


def path_of(name: str) -> Path:
    return GOLDEN / f"{name}.txt"


def playthrough(name: str) -> str:
    """Return a random game as text: each decision with its action and the digest of the next state.

    Further lines contain the legal actions, and the changed observation features since the last decision of the seat.
    """
    seed, options = GAMES[name]
    rng = np.random.default_rng(seed)
    game = vitienv.Game.new(seed=seed, **options)
    last_observations = np.zeros((game.num_players, game.game_spec.observation.n), np.int16)
    others = {key: value for key, value in options.items() if key != "num_players"}
    resource, word = RESOURCES[game.game_spec.name], game.game_spec.rounds.word
    lines, number = [f"{game.num_players} players, seed {seed}, {others}"], -1
    while not game.is_over:
        if game.round != number:
            number = game.round
            amounts = [int(x) for x in game.state[resource][: game.num_players]]
            lines.append(f"-- {word} {number}: points {game.scores}, {resource} {amounts}")
        legal, seat, observed = game.legal_actions(), game.current_seat, game.observation()
        action, decision = str(rng.choice(legal)), game.decision
        context = [f"  may: {' '.join(legal)}", *changes(game, last_observations[seat], observed)]
        last_observations[seat] = observed
        game.step(action)
        lines += [f"{seat} {decision} ({len(legal)}): {action} -> {digest(game)}", *context]
    return "\n".join([*lines, f"over: {game.scores}, ranks {game.ranks}", ""])


def changes(game: vitienv.Game, before: np.ndarray, after: np.ndarray) -> list[str]:
    """Return a line for each changed feature of an observation, with the new values."""
    layout, lines = game.game_spec.observation, []
    for entry in layout.features:
        start = layout.slice(entry.name).start
        changed = start + np.flatnonzero(before[layout.slice(entry.name)] != after[layout.slice(entry.name)])
        values = [f"{layout.name(i).removeprefix(entry.name)}={after[i]}" for i in changed]
        if values:
            lines.append(f"  {entry.name} {' '.join(values)}")
    return lines


def perft(game: vitienv.Game, depth: int) -> int:
    """Return the number of action sequences of length `depth`."""
    if depth == 0 or game.is_over:
        return 1
    if depth == 1:
        return len(game.legal_actions())
    return sum(perft(game.copy().step(action), depth - 1) for action in game.legal_actions())


def digest(game: vitienv.Game) -> str:
    """Return a hash of the state as eight hexadecimal digits."""
    return hashlib.sha256(game.state.tobytes()).hexdigest()[:8]
