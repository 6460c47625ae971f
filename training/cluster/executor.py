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
from dataclasses import dataclass, field
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
from vitienv.training.cluster.nodes import Nodes, say
from vitienv.training.workers import AHEAD, Bots, ExecutorLost

POLL = 2.0  # polling interval in seconds
DEATHS = 10  # retries of a part after the loss of its node or process
LOST_AFTER = 30.0  # timeout of the head in seconds; Ray's is sixty
JOINED_WITHIN = 4.0  # timeout of the head while joining, in seconds; Ray's is nearly a minute
REACHED_WITHIN = 5.0  # timeout of the first connection, in seconds
CHECKED_WITHIN = 120.0  # timeout of a node's version report, in seconds; its first process loads slowly
STORE = 256 * 2**20  # bytes of the local object store; Ray's default is a third of the memory
HERE = ("", "local")  # addresses of a temporary local cluster
# Read when Ray is imported: a local Ray then binds its ports to loopback. With only a loopback address it would use the
# machine's outer address and listen on all. Existing clusters are not affected.
LOOPBACK_ALONE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# Ray's nodes talk HTTP/2, whose first frame, after the greeting, is one of settings, on either side.
SETTINGS = b"\x04"
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + SETTINGS + b"\0" * 5
TLS = os.environ.get("RAY_USE_TLS", "0") not in ("", "0")


@dataclass(frozen=True)
class Luggage:
    """Data sent to each process of a node before its first part. files: weights files by their names in specs."""

    digest: str
    version: str
    bots: Bots
    folder: str
    files: dict[str, tuple[str, bytes]]
    is_trusted: bool


@dataclass(frozen=True)
class Done:
    """A finished part. files: content of its files by name."""

    node: str
    seconds: float
    result: Any
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Ray:
    """Executor on the nodes of a cluster.

    address: of the cluster; "" starts one on this machine, unless this process or RAY_ADDRESS has one. at_once: maximum
    number of parallel parts; 0 for one per core. ValueError if Ray is not installed or the address does not answer.
    """

    address: str = ""
    at_once: int = 0

    def __post_init__(self) -> None:
        _ray(begins=not self.address)
        address = self.address or os.environ.get("RAY_ADDRESS", "")
        try:
            _check_answers(address)
        except OSError as error:
            raise ValueError(_unusable(address, error)) from None

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """Yield the results; see `Executor.run`. Lost and slow nodes are reported on stderr."""
        todo = iter(tasks)
        ahead = list(islice(todo, 1))
        if not ahead:
            return
        with connected(self.address, self.at_once) as ray:
            luggage = luggage_of(bots)
            nodes, head = Nodes(ray), Head(ray)
            check(ray, nodes.alive(), luggage)
            luggage_reference = ray.put(luggage)
            part = ray.remote(num_cpus=1, max_retries=DEATHS, scheduling_strategy="SPREAD")(play)
            running: set[Any] = set()
            try:
                room = self._room(ray)
                while True:
                    ahead += islice(todo, max(0, room - len(running) - len(ahead)))
                    running |= {part.remote(luggage_reference, work, task, folder is not None) for task in ahead}
                    ahead = []
                    if not running:
                        return
                    ready, _ = ray.wait(list(running), num_returns=1, timeout=POLL)
                    if head.look():
                        nodes.look()
                        room = self._room(ray)
                    for reference in ready:
                        running.discard(reference)
                        done = _got(ray, reference)
                        nodes.note(done)
                        for name, content in done.files.items():
                            with atomic(Path(str(folder)) / name) as temporary:
                                temporary.write_bytes(content)
                        yield done.result
            except ExecutorLost:
                running.clear()  # Ray cannot be called any more
                raise
            finally:
                for reference in running:
                    with suppress(Exception):  # the cluster may be gone
                        ray.cancel(reference, force=True)

    def _room(self, ray: Any) -> int:
        return self.at_once or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def connected(address: str = "", at_once: int = 0) -> Iterator[Any]:
    """Connect Ray to a cluster, or start one for the block. ValueError if there is no such cluster.

    A connection of this process is reused and kept.
    """
    ray = _ray(begins=not address)
    if ray.is_initialized():
        yield ray
        return
    address = address or os.environ.get("RAY_ADDRESS", "")
    quiet = {"logging_level": "ERROR", "log_to_driver": False}
    try:
        if address not in HERE:
            context = _joined(ray, address, quiet)
        else:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # opt-in usage statistics
            context = ray.init(
                address="local", num_cpus=at_once or threads.cores(), include_dashboard=False,
                object_store_memory=STORE, **quiet,
            )  # fmt: skip
    except (OSError, RuntimeError, TimeoutError) as error:  # ConnectionError, or another version of Ray or Python
        if address not in HERE and not _answers(address):
            raise ExecutorLost(_lost_joining(address)) from None
        hint = "" if address in HERE else "; it answers, but its RAY_AUTH_MODE, token or version may differ from ours"
        raise ValueError(_unusable(address, error) + hint) from None
    if getattr(context, "dashboard_url", ""):
        say(f"dashboard: http://{context.dashboard_url}")
    is_lost = False
    try:
        yield ray
    except ExecutorLost:
        is_lost = True
        raise
    finally:
        if not is_lost:  # else Ray would exit the process before the error is reported
            ray.shutdown()


