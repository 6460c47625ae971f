"""The commands: what they print, and that bad input is one line on stderr and status 2."""

import gzip
import json
import re
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest

import vitienv
from tests.command import commands, refused, run
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.commands.replay import _target
from vitienv.console import RULES
from vitienv.registry import game_names, game_spec
from vitienv.training.evaluation.evaluate import Case, _play_table, split_games
from vitienv.training.evaluation.match import GameResults


@pytest.fixture
def log(tmp_path):
    game = vitienv.Game.new(num_players=3, seed=5)
    for _ in range(60):
        legal = game.legal_actions()
        game.step(legal[len(legal) // 2])
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.log))
    return file


PATHS = list(commands(cli.build()))
WITHOUT_JSON = ("play",), ("mcp",), ("cache", "warm"), ("ladder", "recipe")


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_help_lists_commands_and_options(capsys, path):
    assert path[-1] in run(capsys, *path[:-1], "--help")[1]
    status, out, _ = run(capsys, *path, "--help")
    assert status == 0 and ("--json" in out or path in WITHOUT_JSON)
    for line, following in pairwise(line.strip() for line in out.partition("╭")[0].splitlines()):  # wrapped once
        assert not line or not following or len(f"{line} {following.split()[0]}") > 78


def test_help_imports_few_modules():
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "vitienv.cli", "--help"], check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    assert min(times) < 3
    program = "import sys; from vitienv import cli; cli.build(); print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert not {"numba", "numpy", "gymnasium", "pandas", "torch"} & set(modules)
    assert len(modules) < 450


def test_version(capsys):
    status, out, errors = run(capsys, "--version")
    version, *games = out.splitlines()
    codes = "prebuilt for [-x0-9v]+|cached|compiled|interpreted"
    assert (status, version, errors) == (0, vitienv.__version__, "")
    assert [re.sub(f": ({codes})$", "", line) for line in games] == ["toscana", "viticulture", "world"]


def test_replay_prints_every_move(capsys, log):
    status, out, _ = run(capsys, "replay", str(log))
    moves = json.loads(log.read_text())["moves"]
    assert status == 0 and "60 moves lead to the saved state" in out
    assert [line.split()[-1] for line in out.splitlines() if line[:5].strip().isdigit()] == moves


def test_replay_names_bots_and_seats(capsys, log):
    agents = ["random:seed=1", "random:seed=2", "heuristic"]
    log.write_text(json.dumps(json.loads(log.read_text()) | {"agents": agents}))
    out = run(capsys, "replay", str(log))[1]
    assert "seat 3 heuristic" in out and "seat 1 random:seed=1" in out and "\nSet-up: " in out and "ear 0" not in out
    out = run(capsys, "replay", str(log), "--text")[1]
    assert "heuristic places a worker on" in out and "random 1 takes wake-up row" in out
    assert _target("seat:+3", 1, 4) == "(seat 1) " and _target("pass", 1, 4) == ""


def test_replay_shows_one_position(capsys, log):
    moves = json.loads(log.read_text())["moves"]
    status, out, _ = run(capsys, "replay", str(log), "--move", "7", "--json")
    summary = json.loads(out)
    game = vitienv.Game.new(num_players=3, seed=5)
    for move in moves[:7]:
        game.step(move)
    assert status == 0 and summary["position"] == json.loads(json.dumps(game.to_dict()))
    assert moves[7] in summary["legal_actions"]
    assert "Legal: " in run(capsys, "replay", str(log), "--move", "7")[1]


# Changes of a log, and the expected error.
DAMAGE = {
    "truncated": (lambda log: json.dumps(log)[:200], "not a log"),
    "foreign": (lambda log: '{"pgn": "1. e4"}', "not a log of a vitienv game"),
    "list": (lambda log: "[1, 2]", "not a log"),
    "illegal": (lambda log: json.dumps(log | {"moves": ["pass", *log["moves"]]}), "move 1 of the log"),
    "short": (lambda log: json.dumps(log | {"moves": log["moves"][:-1]}), "does not reach the recorded state"),
    "format": (lambda log: json.dumps(log | {"format": 99}), "got 99"),
    "players": (lambda log: json.dumps(log | {"options": {"num_players": 11}}), "for ruleset 'essential', got 11"),
}


@pytest.mark.parametrize(("damage", "expected"), DAMAGE.values(), ids=DAMAGE)
@pytest.mark.parametrize("command", [("replay",), ("play", "--bots", "random", "--load")])
def test_damaged_and_foreign_logs_are_refused(capsys, log, damage, expected, command):
    log.write_text(damage(json.loads(log.read_text())))
    assert expected in refused(capsys, *command, log)


