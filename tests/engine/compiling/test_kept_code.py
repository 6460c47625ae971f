"""Kept code that is damaged, and folders that cannot be written: a line each, and never another compilation than the
first. The kernels are small, made and kept as those of games are."""

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
def told(monkeypatch):
    """Here it matters what is told of compiled code; what takes long on a busy machine only where a test says so."""
    monkeypatch.setattr(code_cache, "silent", False)
    monkeypatch.setattr(progress, "SHORT", threading.TIMEOUT_MAX)


class Process:
    """A kernel as a new process would have it: nothing of it is in memory yet."""

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
    """A folder with the code of one kernel in it."""
    folder = tmp_path / "cache" / "engine-0"
    assert Process(folder)() == [0, 2, 4, 6]
    return folder


def file_in(folder):
    [file] = folder.glob("*.kernel")
    return file


def test_kept_code_is_not_compiled_again(folder, capfd):
    again = Process(folder)
    assert again() == again() == [0, 2, 4, 6] and again.compiled == 0
    assert again(np.int16) == [0, 2, 4, 6] and again.compiled == 1  # other types of arguments
    assert len(list(folder.glob("*.kernel"))) == 2 and capfd.readouterr().err == ""


def emptied(file):
    file.write_bytes(b"")


def cut(file):
    file.write_bytes(file.read_bytes()[:1000])


def shortened(file):
    file.write_bytes(file.read_bytes()[:-1])


def with_another_bit(file):
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def a_text(file):
    file.write_text("Dear diary\n" * 100)


def a_folder(file):
    file.unlink()
    file.mkdir()


def another_kernel(file):
    """Another kernel's file in place of this one's, as if somebody had sorted the files by hand."""
    other = Process(file.parent.with_name("other"), triple)
    assert other() == [0, 3, 6, 9]
    shutil.copy(file_in(file.parent.with_name("other")), file)


ENGINE = "the engine"  # what progress is told of


@pytest.mark.parametrize("damage", [emptied, cut, shortened, with_another_bit, a_text, another_kernel])
def test_a_damaged_file_is_compiled_anew_with_one_line(folder, capfd, damage):
    damage(file_in(folder))
    capfd.readouterr()
    repaired = Process(folder)
    assert repaired() == repaired() == [0, 2, 4, 6] and repaired.compiled == 1
    [told] = (line for line in capfd.readouterr().err.splitlines() if ENGINE not in line)  # on a slow machine
    assert str(file_in(folder)) in told and "compiled anew" in told
    afterwards = Process(folder)
    assert afterwards() == [0, 2, 4, 6] and afterwards.compiled == 0 and capfd.readouterr().err == ""


def test_what_cannot_be_replaced_is_told_and_goes_on(folder, capfd):
    a_folder(file_in(folder))
    stuck = Process(folder)
    assert stuck() == stuck() == [0, 2, 4, 6] and stuck.compiled == 1
    assert capfd.readouterr().err.count("\n") == 2  # damaged, and not kept


def test_a_folder_without_its_file_about_itself_still_counts(folder):
    (folder / code_cache.ABOUT).unlink()
    again = Process(folder)
    assert again() == [0, 2, 4, 6] and again.compiled == 0


# Folders that cannot be written. Small file systems where they can be mounted, stand-ins elsewhere.


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 32 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def check_warned_once(process, folder, capfd, why):
    """It works, is compiled once, and one line says what to do; a second kernel adds nothing to it."""
    capfd.readouterr()
    assert process() == process() == [0, 2, 4, 6] and process.compiled == 1
    other = cache_on_disk(triple, folder, "the engine")
    other(np.arange(4))
    told = capfd.readouterr().err.splitlines()
    lines = [line for line in told if "compiling" not in line and "compiled in" not in line]
    assert len(lines) == 1  # a slow moment brings lines of progress besides
    assert str(folder.parent) in lines[0] and why in lines[0] and "VITIENV_CACHE" in lines[0]


