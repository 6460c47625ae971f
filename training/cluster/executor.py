"""Parts of many games on the nodes of a Ray cluster, or of one that is begun on this machine for the while.

Ray places the parts, plays those anew whose node died, and moves what they give. A part's files are written on its node
into a folder of its own and come back as bytes; this process alone writes into the folder of the run. So the nodes
need no common disk, a file is there once and whole, and where a part was played decides nothing.
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

from vitienv import signing, threads
from vitienv.agents import policy
from vitienv.core.files import atomic
from vitienv.core.text_utils import read_integer
from vitienv.extras import missing
from vitienv.training.cluster import version_check
from vitienv.training.cluster.nodes import POLL, Nodes, say
from vitienv.training.workers import AHEAD, Bots, ExecutorLost

DEATHS = 10  # of its node or process that a part outlives
LOST_AFTER = 30.0  # seconds that the head may be silent; Ray gives up after sixty
JOINED_WITHIN = 4.0  # seconds that it may be silent while a command joins; Ray itself waits for nearly a minute
REACHED_WITHIN = 5.0  # seconds until a cluster's address has answered
CHECKED_WITHIN = 120.0  # seconds until a node has reported its version; its first process has much to load
STORE = 256 * 2**20  # bytes for results under way on the one machine; Ray takes a third of its memory otherwise
HERE = ("", "local")  # addresses of a cluster that is begun
# Read when Ray is imported. A Ray that is begun here then binds its ports to loopback: given that as its own address,
# it takes the machine's outer one and listens on every one. It decides nothing about a cluster that is there.
LOOPBACK_ALONE = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
# Ray's nodes talk HTTP/2, whose first frame, after the greeting, is one of settings, on either side.
SETTINGS = b"\x04"
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + SETTINGS + b"\0" * 5
TLS = os.environ.get("RAY_USE_TLS", "0") not in ("", "0")


@dataclass(frozen=True)
class Luggage:
    """What each process of a node gets before its first part. files: of weights, by what the specs call them."""

    digest: str
    told: str
    bots: Bots
    folder: str
    files: dict[str, tuple[str, bytes]]
    is_trusted: bool


@dataclass(frozen=True)
class Done:
    """A played part. files: names and bytes of its files."""

    node: str
    seconds: float
    result: Any
    files: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Ray:
    """The nodes of a cluster; see `workers.Executor`.

    address: of the cluster; "" begins one on this machine, unless this process has one already or RAY_ADDRESS names
    one. at_once: parts at a time at most; 0 for one on each core. ValueError if Ray is not installed, or if nobody
    answers at the address.
    """

    address: str = ""
    at_once: int = 0

    def __post_init__(self) -> None:
        """What can be refused is refused before anything is begun."""
        _ray(begins=not self.address)
        address = self.address or os.environ.get("RAY_ADDRESS", "")
        try:
            _check_answers(address)
        except OSError as error:
            raise ValueError(_unusable(address, error)) from None

    def is_here(self, parts: int) -> bool:
        """Never: another process plays even a single part."""
        return False

    def run(
        self, work: Callable[..., Any], tasks: Iterable[tuple], bots: Bots, folder: Path | None = None
    ) -> Iterator[Any]:
        """The results; see `Executor.run`. Nodes that are gone or slow are named on stderr."""
        todo = iter(tasks)
        ahead = list(islice(todo, 1))
        if not ahead:
            return
        with connected(self.address, self.at_once) as ray:
            luggage = luggage_of(bots)
            nodes, head = Nodes(ray), Head(ray)
            check(ray, nodes.alive(), luggage)
            kept = ray.put(luggage)
            part = ray.remote(num_cpus=1, max_retries=DEATHS, scheduling_strategy="SPREAD")(play)
            running: set[Any] = set()
            try:
                room = self._room(ray)
                while True:
                    ahead += islice(todo, max(0, room - len(running) - len(ahead)))
                    running |= {part.remote(kept, work, task, folder is not None) for task in ahead}
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
                running.clear()  # nothing is asked of Ray any more
                raise
            finally:
                for reference in running:
                    with suppress(Exception):  # the cluster may be gone
                        ray.cancel(reference, force=True)

    def _room(self, ray: Any) -> int:
        return self.at_once or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))


@contextmanager
def connected(address: str = "", at_once: int = 0) -> Iterator[Any]:
    """Ray, connected to a cluster or to one that is begun here and ended with the block.

    What a process has begun before is taken and left as it is. ValueError, in one line, if there is no such cluster.
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
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics unless asked for
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
        if not is_lost:  # Ray would end the process before anybody has heard of it
            ray.shutdown()


