"""Swiss tournaments: who meets whom, byes, and resumed, merged and damaged runs."""

import gzip
import json
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from tests.command import contents
from tests.training.evaluation.test_tournament import interrupt
from vitienv.training.evaluation.merge import merge
from vitienv.training.evaluation.schedule import Swiss
from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
from vitienv.training.report.games_file import read_games
from vitienv.training.report.make import collect

BOTS = ("random", "random:seed=2", "heuristic", "random:seed=4", "visitors")
SETTINGS = Settings(BOTS, 2, 12, seed=3, schedule="swiss")  # three rounds of two tables


def rounds_of(n_bots, num_players, n_rounds):
    """Return the tables of each round if lower numbers always win."""
    n_tables = n_bots // num_players
    schedule = Swiss(n_bots, num_players, n_rounds * n_tables * num_players, seed=1)
    rounds, shares = [], {bot: [0.5] for bot in range(n_bots)}
    for number in range(n_rounds):
        schedule.add_round(sorted(shares, key=lambda bot: -np.mean(shares[bot])) if number else [])
        games = range(number * schedule.round_games, (number + 1) * schedule.round_games)
        seatings = [schedule.seating(game) for game in games]
        rounds.append(seatings[::num_players])
        for table in rounds[-1]:
            assert sum(set(seating) == set(table) for seating in seatings) == num_players
            for bot in table:
                shares[bot].append(sum(bot < other for other in table) / (num_players - 1))
    assert len(schedule) == n_rounds * schedule.round_games
    return rounds


@pytest.mark.parametrize(
    ("n_bots", "num_players", "n_rounds"),
    [(3, 2, 3), (8, 2, 7), (9, 2, 9), (6, 2, 15), (20, 2, 15), (16, 4, 3), (13, 3, 4)],
)
def test_bots_meet_once_while_possible_and_have_byes_in_turn(n_bots, num_players, n_rounds):
    rounds = rounds_of(n_bots, num_players, n_rounds)
    meetings = Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table), 2))
    assert set(meetings.values()) == {3 if (n_bots, n_rounds) == (6, 15) else 1}  # 15 rounds of 6 bots: all pairs again
    tables_of_bots = Counter(bot for tables in rounds for table in tables for bot in table)
    assert max(tables_of_bots.values()) - min(tables_of_bots[bot] for bot in range(n_bots)) <= (
        n_bots % num_players > 0
    )
    assert all(len({bot for table in tables for bot in table}) == n_bots - n_bots % num_players for tables in rounds)


@pytest.mark.parametrize("num_players", [2, 4])
def test_strong_bots_meet_strong_bots(num_players):
    """At random tables the numbers of two bots would differ by 13.7."""
    rounds = rounds_of(40, num_players, 4)
    differences = [
        np.mean([last - first for table in tables for first, last in combinations(sorted(table), 2)])
        for tables in rounds
    ]
    assert differences[0] > 11 and max(differences[1:]) < 10


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("swiss") / "run"
    run_tournament(SETTINGS, folder)
    return folder


def tables_of(folder):
    """Return the bots of each seed."""
    frame = pd.read_parquet(folder / "games.parquet")
    return frame.groupby("seed_number")["agent"].apply(set).tolist()


def test_rounds_depend_on_results_and_intervals_on_deals(finished):
    tables, results = tables_of(finished), json.loads((finished / "results.json").read_text())
    strong = {"heuristic", "visitors"}
    assert strong not in tables[:4] and strong in tables[4:]  # after both have won
    assert results["games"] == 12 and results["seeds"] == len(tables) == 6
    for bot in results["bots"]:
        n_tables = sum(bot["agent"] in table for table in tables)
        assert n_tables in (2, 3) and bot["seats"] == 2 * n_tables and bot["win_rate"]["seeds"] == n_tables
    assert len(collect(finished, load_settings(finished)).seats) == 24


@pytest.mark.parametrize("games", [4, 8, 9])
def test_resumed_equals_uninterrupted(finished, tmp_path, games):
    interrupt(SETTINGS, tmp_path / "run", games)
    run_tournament(load_settings(tmp_path / "run"), tmp_path / "run")
    assert contents(tmp_path / "run") == contents(finished)


def test_tables_of_other_results_are_played_again(finished, tmp_path):
    """As after a damaged chunk with a program that is not deterministic."""
    interrupt(SETTINGS, tmp_path / "run", 8)
    for path in sorted((tmp_path / "run" / "chunks").iterdir())[:4]:
        header, *games = gzip.decompress(path.read_bytes()).splitlines()
        lost = [json.loads(game) for game in games]
        for game in lost:
            game["ranks"], game["scores"] = game["ranks"][::-1], game["scores"][::-1]
        path.write_bytes(gzip.compress(b"\n".join([header, *(json.dumps(game).encode() for game in lost)])))
    run_tournament(SETTINGS, tmp_path / "run")
    tables = tables_of(tmp_path / "run")
    assert tables[:2] == tables_of(finished)[:2] and tables[2:4] != tables_of(finished)[2:4]


def test_runs_can_be_merged(finished, tmp_path):
    run_tournament(Settings(("random:seed=9", "heuristic", "random"), 2, 4, seed=5, schedule="swiss"), tmp_path / "run")
    results = merge([finished, tmp_path / "run"], tmp_path / "all")
    assert results["games"] == 16 and len(results["bots"]) == 6 and "schedule" not in results["settings"]


def test_other_tables_are_refused(finished):
    settings = load_settings(finished)
    frame = read_games(finished, settings)
    frame.loc[1, "agent"] = frame.at[0, "agent"]
    (finished / "other").mkdir()
    frame.to_parquet(finished / "other" / "games.parquet")
    with pytest.raises(ValueError, match="tables must be those of a Swiss"):
        read_games(finished / "other", settings)
