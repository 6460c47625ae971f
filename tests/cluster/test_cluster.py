"""Games on several nodes on this machine: equal files and results, even if nodes are lost."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
import ray

import vitienv
from tests.cluster.nodes import NODE, cluster_of
from tests.command import contents, run
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


TOURNAMENT = Settings(BOTS, 3, 72, seed=4, chunk_size=6, options={"max_years": 3})


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not (is_true := condition()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return is_true


@contextmanager
def node_lost_during(nodes, num_games):
    """Add a node, and yield a progress callback that kills it after a number of games."""
    lost = nodes.add_node(**NODE)
    nodes.wait_for_nodes()

    def kill(num_done, total):
        if num_done >= num_games and lost in nodes.worker_nodes:
            nodes.remove_node(lost, allow_graceful=False)

    yield kill
    assert lost not in nodes.worker_nodes


def test_a_node_killed_during_a_tournament_changes_no_file(nodes, backend, tmp_path):
    run_tournament(TOURNAMENT, tmp_path / "local")
    with node_lost_during(nodes, 12) as kill:
        run_tournament(TOURNAMENT, tmp_path / "ray", executor(backend), kill)
    assert contents(tmp_path / "ray") == contents(tmp_path / "local")


def test_a_node_killed_during_an_evaluation_changes_no_result(nodes, backend):
    arguments = ("heuristic", ["random"], "table", 400, 1)
    with node_lost_during(nodes, 0) as kill:
        result = evaluate(*arguments, executor(backend), kill, max_years=3)
    assert result == evaluate(*arguments, 1, max_years=3)


def test_a_lost_node_is_reported(nodes, capfd):
    lost = nodes.add_node(**NODE)
    nodes.wait_for_nodes()
    monitor, number = Nodes(ray), lost.node_id
    nodes.remove_node(lost, allow_graceful=False)
    assert wait_until(lambda: number not in monitor.node_names(), 30)
    monitor.poll()
    assert f"/{number[:8]} was lost; other nodes repeat its parts" in capfd.readouterr().err


def test_results_on_nodes_are_those_of_one_process(backend, tmp_path, monkeypatch):
    settings = data_sets.Settings(("random", "heuristic"), 2, 12, 3, chunk_size=5, options={"max_years": 2})
    monkeypatch.setattr(make, "BATCH_GAMES", 30)
    run_tournament(TOURNAMENT, tmp_path / "run")
    search = {"mix": "2", "games": 2, "full_simulations": 2, "fast_simulations": 0, "hidden": 8, "max_years": 2,
              "evaluation_games": 0}  # fmt: skip
    results = []
    for name, processes in (("local", 1), ("ray", executor(backend))):
        data_sets.write(settings, tmp_path / name / "data", processes)
        make.make_report(tmp_path / "run", tmp_path / name / "report", processes=processes)
        train_search(tmp_path / f"{name}-search", updates=2, processes=processes, progress=False, **search)
        trial = challenge(Ladder(), "random", "2", Sprt(), max_pairs=24, processes=processes)
        results.append([
            contents(tmp_path / name),
            (tmp_path / f"{name}-search/samples/0000000.parquet").read_bytes(),
            evaluate("heuristic", ["random"], games=140, seed=1, processes=processes, max_years=3),
            evaluate(["random", "heuristic"], mode="alone", games=6, processes=processes),
            evaluate("random", mode="campaign", games=18, max_games=1, processes=processes),
            (trial.samples, trial.verdict),
        ])  # fmt: skip
    assert results[0] == results[1]


def test_weights_are_sent_to_nodes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(next((ROOT / "agents").rglob("*.safetensors")), "mine.safetensors")
    files = cluster.worker_setup(Bots(("policy:mine",), 0)).files
    assert files["mine"] == ("mine.safetensors", Path("mine.safetensors").read_bytes())


def fail_by_full_disk(number):
    raise OSError(28, "No space left on device", "part.gz")


def fail(number):
    raise ValueError(f"part {number} is wrong")


def test_errors_of_a_part_are_raised_and_a_full_disk_names_the_node(backend):
    with pytest.raises(OSError, match=r"on node \S+/[0-9a-f]{8}: 'part.gz'") as error:
        list(executor(backend).run(fail_by_full_disk, [(1,)], Bots(("random",), 0)))
    assert error.value.errno == 28
    with pytest.raises(ValueError, match=r"^part 2 is wrong$"):
        list(executor(backend).run(fail, [(2,)], Bots(("random",), 0)))


# The directories of the command precede PYTHONPATH in the processes of a node on this machine.
OTHER_FIRST = """
import os, sys
from importlib.machinery import PathFinder

class Other:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return PathFinder.find_spec(name, [os.path.dirname(__file__)]) if name == "vitienv" else None

