"""vitienv evaluate --game world: teams."""

import csv
import json
import pickle

import numpy as np
import pytest

from tests.command import refused, run
from vitienv.training.evaluation.evaluate import Case, evaluate
from vitienv.training.world.evaluate import TEAM, _play, _row, _tables, wins

COMMAND = ("evaluate", "random", "--game", "world", "--games", "5", "--seed", "2", "--processes", "1")


def test_evaluate_plays_every_bot_at_every_table(capsys, tmp_path):
    page = tmp_path / "world.csv"
    arguments = ("heuristic", "--option", "continent=asia,africa", "--players", "1,3", "--out", str(page), "--json")
    status, out, _ = run(capsys, *COMMAND, *arguments)
    output = json.loads(out)
    assert status == 0
    tables = [(result["agent"], result["continent"], result["num_players"]) for result in output["results"]]
    assert tables == [(bot, name, n) for bot in ("random", "heuristic") for name in ("asia", "africa") for n in (1, 3)]
    for result in output["results"]:
        losses = sum(result[f"lost_by_{cause}"] for cause in ("points", "token", "both"))
        assert result["win_rate"]["value"] + losses == pytest.approx(1)
        assert result["lowest"] <= result["points"]["value"]
    rows = list(csv.DictReader(page.open(encoding="utf-8")))
    assert [(row["agent"], row["continent"], int(row["num_players"])) for row in rows] == tables
    for row, result in zip(rows, output["results"], strict=True):
        assert [float(row[f"win_rate{end}"]) for end in ("", "_low", "_high")] == list(result["win_rate"].values())[:3]
        assert float(row["lost_by_token"]) == result["lost_by_token"]
        assert ("difference" in result) == (result["agent"] == "heuristic") == bool(row["difference"])


BOTS = "heuristic", "random"
CROSS_PLAY = ("evaluate", *BOTS, *COMMAND[2:], "--cross-play", "--option", "continent=asia")


def test_cross_play_is_a_matrix_of_partners(capsys, tmp_path):
    page, file = tmp_path / "cross.csv", tmp_path / "games.jsonl"
    status, out, _ = run(capsys, *CROSS_PLAY, "--out", page, "--resume-file", file, "--json")
    output = json.loads(out)
    rows = {(row["agent"], row["partner"]): row for row in output["results"]}
    assert status == 0 and list(rows) == [(bot, partner) for bot in BOTS for partner in BOTS]
    assert [(row["agent"], row["partner"]) for row in csv.DictReader(page.open(encoding="utf-8"))] == list(rows)
    team = evaluate(["heuristic"], (), "team", 5, 2, **(WORLD | {"num_players": 2}))["results"][0]
    same = rows["heuristic", "heuristic"]
    assert same["win_rate"] == team["win_rate"] and same["points"] == team["points"] and same["win_rate"]["value"] > 0
    assert rows["random", "heuristic"]["points"]["value"] < same["points"]["value"]
    assert rows["random", "random"]["difference"]["value"] == 0  # no team with random wins
    assert rows["random", "heuristic"]["difference"]["value"] == -same["win_rate"]["value"]
    status, out, _ = run(capsys, *CROSS_PLAY, "--resume-file", file)
    assert status == 0 and "with random %" in out and "with heuristic %" in out


def test_bot_has_each_seat_in_turn_in_cross_play():
    (table,) = _tables("world", (), {"continent": "asia", "num_players": 3})
    points = _play(Case("heuristic", ("random",), "world", table, 1), range(6))["points"]
    assert points.argmax(axis=1).tolist() == [0, 1, 2, 0, 1, 2]


def test_ruleset_of_another_game_raises(capsys):
    assert run(capsys, *COMMAND, "--ruleset", "solo")[0] == 2


class LastFirst:
    """A place elsewhere: everything travels, and the last part is done first."""

    def run(self, work, tasks, bots, folder=None):
        for part in pickle.loads(pickle.dumps([(work, task) for task in tasks]))[::-1]:
            yield pickle.loads(pickle.dumps(part[0](*part[1])))


ASKED, WORLD = (["random"], (), "team", 5, 2), {"game": "world", "continent": "asia", "num_players": "1,2"}


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setitem(TEAM.__dict__, "batch", 2)


def test_results_are_independent_of_executor_and_order(small_parts):
    assert evaluate(*ASKED, LastFirst(), **WORLD) == evaluate(*ASKED, 1, **WORLD)


class Stopped:
    """A place that is lost after some parts."""

    def __init__(self, after):
        self.num_left = after

    def run(self, work, tasks, bots, folder=None):
        for task in tasks:
            if self.num_left == 0:
                raise KeyboardInterrupt
            self.num_left -= 1
            yield work(*task)


