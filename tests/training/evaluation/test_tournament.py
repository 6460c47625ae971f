"""Tournaments: who sits where on which seed, files, resuming, and that nothing depends on how it was computed."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from math import comb

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import vitienv
from tests.command import contents, logs
from vitienv import cli
from vitienv.agents import make_agent
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.schedule import Schedule
from vitienv.training.evaluation.standings import show
from vitienv.training.evaluation.tournament import Settings, load_settings, run_tournament
from vitienv.training.intervals import clustered_share, wilson
from vitienv.training.ratings import rate
from vitienv.viticulture.options import Options

BOTS = ("random", "random:seed=3", "random:seed=5")
SHORT = {"max_years": 3}
FILES = ["games.parquet", "index.html", "logs.jsonl.gz", "results.json", "settings.json", "table.csv"]


def settings(**changes):
    defaults = {"agents": BOTS, "num_players": 3, "games": 12, "seed": 4, "chunk_size": 5, "options": SHORT}
    return Settings(**{**defaults, **changes})


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a tournament that was not interrupted."""
    folder = tmp_path_factory.mktemp("tournament") / "run"
    run_tournament(settings(), folder)
    return folder


# Seating.


def test_every_bot_plays_every_seat_of_every_seed_once(finished):
    frame = pd.read_parquet(finished / "games.parquet")
    counts = Counter(zip(frame["seed"], frame["seat"], frame["agent"], strict=True))
    assert set(counts.values()) == {1} and len(counts) == frame["seed"].nunique() * 3 * 3
    games = logs(finished)
    assert len(games) == len({game["state"] for game in games}) == 12 and len({game["seed"] for game in games}) == 4


@pytest.mark.parametrize(("n_bots", "num_players", "games"), [
    (2, 2, 8), (3, 2, 12), (5, 4, 40), (7, 3, 1000), (12, 4, 50), (2, 4, 60), (2, 5, 60), (3, 4, 60), (4, 6, 60),
])  # fmt: skip
def test_every_bot_plays_every_seat_equally_often(n_bots, num_players, games):
    schedule = Schedule(n_bots, num_players, games, seed=1)
    seatings = [schedule.seating(game) for game in range(len(schedule))]
    counts = Counter((bot, seat) for seating in seatings for seat, bot in enumerate(seating))
    assert len(schedule) >= games and len(counts) == n_bots * num_players and len(set(counts.values())) == 1
    assert all(len(set(seating)) == min(n_bots, num_players) for seating in seatings)


@pytest.mark.parametrize("n_bots, num_players, games", [(2, 2, 100), (6, 4, 60), (12, 4, 60), (3, 4, 60), (4, 6, 60)])
def test_tables_have_different_seeds(n_bots, num_players, games):
    """Six bots at four seats have 15 tables: their 60 games were once played on one deal."""
    schedule = Schedule(n_bots, num_players, games, seed=1)
    assert len(schedule) == games and schedule.n_seeds == games // num_players
    tables = {}
    for game in range(games):
        tables.setdefault(schedule.seed(game), set()).add(tuple(sorted(schedule.seating(game))))
    assert {len(of_seed) for of_seed in tables.values()} == {1}
    combinations = {table for of_seed in tables.values() for table in of_seed}
    assert len(combinations) == min(schedule.n_seeds, comb(n_bots, num_players % n_bots))


@pytest.mark.parametrize(
    ("n_bots", "num_players", "games"), [(2, 2, 8), (4, 2, 60), (6, 4, 60), (12, 4, 9), (3, 6, 60)]
)
def test_the_first_bot_of_a_gauntlet_is_at_each_table(n_bots, num_players, games):
    schedule = Schedule(n_bots, num_players, games, seed=1, gauntlet=True)
    seatings = [schedule.seating(game) for game in range(len(schedule))]
    assert len(schedule) >= games and all(seating.count(0) == 1 for seating in seatings)
    counts = Counter((bot, seat) for seating in seatings for seat, bot in enumerate(seating))
    assert len({counts[0, seat] for seat in range(num_players)}) == 1
    assert len({counts[bot, seat] for bot in range(1, n_bots) for seat in range(num_players)}) == 1


