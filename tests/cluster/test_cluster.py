"""Games on several nodes, each a process of its own on this machine: the same files, whatever happens to the nodes."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import ray

import vitienv
from tests.cluster.nodes import NODE, cluster_of
from tests.command import contents
from vitienv import cli
from vitienv.training.cluster import executor as cluster
from vitienv.training.cluster.nodes import Nodes
from vitienv.training.evaluation import data_sets
from vitienv.training.evaluation.evaluate import evaluate
from vitienv.training.evaluation.ladder import Ladder, challenge
from vitienv.training.evaluation.sprt import Sprt
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.executors import executor
from vitienv.training.report import make
from vitienv.training.search.train import train_search
from vitienv.training.workers import Bots

ROOT = Path(vitienv.__file__).resolve().parent.parent
BOTS = ("random", "random:seed=3", "heuristic")


def tournament(**changes):
    return Settings(**{"agents": BOTS, "num_players": 3, "games": 72, "seed": 4, "chunk_size": 6,
                       "options": {"max_years": 3}, **changes})  # fmt: skip


def test_a_node_killed_in_the_middle_changes_no_file(nodes, backend, tmp_path):
    run_tournament(tournament(), tmp_path / "here")
    lost = nodes.add_node(**NODE)
    nodes.wait_for_nodes()

    def kill(done, of):
        if done >= 12 and lost in nodes.worker_nodes:
            nodes.remove_node(lost, allow_graceful=False)

    run_tournament(tournament(), tmp_path / "ray", executor(backend), kill)
    assert lost not in nodes.worker_nodes
    assert contents(tmp_path / "ray") == contents(tmp_path / "here")


def test_a_node_that_is_gone_is_named(nodes, capfd):
    lost = nodes.add_node(**NODE)
    nodes.wait_for_nodes()
    looked, number = Nodes(ray), lost.node_id
    nodes.remove_node(lost, allow_graceful=False)
    until = time.monotonic() + 30
    while number in looked.alive() and time.monotonic() < until:
        time.sleep(0.2)
    looked.look()
    assert f"/{number[:8]} is gone; its parts are played again" in capfd.readouterr().err


def test_evaluation_data_and_ladder_are_those_of_one_process(backend, tmp_path):
    place = executor(backend)
    wanted = data_sets.Settings(("random", "heuristic"), 2, 12, 3, chunk_size=5, options={"max_years": 2})
    for name, where in (("here", 1), ("ray", place)):
        data_sets.write(wanted, tmp_path / name, where)
    assert contents(tmp_path / "ray") == contents(tmp_path / "here")
    for measured in (
        lambda where: evaluate("heuristic", ["random"], games=140, seed=1, processes=where, max_years=3),
        lambda where: evaluate(["random", "heuristic"], mode="alone", games=6, processes=where),
        lambda where: evaluate("random", mode="campaign", games=18, max_games=1, processes=where),
    ):
        assert measured(place) == measured(1)
    trials = [challenge(Ladder(), "random", "2", Sprt(), max_pairs=24, processes=where) for where in (1, place)]
    assert trials[0].samples == trials[1].samples and trials[0].verdict == trials[1].verdict


def test_a_report_and_searched_games_are_those_of_one_process(nodes, backend, tmp_path, monkeypatch):
    place = executor(backend)
    run_tournament(tournament(), tmp_path / "run")
    monkeypatch.setattr(make, "AT_ONCE", 30)
    for name, where in (("here", 1), ("ray", place)):
        make.make_report(tmp_path / "run", tmp_path / name, processes=where)
    assert contents(tmp_path / "ray") == contents(tmp_path / "here")
    small = {"mix": "2", "games": 2, "dear": 2, "cheap": 0, "hidden": 8, "max_years": 2, "evaluation_games": 0}
    for name, where in (("one", 1), ("several", place)):
        train_search(tmp_path / name, updates=2, processes=where, progress=False, **small)
    one, several = (tmp_path / name / "samples/0000000.parquet" for name in ("one", "several"))
    assert one.read_bytes() == several.read_bytes()  # of the same network


def test_a_node_killed_in_an_evaluation_changes_no_number(nodes, backend):
    lost = nodes.add_node(**NODE)
    nodes.wait_for_nodes()

    def kill(done, of):
        if lost in nodes.worker_nodes:
            nodes.remove_node(lost, allow_graceful=False)

    evaluation = ("heuristic", ["random"], "table", 400, 1)
    assert evaluate(*evaluation, executor(backend), kill, max_years=3) == evaluate(*evaluation, 1, max_years=3)
    assert lost not in nodes.worker_nodes


def test_weights_travel_with_the_games(backend, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(next((ROOT / "agents").rglob("*.safetensors")), "mine.safetensors")
    carried = cluster.luggage_of(Bots(("policy:mine",), 0)).files
    assert carried["mine"] == ("mine.safetensors", Path("mine.safetensors").read_bytes())


def full_disk(number):
    """Work on a node whose disk is full."""
    raise OSError(28, "No space left on device", "part.gz")


def wrong(number):
    raise ValueError(f"part {number} is wrong")


def test_errors_of_a_part_are_its_own_and_a_full_disk_names_the_node(backend):
    with pytest.raises(OSError, match=r"on node \S+/[0-9a-f]{8}: 'part.gz'") as told:
        list(executor(backend).run(full_disk, [(1,)], Bots(("random",), 0)))
    assert told.value.errno == 28
    with pytest.raises(ValueError, match=r"^part 2 is wrong$"):
        list(executor(backend).run(wrong, [(2,)], Bots(("random",), 0)))


# The command's own folders come before PYTHONPATH in the processes of a node on the same machine.
OTHER_FIRST = """
import os, sys
from importlib.machinery import PathFinder

