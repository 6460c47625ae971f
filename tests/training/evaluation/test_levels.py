"""Ratings of the levels, and estimation of a bot's level."""

import json

import numpy as np
import pytest

from vitienv import cli
from vitienv.registry import game_spec
from vitienv.training.evaluation import ladder
from vitienv.training.evaluation.csv_log import add_row, read_rows
from vitienv.training.evaluation.levels import (
    RatingPosterior,
    Step,
    estimate_level,
    key,
    measure,
    ratings,
    samples_of_step,
)  # fmt: skip
from vitienv.training.workers import no_progress

STEPS = np.arange(10) * 120.0


def estimate(rating, levels, players, num_seeds, games, rng):
    """Return the posterior after games of a bot with a rating, by the Plackett-Luce model."""
    posterior = RatingPosterior(levels, players)
    for _ in range(num_seeds):
        level = posterior.next()
        odds = 10 ** ((rating - levels[level - 1]) / 400)
        posterior.add(level, games, rng.binomial(games, odds / (odds + players - 1)))
    return posterior.summary()


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("level", [1.5, 4.3, 8.0])
def test_intervals_contain_the_rating_of_a_simulated_bot(players, level):
    rating, hits = float(np.interp(level, range(1, 11), STEPS)), 0
    for seed in range(40):
        summary = estimate(rating, STEPS, players, 20, 4 * players, np.random.default_rng([seed, players]))
        assert summary["level_low"] <= summary["level"] <= summary["level_high"]
        hits += summary["rating_low"] <= rating <= summary["rating_high"]
    assert hits >= 34  # probability of fewer: 1/400


@pytest.mark.parametrize("table", ["2", "4"])
@pytest.mark.parametrize("level", [1, 3, 5, 8, 10])
def test_intervals_of_few_games_contain_the_level(table, level):
    levels, players, hits = ratings(table)[0], int(table), 0
    for seed in range(40):
        summary = estimate(levels[level - 1], levels, players, 1, 8, np.random.default_rng([seed, players, level]))
        hits += summary["level_low"] <= level <= summary["level_high"]
    assert hits >= 34


def test_the_next_opponent_is_the_nearest_level():
    posterior = RatingPosterior(STEPS, 2)
    assert posterior.next() in (5, 6)
    for _ in range(6):
        posterior.add(posterior.next(), 8, 8)
    assert posterior.next() == 10 and posterior.summary()["level"] == 10
    for _ in range(60):
        posterior.add(posterior.next(), 8, 0)
    assert posterior.next() == 1


def test_steps_add_up(tmp_path):
    file = tmp_path / "levels.csv"
    with pytest.raises(ValueError, match="measure it with: vitienv ladder levels --game toscana --table 2"):
        ratings("2", "toscana", file)
    for level in range(2, 11):
        add_row(file, Step("toscana", "2", level, 0, 99, 75.0 if level == 2 else 49.5, 20.0), key)
    elos, reach = ratings("2", "toscana", file)
    assert elos[0] == reach[0] == 0 and np.allclose(elos[1:], 400 * np.log10(75.5 / 24.5))
    assert (np.diff(reach) > 0).all()
    elo, half = Step("toscana", "2", 2, 0, 60, 60.0, 0.0).elo()
    assert 600 < elo < 1000 and half > 100  # finite, with a wide interval


def test_weak_and_strong_bots_have_low_and_high_levels():
    game = "toscana"
    step = measure("2", 5, 2, seed=1, game=game)
    assert step == measure("2", 5, 2, seed=1, game=game) and step.games == 4
    weak, strong = (estimate_level(bot, "2", 32, seed=2, game=game) for bot in ("random", "heuristic"))
    assert weak["level"] < 3 < strong["level"] and sum(strong["met"].values()) == strong["games"] == 32


def test_a_step_is_measured_again_on_more_seeds_only(tmp_path, monkeypatch):
    file, whole = tmp_path / "levels.csv", measure("2", 2, 12, game="toscana")
    for level in range(3, 11):
        add_row(file, Step("toscana", "2", level, 0, 99, 49.5, 20.0), key)
    played, play = [], ladder.play_seeds
    monkeypatch.setattr(ladder, "play_seeds", lambda *call: played.append(call[5:]) or play(*call))
    command = ["ladder", "levels", "--game", "toscana", "--processes", "1", "--file", str(file), "--seeds"]
    for options, batches in (["3"], [(0, 3)]), (["12"], [(0, 8), (8, 12)]), (["12"], []):
        assert cli.run([*command, *options]) == 0 and played == batches
        played.clear()
        steps = {step.level: step for step in read_rows(file, Step)}
        assert "12" not in options or steps[2] == whole


def test_an_interrupted_step_resumes(tmp_path, monkeypatch):
    """The result after two batches of seeds and an interrupt is equal to the last digit."""
    whole = measure("2", 3, 20, seed=4, game="toscana")

    def stop(done, of):
        if done == 16:
            raise KeyboardInterrupt

    def resume(on_progress=no_progress):
        with samples_of_step(tmp_path, "2", 3, 4, "toscana") as samples_file:
            lengths.append([len(part["samples"]) for part in samples_file.parts])
            return measure("2", 3, 20, seed=4, game="toscana", on_progress=on_progress, samples_file=samples_file)

    lengths = []
    with pytest.raises(KeyboardInterrupt):
        resume(stop)
    monkeypatch.setattr(
        ladder, "play_seeds", lambda *arguments: (arguments[5], {"samples": [0.5] * 4, "forfeits": {}, "notes": {}})
    )
    assert resume().won != whole.won  # only the last four seeds are played
    monkeypatch.undo()
    assert resume() == whole and lengths == [[], [8, 8], [8, 8]]
    with samples_of_step(tmp_path, "2", 4, 4, "toscana") as samples_file:
        assert samples_file.parts == []
    assert not samples_file.path.exists()


def test_bundled_ratings_rise_at_every_table_of_a_number_of_players_and_solo():
    for game in ("viticulture", "toscana"):
        for table in game_spec(game).tables:
            if "/" not in table:
                elos, reach = ratings(table, game)
                assert len(elos) == 10 and elos[9] > elos[6] > elos[4] > elos[0] == 0, (game, table)
                assert elos[9] > 200 and (reach[1:] > 0).all(), (game, table)


def test_measured_ratings_are_shown_without_playing(capsys, monkeypatch):
    monkeypatch.setattr(ladder, "play_seeds", None)
    assert cli.run(["ladder", "levels", "--table", "2", "--json"]) == 0
    assert [row["level"] for row in json.loads(capsys.readouterr().out)] == [*range(1, 11)]
