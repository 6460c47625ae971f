"""The sequential test keeps its error rates; the ladder takes a bot only when the test accepts it."""

import numpy as np
import pytest

from vitienv import trust
from vitienv.games import definition
from vitienv.training.measure import ladder as module
from vitienv.training.measure.ladder import Champion, Ladder, Trial, challenge, elo, plot
from vitienv.training.measure.samples import samples_of
from vitienv.training.measure.sprt import ACCEPTED, LEAST_SAMPLES, OPEN, REJECTED, Sprt

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


def test_a_challenge_that_was_killed_goes_on_where_it_was(tmp_path, monkeypatch):
    played, real = [], module.play_seeds

    def noted(*arguments):
        played.append(arguments[-2])
        if len(played) == 3:
            raise KeyboardInterrupt
        return real(*arguments)

    def again():
        kept = samples_of(tmp_path, Ladder(), "visitors", "2", seed=4)
        return challenge(Ladder(), "visitors", "2", Sprt(better=0.01), seed=4, max_seeds=32, kept=kept), kept

    whole = challenge(Ladder(), "visitors", "2", Sprt(better=0.01), seed=4, max_seeds=32)
    monkeypatch.setattr(module, "play_seeds", noted)
    with pytest.raises(KeyboardInterrupt):
        again()
    trial, kept = again()
    assert trial == whole and played == [0, 8, 16, *range(16, len(whole.samples), 8)]
    assert len(samples_of(tmp_path, Ladder(), "visitors", "2", seed=4).load()) == len(whole.samples) // 8
    assert samples_of(tmp_path, Ladder(), "visitors", "2", seed=5).load() == []
    kept.end()
    assert list(tmp_path.iterdir()) == []


def test_the_shipped_ladder_is_never_written_to(tmp_path, monkeypatch):
    monkeypatch.setenv(trust.HOME, str(tmp_path))
    before = module.HISTORY.read_bytes()
    shipped = Ladder.load(module.HISTORY)
    assert module.read_history(None).champions == shipped.champions and not module.own_history().exists()
    new = Champion("3", "mine", beaten=shipped.champion("3").agent)
    module.note(new, module.own_history())
    assert module.read_history(None).champions == [*shipped.champions, new]
    assert module.HISTORY.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["champions.json", "key"]


def test_of_two_challenges_that_end_one_is_told(tmp_path):
    file = tmp_path / "ladder.json"
    module.note(Champion("2", "a", beaten="heuristic"), file)
    with pytest.raises(ValueError, match="b beat heuristic; the champion of table 2 is a"):
        module.note(Champion("2", "b", beaten="heuristic"), file)
    module.note(Champion("3", "b", beaten="heuristic"), file)
    assert [champion.agent for champion in Ladder.load(file).champions] == ["a", "b"]


def test_champions_of_one_name_are_told_apart_and_a_score_says_what_it_is():
    ladder = Ladder.load(module.HISTORY)
    names = module.names_of(ladder.at("solo"))
    assert len(set(names)) == len(names) and names[1].startswith("policy:champion (")
    game = definition("viticulture")
    said = [module.told_score(champion, game) for champion in ladder.champions]
    assert said[0] == "81.2 % won" and said[4] == "+6.9 % more won"