def test_a_full_disk(small_disk, capfd):
    (small_disk / "filler").write_bytes(b"x" * 24 * 1024)
    folder = small_disk / "engine-0"
    check_warned_once(Process(folder), folder, capfd, "No space left on device")
    assert not [*folder.glob("*.kernel"), *folder.glob(".*.tmp")]


def test_a_read_only_disk(small_disk, capfd):
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    folder = small_disk / "engine-0"
    check_warned_once(Process(folder), folder, capfd, "Read-only file system")


def test_code_on_a_read_only_disk_is_used(folder, small_disk, capfd):
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    shutil.copytree(folder, small_disk / folder.name)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    again = Process(small_disk / folder.name)
    assert again() == [0, 2, 4, 6] and again.compiled == 0 and capfd.readouterr().err == ""


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EACCES])
def test_a_disk_that_takes_nothing(tmp_path, capfd, monkeypatch, number):
    """A stand-in for full, read-only and foreign folders."""

    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(code_cache, "atomic", refuse)
    folder = tmp_path / "cache" / "engine-0"
    check_warned_once(Process(folder), folder, capfd, os.strerror(number))


def test_a_file_in_the_folders_place(tmp_path, capfd):
    (tmp_path / "cache").write_text("")
    folder = tmp_path / "cache" / "engine-0"
    check_warned_once(Process(folder), folder, capfd, "Not a directory")


def test_nothing_is_kept_elsewhere(tmp_path):
    """Beside the sources, say, where edits of other files would go unnoticed."""
    script = tmp_path / "source" / "script.py"
    script.parent.mkdir()
    script.write_text(SCRIPT)
    (tmp_path / "cache").write_text("")
    where = {"HOME": str(tmp_path / "home"), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(script), str(tmp_path / "cache" / "engine-0")]
    done = subprocess.run(command, env=os.environ | where, capture_output=True, text=True, check=True)
    assert done.stdout == "0 2 4 1\n" and done.stderr.count("VITIENV_CACHE") == 1
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["cache", "script.py", "source"]


# What is told of a compilation.


def lines_of(capfd):
    """What was told, once the end is told too: a thread does that."""
    said, until = "", time.monotonic() + 60
    while "compiled in" not in said and time.monotonic() < until:
        time.sleep(0.01)
        said += capfd.readouterr().err
    return said.splitlines()


def test_a_long_compilation_tells_how_far_it_is(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 0.0)
    monkeypatch.setattr(progress, "BETWEEN", 0.0)
    Process(tmp_path / "cache" / "engine-0")()
    first, *between, last = lines_of(capfd)
    assert first == "vitienv: compiling the engine, once for this version, some seconds …"
    assert between and all(re.fullmatch(r"vitienv: \d+ %, \d+ s", line) for line in between)
    assert last.startswith("vitienv: the engine: compiled in ")


def test_what_belongs_together_is_told_of_once(tmp_path, capfd, monkeypatch):
    """Three kernels of two parts; what is expected inside is expected of the whole."""
    monkeypatch.setattr(progress, "SHORT", 0.0)
    folder = tmp_path / "cache" / "engine-0"
    first, second = Process(folder), Process(folder, triple)
    third = cache_on_disk(fourfold, folder, "the bots")
    with progress.WATCH.together([first.kernel]):
        first()
        with progress.WATCH.together([second.kernel, third]):
            second()
        third(np.arange(4))
    lines = [line for line in lines_of(capfd) if "%" not in line]
    assert [re.sub(r"\d+ s", "N s", line) for line in lines] == [
        "vitienv: compiling the engine, once for this version, some seconds …",
        "vitienv: the engine and the bots: compiled in N s",
    ]


