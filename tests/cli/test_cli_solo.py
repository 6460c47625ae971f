"""The solo game on the command line: vitienv evaluate and play, alone and in a campaign."""

import csv
import json

import numpy as np
import pytest

import vitienv
from tests.command import ANY_CHOICES, run
from tests.training.test_campaign import campaign_after
from vitienv.agents import make_agent
from vitienv.registry import game_names
from vitienv.render.text import render
from vitienv.training.evaluation.evaluate import Case
from vitienv.training.evaluation.match import warm_up
from vitienv.training.viticulture import evaluate
from vitienv.training.viticulture.campaign import Campaign

SOLO = ("evaluate", "random", "--players", "1", "--games", "6", "--seed", "2", "--processes", "1")
CAMPAIGN = ("evaluate", "random", "--campaign", "3", "--max-games", "2", "--processes", "1")


# evaluate.


MODES = {
    "a bot among others": ["--opponents", "random", "--players", "2"], "a bot alone": ["--players", "1"], "a team": [],
    "a campaign": ["--campaign", "2"],
}  # fmt: skip


@pytest.mark.parametrize("game", game_names())
def test_errors_suggest_supported_modes(capsys, monkeypatch, game):
    def evaluate_nothing(*_, **options):
        raise ValueError("supported")

    monkeypatch.setattr("vitienv.training.evaluation.evaluate.evaluate", evaluate_nothing)
    errors = {mode: run(capsys, "evaluate", "random", "--game", game, *flags)[2] for mode, flags in MODES.items()}
    supported = {mode for mode, error in errors.items() if error == "vitienv: supported\n"}
    assert "a bot among others" in supported
    for mode in set(MODES) - supported - {"a team"}:
        assert set() < {name for name in MODES if f"{name} (" in errors[mode]} <= supported, errors[mode]
    error = errors["a team"]  # games without teams require opponents
    assert error == "vitienv: supported\n" or ("--players 1" in error) == ("a bot alone" in supported), error


# Alone.


def test_solo_reports_rates_and_points(capsys):
    status, out, _ = run(capsys, *SOLO, "--difficulty", "all", "--json")
    answer = json.loads(out)
    assert status == 0 and answer["games"] == 6 == len(answer["seeds"]) and answer["versions"]["vitienv"]
    levels = [result["level"] for result in answer["results"]]
    assert levels == ["very_easy", "easy", "normal", "hard", "very_hard"]
    assert [result["points_against"] for result in answer["results"]] == [20, 20, 20, 20, 23]
    for result in answer["results"]:
        assert result["against"] == "Automa"
        shares = [result[f"{outcome}_rate"] for outcome in ("win", "draw", "loss")]
        assert sum(share["value"] for share in shares) == 1 and shares[2]["value"] == 1  # random never gets there
        assert all(share["low"] <= share["value"] <= share["high"] for share in shares)
        assert result["mean_years"] == (8 if result["level"] == "very_easy" else 7)
        assert result["points"]["low"] <= result["points"]["value"] <= result["points"]["high"]


@pytest.mark.parametrize(("mode", "batch", "processes", "command"), [
    (evaluate.SOLO, 4, "2", (*SOLO, "heuristic", "--option", "aggressive=true")),
    (evaluate.CAMPAIGN, 2, "1", (*CAMPAIGN, "heuristic", "--difficulty", "easy")),
], ids=["alone", "campaign"])  # fmt: skip
def test_results_do_not_depend_on_parts_or_processes(capsys, monkeypatch, mode, batch, processes, command):
    warm_up([make_agent("heuristic")], vitienv.game_spec())  # a compilation prints its progress
    capsys.readouterr()
    whole = run(capsys, *command, "--json")[:2]
    monkeypatch.setitem(mode.__dict__, "batch", batch)
    assert run(capsys, *command, "--json", "--processes", processes)[:2] == whole
    assert json.loads(whole[1])["results"][0].get("mean_years", 0) < 7  # lost before the end


@pytest.mark.parametrize(
    "options, title", [((), "heuristic as rival"), (("--automa-replacement", "blocker"), "heuristic as blocker")]
)
def test_the_table_names_the_opponent(capsys, options, title):
    status, out, _ = run(capsys, *SOLO, "--opponents", "heuristic", *options)
    assert status == 0 and title in out and "Automa" not in out
    assert "Automa" in run(capsys, *SOLO)[1]