def test_logs_of_many_games(capsys, log, tmp_path):
    many = tmp_path / "logs.jsonl.gz"
    line = json.dumps(json.loads(log.read_text())) + "\n"
    many.write_bytes(gzip.compress((line + line).encode()))
    assert run(capsys, "replay", str(many), "--game", "1")[0] == 0
    assert "has no game 2" in run(capsys, "replay", str(many), "--game", "2")[2]
    whole = run(capsys, "replay", str(log))
    assert whole[0] == 0 and run(capsys, "replay", str(tmp_path), "--game", "1") == whole  # a tournament's folder
    (tmp_path / "empty").mkdir()
    error = refused(capsys, "replay", tmp_path / "empty")
    assert "does not exist" in error and "logs.jsonl.gz" in error
    many.write_bytes(many.read_bytes()[:-30])
    assert run(capsys, "replay", str(many), "--game", "1")[0] == 2


def test_games_of_slow_bots_are_split_into_small_parts():
    quick, slow = make_agent("heuristic"), make_agent("ismcts:simulations=4")
    assert split_games(20, [quick]) == [range(20)]
    assert split_games(20, [quick, slow]) == [range(8), range(8, 16), range(16, 20)]


def test_evaluate(capsys):
    arguments = ("evaluate", "random", "--opponents", "random:seed=3", "--players", "3", "--games", "7", "--seed", "2")
    status, out, _ = run(capsys, *arguments, "--option", "max_years=3", "--processes", "1", "--json")
    (row,) = json.loads(out)["results"]
    assert status == 0 and row["forfeits"] == row["notes"] == {}
    assert row["games"] == 9 and [seat["games"] for seat in row["by_seat"]] == [3, 3, 3]
    assert row["win_rate"]["low"] <= row["win_rate"]["value"] <= row["win_rate"]["high"]
    assert run(capsys, *arguments, "--option", "max_years=3", "--processes", "1", "--json")[1] == out


def test_cards_shows_texts_and_rulings_of_matching_ids_and_texts(capsys):
    status, out, _ = run(capsys, "cards", "broker")
    assert status == 0
    assert "Broker, summer visitor" in out and "pay 9 lira and score 3 points" in out and "\n  R2.9 How often" in out
    (card,) = json.loads(run(capsys, "cards", "broker", "--json")[1])
    assert card["id"] == "broker" and len(card["rulings"]) == 1
    assert "uncertified_broker" in run(capsys, "cards", "brok")[1]
    matching = json.loads(run(capsys, "cards", "uproot", "--json")[1])
    assert {card["id"] for card in matching} >= {"planter", "sharecropper"}
    for deck, n in (("vine", 9), ("order", 36), ("summer", 38), ("winter", 38), ("mama", 18), ("papa", 18)):
        assert len(run(capsys, "cards", "--deck", deck)[1].splitlines()) == n


def test_progress_is_printed_as_lines_without_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr("vitienv.console.LINE_SECONDS", 0.001)
    command = ["evaluate", "random", "--opponents", "random", "--option", "max_years=1", "--processes", "1", "--games"]
    status, out, errors = run(capsys, *command, "130")
    assert status == 0 and "65 seeds from 0" in out
    assert re.fullmatch(r"(vitienv: playing:( \d+ of 130,)? \d+ s\n)+", errors)
    assert "1 seed from 0" in run(capsys, *command, "2")[1]


# Games and rulesets are selected in one way by every command.


def test_helps_name_every_game_and_ruleset(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert all(name in RULES for name in game_spec("viticulture").rulesets)
    bundled = ", ".join(name for name in game_names() if not name.startswith("toy"))  # other tests add games
    for command in ("play", "tournament", "train", "evaluate", "bench", "data generate", "cache warm"):
        out = " ".join(run(capsys, *command.split(), "--help")[1].replace("│", " ").split())
        assert f"{bundled}, or the dotted module" in out and RULES in out, command


def test_evaluate_has_one_form_for_every_game(capsys):
    command, actual = "evaluate heuristic --opponents random --games 2 --processes 1 --json".split(), {}
    for words in ("", "--game toscana", "--game world", "--ruleset original", "--option ruleset=original"):
        (actual[words],) = json.loads(run(capsys, *command, *words.split())[1])["results"]
    assert actual["--game world"] != actual[""] != actual["--game toscana"]
    assert actual[""] != actual["--ruleset original"] == actual["--option ruleset=original"]
    assert actual["--game world"]["by_chance"] is None and actual[""]["by_chance"] == 0.5


def test_a_team_wins_or_loses_as_one(monkeypatch):
    """Nobody gets a share of a victory that all have."""
    won = np.array([[1.0, 1.0], [-1.0, -1.0]])
    options = {"num_players": 2}
    ended = GameResults(game_spec("world").options.of(**options), seeds=[0, 1], seating=np.array([[0, 1], [1, 0]]),
                   points=won, ranks=np.where(won > 0, 1, 2), rewards=won, years=np.array([1, 1]),
                   truncated=np.array([False, False]), records=np.zeros((2, 0), np.uint8), moves=[], forfeits={},
                   notes={})  # fmt: skip
    monkeypatch.setattr("vitienv.training.evaluation.evaluate.play", lambda *_: ended)
    assert list(_play_table(Case("random", ("random",), "world", options, 0), range(2))["win"]) == [1.0, 0.0]