sys.meta_path.insert(0, Other)
"""


def test_another_version_on_a_node_is_refused_before_its_games(nodes, backend, tmp_path):
    for name, package in (("vitienv", "vitienv"), ("agents", "vitienv/agents"), ("training", "vitienv/training")):
        if (tmp_path / package).is_symlink():
            (tmp_path / package).unlink()
        shutil.copytree(ROOT / name, tmp_path / package, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "vitienv/training/evaluation/sprt.py").open("a").write("# edited\n")
    (tmp_path / "sitecustomize.py").write_text(OTHER_FIRST)
    other = nodes.add_node(**NODE, env_vars={"PYTHONPATH": str(tmp_path)})
    nodes.wait_for_nodes()
    try:
        with pytest.raises(ValueError, match=r"node \S+ has vitienv \S+ \(digest \w+\), this machine") as error:
            run_tournament(TOURNAMENT, tmp_path / "run", executor(backend))
        assert "\n" not in str(error.value)
        assert not list((tmp_path / "run").glob("chunks/*"))
    finally:
        nodes.remove_node(other, allow_graceful=False)


def test_addresses_without_a_cluster_are_refused_within_30_seconds(capsys):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        for address in ("127.0.0.1:1", f"127.0.0.1:{silent.getsockname()[1]}"):
            start = time.monotonic()
            words = ["evaluate", "random", "--opponents", "random", "--backend", f"ray:{address}"]
            status, _, error = run(capsys, *words)  # Ray prints the end of earlier clusters
            assert status == 2 and sum(line.startswith("vitienv: ") for line in error.splitlines()) == 1, error
            assert time.monotonic() - start < 30


def test_an_interrupt_leaves_complete_files_and_no_process_and_ports_are_loopback(tmp_path):
    words = "--players 3 --games 3000 --chunk-size 3 --option max_years=3 --backend ray --processes 1 --run run".split()
    process = subprocess.Popen(
        [sys.executable, "-m", "vitienv.cli", "tournament", *BOTS, *words], cwd=tmp_path, stderr=subprocess.PIPE,
        text=True, env=os.environ | {"VITIENV_TEST_MARK": str(tmp_path)},
    )  # fmt: skip
    try:
        wait_until(lambda: list(tmp_path.glob("run/chunks/*.gz")), 120)
        numbers = marked_processes(tmp_path)
        assert len(numbers) > 3
        assert exposed_ports(numbers) == []
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and "Traceback" not in error
    assert wait_until(lambda: not marked_processes(tmp_path), 60)
    files = list(tmp_path.glob("run/chunks/*"))
    assert files and all(path.suffix == ".gz" for path in files)


def run_until(program, arguments, folder, is_started, stop, cluster):
    """Run a command, stop its cluster once it has started; return status, output and seconds from there."""
    output = folder / "output"
    with output.open("w") as stream:
        command = [sys.executable, "-c", program, *arguments, "--backend", f"ray:{cluster.address}"]
        process = subprocess.Popen(command, cwd=folder, stdout=stream, stderr=stream)
    try:
        wait_until(lambda: is_started() or process.poll() is not None, 120)
        stop()
        start = time.monotonic()
        return process.wait(120), output.read_text(), time.monotonic() - start
    finally:
        process.kill()
        cluster.shutdown()


def signal_processes(nodes, number):
    for node in nodes:
        for processes in node.all_processes.values():
            for info in processes:
                info.process.send_signal(number)


IMPATIENT = """
import sys
from vitienv import cli
from vitienv.training.cluster import executor as cluster
cluster.HEAD_TIMEOUT = 3.0
sys.exit(cli.run(sys.argv[1:]))
"""


def test_a_lost_cluster_is_reported_with_the_command_that_resumes(tmp_path):
    doomed = cluster_of(1, num_cpus=2)
    address = doomed.address
    words = "--players 3 --games 30000 --chunk-size 6 --option max_years=3 --processes 1 --run run".split()
    status, output, _ = run_until(
        IMPATIENT, ["tournament", *BOTS, *words], tmp_path, lambda: list(tmp_path.glob("run/chunks/*.gz")),
        lambda: signal_processes([*doomed.worker_nodes, doomed.head_node], signal.SIGKILL), doomed,
    )  # fmt: skip
    lines = [line for line in output.splitlines() if "no longer responds" in line]
    assert status == 2 and "Traceback" not in output, output
    assert lines == [f"vitienv: the cluster at {address} no longer responds; "
                     "resume: vitienv tournament --resume run"]  # fmt: skip


JOINS_LATE = """
import sys, time
from pathlib import Path
import ray
from vitienv import cli
init = ray.init
def late(**options):
    Path("joins").touch()
    while not Path("go").exists():
        time.sleep(0.02)
    return init(**options)
ray.init = late
sys.exit(cli.run(sys.argv[1:]))
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_head_lost_while_a_command_joins_is_reported_within_30_seconds(number, tmp_path):
    """The head has answered; it is dead or silent when Ray connects to it."""
    doomed = cluster_of(0)
    head, address = doomed.head_node, doomed.address

    def stop():
        signal_processes([head], number)
        (tmp_path / "go").touch()

    arguments = "evaluate random --opponents random --games 2".split()
    try:
        status, output, seconds = run_until(
            JOINS_LATE, arguments, tmp_path, (tmp_path / "joins").exists, stop, doomed
        )  # fmt: skip
    finally:
        signal_processes([head], signal.SIGKILL)
    lines = [line for line in output.splitlines() if line.startswith("vitienv: ")]
    message = (
        f"vitienv: the cluster at {address} stopped responding during the connection; check that its head is running"
    )
    assert (status, lines) == (2, [message]) and seconds < 30, (status, seconds, output)


def marked_processes(mark):
    """Return the ids of the processes with a mark in their environment."""
    numbers = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"VITIENV_TEST_MARK={mark}".encode() in path.joinpath("environ").read_bytes():
                numbers.append(path.name)
        except OSError:
            continue
    return numbers


def exposed_ports(numbers):
    """Return the ports on which processes listen on other than loopback addresses."""
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
            is_loopback = address in (
                "0100007F", "00000000000000000000000001000000", "0000000000000000FFFF00000100007F"
            )  # fmt: skip
            if state == "0A" and inode in sockets and not is_loopback:
                ports.append((table, local, int(port, 16)))
    return ports
