"""Commands with Toscana; invalid arguments exit with one line and write nothing."""

import json
from pathlib import Path

import pytest

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.agents import champions

TOURNAMENT = ["tournament", "heuristic", "random", "--game", "toscana", "--games", "4"]
NETWORK = Path(champions.__file__).with_name("viticulture") / "champions" / "two.safetensors"


@pytest.mark.parametrize(("words", "why"), (
    (["tournament", "heuristic", "random", "--game", "tuscany"], "unknown game 'tuscany'; expected one of: 'toscana'"),
    ([*TOURNAMENT, "--option", "friendly=true"], "unknown option 'friendly' of toscana"),
    ([*TOURNAMENT, "--players", "6"], "players must be from 2 to 5, got 6"),
    ([*TOURNAMENT, "--option", "map=island"], "expected one of: 'printed', 'pieces'"),
    ([*TOURNAMENT, "--option", "components=broken.toml"], "'broken.toml' is not TOML"),
    ([*TOURNAMENT, "--option", "components=map.toml"], "4 rows of 8 squares"),
    ([*TOURNAMENT, "--option", "components=none.toml"], "cannot read 'none.toml'"),
    (["tournament", "heuristic", "visitors", "--game", "toscana"], "'visitors' plays 'viticulture'"),
    (["tournament", "heuristic", f"policy:{NETWORK}", "--game", "toscana"], "is for viticulture, not toscana"),
    (["analyse", "position.json"], "integer from 1 to 2"),
    (["replay", "other.json"], "the log is damaged: unknown option 'components'"),
    (["replay", "unknown.json"], "unknown game 'chess'"),
), ids=lambda output: output if isinstance(output, str) else "")  # fmt: skip
def test_invalid_arguments_raise_in_one_line(words, why, tmp_path, monkeypatch, capsys):
    log = vitienv.Game.new(game="toscana", seed=1).log
    files = {
        "broken.toml": "[start\nx=", "map.toml": '[premade]\nrows = ["RRRR"]\n',
        "position.json": json.dumps({"game": "toscana", "num_players": 2, "round": 1,
                                     "squares": [{"at": [1, 2], "seat": 0, "workers": 3}]}),
        "other.json": json.dumps({**log, "game": "viticulture"}), "unknown.json": json.dumps({**log, "game": "chess"}),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert why in refused(capsys, *words)
    assert {path.name for path in tmp_path.iterdir()} == set(files)


def said(capsys, *words):
    assert cli.run([str(word) for word in words]) == 0
    return capsys.readouterr().out


def test_tournaments_and_evaluations_count_rounds(tmp_path, capsys):
    """Reports use the name of a round of the game."""
    bots = ("heuristic", "random", "--processes", 1)
    output = said(capsys, "tournament", *bots, "--game", "toscana", "--games", 4, "--run", tmp_path / "run")
    assert "rounds on average" in output and "year" not in output
    output = said(capsys, "evaluate", "heuristic", "--opponents", "random", "--game", "toscana", "--games", 4)
    assert "rounds" in output and "year" not in output
    output = said(capsys, "tournament", *bots, "--games", 2, "--max-years", 1, "--run", tmp_path / "other")
    assert "years on average" in output
