"""Rows run one after the other, or several at once, each in a copy of the project.

A process that has imported the libraries forks for each row, and rules are interpreted, so that a row costs little more
than its tests. All tests concerned must pass before anything is broken; that also tells how long each takes.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import signal
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.breaks.row import EQUAL, ROOT, Row

PARTS = ("vitienv", "agents", "training", "tests", "docs", "results", "studies", "pyproject.toml", "README.md")
OWN = ("vitienv", "tests", "agents", "training", "studies")
# Libraries that load the project by its entry points stay unloaded until a row's own process asks for them.
UNLOADED = ("gymnasium", "pettingzoo", "supersuit", "stable_baselines3")
# What is no failed test but a row that makes no program.
NO_PROGRAM = ("SyntaxError", "IndentationError", "NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError")
WALL = 8  # how many times its processor time a row may take by the clock
MEMORY = 6 << 30


class Result(NamedTuple):
    """verdict: "noticed", "survived", "equal" (survived, as its note says), or "wrong row" with the reason in `by`.

    by: the test that noticed. seconds: processor time.
    """

    verdict: str
    by: str
    seconds: float


@dataclass
class Tests:
    """A plugin of pytest that keeps the tests asked for, the quickest first, and notes what became of them."""

    wanted: list[tuple[Path, list[str]]]
    seconds: dict[str, float] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)
    failed: list[tuple[str, str, str]] = field(default_factory=list)  # test, kind of the error, its words

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """Leave all others out."""
        kept = [
            item
            for item in items
            if any(item.path == path and all(word in item.name for word in words) for path, words in self.wanted)
        ]
        items[:] = sorted(kept, key=lambda item: self.seconds.get(item.nodeid, 0.0))

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Note how long a test took, and the error of one that failed."""
        if call.when == "call":
            self.took[item.nodeid] = call.duration
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.failed.append((item.nodeid, call.excinfo.typename, str(call.excinfo.value)[:200]))

    def pytest_exception_interact(self, node: Any, call: Any, report: Any) -> None:
        """Note a file of tests that cannot be read: its own error, not pytest's word for it."""
        if isinstance(node, pytest.Collector):
            said = str(report.longrepr)
            kind = next((kind for kind in NO_PROGRAM if f"\nE   {kind}" in said), "ValueError")
            kind = kind if f"\nE   {kind}" in said else "an error"
            self.failed.append((node.nodeid, kind, said[-200:]))


