"""Executor on a Ray cluster, or on a temporary one on this machine.

Ray schedules the parts, retries those of lost nodes and transfers the results. A part's files are written to a
temporary directory of its node and returned as bytes; only this process writes to the run directory. So nodes do not
need a shared disk, files are written atomically, and results do not depend on the node.
"""

from __future__ import annotations

import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import Any

from filelock import FileLock

from vitienv import threads, trust
from vitienv.agents import policy
from vitienv.core.files import atomic
from vitienv.core.text_utils import read_integer
from vitienv.extras import missing_message
from vitienv.training.cluster import version_check
from vitienv.training.cluster.nodes import Nodes, report
from vitienv.training.workers import QUEUED_PER_PROCESS, Bots, ExecutorLost

POLL_SECONDS = 2.0
MAX_RETRIES = 10  # parts of a lost node or process
HEAD_TIMEOUT = 30.0  # seconds; Ray's is 60
JOIN_TIMEOUT = 4.0  # seconds; Ray's is nearly 60
CONNECT_TIMEOUT = 5.0  # seconds
VERSION_TIMEOUT = 120.0  # seconds; the first process of a node loads slowly
OBJECT_STORE_BYTES = 256 * 2**20  # Ray's default is a third of the memory
LOCAL_ADDRESSES = ("", "local")  # start a temporary cluster
# Read when Ray is imported: a local Ray then binds its ports to loopback. With only a loopback address it would use the
# machine's outer address and listen on all. Existing clusters are not affected.
LOOPBACK_VARIABLE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# Ray's nodes talk HTTP/2, whose first frame, after the greeting, is one of settings, on either side.
SETTINGS = b"\x04"
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + SETTINGS + b"\0" * 5
TLS = os.environ.get("RAY_USE_TLS", "0") not in ("", "0")


@dataclass(frozen=True)
class WorkerSetup:
    """Data sent to each process of a node before its first part. files: weights files by their names in specs."""

    digest: str
    version: str
    bots: Bots
    folder: str
    files: dict[str, tuple[str, bytes]]
    is_trusted: bool


@dataclass(frozen=True)
class Ray:
    """Executor on the nodes of a cluster.

    address: of the cluster; "" starts one on this machine, unless this process or RAY_ADDRESS has one. max_parts: limit
    of parallel parts; 0 for one per core. ValueError if Ray is not installed or the address does not answer.
    """

    address: str = ""
    max_parts: int = 0

    def __post_init__(self) -> None:
        _ray(starts_local=not self.address)
        address = self.address or os.environ.get("RAY_ADDRESS", "")
        try:
            _check_answers(address)
        except OSError as error:
            raise ValueError(_unusable_message(address, error)) from None

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """Yield the results; see `Executor.run`. Lost nodes are reported on stderr."""
        remaining = iter(tasks)
        queued = list(islice(remaining, 1))
        if not queued:
            return
        with connected(self.address, self.max_parts) as ray:
            setup = worker_setup(bots)
            nodes, head = Nodes(ray), Head(ray)
            check(ray, nodes.node_names(), setup)
            setup_reference = ray.put(setup)
            part = ray.remote(num_cpus=1, max_retries=MAX_RETRIES, scheduling_strategy="SPREAD")(play)
            running: set[Any] = set()
            try:
                capacity = self._capacity(ray)
                while True:
                    queued += islice(remaining, max(0, capacity - len(running) - len(queued)))
                    running |= {part.remote(setup_reference, work, task, folder is not None) for task in queued}
                    queued = []
                    if not running:
                        return
                    ready, _ = ray.wait(list(running), num_returns=1, timeout=POLL_SECONDS)
                    if head.poll():
                        nodes.poll()
                        capacity = self._capacity(ray)
                    for reference in ready:
                        running.discard(reference)
                        result, files = _get_result(ray, reference)
                        for name, content in files.items():
                            with atomic(Path(str(folder)) / name) as temporary:
                                temporary.write_bytes(content)
                        yield result
            except ExecutorLost:
                running.clear()  # Ray cannot be called any more
                raise
            finally:
                for reference in running:
                    with suppress(Exception):  # the cluster may be gone
                        ray.cancel(reference, force=True)

    def _capacity(self, ray: Any) -> int:
        return self.max_parts or QUEUED_PER_PROCESS * max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def connected(address: str = "", max_parts: int = 0) -> Iterator[Any]:
    """Connect Ray to a cluster, or start one for the block. ValueError if there is no such cluster.

    A connection of this process is reused and kept.
    """
    ray = _ray(starts_local=not address)
    if ray.is_initialized():
        yield ray
        return
    address = address or os.environ.get("RAY_ADDRESS", "")
    quiet = {"logging_level": "ERROR", "log_to_driver": False}
    try:
        if address not in LOCAL_ADDRESSES:
            context = _join(ray, address, quiet)
        else:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # opt-in usage statistics
            context = ray.init(
                address="local", num_cpus=max_parts or threads.cores(), include_dashboard=False,
                object_store_memory=OBJECT_STORE_BYTES, **quiet,
            )  # fmt: skip
    except (OSError, RuntimeError, TimeoutError) as error:  # ConnectionError, or another version of Ray or Python
        if address not in LOCAL_ADDRESSES and not _answers(address):
            raise ExecutorLost(_lost_message(address)) from None
        hint = "" if address in LOCAL_ADDRESSES else "; it responds, but its RAY_AUTH_MODE, token or version may differ"
        raise ValueError(_unusable_message(address, error) + hint) from None
    if getattr(context, "dashboard_url", ""):
        report(f"dashboard: http://{context.dashboard_url}")
    is_lost = False
    try:
        yield ray
    except ExecutorLost:
        is_lost = True
        raise
    finally:
        if not is_lost:  # else Ray would exit the process before the error is reported
            ray.shutdown()


