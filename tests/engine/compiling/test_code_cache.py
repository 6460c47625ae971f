"""The code cache: damaged files and unwritable directories cause one warning and no more than one compilation.

The kernels are small, compiled and cached like those of games.
"""

import ast
import errno
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from vitienv.core.compiling import code_cache, progress
from vitienv.core.compiling import jit as jit_module
from vitienv.core.compiling.jit import COMPILED, cache_on_disk, can_compile, jit
from vitienv.training.workers import run_all

pytestmark = pytest.mark.skipif(not can_compile(), reason="nothing is compiled")
SCRIPT = """
import sys, numpy as np
from pathlib import Path
from vitienv.core.compiling.jit import cache_on_disk
def double(a):
    for i in range(len(a)):
        a[i] *= 2
kernel = cache_on_disk(double, Path(sys.argv[1]), "the engine")
numbers = np.arange(3)
kernel(numbers)
print(*numbers, sum(kernel.stats.cache_misses.values()))
"""


@jit
def twice(number):
    return 2 * number


def double(numbers):
    for i in range(len(numbers)):
        numbers[i] = twice(numbers[i])


def triple(numbers):
    for i in range(len(numbers)):
        numbers[i] *= 3


def fourfold(numbers):
    for i in range(len(numbers)):
        numbers[i] = twice(twice(numbers[i]))


@pytest.fixture(autouse=True)
def enable_messages(monkeypatch):
    """Print messages of the cache; progress of slow compilations only where a test enables it."""
    monkeypatch.setattr(code_cache, "silent", False)
    monkeypatch.setattr(progress, "SHORT", threading.TIMEOUT_MAX)


class Process:
    """A kernel in a new process: nothing is in memory yet."""

    def __init__(self, folder, function=double):
        code_cache._warned.clear()
        self.kernel = cache_on_disk(function, folder, "the engine")

    def __call__(self, kind=np.int64):
        numbers = np.arange(4, dtype=kind)
        self.kernel(numbers)
        return numbers.tolist()

    @property
    def compiled(self):
        return sum(self.kernel.stats.cache_misses.values())


@pytest.fixture
def folder(tmp_path):
    """A directory with the code of one kernel."""
    folder = tmp_path / "cache" / "engine-0"
    assert Process(folder)() == [0, 2, 4, 6]
    return folder


def file_in(folder):
    [file] = folder.glob("*.kernel")
    return file


def test_cached_code_is_not_compiled_again(folder, capfd):
    again = Process(folder)
    assert again() == again() == [0, 2, 4, 6] and again.compiled == 0
    assert again(np.int16) == [0, 2, 4, 6] and again.compiled == 1  # other types of arguments
    assert len(list(folder.glob("*.kernel"))) == 2 and capfd.readouterr().err == ""


def flip_bit(code):
    middle = len(code) // 2
    return code[:middle] + bytes([code[middle] ^ 1]) + code[middle + 1 :]


DAMAGES = {
    "empty": lambda code: b"", "truncated": lambda code: code[:1000], "without its last byte": lambda code: code[:-1],
    "flipped bit": flip_bit, "other text": lambda code: b"Dear diary\n" * 100, "another kernel": None,
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_recompiled_with_one_warning(folder, tmp_path, capfd, damage):
    file = file_in(folder)
    if damage == "another kernel":
        assert Process(tmp_path / "other", triple)() == [0, 3, 6, 9]
        shutil.copy(file_in(tmp_path / "other"), file)
    else:
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
    capfd.readouterr()
    repaired = Process(folder)
    assert repaired() == repaired() == [0, 2, 4, 6] and repaired.compiled == 1
    messages = capfd.readouterr().err.splitlines()
    [warning] = (
        message for message in messages if "the engine" not in message
    )  # slow machines report progress as well
    assert str(file_in(folder)) in warning and "recompiling it" in warning
    afterwards = Process(folder)
    assert afterwards() == [0, 2, 4, 6] and afterwards.compiled == 0 and capfd.readouterr().err == ""


def test_file_that_cannot_be_replaced_causes_a_warning(folder, capfd):
    file = file_in(folder)
    file.unlink()
    file.mkdir()
    stuck = Process(folder)
    assert stuck() == stuck() == [0, 2, 4, 6] and stuck.compiled == 1
    assert capfd.readouterr().err.count("\n") == 2  # damaged, and not saved


def test_directory_without_its_info_file_is_used(folder):
    (folder / code_cache.ABOUT).unlink()
    again = Process(folder)
    assert again() == [0, 2, 4, 6] and again.compiled == 0


# Unwritable directories


def check_warned_once(process, folder, capfd, why):
    """The kernel works, is compiled once, and one warning names the remedy; a second kernel adds no warning."""
    capfd.readouterr()
    assert process() == process() == [0, 2, 4, 6] and process.compiled == 1
    other = cache_on_disk(triple, folder, "the engine")
    other(np.arange(4))
    stderr_lines = capfd.readouterr().err.splitlines()
    lines = [line for line in stderr_lines if "compiling" not in line and "compiled in" not in line]
    assert len(lines) == 1  # progress lines of slow machines are ignored
    assert str(folder.parent) in lines[0] and why in lines[0] and "VITIENV_CACHE" in lines[0]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES])
