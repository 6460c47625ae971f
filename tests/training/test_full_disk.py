"""Disks that fill up: what has a final name is whole, and the error is a line that names the user's file.

Two stand-ins: a limit of the system's on the size of files, under which the writes of every library fail as on a full
disk, at any byte; and a disk that fails at the n-th file of a whole command.
"""

import errno
import gzip
import json
import os

import numpy as np
import pytest

from tests.command import contents
from vitienv import cli
from vitienv.core import files
from vitienv.core.files import atomic, check_writable, write_json

resource = pytest.importorskip("resource")


class Room:
    """Room for files of so many bytes."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __enter__(self):
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.n, self.before[1]))

    def __exit__(self, *_):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


# The writers: each writes one file, and the same bytes each time.


def chunk_size(path):
    from vitienv.training.evaluation.tournament import _gzip

    with atomic(path) as temporary, _gzip(temporary) as file:
        for number in range(500):
            file.write(json.dumps({"number": number, "moves": [number * 7919 % 271] * 9}).encode() + b"\n")


def parquet(path):
    import pandas as pd

    with atomic(path) as temporary:
        pd.DataFrame({"a": np.arange(3000) * 7919 % 1000}).to_parquet(temporary, index=False)


def table(path):
    import pandas as pd

    with atomic(path) as temporary:
        pd.DataFrame({"a": np.arange(3000)}).to_csv(temporary, index=False)


def log(path):
    import vitienv

    write_json(path, vitienv.Game.new(seed=1).log)


def campaign(path):
    from vitienv.training.viticulture.campaign import Campaign

    Campaign().save(path)


def ladder(path):
    from vitienv.training.evaluation.ladder import Champion, Ladder

    Ladder([Champion("2", "random", beaten="heuristic")]).save(path)


def curve(path):
    from vitienv.training.run_dir import add_point

    add_point(path, {"decisions": 5, "games": 2})


def page(path):
    from vitienv.commands.tables import write_marked

    write_marked(path, "solo", "The solo game", ["| a | b |", "words " * 900])


def picture(path):
    from vitienv.training.evaluation.ladder import Ladder, plot

    plot(Ladder(), path)


def network(path):
    import torch

    from vitienv.training.selfplay.network import Architecture, PolicyValue, save_network

    torch.manual_seed(1)
    save_network(path, PolicyValue(Architecture(hidden=4)), {})


def mlp(path):
    from vitienv.agents.mlp import save_mlp
    from vitienv.registry import game_spec

    game = game_spec("viticulture")
    layers = [(np.zeros((2, game.observation.n)), np.zeros(2))]
    save_mlp(path, [*layers, (np.zeros((game.actions.n, 2)), np.zeros(game.actions.n))],
             [*layers, (np.zeros((1, 2)), np.zeros(1))], {}, game)  # fmt: skip


GO_ON = (page, curve, campaign)  # with what is in the file
WRITERS = [chunk_size, parquet, table, log, campaign, ladder, curve, page, picture, network, mlp]


@pytest.mark.parametrize("write", WRITERS)
def test_a_file_is_whole_or_the_old_one_and_the_error_names_it(tmp_path, write):
    path = tmp_path / "results" / "file.png"
    write(path)
    whole = path.read_bytes()
    for room in sorted({0, 1, len(whole) // 3, len(whole) * 2 // 3, len(whole) - 1}):
        path.write_bytes(b"old")
        if write in GO_ON:
            path.unlink()
        with Room(room), pytest.raises(OSError) as error:
            write(path)
        assert error.value.errno == errno.EFBIG and error.value.filename == str(path)
        assert [file.name for file in path.parent.iterdir()] == ([] if write in GO_ON else ["file.png"])
        assert write in GO_ON or path.read_bytes() == b"old"
    with Room(len(whole)):
        write(path)
    assert path.stat().st_size == len(whole)


def test_the_last_flush_of_a_chunk_is_heard_of(tmp_path):
    """What a GzipFile leaves in the buffer of a file that it was given was lost in silence."""
    path = tmp_path / "chunk.gz"
    chunk_size(path)
    size = path.stat().st_size
    for room in range(1, size, max(1, size // 40)):
        with Room(room), pytest.raises(OSError):
            chunk_size(tmp_path / "other.gz")
    assert not (tmp_path / "other.gz").exists()
    with gzip.open(path) as file:
        assert len(file.readlines()) == 500


# Whole commands, on a disk that fails at the n-th file.


class FailingDisk:
    """Fails when the n-th file, from 0, is brought to the disk, and from then on."""

    def __init__(self, monkeypatch, n: int) -> None:
        self.left, self.monkeypatch, self.real = n, monkeypatch, os.fsync

    def __enter__(self):
        self.monkeypatch.setattr(files.os, "fsync", self)
        return self

    def __exit__(self, *_):
        self.monkeypatch.setattr(files.os, "fsync", self.real)

    def __call__(self, handle):
        import stat

        if stat.S_ISREG(os.fstat(handle).st_mode):
            self.left -= 1
            if self.left < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.real(handle)


TINY = ["--num-envs", "4", "--threads", "1", "--steps", "512"]
COMMANDS = {
    "tournament": (
        [
            "tournament",
            "random",
            "random:seed=2",
            "--games",
            "4",
            "--chunk-size",
            "2",
            "--max-years",
            "2",
            "--processes",
            "1",
            "--run",
        ],
        None,
    ),
    "ladder": (
        ["ladder", "challenge", "random", "--max-pairs", "17", "--effect-size", "0.01", "--processes", "1", "--file"],
        "ladder.json",
    ),
    "report": (["analyse"], None),
    "ppo": (["train", "--method", "ppo", "--opponents", "random", *TINY, "--run"], None),
    "selfplay": (
        [
            "train",
            "--method",
            "selfplay",
            *TINY,
            "--hidden",
            "4",
            "--mix",
            "2",
            "--league",
            "none",
            "--device",
            "cpu",
            "--run",
        ],
        None,
    ),
}


def finals(folder):
    """What has its final name in a folder and those in it."""
    return {name: content for name, content in contents(folder).items() if not name.startswith("tb/")}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name == "report" else []) for name in COMMANDS]
)
def test_a_command_fails_in_a_line_at_each_write_and_goes_on(tmp_path, monkeypatch, capsys, name):
    # takes long, is no matter of disks
    monkeypatch.setattr("vitienv.training.monitor.Monitor.evaluate", lambda *_: None)
    arguments, file = COMMANDS[name]
    if name == "report":
        arguments = ["analyse", str(tmp_path / "played"), "--out"]
        assert cli.run([*COMMANDS["tournament"][0], str(tmp_path / "played")]) == 0
        capsys.readouterr()

    def command(folder):
        again = ["--resume"] if list(folder.glob("checkpoint.*")) else []
        return [*arguments, str(folder / file if file else folder), *again]

    n_writes = 0
    while True:
        folder = tmp_path / str(n_writes)
        with FailingDisk(monkeypatch, n_writes) as disk:
            status = cli.run(command(folder))
        said = capsys.readouterr().err
        if status == 0:
            break
        assert status == 2 and "Traceback" not in said and ".tmp" not in said
        assert said.splitlines()[-1].startswith(f"vitienv: No space left on device: '{folder}")
        assert not [path for path in finals(folder) if path.endswith(".tmp")]
        assert cli.run(command(folder)) == 0  # with room again
        capsys.readouterr()
        n_writes += 1
    assert disk.left == 0 and n_writes >= 2
    if name in ("tournament", "report"):
        assert n_writes > 6 and all(finals(tmp_path / str(n)) == finals(folder) for n in range(n_writes))


def test_a_place_that_cannot_be_written_is_found_out_before_the_work(tmp_path, capsys):
    for path in ("/proc/x.safetensors", "/proc/none/x.safetensors"):
        for method in ("ppo", "selfplay"):
            arguments = ["train", "--method", method, "--output", path, "--run", str(tmp_path / "run")]
            assert cli.run([*arguments, "--steps", "1"]) == 2
            said = capsys.readouterr().err
            assert said.count("\n") == 1 and repr(path) in said and ".tmp" not in said
    assert not (tmp_path / "run").exists()
    with pytest.raises(IsADirectoryError, match="Is a directory"):
        check_writable(tmp_path)
    assert cli.run(["train", "--output", str(tmp_path / "bot"), "--run", str(tmp_path / "run")]) == 2
    assert "must end in .safetensors" in capsys.readouterr().err