def test_interrupted_evaluation_resumes(small_parts, tmp_path):
    """However it ends, also in the middle of a line; nothing is played twice."""
    file = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(*ASKED, Stopped(4), keep=file, **WORLD)
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole[:-9], encoding="utf-8")  # the fourth part is lost
    last = Stopped(3)
    progress = []
    results = evaluate(*ASKED, last, lambda done, of: progress.append(done), file, **WORLD)
    assert last.num_left == 0 and progress[0] == 5 and progress[-1] == 10
    assert results == evaluate(*ASKED, 1, **WORLD)
    assert results == evaluate(*ASKED, Stopped(0), keep=file, **WORLD)  # nothing is left to play


COUNTS = {"forfeits": {}, "notes": {}}
COLUMNS = {"points": [[25]] * 2, "missing": [0] * 2, "counts": [COUNTS] * 2}


@pytest.mark.parametrize(
    "part",
    [
        [1, 0, COLUMNS], [0, 1, COLUMNS], [True, 0, COLUMNS], ["0", 0, COLUMNS], [0, 0], [0, 0, 5], [0, 0, {}],
        [0, 0, {"points": [[25]] * 2}], [0, 0, COLUMNS | {"points": [[25]]}],
        [0, 0, COLUMNS | {"points": [[25, 25]] * 2}],
        [0, 0, COLUMNS | {"points": [["x"]] * 2}], [0, 0, COLUMNS | {"points": [[10**6]] * 2}],
        [0, 0, COLUMNS | {"missing": [-1] * 2}], [0, 0, COLUMNS | {"missing": [0.5] * 2}],
        [0, 0, COLUMNS | {"counts": [5] * 2}], [0, 0, COLUMNS | {"counts": [COUNTS | {"forfeits": {"random": 5}}] * 2}],
    ],
    ids=str,
)  # fmt: skip
def test_damaged_part_raises(part, tmp_path):
    arguments, table = (["random"], (), "team", 2, 0), WORLD | {"num_players": 1}
    file = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        evaluate(*arguments, Stopped(0), keep=file, **table)
    heading = file.read_text(encoding="utf-8")
    file.write_text(f"{heading}{json.dumps([0, 0, COLUMNS])}\n", encoding="utf-8")
    assert evaluate(*arguments, Stopped(0), keep=file, **table)["results"][0]["games"] == 2
    file.write_text(f"{heading}{json.dumps(part)}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"kept\.jsonl' is damaged"):
        evaluate(*arguments, 1, keep=file, **table)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not contain parts of a measurement"),
        ("# World\n", "is damaged"),
        (
            '{"measured": {"seed": 1}}\n',
            "was started with other values of cases, columns, data, games, seed, versions, weights",
        ),
        ('{"measured": {}}\n{"a": 1}\n', "is damaged: parts[0] must be a list, got {'a': 1}"),
    ],
)
def test_other_resume_file_raises_and_is_kept(capsys, tmp_path, text, message):
    file = tmp_path / "other.jsonl"
    file.write_text(text, encoding="utf-8")
    assert message in refused(capsys, *COMMAND, "--resume-file", file) and file.read_text(encoding="utf-8") == text


def test_causes_of_a_loss():
    points = np.array([[25, 30], [25, 24], [26, 26], [0, 9]])
    games = {"points": points, "missing": np.array([0, 0, 1, 2]), "counts": np.full(4, COUNTS, object)}
    (table,) = _tables("world", (), {"continent": "asia"})
    progress = _row(Case("random", (), "world", table, 0), games)
    assert [progress[key] for key in ("lost_by_points", "lost_by_token", "lost_by_both")] == [0.25, 0.25, 0.25]
    assert (
        progress["win_rate"]["value"] == 0.25
        and progress["seats_there"]["value"] == 5 / 8
        and progress["lowest"] == 18.75
    )


def test_forfeited_game_is_lost():
    counts = np.array([COUNTS, COUNTS | {"forfeits": {"random": {"crash": 1}}}], object)
    games = {"points": np.array([[25, 30], [26, 26]]), "missing": np.array([0, 0]), "counts": counts}
    (table,) = _tables("world", (), {"continent": "asia"})
    assert wins(Case("random", (), "world", table, 0), games).tolist() == [True, False]


def test_greengully_is_never_shuffled():
    events = {table["continent"]: table["events"] for table in _tables("world", (), {"events": "shuffled"})}
    assert len(events) == 7 and events.pop("greengully") == "ordered" and set(events.values()) == {"shuffled"}
