"""The commands: what they print, and that bad input is one line on stderr and status 2."""

import gzip
import json
import re
import subprocess
import sys
import time

import pytest

import vitienv
from tests.command import refused, run
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.commands.replay import _target
from vitienv.training.evaluation.evaluate import in_parts


@pytest.fixture
def log(tmp_path):
    """The file of a game's log, some moves long."""
    game = vitienv.Game.new(num_players=3, seed=5)
    for _ in range(60):
        legal = game.legal_actions()
        game.step(legal[len(legal) // 2])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.log))
    return file


GROUPS: dict[str, tuple[str, ...]] = {
    "bot": ("new",),
    "data": ("generate", "info", "minari"),
    "ladder": ("show", "challenge", "curve"),
}
SINGLE = [(name,) for name in cli.COMMANDS if name not in GROUPS]
SINGLE += [(group, name) for group, names in GROUPS.items() for name in names]


@pytest.mark.parametrize("command", SINGLE, ids=" ".join)
def test_help(capsys, command):
    status, out, _ = run(capsys, *command, "--help")
    assert status == 0 and "--help" in out and ("--json" in out or command == ("mcp",))


@pytest.mark.parametrize("group", ["", *GROUPS])
def test_help_of_a_group(capsys, group):
    status, out, _ = run(capsys, *filter(None, [group]), "--help")
    assert status == 0 and all(name in out for name in GROUPS.get(group, cli.COMMANDS))


def test_help_is_quick():
    """Best of three: nothing heavy is imported for it."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "vitienv.cli", "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    assert min(times) < 3
    loaded = "import sys; from vitienv import cli; cli.build(); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numba", "numpy", "gymnasium", "pandas", "torch"} & set(modules)
    assert len(modules) < 450


def test_version(capsys):
    status, out, errors = run(capsys, "--version")
    version, *games = out.splitlines()
    codes = "prebuilt for [-x0-9v]+|cached|compiled|interpreted"
    assert (status, version, errors) == (0, vitienv.__version__, "")
    assert [re.sub(f": ({codes})$", "", line) for line in games] == ["toscana", "viticulture", "world"]


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["tournament", "random"], "at least 2 bots"),
        (["tournament"], "at least 2 bots"),
        (["tournament", "random", "randon"], "unknown agent 'randon'"),
        (["tournament", "random", "random"], "agents must be distinct"),
        (["tournament", "random", "random:seed=1", "--players", "7"], "from 2 to 6"),
        (["tournament", "random", "random:seed=1", "--players", "1"], "from 2 to 6"),
        (["tournament", "random", "random:seed=1", "--games", "0"], "games must be from 1 to"),
        (["tournament", "random", "random:seed=1", "--processes", "-1"], "processes"),
        (["tournament", "random", "random:seed=1", "--option", "max_years=²"], "got '²'"),
        (["tournament", "random", "random:seed=1", "--option", "max_years=--5"], "got '--5'"),
        (["tournament", "random", "random:seed=1", "--option", f"max_years={'9' * 5000}"], "got '999"),
        (["tournament", "random", "random:sead=1"], "unknown parameter 'sead'"),
        (["tournament", "random", "policy:nowhere.zip"], "file 'nowhere.zip' does not exist"),
        (["tournament", "--resume", "nowhere"], "does not exist"),
        (["tournament", "--games", "many"], "'--games'"),
        (["evaluate", "random"], "--opponents"),
        (["evaluate", "random", "--opponents", "nobody"], "unknown agent 'nobody'"),
        (
            ["evaluate", "random", "--opponents", "random", "--players", "9"],
            "from 2 to 6 for ruleset 'essential', got 9",
        ),
        (["play", "--bots", "random", "--seat", "3"], "--seat must be from 1 to 2, got 3"),
        (["play", "--bots", "random", "--seat", "0"], "--seat must be from 1 to 2, got 0"),
        (["play", "--bots", "random,,random"], "separated by commas"),
        (["play", "--bots", "nobody"], "unknown agent"),
        (["play", "--players", "2", "--bots", "random,random,random"], "at most 1 bots for 2 players, got 3"),
        (["evaluate", "os.getcwd", "--opponents", "random"], "'os.getcwd' must be a class"),
        (["play", "--load", "nowhere.json"], "does not exist"),
        (["replay", "nowhere.json"], "does not exist"),
        (["cards", "brokr"], "did you mean broker"),
        (["cards", "--deck", "autumn"], "unknown deck"),
        (["bench", "--only", "lunch"], "unknown part"),
        (["train", "--resume"], "--resume requires --run"),
        (["train", "--players", "9"], "from 2 to 6"),
        (["train", "--method", "ppo", "--policy-prior", "none"], "--policy-prior is for --method selfplay"),
        (["tournamint"], "tournamint"),
        (["cards", "--frobnicate"], "--frobnicate"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, tmp_path, monkeypatch, arguments, what):
    monkeypatch.chdir(tmp_path)
    assert what in refused(capsys, *arguments)
    assert list(tmp_path.iterdir()) == []  # nothing was begun


def test_what_is_not_close_is_not_suggested(capsys):
    assert run(capsys, "cards", "nosuch") == (2, "", "vitienv: unknown card 'nosuch'\n")


def test_a_bot_that_is_none_is_told_before_the_rules_are_compiled(capsys, monkeypatch):
    monkeypatch.setattr(vitienv.Game, "new", lambda **_: pytest.fail("the game was made first"))
    assert "unknown agent 'nobody'" in refused(capsys, "play", "--bots", "nobody")


def test_a_folder_that_cannot_be_written_is_one_line(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    refused(capsys, "tournament", "random", "random:seed=1", "--games", 2, "--run", tmp_path / "file" / "run")


def test_an_error_of_the_program_itself_is_not_hidden(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("vitienv.commands.viticulture.cards.show", broken)
    with pytest.raises(ZeroDivisionError):
        cli.run(["cards"])


# replay


def test_replay_tells_every_move(capsys, log):
    status, out, _ = run(capsys, "replay", str(log))
    moves = json.loads(log.read_text())["moves"]
    assert status == 0 and "60 moves lead to the saved state" in out
    assert [line.split()[-1] for line in out.splitlines() if line[:5].strip().isdigit()] == moves


def test_replay_tells_in_words_who_did_what(capsys, log):
    """Bots are named at each of their moves, and a seat counted from another one is named too."""
    named = json.loads(log.read_text()) | {"agents": ["random:seed=1", "random:seed=2", "heuristic"]}
    log.write_text(json.dumps(named))
    out = run(capsys, "replay", str(log))[1]
    assert "seat 3 heuristic" in out and "seat 1 random:seed=1" in out and "\nSet-up: " in out and "ear 0" not in out
    told = run(capsys, "replay", str(log), "--words")[1]
    assert "heuristic places a worker on" in told and "random 1 takes wake-up row" in told
    assert _target("seat:+3", 1, 4) == "(seat 1) " and _target("pass", 1, 4) == ""


def test_replay_shows_one_position(capsys, log):
    moves = json.loads(log.read_text())["moves"]
    status, out, _ = run(capsys, "replay", str(log), "--move", "7", "--json")
    shown = json.loads(out)
    game = vitienv.Game.new(num_players=3, seed=5)
    for move in moves[:7]:
        game.step(move)
    assert status == 0 and shown["position"] == json.loads(json.dumps(game.to_dict()))
    assert moves[7] in shown["legal_actions"]
    assert "Legal: " in run(capsys, "replay", str(log), "--move", "7")[1]


def damaged(text):
    """Ways in which a log can be wrong, and what is said."""
    log = json.loads(text)
    return {
        "cut": (text[:200], "not a log"),
        "foreign": ('{"pgn": "1. e4"}', "not a log of a vitienv game"),
        "list": ("[1, 2]", "not a log"),
        "illegal": (json.dumps(log | {"moves": ["pass", *log["moves"]]}), "move 1 of the log"),
        "elsewhere": (json.dumps(log | {"moves": log["moves"][:-1]}), "does not reach the recorded state"),
        "format": (json.dumps(log | {"format": 99}), "got 99"),
        "players": (json.dumps(log | {"options": {"num_players": 11}}), "for ruleset 'essential', got 11"),
    }


@pytest.mark.parametrize("how", ["cut", "foreign", "list", "illegal", "elsewhere", "format", "players"])
@pytest.mark.parametrize("command", [("replay",), ("play", "--bots", "random", "--load")])
def test_a_damaged_or_foreign_log_is_refused(capsys, log, how, command):
    text, what = damaged(log.read_text())[how]
    log.write_text(text)
    assert what in refused(capsys, *command, log)


def test_logs_of_many_games(capsys, log, tmp_path):
    many = tmp_path / "logs.jsonl.gz"
    line = json.dumps(json.loads(log.read_text())) + "\n"
    many.write_bytes(gzip.compress((line + line).encode()))
    assert run(capsys, "replay", str(many), "--game", "1")[0] == 0
    assert "has no game 2" in run(capsys, "replay", str(many), "--game", "2")[2]
    whole = run(capsys, "replay", str(log))
    assert whole[0] == 0 and run(capsys, "replay", str(tmp_path), "--game", "1") == whole  # a tournament's folder
    (tmp_path / "empty").mkdir()
    assert "does not exist" in (told := run(capsys, "replay", str(tmp_path / "empty"))[2]) and "logs.jsonl.gz" in told
    many.write_bytes(many.read_bytes()[:-30])
    assert run(capsys, "replay", str(many), "--game", "1")[0] == 2


# play, evaluate, cards


def test_games_of_bots_that_search_are_played_in_small_parts():
    """So that all processes have some of twenty slow games; those of quick bots go side by side."""
    quick, slow = make_agent("heuristic"), make_agent("ismcts:simulations=4")
    assert in_parts(20, [quick]) == [range(20)]
    assert in_parts(20, [quick, slow]) == [range(8), range(8, 16), range(16, 20)]


def test_evaluate(capsys):
    arguments = ("evaluate", "random", "--opponents", "random:seed=3", "--players", "3", "--games", "7", "--seed", "2")
    status, out, _ = run(capsys, *arguments, "--max-years", "3", "--processes", "1", "--json")
    found = json.loads(out)
    (row,) = found["results"]
    assert status == 0 and row["games"] == 9 and [seat["games"] for seat in row["by_seat"]] == [3, 3, 3]
    assert row["win_rate"]["low"] <= row["win_rate"]["value"] <= row["win_rate"]["high"]
    assert run(capsys, *arguments, "--max-years", "3", "--processes", "1", "--json")[1] == out


def test_cards_shows_text_and_rulings(capsys):
    status, out, _ = run(capsys, "cards", "broker")
    assert status == 0
    assert "Broker, summer visitor" in out and "pay 9 lira and score 3 points" in out and "\n  R2.9 How often" in out
    found = json.loads(run(capsys, "cards", "broker", "--json")[1])
    assert [card["id"] for card in found] == ["broker"] and len(found[0]["rulings"]) == 1


def test_cards_searches_ids_and_texts(capsys):
    assert "uncertified_broker" in run(capsys, "cards", "brok")[1]
    found = json.loads(run(capsys, "cards", "uproot", "--json")[1])
    assert {card["id"] for card in found} >= {"planter", "sharecropper"}
    for deck, n in (("vine", 9), ("order", 36), ("summer", 38), ("winter", 38), ("mama", 18), ("papa", 18)):
        assert len(run(capsys, "cards", "--deck", deck)[1].splitlines()) == n


def test_without_a_terminal_progress_is_told_by_lines(monkeypatch, capsys):
    monkeypatch.setattr("vitienv.console.LINE_SECONDS", 0.001)
    command = ["evaluate", "random", "--opponents", "random", "--max-years", "1", "--processes", "1", "--games"]
    assert cli.run([*command, "130"]) == 0
    said = capsys.readouterr()
    assert re.fullmatch(r"(vitienv: playing:( \d+ of 130,)? \d+ s\n)+", said.err)
    assert "65 seeds from 0" in said.out
    assert cli.run([*command, "2"]) == 0
    assert "1 seed from 0" in capsys.readouterr().out
