"""Games and rulesets are chosen in one way by every command, and their helps name what there is."""

import json
import re

import numpy as np

from tests.command import refused
from vitienv import cli
from vitienv.console import RULES
from vitienv.registry import game_names, game_spec
from vitienv.training.evaluation.evaluate import Case, _play_table
from vitienv.training.evaluation.match import GameResults

SHORT = "evaluate heuristic --opponents random --games 2 --max-years 1 --processes 1 --json".split()


def test_helps_name_every_game_and_ruleset(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for name in game_spec("viticulture").rulesets:
        assert name in RULES.split(";")[0], name
    assert len(game_spec("toscana").rulesets) == len(game_spec("world").rulesets) == 1
    assert "(Viticulture only)" in RULES
    for command in ("play", "tournament", "train", "evaluate", "bench", "data generate", "cache warm"):
        assert cli.run([*command.split(), "--help"]) == 0
        out = " ".join(capsys.readouterr().out.replace("│", " ").split())
        bundled = [name for name in game_names() if not name.startswith("toy")]  # other tests add games
        assert f"{', '.join(bundled)}, or the dotted module" in out and RULES in out, command


def test_difficulty_has_the_same_option_in_every_command(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    option, levels = game_spec("viticulture").levels["solo"]
    for command in (["play"], ["train"], ["evaluate"]):
        assert cli.run([*command, "--help"]) == 0
        out = capsys.readouterr().out
        assert f"--{option}" in out and not re.search(r"--level\b", out), command
    out = refused(capsys, "evaluate", "random", "--difficulty", "brutal")
    assert all(repr(level) in out for level in levels)


def test_evaluate_has_one_form_for_every_game(capsys):
    actual = {}
    for words in ("", "--game toscana", "--game world", "--ruleset original", "--option ruleset=original"):
        assert cli.run([*SHORT, *words.split()]) == 0, capsys.readouterr().err
        actual[words] = json.loads(capsys.readouterr().out)
    actual = {words: result["results"][0] for words, result in actual.items()}
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
