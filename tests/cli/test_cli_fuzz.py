"""Random command lines: each runs or ends with one line and status 2, in bounded time.

Options and values are selected by a seed, with damaged files and streams of several encodings. Failures are added to
`FAILURES`, which are tried every time.
"""

import gzip
import json
import os
import random
import signal

import pytest

from tests.command import commands, run_encoded
from vitienv import cli

LONGEST = 60  # seconds of a processor for one command
TOY = "tests.toy.game_spec"
# Valid and invalid values of options, by type or name.
INTEGERS = ("1", "2", "3")
INVALID_INTEGERS = ("-1", "0", "7", "x", "", "1.5", "1e3", "٣", "9" * 20, "9" * 400, "nan", "-0", " 2 ", "0x1", "--")
NUMBERS = ("0.5", "0.01", "1")
INVALID_NUMBERS = ("-1", "0", "nan", "inf", "-inf", "1e400", "x", "", "1,5", "9" * 400)
BOTS = ("random", "random:seed=1", "heuristic", "visitors", "ismcts:simulations=2", "policy:champion")
INVALID_BOTS = (
    "", " ", ":", "rndom", "random:", "random:seed=", "random:seed=-1", "random:seed=x", "random:seed=1,seed=2", "none",
    "ismcts:simulations=0", "ismcts:simulations=9999999999999", "ismcts:milliseconds=nan", "ismcts:c_puct=1e400",
    "ismcts:policy=nosuch", "ismcts:playout=often", "ismcts:threads=0", "policy:", "policy:nosuch", "policy:deep.json",
    "policy:.", "policy:cut.safetensors", "policy:empty.zip", "os.getcwd", "os.nothing", "no.such", "..", ".x", "x.",
    "ré.ß", "vitienv.game.Game", "math.pi", "\udcff", "random\0", "random," * 50, "random:seed=" + "9" * 5000,
)  # fmt: skip
FILES = {"load": ("log.json",), "file": ("log.json", "log.jsonl"), "run": ("run", "new"), "resume": ("run",)}
INVALID_FILES = (
    "nosuch.json", "empty.json", "cut.json", "deep.json", "list.json", "null.json", "text.json", "log.json",
    "log.jsonl", "cut.json.gz", "cut.jsonl.gz", "folder", "folder/none", "text.json/below", "empty.zip", "run",
    "cut.safetensors", "run/settings.json", "/proc/none", "", ".", "..", "\udcff.json", "nul\0.json",
    "x" * 5000, "日本.json",
)  # fmt: skip
GAMES = ("viticulture", TOY)
INVALID_GAMES = ("chess", "", ".", "os", "..", "tests.none", "json.tool", "\udcff", "a.b\0")
WORDS = {
    "game": (GAMES, INVALID_GAMES), "table": (("2", "solo"), ("", "9", "chess")),
    "ruleset": (("essential", "original", "solo"), ("", "toscana")),
    "method": (("selfplay", "ppo", "search"), ("", "dqn")),
    "difficulty": (("easy", "very_hard"), ("", "0")), "reward": (("win", "margin"), ("", "lose")),
    "solo_reward": (("margin", "win"), ("", "x")), "device": (("cpu",), ("gpu", "", "cuda:x")),
    "mix": (("2:1", "solo:1"), ("2:nan", "9:1", "", ":", "2:1,2:1", "solo/easy:1", "2:1e999", "2:-1", "²:1")),
    "only": (("single",), ("", "lunch", "single,,")),
    "deck": (("summer", "vine"), ("", "x")), "words": (("broker", "uproot"), ("", "nosuch", "\udcff")),
    "assignments": (("max_years=2", "open_hands=true"), (
        "max_years=nan", "max_years=99999999999", "=", "x=1", "ruleset=solo", "num_players=9", "é=1", "open_hands=7",
        "", "field_capacities=1",
    )),
}  # fmt: skip
BOT_OPTIONS = ("opponents", "league", "imitate", "policy_prior", "bots", "bot")
# Values that keep commands short, for options that are not drawn.
SHORT = {
    "games": "2", "max_games": "2", "max_years": "1", "max_pairs": "1", "processes": "1", "runs": "1",
    "only": "single", "seeds": "1", "simulations": "2",
}  # fmt: skip
SKIPPED = ("context", "trust", "web", "host", "port")  # servers run until they are stopped
TYPED = (
    "1\n", "2\n", "help\n", "show\n", "moves\n", "save x.json\n", "save \n", "quit\n", "\n", "\x1b[A\n", "\udcff\n",
    "é",
)  # fmt: skip
FAILURES: list[tuple[str, ...]] = [
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


class TimeLimit(BaseException):
    """Raised in a command that exceeds the time limit."""


class TrainingStarted(ValueError):
    """Raised instead of training."""


COMMANDS = commands(cli.build())


def value_of(rng, name, parameter, is_invalid):
    kind = str(parameter.annotation)
    if name == "processes":  # others would take their time to begin
        return rng.choice(("-1", "x", "", "9" * 20) if is_invalid else ("1",))
    if "Path" in kind:
        valid, invalid = FILES.get(name, ("new.json",)), INVALID_FILES
    elif "int" in kind:
        valid, invalid = INTEGERS, INVALID_INTEGERS
    elif "float" in kind:
        valid, invalid = NUMBERS, INVALID_NUMBERS
    elif name in BOT_OPTIONS:
        valid, invalid = BOTS, INVALID_BOTS
    else:
        valid, invalid = WORDS.get(name, (("x",), ("", "..", "\udcff", "nul\0")))
    return rng.choice(invalid if is_invalid else valid)


def draw_command(rng):
    """Return a command line, usually with one invalid value."""
    path = rng.choice(list(COMMANDS))
    parameters = {name: parameter for name, parameter in COMMANDS[path].items() if name not in SKIPPED}
    arguments = [name for name, parameter in parameters.items() if type(parameter.default).__name__ == "ArgumentInfo"]
    required = [name for name, parameter in parameters.items() if name in arguments or parameter.default.default is ...]
    selected = [name for name in parameters if rng.random() < (0.95 if name in required else 0.15)]
    invalid = rng.sample(selected, min(len(selected), rng.choice((0, 1, 1, 1, 2))))
    words, flags = list(path), []
    for name, parameter in parameters.items():
        option = option_of(name, parameter.default)
        if name not in selected:
            flags += [option, SHORT[name]] if name in SHORT else []
        elif name in arguments:
            n = rng.randint(1, 3) if "list" in str(parameter.annotation) else 1
            words += [value_of(rng, name, parameter, name in invalid) for _ in range(n)]
        elif "bool" in str(parameter.annotation):
            flags.append(option)
        else:
            flags += [option, value_of(rng, name, parameter, name in invalid)]
    if path == ("ladder", "challenge"):
        flags += ["--file", "history.json"]
    if rng.random() < 0.1:
        flags.append(rng.choice(("", "--", "--nosuch", "-x", "extra", "--help", "--json=7")))
    return [*words, *flags]


def option_of(name, option):
    return next((word.split("/")[0] for word in option.param_decls or ()), f"--{name.replace('_', '-')}")


@pytest.fixture(scope="module")
def compiled():
    """Compile before the commands, outside of the cache that they may clear."""
    from vitienv.agents.registry import load_agents
    from vitienv.training.evaluation.evaluate import evaluate

    for game, bots in (("viticulture", ["policy:champion", "heuristic"]), (TOY, ["random"])):
        load_agents(game)
        evaluate("ismcts:simulations=2", bots, games=1, game=game, num_players=len(bots) + 1)


@pytest.fixture
def folder(tmp_path, monkeypatch, compiled):
    """A working directory with files of many kinds."""
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

    def start_training(*_, **__):
        raise TrainingStarted("started")

    monkeypatch.setattr("vitienv.training.selfplay.train.Learner", start_training)
    monkeypatch.setattr("vitienv.training.search.train.Learner", start_training)
    monkeypatch.setattr("vitienv.training.ppo.train.make_training_env", start_training)
    return tmp_path


def run(monkeypatch, arguments, rng):
    """Return status and stderr of a command line with streams of a random encoding."""
    encoding = rng.choice(("utf-8", "ascii", "cp1252"))
    typed = "".join(rng.choices(TYPED, k=rng.randint(0, 9))).encode("utf-8", "surrogateescape")

    def stop(*_):
        raise TimeLimit(f"longer than {LONGEST} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LONGEST)
    try:
        status, _, errors = run_encoded(monkeypatch, encoding, *arguments, typed=typed)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return status, errors


def check(monkeypatch, arguments, rng):
    """Run a command line; a failure shows it, to be added to `FAILURES`."""
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


@pytest.mark.parametrize("arguments", FAILURES, ids=lambda arguments: " ".join(arguments)[:40])
def test_past_failures(folder, monkeypatch, arguments):
    check(monkeypatch, arguments, random.Random(0))


def fuzz(monkeypatch, seed, n):
    pytest.importorskip("torch")
    rng = random.Random(seed)
    for _ in range(n):
        check(monkeypatch, draw_command(rng), rng)


def test_random_command_lines(folder, monkeypatch):
    fuzz(monkeypatch, seed=0, n=25)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_random_command_lines(folder, monkeypatch, seed):
    fuzz(monkeypatch, seed, n=100)
