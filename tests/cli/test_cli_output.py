"""What reaches the screen: in any encoding, never empty, never a traceback, and a sign of life from long commands."""

import inspect
import io
import json
import os
import re
import shlex
import subprocess
import sys
import time

import pytest

from tests.command import refused, run
from vitienv import cli, console

ENCODINGS = ("ascii", "cp1252", "utf-8")
GAMES = ("--games", "4", "--processes", "1")


class Pipe(io.TextIOWrapper):
    """A stream of some encoding that refuses what it cannot hold, as Python's own do."""

    def __init__(self, encoding):
        super().__init__(io.BytesIO(), encoding=encoding, errors="strict", write_through=True)

    def text(self):
        return self.buffer.getvalue().decode(self.encoding)


def run_in(monkeypatch, encoding, *arguments, typed=""):
    """Status, stdout and stderr of a command whose streams have an encoding."""
    out, errors = Pipe(encoding), Pipe(encoding)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed.encode()), encoding=encoding))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", errors)
    return cli.run(list(arguments)), out.text(), errors.text()


SHOWING = [
    (("tournament", "random", "random:seed=1", *GAMES, "--max-years", "2", "--run", "run"), "bot", None),
    (("evaluate", "random", "--campaign", "2", "--max-games", "2", "--processes", "1"),
     "random", None),
    (("evaluate", "random", "--players", "1", *GAMES), "Automa", None),
    (("evaluate", "random", "--opponents", "random", "--max-years", "2", *GAMES), "won", None),
    (("bench", "--only", "single", "--runs", "1", "--seconds", "0.01", "--game", "tests.toy.game_spec"),
     "Signature", "µs"),
    (("ladder", "show"), "champion", None),
    (("cards", "broker"), "broker", None),
    (("cache",), "directories", None),
    (("--help",), "Usage", None),
    (("evaluate", "--help"), "Usage", None),
]  # fmt: skip


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("arguments", "word", "sign"), SHOWING, ids=lambda value: str(value)[:24])
def test_no_table_is_lost_for_its_signs(monkeypatch, tmp_path, encoding, arguments, word, sign):
    if arguments[0] == "tournament":
        monkeypatch.chdir(tmp_path)
    status, out, errors = run_in(monkeypatch, encoding, *arguments)
    assert status == 0 and word in out, errors
    if sign is not None:
        assert (sign in out) == (encoding != "ascii") and (console.REPLACEMENTS[sign[0]] in out or sign in out)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_game_is_played_in_any_encoding(monkeypatch, encoding):
    status, out, _ = run_in(monkeypatch, encoding, "play", "--bots", "random", typed="naïve 漢字\nhelp\n1\n1\nquit\n")
    assert status == 0 and "is not a legal choice" in out and "You leave the table" in out


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_json_stays_json(monkeypatch, tmp_path, encoding):
    monkeypatch.chdir(tmp_path)
    given = ("tournament", "random", "random:seed=1", *GAMES, "--max-years", "1", "--run", "dégustation", "--json")
    status, out, _ = run_in(monkeypatch, encoding, *given)
    assert status == 0 and json.loads(out)["folder"] == "dégustation"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_message_about_signs_is_a_message(monkeypatch, encoding):
    status, out, errors = run_in(monkeypatch, encoding, "evaluate", "véraison±\udcff", "--opponents", "random")
    assert (status, out) == (2, "") and errors.startswith("vitienv: unknown agent") and errors.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="closes streams by a shell")
@pytest.mark.parametrize(
    "streams, right",
    [(">&-", 0), ("2>&-", 0), ("<&- >&- 2>&-", 0), ("nosuch >&-", 2), ("nosuch 2>&-", 2)]
    + [(">/dev/full", 2), ("nosuch 2>/dev/full", 2)] * os.path.exists("/dev/full"),
)
@pytest.mark.parametrize("language", ["C.UTF-8", ""])
def test_a_closed_or_full_stream_is_no_traceback(streams, right, language):
    command = f"{shlex.quote(sys.executable)} -m vitienv.cli replay {streams}"
    others = {name: value for name, value in os.environ.items() if not name.startswith(("LANG", "LC_", "PYTHON"))}
    told = {"PYTHONPATH": os.environ["PYTHONPATH"]} if "PYTHONPATH" in os.environ else {}
    settings = others | told | ({"LANG": language} if language else {})
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=settings)
    assert done.returncode == right and "Traceback" not in done.stderr + done.stdout


