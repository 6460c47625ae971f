"""Sequential tests with their error rates, and the ladder that they decide."""

import json

import numpy as np
import pytest

from tests.command import run
from vitienv.registry import game_spec
from vitienv.session import saves
from vitienv.training.evaluation import ladder as module
from vitienv.training.evaluation.ladder import (
    SEEDS_AT_ONCE,
    Champion,
    Ladder,
    Trial,
    challenge,
    digest_of_weights,
    elo,
)  # fmt: skip
from vitienv.training.evaluation.sprt import ACCEPTED, BOUND, OPEN, REJECTED, Sprt, log_ratios

TEST = Sprt(effect_size=0.1)


SEATS = {1: np.array([-1, -0.5, 0, 0.5, 1]), 2: np.array([-0.5, -0.25, 0, 0.25, 0.5]), 4: np.arange(5) / 4 - 0.25}
# Number of seats, and shares in per cent of the outcomes of a seed with the mean 0 or 0.05. A test whose variance had
# a floor rejected 23.5 % of challengers with the first distribution, which are better.
DISTRIBUTIONS = [
    (2, (0, 0, 90, 0, 10)), (2, (5, 0, 80, 0, 15)), (2, (15, 0, 60, 0, 25)), (2, (20, 0, 50, 0, 30)),
    (2, (25, 0, 50, 0, 25)), (2, (5, 0, 90, 0, 5)), (2, (1, 0, 98, 0, 1)), (2, (45, 0, 0, 0, 55)),
    (2, (50, 0, 0, 0, 50)), (2, (10, 15, 35, 25, 15)), (4, (35, 40, 20, 0, 5)), (4, (28, 38, 22, 10, 2)),
    (4, (2, 96, 2, 0, 0)), (4, (0, 280 / 3, 0, 0, 20 / 3)), (1, (5, 0, 90, 0, 5)), (1, (0, 0, 95, 0, 5)),
    (1, (15, 0, 65, 0, 20)),
]  # fmt: skip


def verdicts(
    players: int, shares: tuple[float, ...], effect_size: float = 0.05, tests: int = 2000
) -> tuple[float, float]:
    """Return the shares of simulated tests that accept and reject; they are evaluated every SEEDS_AT_ONCE seeds."""
    random, chances = np.random.default_rng(1), np.array(shares) / sum(shares)
    counts, is_open, ends = np.zeros((tests, 5)), np.arange(tests), [0, 0]
    for _ in range(0, 6000, SEEDS_AT_ONCE):
        counts[is_open] += random.multinomial(SEEDS_AT_ONCE, chances, len(is_open))
        ratios = log_ratios(counts[is_open], SEATS[players], effect_size)
        ends = [ends[0] + int((ratios >= BOUND).sum()), ends[1] + int((ratios <= -BOUND).sum())]
        is_open = is_open[np.abs(ratios) < BOUND]
        if not len(is_open):
            break
    return ends[0] / tests, ends[1] / tests


@pytest.mark.parametrize("players, shares", DISTRIBUTIONS)
def test_error_rates_are_at_most_5_per_cent(players, shares):
    """Both are 5 % by definition; their standard deviation here is 0.5 %."""
    mean = float(SEATS[players] @ np.array(shares)) / 100
    assert round(mean, 6) in (0.0, 0.05)
    accepted, rejected = verdicts(players, shares)
    assert accepted + rejected > 0.99 and (rejected if mean > 0.01 else accepted) <= 0.062


def test_the_ratio_is_that_of_the_most_likely_distributions():
    """Ten of 100 seeds are won twice, the others are even."""
    samples = [0.5] * 10 + [0.0] * 90
    assert Sprt().log_ratio(samples, 2) == pytest.approx(10 * np.log(2), abs=0.02)
    assert Sprt().log_ratio([0.0] * 28, 2) == pytest.approx(28 * np.log(0.9), abs=0.02)
    assert Sprt(0.2).log_ratio([0.75, -0.25] * 4, 4) == pytest.approx(4 * (np.log(0.45 / 0.25) + np.log(0.55 / 0.75)))


def test_clear_results_end_a_test_early():
    assert TEST.verdict([0.5] * 16, 2) == OPEN and TEST.verdict([0.5] * 17, 2) == ACCEPTED
    assert TEST.verdict([-0.5] * 32, 2) == REJECTED and TEST.verdict([], 2) == OPEN


def test_the_bound_is_wald_s():
    assert pytest.approx(2.9444, abs=1e-4) == BOUND


def test_an_invalid_effect_size_is_refused():
    with pytest.raises(ValueError, match="effect_size"):
        Sprt(effect_size=0)


@pytest.mark.parametrize(
    "players, above, rating", [(2, 0.0, 0), (2, 0.25, 191), (4, 0.0, 0), (4, 0.35, 261), (1, 0.5, 191)]
)
def test_elo_of_a_score(players, above, rating):
    """60 % of the games of four players are those of a player 4.5 times as strong as each opponent."""
    assert round(elo(players, above)) == rating


