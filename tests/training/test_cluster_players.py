"""A learner's hold on its actors: who plays, what is too old, who is replaced. Ray itself is played by a stand-in."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from vitienv.training.cluster import executor as cluster
from vitienv.training.cluster import learners as cluster_learners
from vitienv.training.cluster import selfplay as cluster_selfplay
from vitienv.training.cluster.nodes import Nodes
from vitienv.training.cluster.players import Played, Players
from vitienv.training.selfplay.learner import Learner, Settings
from vitienv.training.selfplay.processes import Processes
from vitienv.training.selfplay.rollout import Sample


class RayError(Exception):
    pass


class RayTaskError(RayError):
    cause = None


class Ray:
    """Calls lie in the order in which they were made; each ends when `wait` comes to it."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self):
        self.killed, self.asked, self.slow, self.dead = [], [], set(), {}

    def wait(self, references, num_returns, timeout):
        ready = [each for each in references if each[0] not in self.slow]
        return ready[:1], []

    def get(self, reference):
        number, what, work = reference
        if number in self.dead:
            raise self.dead[number]
        return "node" if what == "ready" else played(work[0])

    def kill(self, actor):
        self.killed.append(actor.number)

    def make(self, number):
        def call(what):
            def remote(*work):
                self.asked.append((number, what, *work[:1]))
                return number, what, work

            return SimpleNamespace(remote=remote)

        return SimpleActor(number, call("ready"), call("play"))


class SimpleActor:
    def __init__(self, number, ready, play):
        self.number, self.ready, self.play = number, ready, play


def played(version):
    return Played("node", version, 1.0, {}, 10, {}, {}, {}, 0.0)


def players_of(ray, wanted=2, bound=1):
    said = []
    nodes = SimpleNamespace(look=lambda: None, note=lambda done: None)
    return Players(ray, ray.make, lambda: wanted, bound, nodes, said.append), said


def test_actors_play_while_the_learner_learns_and_never_by_too_old_a_network():
    ray = Ray()
    players, _ = players_of(ray)
    assert [each.version for each in players.gather(0, (0,))] == [0, 0] and len(players) == 2
    players.hand_out((0,), 2)
    for version in range(1, 6):
        assert {version - each.version for each in players.gather(version, (version,))} <= {0, 1}
        before = len(ray.asked)
        players.hand_out((version,), 2)
        assert len(ray.asked) > before
    assert players.dropped == 0


def test_where_nothing_may_be_old_everybody_waits_for_the_newest():
    ray = Ray()
    players, _ = players_of(ray, bound=0)
    for version in range(4):
        assert [each.version for each in players.gather(version, (version,))] == [version, version]
        players.hand_out((version,), 2)
    assert [what for _, what, *_ in ray.asked].count("play") == 8 and players.dropped == 0


def test_what_a_slow_actor_made_by_too_old_a_network_is_dropped():
    ray = Ray()
    players, _ = players_of(ray)
    players.gather(0, (0,))
    players.hand_out((0,), 2)
    ray.slow.add(1)
    for version in (1, 2):
        assert all(version - each.version <= 1 for each in players.gather(version, (version,)))
    ray.slow.clear()
    assert {each.version for each in players.gather(3, (3,))} <= {2, 3}
    assert players.dropped == 1


def test_a_lost_actor_is_named_and_replaced():
    ray = Ray()
    players, said = players_of(ray)
    players.gather(0, (0,))
    ray.dead[1] = RayError("the actor died")
    while len(ray.killed) < 1 or len(players) < 2:
        players.gather(1, (1,))
    assert ray.killed == [1] and said == ["an actor on node node was lost; another one takes its place"]
    assert (2, "play", 1) in ray.asked


def test_actors_that_cannot_live_end_the_run_in_one_line():
    ray = Ray()
    ray.dead = {number: RayError("first line\nno memory") for number in range(100)}
    with pytest.raises(ValueError, match=r"^11 actors were lost one after the other: no memory$"):
        players_of(ray)[0].gather(0, (0,))
    error = RayTaskError("...")
    error.cause = ValueError("node b has vitienv 9")
    ray.dead = {0: error}
    with pytest.raises(ValueError, match=r"^node b has vitienv 9$"):
        players_of(ray)[0].gather(0, (0,))


def test_a_slow_node_is_named_once_and_a_node_that_is_gone(monkeypatch):
    there = [
        {"NodeID": f"{name}-0123456789", "NodeName": name, "Alive": True, "Resources": {"CPU": 1}} for name in "abc"
    ]
    said = []
    nodes = Nodes(SimpleNamespace(nodes=lambda: there), said.append)
    for _ in range(4):
        for node, seconds in zip(there, (1.0, 1.2, 9.0), strict=True):
            nodes.note(SimpleNamespace(node=node["NodeID"], seconds=seconds))
    assert said == ["node c/c-012345 is slow: 9.0 s a part, the middle node 1.2 s"]
    monkeypatch.setattr("vitienv.training.cluster.nodes.POLL", 0.0)
    there[1]["Alive"] = False
    nodes.look()
    assert said[1:] == ["node b/b-012345 is gone; its parts are played again elsewhere"]


def test_a_machine_of_few_cores_has_room_for_all_learners_asked_for():
    for cores, learners, threads in ((2, 0, 1), (2, 2, 1), (2, 2, 2), (16, 4, 2), (1, 1, 1)):
        actors, n = cluster_selfplay._actors_here(cores, learners, threads), max(1, learners)
        assert actors >= cores - n * threads
        room = {"CPU": n * threads + actors}
        assert cluster_selfplay._shared_out(room, learners, threads, "cpu") == (n, "cpu")
    with pytest.raises(ValueError, match="2 learners of 1 threads and an actor for each need 4 cores; the cluster has"):
        cluster_selfplay._shared_out({"CPU": 3}, 2, 1, "cpu")


def test_a_full_disk_under_a_learner_names_its_node(monkeypatch):
    def full(folder, *_):
        raise OSError(28, "No space left on device", str(folder / "agent.safetensors"))

    monkeypatch.setattr(cluster, "_called_here", lambda: "b/b-012345")
    monkeypatch.setattr(cluster_learners, "write_run", full)
    with pytest.raises(OSError, match=r"No space left on device, on node b/b-012345: '.*agent.safetensors'"):
        cluster_learners._written(None, {})


def test_learning_from_columns_is_learning_from_the_rollout():
    settings = Settings(mix="2", num_envs=8, num_steps=16, hidden=8, league=(), advice=None, warm=0, minibatch_size=64)
    weights = []
    for travels in (False, True):
        learner = Learner(settings, Processes("cpu"))
        learner.play()
        sample = learner.sample()
        if travels:
            sample = Sample.of([sample.columns()], sample.explained, torch.device("cpu"))
        assert learner.learn(sample, 0.0)["policy"] != 0
        weights.append([value.numpy() for value in learner.network.state_dict().values()])
    assert all(np.array_equal(*pair) for pair in zip(*weights, strict=True))
