"""League of self-play: the learner, snapshots of it, and bots.

In a fraction of the games (`share`) a random seat is the learner's and the other seats are members'; in the others the
learner has all seats. Members that the learner does not beat yet are sampled more often.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import torch

from vitienv.agents import Agent
from vitienv.agents.network import Network
from vitienv.agents.seeding import make_bots
from vitienv.core.batch import TRUNCATED
from vitienv.registry import canonical_name
from vitienv.training.selfplay.acting import Step, Work, is_thread_safe
from vitienv.training.selfplay.envs import Envs, StepResult
from vitienv.training.selfplay.network import PolicyValue

LEARNER = -1
MEMORY = 300.0  # games in the moving average of a score
FLOOR = 0.05  # minimum sampling weight of a member


class League:
    """Members, the learner's scores against them, and the controller of each seat.

    seating (envs, max seats): LEARNER or the index of a member. scores (members,): share of seat pairs in which the
    learner ranked above the member, ties counting half; in team games, in which the team won. games (members,): number
    of pairs.
    """

    def __init__(
        self, bots: Sequence[str], share: float, max_snapshots: int, num_active: int, envs: Envs, seed: int
    ) -> None:
        """max_snapshots, num_active: numbers of snapshots and of active ones. seed: of the seating."""
        self.names = list(bots)
        self.bots: list[Agent] = make_bots(bots, seed, canonical_name(envs.game_spec))
        self.share, self.max_snapshots, self.num_active = share, max_snapshots, num_active
        self.snapshots: list[PolicyValue] = []
        self.compiled_snapshots: list[Network] = []  # compiled copies of `snapshots`
        self.scores, self.games = np.full(len(bots), 0.5), np.zeros(len(bots))
        self.active = np.arange(len(bots))
        self.envs = envs
        self.seating = np.full((envs.n, envs.game_spec.max_seats), LEARNER)
        self._rng = np.random.default_rng([seed, 1])
        self._wins, self._pairs = np.zeros(0), np.zeros(0)
        self._clear()
        self.seat(np.arange(envs.n))

    def __len__(self) -> int:
        return len(self.names)

    def _clear(self) -> None:
        self._wins, self._pairs = np.zeros(len(self)), np.zeros(len(self))

    def weights(self) -> np.ndarray:
        """Return the sampling weights (members,), not normalised."""
        return (1 - self.scores) ** 2 + FLOOR

    def seat(self, envs: np.ndarray) -> None:
        """Sample the seating of the new games of these envs."""
        n = len(envs)
        self.seating[envs] = LEARNER
        is_mixed = (self._rng.random(n) < self.share) & (self.envs.players[envs] > 1)
        weights = self.weights()[self.active]
        if not len(self.active):
            return
        size = (n, self.seating.shape[1])
        members = self.active[self._rng.choice(len(self.active), size=size, p=weights / weights.sum())]
        learner_seats = (self._rng.random(n) * self.envs.players[envs]).astype(np.int64)
        members[np.arange(n), learner_seats] = LEARNER
        self.seating[envs[is_mixed]] = members[is_mixed]

    def record(self, step_result: StepResult) -> None:
        """Record the results of finished games and seat the new ones."""
        ended_envs = np.flatnonzero(step_result.ended)
        if not len(ended_envs):
            return
        rows = ended_envs[step_result.ended[ended_envs] != TRUNCATED]
        seating = self.seating[rows]
        is_seated = np.arange(self.seating.shape[1]) < self.envs.players[rows, None]
        is_member = (seating != LEARNER) & is_seated
        mixed = is_member.any(axis=1)
        rows, seating, is_member = rows[mixed], seating[mixed], is_member[mixed]
        learner_seats = (seating == LEARNER).argmax(axis=1)
        ranks = step_result.ranks[rows]
        learner_ranks = ranks[np.arange(len(rows)), learner_seats][:, None]
        result = np.where(learner_ranks < ranks, 1.0, np.where(learner_ranks == ranks, 0.5, 0.0))
        if self.envs.game_spec.is_of_team:
            result = np.where(ranks == 1, 1.0, 0.0)
        np.add.at(self._wins, seating[is_member], result[is_member])
        np.add.at(self._pairs, seating[is_member], 1.0)
        self.seat(ended_envs)

    def update_scores(self, all_reduce: Callable[[np.ndarray], np.ndarray]) -> None:
        """Update the scores by the results since the last call. all_reduce: sums an array over all processes."""
        wins, pairs = all_reduce(self._wins), all_reduce(self._pairs)
        old_games = np.minimum(self.games, np.maximum(MEMORY - pairs, 0))
        total = old_games + pairs
        self.scores = np.where(pairs > 0, (self.scores * old_games + wins) / np.maximum(total, 1), self.scores)
        self.games = total
        self._clear()

    def add_snapshot(self, network: PolicyValue, name: str) -> None:
        """Add a snapshot of the learner.

        A full league drops the younger of the two snapshots closest in age, so that the oldest one stays and the others
        spread over the run.
        """
        if self.max_snapshots < 1:
            return
        first = len(self.bots)
        if len(self.snapshots) >= self.max_snapshots:
            ages = np.array([int(self.names[first + i].partition("@")[2]) for i in range(len(self.snapshots))])
            self._remove_snapshot(0 if len(ages) < 2 else 1 + int(np.diff(ages).argmin()))
        self._add(copy.deepcopy(network), name)
        self._clear()

    def _add(self, network: PolicyValue, name: str) -> None:
        frozen = network.eval().requires_grad_(False)
        self.snapshots.append(frozen)
        self.compiled_snapshots.append(frozen.compiled())
        self.names.append(name)
        self.scores, self.games = np.append(self.scores, 0.5), np.append(self.games, 0.0)

    def _remove_snapshot(self, number: int) -> None:
        index = len(self.bots) + number
        del self.snapshots[number], self.compiled_snapshots[number], self.names[index]
        self.scores, self.games = np.delete(self.scores, index), np.delete(self.games, index)
        # The next member in the list continues the games of the dropped one.
        self.seating = np.where(self.seating > index, self.seating - 1, self.seating)
        self.seating[self.seating >= len(self.names)] = len(self.names) - 1
        self.active = np.arange(len(self.bots))

    def choose_active(self, shared_seed: Sequence[int]) -> None:
        """Sample the active snapshots, the same in every process."""
        rng = np.random.default_rng([*shared_seed, 2])
        first, n = len(self.bots), min(self.num_active, len(self.snapshots))
        weights = self.weights()[first:]
        snapshots: Any = rng.choice(len(self.snapshots), size=n, replace=False, p=weights / weights.sum()) if n else []
        self.active = np.concatenate([np.arange(first), first + np.sort(np.asarray(snapshots, np.int64))])

    def controllers(self) -> np.ndarray:
        """Return the controller of the current seat of each env, (envs,)."""
        return self.seating[np.arange(self.envs.n), self.envs.seats]

    def snapshot_network(self, number: int) -> PolicyValue:
        """Return the network of a member that is a snapshot."""
        return self.snapshots[number - len(self.bots)]

    def member_tasks(self, controllers: np.ndarray, step: Step) -> list[tuple[Work, np.ndarray]]:
        """Return the tasks that choose the members' actions of a step.

        controllers (envs,): LEARNER or the index of a member. Bots that are not thread-safe are called at once.
        """
        tasks: list[tuple[Work, np.ndarray]] = []
        for number in np.flatnonzero(np.bincount(controllers[controllers >= 0])).tolist():
            rows = np.flatnonzero(controllers == number)
            if number >= len(self.bots):
                tasks.append((partial(step.play_snapshot, self.compiled_snapshots[number - len(self.bots)]), rows))
                continue
            bot = self.bots[number]
            work = partial(step.play_bot, partial(self.envs.ask, bot))
            if is_thread_safe(bot):
                tasks.append((work, rows))
            else:
                work(rows)
        return tasks

    def standing(self) -> dict[str, float]:
        """Return the learner's score against each member it has played."""
        return {name: float(self.scores[i]) for i, name in enumerate(self.names) if self.games[i] > 0}

    def state(self) -> dict[str, Any]:
        """Return the state shared by all processes."""
        return {
            "names": self.names[len(self.bots) :],
            "snapshots": [network.state_dict() for network in self.snapshots],
            "scores": torch.from_numpy(self.scores), "games": torch.from_numpy(self.games),
            "active": torch.from_numpy(self.active),
        }  # fmt: skip

    def local_state(self) -> dict[str, Any]:
        """Return the state of this process."""
        return {"seating": torch.from_numpy(self.seating.copy()), "rng": self._rng.bit_generator.state}

    def restore(self, state: dict[str, Any], seats: dict[str, Any] | None, template: PolicyValue) -> None:
        """Restore `state` and `local_state`. template: a network of the same architecture and device."""
        self.names[len(self.bots) :] = state["names"]
        self.snapshots, self.compiled_snapshots = [], []
        for weights in state["snapshots"]:
            network = copy.deepcopy(template).eval().requires_grad_(False)
            network.load_state_dict(weights)
            self.snapshots.append(network)
            self.compiled_snapshots.append(network.compiled())
        self.scores, self.games = state["scores"].numpy().copy(), state["games"].numpy().copy()
        self.active = state["active"].numpy().copy()
        self._clear()
        if seats is not None:
            self.seating = seats["seating"].numpy().copy()
            self._rng.bit_generator.state = seats["rng"]
