"""Published results: their rows, tables and commands, and the verdicts of remeasurements."""

import shlex
from dataclasses import replace

import numpy as np
import pytest

from tools.doc_tables import published_table
from vitienv.cli import COMMANDS
from vitienv.training.evaluation import published
from vitienv.training.evaluation.published import DIFFERS, HOLDS, Figure, Measurement, pick_value, quick, verdicts
from vitienv.training.intervals import wilson

ROW = Figure("a.md", "strength", "a bot", "", "vitienv evaluate a --games 4000 --seed 5", "win_rate", "%",
             "0.8", 0.787, 0.812, 4000, "", "2026-11-24", "", "")  # fmt: skip


def shares(rng, rate, games, n):
    """Return published results and remeasurements of the same rate."""
    pairs = []
    for wins, new_wins in zip(rng.binomial(games, rate, n), rng.binomial(games // 10, rate, n), strict=True):
        low, high = wilson(int(wins), games)
        figure = replace(ROW, value=str(wins / games), low=low, high=high)
        pairs.append((figure, Measurement(str(new_wins * 10 / games), *wilson(int(new_wins), games // 10))))
    return pairs


@pytest.mark.parametrize("rate", [0.5, 0.82, 0.98])
def test_the_family_wise_error_rate_is_5_per_cent(rate):
    rng = np.random.default_rng(3)
    num_differing = sum(DIFFERS in verdicts(shares(rng, rate, 2000, 30)) for _ in range(400))
    assert 0 < num_differing < 0.08 * 400


def test_a_wrong_result_differs_among_correct_ones():
    rng = np.random.default_rng(4)
    pairs = shares(rng, 0.8, 4000, 30)
    pairs[7] = (replace(pairs[7][0], value="0.9", low=0.89, high=0.909), pairs[7][1])
    assert [i for i, verdict in enumerate(verdicts(pairs)) if verdict == DIFFERS] == [7]


def test_verdicts_depend_on_both_intervals():
    few, many = Measurement("0.7", 0.39, 0.89), Measurement("0.7", 0.679, 0.72)
    assert verdicts([(ROW, few)]) == [HOLDS] and verdicts([(ROW, many)]) == [DIFFERS]
    assert verdicts([(replace(ROW, low=0.49, high=0.94), many)]) == [HOLDS]


@pytest.mark.parametrize("kind, unit, value, verdict", [
    ("speed", "games/s", "71", HOLDS), ("speed", "games/s", "69", DIFFERS), ("speed", "games/s", "500", HOLDS),
    ("speed", "µs", "140", HOLDS), ("speed", "µs", "145", DIFFERS), ("speed", "µs", "5", HOLDS),
    ("engine", "hash", "100", HOLDS), ("engine", "hash", "101", DIFFERS),
])  # fmt: skip
def test_a_speed_may_be_lower_by_the_tolerance_and_the_engine_is_the_same(kind, unit, value, verdict):
    figure = replace(ROW, kind=kind, unit=unit, value="100", low=None, high=None)
    assert verdicts([(figure, Measurement(value))]) == [verdict]


def test_the_quick_check_plays_a_tenth_on_other_seeds():
    words = shlex.split(quick(ROW.command))
    assert words[words.index("--games") + 1] == "400" and int(words[words.index("--seed") + 1]) > 1000
    assert "--campaign 10 " in quick("vitienv evaluate a --campaign 20 --seed 3")
    assert quick("vitienv bench --only network") == "vitienv bench --only network"


def test_values_are_picked_from_the_output_of_a_command():
    share = {"value": 0.5, "low": 0.4, "high": 0.6}
    output = {"games": 9, "list": [{"a": 1, "b": "x", "it": share}, {"a": 1, "b": "y", "it": 3, "games": 7}]}
    assert pick_value(output, "list > a=1 & b=x > it") == Measurement("0.5", 0.4, 0.6, 9)
    assert pick_value(output, "list > b=y > it") == Measurement("3", None, None, 7)
    for pick in ("lost", "list > a=1 > it", "list > c=1 > it", "games > a"):
        with pytest.raises(ValueError, match="has no value at"):
            pick_value(output, pick)


def test_every_published_command_is_valid_and_seeded():
    figures = published.read()
    names = [figure.name for figure in figures]
    assert len(set(names)) == len(names) and {figure.kind for figure in figures} == set(published.KINDS)
    for figure in figures:
        program, command, *words = shlex.split(figure.command)
        assert program == "vitienv" and command in COMMANDS, figure.name
        assert "--games" not in words or "--seed" in words, f"{figure.name} has no seed"
        assert (figure.kind == "strength") == (figure.low is not None and figure.games is not None), figure.name
        assert figure.low is None or figure.low <= float(figure.value) <= figure.high, figure.name
        assert (figure.kind == "speed") == bool(figure.machine), figure.name


def test_an_invalid_row_is_refused(tmp_path):
    file = tmp_path / "published.csv"
    published.write([ROW], file)
    assert published.read(file) == [ROW]
    file.write_text(file.read_text().replace("strength", "luck"))
    with pytest.raises(ValueError, match=r"is damaged: ValueError: kind must be one of .*, got 'luck'"):
        published.read(file)


def test_a_table_shows_rows_by_columns_or_a_list():
    square = [replace(ROW, row=row, column=column) for row in "ab" for column in "xy"]
    cell = "80.0 (78.7 to 81.2)"
    assert published_table("a.md", "strength", square).splitlines()[2] == f"| a | {cell} | {cell} |"
    assert published_table("a.md", "strength", [ROW]).splitlines()[0] == "|  | games | measured | command |"
