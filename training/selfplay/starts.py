"""Where a game of self-play starts: as it is dealt, some random choices deep, or after an opening drawn evenly.

Self-play stays blind to what it never plays. So in a share of the games the first choices are drawn evenly among the
legal actions, whatever the network thinks of them. Nothing that anybody chooses before the start is learned from.
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
MOST_CHOICES = 10_000  # random ones before a start: no game is longer
NOBODY = -2  # in place of a decider: the choice is drawn
EXAMPLE = "dealt:2,random/100:1,even/wake_up/place_worker:1"


@dataclass(frozen=True)
class Start:
    """One kind of start and its share of the games (a weight). choices: the most random ones before it. decisions: the
    numbers of those that are drawn evenly, each seat's first one of each, the last of which ends the opening."""

    share: float
    choices: int = 0
    decisions: tuple[int, ...] = ()


def parse_starts(text: str, game: GameSpec) -> list[Start]:
    """The starts of a mix such as "dealt:2,random/100:1,even/wake_up/place_worker:1", with their weights.

    dealt: the game as it is dealt. random/N: k choices of all seats are random first, k drawn evenly from 0 to N.
    even/NAME/...: each seat's first choice of each decision named is random; the opening is over when every seat has
    made the one named last, or with the first round. ValueError says which part is wrong.
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
            about = f"with a number from 1 to {MOST_CHOICES:,} after random"
            raise ValueError(f"starts has {part.strip()!r}; it must be like {EXAMPLE!r}, {about}")
        if kind == EVEN and (unknown := [word for word in words if word not in game.decisions]):
            raise ValueError(f"starts names a decision {unknown[0]!r}; {game.title} has {', '.join(game.decisions)}")
        if kind == EVEN:
            starts.append(Start(share, decisions=tuple(game.decisions.index(word) for word in words)))
        else:
            starts.append(Start(share, choices=int(words[0]) if kind == RANDOM else 0))
    return starts


class Starts:
    """How the game of each env begins.

    left (envs,) int64: random choices still to come before the start. kind (envs,) int64: its number in the mix.
    made (envs, most seats, decisions) bool: which first choices of an even opening were made. begun (envs,) bool:
    whether the game is past its start.
    """

    def __init__(self, text: str, envs: Envs, seed: int) -> None:
        """seed: of the draws here; those of the games as they are dealt are not touched."""
        self.mix = parse_starts(text, envs.game_spec)
        self.envs = envs
        self._chance = np.random.default_rng([seed, 3])
        self._is_plain = all(start == Start(start.share) for start in self.mix)
        decisions = len(envs.game_spec.decisions)
        n, seats = envs.n, envs.game_spec.max_seats
        self._drawn = np.zeros((len(self.mix), decisions), bool)  # evenly, by the number of the start
        for number, start in enumerate(self.mix):
            self._drawn[number, list(start.decisions)] = True
        self._last = np.array([start.decisions[-1] if start.decisions else -1 for start in self.mix])
        self.left, self.kind = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.made, self.begun = np.zeros((n, seats, decisions), bool), np.ones(n, bool)
        self.draw(np.arange(n))

    def draw(self, envs: np.ndarray) -> None:
        """Draw where the new games of these envs start."""
        if self._is_plain or not len(envs):
            return
        shares = np.array([start.share for start in self.mix])
        self.kind[envs] = kinds = self._chance.choice(len(self.mix), size=len(envs), p=shares / shares.sum())
        most = np.array([start.choices for start in self.mix])[kinds]
        self.left[envs] = self._chance.integers(0, most + 1)
        self.made[envs] = False
        self.begun[envs] = (self.left[envs] == 0) & (self._last[kinds] < 0)

    def controllers(self, who: np.ndarray) -> np.ndarray:
        """The decider of each env, (envs,): NOBODY where the choice is drawn evenly, else as in `who` (envs,)."""
        if self._is_plain:
            return who
        now, rows = self.envs.decisions(), np.arange(len(who))
        first = self._drawn[self.kind, now] & ~self.made[rows, self.envs.seats, now]
        return np.where(~self.begun & ((self.left > 0) | first), NOBODY, who)

    def choose(self, who: np.ndarray, step: Step) -> None:
        """Write into the step what is drawn where `who` is NOBODY, evenly among the legal actions."""
        rows = np.flatnonzero(who == NOBODY)
        if len(rows):
            legal = step.masks[rows] == 1
            number = (self._chance.random(len(rows)) * legal.sum(axis=1)).astype(np.int64)
            step.actions[rows] = (legal.cumsum(axis=1) > number[:, None]).argmax(axis=1)

    def note(self) -> None:
        """Every env is about to take a step: what that leaves of its opening."""
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
        """The changing state."""
        kept = {name: torch.from_numpy(getattr(self, name).copy()) for name in ("left", "kind", "made", "begun")}
        return kept | {"chance": self._chance.bit_generator.state}

    def restore(self, state: dict[str, Any]) -> None:
        """Put back what `state` gave."""
        for name in ("left", "kind", "made", "begun"):
            setattr(self, name, state[name].numpy().copy())
        self._chance.bit_generator.state = state["chance"]
