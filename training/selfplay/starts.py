"""Start states of self-play: as dealt, after some random actions, or after a uniformly random opening.

Self-play does not explore actions that it never plays, so in a fraction of the games the first actions are sampled
uniformly from the legal ones. Decisions before the start are not learned from.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
import torch

from vitienv.core.game_spec import GameSpec
from vitienv.training.selfplay.acting import Step
from vitienv.training.selfplay.envs import Envs

DEALT, RANDOM, EVEN = "dealt", "random", "even"
MAX_RANDOM_ACTIONS = 10_000  # longer than any game
RANDOM_CONTROLLER = -2
EXAMPLE = "dealt:2,random/100:1,even/wake_up/place_worker:1"


@dataclass(frozen=True)
class Start:
    """Kind of start."""

    share: float  # weight
    choices: int = 0  # maximum number of random actions
    decisions: tuple[int, ...] = ()  # types of which each seat's first is random; the last one ends the opening


def parse_starts(text: str, game: GameSpec) -> list[Start]:
    """Parse the starts of a mix such as "dealt:2,random/100:1,even/wake_up/place_worker:1", with their weights.

    dealt: the game as dealt. random/N: the first k actions are random, with k uniform from 0 to N. even/NAME/...:
    each seat's first action of each named decision is random; the opening ends when every seat has made the last one,
    or with the first round. ValueError for an invalid part.
    """
    starts = []
    for part in text.split(","):
        name, _, weight = part.strip().partition(":")
        kind, *parameters = name.split("/")
        try:
            share = float(weight or 1)
        except ValueError:
            share = -1.0
        is_number = len(parameters) == 1 and parameters[0].isdecimal() and 1 <= int(parameters[0]) <= MAX_RANDOM_ACTIONS
        if not 0 < share < inf or not {DEALT: not parameters, RANDOM: is_number, EVEN: bool(parameters)}.get(
            kind, False
        ):
            limits = f"with a number from 1 to {MAX_RANDOM_ACTIONS:,} after random"
            raise ValueError(f"start_states must be like {EXAMPLE!r}, {limits}, got {part.strip()!r}")
        if kind == EVEN and (unknown := [parameter for parameter in parameters if parameter not in game.decisions]):
            raise ValueError(f"unknown decision {unknown[0]!r}; expected one of: {', '.join(game.decisions)}")
        if kind == EVEN:
            starts.append(Start(share, decisions=tuple(game.decisions.index(parameter) for parameter in parameters)))
        else:
            starts.append(Start(share, choices=int(parameters[0]) if kind == RANDOM else 0))
    return starts


class Starts:
    """Start of the game in each env.

    num_random (envs,) int64: remaining random actions. kind (envs,) int64: index in the mix. is_made (envs, max seats,
    decisions) bool: first decisions already made. has_started (envs,) bool: whether the game is past its start.
    """

    def __init__(self, text: str, envs: Envs, seed: int) -> None:
        self.mix = parse_starts(text, envs.game_spec)
        self.envs = envs
        self._rng = np.random.default_rng([seed, 3])
        self._is_dealt_only = all(start == Start(start.share) for start in self.mix)
        decisions = len(envs.game_spec.decisions)
        n, seats = envs.n, envs.game_spec.max_seats
        self._is_random = np.zeros((len(self.mix), decisions), bool)  # random decisions of each start
        for number, start in enumerate(self.mix):
            self._is_random[number, list(start.decisions)] = True
        self._last = np.array([start.decisions[-1] if start.decisions else -1 for start in self.mix])
        self.num_random, self.kind = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.is_made, self.has_started = np.zeros((n, seats, decisions), bool), np.ones(n, bool)
        self.draw(np.arange(n))

    def draw(self, envs: np.ndarray) -> None:
        """Sample the starts of the new games of these envs."""
        if self._is_dealt_only or not len(envs):
            return
        shares = np.array([start.share for start in self.mix])
        self.kind[envs] = kinds = self._rng.choice(len(self.mix), size=len(envs), p=shares / shares.sum())
        max_choices = np.array([start.choices for start in self.mix])[kinds]
        self.num_random[envs] = self._rng.integers(0, max_choices + 1)
        self.is_made[envs] = False
        self.has_started[envs] = (self.num_random[envs] == 0) & (self._last[kinds] < 0)

    def controllers(self, controllers: np.ndarray) -> np.ndarray:
        """Return the controller of each env, (envs,): RANDOM_CONTROLLER or that in `controllers`."""
        if self._is_dealt_only:
            return controllers
        decisions, rows = self.envs.decisions(), np.arange(len(controllers))
        first = self._is_random[self.kind, decisions] & ~self.is_made[rows, self.envs.seats, decisions]
        return np.where(~self.has_started & ((self.num_random > 0) | first), RANDOM_CONTROLLER, controllers)

    def choose(self, controllers: np.ndarray, step: Step) -> None:
        """Write uniformly random legal actions to the step where `controllers` is RANDOM_CONTROLLER."""
        rows = np.flatnonzero(controllers == RANDOM_CONTROLLER)
        if len(rows):
            legal = step.masks[rows] == 1
            number = (self._rng.random(len(rows)) * legal.sum(axis=1)).astype(np.int64)
            step.actions[rows] = (legal.cumsum(axis=1) > number[:, None]).argmax(axis=1)

    def advance(self) -> None:
        """Advance the openings, before every env steps."""
        if self._is_dealt_only or self.has_started.all():
            return
        rows = np.flatnonzero(~self.has_started)
        self.num_random[rows] = np.maximum(0, self.num_random[rows] - 1)
        seats, last = self.envs.seats[rows], self._last[self.kind[rows]]
        self.is_made[rows, seats, self.envs.decisions()[rows]] = True
        players = np.arange(self.is_made.shape[1]) < self.envs.players[rows, None]
        is_over = (self.is_made[rows, :, last] | ~players).all(axis=1) | (self.envs.rounds()[rows] > 1)
        self.has_started[rows] = np.where(last < 0, self.num_random[rows] == 0, is_over)

    def state(self) -> dict[str, Any]:
        """Return the state."""
        arrays = {
            name: torch.from_numpy(getattr(self, name).copy())
            for name in ("num_random", "kind", "is_made", "has_started")
        }
        return arrays | {"rng": self._rng.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`."""
        for name in ("num_random", "kind", "is_made", "has_started"):
            setattr(self, name, state[name].numpy().copy())
        self._rng.bit_generator.state = state["rng"]
