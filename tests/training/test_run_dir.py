"""The directory of a run: lock, method, options, learning curve and training loop."""

import os
import signal
import subprocess
import sys
import time
from functools import partial
from types import SimpleNamespace

import pytest

from tests.command import refused
from tests.training.small_runs import RUNS, TOY
from vitienv import cli
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.ppo.train import train
from vitienv.training.run import Loop, claim, read_call
from vitienv.training.run_dir import KINDS, LOCK, add_point, is_evaluated, lock_run_dir, points
from vitienv.training.search.train import train_search
from vitienv.training.selfplay import settings as selfplay
from vitienv.training.selfplay.train import train_selfplay
from vitienv.training.settings import OwnCall, settings_of

HOLD_LOCK = "import sys, time\nfrom pathlib import Path\nfrom vitienv.training.run_dir import lock_run_dir\n"
HOLD_LOCK += "with lock_run_dir(Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)"


@pytest.fixture
def used_run(tmp_path):
    """A directory locked by another process, and that process."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD_LOCK, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout.readline() == "held\n"
        yield tmp_path / "run", other
    finally:
        other.kill()
        other.wait()


def test_second_process_raises_with_the_owner(used_run):
    folder, other = used_run
    tournament = Settings(("random", "heuristic"), 2, 2)
    for work in (partial(run_tournament, tournament), *RUNS.values()):
        with pytest.raises(ValueError, match=f"is in use by process {other.pid} on ") as error:
            work(folder)
        assert "\n" not in str(error.value) and [path.name for path in folder.iterdir()] == [LOCK]


def test_directory_of_a_killed_process_is_unlocked(used_run):
    folder, other = used_run
    (folder / ".settings.json.abc.tmp").write_text("half")
    other.kill()
    other.wait()
    start = time.monotonic()
    with lock_run_dir(folder):
        assert time.monotonic() - start < 5 and str(os.getpid()) in (folder / LOCK).read_text()
        assert [path.name for path in folder.iterdir()] == [LOCK]  # temporary files are removed
        with pytest.raises(ValueError, match=f"in use by process {os.getpid()} on"), lock_run_dir(folder):
            pass
    assert list(folder.iterdir()) == []
    with lock_run_dir(folder):
        pass


def test_file_instead_of_a_directory_raises(tmp_path):
    (tmp_path / "run").write_text("")
    with pytest.raises(ValueError, match="run must be a directory, got the file"), lock_run_dir(tmp_path / "run"):
        pass


def test_curve_keeps_all_rows_in_order(tmp_path):
    curve = tmp_path / "curve.csv"
    assert points(curve) == []
    for imitated in (0, 50):
        add_point(curve, {"decisions": 0, "imitated": imitated, "wins": imitated / 1000})
    for decisions in (100, 300, 200, 300):
        add_point(curve, {"decisions": decisions, "imitated": 50, "years": 7})
    columns = [(row["decisions"], row["imitated"], row["wins"], row["years"]) for row in points(curve)]
    assert columns == [
        ("0", "0", "0.0", ""),
        ("0", "50", "0.05", ""),
        *((n, "50", "", "7") for n in ("100", "200", "300", "300")),
    ]
    evaluated = [
        is_evaluated(curve, {"decisions": n, "imitated": m}) for n, m in ((0, 50), (0, 60), (300, 50), (301, 50))
    ]
    assert evaluated == [True, False, True, False]
    with curve.open("a") as file:
        file.write("300,0.")  # truncated
    add_point(curve, {"decisions": 400, "wins": 1.0})
    assert [row["decisions"] for row in points(curve)] == ["0", "0", "100", "200", "300", "300", "400"]


# Resumed runs

RESUME = {
    "ppo": lambda run: train(run=run, resume=True, steps=1024, progress=False),
    "selfplay": lambda run: train_selfplay(run, updates=2, resume=True, device="cpu", progress=False),
    "search": lambda run: train_search(run, updates=2, resume=True, device="cpu", processes=1, progress=False),
}


@pytest.mark.parametrize("method", KINDS)
def test_resumed_run_continues_its_curve(tmp_path, method):
    """Time continues, no row is lost or evaluated again, and the number of games stays."""
    RUNS[method](tmp_path, eval_opponents=["random"])
    before = points(tmp_path / "curve.csv")
    RESUME[method](tmp_path)
    after = points(tmp_path / "curve.csv")
    assert len(after) > len(before) >= 2 and after[: len(before)] == before
    assert len({row["decisions"] for row in after}) == len(after)
    seconds = [float(row["seconds"]) for row in after]
    assert seconds == sorted(seconds)
    assert {row["games"] for row in after} == {"2"}


@pytest.mark.parametrize("method", KINDS)
def test_interrupt_ends_after_the_update_with_its_status(tmp_path, method, monkeypatch, capsys):
    """A shell loop over seeds ends too; the command to resume is printed before and after the first update."""
    words = ["train", "--method", method, "--run", str(tmp_path / "run"), "--minutes", "9", "--threads", "1"]
    words += {
        "ppo": ["--num-envs", "4", "--opponents", "random"],
        "selfplay": ["--num-envs", "4", "--mix", "2", "--hidden", "4", "--league", "none"],
        "search": ["--game", TOY, "--mix", "2:1", "--games", "2", "--processes", "1", "--full-simulations", "2"],
    }[method]
    checkpoint, countdown = Loop.checkpoint, [1]

    def interrupted(self, is_end=False):
        checkpoint(self, is_end)
        countdown[0] -= 1
        if countdown[0] == 0:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr("vitienv.training.monitor.Monitor.evaluate", lambda *_: None)
    monkeypatch.setattr(Loop, "checkpoint", interrupted)
    for n_checkpoints, options, limit in ((1, words[1:3] + words[5:], " --minutes 9.0"), (2, ["--resume"], "")):
        countdown[0] = n_checkpoints
        assert cli.run(["train", *words[3:5], *options]) == cli.INTERRUPTED
        out, error = capsys.readouterr()
        assert f"Resume: vitienv train --resume --run {tmp_path / 'run'}{limit}" in error
        assert error.endswith("\nvitienv: interrupted\n")
        assert out.startswith(f"{tmp_path / 'run'}: ") and ", 0 a second" not in out


def test_resumed_run_keeps_the_options_of_its_first_call(tmp_path):
    options = {"threads": 3, "evaluation_games": 7, "checkpoint_seconds": 5.0, "eval_opponents": ("random",)}
    first = OwnCall(run=tmp_path, minutes=2, **options)
    claim(tmp_path, "selfplay", settings_of(selfplay.Settings, {}), first)
    call, settings = read_call({"run": tmp_path, "resume": True, "steps": 9, "seed": 4}, OwnCall)
    assert {name: getattr(call, name) for name in options} == options and (call.steps, call.minutes) == (9, None)
    assert settings == {"seed": 4}
    call, _ = read_call({"run": tmp_path, "resume": True, "threads": 1, "eval_opponents": ()}, OwnCall)
    assert (call.threads, call.eval_opponents, call.evaluation_games) == (1, (), 7)


@pytest.mark.parametrize("method", KINDS)
def test_run_has_one_method(tmp_path, capsys, method):
    (tmp_path / "settings.json").write_text(f'{{"kind": "{method}"}}')
    (tmp_path / KINDS[method]).touch()
    train = ("train", "--run", tmp_path, "--method", next(name for name in KINDS if name != method))
    assert f"--method must be '{method}'" in refused(capsys, *train, "--resume")
    assert "already contains a training" in refused(capsys, *train, "--steps", 16384)


def test_missing_run_is_not_resumed(tmp_path, capsys):
    for folder in (tmp_path, tmp_path / "none"):
        error = refused(capsys, "train", "--resume", "--run", folder)
        assert "does not exist" in error and "policy" not in error


@pytest.mark.parametrize("method", KINDS)
@pytest.mark.parametrize(("settings", "message"), [
    (None, "does not exist"), ("{", "is damaged"), ('{"kind": "METHOD"}', "does not contain a"),
    ('{"kind": "METHOD", "settings": {"game": "viticulture"}}', "does not contain checkpoint"),
], ids=["no settings", "damaged", "empty", "no checkpoint"])  # fmt: skip
def test_incomplete_run_is_not_resumed(tmp_path, method, settings, message):
    if settings is not None:
        (tmp_path / "settings.json").write_text(settings.replace("METHOD", method))
    with pytest.raises(ValueError, match=message):
        RESUME[method](tmp_path)


# Evaluations of the loop


class RecordedTraining:
    """Training that records its calls. An update takes half a second, an evaluation two seconds."""

    def __init__(self):
        self.updates, self.decisions, self.seconds, self.calls = 0, 0, 0.0, ""

    def step(self, share):
        self.updates, self.decisions, self.calls = self.updates + 1, self.decisions + 50, self.calls + "u"
        self.seconds += 0.5

    def save(self):
        self.calls += "s"

    def evaluate(self):
        self.calls += "e"
        self.seconds += 2.0


@pytest.fixture
def training(monkeypatch):
    training = RecordedTraining()
    monkeypatch.setattr("vitienv.training.run.time", SimpleNamespace(monotonic=lambda: training.seconds))
    return training


@pytest.mark.parametrize(("limits", "num_decisions", "calls", "num_warnings"), [
    ({"minutes": 0}, 0, "se", 0),
    ({"minutes": 0, "steps": 100}, 0, "se", 0),
    ({"minutes": 0, "updates": 3}, 0, "se", 0),
    ({"steps": 100}, 100, "se", 0),  # already reached
    ({"steps": 100}, 0, "seuuse", 0),
    ({"minutes": 9, "updates": 1}, 0, "seuse", 0),
    ({"minutes": 8 / 60}, 0, "seuuuuse", 0),  # includes the evaluation of the best network
    ({"minutes": 6 / 60, "updates": 9}, 0, "se", 1),
])  # fmt: skip
def test_limits_of_a_call(training, limits, num_decisions, calls, num_warnings, capsys):
    """A call without updates evaluates once, and warns if its time is too short for one."""
    training.decisions = num_decisions
    loop = Loop(training, OwnCall(**limits))
    loop.save_initial()
    loop.run()
    assert training.calls == calls and capsys.readouterr().err.count("no update: ") == num_warnings


def test_imitation_is_evaluated_before_updates(training):
    """The time ends with the imitation."""
    loop = Loop(training, OwnCall(minutes=0))
    loop.save_initial()
    loop.restart_clock()
    loop.run()
    assert training.calls == "sese"
