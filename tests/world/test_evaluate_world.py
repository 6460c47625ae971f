"""vitienv evaluate --game world: teams."""

import csv
import json
import pickle

import numpy as np
import pytest

from tests.command import refused, run
from vitienv.training.measure import cases
from vitienv.training.world import evaluate as evaluate_world
from vitienv.training.world.evaluate import summary, tables_of

COMMAND = ("evaluate", "random", "--game", "world", "--games", "5", "--seed", "2", "--processes", "1")


def test_every_team_plays_at_every_table(capsys, tmp_path):
    page = tmp_path / "world.csv"
    asked = ("heuristic", "--set", "continent=asia,africa", "--players", "1,3", "--out", str(page), "--json")
    status, out, _ = run(capsys, *COMMAND, *asked)
    output = json.loads(out)
    assert status == 0 and output["command"].startswith("vitienv evaluate random heuristic --game world --players 1,3")
    tables = [(one["agent"], one["continent"], one["num_players"]) for one in output["results"]]
    assert tables == [(bot, name, n) for bot in ("random", "heuristic") for name in ("asia", "africa") for n in (1, 3)]
    for one in output["results"]:
        shares = one["win_rate"]["value"] + one["lost_by_points"] + one["lost_by_token"] + one["lost_by_both"]
        assert shares == pytest.approx(1) and one["lowest"] <= one["points"]["value"]
    rows = list(csv.DictReader(page.open(encoding="utf-8")))
    assert [(row["team"], row["continent"], int(row["seats"])) for row in rows] == tables
    for row, one in zip(rows, output["results"], strict=True):
        assert float(row["won"]) == pytest.approx(100 * one["win_rate"]["value"], abs=0.05)
        parts = [float(row[name]) for name in ("won", "token_only", "points_only", "neither")]
        assert sum(parts) == pytest.approx(100, abs=0.2) and float(row["won_low"]) <= parts[0] <= float(row["won_high"])


def test_a_ruleset_of_another_game_is_refused(capsys):
    assert run(capsys, *COMMAND, "--ruleset", "solo")[0] == 2


class LastFirst:
    """A place elsewhere: everything travels, and the last part is done first."""

    def run(self, work, tasks, bots, folder=None):
        for part in pickle.loads(pickle.dumps([(work, task) for task in tasks]))[::-1]:
            yield pickle.loads(pickle.dumps(part[0](*part[1])))


def test_where_it_is_played_and_in_which_order_changes_nothing(monkeypatch):
    monkeypatch.setattr(cases, "MANY", 2)
    asked = ["random"], tables_of("asia", "1,2", "ordered", False), None, 5, 2
    assert evaluate_world.evaluate_world(*asked, LastFirst()) == evaluate_world.evaluate_world(*asked, 1)


class Stopped:
    """A place that is lost after some parts."""

    def __init__(self, after):
        self.left = after

    def run(self, work, tasks, bots, folder=None):
        for task in tasks:
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            yield work(*task)


def test_what_was_played_is_kept(monkeypatch, tmp_path):
    """However it ends, also in the middle of a line; nothing is played twice."""
    monkeypatch.setattr(cases, "MANY", 2)
    asked = ["random"], tables_of("asia", "1,2", "ordered", False), None, 5, 2
    file = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate_world.evaluate_world(*asked, Stopped(4), keep=file)
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole[:-9], encoding="utf-8")  # the fourth part is lost
    last = Stopped(3)
    told = []
    found = evaluate_world.evaluate_world(*asked, last, lambda done, of: told.append(done), keep=file)
    assert last.left == 0 and told[0] == 5 and told[-1] == 10
    assert found == evaluate_world.evaluate_world(*asked, 1)
    assert found == evaluate_world.evaluate_world(*asked, Stopped(0), keep=file)  # nothing is left to play


COUNTS = {"faults": {}, "notes": {}}
COLUMNS = {"points": [[25]] * 2, "missing": [0] * 2, "told": [COUNTS] * 2}


@pytest.mark.parametrize(
    "part",
    [
        [1, 0, COLUMNS], [0, 1, COLUMNS], [True, 0, COLUMNS], ["0", 0, COLUMNS], [0, 0], [0, 0, 5], [0, 0, {}],
        [0, 0, {"points": [[25]] * 2}], [0, 0, COLUMNS | {"points": [[25]]}],
        [0, 0, COLUMNS | {"points": [[25, 25]] * 2}],
        [0, 0, COLUMNS | {"points": [["x"]] * 2}], [0, 0, COLUMNS | {"points": [[10**6]] * 2}],
        [0, 0, COLUMNS | {"missing": [-1] * 2}], [0, 0, COLUMNS | {"missing": [0.5] * 2}],
        [0, 0, COLUMNS | {"told": [5] * 2}], [0, 0, COLUMNS | {"told": [COUNTS | {"faults": {"random": 5}}] * 2}],
    ],
    ids=str,
)  # fmt: skip
def test_a_damaged_part_is_refused(part, tmp_path):
    arguments = ["random"], tables_of("asia", "1", "ordered", False), None, 2, 0
    file = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate_world.evaluate_world(*arguments, Stopped(0), keep=file)
    heading = file.read_text(encoding="utf-8")
    file.write_text(f"{heading}{json.dumps([0, 0, COLUMNS])}\n", encoding="utf-8")
    assert evaluate_world.evaluate_world(*arguments, Stopped(0), keep=file)["results"][0]["games"] == 2
    file.write_text(f"{heading}{json.dumps(part)}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"kept\.jsonl' is damaged"):
        evaluate_world.evaluate_world(*arguments, 1, keep=file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no parts of a measurement"),
        ("# World\n", "is damaged"),
        ('{"measured": {"seed": 1}}\n', "was begun with another cases, columns, data, games, seed, versions"),
        ('{"measured": {}}\n{"a": 1}\n', "holds no parts of a measurement"),
    ],
)
def test_another_file_is_refused_and_stays(capsys, tmp_path, text, message):
    file = tmp_path / "other.jsonl"
    file.write_text(text, encoding="utf-8")
    assert message in refused(capsys, *COMMAND, "--keep", file) and file.read_text(encoding="utf-8") == text


def test_what_failed_is_told_apart():
    points = np.array([[25, 30], [25, 24], [26, 26], [0, 9]])
    told = summary(points, np.array([0, 0, 1, 2]), 25, np.zeros(4, bool))
    assert [told[key] for key in ("lost_by_points", "lost_by_token", "lost_by_both")] == [0.25, 0.25, 0.25]
    assert told["win_rate"]["value"] == 0.25 and told["seats_there"]["value"] == 5 / 8 and told["lowest"] == 18.75


def test_a_game_that_a_fault_ended_is_lost():
    points = np.array([[25, 30], [26, 26]])
    assert summary(points, np.array([0, 0]), 25, np.array([False, True]))["win_rate"]["value"] == 0.5


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        (("--set", "continent=atlantis"), "atlantis"),
        (("--players", "two"), "'two'; it must be numbers"),
        (("--players", "7"), "7"),
        (("cellar",), "agent 'cellar' plays 'viticulture', not 'world'"),
        (("random",), "a bot is named twice"),
    ],
)
def test_bad_input_is_one_line(capsys, asked, what):
    assert what in refused(capsys, *COMMAND, *asked)


def test_greengully_is_never_shuffled():
    events = {table["continent"]: table["events"] for table in tables_of("all", "2", "shuffled", False)}
    assert len(events) == 7 and events.pop("greengully") == "ordered" and set(events.values()) == {"shuffled"}