def _joined(ray: Any, address: str, options: dict[str, Any]) -> Any:
    """Call `ray.init` for a cluster. ExecutorLost if it stops answering meanwhile."""
    ended = Event()
    outcomes: list[tuple[Any, BaseException | None]] = []

    def join() -> None:
        try:
            outcomes.append((ray.init(address=address, **options), None))
        except BaseException as error:
            outcomes.append((None, error))
        ended.set()

    # Ray ignores Ctrl-C while it waits for a lost head, so it is called in a thread.
    Thread(target=join, daemon=True).start()
    heard = time.monotonic()
    while not ended.wait(POLL / 4):
        if _answers(address):
            heard = time.monotonic()
        elif time.monotonic() - heard > JOINED_WITHIN:
            raise ExecutorLost(_lost_joining(address))
    context, error = outcomes[0]
    if error is not None:
        raise error
    return context


def _lost_joining(address: str) -> str:
    return f"the cluster at {address} stopped answering while it was joined; is its head still there?"


def _answers(address: str) -> bool:
    try:
        _check_answers(address)
    except OSError:
        return False
    return True


class Head:
    """Head of the cluster. If it is lost, any call of Ray blocks for a minute and exits the process."""

    def __init__(self, ray: Any) -> None:
        self.address, self._looked = ray.get_runtime_context().gcs_address, time.monotonic()

    def look(self) -> bool:
        """Return whether the head was polled and answered. ExecutorLost if it does not answer for `LOST_AFTER`."""
        if time.monotonic() - self._looked < POLL:
            return False
        until = time.monotonic() + LOST_AFTER
        while True:
            try:
                _check_answers(self.address)
            except OSError:
                if time.monotonic() > until:
                    raise ExecutorLost(f"the cluster at {self.address} no longer responds") from None
                time.sleep(POLL / 10)
            else:
                self._looked = time.monotonic()
                return True


@contextmanager
def naming_the_node() -> Iterator[None]:
    """Add the name of the node to an OSError, such as a full disk."""
    try:
        yield
    except OSError as error:
        message = f"{error.strerror or error}, on node {_called_here()}"
        raise OSError(error.errno, message, error.filename) from None


def play(luggage: Luggage, work: Callable[..., Any], task: tuple, writes: bool) -> Done:
    """Play a part in a process of a node. ValueError and OSError of `unpack` and of the work."""
    node = _ray().get_runtime_context().get_node_id()
    unpack(luggage, node)
    start = time.monotonic()
    with naming_the_node():
        if not writes:
            result = work(*task)
            return Done(node, time.monotonic() - start, result)
        with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
            result = work(*task, folder)
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in Path(folder).rglob("*") if path.is_file()
            }  # fmt: skip
            return Done(node, time.monotonic() - start, result, files)


_unpacked: dict[str, Any] = {}  # this process's luggage, and the directory of its files