def _joined(ray: Any, address: str, options: dict[str, Any]) -> Any:
    """What `ray.init` gives for a cluster, or its error. ExecutorLost if nobody answers there any more meanwhile."""
    ended = Event()
    outcomes: list[tuple[Any, BaseException | None]] = []

    def join() -> None:
        try:
            outcomes.append((ray.init(address=address, **options), None))
        except BaseException as error:
            outcomes.append((None, error))
        ended.set()

    # In a thread: Ray hears nothing, not even Ctrl-C, while it waits for a head that is gone.
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
    """The head of the cluster, without which nothing can be asked of Ray: it waits for a minute then, in whatever it is
    asked, and ends the process."""

    def __init__(self, ray: Any) -> None:
        self.address, self._looked = ray.get_runtime_context().gcs_address, time.monotonic()

    def look(self) -> bool:
        """Whether it was asked, which is now and then, and has answered: then the cluster can be asked. ExecutorLost if
        it has not for so long."""
        if time.monotonic() - self._looked < POLL:
            return False
        until = time.monotonic() + LOST_AFTER
        while True:
            try:
                _check_answers(self.address)
            except OSError:
                if time.monotonic() > until:
                    raise ExecutorLost(f"the cluster at {self.address} does not answer any more") from None
                time.sleep(POLL / 10)
            else:
                self._looked = time.monotonic()
                return True


@contextmanager
def naming_the_node() -> Iterator[None]:
    """An OSError says on which node it was, as the full disk may be that one's."""
    try:
        yield
    except OSError as error:
        told = f"{error.strerror or error}, on node {_called_here()}"
        raise OSError(error.errno, told, error.filename) from None


def play(luggage: Luggage, work: Callable[..., Any], task: tuple, writes: bool) -> Done:
    """Play a part, in a process of a node. ValueError and OSError, see `unpack`, and as of the work."""
    node = _ray().get_runtime_context().get_node_id()
    unpack(luggage, node)
    begun = time.monotonic()
    with naming_the_node():
        if not writes:
            result = work(*task)
            return Done(node, time.monotonic() - begun, result)
        with tempfile.TemporaryDirectory(prefix="vitienv-") as folder:
            result = work(*task, folder)
            files = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in Path(folder).rglob("*") if path.is_file()
            }  # fmt: skip
            return Done(node, time.monotonic() - begun, result, files)


_unpacked: dict[str, Any] = {}  # of this process: the luggage it has, and the folder of its files


@naming_the_node()
def unpack(luggage: Luggage, node: str) -> None:
    """Make a process ready for parts, once. ValueError if it would play other games, OSError for the node's disk."""
    if _unpacked.get("digest") == luggage.digest and _unpacked.get("bots") == luggage.bots:
        return
    if version_check.digest() != luggage.digest:
        raise ValueError(_differs(_called_here(), version_check.told(), luggage.told))
    threads.limit_threads()
    if luggage.is_trusted:
        signing.allow()
    with suppress(OSError):  # of another machine
        os.chdir(luggage.folder)
    home = _unpacked.setdefault("files", tempfile.TemporaryDirectory(prefix="vitienv-"))
    policy.CARRIED.clear()
    for number, (called, (name, content)) in enumerate(luggage.files.items()):
        path = Path(home.name) / str(number) / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        policy.CARRIED[called] = path
    with FileLock(Path(tempfile.gettempdir()) / f"vitienv-{os.getuid()}-{node[:16]}.lock"):  # one compiles, others wait
        luggage.bots.warm_up()
    _unpacked.update(digest=luggage.digest, bots=luggage.bots)