@pytest.mark.parametrize("arguments", [(), ("ladder",)], ids=" ".join)
def test_a_command_alone_shows_its_help_and_says_nothing_empty(capsys, arguments):
    status, out, errors = run(capsys, *arguments)
    assert status == 2 and "Usage" in out and errors.strip() == ""


DEEP = "[" * 100_000
BAD = [
    (("evaluate", "os.getcwd", "--opponents", "random"), "'os.getcwd' must be a class with a method 'act'"),
    (
        ("evaluate", "subprocess.getoutput:cmd=touch proof", "--opponents", "random"),
        "must be a class with a method 'act'",
    ),
    (("evaluate", "vitienv.game.Game", "--opponents", "random"), "must be a class with a method 'act'"),
    (("ladder", "show", "--file", "nosuch.json"), "file 'nosuch.json' does not exist"),
    (("play", "--players", "2", "--bots", "random,random,random"), "must name at most 1 bots for 2 players, got 3"),
    (("evaluate", "ismcts:c_puct=1e400", "--opponents", "random"), "c_puct must be finite"),
    (("evaluate", "ismcts:milliseconds=nan", "--opponents", "random"), "milliseconds must be finite"),
    (("evaluate", "ismcts:simulations=1000000000000", "--opponents", "random"), "at most 1,000,000"),
    (("evaluate", "ismcts:batch_size=1000000000000", "--opponents", "random"), "at most 4,096"),
    (("train", "--method", "selfplay", "--shaping", "nan"), "--shaping must be a finite number, got nan"),
    (("train", "--method", "selfplay", "--shaping", "-inf"), "--shaping must be a finite number, got -inf"),
    (("train", "--method", "selfplay", "--mix", "2:nan"), "got '2:nan'"),
    (("train", "--method", "selfplay", "--mix", "2:1e999"), "got '2:1e999'"),
    (("bench", "--seconds", "inf"), "--seconds must be a finite number, got inf"),
    (("ladder", "challenge", "random", "--effect-size", "nan"), "--effect-size must be a finite number, got nan"),
    (("replay", "deep.json"), "nested too deeply"),
    (("play", "--load", "deep.json"), "nested too deeply"),
    (("bench", "--perft", "1", "--position", "deep.json"), "nested too deeply"),
    (("ladder", "show", "--file", "deep.json"), "nested too deeply"),
    (("replay", "cut.json.gz"), "is not a log"),
]


@pytest.mark.parametrize(("arguments", "what"), BAD, ids=lambda value: " ".join(value)[:40] if value else "")
def test_what_once_gave_a_traceback_or_nothing_is_one_line(capsys, tmp_path, monkeypatch, arguments, what):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deep.json").write_text(DEEP)
    (tmp_path / "cut.json.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")
    assert what in refused(capsys, *arguments)
    assert not (tmp_path / "proof").exists()


def numbers_of(app, path=()):
    """Every option that is a number, in all commands: (words of the command, option)."""
    for command in app.registered_commands:
        for name, parameter in inspect.signature(command.callback).parameters.items():
            if parameter.annotation in ("float", "float | None", float, float | None):
                yield (*path, command.name), f"--{name.replace('_', '-')}"
    for group in app.registered_groups:
        yield from numbers_of(group.typer_instance, (*path, group.name))


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e400"])
def test_no_option_takes_what_is_no_number(capsys, tmp_path, monkeypatch, text):
    monkeypatch.chdir(tmp_path)
    arguments = {("ladder", "challenge"): ["random"], ("ladder", "promote"): ["runs/mine", "--table", "2"],
                 ("analyse",): ["game.json"], ("train",): ["--method", "selfplay"]}  # fmt: skip
    numbers = list(numbers_of(cli.build()))
    assert len(numbers) > 9
    for path, option in numbers:
        assert option in refused(capsys, *path, *arguments.get(path, []), option, text)
    assert list(tmp_path.iterdir()) == []


