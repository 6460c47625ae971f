"""The sequential test keeps its error rates; the ladder takes a bot only when the test accepts it."""

import numpy as np
import pytest

from vitienv.training.ladder import Champion, Ladder, Trial, challenge, elo, plot
from vitienv.training.sprt import ACCEPTED, LEAST_SAMPLES, OPEN, REJECTED, Sprt

TEST = Sprt(better=0.1)


def outcome(test: Sprt, samples: np.ndarray) -> str:
    """The verdict when samples come in one by one."""
    for n in range(LEAST_SAMPLES, len(samples) + 1):
        verdict = test.verdict(samples[:n])
        if verdict != OPEN:
            return verdict
    return OPEN


@pytest.mark.parametrize("mean, wrong", [(0.0, ACCEPTED), (0.1, REJECTED)])
def test_the_error_rates_hold(mean, wrong):
    """5 % are asked for; looking after every sample and the estimated variance cost a little."""
    random = np.random.default_rng(1)
    verdicts = [outcome(TEST, mean + random.choice([-0.5, 0.0, 0.5], 600)) for _ in range(300)]
    assert 0 < verdicts.count(wrong) <= 0.09 * 300
    assert verdicts.count(OPEN) < 10


def test_clear_cases_end_early():
    assert TEST.verdict([0.5] * (LEAST_SAMPLES - 1)) == OPEN
    assert TEST.verdict([0.5] * LEAST_SAMPLES) == ACCEPTED
    assert TEST.verdict([-0.1, 0.0] * LEAST_SAMPLES) == REJECTED


def test_the_bounds_are_wald_s():
    low, high = Sprt(alpha=0.05, beta=0.1).bounds
    assert (round(low, 4), round(high, 4)) == (-2.2513, 2.8904)


@pytest.mark.parametrize("wrong", [{"better": 0}, {"alpha": 0.5}, {"beta": -1}])
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Sprt(**wrong)


@pytest.mark.parametrize(
    "players, above, rating", [(2, 0.0, 0), (2, 0.25, 191), (4, 0.0, 0), (4, 0.35, 261), (1, 0.5, 191)]
)
def test_elo_of_a_score(players, above, rating):
    """75 % of two stand for 191; of four, 60 % stand for 4.5 times the strength of each other."""
    assert round(elo(players, above)) == rating


@pytest.mark.parametrize("table", ["2", "3", "solo"])
def test_a_better_bot_becomes_champion(table):
    ladder = Ladder([Champion(table, "random", beaten="heuristic")])
    trial = challenge(ladder, "heuristic", table, TEST, max_seeds=40)
    assert trial.verdict == ACCEPTED and ladder.champion(table) == trial.champion
    assert trial.champion.beaten == "random" and trial.champion.elo_low > 0
    assert trial.champion.seeds == len(trial.samples) >= LEAST_SAMPLES


def test_a_worse_bot_does_not():
    ladder = Ladder()
    trial = challenge(ladder, "random", "2", TEST, max_seeds=40)
    assert trial.verdict == REJECTED and trial.champion.score < 0.1
    assert ladder.champions == [] and ladder.champion("2").agent == "heuristic"


def test_games_that_run_out_decide_nothing():
    ladder = Ladder()
    trial = challenge(ladder, "heuristic", "2", TEST, max_seeds=3)
    assert trial.verdict == OPEN and len(trial.samples) == 3 and ladder.champions == []
    assert trial.champion.score == 0.5  # against itself, every seat being turned


def test_processes_change_nothing():
    def trial(processes: int) -> Trial:
        return challenge(Ladder(), "visitors", "2", Sprt(better=0.3), seed=4, max_seeds=24, processes=processes)

    assert trial(1) == trial(2)


def test_the_history_is_kept(tmp_path):
    path = tmp_path / "ladder.json"
    assert Ladder.load(path).champions == []
    ladder = Ladder()
    ladder.add(Champion("2", "a", beaten="heuristic", elo=50.0, elo_low=20.0, elo_high=80.0))
    ladder.add(Champion("2", "b", beaten="a", elo=30.0, elo_low=5.0, elo_high=55.0))
    ladder.add(Champion("solo", "b", beaten="heuristic", elo=10.0, elo_low=5.0, elo_high=15.0))
    ladder.save(path)
    again = Ladder.load(path)
    assert again.champions == ladder.champions
    assert [rating for _, rating in again.ratings("2")] == [0.0, 50.0, 80.0]
    assert plot(again, tmp_path / "ladder.png").stat().st_size > 1000


def test_only_who_beat_the_champion_is_added():
    with pytest.raises(ValueError, match="beat random; the champion of table 3 is heuristic"):
        Ladder().add(Champion("3", "a", beaten="random"))


@pytest.mark.parametrize("text", ["[]", '{"kind": "ladder"}', '{"kind": "ladder", "champions": [{"name": 1}]}', "{"])
def test_a_damaged_history_is_refused(tmp_path, text):
    path = tmp_path / "ladder.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"ladder\.json"):
        Ladder.load(path)


def test_an_unknown_table_is_refused():
    with pytest.raises(ValueError, match="unknown table '7'"):
        challenge(Ladder(), "random", "7", TEST)
