"""What levels are worth, and at which level a bot plays."""

import json

import numpy as np
import pytest

from tests.command import refused
from vitienv import cli
from vitienv.registry import game_spec
from vitienv.training.evaluation import ladder
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.evaluation.levels import (
    SHIPPED,
    RatingPosterior,
    Step,
    find,
    key,
    measure,
    ratings,
    samples_of_step,
)  # fmt: skip

STEPS = np.arange(10) * 120.0


def won(true, levels, players, level, games, chance):
    """How many games a bot with a rating wins against a level, as Plackett and Luce have it."""
    odds = 10 ** ((true - levels[level - 1]) / 400)
    return chance.binomial(games, odds / (odds + players - 1))


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("level", [1.5, 4.3, 8.0])
def test_a_known_bot_is_found(players, level):
    true, hits = float(np.interp(level, range(1, 11), STEPS)), 0
    for seed in range(40):
        chance, sought = np.random.default_rng([seed, players]), RatingPosterior(STEPS, players)
        for _ in range(20):
            at = sought.next()
            sought.add(at, 4 * players, won(true, STEPS, players, at, 4 * players, chance))
        told = sought.summary()
        assert told["level_low"] <= told["level"] <= told["level_high"]
        hits += told["rating_low"] <= true <= told["rating_high"]
    assert hits >= 34  # of 40 at 95 %: fewer come once in some 400 times


@pytest.mark.parametrize("table", ["2", "4"])
@pytest.mark.parametrize("level", [1, 3, 5, 8, 10])
def test_few_games_miss_no_level(table, level):
    """Eight games say little, and the interval says so: the weakest and the strongest are in it too."""
    levels, players, hits = ratings(table)[0], int(table), 0
    for seed in range(40):
        chance, sought = np.random.default_rng([seed, players, level]), RatingPosterior(levels, players)
        at = sought.next()
        sought.add(at, 8, won(levels[level - 1], levels, players, at, 8, chance))
        told = sought.summary()
        hits += told["level_low"] <= level <= told["level_high"]
    assert hits >= 34  # of 40


def test_the_next_opponent_is_the_nearest():
    sought = RatingPosterior(STEPS, 2)
    assert sought.next() in (5, 6)
    for _ in range(6):
        sought.add(sought.next(), 8, 8)
    assert sought.next() == 10 and sought.summary()["level"] == 10
    for _ in range(60):
        sought.add(sought.next(), 8, 0)
    assert sought.next() == 1


def test_steps_add_up(tmp_path):
    file = tmp_path / "levels.csv"
    with pytest.raises(ValueError, match="measure it with: vitienv ladder levels --game toscana --table 2"):
        ratings("2", "toscana", file)
    for level in range(2, 11):
        add_row(file, Step("toscana", "2", level, 0, 99, 75.0 if level == 2 else 49.5), key)
    found, reach = ratings("2", "toscana", file)
    assert found[0] == reach[0] == 0 and np.allclose(found[1:], 400 * np.log10(75.5 / 24.5))
    assert (np.diff(reach) > 0).all()
    sure = Step("toscana", "2", 2, 0, 60, 60.0).elo()
    assert 600 < sure[0] < 1000 and sure[1] > 100  # finite, and doubtful


def test_what_ships_is_whole():
    steps = read_rows(SHIPPED, Step)
    assert steps
    for game, table in {(step.game, step.table) for step in steps}:
        found, _ = ratings(table, game)
        assert len(found) == 10 and found[9] > found[6] > found[4] > found[0] == 0


def test_a_bot_meets_levels(tmp_path):
    game = "toscana"
    step = measure("2", 5, 2, seed=1, game=game)
    assert step == measure("2", 5, 2, seed=1, game=game) and step.games == 4
    weak, strong = (find(bot, "2", 32, seed=2, game=game) for bot in ("random", "heuristic"))
    assert weak["level"] < 3 < strong["level"] and sum(strong["met"].values()) == strong["games"] == 32


def test_a_step_goes_on_where_it_was_stopped(tmp_path, monkeypatch):
    """Killed after two batches of seeds, and the same to the last digit."""
    whole, kept = measure("2", 3, 20, seed=4, game="toscana"), samples_of_step(tmp_path, "2", 3, 4, "toscana")

    def stop(done, of):
        if done == 16:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure("2", 3, 20, seed=4, game="toscana", on_progress=stop, samples_file=kept)
    assert [len(part["samples"]) for part in kept.load()] == [8, 8]
    monkeypatch.setattr(
        ladder, "play_seeds", lambda *given: (given[5], {"samples": [0.5] * 4, "forfeits": {}, "notes": {}})
    )
    rest = measure("2", 3, 20, seed=4, game="toscana", samples_file=kept)
    assert rest.won != whole.won and len(kept.load()) == 2  # the last four were played, and only they
    monkeypatch.undo()
    assert measure("2", 3, 20, seed=4, game="toscana", samples_file=kept) == whole
    assert samples_of_step(tmp_path, "2", 4, 4, "toscana").load() == []


def test_every_table_is_rated():
    """But the solo game at other levels of difficulty than the normal one, and World, where all win together."""
    for game in ("viticulture", "toscana"):
        for table in game_spec(game).tables:
            if "/" not in table:
                elos, reach = ratings(table, game)
                assert len(elos) == 10 and elos[-1] > 200 and (reach[1:] > 0).all(), (game, table)


def test_what_is_measured_is_shown(capsys, monkeypatch):
    monkeypatch.setattr(ladder, "play_seeds", None)  # nothing is played
    assert cli.run(["ladder", "levels", "--table", "2", "--json"]) == 0
    assert [row["level"] for row in json.loads(capsys.readouterr().out)] == [*range(1, 11)]


@pytest.mark.parametrize("table", ["2", "world"])
def test_a_game_of_a_team_has_no_table_of_levels(capsys, table):
    assert "must be competitive" in refused(capsys, "ladder", "levels", "--game", "world", "--table", table)


def test_the_command(capsys):
    assert cli.run(["evaluate", "random", "--levels", "--game", "toscana", "--games", "8", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)
    assert result["level_low"] <= result["level"] <= result["level_high"] and result["games"] == 8
    for wrong, message in (
        (["--game", "world"], "world has no evaluation of level"),
        (["--game", "toscana", "--option", "map=pieces"], "--option map is not for a bot's level"),
        (["--opponents", "random"], "--opponents is for"),
        (["--players", "9"], "unknown table '9'"),
        (["--players", "4", "--difficulty", "normal"], "--players is 4; for a bot alone it must be 1"),
        (["--players", "2", "--ruleset", "solo"], "--players is 2; for a bot alone it must be 1"),
        (["--ruleset", "original"], "ruleset is 'original'; for a bot's level it must be 'solo' or unset"),
        (["--difficulty", "all"], "difficulty is 'all'; for a bot's level it must be one of normal, very_easy"),
    ):
        assert cli.run(["evaluate", "random", "--levels", *wrong]) == 2
        assert message in capsys.readouterr().err
