"""Output of commands: encodings, closed streams, help, and progress of long commands."""

import io
import json
import os
import re
import shlex
import subprocess
import sys
import time

import pytest

from tests.command import commands, refused, run, run_encoded
from vitienv import cli, console

TOURNAMENT = "tournament random random:seed=1 --games 4 --processes 1 --option max_years=1 --run dégustation"
# Command, expected part of its output, input, and status.
OUTPUTS = [
    (TOURNAMENT, "bot", "", 0),
    (f"{TOURNAMENT} --json", '"folder": "d', "", 0),
    ("evaluate random --campaign 2 --max-games 2 --processes 1", "0 0 0 0 0 0 0", "", 0),
    ("evaluate random --players 1 --games 4 --processes 1", "Automa", "", 0),
    ("evaluate random --opponents random --option max_years=2 --games 4 --processes 1", "won", "", 0),
    ("evaluate véraison±\udcff --opponents random", "vitienv: unknown agent", "", 2),
    ("bench --only single --runs 1 --seconds 0.01 --game tests.toy.game_spec", "copy and one step", "", 0),
    ("ladder show", "champion", "", 0),
    ("cards broker", "broker", "", 0),
    ("cache", "directories", "", 0),
    ("--help", "Usage", "", 0),
    ("play --bots random", "is not a legal choice", "naïve 漢字\nhelp\n1\n1\nquit\n", 0),
]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(("command", "expected", "typed", "status"), OUTPUTS, ids=[row[0][:24] for row in OUTPUTS])
def test_output_does_not_fail_in_any_encoding(monkeypatch, tmp_path, encoding, command, expected, typed, status):
    monkeypatch.chdir(tmp_path)
    result, out, errors = run_encoded(monkeypatch, encoding, *command.split(), typed=typed.encode())
    assert result == status and expected in (errors if status else out), errors
    if status:
        assert out == "" and errors.count("\n") == 1
    if command.endswith("--json"):
        assert json.loads(out)["folder"] == "dégustation"
    if command.startswith("bench"):
        assert ("\\xb5s" if encoding == "ascii" else "µs") in out


@pytest.mark.skipif(os.name == "nt", reason="closes streams by a shell")
@pytest.mark.parametrize(
    "streams, status",
    [(">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0), ("nosuch >&-", 2), ("nosuch 2>&-", 2)]
    + [(">/dev/full", 2), ("nosuch 2>/dev/full", 2)] * os.path.exists("/dev/full"),
)
def test_closed_and_full_streams_cause_no_traceback(streams, status):
    command = f"{shlex.quote(sys.executable)} -m vitienv.cli replay {streams}"
    process = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert process.returncode == status and "Traceback" not in process.stderr + process.stdout


@pytest.mark.parametrize("arguments", [(), ("ladder",)], ids=" ".join)
def test_commands_without_arguments_show_their_help(capsys, arguments):
    status, out, errors = run(capsys, *arguments)
    assert status == 2 and "Usage" in out and errors.strip() == ""


ARGUMENTS = {
    ("ladder", "challenge"): ["random"], ("ladder", "promote"): ["runs/mine", "--table", "2"],
    ("analyse",): ["game.json"], ("train",): ["--method", "selfplay"],
}  # fmt: skip


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400"])
def test_float_options_must_be_finite(capsys, tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    options = [(path, f"--{name.replace('_', '-')}") for path, parameters in commands(cli.build()).items()
               for name, parameter in parameters.items()
               if parameter.annotation in ("float", "float | None", float, float | None)]  # fmt: skip
    assert len(options) > 7
    for path, option in options:
        assert option in refused(capsys, *path, *ARGUMENTS.get(path, []), option, text)
    assert list(tmp_path.iterdir()) == []


# Progress.


def test_the_progress_bar_shows_the_rate(monkeypatch):
    from rich.console import Console

    output = io.StringIO()
    monkeypatch.setattr(console, "console", lambda **_: Console(file=output, force_terminal=True, width=100))
    with console._bar("playing") as report:
        for num_done in (0, 20, 40, 50):
            report(num_done, 50)
            time.sleep(0.05)
    assert re.search(r"50/50\S* \S*[\d,]+\.\d/s", output.getvalue())


def test_progress_lines_stop_with_the_work(capsys, monkeypatch):
    monkeypatch.setattr(console, "LINE_SECONDS", 0.05)
    errors, end_time = "", time.monotonic() + 60

    def wait_for(pattern):
        nonlocal errors
        while not re.search(pattern, errors) and time.monotonic() < end_time:
            time.sleep(0.01)
            errors += capsys.readouterr().err

    with console.progress("playing") as report:
        wait_for("\n")  # before the first report
        report(1500, 4000)
        wait_for("1,500.*\n")
    assert re.match(r"vitienv: playing: \d+ s\n", errors)
    assert re.search(r"^vitienv: playing: 1,500 of 4,000, \d+ s$", errors, re.MULTILINE)
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr().err == ""


@pytest.mark.filterwarnings("error")  # a failed thread would warn
def test_short_work_shows_no_progress(capsys, monkeypatch):
    monkeypatch.setattr(console, "LINE_SECONDS", float("inf"))
    with console.progress("playing") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""
