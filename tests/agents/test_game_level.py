"""Level of play in one game."""

import tomllib

import pytest

from studies import level_from_game
from tests.random_play import random_game
from vitienv.agents.champions import FROZEN, digest_of, file_at, path_of
from vitienv.agents.game_level import FILE, count_mistakes, level_of, levels_in
from vitienv.registry import game_spec

RATES = tomllib.loads(FILE.read_text())["viticulture"]["2"]


def test_intervals_contain_the_level_of_other_games(monkeypatch, capsys):
    """Levels 1 to 7 against the next one, on seeds of no other measurement; an interval is not all levels."""
    monkeypatch.setattr(level_from_game, "LEVELS", level_from_game.LEVELS[:7])
    level_from_game.main(["--check", "--games", "20", "--seed", "630000"])
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    hits = [int(row[4].split()[0]) for row in rows]
    assert len(rows) == 12 and sum(hits) >= 0.93 * 240 and min(hits) >= 17
    for _, level, mean, interval, _ in rows:
        low, high = map(float, interval.split(" to "))
        assert abs(float(mean) - int(level)) < 1.2 and low <= int(level) <= high and high - low < 4.5


@pytest.mark.parametrize(
    ("mistakes", "decisions", "expected"), [(0, 0, (6, 1, 10)), (0, 100, (8, 7, 10)), (1, 1, (3, 1, 5))]
)
def test_few_decisions_leave_a_wide_interval(mistakes, decisions, expected):
    assert level_of(mistakes, decisions, RATES)[:3] == expected


def test_the_mistakes_are_those_by_the_bundled_network():
    file = file_at(game_spec().options.of(num_players=2), FROZEN)
    assert RATES["network"] == digest_of(path_of(file, game_spec()))


def test_random_play_has_a_low_level():
    game = random_game(5, num_players=2, max_years=60)
    levels = levels_in(game)
    assert [(level.mistakes, level.decisions) for level in levels] == count_mistakes(game)
    assert all(level.low == 1 and level.high < 4 for level in levels)


@pytest.mark.parametrize(
    "options", [{"num_players": 3}, {"game": "toscana", "num_players": 2}, {"num_players": 2, "max_years": 1}]
)
def test_other_tables_and_truncated_games_have_no_level(options):
    assert levels_in(random_game(5, **options)) == []
