"""Full disks: files under their final names are complete, and the error is one line that names the user's file.

Two simulations: a limit on the size of files, under which the writes of every library fail at any byte; and a disk that
fails at the n-th file of a command.
"""

import errno
import json
import os
import stat
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
import torch

import vitienv
from tests.command import contents
from tools.markdown_tables import write_marked
from vitienv import cli
from vitienv.agents.mlp import save_mlp
from vitienv.core import files
from vitienv.core.files import atomic, check_writable, to_gzip, write_json
from vitienv.training.evaluation.ladder import Champion, Ladder
from vitienv.training.evaluation.plots import plot_learning_curves
from vitienv.training.run_dir import add_point
from vitienv.training.selfplay.network import Architecture, PolicyValue, save_network
from vitienv.training.viticulture.campaign import Campaign

resource = pytest.importorskip("resource")
GAME = vitienv.game_spec()


@contextmanager
def size_limit(size):
    """Limit the size of files in bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def write_chunk(path):
    with atomic(path) as temporary, to_gzip(temporary) as file:
        for number in range(500):
            file.write(json.dumps({"number": number, "moves": [number * 7919 % 271] * 9}).encode() + b"\n")


def write_frame(path, method):
    with atomic(path) as temporary:
        getattr(pd.DataFrame({"a": np.arange(3000) * 7919 % 1000}), method)(temporary, index=False)


def write_network(path):
    torch.manual_seed(1)
    save_network(path, PolicyValue(Architecture(hidden=4)), {})


def write_mlp(path):
    hidden = np.zeros((2, GAME.observation.n)), np.zeros(2)
    towers = [[hidden, (np.zeros((n, 2)), np.zeros(n))] for n in (GAME.actions.n, 1)]
    save_mlp(path, *towers, {}, GAME)


POINT = {"method": "a", "opponent": "random", "decisions": 1, "win_rate": {"value": 0.5, "low": None, "high": None}}
# Functions that write one file, with the same bytes each time.
WRITERS = {
    "chunk": write_chunk,
    "parquet": lambda path: write_frame(path, "to_parquet"),
    "csv": lambda path: write_frame(path, "to_csv"),
    "log": lambda path: write_json(path, vitienv.Game.new(seed=1).log),
    "campaign": lambda path: Campaign().save(path),
    "ladder": lambda path: Ladder([Champion("2", "random", beaten="heuristic")]).save(path),
    "curve": lambda path: add_point(path, {"decisions": 5, "games": 2}),
    "page": lambda path: write_marked(path, "solo", "The solo game", ["| a | b |", "words " * 900]),
    "plot": lambda path: plot_learning_curves([POINT], path),
    "network": write_network,
    "mlp": write_mlp,
}
UPDATING = {"page", "curve", "campaign"}  # writers that read the file first


@pytest.mark.parametrize("name", WRITERS)
def test_file_is_complete_or_unchanged(tmp_path, name):
    write, path = WRITERS[name], tmp_path / "results" / "file.png"
    write(path)
    size = path.stat().st_size
    for limit in sorted({0, 1, size // 3, size * 2 // 3, size - 1}):
        path.write_bytes(b"old")
        if name in UPDATING:
            path.unlink()
        with size_limit(limit), pytest.raises(OSError) as error:
            write(path)
        assert error.value.errno == errno.EFBIG and error.value.filename == str(path)
        assert [file.name for file in path.parent.iterdir()] == ([] if name in UPDATING else ["file.png"])
        assert name in UPDATING or path.read_bytes() == b"old"
    with size_limit(size):
        write(path)
    assert path.stat().st_size == size


@contextmanager
def failing_disk(monkeypatch, n):
    """Fail when the n-th file, from 0, is synchronised, and from then on. Yield the handles of such files."""
    fsync, handles = os.fsync, []

    def fail(handle):
        if stat.S_ISREG(os.fstat(handle).st_mode):
            handles.append(handle)
            if len(handles) > n:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    with monkeypatch.context() as patch:
        patch.setattr(files.os, "fsync", fail)
        yield handles


TOURNAMENT = "tournament random random:seed=2 --games 4 --chunk-size 2 --option max_years=2 --processes 1 --run"
TRAIN = "train --num-envs 4 --threads 1 --steps 512"
COMMANDS = {
    "tournament": TOURNAMENT,
    "ladder": "ladder challenge random --max-pairs 17 --effect-size 0.01 --processes 1 --file",
    "report": "analyse {played} --out",
    "ppo": f"{TRAIN} --method ppo --opponents random --run",
    "selfplay": f"{TRAIN} --method selfplay --hidden 4 --mix 2 --league none --device cpu --run",
}


def results_in(folder):
    return {name: content for name, content in contents(folder).items() if not name.startswith("tb/")}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name == "report" else []) for name in COMMANDS]
)
def test_command_fails_in_one_line_at_each_write_and_resumes(tmp_path, monkeypatch, capsys, name):
    monkeypatch.setattr("vitienv.training.monitor.Monitor.evaluate", lambda *_: None)  # slow
    if name == "report":
        assert cli.run([*TOURNAMENT.split(), str(tmp_path / "played")]) == 0
        capsys.readouterr()

    def command(folder):
        resume = ["--resume"] if list(folder.glob("checkpoint.*")) else []
        output = folder / "ladder.json" if name == "ladder" else folder
        return [*COMMANDS[name].format(played=tmp_path / "played").split(), str(output), *resume]

    n_writes = 0
    while True:
        folder = tmp_path / str(n_writes)
        with failing_disk(monkeypatch, n_writes) as handles:
            status = cli.run(command(folder))
        errors = capsys.readouterr().err
        if status == 0:
            break
        assert status == 2 and "Traceback" not in errors and ".tmp" not in errors
        assert errors.splitlines()[-1].startswith(f"vitienv: No space left on device: '{folder}")
        assert not [path for path in results_in(folder) if path.endswith(".tmp")]
        assert cli.run(command(folder)) == 0
        capsys.readouterr()
        n_writes += 1
    assert len(handles) == n_writes >= 2
    if name in ("tournament", "report"):
        assert n_writes > 6
        assert all(results_in(tmp_path / str(n)) == results_in(folder) for n in range(n_writes))


def test_directory_is_not_a_writable_file(tmp_path):
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        check_writable(tmp_path)
