"""Self-play on several nodes: actors, learners, nodes and whole clusters are lost, and the run goes on."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from itertools import pairwise

import pytest
import ray

from tests.cluster.nodes import NODE, cluster_of, working_on
from tests.training.test_full_disk import FailingDisk
from vitienv import cli
from vitienv.training.cluster import selfplay as cluster_selfplay
from vitienv.training.cluster.executor import connected
from vitienv.training.run_folder import points
from vitienv.training.selfplay import train as selfplay
from vitienv.training.selfplay.run import decisions_in
from vitienv.training.selfplay.train import train_selfplay
from vitienv.training.watch import Watch

TWO = {"num_cpus": 2}
SMALL = {
    "mix": "2", "num_envs": 12, "num_steps": 24, "hidden": 8, "league": ("random",), "advice": None, "warm": 1,
    "max_years": 4, "snapshot": 2, "evaluation_games": 2, "yardsticks": ["random"], "checkpoint_seconds": 0.0,
    "progress": False,
}  # fmt: skip


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


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    """The run folder of a training that went on while an actor, a node of actors and one of two learners were lost;
    then the whole cluster was."""
    ray.shutdown()  # the connection to the cluster of other tests
    run, nodes, tell = tmp_path_factory.mktemp("lost") / "run", cluster_of(3, **TWO), Watch.tell

    def without_learner():
        return [node for node in nodes.worker_nodes if not working_on(node, "RayTrainWorker")]

    def two_play():
        return story.seen[-1][1]["actors"] == 2 and len(without_learner()) == 1

    def kill_an_actor():
        players = [number for node in nodes.worker_nodes for number in working_on(node, "Player")]
        return len(players) > 0 and os.kill(players[0], signal.SIGKILL) is None

    def kill_a_node_of_actors():
        if not any("another one takes its place" in line for line in story.lines):
            return False
        return nodes.remove_node(without_learner()[0], allow_graceful=False) is None

    def the_node_is_named():
        return any("is gone; its parts" in line for line in story.lines)

    def kill_the_node_of_one_learner():
        nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
        return nodes.add_node(**NODE | TWO) is not None

    def others_learn():
        return "a learner was lost; all go on from the last checkpoint" in story.lines

    story = Story([
        two_play, kill_an_actor, kill_a_node_of_actors, the_node_is_named, kill_the_node_of_one_learner, others_learn
    ])  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TRAIN_ENABLE_PREEMPTION_WATCHER", "0")
        patch.setattr(selfplay, "Interrupt", lambda: story)
        patch.setattr(cluster_selfplay, "say", story.lines.append)
        patch.setattr(Watch, "tell", lambda watch, learner, found, *rest: (
            tell(watch, learner, found, *rest), story.look(learner.updates, found)
        ))  # fmt: skip
        try:
            done = train_selfplay(run, minutes=10, on=f"ray:{nodes.address}", actors=2, learners=2, **SMALL)
        finally:
            nodes.shutdown()
    return run, story, done


def test_actors_nodes_and_one_of_two_learners_are_lost_and_the_run_goes_on(lost):
    run, story, done = lost
    assert not story.deeds
    after = [updates for updates, _ in story.seen]
    assert all(later >= before for before, later in pairwise(after))  # checkpoints came after each: one is lost at most
    assert max(found["staleness"] for _, found in story.seen) <= 1
    assert done["updates"] == after[-1] == int(points(run / "curve.csv")[-1]["updates"])


def left_on(nodes):
    """The processes of a training on all nodes, once those that are ending have had their time."""
    until = time.monotonic() + 60
    while True:
        kinds = ("Player", "RayTrainWorker", "TrainController", "Desk")
        found = [number for node in nodes.list_all_nodes() for number in working_on(node, *kinds)]
        if not found or time.monotonic() > until:
            return found
        time.sleep(0.2)


def test_on_another_cluster_it_goes_on_until_ctrl_c_which_leaves_a_checkpoint_and_nothing_running(lost, nodes, on):
    run, _, done = lost
    arguments = ["train", "--resume", "--run", str(run), "--on", on, "--processes", "1", "--minutes", "10"]
    command, log = [sys.executable, "-m", "vitienv.cli", *arguments], run.parent / "told"
    with log.open("w") as told:
        running = subprocess.Popen(command, stdout=told, stderr=told, start_new_session=True)
    try:
        until = time.monotonic() + 120
        while "1 actors" not in log.read_text() and time.monotonic() < until:
            time.sleep(0.2)
        os.killpg(running.pid, signal.SIGINT)  # a terminal sends it to all that the command began
        assert running.wait(60) == 0
    finally:
        running.kill()
    said = log.read_text()
    assert "stopping after this update, with a checkpoint" in said and "Traceback" not in said
    assert decisions_in(run) > done["steps"] and not list(run.rglob("*.tmp"))
    assert f"{decisions_in(run):,} decisions" in said.splitlines()[-1]
    assert left_on(nodes) == []


def test_on_a_full_disk_it_ends_in_a_line_and_goes_on_later(lost, nodes, on, monkeypatch, capsys):
    run, _, _ = lost
    before = decisions_in(run)
    eager = partial(train_selfplay, checkpoint_seconds=0.0, evaluation_games=0)
    monkeypatch.setattr(selfplay, "train_selfplay", eager)
    with connected(nodes.address):  # by whoever has more to do on it: no end of this process ends the learners
        with FailingDisk(monkeypatch, 1):  # the bot is written, and the checkpoint beside it is not
            assert cli.run(["train", "--resume", "--run", str(run), "--on", on, "--processes", "1"]) == 2
        assert left_on(nodes) == []
    said = capsys.readouterr().err
    assert said.splitlines()[-1] == f"vitienv: No space left on device: '{run / selfplay.CHECKPOINT}'"
    assert "Traceback" not in said and not list(run.rglob("*.tmp"))
    assert decisions_in(run) == before
    assert eager(run, updates=1, resume=True, progress=False)["steps"] > before  # without Ray