def test_a_schedule_depends_on_its_seed_only():
    schedules = [Schedule(9, 4, 200, seed) for seed in (1, 1, 2)]
    first, repeated, different = ([schedule.seating(game) for game in range(50)] for schedule in schedules)
    assert first == repeated != different and schedules[0].seed(0) != schedules[2].seed(0)


# Files.


def test_files_are_consistent(finished):
    assert sorted(contents(finished)) == FILES
    results = json.loads((finished / "results.json").read_text())
    table, frame = pd.read_csv(finished / "table.csv"), pd.read_parquet(finished / "games.parquet")
    assert results["games"] == 12 == frame["game"].nunique()
    assert table["agent"].tolist() == [bot["agent"] for bot in results["bots"]]
    assert set(table["agent"]) == set(BOTS) and not [name for name in table if name.startswith(("forfeits", "notes"))]
    for bot in results["bots"]:
        points = frame[frame["agent"] == bot["agent"]]["points"]
        assert bot["points"]["value"] == pytest.approx(points.mean())
        assert bot["win_rate"]["low"] <= bot["win_rate"]["value"] <= bot["win_rate"]["high"]
        assert bot["rating"]["low"] <= bot["rating"]["value"] <= bot["rating"]["high"]
        assert sum(seat["games"] for seat in bot["by_seat"]) == 12
    assert results["truncated"] == 12 and frame["truncated"].all() and not frame["win"].any()
    assert all(game["truncated"] for game in logs(finished))
    saved = json.loads((finished / "settings.json").read_text())
    assert saved["versions"]["vitienv"] == vitienv.__version__ and len(saved["seeds"]) == 4


def test_finished_games_have_one_win(tmp_path):
    run_tournament(settings(agents=("heuristic", "random"), num_players=2, games=4, options={}), tmp_path / "run")
    frame = pd.read_parquet(tmp_path / "run" / "games.parquet")
    assert not frame["truncated"].any()
    assert frame.groupby("game")["win"].sum().tolist() == pytest.approx([1.0] * 4)


def test_logs_are_replayable(finished):
    for log in logs(finished)[::4]:
        game = vitienv.replay(log)
        assert (game.scores, game.ranks, game.year) == (log["scores"], log["ranks"], log["year"])


# Nothing depends on how it was computed.


def test_results_do_not_depend_on_chunks_processes_or_logs(finished, tmp_path):
    run_tournament(settings(chunk_size=1, logs=False), tmp_path / "ones")
    run_tournament(settings(chunk_size=3), tmp_path / "two", processes=2)
    expected, ones, two = (contents(folder) for folder in (finished, tmp_path / "ones", tmp_path / "two"))
    assert "logs.jsonl.gz" not in ones and two["logs.jsonl.gz"] == expected["logs.jsonl.gz"]
    assert all(ones[name] == two[name] == expected[name] for name in ("games.parquet", "table.csv"))


def test_game_is_independent_of_other_games_of_the_match():
    options = Options(num_players=2, max_years=2)
    agents = [make_agent("random", seed=1), make_agent("random", seed=2)]
    many = play(options, [5, 6, 7], [[0, 1], [1, 0], [1, 1]], agents)
    for i in range(3):
        alone = play(options, [many.seeds[i]], [many.seating[i]], agents)
        assert np.array_equal(alone.moves[0], many.moves[i])
        assert alone.log(0) == many.log(i)


def games_of(strength, num_players, games, seed):
    """Games by the Plackett-Luce model: the bots in the seats, the ranks, and the seeds, one for each rotation."""
    schedule, random = Schedule(len(strength), num_players, games, seed), np.random.default_rng(seed)
    seated_bots = np.array([schedule.seating(game) for game in range(len(schedule))])
    order = (-np.asarray(strength)[seated_bots] - random.gumbel(size=seated_bots.shape)).argsort(axis=1)
    return seated_bots, order.argsort(axis=1) + 1, np.arange(len(seated_bots)) // num_players