def _join(ray: Any, address: str, options: dict[str, Any]) -> Any:
    """Call `ray.init` for a cluster. ExecutorLost if it stops answering meanwhile."""
    has_ended = Event()
    outcomes: list[tuple[Any, BaseException | None]] = []

    def join() -> None:
        try:
            outcomes.append((ray.init(address=address, **options), None))
        except BaseException as error:
            outcomes.append((None, error))
        has_ended.set()

    # Ray ignores Ctrl-C while it waits for a lost head, so it is called in a thread.
    Thread(target=join, daemon=True).start()
    last_answer = time.monotonic()
    while not has_ended.wait(POLL_SECONDS / 4):
        if _answers(address):
            last_answer = time.monotonic()
        elif time.monotonic() - last_answer > JOIN_TIMEOUT:
            raise ExecutorLost(_lost_message(address))
    context, error = outcomes[0]
    if error is not None:
        raise error
    return context


def _lost_message(address: str) -> str:
    return f"the cluster at {address} stopped responding during the connection; check that its head is running"


def _answers(address: str) -> bool:
    try:
        _check_answers(address)
    except OSError:
        return False
    return True


class Head:
    """Head of the cluster. If it is lost, any call of Ray blocks for a minute and exits the process."""

    def __init__(self, ray: Any) -> None:
        self.address, self._last_poll = ray.get_runtime_context().gcs_address, time.monotonic()

    def poll(self) -> bool:
        """Return whether the head was polled and answered. ExecutorLost if it does not answer for `HEAD_TIMEOUT`."""
        if time.monotonic() - self._last_poll < POLL_SECONDS:
            return False
        deadline = time.monotonic() + HEAD_TIMEOUT
        while True:
            try:
                _check_answers(self.address)
            except OSError:
                if time.monotonic() > deadline:
                    raise ExecutorLost(f"the cluster at {self.address} no longer responds") from None
                time.sleep(POLL_SECONDS / 10)
            else:
                self._last_poll = time.monotonic()
                return True


@contextmanager
def add_node_to_errors() -> Iterator[None]:
    """Add the name of the node to an OSError, such as a full disk."""
    try:
        yield
    except OSError as error:
        message = f"{error.strerror or error}, on node {_node_label()}"
        raise OSError(error.errno, message, error.filename) from None


def play(setup: WorkerSetup, work: Callable[..., Any], task: tuple, writes: bool) -> tuple[Any, dict[str, bytes]]:
    """Play a part in a process of a node; return its result, and the content of its files by name.

    ValueError and OSError of `unpack` and of the work.
    """
    unpack(setup, _ray().get_runtime_context().get_node_id())
    with add_node_to_errors():
        if not writes:
            return work(*task), {}
        with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
            result = work(*task, folder)
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in Path(folder).rglob("*") if path.is_file()
            }  # fmt: skip
            return result, files


_unpacked: dict[str, Any] = {}  # this process's setup, and the directory of its files


