"""The benchmark: its protocol can be carried out, its rows are kept, and what is published is of it."""

import json
import shlex

import numpy as np
import pytest

from tests.command import refused
from vitienv import cli
from vitienv.agents.levels import LEVELS
from vitienv.commands.bench import tasks as command
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation import benchmark, published
from vitienv.training.evaluation.benchmark import Row, key, plan_rows, protocol, summary
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.selfplay.envs import parse_mix

TASKS = protocol()["tasks"]
TRAINED = list(protocol()["trained"])


def row(**told):
    """A measured row."""
    usual = {"task": "two", "opponent": "level:5", "bot": "ppo", "training_seed": 0, "value": 0.5, "low": 0.1,
             "high": 0.9, "games": 600, "seeds": 300, "core_hours": 1.0, "command": "", "train": "", "version": "",
             "layout": "", "date": "", "commit": ""}  # fmt: skip
    return Row(**usual | told)


def test_the_tasks_are_of_every_kind():
    seats = {int(about["evaluate"].split("--players ")[1].split()[0]) for about in TASKS.values() if about["levels"]}
    assert seats == {2, 4, 6} and all(protocol()["games"] % n == 0 for n in seats)
    assert sum("--difficulty" in about["evaluate"] for about in TASKS.values()) == 2
    assert sum(about.get("game") == "world" for about in TASKS.values()) == 2
    assert sum(about.get("game") == "toscana" for about in TASKS.values()) == 2
    assert sum("original" in about["evaluate"] for about in TASKS.values()) == 1
    assert all(1 <= level <= len(LEVELS) for about in TASKS.values() for level in about["levels"])
    assert protocol()["decisions"] == 10_000_000 and protocol()["training_seeds"] == 5


def test_every_command_can_be_given():
    line = cli.command_line()
    for name in ("evaluate", "train"):
        line.commands[name].callback = lambda **given: given
    for one in [*plan_rows(), *plan_rows(train=TRAINED)]:
        assert line(args=shlex.split(one.command)[1:], standalone_mode=False)["seed"] == protocol()["seed"]
        if one.train:
            assert line(args=shlex.split(one.train)[1:], standalone_mode=False)["seed"] == one.training_seed
    for about in TASKS.values():
        (kind,) = parse_mix(about["mix"], game_spec(about.get("game", DEFAULT)))
        assert f"--players {kind.num_players}" in about["evaluate"] or kind.num_players == 1


def test_each_baseline_is_trained_with_five_seeds_where_its_method_knows_the_table():
    trained = {(one.task, one.bot, one.training_seed) for one in plan_rows(train=TRAINED)}
    alone = [task for task, about in TASKS.items() if about.get("game") != "world"]
    assert trained == {(task, name, seed) for task in TASKS for name in TRAINED for seed in range(5)
                       if task in alone or name != "ppo"}  # fmt: skip


def test_rows_are_measured_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(protocol(), "games", 4)
    command_line = [
        "bench",
        "tasks",
        "heuristic",
        "--only",
        "^toscana_two: .*level:5",
        "--out",
        str(tmp_path / "b.csv"),
    ]
    assert cli.run([*command_line, "--processes", "1", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["games"] == 4 and row["seeds"] == 2 and row["value"] == 0.5 and row["core_hours"] > 0
    monkeypatch.setattr(command, "measure", lambda *_: pytest.fail("it was there"))
    assert cli.run(command_line) == 0
    assert "| Toscana, two seats, against `level:5` | 50.0 (" in capsys.readouterr().out


def test_a_row_of_another_version_is_measured_again(tmp_path, monkeypatch):
    (one,) = plan_rows(["random"], only="^toscana_two: .*level:5")
    old = row(task=one.task, bot=one.bot, command=one.command, version="0.0.1", layout=benchmark.layout("toscana"))
    add_row(tmp_path / "b.csv", old, key)
    new = row(task=one.task, bot=one.bot, value=0.25)
    monkeypatch.setattr(command, "measure", lambda *_: new)
    given = ["bench", "tasks", "random", "--only", "^toscana_two: .*level:5", "--out", str(tmp_path / "b.csv")]
    assert cli.run(given) == 0 and read_rows(tmp_path / "b.csv", Row) == [new]


def test_a_training_is_done_once_and_gone_on_with(tmp_path, monkeypatch):
    one = plan_rows(train=["ppo"], only="^two: ppo, training seed 3", runs=tmp_path)[0]
    calls = []

    def run(line, **_):
        calls.append(line[3:])
        one.run.mkdir(exist_ok=True)
        (one.run / "checkpoint.zip").touch()
        return type("Done", (), {"returncode": int(len(calls) == 1)})

    monkeypatch.setattr(command.subprocess, "run", run)
    with pytest.raises(ValueError, match="failed with status 1; the same command resumes it"):
        command.train_baseline(one, "local")
    assert np.isnan(command.train_baseline(one, "local")) and np.isnan(command.train_baseline(one, "local"))
    assert calls == [shlex.split(one.train)[1:], [*shlex.split(one.train)[1:], "--resume"]]


def test_several_training_seeds_are_a_mean_with_students_interval():
    values = [0.2, 0.3, 0.4, 0.5, 0.6]
    rows = [row(training_seed=i, value=value) for i, value in enumerate(values)]
    mean, low, high, n = summary(rows)["ppo", "two", "level:5"]
    assert (mean, n) == (pytest.approx(0.4), 5) and high - mean == pytest.approx(2.776 * 0.15811 / 5**0.5, abs=1e-4)
    assert summary(rows[:1])["ppo", "two", "level:5"] == (0.2, 0.1, 0.9, 1) and mean - low == pytest.approx(high - mean)


def test_what_is_published_is_of_the_protocol():
    commands = {one.command: one for one in plan_rows()}
    rows = [figure for figure in published.read() if figure.page == benchmark.PAGE]
    for figure in rows:
        one = commands[figure.command]
        assert (figure.pick, figure.column) == (one.pick, one.bot) and figure.games == protocol()["games"]
        assert figure.row == benchmark.title(one.task, one.opponent)


@pytest.mark.parametrize(("given", "why"), [
    (["--only", "nothing like it"], "matches no row; the tasks are two, four, six"),
    (["--only", "("], "must be a regular expression"),
    (["--train", "dqn"], "unknown baseline 'dqn'; expected one of: ppo, selfplay, imitation"),
    (["random", "nosuch", "--only", "^two"], "unknown agent 'nosuch'"),
    (["random", "--backend", "foo"], "backend must be 'local', 'ray' or 'ray:ADDRESS', got 'foo'"),
])  # fmt: skip
def test_what_is_wrong_is_one_line(given, why, capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(command, "measure", lambda *_: pytest.fail("the first row was measured"))
    assert why in refused(capsys, "bench", "tasks", *given, "--out", tmp_path / "b.csv")
    assert not (tmp_path / "b.csv").exists()
