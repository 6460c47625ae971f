"""Command lines that nobody would type: whatever is given, it runs or is one line and status 2, and it ends.

Options and values are drawn by a seed, also files that are damaged and streams of other encodings. What is found goes
into `FOUND`, so that it is tried every time.
"""

import gzip
import inspect
import io
import json
import os
import random
import signal
import sys

import pytest

from vitienv import cli

LONGEST = 60  # seconds of a processor for one command
TOY = "tests.toy.game_spec"
# What an option may be given, and what not, by its type or else its name.
WHOLE = ("1", "2", "3")
NO_WHOLE = ("-1", "0", "7", "x", "", "1.5", "1e3", "٣", "9" * 20, "9" * 400, "nan", "-0", " 2 ", "0x1", "--")
NUMBERS = ("0.5", "0.01", "1")
NO_NUMBERS = ("-1", "0", "nan", "inf", "-inf", "1e400", "x", "", "1,5", "9" * 400)
BOTS = ("random", "random:seed=1", "heuristic", "visitors", "ismcts:simulations=2", "policy:champion")
NO_BOTS = (
    "", " ", ":", "rndom", "random:", "random:seed=", "random:seed=-1", "random:seed=x", "random:seed=1,seed=2", "none",
    "ismcts:simulations=0", "ismcts:simulations=9999999999999", "ismcts:milliseconds=nan", "ismcts:c_puct=1e400",
    "ismcts:policy=nosuch", "ismcts:playout=often", "ismcts:threads=0", "policy:", "policy:nosuch", "policy:deep.json",
    "policy:.", "policy:cut.safetensors", "policy:empty.zip", "os.getcwd", "os.nothing", "no.such", "..", ".x", "x.",
    "ré.ß", "vitienv.game.Game", "math.pi", "\udcff", "random\0", "random," * 50, "random:seed=" + "9" * 5000,
)  # fmt: skip
FILES = {"load": ("log.json",), "file": ("log.json", "log.jsonl"), "run": ("run", "new"), "resume": ("run",)}
NO_FILES = (
    "nosuch.json", "empty.json", "cut.json", "deep.json", "list.json", "null.json", "text.json", "log.json",
    "log.jsonl", "cut.json.gz", "cut.jsonl.gz", "folder", "folder/none", "text.json/below", "empty.zip", "run",
    "cut.safetensors", "run/settings.json", "/proc/none", "", ".", "..", "\udcff.json", "nul\0.json",
    "x" * 5000, "日本.json",
)  # fmt: skip
GAMES, NO_GAMES = ("viticulture", TOY), ("chess", "", ".", "os", "..", "tests.none", "json.tool", "\udcff", "a.b\0")
WORDS = {
    "game": (GAMES, NO_GAMES), "game_name": (GAMES, NO_GAMES), "table": (("2", "solo"), ("", "9", "chess")),
    "ruleset": (("essential", "original", "solo"), ("", "toscana")),
    "method": (("selfplay", "ppo", "search"), ("", "dqn")),
    "difficulty": (("easy", "very_hard"), ("", "0")), "level": (("easy", "all"), ("", "hardest")),
    "form": (("rival", "blocker"), ("", "x")), "reward": (("win", "margin"), ("", "lose")),
    "solo_reward": (("margin", "win"), ("", "x")), "device": (("cpu",), ("gpu", "", "cuda:x")),
    "mix": (("2:1", "solo:1"), ("2:nan", "9:1", "", ":", "2:1,2:1", "solo/easy:1", "2:1e999", "2:-1", "²:1")),
    "only": (("single",), ("", "lunch", "single,,")),
    "deck": (("summer", "vine"), ("", "x")), "words": (("broker", "uproot"), ("", "nosuch", "\udcff")),
    "assignments": (("max_years=2", "open_hands=true"), (
        "max_years=nan", "max_years=99999999999", "=", "x=1", "ruleset=solo", "num_players=9", "é=1", "open_hands=7",
        "", "field_capacities=1",
    )),
}  # fmt: skip
SOME_BOTS = ("against", "opponents", "league", "imitate", "policy_prior", "bots", "bot", "agent")
# What keeps a command short, for the options that are not drawn; no amount above is both large and allowed.
SHORT = {
    "games": "2", "max_games": "2", "max_years": "1", "max_pairs": "1", "processes": "1", "runs": "1",
    "seconds": "0.01", "only": "single", "seeds": "1", "simulations": "2",
}  # fmt: skip
# What takes its time whatever else is said, or serves until it is stopped.
LEFT_OUT = ("compile", "signature", "context", "trust", "web", "host", "port")
TYPED = (
    "1\n", "2\n", "help\n", "show\n", "moves\n", "save x.json\n", "save \n", "quit\n", "\n", "\x1b[A\n", "\udcff\n",
    "é",
)  # fmt: skip
FOUND: list[tuple[str, ...]] = [
    ("play", "--game", "."),
    ("analyse", "log.json", "--simulations", "9" * 400, "--milliseconds", "0.5"),
    ("evaluate", "random", "--opponents", ".."),
    ("play", "--bots", "random", "--save", "pipe"),
    ("play", "--option", "friendly=true", "--game", TOY),
    ("tournament", "random", "ismcts:simulations=2", "--games", "2", "--option", "draft_parents=true", "--game", TOY),
    ("tournament", "random", "random:seed=1", "--option", "num_players=2"),
    ("evaluate", "random", "--opponents", "random", "--games", "2", "--processes", "1", "--option", "max_years=2"),
    ("evaluate", "random", "--opponents", "random", "--games", "2", "--processes", "1", "--option", "num_players=3"),
]