@naming_the_node()
def unpack(luggage: Luggage, node: str) -> None:
    """Prepare a process for parts, once. ValueError if its version differs, OSError of the node's disk."""
    if _unpacked.get("digest") == luggage.digest and _unpacked.get("bots") == luggage.bots:
        return
    if version_check.digest() != luggage.digest:
        raise ValueError(_differs(_called_here(), version_check.describe(), luggage.version))
    threads.limit_threads()
    if luggage.is_trusted:
        trust.allow()
    with suppress(OSError):  # may not exist on another machine
        os.chdir(luggage.folder)
    home = _unpacked.setdefault("files", tempfile.TemporaryDirectory(prefix="vitienv-"))
    policy.LOCAL_COPIES.clear()
    for number, (called, (name, content)) in enumerate(luggage.files.items()):
        path = Path(home.name) / str(number) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        policy.LOCAL_COPIES[called] = path
    with FileLock(Path(tempfile.gettempdir()) / f"vitienv-{os.getuid()}-{node[:16]}.lock"):  # one compiles, others wait
        luggage.bots.warm_up()
    _unpacked.update(digest=luggage.digest, bots=luggage.bots)


def luggage_of(bots: Bots) -> Luggage:
    files = {called: (path.name, path.read_bytes()) for called, path in policy.files_of(bots.specs).items()}
    return Luggage(version_check.digest(), version_check.describe(), bots, str(Path.cwd()), files, trust.is_allowed())


def check(ray: Any, nodes: dict[str, str], luggage: Luggage) -> None:
    """Raise ValueError if the version of a node differs. Nodes that join later are checked before their first part."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    references = {
        name: ray.remote(num_cpus=0, max_retries=2)(version_check.describe)
        .options(scheduling_strategy=NodeAffinitySchedulingStrategy(number, soft=False)).remote()
        for number, name in nodes.items()
    }  # fmt: skip
    if not references:
        raise ValueError("the cluster has no node with a core to play on")
    until = time.monotonic() + CHECKED_WITHIN
    for name, reference in references.items():
        try:
            answer = ray.get(reference, timeout=max(0.1, until - time.monotonic()))
        except ray.exceptions.GetTimeoutError:
            raise ValueError(f"node {name} did not report its version within {CHECKED_WITHIN:.0f} s") from None
        except (ray.exceptions.NodeDiedError, ray.exceptions.TaskUnschedulableError):
            continue  # the node has left
        except ray.exceptions.RayError as error:
            raise ValueError(f"vitienv cannot be used on node {name}: {last_line(error)}") from None
        if answer != luggage.version:
            raise ValueError(_differs(name, answer, luggage.version))


def _differs(node: str, version: str, local_version: str) -> str:
    return (
        f"node {node} has vitienv {version}, this machine {local_version}: other games; install the same on every node"
    )


def _got(ray: Any, reference: Any) -> Done:
    """Return a finished part. ValueError or OSError of its work, and ValueError if Ray lost it."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, (ValueError, OSError)):
            raise error.cause from None
        if isinstance(error.cause, ray.exceptions.RayError):  # before any work
            message = f"a node cannot ask this machine for its part ({type(error.cause).__name__})"
            raise ValueError(f"{message}; check that all nodes have the same RAY_AUTH_MODE") from None
        raise
    except ray.exceptions.RayError as error:
        raise ValueError(f"a part of the games was lost, after {DEATHS + 1} tries: {last_line(error)}") from None


def last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _check_answers(address: str) -> None:
    """Raise OSError or ValueError if an address does not answer, because Ray would wait for more than a minute."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address in (*HERE, "auto"):
        return
    if not colon or not host or read_integer(port) is None:
        raise ValueError(f"address of a cluster must be HOST:PORT, such as 10.0.0.1:6379, got {address!r}")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), REACHED_WITHIN) as line:
            line.sendall(b"" if TLS else GREETING)
            answer = b"" if TLS else line.recv(9)
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"no response ({getattr(error, 'strerror', None) or error})") from None
    if not TLS and answer[3:4] != SETTINGS:
        raise ConnectionError("the server is not Ray")


def _unusable(address: str, error: Exception) -> str:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"Ray at {address or 'this machine'} cannot be used: {reason}"


def _called_here() -> str:
    return f"{socket.gethostname()}/{_ray().get_runtime_context().get_node_id()[:8]}"


def _ray(begins: bool = False) -> Any:
    """Import Ray. begins: whether it may start a local cluster. ValueError if it is not installed."""
    if begins and not os.environ.get("RAY_ADDRESS"):
        os.environ.setdefault(LOOPBACK_ALONE, "0")
    try:
        import ray
    except ImportError as error:
        raise ValueError(missing_message("playing on Ray", error.name, "cluster")) from None
    return ray