def test_unwritable_directory(folder, tmp_path, capfd, monkeypatch, number):
    """Simulates full, read-only and foreign directories: cached code is used, other code is compiled."""

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(code_cache, "atomic", refuse)
    monkeypatch.setattr(code_cache.tempfile, "TemporaryFile", refuse)
    cached = Process(folder)
    assert cached() == [0, 2, 4, 6] and cached.compiled == 0 and capfd.readouterr().err == ""
    empty = tmp_path / "empty" / "engine-0"
    check_warned_once(Process(empty), empty, capfd, os.strerror(number))


def test_file_instead_of_the_directory(tmp_path, capfd):
    (tmp_path / "cache").write_text("")
    folder = tmp_path / "cache" / "engine-0"
    check_warned_once(Process(folder), folder, capfd, "Not a directory")


def test_no_cache_next_to_the_sources(tmp_path):
    """Numba's default cache next to the sources would miss edits of other files."""
    script = tmp_path / "source" / "script.py"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    (tmp_path / "cache").write_text("")
    environment = {"HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(script), str(tmp_path / "cache" / "engine-0")]
    result = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    assert result.stdout == "0 2 4 1\n" and result.stderr.count("VITIENV_CACHE") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cache", "script.py", "source"]


# Messages about compilation


def lines_of(capfd):
    """Return the lines of stderr after the end of a compilation, which a thread reports."""
    stderr, deadline = "", time.monotonic() + 60
    while "compiled in" not in stderr and time.monotonic() < deadline:
        time.sleep(0.01)
        stderr += capfd.readouterr().err
    return stderr.splitlines()


def test_compilations_are_reported_together(tmp_path, capfd, monkeypatch):
    """Three kernels of two components; nested groups are part of the outer one."""
    monkeypatch.setattr(progress, "SHORT", 0.0)
    monkeypatch.setattr(progress, "BETWEEN", 0.0)
    folder = tmp_path / "cache" / "engine-0"
    first, second = Process(folder), Process(folder, triple)
    third = cache_on_disk(fourfold, folder, "the bots")
    with progress.PROGRESS.group([first.kernel]):
        first()
        with progress.PROGRESS.group([second.kernel, third]):
            second()
        third(np.arange(4))
    headline, *between, end = lines_of(capfd)
    assert headline == "vitienv: compiling the engine, once for this version, some seconds …"
    assert between and all(re.fullmatch(r"vitienv: \d+ %, \d+ s", line) for line in between)
    assert re.fullmatch(r"vitienv: the engine and the bots: compiled in \d+ s", end)


def test_progress_of_several_kernels(tmp_path, monkeypatch):
    """Cached kernels are not counted; progress is monotonic and ends at 1."""
    monkeypatch.setattr(code_cache, "silent", True)
    folder = tmp_path / "cache" / "engine-0"
    Process(folder, triple)()
    first, cached, third = Process(folder), Process(folder, triple), cache_on_disk(fourfold, folder, "the bots")
    reports = []
    end = progress._Compilation.finish
    monkeypatch.setattr(progress._Compilation, "finish", lambda compilation, kernel: (
        reports.append((compilation.parts, compilation.share)), end(compilation, kernel),
        reports.append((compilation.parts, compilation.share))
    ))  # fmt: skip
    with progress.PROGRESS.group([first.kernel, cached.kernel, third]):
        first()
        cached()
        third(np.arange(4))
    assert progress.PROGRESS.share() is None and progress.PROGRESS.status() == ""
    assert {parts for parts, _ in reports} == {"the engine and the bots"} and len(reports) == 4
    shares = [share for _, share in reports]
    assert shares == sorted(shares) and 0 < shares[1] < shares[-1] == 1.0


def test_uncached_compilation_is_reported(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 0.0)
    (tmp_path / "cache").write_text("")
    Process(tmp_path / "cache" / "engine-0")()
    lines = capfd.readouterr().err.splitlines()
    assert "VITIENV_CACHE" in lines[0] and "compiling the engine, for this process only" in lines[1]


def test_failed_compilation_ends_its_report(tmp_path, capfd, monkeypatch):
    def invalid(numbers):
        return numbers.no_such_thing

    monkeypatch.setattr(progress, "SHORT", 0.0)
    with pytest.raises(Exception, match="no_such_thing"):
        cache_on_disk(invalid, tmp_path / "cache" / "engine-0", "the engine")(np.arange(4))
    assert progress.PROGRESS._now is None and progress.PROGRESS._under_way is None
    Process(tmp_path / "cache" / "engine-0")()
    assert "compiled in" in lines_of(capfd)[-1]


def compile_here(folder, number):
    """In a worker: enable progress messages."""
    progress.SHORT = 0.0
    return Process(Path(folder) / f"engine-{number}")()


def test_worker_processes_print_nothing(tmp_path, capfd):
    tasks = [(str(tmp_path), number) for number in range(2)]
    assert list(run_all(compile_here, tasks, 2)) == [[0, 2, 4, 6]] * 2
    assert len([*tmp_path.rglob("*.kernel")]) == 2 and capfd.readouterr().err == ""


def test_progress_bar_replaces_messages(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 0.0)
    with progress.PROGRESS.silence():
        Process(tmp_path / "cache" / "engine-0")()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("seconds, linked, plain", [
    (2, "some seconds", "some seconds"), (20, "about half a minute", "some minutes"),
    (74, "about a minute", "some minutes"), (130, "about 2 minutes", "some minutes"),
])  # fmt: skip
def test_estimated_duration(seconds, linked, plain):
    assert progress.length(seconds, is_linked=True) == linked
    assert progress.length(seconds, is_linked=False) == plain


def test_rules_below_a_kernel():
    """Including functions called through modules and other functions, but no others."""
    from vitienv.core.compiling.static_checks import rules_below
    from vitienv.core.rng import word
    from vitienv.viticulture.kernel import KERNELS

    assert rules_below(cache_on_disk(triple, KERNELS.folder, "the engine")) == []
    assert rules_below(cache_on_disk(double, KERNELS.folder, "the engine")) == [twice]
    run, stand = rules_below(KERNELS.run), rules_below(KERNELS.write_standings)
    assert len(run) > 400 and word in run and len(stand) < 40 and word not in stand


def test_equal_sources_share_a_cache(tmp_path, monkeypatch):
    core = Path(jit_module.__file__).parents[1]
    hashes = []
    for name in ("first", "second"):
        copy, home = tmp_path / name / "core", tmp_path / name / "game"
        shutil.copytree(core, copy)
        shutil.copytree(Path(__file__).parents[2] / "toy", home)
        monkeypatch.setattr(jit_module, "CORE", copy)
        monkeypatch.setattr(jit_module, "COMPILED", tuple(copy / path.relative_to(core) for path in COMPILED))
        hashes.append(jit_module.source_hash(home))
    assert hashes[0] == hashes[1]
    source = next(home.glob("*.py"))
    renamed = source.rename(source.with_stem("renamed"))
    hashes.append(jit_module.source_hash(home))
    text = renamed.rename(source).read_text()
    for edit in ("# comment\n", "\n", '"""Docstring,\n\nof three lines."""\n', "edited = 1\n"):
        source.write_text(text + edit)
        hashes.append(jit_module.source_hash(home))
    assert len(set(hashes)) == 3 and hashes[3:6] == hashes[:1] * 3


def statements(source):
    """Return the syntax tree without docstrings and `...`."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(getattr(node, "body", None), list):
            node.body = [child for child in node.body if not isinstance(getattr(child, "value", None), ast.Constant)
                         or not isinstance(child, ast.Expr)]  # fmt: skip
    return ast.dump(tree)


@pytest.mark.parametrize(
    "home", ["core/networks", "core/search", "viticulture", "toscana", "world", "agents/viticulture", "agents/world"]
)
def test_code_text_has_all_code(home):
    for path in jit_module.sources(jit_module.CORE.parent / home, ("template",)):
        if path.suffix == ".py":
            code = code_cache.TEXT.sub(lambda match: (match[1] + b"...\n") * (b'"""' in match[0]), path.read_bytes())
            assert statements(code) == statements(path.read_bytes()), path