class Stuck(BaseException):
    """A command that goes on for too long."""


class Enough(ValueError):
    """In place of training."""


def commands(app, path=()):
    """All commands: their words and their parameters."""
    for command in app.registered_commands:
        yield (*path, command.name), inspect.signature(command.callback).parameters
    for group in app.registered_groups:
        yield from commands(group.typer_instance, (*path, group.name))


COMMANDS = dict(commands(cli.build()))


def value_of(rng, name, parameter, is_wrong):
    """Something for a parameter."""
    kind = str(parameter.annotation)
    if name == "processes":  # others would take their time to begin
        return rng.choice(("-1", "x", "", "9" * 20) if is_wrong else ("1",))
    if "Path" in kind:
        right, wrong = FILES.get(name, ("new.json",)), NO_FILES
    elif "int" in kind:
        right, wrong = WHOLE, NO_WHOLE
    elif "float" in kind:
        right, wrong = NUMBERS, NO_NUMBERS
    elif name in SOME_BOTS:
        right, wrong = BOTS, NO_BOTS
    else:
        right, wrong = WORDS.get(name, (("x",), ("", "..", "\udcff", "nul\0")))
    return rng.choice(wrong if is_wrong else right)


def drawn(rng):
    """A command line, as a rule with one thing that is wrong."""
    path = rng.choice(list(COMMANDS))
    parameters = {name: parameter for name, parameter in COMMANDS[path].items() if name not in LEFT_OUT}
    arguments = [name for name, parameter in parameters.items() if type(parameter.default).__name__ == "ArgumentInfo"]
    needed = [name for name, parameter in parameters.items() if name in arguments or parameter.default.default is ...]
    chosen = [name for name in parameters if rng.random() < (0.95 if name in needed else 0.15)]
    wrong = rng.sample(chosen, min(len(chosen), rng.choice((0, 1, 1, 1, 2))))
    words, named = list(path), []
    for name, parameter in parameters.items():
        option = option_of(name, parameter.default)
        if name not in chosen:
            named += [option, SHORT[name]] if name in SHORT else []
        elif name in arguments:
            n = rng.randint(1, 3) if "list" in str(parameter.annotation) else 1
            words += [value_of(rng, name, parameter, name in wrong) for _ in range(n)]
        elif "bool" in str(parameter.annotation):
            named.append(option)
        else:
            named += [option, value_of(rng, name, parameter, name in wrong)]
    if path == ("ladder", "challenge"):
        named += ["--file", "history.json"]
    if rng.random() < 0.1:
        named.append(rng.choice(("", "--", "--nosuch", "-x", "extra", "--help", "--json=7")))
    return [*words, *named]