def test_solo_writes_a_table(capsys, tmp_path):
    file = tmp_path / "table.csv"
    status, out, _ = run(capsys, *SOLO, "--difficulty", "all", "--option", "aggressive=true", "--out", str(file))
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert status == 0 and f"Table: {file}" in out and [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert [row["level"] for row in rows] == ["easy", "normal", "hard"]
    assert {(row["aggressive"], row["win_rate"], row["win_rate_low"]) for row in rows} == {("True", "0.0", "0.0")}


# The campaign.


def test_campaign_reports_scores_and_challenges(capsys):
    status, out, _ = run(capsys, *CAMPAIGN, "heuristic", "--difficulty", "easy", "--json")
    summary = json.loads(out)
    assert status == 0 and summary["campaigns"] == 3
    assert {result["max_games"] for result in summary["results"]} == {2}
    assert [result["agent"] for result in summary["results"]] == ["random", "heuristic"]
    random = summary["results"][0]
    assert random["finished"]["value"] == 0 and random["score"]["unfinished"] == 3
    assert random["score"]["median"] is None and random["score"]["histogram"] == {}
    first, *others = random["challenges"]
    assert (first["reached"], first["won"], first["games"], first["lost"]) == (3, 0, 6, 6)
    assert [row["reached"] for row in others] == [0] * 7


def test_unfinished_campaigns_count_as_worse_than_finished_ones():
    campaigns = [campaign_after(outcomes)[0] for outcomes in ("w" * 8, "l" + "w" * 8, "wdl", "l" * 12)]
    (table,) = evaluate.CAMPAIGN.tables("viticulture", (), {"difficulty": "easy"})
    columns = {"campaign": np.array([campaign.to_dict() for campaign in campaigns], object)}
    figures = evaluate.CAMPAIGN.row(Case("random", (), "viticulture", table, 0), columns)
    score = figures["score"]
    assert (score["lower_quartile"], score["median"], score["upper_quartile"]) == (8, 9, None)
    assert score["mean_of_finished"] == 8.5 and score["histogram"] == {"8": 1, "9": 1} and score["unfinished"] == 2
    assert figures["finished"]["value"] == 0.5 and figures["finished"]["low"] < 0.5 < figures["finished"]["high"]
    first, second = figures["challenges"][:2]
    assert (first["reached"], first["won"], first["games"], first["lost"], first["drawn"]) == (4, 3, 16, 13, 0)
    assert first["games_needed"] == pytest.approx(4 / 3) and first["game_win_rate"]["value"] == 3 / 16
    assert [second[name] for name in ("reached", "won", "drawn", "lost", "games_needed")] == [3, 2, 1, 1, 1]


# play.


def saved_log(play, folder, *arguments):
    """Return the log of a game that is played to its end."""
    file = folder / "saved.json"
    assert play(ANY_CHOICES, *arguments, "--save", str(file))[0] == 0
    return json.loads(file.read_text())


def test_solo_game_is_played_to_the_end(play, tmp_path):
    status, out, _ = play(ANY_CHOICES, "--ruleset", "solo", "--difficulty", "hard", "--option", "aggressive=true")
    assert status == 0 and "The game was lost before its end" in out
    assert "End every year with more points than the Automa" in out and "A loss against " in out
    options = ("--ruleset", "solo", "--difficulty", "very_easy", "--option", "challenge=7", "--seed", "3")
    log = saved_log(play, tmp_path, *options)
    assert log["is_over"] and log["seed"] == 3
    assert (log["options"]["difficulty"], log["options"]["challenge"]) == ("very_easy", 7)


def test_the_table_shows_the_automa():
    position = {"ruleset": "solo", "num_players": 1, "year": 3, "season": "summer", "automa_points": 13,
                "board": {"draw_vine": [{"space": "plain", "seat": "automa"}]},
                "seats": [{"glass_tokens": [2, 7], "bonus_tokens": 4, "wake_up": 1}]}  # fmt: skip
    text = render(vitienv.Game.from_dict(position), viewer=0)
    assert "Score more than 13 points" in text and "Draw vine: Automa" in text
    assert "4 tokens" in text and "rows left   2 and 7" in text
    assert "Automa" not in render(vitienv.Game.new(seed=1)) and "token" not in render(vitienv.Game.new(seed=1))
    blocked = render(vitienv.Game.new(ruleset="solo", automa_replacement="blocker", seed=1))
    assert "Score more than 20 points" in blocked and "Seat 2" not in blocked


def test_a_campaign_is_played_game_by_game(play, tmp_path):
    file = tmp_path / "campaign.json"
    for number in (1, 2):
        status, out, _ = play(ANY_CHOICES, "--campaign", str(file), "--difficulty", "easy", "--seed", "5")
        assert status == 0 and f"Games so far: {number}. Next: challenge 1, bonus action tokens: {number}." in out
    campaign = Campaign.load(file)
    assert (campaign.difficulty, campaign.seed, campaign.score, campaign.losses) == ("easy", 5, 2, 2)


def test_unfinished_campaign_game_is_not_recorded_and_resumes(play, tmp_path):
    file, log = tmp_path / "campaign.json", tmp_path / "log.json"
    status, out, _ = play("1\n1\n1\nquit\n", "--campaign", str(file), "--save", str(log))
    assert status == 0 and "not recorded" in out and Campaign.load(file).score == 0
    moves = json.loads(log.read_text())["moves"]
    played = saved_log(play, tmp_path, "--campaign", str(file), "--load", str(log))
    assert moves and played["moves"][: len(moves)] == moves
    assert Campaign.load(file).score == 1
    status, _, errors = play("", "--campaign", str(file), "--load", str(log))  # a game of before
    assert status == 2 and "not the campaign's next game" in errors and Campaign.load(file).score == 1


def test_the_last_game_completes_the_campaign(play, monkeypatch, tmp_path):
    file = tmp_path / "campaign.json"
    campaign_after("l" + "w" * 7, seed=5)[0].save(file)
    monkeypatch.setattr("vitienv.game.Game.outcome", property(lambda game: "win" if game.is_over else None))
    status, out, _ = play(ANY_CHOICES, "--campaign", str(file))
    assert status == 0 and "The campaign is complete. Your score: 9 games." in out and Campaign.load(file).is_complete
    status, out, errors = play("", "--campaign", str(file))
    assert (status, out) == (2, "") and "all challenges were won in 9 games" in errors