class Other:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [os.path.dirname(__file__)]) if name == "vitienv" else None

sys.meta_path.insert(0, Other)
"""


def test_another_version_on_a_node_is_refused_before_games(nodes, backend, tmp_path):
    for name, package in (("vitienv", "vitienv"), ("agents", "vitienv/agents"), ("training", "vitienv/training")):
        if (tmp_path / package).is_symlink():
            (tmp_path / package).unlink()
        shutil.copytree(ROOT / name, tmp_path / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "vitienv/training/evaluation/sprt.py").open("a").write("# edited\n")
    (tmp_path / "sitecustomize.py").write_text(OTHER_FIRST)
    other = nodes.add_node(**NODE, env_vars={"PYTHONPATH": str(tmp_path)})
    nodes.wait_for_nodes()
    try:
        with pytest.raises(ValueError, match=r"node \S+ has vitienv \S+ \(digest \w+\), this machine") as told:
            run_tournament(tournament(), tmp_path / "run", executor(backend))
        assert "\n" not in str(told.value)
        assert not list((tmp_path / "run").glob("chunks/*"))
    finally:
        nodes.remove_node(other, allow_graceful=False)


def test_addresses_without_a_cluster_are_refused_in_one_line_within_30_seconds(capsys):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for address in ("127.0.0.1:1", f"127.0.0.1:{silent.getsockname()[1]}"):
            begun = time.monotonic()
            assert cli.run(["evaluate", "random", "--opponents", "random", "--backend", f"ray:{address}"]) == 2
            assert time.monotonic() - begun < 30
            told = capsys.readouterr().err
            assert told.startswith("vitienv: ") and told.count("\n") == 1


def test_ctrl_c_leaves_whole_files_and_nothing_running_and_ports_are_loopback(tmp_path):
    command = [
        sys.executable,
        "-m",
        "vitienv.cli",
        "tournament",
        *BOTS,
        "--players",
        "3",
        "--games",
        "3000",
        "--chunk-size",
        "3",
        "--option",
        "max_years=3",
        "--backend",
        "ray",
        "--processes",
        "1",
        "--run",
        "run",
    ]
    marked = os.environ | {"VITIENV_TEST_MARK": str(tmp_path)}
    running = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, env=marked)
    try:
        until = time.monotonic() + 120
        while not list(tmp_path.glob("run/chunks/*.gz")) and time.monotonic() < until:
            time.sleep(0.2)
        begun = marked_processes(tmp_path)
        assert len(begun) > 3
        assert exposed(begun) == []
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 130 and "Traceback" not in told
    until = time.monotonic() + 60
    while marked_processes(tmp_path) and time.monotonic() < until:
        time.sleep(0.2)
    assert not marked_processes(tmp_path)
    whole = list(tmp_path.glob("run/chunks/*"))
    assert whole and all(path.suffix == ".gz" for path in whole)


IMPATIENT = """
import sys
from vitienv import cli
from vitienv.training.cluster import executor as cluster
cluster.LOST_AFTER = 3.0
sys.exit(cli.run(sys.argv[1:]))
"""


@pytest.mark.parametrize("what", ["tournament", "train"])
def test_a_cluster_that_dies_is_told_in_one_line_with_how_to_go_on(what, tmp_path):
    arguments = {
        "tournament": [*BOTS, "--players", "3", "--games", "30000", "--chunk-size", "6", "--option", "max_years=3"],
        "train": ["--method", "selfplay", "--minutes", "10"],
    }[what]
    doomed, output = cluster_of(1, num_cpus=2), tmp_path / "told"
    address = doomed.address
    chunks = (tmp_path / "run/chunks").glob
    begun = {"tournament": lambda: list(chunks("*.gz")), "train": lambda: "actors" in output.read_text()}
    more = ["--backend", f"ray:{address}", "--processes", "1", "--run", "run"]
    with output.open("w") as stream:
        running = subprocess.Popen([sys.executable, "-c", IMPATIENT, what, *arguments, *more], cwd=tmp_path,
                                   stdout=stream, stderr=stream)  # fmt: skip
    try:
        until = time.monotonic() + 120
        while not begun[what]() and time.monotonic() < until and running.poll() is None:
            time.sleep(0.2)
        for node in [*doomed.worker_nodes, doomed.head_node]:
            for processes in node.all_processes.values():
                for process in processes:
                    process.process.kill()
        status = running.wait(120)
    finally:
        running.kill()
        doomed.shutdown()
    said, how = output.read_text(), "tournament --resume" if what == "tournament" else "train --resume --run"
    lines = [line for line in said.splitlines() if "does not answer any more" in line]
    assert status == 2 and "Traceback" not in said, said
    assert lines == [f"vitienv: the cluster at {address} does not answer any more; to go on: vitienv {how} run"]


JOINS_LATE = """
import sys, time
from pathlib import Path
import ray
from vitienv import cli
init = ray.init
def late(**given):
    Path("joins").touch()
    while not Path("go").exists():
        time.sleep(0.02)
    return init(**given)