def test_ratings_do_not_depend_on_the_order_of_games_or_bots():
    seated_bots, ranks, seeds = games_of([1.0, 0.3, 0.0, -0.4, -0.9, 0.0], 4, 120, 1)
    plain = rate(6, seated_bots, ranks, seeds)
    assert rate(6, seated_bots[::-1], ranks[::-1], seeds[::-1]) == plain
    other = rate(6, (seated_bots + 1) % 6, ranks, seeds)
    assert [rating["value"] for rating in plain] == [pytest.approx(other[(bot + 1) % 6]["value"]) for bot in range(6)]


def test_ratings_are_those_of_the_model():
    """As far apart as the bots are, for a bot in several seats too; about 95 % of 240 intervals hold the truth."""
    strength = np.array([0.8, 0.1, -0.9])
    for num_players in (2, 4):
        rated = [rating["value"] for rating in rate(3, *games_of(strength, num_players, 12000, 1))]
        assert rated == pytest.approx(list(400 / np.log(10) * strength), abs=15)
    for games in (12, 90):  # 4 and 30 seeds
        hits = [
            rating["low"] <= 400 / np.log(10) * true <= rating["high"]
            for seed in range(80)
            for true, rating in zip(strength, rate(3, *games_of(strength, 3, games, seed)), strict=True)
        ]
        assert 0.9 <= np.mean(hits) <= 0.99


@pytest.mark.parametrize("n_seeds", [900, 1500, 8000])
def test_intervals_of_two_bots_are_those_of_their_shares(n_seeds):
    """With more seeds than blocks too."""
    won = np.random.default_rng(n_seeds).random(2 * n_seeds) < 0.55
    seated_bots, seeds = np.tile([[0, 1], [1, 0]], (n_seeds, 1)), np.arange(2 * n_seeds) // 2
    rating = rate(2, seated_bots, np.where((seated_bots == 0) == won[:, None], 1, 2), seeds)[0]
    share = clustered_share(won, seeds)
    low, value, high = (200 * np.log10(share[name] / (1 - share[name])) for name in ("low", "value", "high"))
    assert rating["value"] == pytest.approx(value, abs=0.1)
    assert rating["high"] - rating["low"] == pytest.approx(high - low, rel=0.15)


def test_a_bot_that_wins_everything_has_a_finite_rating_and_a_wide_interval():
    seated_bots, seeds = np.tile([[0, 1], [1, 0]], (20, 1)), np.arange(40) // 2
    first, second = rate(2, seated_bots, seated_bots + 1, seeds)
    assert 300 < first["value"] == -second["value"] < 900 and first["high"] - first["low"] > 200
    assert rate(2, seated_bots[:2], seated_bots[:2] + 1, seeds[:2])[0]["low"] is None  # one seed
    level = rate(2, seated_bots, np.ones_like(seated_bots), seeds)
    assert level[0]["value"] == pytest.approx(0, abs=1e-9)


