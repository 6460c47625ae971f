"""Executors of parts of many games, without Ray: selection, invalid addresses, and checks of the nodes."""

import hashlib
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.agents import policy
from vitienv.extras import missing_message
from vitienv.training.cluster import executor as cluster
from vitienv.training.cluster import version_check
from vitienv.training.cluster.nodes import Nodes
from vitienv.training.executors import executor
from vitienv.training.workers import Bots, Local, as_executor, run_all

BOTS = Bots(("random",), 0)


def test_executors_by_name():
    assert executor("local", 3) == Local(3) == as_executor(3)
    assert executor().processes >= 1
    assert as_executor(Local(2)) == Local(2)


@pytest.mark.parametrize("backend", ["rey", "ray:", "local:2", ""])
def test_unknown_backend_raises_in_one_line(backend, capsys):
    with pytest.raises(ValueError, match=f"backend must be 'local', 'ray' or 'ray:ADDRESS', got '{backend}'"):
        executor(backend)
    refused(capsys, "evaluate", "random", "--opponents", "random", "--backend", backend)


def process_exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("last, end", [(120.0, "close"), (-1.0, "__next__")])
def test_workers_have_ended_after_a_closed_or_failed_generator(last, end):
    """They may write files until they end."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(120,), daemon=True)
    other.start()
    try:
        results = run_all(time.sleep, [(0.0,), (120.0,), (last,)], 2)
        next(results)
        workers = [worker.pid for worker in set(multiprocessing.active_children()) - {other}]
        with suppress(ValueError):
            getattr(results, end)()
        # not is_alive(): a thread of the pool that reaped the process may not have stored its exit code
        assert len(workers) == 2 and not any(map(process_exists, workers)) and other.is_alive()
    finally:
        other.kill()
        other.join()


def test_invalid_numbers_of_processes_raise():
    with pytest.raises(ValueError, match="processes must be at least 0, got -1"):
        executor("local", -1)
    with pytest.raises(ValueError, match="processes must be at least 1, got 0"):
        as_executor(0)


@pytest.mark.skipif(find_spec("ray") is not None, reason="Ray is installed here")
@pytest.mark.parametrize("command", [
    ["tournament", "random", "heuristic"], ["evaluate", "random", "--opponents", "random"],
    ["evaluate", "random", "--players", "1"], ["evaluate", "random", "--campaign", "2"],
    ["ladder", "challenge", "random"], ["data", "generate", "set"],
])  # fmt: skip
def test_missing_ray_names_the_extra(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.run([*command, "--backend", "ray"]) == 2
    assert capsys.readouterr().err == f"vitienv: {missing_message('playing on Ray', 'ray', 'cluster')}\n"
    assert not list(tmp_path.iterdir())


def test_invalid_and_unreachable_addresses_raise():
    for address in ("somewhere", "host:", ":6379", "host:port"):
        with pytest.raises(ValueError, match="HOST:PORT"):
            cluster._check_answers(address)
    with pytest.raises(OSError, match="no response"):
        cluster._check_answers("127.0.0.1:1")


@pytest.mark.parametrize(("response", "message"), [(None, "timed out"), (b"HTTP/1.1 400 Bad Request\r\n", "is not Ray"),
                                            (b"\0\0\0\4\0\0\0\0\0", None)])  # fmt: skip
def test_server_must_respond_like_ray(response, message, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"

        def answer() -> None:
            line, _ = server.accept()
            with line, suppress(OSError):  # the client has closed the connection
                line.recv(64)
                if response is not None:
                    line.sendall(response)
                line.recv(64)

        threading.Thread(target=answer, daemon=True).start()
        if message is None:
            cluster._check_answers(address)
        else:
            with pytest.raises(ConnectionError, match=message):
                cluster._check_answers(address)


def test_refusing_cluster_names_possible_causes(monkeypatch):
    def refused(**_):
        raise ConnectionError("Failed to connect to Ray cluster\nat 10.0.0.1:6379")

    monkeypatch.setattr(
        cluster, "_ray", lambda starts_local: SimpleNamespace(is_initialized=lambda: False, init=refused)
    )
    monkeypatch.setattr(cluster, "_check_answers", lambda address: None)
    for address, is_told in (("10.0.0.1:6379", True), ("", False)):
        with pytest.raises(ValueError, match=r"cannot be used: Failed to connect") as error, cluster.connected(address):
            pass
        assert ("its RAY_AUTH_MODE, token or version may differ" in str(error.value)) == is_told
        assert "\n" not in str(error.value)


def test_error_of_a_node_is_one_line():
    class RayError(Exception):
        pass

    class RayTaskError(RayError):
        cause = RayError("many lines\nFailed to retrieve object 00ff")

    def get(reference):
        raise RayTaskError

    ray = SimpleNamespace(exceptions=SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError), get=get)
    with pytest.raises(
        ValueError, match=r"part from this machine \(RayError\); check that all nodes have the same RAY_AUTH_MODE$"
    ):
        cluster._get_result(ray, None)


def write_number(folder, number):
    (Path(folder) / f"{number}.txt").write_text(str(number))
    return number


def test_directory_is_the_last_argument(tmp_path):
    numbers = list(Local(1).run(lambda number, folder: write_number(folder, number), [(1,), (2,)], BOTS, tmp_path))
    assert numbers == [1, 2] and {path.name for path in tmp_path.iterdir()} == {"1.txt", "2.txt"}


def test_files_of_weights_in_specs(tmp_path, monkeypatch):
    weights, run = tmp_path / "a, b=c.safetensors", tmp_path / "run"
    run.mkdir()
    for path in (weights, run / policy.RUN_WEIGHTS):
        path.write_bytes(b"numbers")
    specs = [f"policy:{weights},deterministic=false", f"ismcts:simulations=4,policy={run}", "policy:champion", "random"]
    assert policy.files_of(specs) == {str(weights): weights, str(run): run / policy.RUN_WEIGHTS}
    digest = hashlib.sha256(b"numbers").hexdigest()
    assert policy.weight_digests(specs) == {str(weights): digest, str(run): digest}
    monkeypatch.setitem(policy.LOCAL_COPIES, "runs/elsewhere", weights)
    assert policy.find_weights("runs/elsewhere") == weights


def test_digest_depends_on_the_sources_only(tmp_path):
    root = Path(vitienv.__file__).resolve().parent.parent
    for name, package in (("vitienv", "vitienv"), ("agents", "vitienv/agents"), ("training", "vitienv/training")):
        target = tmp_path / package
        target.unlink(missing_ok=True) if target.is_symlink() else None
        shutil.copytree(root / name, target, ignore=shutil.ignore_patterns("__pycache__"), symlinks=True)

    def digest_of_copy() -> str:
        code = "from vitienv.training.cluster import version_check; print(version_check.digest())"
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True,
                              text=True, timeout=120)  # fmt: skip
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    assert digest_of_copy() == version_check.digest()
    (tmp_path / "vitienv/training/ratings.py").write_text("# edited\n")
    assert digest_of_copy() != version_check.digest()


def test_lost_nodes_are_reported_once(monkeypatch):
    node_rows = [
        {"NodeID": f"{name}-0123456789", "NodeName": name, "Alive": True, "Resources": {"CPU": 1}} for name in "abc"
    ]
    messages = []
    monkeypatch.setattr("vitienv.training.cluster.nodes.report", messages.append)
    nodes = Nodes(SimpleNamespace(nodes=lambda: node_rows))
    node_rows[1]["Alive"] = False
    for _ in range(2):
        nodes.poll()
    assert messages == ["node b/b-012345 was lost; other nodes repeat its parts"]