def luggage_of(bots: Bots) -> Luggage:
    files = {called: (path.name, path.read_bytes()) for called, path in policy.files_of(bots.specs).items()}
    return Luggage(version_check.digest(), version_check.told(), bots, str(Path.cwd()), files, signing.is_allowed())


def check(ray: Any, nodes: dict[str, str], luggage: Luggage) -> None:
    """ValueError, in one line, if a node would play other games. A node that comes later is asked before its games."""
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    asked = {
        name: ray.remote(num_cpus=0, max_retries=2)(told_here)
        .options(scheduling_strategy=NodeAffinitySchedulingStrategy(number, soft=False)).remote()
        for number, name in nodes.items()
    }  # fmt: skip
    if not asked:
        raise ValueError("the cluster has no node with a core to play on")
    until = time.monotonic() + CHECKED_WITHIN
    for name, reference in asked.items():
        try:
            answer = ray.get(reference, timeout=max(0.1, until - time.monotonic()))
        except ray.exceptions.GetTimeoutError:
            raise ValueError(f"node {name} did not tell its version within {CHECKED_WITHIN:.0f} s") from None
        except (ray.exceptions.NodeDiedError, ray.exceptions.TaskUnschedulableError):
            continue  # it is gone again
        except ray.exceptions.RayError as error:
            raise ValueError(f"vitienv cannot be used on node {name}: {last_line(error)}") from None
        if answer != luggage.told:
            raise ValueError(_differs(name, answer, luggage.told))


def told_here() -> str:
    """The version of a node, for `check`."""
    return version_check.told()


def _differs(node: str, told: str, here: str) -> str:
    return f"node {node} has vitienv {told}, this machine {here}: other games; install the same on every node"


def _got(ray: Any, reference: Any) -> Done:
    """A part that is played. Its own error as it was; ValueError if Ray lost it for good."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, (ValueError, OSError)):
            raise error.cause from None
        if isinstance(error.cause, ray.exceptions.RayError):  # before any work
            told = f"a node cannot ask this machine for its part ({type(error.cause).__name__})"
            raise ValueError(f"{told}; has it the same RAY_AUTH_MODE?") from None
        raise
    except ray.exceptions.RayError as error:
        raise ValueError(f"a part of the games was lost, after {DEATHS + 1} tries: {last_line(error)}") from None


def last_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else type(error).__name__


def _check_answers(address: str) -> None:
    """OSError or ValueError if nobody answers at an address; Ray itself waits for a minute and more."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if address in (*HERE, "auto"):
        return
    if not colon or not host or read_integer(port) is None:
        raise ValueError(f"{address!r} is no address of a cluster; it should be HOST:PORT, such as 10.0.0.1:6379")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), REACHED_WITHIN) as line:
            line.sendall(b"" if TLS else GREETING)
            answer = b"" if TLS else line.recv(9)
    except (OSError, OverflowError) as error:
        raise ConnectionError(f"nobody answers there ({getattr(error, 'strerror', None) or error})") from None
    if not TLS and answer[3:4] != SETTINGS:
        raise ConnectionError("what answers there is no Ray")


def _unusable(address: str, error: Exception) -> str:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"Ray at {address or 'this machine'} cannot be used: {reason}"


def _called_here() -> str:
    return f"{socket.gethostname()}/{_ray().get_runtime_context().get_node_id()[:8]}"


def _ray(begins: bool = False) -> Any:
    """Ray's module. begins: it may be asked to begin a cluster here. ValueError if it is not installed."""
    if begins and not os.environ.get("RAY_ADDRESS"):
        os.environ.setdefault(LOOPBACK_ALONE, "0")
    try:
        import ray
    except ImportError as error:
        raise ValueError(missing("playing on Ray", error.name, "cluster")) from None
    return ray