@pytest.mark.parametrize("table", ["2", "3", "solo"])
def test_a_better_bot_becomes_champion(table, tmp_path, capsys):
    path = tmp_path / "ladder.json"
    Ladder([Champion(table, "random", beaten="heuristic")]).save(path)
    options = f"--table {table} --file {path} --effect-size 0.1 --max-pairs 40 --processes 1"
    status, out, _ = run(capsys, "ladder", "challenge", "heuristic", *options.split())
    assert status == 0 and "accepted" in out and str(path) in out
    _, champion = Ladder.load(path).champions
    assert (champion.agent, champion.beaten) == ("heuristic", "random") and champion.elo_low > 0


def test_a_lost_challenge_changes_nothing(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    options = f"--table solo --file {path} --effect-size 0.2 --processes 1 --json"
    status, out, _ = run(capsys, "ladder", "challenge", "random", *options.split())
    result = json.loads(out)
    assert status == 0 and (result["verdict"], result["beaten"]) == ("rejected", "heuristic") and not path.exists()


def test_an_open_challenge_changes_no_champion():
    ladder = Ladder()
    trial = challenge(ladder, "heuristic", "2", TEST, max_pairs=3)
    assert trial.verdict == OPEN and len(trial.samples) == 3 and ladder.champions == []
    assert (trial.champion.score, trial.champion.seeds) == (0.5, 3)


def test_a_challenge_does_not_depend_on_processes():
    def trial(processes: int) -> Trial:
        return challenge(Ladder(), "visitors", "2", Sprt(effect_size=0.3), seed=4, max_pairs=24, processes=processes)

    assert trial(1) == trial(2)


def test_a_saved_history_is_read_again(tmp_path):
    path = tmp_path / "ladder.json"
    assert Ladder.load(path).champions == []
    ladder = Ladder()
    ladder.add(Champion("2", "a", beaten="heuristic", elo=50.0, elo_low=20.0, elo_high=80.0))
    ladder.add(Champion("2", "b", beaten="a", elo=30.0, elo_low=5.0, elo_high=55.0))
    ladder.add(Champion("solo", "b", beaten="heuristic", elo=10.0, elo_low=5.0, elo_high=15.0))
    ladder.save(path)
    loaded = Ladder.load(path)
    assert loaded.champions == ladder.champions
    assert [rating for _, rating in loaded.ratings("2")] == [0.0, 50.0, 80.0]


def test_only_a_bot_that_beat_the_champion_is_added():
    with pytest.raises(ValueError, match="beat random; the champion of table 3 is heuristic"):
        Ladder().add(Champion("3", "a", beaten="random"))


@pytest.mark.parametrize("text", ["[]", '{"kind": "ladder"}', '{"kind": "ladder", "champions": [{"name": 1}]}', "{"])
def test_a_damaged_history_is_refused(tmp_path, text):
    path = tmp_path / "ladder.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"ladder\.json"):
        Ladder.load(path)


def test_the_bundled_ladder_is_read_only(tmp_path, monkeypatch):
    monkeypatch.setenv(saves.HOME, str(tmp_path))
    before = module.HISTORY.read_bytes()
    bundled = Ladder.load(module.HISTORY)
    assert module.read_history(None).champions == bundled.champions and not module.user_history().exists()
    new = Champion("3", "mine", beaten=bundled.champion("3").agent)
    module.note(new, module.user_history())
    assert module.read_history(None).champions == [*bundled.champions, new]
    assert module.HISTORY.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["champions.json"]


def test_a_champion_that_changed_meanwhile_is_not_replaced(tmp_path):
    file = tmp_path / "ladder.json"
    module.note(Champion("2", "a", beaten="heuristic"), file)
    with pytest.raises(ValueError, match="b beat heuristic; the champion of table 2 is a"):
        module.note(Champion("2", "b", beaten="heuristic"), file)
    module.note(Champion("3", "b", beaten="heuristic"), file)
    assert [champion.agent for champion in Ladder.load(file).champions] == ["a", "b"]


def test_names_of_champions_are_distinct_and_scores_have_their_meaning():
    ladder = Ladder.load(module.HISTORY)
    names = module.names_of(ladder.at("solo"))
    assert len(set(names)) == len(names) and names[1].startswith("policy:champion (")
    game = game_spec("viticulture")
    scores = [module.format_score(champion, game) for champion in ladder.champions]
    assert scores[0] == "81.2 % won" and scores[4] == "+6.9 % more won"


def test_the_ladder_has_tables_for_every_number_of_players_and_difficulty():
    game = game_spec("viticulture")
    assert [name for name in game.tables if name.isdigit()] == ["2", "3", "4", "5", "6"]
    levels = {name for name in game.tables if name.startswith("solo")}
    assert levels == {"solo", "solo/very_easy", "solo/easy", "solo/hard", "solo/very_hard"}
    for table in game.tables:
        assert Ladder().champion(table).agent == "heuristic"
    networks = {digest_of_weights("policy:champion", table, game) for table in game.tables}
    assert len(networks) == 4 and None not in networks
