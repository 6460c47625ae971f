"""Intervals of shares and means, if the seats of a seed are not independent."""

import numpy as np
import pandas as pd
import pytest

from vitienv.training.evaluation import evaluate, ladder, levels, standings
from vitienv.training.intervals import Z, clustered_mean, clustered_share, few_seeds, means, shares, student, wilson
from vitienv.training.viticulture import campaign
from vitienv.training.viticulture import evaluate as viticulture
from vitienv.training.world import evaluate as world


def test_quantiles_of_student():
    for freedom, value in ((1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert student(freedom) == pytest.approx(value, abs=0.01)


def share_of(seeds, wins):
    """Return the only row of a table of shares."""
    (row,) = shares(pd.DataFrame({"what": "a", "seed_number": seeds, "win": wins}), ["what"], "win").itertuples()
    return row


def test_intervals_of_shares_depend_on_the_design_effect():
    """Seeds whose seats win or lose together are one observation each."""
    wide = share_of(np.repeat(range(50), 4), np.repeat([0.0, 1.0], 100))
    narrow = share_of(range(200), [0.0, 1.0] * 100)
    assert (wide.n, wide.seeds, wide.share) == (200, 50, 0.5)
    assert (wide.low, wide.high) == pytest.approx(wilson(25, 50), abs=0.01)
    assert (narrow.low, narrow.high) == pytest.approx(wilson(100, 200), abs=0.005)


def test_intervals_of_few_seeds_are_wider():
    row, effective = share_of([0, 0, 1, 1], [0.0, 1.0] * 2), 4 / (10 / 11) * (Z / 12.706) ** 2
    assert (row.low, row.high) == pytest.approx(wilson(effective / 2, effective))


def test_shares_without_variance_count_seeds():
    row = share_of(np.repeat(range(5), 4), 0.0)
    assert (row.low, row.high) == wilson(0, 5)
    row = share_of([0] * 4, 0.0)
    assert (row.low, row.high) == (0.0, 1.0)


# Measured design effects: 2.0 for the seats of a tournament of two bots at four seats, 1.0 for a champion against a
# weaker bot, 0.5 for equal bots; the last one is of a team of four seats.
@pytest.mark.parametrize("truth, games, wins_of_seed, width", [
    (0.5, 2, {0: 0.005, 1: 0.99, 2: 0.005}, 0.35),
    (0.5, 2, {0: 0.165, 1: 0.67, 2: 0.165}, 0.83),
    (0.77, 2, {0: 0.05, 1: 0.36, 2: 0.59}, 1.0),
    (0.3, 4, {0: 0.7, 4: 0.3}, 2.1),
    (0.25, 4, {0: 0.5, 1: 0.2, 2: 0.15, 3: 0.1, 4: 0.05}, 1.3),
])  # fmt: skip
@pytest.mark.parametrize("seeds", [5, 20, 100])
def test_games_of_a_seed_are_one_observation(truth, games, wins_of_seed, width, seeds):
    """95 % of 400 intervals contain the true share; with 100 seeds their width is that of the design effect."""
    random, hits, widths = np.random.default_rng(7), 0, []
    numbers = np.repeat(np.arange(seeds), games)
    for _ in range(400):
        won = random.choice(list(wins_of_seed), seeds, p=list(wins_of_seed.values()))
        share = clustered_share((np.arange(games) < won[:, None]).reshape(-1), numbers)
        hits += share["low"] <= truth <= share["high"]
        widths.append(share["high"] - share["low"])
    assert hits >= 0.925 * 400 and share["seeds"] == seeds
    low, high = wilson(truth * seeds * games, seeds * games)
    assert seeds < 100 or np.mean(widths) == pytest.approx(width * (high - low), rel=0.15)


def test_all_evaluations_count_seeds():
    """Four seats that win or lose together: 40 games count as 10."""
    won, seeds = np.repeat([1.0, 0.0], 20), np.arange(40) // 4
    expected = clustered_share(won, seeds)
    assert expected["high"] - expected["low"] > 1.8 * np.ptp(wilson(20, 40))

    columns = {"seat": np.tile(range(4), 10), "seed": seeds, "counts": np.full(40, {}, object)}
    columns |= dict.fromkeys(("win", "points", "year", "points_of_others", "cut_off"), won)
    row = evaluate.TABLE_MODE.row(evaluate.Case("a", ("b",), "viticulture", {"num_players": 4}, 0), columns)
    assert row["win_rate"] == expected

    games = [
        {"number": game, "seed": game // 4, "seed_number": game // 4, "agents": list("aabb" if won[game] else "bbaa"),
         "ranks": [1, 1, 3, 3], "scores": [1] * 4, "year": 1, "truncated": False, "decisions": 1, "state": ""}
        for game in range(40)
    ]  # fmt: skip
    results = standings.results_of(standings.games_frame(games, is_of_team=True), ("a", "b"), 4)
    ahead = next(pair["ahead"] for pair in results["ahead"] if pair["agent"] == "a")
    table = shares(pd.DataFrame({"a": 1, "seed_number": seeds, "win": won}), ["a"], "win").to_dict("records")[0]
    for share in (ahead, table | {"value": table["share"]}):
        assert share["seeds"] == 10 and [share[end] for end in ("value", "low", "high")] == list(expected.values())[:3]
    assert results["bots"][0]["win_rate"]["seeds"] == results["seeds"] == 10
    rating = results["bots"][0]["rating"]
    assert rating["high"] - rating["low"] > 200  # 114 if each game is on its own seed

    points = np.where(won[:, None].reshape(10, 4) > 0, 30, 0)
    (table,) = world.TEAM.tables("world", (), {"continent": "asia", "num_players": 4})
    columns = {"points": points, "missing": np.zeros(10), "counts": np.full(10, {"forfeits": {}}, object)}
    team = world.TEAM.row(evaluate.Case("a", (), "world", table, 0), columns)
    assert team["seats_there"] == expected and team["points"]["low"] < team["points"]["value"] == 15

    results = [[campaign.Result(1, "win" if win else "loss", 0, 0, 0)] * 4 for win in won[::4]]
    challenge = viticulture._challenge(1, results)
    assert challenge["game_win_rate"] == expected

    step = levels.Step("toscana", "4", 2, 0, 40, 20.0, squares=10 * 2.0**2)
    ends = [ladder.elo(4, ladder.above(4, expected[end])) for end in ("low", "high")]
    assert step.elo()[1] == pytest.approx(np.ptp(ends) / 2)
    assert ladder.score_interval(4, won[::4] - 0.25) == (expected["low"] - 0.25, expected["high"] - 0.25)


@pytest.mark.parametrize("dependent", [False, True])
def test_dependent_games_widen_the_interval_of_a_level(dependent):
    posterior = levels.RatingPosterior(np.arange(10) * 120.0, 4)
    for seed in range(40):
        posterior.add(5, 4, 4.0 * (seed % 2) if dependent else 2.0)
    summary, effect = posterior.summary(), posterior.effect()
    assert (4 < effect < 5) if dependent else effect < 0.5
    assert (summary["rating_high"] - summary["rating_low"] > 200) == dependent


def test_intervals_of_means_are_of_seeds():
    """Seeds of 4, 2 and 0 points a game, the first played twice as often."""
    mean = clustered_mean(np.array([4.0, 4.0, 2.0, 0.0]), np.array([7, 7, 1, 3]))
    sums = np.array([3.0, -0.5, -2.5])
    assert mean["value"] == 2.5 and mean["high"] - 2.5 == pytest.approx(4.303 * np.sqrt((sums**2).sum() * 3 / 2) / 4)
    assert clustered_mean(np.ones(4), np.zeros(4, int)) == {"value": 1.0, "low": None, "high": None}


def test_few_seeds_give_a_warning():
    assert few_seeds(10) == "" and few_seeds(9).startswith("9 of at least 10 seeds")
    bot = {"agent": "a", "win_rate": {"seeds": 9}, "forfeits": {}, "notes": {}}
    assert few_seeds(9) in standings.remarks_of({"bots": [bot], "settings": {"on_failure": "forfeit"}})


def test_seats_without_a_row_count_as_0_in_means():
    rows = pd.DataFrame({"what": ["a", "a", "a", "b"], "seed_number": [0, 0, 1, 1], "points": [3.0, 1.0, 2.0, 5.0]})
    table = means(rows, ["what"], "points", pd.Series({0: 2, 1: 2, 2: 2}))
    assert table["mean"].tolist() == [1.0, 5 / 6]
    per_seed = np.array([4.0, 2.0, 0.0]) - 2.0
    half = 4.303 * np.sqrt((per_seed**2).sum() * 3 / 2) / 6
    assert table["high"].iloc[0] - 1.0 == pytest.approx(half) == pytest.approx(1.0 - table["low"].iloc[0])