ray.init = late
sys.exit(cli.run(sys.argv[1:]))
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_head_that_dies_while_a_command_joins_is_told_soon(how, tmp_path):
    """It has answered, and is gone or silent when Ray itself comes to it."""
    doomed, output = cluster_of(0), tmp_path / "told"
    address = doomed.address
    heads = [each.process for processes in doomed.head_node.all_processes.values() for each in processes]
    arguments = ["evaluate", "random", "--opponents", "random", "--games", "2", "--backend", f"ray:{address}"]
    with output.open("w") as stream:
        running = subprocess.Popen([sys.executable, "-c", JOINS_LATE, *arguments], cwd=tmp_path, stdout=stream,
                                   stderr=stream)  # fmt: skip
    try:
        until = time.monotonic() + 120
        while not (tmp_path / "joins").exists() and time.monotonic() < until and running.poll() is None:
            time.sleep(0.05)
        for process in heads:
            process.send_signal(how)
        begun = time.monotonic()
        (tmp_path / "go").touch()
        status = running.wait(120)
        seconds = time.monotonic() - begun
    finally:
        running.kill()
        for process in heads:
            process.kill()
        doomed.shutdown()
    lines = [line for line in output.read_text().splitlines() if line.startswith("vitienv: ")]
    about = f"vitienv: the cluster at {address} stopped answering while it was joined; is its head still there?"
    assert (status, lines) == (2, [about]) and seconds < 30, (status, seconds, output.read_text())


def marked_processes(mark):
    """The numbers of the processes that a command began, by what stands in their environment."""
    numbers = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"VITIENV_TEST_MARK={mark}".encode() in path.joinpath("environ").read_bytes():
                numbers.append(path.name)
        except OSError:
            continue
    return numbers


def exposed(numbers):
    """The ports on which these processes listen to more than this machine."""
    sockets = set()
    for number in numbers:
        for handle in Path(f"/proc/{number}/fd").glob("*"):
            try:
                sockets.add(os.readlink(handle).removeprefix("socket:[").rstrip("]"))
            except OSError:
                continue
    ports = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            local, state, inode = line.split()[1], line.split()[3], line.split()[9]
            address, _, port = local.partition(":")
            is_own = address in ("0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F")
            if state == "0A" and inode in sockets and not is_own:
                ports.append((table, local, int(port, 16)))
    return ports
