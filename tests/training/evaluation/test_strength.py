"""Scaling curves: strength against the time per decision, and the tables of the ladder."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

import vitienv
from vitienv import cli
from vitienv.training.evaluation import strength
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.evaluation.ladder import Ladder, digest_of_weights
from vitienv.training.evaluation.strength import Point, key, measure

TOY = "tests.toy.game_spec"
BOT = "ismcts:playout=random,prior=uniform"
VITICULTURE = vitienv.game_spec()


def test_the_ladder_has_tables_for_every_number_of_players_and_difficulty():
    assert [name for name in VITICULTURE.tables if name.isdigit()] == ["2", "3", "4", "5", "6"]
    levels = {name for name in VITICULTURE.tables if name.startswith("solo")}
    assert levels == {"solo", "solo/very_easy", "solo/easy", "solo/hard", "solo/very_hard"}
    for table in VITICULTURE.tables:
        assert Ladder().champion(table).agent == "heuristic"
    networks = {digest_of_weights("policy:champion", table, VITICULTURE) for table in VITICULTURE.tables}
    assert len(networks) == 4 and None not in networks


def test_more_simulations_are_stronger_and_slower():
    few, many = (measure("2", BOT, "random", n, 24, seed=3, game=TOY)[0] for n in (1, 2048))
    assert few.games == many.games == 48 and many.score > 0.6 and many.low <= many.score <= many.high
    assert many.milliseconds > 1.5 * few.milliseconds > 0
    assert few.score < many.score


def test_the_score_does_not_depend_on_the_processes():
    points = [measure("3", BOT, "random", 8, 16, seed=1, processes=n, game=TOY)[0] for n in (1, 2)]
    assert len({(point.score, point.low, point.high) for point in points}) == 1


def test_a_timed_bot_has_the_forfeits_and_notes_of_the_bot():
    bot = SimpleNamespace(name="x", forfeits={0: "crash"}, notes={0: {"answers": 1}})
    assert (strength.TimedBot(bot).forfeits, strength.TimedBot(bot).notes) == (bot.forfeits, bot.notes)
    assert strength.TimedBot(SimpleNamespace(name="x")).forfeits == {}


POINT = Point(TOY, "2", BOT, "random", 4, 0, 8, 16, 1.5, 0.6, 0.5, 0.7)


def test_rows_are_sorted_and_replaced_and_other_files_are_refused(tmp_path):
    file, opponent = tmp_path / "curve.csv", replace(POINT, score=0.7)
    assert read_rows(file, Point) == []
    for row in (POINT, replace(POINT, simulations=16), opponent, replace(POINT, table="3")):
        add_row(file, row, key)
    assert read_rows(file, Point) == [opponent, replace(POINT, simulations=16), replace(POINT, table="3")]
    for text in ("game,table\ntoy,2\n", '{"moves": []}', "nul\0"):
        file.write_text(text)
        with pytest.raises(ValueError, match="is damaged"):
            add_row(file, POINT, key)


def test_saved_points_are_not_measured_again(tmp_path, capsys, monkeypatch):
    file, picture = tmp_path / "curve.csv", tmp_path / "curve.png"
    command = ["ladder", "curve", "--game", TOY, "--bot", BOT, "--opponents", "random", "--file", str(file),
               "--seeds", "4", "--processes", "1", "--simulations", "2,8"]  # fmt: skip
    assert cli.run([*command, "--table", "2"]) == 0
    assert "table 2: 8 simulations" in capsys.readouterr().out
    measured = []
    monkeypatch.setattr(strength, "measure", lambda table, *options: measured.append(table) or measure(table, *options))
    assert cli.run([*command, "--plot", str(picture), "--json"]) == 0
    assert measured == ["3", "3"] and len(json.loads(capsys.readouterr().out)) == 4 and picture.stat().st_size > 1000
    add_row(file, replace(read_rows(file, Point)[0], weights="other"), key)
    assert cli.run(command) == 0 and measured == ["3", "3", "2"]
