"""Curves of strength against the time of a decision, and the ladder's tables."""

import json
from types import SimpleNamespace

import pytest

import vitienv
from tests.command import refused
from vitienv import cli
from vitienv.training.evaluation import strength
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.evaluation.ladder import Ladder, digest_of_weights
from vitienv.training.evaluation.strength import Point, key, measure

TOY = "tests.toy.game_spec"
BOT = "ismcts:playout=random,prior=uniform"
VITICULTURE = vitienv.game_spec()


def test_a_table_for_every_number_of_players_and_every_level():
    assert [name for name in VITICULTURE.tables if name.isdigit()] == ["2", "3", "4", "5", "6"]
    levels = {name for name in VITICULTURE.tables if name.startswith("solo")}
    assert levels == {"solo", "solo/very_easy", "solo/easy", "solo/hard", "solo/very_hard"}
    for table in VITICULTURE.tables:
        assert Ladder().champion(table).agent == "heuristic"
    networks = {digest_of_weights("policy:champion", table, VITICULTURE) for table in VITICULTURE.tables}
    assert len(networks) == 4 and None not in networks


def test_more_simulations_are_stronger_and_take_longer():
    """High card against random play: a few simulations are enough to be better than chance."""
    few, many = (measure("2", BOT, "random", n, 24, seed=3, game=TOY)[0] for n in (1, 2048))
    assert few.games == many.games == 48 and many.score > 0.6 and many.low <= many.score <= many.high
    assert many.milliseconds > 1.5 * few.milliseconds > 0
    assert few.score < many.score


def test_the_score_does_not_depend_on_the_processes():
    one, two = (measure("3", BOT, "random", 8, 16, seed=1, processes=n, game=TOY)[0] for n in (1, 2))
    assert (one.score, one.low, one.high) == (two.score, two.low, two.high)


def test_a_bot_that_is_timed_tells_its_faults():
    bot = SimpleNamespace(name="x", forfeits={0: "crash"}, notes={0: {"answers": 1}})
    assert (strength.Timed(bot).forfeits, strength.Timed(bot).notes) == (bot.forfeits, bot.notes)
    assert strength.Timed(SimpleNamespace(name="x")).forfeits == {}


def point(**changed):
    known = dict(game=TOY, table="2", agent=BOT, against="random", simulations=4, seed=0, seeds=8, games=16)
    return Point(**known | {"milliseconds": 1.5, "score": 0.6, "low": 0.5, "high": 0.7} | changed)


def test_points_are_kept(tmp_path):
    file = tmp_path / "curve.csv"
    assert read_rows(file, Point) == []
    for each in (point(), point(simulations=16), point(score=0.7), point(table="3")):
        add_row(file, each, key)
    assert read_rows(file, Point) == [point(score=0.7), point(simulations=16), point(table="3")]
    for other in ("game,table\ntoy,2\n", '{"moves": []}', "nul\0"):
        file.write_text(other)
        with pytest.raises(ValueError, match="is damaged"):
            read_rows(file, Point)  # another file is not written over either


def test_the_command_goes_on_with_what_is_there(tmp_path, capsys, monkeypatch):
    file, picture = tmp_path / "curve.csv", tmp_path / "curve.png"
    command = ["ladder", "curve", "--game", TOY, "--agent", BOT, "--opponents", "random", "--file", str(file),
               "--seeds", "4", "--processes", "1", "--simulations", "2,8"]  # fmt: skip
    assert cli.run([*command, "--table", "2"]) == 0
    assert "table 2: 8 simulations" in capsys.readouterr().out
    measured = []
    monkeypatch.setattr(strength, "measure", lambda table, *given: measured.append(table) or measure(table, *given))
    assert cli.run([*command, "--plot", str(picture), "--json"]) == 0
    assert measured == ["3", "3"] and len(json.loads(capsys.readouterr().out)) == 4 and picture.stat().st_size > 1000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--simulations", "4,x"], "--simulations must be positive integers, separated by commas, got"),
        (["--table", "9"], "unknown table '9'"),
        (["--agent", "ismcts:simulations=4"], "duplicate parameter 'simulations'"),
        (["--agent", "random"], "agent 'random': unknown parameter 'simulations'"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, given, message):
    command = ["ladder", "curve", "--game", TOY, "--file", tmp_path / "c.csv", "--agent", BOT, "--table", "2"]
    assert message in refused(capsys, *command, *given)
