"""Benchmark: valid commands for all rows, resumed measurements, and published rows of the protocol."""

import json
import re
import shlex
import shutil
from types import SimpleNamespace

import numpy as np
import pytest

from tests.command import run
from vitienv import cli
from vitienv.agents.champions import path_of
from vitienv.agents.levels import LEVELS
from vitienv.commands.bench import tasks as command
from vitienv.core.files import versions
from vitienv.registry import DEFAULT, game_spec
from vitienv.training.evaluation import benchmark, published
from vitienv.training.evaluation.benchmark import Row, key, layout, plan_rows, protocol, summary
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.selfplay.envs import parse_mix

TASKS = protocol()["tasks"]
TRAINED = list(protocol()["trained"])


def row(**changes):
    values = {"task": "two", "opponent": "level:5", "bot": "ppo", "training_seed": 0, "value": 0.5, "low": 0.1,
              "high": 0.9, "games": 600, "seeds": 300, "core_hours": 1.0, "command": "", "train": "", "version": "",
              "layout": "", "date": "", "commit": "", "weights": ""}  # fmt: skip
    return Row(**values | changes)


def test_games_of_the_protocol_fill_all_seats_against_existing_levels():
    for task in filter(lambda task: task["levels"], TASKS.values()):
        num_players = int(task["evaluate"].split("--players ")[1].split()[0])
        assert protocol()["games"] % num_players == 0 and {*task["levels"]} <= {*range(1, len(LEVELS) + 1)}


def test_every_planned_command_is_valid():
    line = cli.command_line()
    for name in ("evaluate", "train"):
        line.commands[name].callback = lambda **arguments: arguments
    for planned in [*plan_rows(), *plan_rows(train=TRAINED)]:
        assert line(args=shlex.split(planned.command)[1:], standalone_mode=False)["seed"] == protocol()["seed"]
        if planned.train:
            assert line(args=shlex.split(planned.train)[1:], standalone_mode=False)["seed"] == planned.training_seed
    for task in TASKS.values():
        if "run" not in task:
            (kind,) = parse_mix(task["mix"], game_spec(task.get("game", DEFAULT)))
            assert f"--players {kind.num_players}" in task["evaluate"] or kind.num_players == 1
            options = [name for name in kind.table if name not in ("ruleset", "num_players", "difficulty")]
            assert re.findall(r"--option (\S+)", task["evaluate"]) == [f"{name}={kind.table[name]}" for name in options]


def test_each_baseline_is_trained_with_five_seeds_at_the_tables_of_its_method():
    trained = {(planned.task, planned.bot, planned.training_seed) for planned in plan_rows(train=TRAINED)}
    assert trained == {(name, bot, seed) for name, task in TASKS.items() for bot in TRAINED for seed in range(5)
                       if "table" in TASKS[task.get("run", name)] or bot != "ppo"}  # fmt: skip


def test_tasks_held_out_play_the_networks_of_other_tables(tmp_path):
    """Every one of them names a task that is trained, at another table; baselines without training skip it."""
    held_out = {name: TASKS[task["run"]] for name, task in TASKS.items() if "run" in task}
    assert len(held_out) == 5 and not {planned.task for planned in plan_rows()} & {*held_out}
    assert {planned.task for planned in plan_rows(["random"])} == {*TASKS}
    for planned in plan_rows(train=["imitation"], only="_held_out|_reference", runs=tmp_path):
        run = f"{TASKS[planned.task]['run']}-imitation-{planned.training_seed}"
        assert planned.run == tmp_path / run and planned.spec == f"policy:{tmp_path / run}"
        assert f"--mix {held_out[planned.task]['mix']} " in planned.train
        assert TASKS[planned.task]["evaluate"] != held_out[planned.task]["evaluate"]


def test_rows_of_other_tasks_and_weights_are_measured(tmp_path):
    shutil.copy(path_of("two", game_spec("viticulture")), file := tmp_path / "mine.safetensors")
    at_table, held_out = plan_rows([f"policy:{file}"], only="^(four|seats_held_out): .*level:5")
    saved = row(task="four", command=at_table.command, weights=at_table.weights, version=versions()["vitienv"],
                layout=layout("viticulture"))  # fmt: skip
    assert at_table.command == held_out.command and at_table.is_row(saved) and not held_out.is_row(saved)
    shutil.copy(path_of("many", game_spec("viticulture")), file)
    assert not at_table.is_row(saved)


def test_a_row_is_measured_once_per_version(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(protocol(), "games", 4)
    only, file = "^toscana_two: .*level:5", tmp_path / "b.csv"
    arguments = ["bench", "tasks", "heuristic", "--only", only, "--out", str(file)]
    status, out, _ = run(capsys, *arguments, "--processes", "1", "--json")
    (measured,) = json.loads(out)
    assert status == 0 and (measured["games"], measured["seeds"], measured["value"]) == (4, 2, 0.5)
    assert measured["core_hours"] > 0
    monkeypatch.setattr(command, "measure", lambda *_: pytest.fail("the row is measured again"))
    status, out, _ = run(capsys, *arguments)
    assert status == 0 and "| Toscana, two seats, against `level:5` | 50.0 (" in out
    add_row(file, Row(**measured | {"version": "0.0.1"}), key)
    new = row(task="toscana_two", bot="heuristic", value=0.25)
    monkeypatch.setattr(command, "measure", lambda *_: new)
    assert cli.run(arguments) == 0 and read_rows(file, Row) == [new]


def test_a_baseline_is_trained_once_and_resumed_after_a_failure(tmp_path, monkeypatch):
    planned = plan_rows(train=["ppo"], only="^two: ppo, training seed 3", runs=tmp_path)[0]
    calls = []

    def fail_first(line, **_):
        calls.append(line[3:])
        planned.run.mkdir(exist_ok=True)
        (planned.run / "checkpoint.zip").touch()
        return SimpleNamespace(returncode=int(len(calls) == 1))

    monkeypatch.setattr(command.subprocess, "run", fail_first)
    with pytest.raises(ValueError, match="failed with status 1; the same command resumes it"):
        command.train_baseline(planned, "local")
    assert np.isnan([command.train_baseline(planned, "local") for _ in range(2)]).all()
    assert calls == [shlex.split(planned.train)[1:], [*shlex.split(planned.train)[1:], "--resume"]]


def test_several_training_seeds_have_students_interval():
    rows = [row(training_seed=i, value=value) for i, value in enumerate([0.2, 0.3, 0.4, 0.5, 0.6])]
    mean, low, high, n = summary(rows)["ppo", "two", "level:5"]
    assert (mean, n) == (pytest.approx(0.4), 5) and high - mean == pytest.approx(2.776 * 0.15811 / 5**0.5, abs=1e-4)
    assert summary(rows[:1])["ppo", "two", "level:5"] == (0.2, 0.1, 0.9, 1) and mean - low == pytest.approx(high - mean)


def test_published_rows_are_of_the_protocol():
    planned_rows = {planned.command: planned for planned in plan_rows()}
    for figure in published.read():
        if figure.page == benchmark.PAGE:
            planned = planned_rows[figure.command]
            assert (figure.pick, figure.column) == (planned.pick, planned.bot)
            assert figure.games == protocol()["games"]
            assert figure.row == benchmark.title(planned.task, planned.opponent)