def test_the_bar_is_of_all_that_is_expected(tmp_path, monkeypatch):
    """What is kept already is not counted; it does not jump back, and never says that all is done."""
    monkeypatch.setattr(code_cache, "silent", True)
    folder = tmp_path / "cache" / "engine-0"
    Process(folder, triple)()
    first, kept_one, third = Process(folder), Process(folder, triple), cache_on_disk(fourfold, folder, "the bots")
    seen = []
    end = progress._Compilation.finish
    monkeypatch.setattr(progress._Compilation, "finish", lambda own, kernel: (
        seen.append((own.parts, own.share)), end(own, kernel), seen.append((own.parts, own.share))
    ))  # fmt: skip
    with progress.WATCH.together([first.kernel, kept_one.kernel, third]):
        first()
        kept_one()
        third(np.arange(4))
    assert progress.WATCH.share() is None and progress.WATCH.told() == ""
    assert {parts for parts, _ in seen} == {"the engine and the bots"} and len(seen) == 4
    shares = [share for _, share in seen]
    assert shares == sorted(shares) and 0 < shares[1] < shares[-1] == 1.0


def test_a_compilation_that_is_not_kept_says_so(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 0.0)
    (tmp_path / "cache").write_text("")
    Process(tmp_path / "cache" / "engine-0")()
    lines = capfd.readouterr().err.splitlines()
    assert "VITIENV_CACHE" in lines[0] and "compiling the engine, for this process alone" in lines[1]


def test_a_compilation_that_fails_ends_its_reports(tmp_path, capfd, monkeypatch):
    def wrong(numbers):
        return numbers.no_such_thing

    monkeypatch.setattr(progress, "SHORT", 0.0)
    with pytest.raises(Exception, match="no_such_thing"):
        cache_on_disk(wrong, tmp_path / "cache" / "engine-0", "the engine")(np.arange(4))
    assert progress.WATCH._now is None and progress.WATCH._under_way is None
    Process(tmp_path / "cache" / "engine-0")()
    assert "compiled in" in lines_of(capfd)[-1]


def compile_here(folder, number):
    """In a worker: what would be told by a process of its own is told."""
    progress.SHORT = 0.0
    return Process(Path(folder) / f"engine-{number}")()


def test_the_processes_of_a_pool_tell_nothing(tmp_path, capfd):
    tasks = [(str(tmp_path), number) for number in range(2)]
    assert list(run_all(compile_here, tasks, 2)) == [[0, 2, 4, 6]] * 2
    assert len([*tmp_path.rglob("*.kernel")]) == 2 and capfd.readouterr().err == ""


def test_where_a_bar_shows_it_nothing_is_written(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr(progress, "SHORT", 0.0)
    with progress.WATCH.shown():
        Process(tmp_path / "cache" / "engine-0")()
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("seconds, linked, plain", [
    (2, "some seconds", "some seconds"), (20, "about half a minute", "some minutes"),
    (74, "about a minute", "some minutes"), (130, "about 2 minutes", "some minutes"),
])  # fmt: skip
def test_the_length_that_is_foretold(seconds, linked, plain):
    assert progress.length(seconds, is_linked=True) == linked
    assert progress.length(seconds, is_linked=False) == plain


def test_the_functions_below_a_kernel_are_counted():
    """Those of the loop itself, and through modules and other functions; not all that there are."""
    from vitienv.core.compiling.static_checks import rules_below
    from vitienv.core.rng import word
    from vitienv.viticulture.kernel import KERNELS

    assert rules_below(cache_on_disk(triple, KERNELS.folder, "the engine")) == []
    assert rules_below(cache_on_disk(double, KERNELS.folder, "the engine")) == [twice]
    run, stand = rules_below(KERNELS.run), rules_below(KERNELS.stand)
    assert len(run) > 400 and word in run and len(stand) < 40 and word not in stand


def test_checkouts_with_the_same_sources_share_a_cache(tmp_path, monkeypatch):
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
    renamed.rename(source).write_text(source.read_text() + "# edited\n")
    hashes.append(jit_module.source_hash(home))
    assert len(set(hashes)) == 3