@add_node_to_errors()
def unpack(setup: WorkerSetup, node: str) -> None:
    """Prepare a process for parts, once. ValueError if its version differs, OSError of the node's disk."""
    if _unpacked.get("digest") == setup.digest and _unpacked.get("bots") == setup.bots:
        return
    if version_check.digest() != setup.digest:
        raise ValueError(_version_mismatch(_node_label(), version_check.describe(), setup.version))
    threads.limit_threads()
    if setup.is_trusted:
        trust.allow()
    with suppress(OSError):  # may not exist on another machine
        os.chdir(setup.folder)
    directory = _unpacked.setdefault("files", tempfile.TemporaryDirectory(prefix="vitienv-"))
    policy.LOCAL_COPIES.clear()
    for number, (spec, (name, content)) in enumerate(setup.files.items()):
        path = Path(directory.name) / str(number) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        policy.LOCAL_COPIES[spec] = path
    with FileLock(Path(tempfile.gettempdir()) / f"vitienv-{os.getuid()}-{node[:16]}.lock"):  # one compiles, others wait
        setup.bots.warm_up()
    _unpacked.update(digest=setup.digest, bots=setup.bots)


def worker_setup(bots: Bots) -> WorkerSetup:
    files = {spec: (path.name, path.read_bytes()) for spec, path in policy.files_of(bots.specs).items()}
    return WorkerSetup(
        version_check.digest(), version_check.describe(), bots, str(Path.cwd()), files, trust.is_allowed()
    )


def check(ray: Any, nodes: dict[str, str], setup: WorkerSetup) -> None:
    """Raise ValueError if the version of a node differs. Nodes that join later are checked before their first part."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    references = {
        name: ray.remote(num_cpus=0, max_retries=2)(version_check.describe)
        .options(scheduling_strategy=NodeAffinitySchedulingStrategy(number, soft=False)).remote()
        for number, name in nodes.items()
    }  # fmt: skip
    if not references:
        raise ValueError("the cluster must have a node with a CPU core")
    deadline = time.monotonic() + VERSION_TIMEOUT
    for name, reference in references.items():
        try:
            answer = ray.get(reference, timeout=max(0.1, deadline - time.monotonic()))
        except ray.exceptions.GetTimeoutError:
            raise ValueError(f"node {name} did not report its version within {VERSION_TIMEOUT:.0f} s") from None
        except (ray.exceptions.NodeDiedError, ray.exceptions.TaskUnschedulableError):
            continue  # the node has left
        except ray.exceptions.RayError as error:
            raise ValueError(f"vitienv cannot be used on node {name}: {last_line(error)}") from None
        if answer != setup.version:
            raise ValueError(_version_mismatch(name, answer, setup.version))


def _version_mismatch(node: str, version: str, local_version: str) -> str:
    return f"node {node} has vitienv {version}, this machine {local_version}; install the same version on every node"


def _get_result(ray: Any, reference: Any) -> tuple[Any, dict[str, bytes]]:
    """Return a finished part. ValueError or OSError of its work, and ValueError if Ray lost it."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, (ValueError, OSError)):
            raise error.cause from None
        if isinstance(error.cause, ray.exceptions.RayError):  # before any work
            message = f"a node cannot request its part from this machine ({type(error.cause).__name__})"
            raise ValueError(f"{message}; check that all nodes have the same RAY_AUTH_MODE") from None
        raise
    except ray.exceptions.RayError as error:
        raise ValueError(f"a part was lost after {MAX_RETRIES + 1} attempts: {last_line(error)}") from None


def last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _check_answers(address: str) -> None:
    """Raise OSError or ValueError if an address does not answer, because Ray would wait for more than a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address in (*LOCAL_ADDRESSES, "auto"):
        return
    if not colon or not host or read_integer(port) is None:
        raise ValueError(f"address of a cluster must be HOST:PORT, such as 10.0.0.1:6379, got {address!r}")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), CONNECT_TIMEOUT) as line:
            line.sendall(b"" if TLS else GREETING)
            answer = b"" if TLS else line.recv(9)
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"no response ({getattr(error, 'strerror', None) or error})") from None
    if not TLS and answer[3:4] != SETTINGS:
        raise ConnectionError("the server is not Ray")


def _unusable_message(address: str, error: Exception) -> str:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"Ray at {address or 'this machine'} cannot be used: {reason}"


def _node_label() -> str:
    return f"{socket.gethostname()}/{_ray().get_runtime_context().get_node_id()[:8]}"


def _ray(starts_local: bool = False) -> Any:
    if starts_local and not os.environ.get("RAY_ADDRESS"):
        os.environ.setdefault(LOOPBACK_VARIABLE, "0")
    try:
        import ray
    except ImportError as error:
        raise ValueError(missing_message("playing on Ray", error.name, "cluster")) from None
    return ray
