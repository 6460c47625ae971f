"""Actors on the nodes of a Ray cluster that make the games of self-play, and a learner's hold on its actors.

An actor plays a rollout at a time (`learner.Learner.play`) with the learner's network and league, and sends the
samples as columns. Networks lie in the object store, where each node fetches them once. The learner takes rollouts as
they come: a slow actor holds up nobody, and rollouts of too old a network are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from vitienv import threads
from vitienv.training.cluster.executor import DEATHS, Luggage, last_line, unpack
from vitienv.training.cluster.nodes import POLL, Nodes
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.network import PolicyValue
from vitienv.training.selfplay.processes import Processes

Weights = dict[str, np.ndarray]


@dataclass(frozen=True)
class Played:
    """A rollout. version: the updates of the network that played it. seconds: it took, `spent` by what was done.
    sums, results: of its games and their members. columns: see `Sample.columns`."""

    node: str
    version: int
    seconds: float
    spent: dict[str, float]
    decisions: int
    sums: dict[str, float]
    results: dict[str, tuple[float, float]]
    columns: dict[str, np.ndarray]
    explained: float


def weights_of(network: PolicyValue) -> Weights:
    """A network's numbers, as they travel."""
    return {name: value.detach().cpu().numpy() for name, value in network.state_dict().items()}


def load(network: PolicyValue, weights: Weights) -> PolicyValue:
    """Put weights into a network, which is returned."""
    network.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in weights.items()})
    return network


class Player:
    """An actor. It dies with the learner that made it."""

    def __init__(self, luggage: Luggage, settings: Settings, birth: tuple[int, ...]) -> None:
        """birth: numbers that no other actor of the run has or had; they decide its games."""
        import ray

        self._get, self._node = ray.get, ray.get_runtime_context().get_node_id()
        self._luggage, self._settings, self._birth = luggage, settings, birth

    def ready(self) -> str:
        """The number of its node, once it can play. ValueError if this node would play other games."""
        unpack(self._luggage, self._node)
        threads.settle()
        seed = int(np.random.SeedSequence([self._settings.seed, *self._birth]).generate_state(1)[0])
        self._learner = Learner(replace(self._settings, seed=seed, teacher=None), Processes("cpu"))
        return self._node

    def play(self, version: int, weights: Weights, league: dict[str, Any], selves: dict[str, list[Any]]) -> Played:
        """Play a rollout. league: as `League.told`. selves: references to the weights of the past selves."""
        learner, began = self._learner, time.monotonic()
        load(learner.network, weights)
        learner.league.follow(league, lambda name: self._past(self._get(selves[name][0])))
        before = learner.decisions
        learner.play()
        sample = learner.sample()
        columns, results = sample.columns(), learner.league.results()
        learner.rollout.carry()
        spent, sums = dict(learner.seconds), dict(learner.sums)
        learner.seconds.clear()
        learner.sums.clear()
        return Played(
            self._node, version, time.monotonic() - began, spent, learner.decisions - before, sums, results, columns,
            sample.explained,
        )  # fmt: skip

    def _past(self, weights: Weights) -> PolicyValue:
        made = self._learner.network
        return load(PolicyValue(made.architecture, made.definition), weights)


class Players:
    """A learner's actors: it gives them work, waits for them, and replaces dead ones."""

    def __init__(
        self, ray: Any, make: Callable[[int], Any], wanted: Callable[[], int], bound: int, nodes: Nodes,
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        """make: begins the actor of a number. wanted: how many there should be, which may grow. bound: updates by which
        a network that played may be older than the one that learns. say: tells of the actors that are lost."""
        self._ray, self._make, self._wanted, self._bound, self._nodes = ray, make, wanted, bound, nodes
        self._say = say
        self._made, self._deaths, self._counted = 0, 0, -POLL
        self._starting: dict[Any, Any] = {}  # pending call -> actor
        self._running: dict[Any, Any] = {}
        self._idle: list[Any] = []
        self._at: dict[Any, str] = {}  # actor -> the number of its node
        self.dropped = 0  # rollouts that were too old

    def __len__(self) -> int:
        """How many play."""
        return len(self._running) + len(self._idle)

    def gather(self, version: int, work: tuple) -> list[Played]:
        """Gather as many rollouts as there are actors, at least one. work: arguments of `Player.play`."""
        rollouts: list[Played] = []
        while not rollouts or len(rollouts) < len(self):
            self._fill()
            self.hand_out(work, len(rollouts))
            awaited = [*self._starting, *self._running]
            if not awaited:  # no node has a core left for an actor
                time.sleep(POLL)
                continue
            ready, _ = self._ray.wait(awaited, num_returns=1, timeout=POLL)
            self._nodes.look()
            for reference in ready:
                played = self._take(reference)
                if played is None:
                    continue
                self._nodes.note(played)
                if version - played.version > self._bound:
                    self.dropped += 1
                else:
                    rollouts.append(played)
        return rollouts

    def hand_out(self, work: tuple, taken: int) -> None:
        """Let those that have nothing to do play, if what they make will not be too old. taken: rollouts of this
        version's update that are there; those that come after its last one are learned from in the next update."""
        while self._idle and (taken + len(self._running)) // len(self) <= self._bound:
            actor = self._idle.pop()
            self._running[actor.play.remote(*work)] = actor

    def _fill(self) -> None:
        """Begin actors until there are as many as wanted: some have died, or nodes have come."""
        if time.monotonic() < self._counted + POLL:
            return
        self._counted = time.monotonic()
        for _ in range(self._wanted() - len(self) - len(self._starting)):
            actor = self._make(self._made)
            self._made += 1
            self._starting[actor.ready.remote()] = actor

    def _take(self, reference: Any) -> Played | None:
        """What an actor has to tell; None if that is no rollout. ValueError or OSError as it raised them."""
        errors = self._ray.exceptions
        is_new = reference in self._starting
        actor = (self._starting if is_new else self._running).pop(reference)
        try:
            version = self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, (ValueError, OSError)):
                raise error.cause from None
            raise
        except errors.RayError as error:  # it died, or what it made died with its node
            self._lost(actor, error)
            return None
        self._idle.append(actor)
        if is_new:
            self._at[actor] = version
            return None
        self._deaths = 0
        return version

    def _lost(self, actor: Any, error: Exception) -> None:
        self._deaths += 1
        if self._deaths > DEATHS:
            raise ValueError(f"{self._deaths} actors were lost one after the other: {last_line(error)}")
        self._counted = -POLL
        where = self._at.pop(actor, "")[:8]
        self._say(f"an actor{where and f' on node {where}'} was lost; another one takes its place")
        self._ray.kill(actor)