def test_an_error_that_quotes_a_large_file_is_cut(capsys, tmp_path):
    """An error may quote what somebody else wrote: 40 MB of it tell nobody more."""
    (tmp_path / "card.json").write_text(json.dumps({"kind": "data set", "format": "x" * 1_000_000}))
    status, out, errors = run(capsys, "data", "info", str(tmp_path))
    assert (status, out) == (2, "") and errors.startswith("vitienv: ") and errors.endswith("x …\n")
    assert len(errors) < 21_000


# Amounts: more than memory holds is refused before any of it is taken.

MANY = ("9999999999", "99999999999999999999", "9" * 400)
AMOUNTS = [
    (("evaluate", "random", "--opponents", "random", "--games"), "1,000,000"),
    (("evaluate", "random", "--players", "1", "--games"), "1,000,000"),
    (("evaluate", "random", "--campaign"), "10,000"),
    (("evaluate", "random", "--campaign", "2", "--max-games"), "1,000"),
    (("tournament", "random", "random:seed=1", "--games"), "1,000,000"),
    (("tournament", "random", "random:seed=1", "--chunk-size"), "10,000"),
    (("ladder", "challenge", "random", "--max-pairs"), "1,000,000"),
    (("evaluate", "random", "--opponents", "random", "--processes"), "1024"),
    (("tournament", "random", "random:seed=1", "--processes"), "1024"),
    (("bench", "--perft"), "64"),
]


@pytest.mark.parametrize("many", MANY, ids=lambda many: f"{len(many)} digits")
@pytest.mark.parametrize(("arguments", "limit"), AMOUNTS, ids=lambda value: " ".join(value[-1:]))
def test_amounts_beyond_memory_are_refused_with_the_limit(capsys, tmp_path, monkeypatch, arguments, limit, many):
    monkeypatch.chdir(tmp_path)
    begun = time.monotonic()
    assert limit in refused(capsys, *arguments, many)
    assert time.monotonic() - begun < 10 and list(tmp_path.iterdir()) == []


def test_too_little_memory_is_a_line(capsys, monkeypatch):
    def full(*_):
        raise MemoryError("unable to allocate 64 GiB")

    monkeypatch.setattr("vitienv.commands.viticulture.cards.show", full)
    status, _, errors = run(capsys, "cards")
    assert status == 2 and errors == "vitienv: out of memory: unable to allocate 64 GiB\n"


def test_the_end_of_a_file_is_not_taken_for_ctrl_d(capsys, monkeypatch):
    def cut(*_):
        raise EOFError("the stream ended in a block")

    monkeypatch.setattr("vitienv.commands.viticulture.cards.show", cut)
    status, _, errors = run(capsys, "cards")
    assert status == 2 and "ended too early: the stream ended in a block" in errors


# Progress.


def test_a_bar_tells_how_many_are_done_a_second(monkeypatch):
    from rich.console import Console

    shown = io.StringIO()
    monkeypatch.setattr(console, "console", lambda **how: Console(file=shown, force_terminal=True, width=100))
    with console._bar("playing") as tell:
        for done in (0, 20, 40, 50):
            tell(done, 50)
            time.sleep(0.05)
    assert re.search(r"50/50\S* \S*[\d,]+\.\d/s", shown.getvalue())


# Progress where there is no terminal.


def test_long_work_is_told_of_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(console, "LINE_SECONDS", 0.05)
    told, until = "", time.monotonic() + 60

    def wait_for(words):
        nonlocal told
        while not re.search(words, told) and time.monotonic() < until:
            time.sleep(0.01)
            told += capsys.readouterr().err

    with console.progress("playing") as tell:
        wait_for("\n")  # nothing is done yet
        tell(1500, 4000)
        wait_for("1,500.*\n")
    assert re.match(r"vitienv: playing: \d+ s\n", told)
    assert re.search(r"^vitienv: playing: 1,500 of 4,000, \d+ s$", told, re.MULTILINE)
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr().err == ""


@pytest.mark.filterwarnings("error")  # of a thread that failed
def test_short_work_is_not_told_of(capsys, monkeypatch):
    monkeypatch.setattr(console, "LINE_SECONDS", float("inf"))
    with console.progress("playing") as tell:
        tell(1, 2)
    assert capsys.readouterr().err == ""
