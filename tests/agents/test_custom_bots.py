"""Custom bots: created from a template, imported from the working directory, and named with their game on failure."""

import io
import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import gymnasium as gym
import numpy as np
import pytest

import vitienv
from tests.command import refused
from vitienv import cli, trust
from vitienv.agents import make_agent
from vitienv.agents.query import BotCrashed, query_agent, query_policy_prior
from vitienv.core.batch import Batch
from vitienv.core.errors import IllegalAction
from vitienv.session import saves

BROKEN = """
import numpy as np

class Bot:
    def __init__(self, how: str = "raise"):
        self.name, self.how = "broken", how

    def act(self, observations, masks, games=None):
        actions = masks.argmax(axis=1)
        late = masks[:, %(place)d] == 1  # it fails at its first tour
        if self.how == "raise" and late.any():
            return {}[int(late.sum())]
        if self.how == "illegal":
            actions[late] = 4
        return actions if self.how != "shape" else actions[:0]

    def prior_scores(self, observations, masks):
        if (masks[:, %(place)d] == 1).any():
            raise KeyError("policy_prior")
        return np.zeros((len(masks), masks.shape[1] + 1), np.int16)
"""


@pytest.fixture(autouse=True)
def broken(tmp_path, monkeypatch):
    """A failing bot in the working directory, in which positions are saved."""
    monkeypatch.setenv(saves.HOME, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    place = vitienv.ACTIONS.number("place:give_tour:plain:regular")
    (tmp_path / "broken.py").write_text(BROKEN % {"place": place})
    yield
    sys.modules.pop("broken", None)


@pytest.fixture
def mine():
    """The file of a bot in the working directory, which is not imported yet."""
    sys.modules.pop("mine", None)
    yield Path("mine.py")
    sys.modules.pop("mine", None)


def check_failure(message, error="KeyError", mode="raise"):
    """The message names bot, game and file; the bot fails again at the saved position."""
    assert "broken" in message and "position saved in" in message and error in message
    (file,) = (saves.folder() / "failures").glob("*.json")
    assert str(file) in message
    log = json.loads(file.read_text())
    assert log["failure"]["agent"] == "broken" and log["failure"]["decision"] == "place_worker"
    game = vitienv.replay(log)
    bot = make_agent(f"broken.Bot:how={mode}")
    if mode == "raise":
        assert "KeyError" in log["failure"]["traceback"]
        with pytest.raises(KeyError):
            bot.act(game.observation()[None], game.mask[None])
    else:
        assert not game.mask[bot.act(game.observation()[None], game.mask[None])[0]]


@pytest.mark.parametrize(
    "command",
    [
        ["evaluate", "broken.Bot", "--opponents", "random", "--games", "2", "--processes", "1"],
        ["evaluate", "broken.Bot", "--players", "1", "--games", "2", "--processes", "1"],
        ["ladder", "challenge", "broken.Bot", "--table", "2", "--max-pairs", "1", "--processes", "1",
         "--file", "ladder.json"],
    ],
    ids=["table", "solo", "ladder"],
)  # fmt: skip
def test_exception_names_the_bot_and_saves_the_position(capsys, command):
    error = refused(capsys, *command)
    assert "(seed " in error
    check_failure(error)


@pytest.mark.parametrize(("error", "message"), [
    (SystemExit(), "SystemExit"), (SystemExit(0), "SystemExit: 0"),
    (ValueError("out\nof \x1b[2J"), "ValueError: out of ?[2J"),
], ids=repr)  # fmt: skip
def test_exceptions_are_reported_in_one_line(error, message):
    def act(*_, **__):
        raise error

    with pytest.raises(BotCrashed) as crash:
        query_agent(SimpleNamespace(name="mine", act=act), batch_at_tour(1), np.array([0]))
    assert f" failed: {message}; position saved in " in str(crash.value) and "\n" not in str(crash.value)


@pytest.mark.parametrize("name", ["red\x1b[31m", "two\nlines"])
def test_name_with_control_characters_raises(mine, name):
    mine.write_text(f"class Bot:\n    name = {name!r}\n    act = print\n")
    message = f"name of agent 'mine.Bot' must be one line of .*, got {re.escape(repr(name))}"
    with pytest.raises(ValueError, match=message):
        make_agent("mine.Bot")


def test_keyboard_interrupt_is_not_an_error_of_the_bot():
    def stopped(observations, masks, games=None):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        query_agent(SimpleNamespace(name="stopped", act=stopped), batch_at_tour(1), np.arange(1))


SMALL = ["train", "--run", "run", "--steps", "8192"]
SELFPLAY = [*SMALL, "--method", "selfplay", "--num-envs", "4", "--mix", "solo,2", "--hidden", "4", "--device", "cpu"]


@pytest.mark.parametrize(
    "command",
    [
        [*SMALL, "--method", "ppo", "--opponents", "broken.Bot"],
        [*SELFPLAY, "--league", "broken.Bot", "--league-share", "1"],
        [*SELFPLAY, "--league", "none", "--imitate", "broken.Bot", "--imitate-minutes", "1"],
    ],
    ids=["opponent", "league", "imitated"],
)
def test_exception_during_training_names_the_bot(capsys, command):
    status = cli.run(command)
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("vitienv: ")]
    (error,) = [line for line in errors if not re.search(r"compil|functions, \d+ s", line)]
    assert status == 2
    check_failure(error)


