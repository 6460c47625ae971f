"""Self-play on several nodes: actors, learners, nodes and whole clusters are lost, and the run goes on."""

import os
import signal
from itertools import pairwise
from pathlib import Path

from ray.cluster_utils import Cluster

from vitienv.training import cluster_selfplay, selfplay
from vitienv.training.run_folder import points
from vitienv.training.selfplay import train_selfplay
from vitienv.training.watch import Watch

HEAD = {"num_cpus": 0, "object_store_memory": 100 * 2**20, "include_dashboard": False}
NODE = {"num_cpus": 2, "object_store_memory": 100 * 2**20}
SMALL = {
    "mix": "2", "num_envs": 12, "num_steps": 24, "hidden": 8, "league": ("random",), "advice": None, "warm": 1,
    "max_years": 4, "snapshot": 2, "evaluation_games": 2, "yardsticks": ["random"], "checkpoint_seconds": 0.0,
    "progress": False,
}  # fmt: skip
QUIET = {"evaluation_games": 0, "progress": False}


def cluster_of(nodes):
    made = Cluster(initialize_head=True, head_node_args=HEAD)
    for _ in range(nodes):
        made.add_node(**NODE)
    made.wait_for_nodes()
    return made


def working_on(node, kind):
    """The processes of a kind on a node, by their number."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = path.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            if path.joinpath("cmdline").read_bytes().startswith(f"ray::{kind}".encode()):
                found += [int(path.name)] if int(parent) == node.all_processes["raylet"][0].process.pid else []
        except OSError:
            continue
    return found


class Story:
    """What a training tells, and what is done about it, one deed after the other, when two more updates were told."""

    def __init__(self, deeds):
        self.deeds, self.seen, self.lines, self.came, self._last = deeds, [], [], False, 0

    def look(self, updates, found):
        self.seen.append((updates, found))
        if self.deeds and len(self.seen) - self._last >= 2 and self.deeds[0]():
            del self.deeds[0]
            self._last = len(self.seen)
        self.came = not self.deeds  # then it is stopped, as by Ctrl-C

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def test_actors_learner_and_cluster_are_lost_and_the_run_goes_on(tmp_path, monkeypatch):
    run, nodes, tell = tmp_path / "run", cluster_of(3), Watch.tell

    def others():
        return [node for node in nodes.worker_nodes if not working_on(node, "RayTrainWorker")]

    def two_play():
        return story.seen[-1][1]["actors"] == 2

    def kill_an_actor():
        players = [number for node in others() for number in working_on(node, "Player")]
        return len(players) > 0 and os.kill(players[0], signal.SIGKILL) is None

    def kill_a_node_of_actors():
        if not any("another one takes its place" in line for line in story.lines) or len(others()) < 2:
            return False
        return nodes.remove_node(others()[0], allow_graceful=False) is None

    def the_node_is_named():
        return any("is gone; its parts" in line for line in story.lines)

    def kill_the_learners_node():
        [node] = [node for node in nodes.worker_nodes if node not in others()]
        return nodes.remove_node(node, allow_graceful=False) is None

    def another_learner():
        return "a learner was lost; all go on from the last checkpoint" in story.lines

    story = Story(
        [two_play, kill_an_actor, kill_a_node_of_actors, the_node_is_named, kill_the_learners_node, another_learner]
    )  # fmt: skip
    monkeypatch.setenv("RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", "0")
    monkeypatch.setattr(selfplay, "_Interrupt", lambda: story)
    monkeypatch.setattr(cluster_selfplay, "say", story.lines.append)
    monkeypatch.setattr(Watch, "tell", lambda watch, learner, found, *rest: (
        tell(watch, learner, found, *rest), story.look(learner.updates, found)
    ))  # fmt: skip
    try:
        done = train_selfplay(run, minutes=30, on=f"ray:{nodes.address}", actors=2, **SMALL)
    finally:
        nodes.shutdown()
    assert not story.deeds
    after = [updates for updates, _ in story.seen]
    assert all(later >= before for before, later in pairwise(after))  # checkpoints came after each: one is lost at most
    assert max(found["staleness"] for _, found in story.seen) <= 1
    assert done["updates"] == after[-1] == int(points(run / "curve.csv")[-1]["updates"])

    monkeypatch.undo()
    nodes = cluster_of(1)  # nothing is left of the first one but the run folder
    try:
        more = train_selfplay(run, updates=2, resume=True, on=f"ray:{nodes.address}", **QUIET)
    finally:
        nodes.shutdown()
    assert more["updates"] == done["updates"] + 2 and more["steps"] > done["steps"]
    here = train_selfplay(run, updates=1, resume=True, **QUIET)
    assert here["updates"] == done["updates"] + 3 and here["steps"] > more["steps"]
