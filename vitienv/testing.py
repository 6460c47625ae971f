"""Checks of environments: what a player sees must not depend on what is hidden from that player."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from vitienv.game import Game

Views = Mapping[str, Any]


@dataclass(frozen=True)
class HiddenInformationReport:
    """Counts of a check, which is inconclusive if it has no `distinct` samples."""

    samples: int  # compared with the position
    distinct: int  # samples in which the next player saw something else


def check_hidden_information(
    state: Any,
    resample: Callable[[Any, int, np.random.Generator], Any] | None = None,
    views: Callable[[Any, int], Views] | None = None,
    num_steps: int = 200,
    num_samples: int = 2,
    seed: int = 0,
) -> HiddenInformationReport:
    """Play random actions and check that the views of each player do not depend on hidden information.

    At each step, for each player, `num_samples` copies of the position get other hidden information that is consistent
    with what the player knows. Raises AssertionError with the step, the player and the view if a view of the player
    differs in one of them.

    state: a `vitienv.Game`, or a state of OpenSpiel in a game with `resample_from_infostate`; it is not changed.
    resample(state, player, rng): returns such a copy. views(state, player): returns what a player sees, by name, as
    arrays or values that can be compared. Both have defaults for the two kinds of states.
    """
    is_game = isinstance(state, Game)
    resample = resample or (_resample_game if is_game else _resample_openspiel)
    views = views or (_views_of_game if is_game else _views_of_openspiel)
    rng, samples, distinct = np.random.default_rng(seed), 0, 0
    state = state.copy() if is_game else state.clone()
    num_players = state.num_players if is_game else state.num_players()
    for step in range(num_steps):
        if not is_game:
            _resolve_chance(state, rng)
        if state.is_over if is_game else state.is_terminal():
            break
        before = [views(state, player) for player in range(num_players)]
        for player in range(num_players):
            for _ in range(num_samples):
                sample = resample(state, player, rng)
                after = views(sample, player)
                for name, value in before[player].items():
                    message = f"step {step}: {name!r} of player {player} depends on hidden information"
                    assert _equal(value, after[name]), message
                other = (player + 1) % num_players
                samples, distinct = samples + 1, distinct + (not _equal(before[other], views(sample, other)))
        _apply_random(state, rng)
    return HiddenInformationReport(samples, distinct)


def _equal(first: Any, second: Any) -> bool:
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return first.keys() == second.keys() and all(_equal(value, second[name]) for name, value in first.items())
    return np.array_equal(first, second) if isinstance(first, np.ndarray) else first == second


def _apply_random(state: Any, rng: np.random.Generator) -> None:
    if isinstance(state, Game):
        state.step(int(rng.choice(np.flatnonzero(state.mask))))
    elif state.is_simultaneous_node():
        state.apply_actions([int(rng.choice(state.legal_actions(player))) for player in range(state.num_players())])
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))


def _resample_game(game: Game, seat: int, rng: np.random.Generator) -> Game:
    return game.determinize(seat, int(rng.integers(2**32)))


def _views_of_game(game: Game, seat: int) -> Views:
    is_acting = seat == game.current_seat
    mask = {"mask": game.mask, "actions": game.describe_actions()} if is_acting else {}
    return {"observation": game.observation(seat), "text": game.describe(seat), "view": game.view(seat), **mask}


def _resolve_chance(state: Any, rng: np.random.Generator) -> None:
    while state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(int(rng.choice(outcomes, p=np.array(probabilities) / np.sum(probabilities))))


def _resample_openspiel(state: Any, player: int, rng: np.random.Generator) -> Any:
    return state.resample_from_infostate(player, rng.random)


def _views_of_openspiel(state: Any, player: int) -> Views:
    kind = state.get_game().get_type()
    views: dict[str, Any] = {}
    for name in ("information_state_string", "information_state_tensor", "observation_string", "observation_tensor"):
        if getattr(kind, f"provides_{name}"):
            views[name] = np.asarray(getattr(state, name)(player))
    if state.is_simultaneous_node() or state.current_player() == player:
        views["legal_actions"] = state.legal_actions(player)
    if _has_structs(kind.short_name):
        views["observation_struct"] = state.to_observation_struct(player).to_json()
    return views


@cache
def _has_structs(name: str) -> bool:
    """Whether a game has observations as structs, which OpenSpiel has since version 2."""
    import pyspiel

    state = pyspiel.load_game(name).new_initial_state()
    _resolve_chance(state, np.random.default_rng(0))
    try:
        state.to_observation_struct(0)
    except (AttributeError, pyspiel.SpielError):
        return False
    return True