def test_wilson_interval_of_textbook_values():
    """Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 10)[0] == 0.0 and wilson(10, 10)[1] == 1.0


# Interruptions.


class Killed(BaseException):
    """An exception that no handler catches."""


def interrupt(settings, folder, num_games=1):
    """Play a tournament that is killed after a number of games, at the end of a chunk."""

    def kill(num_done, _):
        if num_done >= num_games:
            raise Killed

    with pytest.raises(Killed):
        run_tournament(settings, folder, on_progress=kill)


def test_resumed_equals_uninterrupted(finished, tmp_path):
    interrupt(settings(), tmp_path / "run")
    assert [path.name for path in (tmp_path / "run" / "chunks").iterdir()] == ["000000.jsonl.gz"]
    assert not (tmp_path / "run" / "results.json").exists()
    progress = []
    run_tournament(load_settings(tmp_path / "run"), tmp_path / "run", on_progress=lambda n, _: progress.append(n))
    assert progress[0] == 5  # the games of the first chunk
    assert contents(tmp_path / "run") == contents(finished)


def test_incomplete_chunks_are_played_again(finished, tmp_path):
    interrupt(settings(), tmp_path / "run")
    chunks = tmp_path / "run" / "chunks"
    whole = (chunks / "000000.jsonl.gz").read_bytes()
    (chunks / "000000.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    (chunks / "000001.jsonl.gz").write_bytes(b"something else")
    (chunks / ".000002.jsonl.gz.abc.tmp").write_bytes(whole[:10])
    run_tournament(settings(), tmp_path / "run")
    assert contents(tmp_path / "run") == contents(finished)


def test_a_finished_tournament_is_not_played_again(finished, monkeypatch):
    monkeypatch.setattr("vitienv.training.evaluation.tournament.play_chunk", None)
    before = contents(finished)
    assert run_tournament(settings(), finished)["games"] == 12
    assert contents(finished) == before


@pytest.mark.parametrize("changes", [{"seed": 5}, {"games": 24}, {"agents": BOTS[:2]}, {"options": {"max_years": 4}}])
def test_a_run_with_other_settings_is_refused(finished, changes):
    before = contents(finished)
    with pytest.raises(ValueError, match="other settings"):
        run_tournament(settings(**changes), finished)
    assert contents(finished) == before


def test_a_run_with_other_weights_is_refused(finished, monkeypatch):
    monkeypatch.setattr("vitienv.training.evaluation.tournament.weight_digests", lambda specs: {"runs/mine": "0"})
    with pytest.raises(ValueError, match="was started with other weights"):
        run_tournament(settings(), finished)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"kind": "tournament"}', '{"kind": "tournament", "settings": {}}'])
def test_damaged_settings_are_refused(tmp_path, text):
    (tmp_path / "settings.json").write_text(text)
    with pytest.raises(ValueError):
        load_settings(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="sends signals")
@pytest.mark.parametrize("processes, sent, in_background", [
    ("1", signal.SIGINT, False), ("1", signal.SIGTERM, True), ("2", signal.SIGTERM, False),
])  # fmt: skip
def test_signals_end_with_status_130_and_a_resumable_run(tmp_path, processes, sent, in_background):
    folder = tmp_path / "run"
    small = settings(agents=BOTS[:2], num_players=2, games=600, chunk_size=2, logs=False)
    command = [sys.executable, "-m", "vitienv.cli", "tournament", *small.agents, "--games", "600", "--chunk-size", "2"]
    command += ["--no-logs", "--seed", "4", "--option", "max_years=3", "--run", str(folder), "--processes", processes]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN if in_background else signal.default_int_handler)
    try:
        running = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    until = time.monotonic() + 60
    while not list(folder.glob("chunks/[0-9]*")) and time.monotonic() < until and running.poll() is None:
        time.sleep(0.02)
    running.send_signal(sent)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors and "vitienv: interrupted" in errors
    assert list(folder.glob("chunks/[0-9]*")) and not (folder / "results.json").exists()
    assert replace(load_settings(folder), options={}) == replace(small, options={})


def test_the_table_fits_a_narrow_console(finished):
    results = json.loads((finished / "results.json").read_text())
    for width, seats in ((80, False), (150, True)):
        console = Console(width=width, record=True, file=io.StringIO())
        console.print(show(results, width))
        text = console.export_text()
        assert ("seat 1" in text) == seats and "random" in text
        assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(("games", "message"), [("7", "played 8"), ("8", "")])
def test_additional_games_are_reported(capsys, tmp_path, games, message):
    few = ["--players", "2", "--games", games, "--option", "max_years=1", "--processes", "1"]
    for command in (["evaluate", "random", "--opponents", "random:seed=2"],
                    ["tournament", "random", "random:seed=2", "--run", str(tmp_path / "run")]):  # fmt: skip
        assert cli.run([*command, *few]) == 0
        error = capsys.readouterr().err
        assert message in error and ("played" in error) == bool(message)