def option_of(name, about):
    """How an option is written."""
    return next((word.split("/")[0] for word in about.param_decls or ()), f"--{name.replace('_', '-')}")


@pytest.fixture(scope="module")
def compiled():
    """Nothing is compiled in the time of a command, nor kept in the folder that commands may clear."""
    from vitienv.agents.registry import load_agents
    from vitienv.training.evaluation.evaluate import evaluate

    for game, bots in (("viticulture", ["policy:champion", "heuristic"]), (TOY, ["random"])):
        load_agents(game)
        evaluate("ismcts:simulations=2", bots, games=1, game=game, num_players=len(bots) + 1)


@pytest.fixture
def folder(tmp_path, monkeypatch, compiled):
    """A working folder with files of many kinds."""
    import vitienv

    monkeypatch.setenv("VITIENV_CACHE", str(tmp_path / "cache"))
    game = vitienv.Game.new(seed=1)
    for _ in range(9):
        game.step(game.legal_actions()[0])
    log = json.dumps(game.log)
    texts = {
        "empty.json": "", "cut.json": log[:300], "deep.json": "[" * 100_000, "list.json": "[1, 2]", "null.json": "null",
        "text.json": "Dear diary", "log.json": log, "log.jsonl": f"{log}\n{log}\n", "cut.safetensors": "12345678{}",
        "empty.zip": "", "run/settings.json": '{"kind": "tournament", "settings": {"agents": ["random"]}}',
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name, text in (("cut.json.gz", log), ("cut.jsonl.gz", log)):
        (tmp_path / name).write_bytes(gzip.compress(text.encode())[:-20])
    monkeypatch.chdir(tmp_path)

    def enough(*_, **__):
        raise Enough("enough")

    monkeypatch.setattr("vitienv.training.selfplay.train.Learner", enough)
    monkeypatch.setattr("vitienv.training.search.train.Learner", enough)
    monkeypatch.setattr("vitienv.training.ppo.train.make_training_env", enough)
    return tmp_path


def run(monkeypatch, arguments, rng):
    """Status and stderr of a command line, with streams of some encoding."""
    encoding = rng.choice(("utf-8", "ascii", "cp1252"))

    def stream(bytes_view=b""):
        return io.TextIOWrapper(io.BytesIO(bytes_view), encoding=encoding, write_through=True)

    typed = "".join(rng.choices(TYPED, k=rng.randint(0, 9))).encode("utf-8", "surrogateescape")
    out, errors = stream(), stream()
    for name, value in (("stdin", stream(typed)), ("stdout", out), ("stderr", errors)):
        monkeypatch.setattr(sys, name, value)

    def stuck(*_):
        raise Stuck(f"longer than {LONGEST} s")

    before = signal.signal(signal.SIGPROF, stuck)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        status = cli.run(list(arguments))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return status, errors.buffer.getvalue().decode(encoding)


def check(monkeypatch, arguments, rng):
    """A failure shows the command line, to be added to `FOUND`."""
    try:
        with monkeypatch.context() as streams:
            status, errors = run(streams, arguments, rng)
    except BaseException as error:
        raise AssertionError(f"{tuple(arguments)!r} raised {type(error).__name__}: {error}") from error
    lines = [line for line in errors.splitlines() if line.strip()]
    assert status in (0, 2), (arguments, status, errors)
    assert "Traceback" not in errors and "out of memory" not in errors, (arguments, errors)
    if status == 2 and lines:
        assert lines[-1].startswith("vitienv: ") and len(lines[-1]) > 12, (arguments, errors)


@pytest.mark.parametrize("arguments", FOUND, ids=lambda arguments: " ".join(arguments)[:40])
def test_what_was_found(folder, monkeypatch, arguments):
    check(monkeypatch, arguments, random.Random(0))


def fuzz(monkeypatch, seed, n):
    pytest.importorskip("torch")
    rng = random.Random(seed)
    for _ in range(n):
        check(monkeypatch, drawn(rng), rng)


def test_command_lines_that_nobody_would_type(folder, monkeypatch):
    fuzz(monkeypatch, seed=0, n=25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_command_lines_that_nobody_would_type(folder, monkeypatch, seed):
    fuzz(monkeypatch, seed, n=100)