def copy_of_project(folder: Path) -> Path:
    """Copy the parts of the project, links included, to a folder in which they can be edited."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, folder / part)
    return folder


def run_tests(root: Path, tests: Tests, stop_early: bool) -> dict[str, Any]:
    """Run in this process, which knows nothing of the project yet, the tests of a copy."""
    for name in [name for name in sys.modules if name.split(".")[0] in OWN]:
        del sys.modules[name]
    sys.path[:] = [str(root), *(path for path in sys.path if path not in ("", str(ROOT)))]
    os.environ["PYTHONPATH"] = str(root)
    os.chdir(root)
    import_faster()
    options = ["-q", "-p", "no:cacheprovider", *(["-x"] if stop_early else [])]
    files = sorted({str(path) for path, _ in tests.wanted})
    code = pytest.main([*options, *files], plugins=[tests])
    loaded = [name for name in list(sys.modules) if name.split(".")[0] not in (*OWN, *UNLOADED)]
    return {"code": int(code), "failed": tests.failed, "took": tests.took, "loaded": loaded}


def import_faster() -> None:
    """Leave out of the project's import what takes longer than a row's tests and says nothing about rules."""
    import vitienv.core.compiling.jit
    import vitienv.core.compiling.mentions

    members_of = vitienv.core.compiling.mentions.members_of
    vitienv.core.compiling.mentions.members_of = cache(lambda rule: list(members_of(rule)))
    vitienv.core.compiling.jit.check_sources = lambda home, apart: None


@dataclass
class Child:
    """A process that runs tests, and the file of their results."""

    pid: int
    said: Path
    since: float
    limit: float

    @classmethod
    def start(cls, said: Path, limit: float, work: Callable[[], dict[str, Any]]) -> Child:
        """Fork. limit: seconds of processor time."""
        said.unlink(missing_ok=True)
        gc.collect()
        gc.freeze()  # what is loaded already is not looked through again in the child
        pid = os.fork()
        if pid:
            return cls(pid, said, time.monotonic(), limit)
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 5))
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
            out = os.open(said.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            said.write_text(json.dumps(work()), encoding="utf-8")
        finally:
            os._exit(0)

    def ended(self) -> tuple[dict[str, Any] | None, float] | None:
        """None while it runs; then what it wrote, None if it was stopped by its limit, and its processor time."""
        if time.monotonic() - self.since > WALL * self.limit:
            os.killpg(self.pid, signal.SIGKILL)
        pid, _, used = os.wait4(self.pid, os.WNOHANG)
        if not pid:
            return None
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)  # what its tests started and left
        told = json.loads(self.said.read_text(encoding="utf-8")) if self.said.exists() else None
        return told, used.ru_utime + used.ru_stime


def several(tasks: Sequence[Callable[[Path], Any]], roots: Sequence[Path]) -> Iterator[Any]:
    """Tasks in their order, one at a time in each copy; each yields its name, what it wrote and its seconds."""
    waiting, running = list(tasks), {}
    free = list(roots)
    try:
        while waiting or running:
            while waiting and free:
                root = free.pop()
                running[root] = waiting.pop(0)(root)
            time.sleep(0.02)
            for root, (name, child, after) in list(running.items()):
                if (result := child.ended()) is not None:
                    after()
                    del running[root]
                    free.append(root)
                    yield name, *result
    finally:
        for _, child, _ in running.values():
            os.killpg(child.pid, signal.SIGKILL)


def unbroken(rows: Sequence[Row], roots: Sequence[Path], limit: float) -> tuple[dict[str, float], dict[str, str]]:
    """Seconds of each test of these rows, and of those that fail already, why. Loads the libraries that they need."""
    by_file: dict[str, list[list[str]]] = {}
    for row in rows:
        for path, words in row.wanted():
            by_file.setdefault(str(path.relative_to(ROOT)), []).append(words)

    def task(file: str, root: Path) -> tuple[str, Child, Callable[[], None]]:
        tests = Tests([(root / file, words) for words in by_file[file]])
        child = Child.start(root / "said.json", limit * 60, lambda: run_tests(root, tests, False))
        return file, child, lambda: None

    took: dict[str, float] = {}
    wrong: dict[str, str] = {}
    loaded: set[str] = set()
    tasks = [lambda root, file=file: task(file, root) for file in by_file]
    for file, result, seconds in several(tasks, roots):
        print(f"unbroken: {file}, {seconds:.1f} s", flush=True)
        if result is None:
            wrong[file] = f"{file} did not end"
            continue
        took |= result["took"]
        wrong |= {test: f"{test} fails unbroken: {kind} {words}" for test, kind, words in result["failed"]}
        loaded |= set(result["loaded"])
    libraries = (sysconfig.get_paths()["stdlib"], sysconfig.get_paths()["purelib"])
    for name in sorted(loaded):
        if name in sys.modules or name.startswith(("_pytest", "test_", "__")) or name == "conftest":
            continue
        try:
            found = import_module("importlib.util").find_spec(name.split(".")[0])
            if found and str(found.origin).startswith(libraries):
                import_module(name)
        except Exception:  # a module that only another one can load: the row's own process loads it
            continue
    return took, wrong


def tests_of(row: Row, took: dict[str, float]) -> dict[str, float]:
    """The tests that a row asks for, with their seconds, from those that ran."""
    seconds_of = {}
    for test, seconds in took.items():
        file, _, name = test.partition("::")
        for path, words in row.wanted():
            if ROOT / file == path and all(word in name for word in words):
                seconds_of[test] = seconds
    return seconds_of


def broken(
    rows: Sequence[Row], roots: Sequence[Path], limit: float, took: dict[str, float], wrong: dict[str, str]
) -> Iterator[tuple[Row, Result]]:
    """Break each row and tell what became of it, in the order in which they end."""
    ready = []
    for row in rows:
        tests = tests_of(row, took)
        told = row.problem() or next((wrong[key] for key in wrong if key in tests), "")
        told = told or next((wrong[key] for path, _ in row.wanted() for key in wrong if str(path).endswith(key)), "")
        if told or not tests:
            yield row, Result("wrong row", told or f"no test is called {row.tests}", 0.0)
        else:
            ready.append((row, sum(tests.values())))

    def task(row: Row, usual: float, root: Path) -> tuple[Row, Child, Callable[[], None]]:
        path = root / row.file
        source, stat = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(source.replace(row.old, row.new), encoding="utf-8")
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**10))  # so that no kept bytecode fits

        def back() -> None:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))

        def work() -> dict[str, Any]:
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
            return run_tests(root, Tests(row.wanted(root), took), True)

        return row, Child.start(root / "said.json", limit + 10 * usual, work), back

    tasks = [lambda root, row=row, usual=usual: task(row, usual, root) for row, usual in ready]
    for row, told, seconds in several(tasks, roots):
        yield row, verdict(row, told, seconds)


def verdict(row: Row, told: dict[str, Any] | None, seconds: float) -> Result:
    """What a row's process wrote, in a word."""
    if told is None:
        return Result("noticed", "its tests did not end", seconds)
    if told["failed"]:
        test, kind, words = told["failed"][0]
        if kind in NO_PROGRAM:
            return Result("wrong row", f"{test}: {kind} {words}", seconds)
        return Result("noticed", " ".join(test.removeprefix("tests/").split()), seconds)
    if told["code"] != 0:
        return Result("wrong row", f"pytest ended with {told['code']}", seconds)
    return Result("equal" if row.note.startswith(EQUAL) else "survived", "", seconds)
