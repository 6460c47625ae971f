"""Games and rulesets are chosen in one way by every command, and their helps name what there is."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from vitienv import cli
from vitienv.commands.evaluate import play_part
from vitienv.commands.screen import RULES
from vitienv.games import CALLED, definition, game_names

SHORT = "evaluate heuristic --against random --games 2 --max-years 1 --processes 1 --json".split()


def test_helps_name_every_game_and_ruleset(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    for name in definition("viticulture").rulesets:
        assert name in RULES.split(";")[0], name
    assert len(definition("toscana").rulesets) == 1 and "Toscana has one" in RULES
    for command in ("play", "tournament", "train", "evaluate bot", "bench", "data write", "cache fill"):
        assert cli.run([*command.split(), "--help"]) == 0
        told = " ".join(capsys.readouterr().out.replace("│", " ").split())
        assert f"{', '.join((*game_names(), *CALLED))}, or the module" in told and RULES in told, command


def test_levels_are_named_in_one_way(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    option, levels = definition("viticulture").levels["solo"]
    for command in (["play"], ["train"], ["evaluate", "solo"], ["evaluate", "campaign"]):
        assert cli.run([*command, "--help"]) == 0
        told = capsys.readouterr().out
        assert f"--{option}" in told and "--level" not in told, command
    assert cli.run(["evaluate", "solo", "--agent", "random", "--difficulty", "brutal"]) == cli.BAD_INPUT
    told = capsys.readouterr().err
    assert all(repr(level) in told for level in levels)


def test_evaluate_has_one_form_for_every_game(capsys):
    found = {}
    for given in ("", "--game toscana", "--game world", "--set ruleset=world", "--ruleset world", "--ruleset original"):
        assert cli.run([*SHORT, *given.split()]) == 0, capsys.readouterr().err
        found[given] = json.loads(capsys.readouterr().out)
    assert found["--game world"] == found["--ruleset world"] == found["--set ruleset=world"] != found[""]
    assert found["--game toscana"] != found[""] != found["--ruleset original"]
    assert found["--game world"]["by_chance"] is None and found[""]["by_chance"] == 0.5


def test_a_team_wins_or_loses_as_one(monkeypatch):
    """Nobody gets a share of a victory that all have."""
    won = np.array([[1.0, 1.0], [-1.0, -1.0]])
    ended = SimpleNamespace(rewards=won, ranks=np.where(won > 0, 1, 2), points=won, years=np.array([1, 1]))
    monkeypatch.setattr("vitienv.training.match.play", lambda *_: ended)
    options = {"ruleset": "world", "num_players": 2}
    assert list(play_part("random", ["random"], "viticulture", options, 0, range(2))["win"]) == [1.0, 0.0]


@pytest.mark.parametrize(("given", "told"), [
    (["play", "--ruleset", "toscana"], "--ruleset is 'toscana', which is a game: --game toscana"),
    (["play", "--game", "world", "--ruleset", "solo"], "has the ruleset 'world'; leave out --ruleset solo"),
    (["bot", "new", "mine", "--game", "world"], "--game is 'world', a ruleset of 'viticulture'; this command is for"),
    (["bench", "--ruleset", "nosuch"], "unknown ruleset 'nosuch'; there is 'essential'"),
])  # fmt: skip
def test_a_wrong_choice_says_the_right_one(given, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.run(given) == cli.BAD_INPUT
    assert told in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_python_says_what_the_name_means():
    with pytest.raises(ValueError, match=r"^'world' is a ruleset: game='viticulture', ruleset='world'$"):
        definition("world")