def test_exception_of_a_policy_prior_names_it(monkeypatch):
    from vitienv.training.selfplay.train import train_selfplay

    monkeypatch.setenv(trust.VARIABLE, "1")
    with pytest.raises(BotCrashed, match=r"broken failed as policy prior: .* of env ") as error:
        train_selfplay("run", updates=9, mix="solo,2", num_envs=4, hidden=4, league=(), policy_prior="broken.Bot",
                       device="cpu", evaluation_games=0, progress=False)  # fmt: skip
    check_failure(str(error.value))


def test_module_without_a_class_suggests_it():
    with pytest.raises(ValueError, match=r"did you mean 'broken\.Bot'"):
        make_agent("broken")


@pytest.mark.parametrize("kind, n", [(np.int64, 272), (np.int16, 271)])
def test_invalid_prior_scores_raise(kind, n):
    bot = SimpleNamespace(name="broken", prior_scores=lambda observations, masks: np.zeros((len(masks), n), kind))
    with pytest.raises(BotCrashed, match=r"broken: prior scores must be int16 of shape .2, 272., got "):
        query_policy_prior(bot, np.zeros((2, 1905), np.int16), np.zeros((2, 271), np.int8))


def test_error_can_be_pickled():
    """Workers send it to the parent process."""
    error = BotCrashed("broken in seat 1 of game 3 failed; position saved in x.json")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_exception_during_a_game_with_a_person_loses_no_move(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n4\n" + "1\n" * 40))
    status = cli.run(["play", "--bots", "broken.Bot", "--seed", "4"])
    out, errors = capsys.readouterr()
    assert status == 2 and "vitienv play --resume" in out
    check_failure(errors)
    (game,) = (saves.folder() / "games").glob("*.json")
    assert vitienv.replay(json.loads(game.read_text())).decision == "place_worker"


def test_exception_in_an_environment_names_the_bot():
    env = gym.make("vitienv/Viticulture-v0", num_players=2, opponents=["broken.Bot"])
    _, info = env.reset(seed=1)
    with pytest.raises(BotCrashed) as error:
        for _ in range(200):
            *_, info = env.step(int(info["action_mask"].argmax()))
    assert isinstance(error.value.__cause__, KeyError)
    check_failure(str(error.value))


def batch_at_tour(n):
    """Return n games, the last of which is at the decision at which the bot fails."""
    batch = Batch(n, vitienv.game_spec().options.of(num_players=2))
    batch.start(np.arange(2 * n, dtype=np.uint32).reshape(n, 2))
    while batch.decision(n - 1) != "place_worker":
        batch.step_rows(np.array([n - 1]), batch.masks[[n - 1]].argmax(axis=1))
    return batch


@pytest.mark.parametrize(
    ("mode", "kind", "word"), [("illegal", IllegalAction, "is not legal"), ("shape", BotCrashed, "shape")]
)
def test_invalid_answers_name_the_bot(mode, kind, word):
    with pytest.raises(kind, match=word) as error:
        query_agent(make_agent(f"broken.Bot:how={mode}"), batch_at_tour(1), np.array([0]))
    check_failure(str(error.value), word, mode) if mode == "illegal" else None
    assert "position saved in" in str(error.value)


def test_error_names_the_failing_game_of_a_batch():
    with pytest.raises(BotCrashed, match="of game 1 failed: KeyError"):
        query_agent(make_agent("broken.Bot"), batch_at_tour(2), np.array([0, 1]))


def test_unwritable_position_is_mentioned(monkeypatch, tmp_path):
    (tmp_path / "full").write_text("")
    monkeypatch.setenv(saves.HOME, str(tmp_path / "full"))
    with pytest.raises(BotCrashed, match="position not saved"):
        query_agent(make_agent("broken.Bot"), batch_at_tour(1), np.array([0]))


def run_python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_new_bot_passes_its_test_and_beats_random(capsys):
    """With the printed commands: its test runs with and without pytest."""
    assert cli.run(["bot", "new", "mybot"]) == 0
    output = capsys.readouterr().out
    assert {Path("mybot.py"), Path("test_mybot.py")} <= set(Path().iterdir()) and "tournament mybot.Bot" in output
    sources = Path("mybot.py").read_text(), Path("test_mybot.py").read_text()
    assert "NAME" not in "".join(sources)
    home = str(Path(vitienv.__file__).parent.parent)
    program = re.search(r"Run its test: python (\S+)", output)[1]
    without_pytest = f"import sys; sys.modules['pytest'] = None; sys.path[:0] = ['', {home!r}]; import runpy; "
    assert run_python(f"{without_pytest}runpy.run_path({program!r}, run_name='__main__')").count("passed") == 2
    run_python(
        f"import sys; sys.path.insert(0, {home!r}); import pytest; "
        "sys.exit(pytest.main(['-q', '-p', 'no:cacheprovider', 'test_mybot.py']))"
    )
    arguments = ["evaluate", "mybot.Bot", "--opponents", "random", "--games", "20", "--processes", "1", "--json"]
    assert cli.run(arguments) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["win_rate"]["value"] > 0.8
    sys.modules.pop("mybot", None)
    assert "already exists" in refused(capsys, "bot", "new", "mybot")
    assert (Path("mybot.py").read_text(), Path("test_mybot.py").read_text()) == sources


def test_bot_and_test_are_created_together(capsys, monkeypatch):
    write = Path.write_text

    def full(path, text, **options):
        if path.name.startswith(".test_mybot"):
            raise OSError(28, "No space left on device")
        return write(path, text, **options)

    monkeypatch.setattr(Path, "write_text", full)
    assert cli.run(["bot", "new", "mybot"]) == 2 and "No space left" in capsys.readouterr().err
    assert not list(Path().glob("*mybot*"))


@pytest.mark.parametrize(("text", "message"), [
    ("import sys\n\nLEVEL = float('evaluate')\n\nclass Bot: pass", r"ValueError: could not .* \(mine.py, line 3\)"),
    ("class Bot:\n    def __init__(self):\n        self.weights = {}['a']\n    def act(self): pass",
     r"KeyError: 'a' \(mine.py, line 3\)"),
    ("import sys\nclass Bot:\n    def __init__(self): sys.exit('no')\n    def act(self): pass",
     r"SystemExit: no \(mine.py, line 3\)"),
    ("import nothing_like_that", r"ModuleNotFoundError: No module named 'nothing_like_that' \(mine.py, line 1\)"),
    ("class Bot:\n    def act(self) pass", r"SyntaxError: .* \(mine.py, line 2\)"),
    ("import sys\nsys.exit('no')", r"SystemExit: no \(mine.py, line 2\)"),
    ("import json\nSETTINGS = json.loads('{')", r"JSONDecodeError: .* \(mine.py, line 2\)"),
    ("class Bot:\n    def __init__(self, x: 'No' = 1): pass\n    def act(self): pass", r"NameError: name 'No'"),
], ids=["module", "constructor", "exit in init", "import", "syntax", "exit", "in a library", "annotation"])  # fmt: skip
def test_exception_in_a_constructor_names_file_and_line(capsys, mine, text, message):
    mine.write_text(text)
    error = refused(capsys, "evaluate", "mine.Bot", "--opponents", "random", "--games", "2")
    assert re.search(rf"agent 'mine.Bot' could not be made: {message}", error)
