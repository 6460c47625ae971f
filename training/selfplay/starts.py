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
MOST_CHOICES = 10_000  # limit of random actions; longer than any game
NOBODY = -2  # controller of random actions
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
        kind, *words = name.split("/")
        try:
            share = float(weight or 1)
        except ValueError:
            share = -1.0
        is_number = len(words) == 1 and words[0].isdecimal() and 1 <= int(words[0]) <= MOST_CHOICES
        if not 0 < share < inf or not {DEALT: not words, RANDOM: is_number, EVEN: bool(words)}.get(kind, False):
            limits = f"with a number from 1 to {MOST_CHOICES:,} after random"
            raise ValueError(f"start_states must be like {EXAMPLE!r}, {limits}, got {part.strip()!r}")
        if kind == EVEN and (unknown := [word for word in words if word not in game.decisions]):
            raise ValueError(f"unknown decision {unknown[0]!r}; expected one of: {', '.join(game.decisions)}")
        if kind == EVEN:
            starts.append(Start(share, decisions=tuple(game.decisions.index(word) for word in words)))
        else:
            starts.append(Start(share, choices=int(words[0]) if kind == RANDOM else 0))
    return starts


class Starts:
    """Start of the game in each env.

    left (envs,) int64: remaining random actions. kind (envs,) int64: index in the mix. made (envs, max seats,
    decisions) bool: first decisions already made. `begun` (envs,) bool: whether the game is past its start.
    """

    def __init__(self, text: str, envs: Envs, seed: int) -> None:
        self.mix = parse_starts(text, envs.game_spec)
        self.envs = envs
        self._chance = np.random.default_rng([seed, 3])
        self._is_plain = all(start == Start(start.share) for start in self.mix)
        decisions = len(envs.game_spec.decisions)
        n, seats = envs.n, envs.game_spec.max_seats
        self._is_random = np.zeros((len(self.mix), decisions), bool)  # random decisions of each start
        for number, start in enumerate(self.mix):
            self._is_random[number, list(start.decisions)] = True
        self._last = np.array([start.decisions[-1] if start.decisions else -1 for start in self.mix])
        self.left, self.kind = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.made, self.begun = np.zeros((n, seats, decisions), bool), np.ones(n, bool)
        self.draw(np.arange(n))

    def draw(self, envs: np.ndarray) -> None:
        """Sample the starts of the new games of these envs."""
        if self._is_plain or not len(envs):
            return
        shares = np.array([start.share for start in self.mix])
        self.kind[envs] = kinds = self._chance.choice(len(self.mix), size=len(envs), p=shares / shares.sum())
        max_choices = np.array([start.choices for start in self.mix])[kinds]
        self.left[envs] = self._chance.integers(0, max_choices + 1)
        self.made[envs] = False
        self.begun[envs] = (self.left[envs] == 0) & (self._last[kinds] < 0)

    def controllers(self, controllers: np.ndarray) -> np.ndarray:
        """Return the controller of each env, (envs,): NOBODY for a random action, else that in `controllers`."""
        if self._is_plain:
            return controllers
        decisions, rows = self.envs.decisions(), np.arange(len(controllers))
        first = self._is_random[self.kind, decisions] & ~self.made[rows, self.envs.seats, decisions]
        return np.where(~self.begun & ((self.left > 0) | first), NOBODY, controllers)

    def choose(self, controllers: np.ndarray, step: Step) -> None:
        """Write uniformly random legal actions to the step where `controllers` is NOBODY."""
        rows = np.flatnonzero(controllers == NOBODY)
        if len(rows):
            legal = step.masks[rows] == 1
            number = (self._chance.random(len(rows)) * legal.sum(axis=1)).astype(np.int64)
            step.actions[rows] = (legal.cumsum(axis=1) > number[:, None]).argmax(axis=1)

    def note(self) -> None:
        """Advance the openings, before every env steps."""
        if self._is_plain or self.begun.all():
            return
        rows = np.flatnonzero(~self.begun)
        self.left[rows] = np.maximum(0, self.left[rows] - 1)
        seats, last = self.envs.seats[rows], self._last[self.kind[rows]]
        self.made[rows, seats, self.envs.decisions()[rows]] = True
        players = np.arange(self.made.shape[1]) < self.envs.players[rows, None]
        is_over = (self.made[rows, :, last] | ~players).all(axis=1) | (self.envs.rounds()[rows] > 1)
        self.begun[rows] = np.where(last < 0, self.left[rows] == 0, is_over)

    def state(self) -> dict[str, Any]:
        """Return the state."""
        arrays = {name: torch.from_numpy(getattr(self, name).copy()) for name in ("left", "kind", "made", "begun")}
        return arrays | {"chance": self._chance.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Restore `state`."""
        for name in ("left", "kind", "made", "begun"):
            setattr(self, name, state[name].numpy().copy())
        self._chance.bit_generator.state = state["chance"]
