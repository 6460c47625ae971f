"""The solo game on the command line: vitienv evaluate and play, alone and in a campaign."""

import csv
import io
import json

import numpy as np
import pytest

import vitienv
from tests.command import refused, run
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


def test_evaluate_has_one_form(capsys):
    status, out, _ = run(capsys, "evaluate", "--help")
    assert status == 0
    for word in (
        "--opponents",
        "--players",
        "--difficulty",
        "--campaign",
        "--automa-replacement",
        "--max-games",
        "--json",
    ):
        assert word in out


def test_a_bot_may_stand_before_and_behind_the_options(capsys):
    rest = ["--games", "4", "--max-years", "2", "--processes", "1", "--json"]
    first = run(capsys, "evaluate", "random", "--opponents", "random:seed=3", *rest)
    assert first[0] == 0 and json.loads(first[1])["results"][0]["agent"] == "random"
    assert run(capsys, "evaluate", "--opponents", "random:seed=3", *rest, "random") == first


AMONG = ["random", "--opponents", "random"]
ALONE, IN_PLACE = ["random", "--players", "1"], [*AMONG, "--players", "1"]


@pytest.mark.parametrize(
    "arguments, what",
    [
        ([], "Missing argument"),
        (["--frobnicate"], "--frobnicate"),
        (["random"], "--opponents must name the bots in the other seats, or --players 1"),
        ([*AMONG, "--players", "two"], "players must be numbers of seats such as 2 or 2,4, got 'two'"),
        (
            [*AMONG, "--automa-replacement", "rival"],
            "--automa-replacement is for a bot alone, not for a bot among others in viticulture",
        ),
        (
            [*AMONG, "--levels", "--resume-file", "x"],
            "--opponents is for a bot among others or a bot alone, not for a bot's",
        ),
        ([*ALONE, "--max-years", "3"], "--max-years is for a bot among others, not for a bot alone"),
        ([*ALONE, "--option", "friendly=true"], "--option friendly is not for a bot alone; it has ruleset, "),
        (["random", "--players", "3", "--difficulty", "easy"], "--players is 3; for a bot alone it must be 1"),
        (["random", "--campaign", "20", "--players", "4"], "--players is 4; for a campaign it must be 1"),
        (["random", "--difficulty", "hard", "--ruleset", "original"], "ruleset is 'original'; for a bot alone it"),
        (["random", "--players", "1", "--option", "ruleset=essential"], "ruleset is 'essential'; for a bot alone it"),
        (["random", "--campaign", "9", "--ruleset", "original"], "ruleset is 'original'; for a campaign it must be"),
        ([*ALONE, "--game", "toscana"], "toscana has no evaluation of alone; expected one of: a bot among others ("),
        (["nobody", *ALONE[1:]], "unknown agent 'nobody'"),
        (["random", *ALONE], "bots must be distinct"),
        (["random", "--players", "1", "--opponents", "automat"], "unknown agent 'automat'"),
        ([*ALONE, "--difficulty", "brutal"], "unknown difficulty 'brutal'"),
        ([*ALONE, "--automa-replacement", "rival"], "--automa-replacement"),
        ([*IN_PLACE, "--automa-replacement", "friend"], "unknown form 'friend'"),
        ([*IN_PLACE, "--option", "aggressive=true"], "automa_replacement must not be 'rival'"),
        ([*IN_PLACE, "--option", "challenge=2"], "automa_replacement must not be 'rival'"),
        ([*ALONE, "--option", "aggressive=true", "--difficulty", "very_hard"], "aggressive requires one of the diff"),
        ([*ALONE, "--option", "aggressive=true", "--option", "challenge=6"], "challenge must not be 6"),
        ([*ALONE, "--option", "challenge=9"], "challenge must be None or an integer from 1 to 8, got 9"),
        ([*ALONE, "--games", "0"], "games must be from 1 to"),
        (["nobody", "--campaign", "2"], "unknown agent 'nobody'"),
        (["random", "--campaign", "2", "--difficulty", "all"], "unknown difficulty 'all'"),
        (["random", "--campaign", "2", "--max-games", "0"], "max_games must be from 1 to"),
        (["random", "--campaign", "2", "--games", "3"], "--games is for a bot among others or a bot alone"),
    ],
)
def test_bad_input_is_one_line_and_status_2(capsys, arguments, what):
    assert what in refused(capsys, "evaluate", *arguments)


WAYS = {
    "a bot among others": ["--opponents", "random", "--players", "2"], "a bot alone": ["--players", "1"], "a team": [],
    "a campaign": ["--campaign", "2"],
}  # fmt: skip


@pytest.mark.parametrize("game", game_names())
def test_what_a_refusal_advises_is_not_refused(capsys, monkeypatch, game):
    """Each way of measuring is either taken, or refused with the names of those that are taken."""

    def reached(*_, **options):
        raise ValueError("reached")

    monkeypatch.setattr("vitienv.training.evaluation.evaluate.evaluate", reached)
    said = {way: run(capsys, "evaluate", "random", "--game", game, *asked)[2] for way, asked in WAYS.items()}
    taken = {way for way, told in said.items() if told == "vitienv: reached\n"}
    assert "a bot among others" in taken
    for way in set(WAYS) - taken - {"a team"}:
        assert set() < {one for one in WAYS if f"{one} (" in said[way]} <= taken, said[way]
    nobody = said["a team"]  # where there are no teams somebody must sit in the other seats
    assert nobody == "vitienv: reached\n" or ("--players 1" in nobody) == ("a bot alone" in taken), nobody


@pytest.mark.parametrize("given", [("--game", "toscana"), ("--ruleset", "original")])
def test_no_game_alone_is_advised_where_there_is_none(capsys, given):
    told = run(capsys, "evaluate", "random", *given)[2]
    assert told == "vitienv: --opponents must name the bots in the other seats\n"


# Alone.


def test_solo_tells_rates_points_and_years(capsys):
    status, out, _ = run(capsys, *SOLO, "--difficulty", "all", "--json")
    answer = json.loads(out)
    assert status == 0 and answer["games"] == 6 == len(answer["seeds"]) and answer["versions"]["vitienv"]
    assert answer["command"].startswith("vitienv evaluate random --players 1 --difficulty all --games 6 --seed 2")
    levels = [result["level"] for result in answer["results"]]
    assert levels == ["very_easy", "easy", "normal", "hard", "very_hard"]
    assert [result["points_against"] for result in answer["results"]] == [20, 20, 20, 20, 23]
    for result in answer["results"]:
        assert result["against"] == "Automa"
        shares = [result[f"{outcome}_rate"] for outcome in ("win", "draw", "loss")]
        assert sum(share["value"] for share in shares) == 1 and shares[2]["value"] == 1  # random never gets there
        assert all(share["low"] <= share["value"] <= share["high"] for share in shares)
        years = result["points_by_year"]
        assert [year["year"] for year in years] == list(range(1, 9 if result["level"] == "very_easy" else 8))
        assert years[-1]["mean"] == pytest.approx(result["points"]["value"]) and years[-1]["games"] == 6
        assert result["points"]["low"] <= result["points"]["value"] <= result["points"]["high"]


def test_solo_does_not_depend_on_parts_or_processes(capsys, monkeypatch):
    warm_up(
        [make_agent("heuristic")], vitienv.game_spec()
    )  # a first compilation tells of itself, which is no part of the result
    capsys.readouterr()
    arguments = (*SOLO, "heuristic", "--option", "aggressive=true", "--json")
    whole = run(capsys, *arguments)[:2]  # on a slow machine progress is told besides
    monkeypatch.setitem(evaluate.SOLO.__dict__, "batch", 4)
    assert run(capsys, *arguments, "--processes", "2")[:2] == whole
    years = json.loads(whole[1])["results"][0]["points_by_year"]
    assert years[0]["games"] == 6 > years[-1]["games"]  # lost before the end
    assert years[-1]["games"] or years[-1]["mean"] is None


@pytest.mark.parametrize(
    "form, told", [((), "heuristic as rival"), (("--automa-replacement", "blocker"), "heuristic as blocker")]
)
def test_a_table_says_who_the_opponent_is(capsys, form, told):
    status, out, _ = run(capsys, *SOLO, "--opponents", "heuristic", *form)
    assert status == 0 and told in out and "Automa" not in out
    assert "Automa" in run(capsys, *SOLO)[1]


def test_solo_writes_a_table(capsys, tmp_path):
    file = tmp_path / "table.csv"
    status, out, _ = run(capsys, *SOLO, "--difficulty", "all", "--option", "aggressive=true", "--out", str(file))
    rows = list(csv.DictReader(file.open(encoding="utf-8")))
    assert status == 0 and f"Table: {file}" in out and [path.name for path in tmp_path.iterdir()] == ["table.csv"]
    assert [row["level"] for row in rows] == ["easy", "normal", "hard"]
    assert {(row["aggressive"], row["win_rate"], row["win_rate_low"]) for row in rows} == {("True", "0.0", "0.0")}


# The campaign.


def test_campaign_tells_scores_and_challenges(capsys):
    status, out, _ = run(capsys, *CAMPAIGN, "heuristic", "--difficulty", "easy", "--json")
    found = json.loads(out)
    assert status == 0 and found["campaigns"] == 3
    assert {result["max_games"] for result in found["results"]} == {2}
    assert [result["agent"] for result in found["results"]] == ["random", "heuristic"]
    random = found["results"][0]
    assert random["finished"]["value"] == 0 and random["score"]["unfinished"] == 3
    assert random["score"]["median"] is None and random["score"]["histogram"] == {}
    first, *others = random["challenges"]
    assert (first["reached"], first["won"], first["games"], first["lost"]) == (3, 0, 6, 6)
    assert [row["reached"] for row in others] == [0] * 7


def test_campaign_does_not_depend_on_parts_or_processes(capsys, monkeypatch):
    arguments = (*CAMPAIGN, "heuristic", "--difficulty", "easy", "--json")
    whole = run(capsys, *arguments)[:2]  # on a slow machine progress is told besides
    monkeypatch.setitem(evaluate.CAMPAIGN.__dict__, "batch", 2)
    assert run(capsys, *arguments, "--processes", "2")[:2] == whole


def test_campaign_prints_tables(capsys):
    status, out, _ = run(capsys, *CAMPAIGN, "--option", "aggressive=true")
    assert status == 0 and "0 0 0 0 0 0 0" in out and "yes" in out


def played(outcomes, seed=0):
    campaign = Campaign("easy", seed=seed)
    for letter in outcomes:
        campaign.add({"w": "win", "d": "draw", "l": "loss"}[letter], 10)
    return campaign


def test_unfinished_campaigns_count_as_worse_than_finished_ones():
    campaigns = [played("w" * 8), played("l" + "w" * 8), played("wdl"), played("l" * 12)]
    (table,) = evaluate.CAMPAIGN.tables("viticulture", (), {"difficulty": "easy"})
    columns = {"campaign": np.array([campaign.to_dict() for campaign in campaigns], object)}
    figures = evaluate.CAMPAIGN.row(Case("random", (), "viticulture", table, 0), columns)
    score = figures["score"]
    assert (score["lower_quartile"], score["median"], score["upper_quartile"]) == (8, 9, None)
    assert score["mean_of_finished"] == 8.5 and score["histogram"] == {"8": 1, "9": 1} and score["unfinished"] == 2
    assert figures["finished"]["value"] == 0.5 and figures["finished"]["low"] < 0.5 < figures["finished"]["high"]
    one, two = figures["challenges"][:2]
    assert (one["reached"], one["won"], one["games"], one["lost"], one["drawn"]) == (4, 3, 16, 13, 0)
    assert one["games_needed"] == pytest.approx(4 / 3) and one["game_win_rate"]["value"] == 3 / 16
    assert (two["reached"], two["won"], two["drawn"], two["lost"], two["games_needed"]) == (3, 2, 1, 1, 1)


# play.


ANY = "".join(f"{number}\n" for number in range(1, 8)) * 150  # one of these is possible wherever something is asked


def keys(monkeypatch, text):
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_play_alone_to_the_end(capsys, monkeypatch):
    keys(monkeypatch, ANY)
    status, out, _ = run(capsys, "play", "--ruleset", "solo", "--difficulty", "hard", "--option", "aggressive=true")
    assert status == 0 and "The game was lost before its end" in out
    assert "End every year with more points than the Automa" in out and "You lose against the Automa" in out
    keys(monkeypatch, ANY)
    options = ("--ruleset", "solo", "--difficulty", "very_easy", "--option", "challenge=7", "--seed", "3", "--json")
    log = json.loads(run(capsys, "play", *options)[1])
    assert log["is_over"] and log["seed"] == 3
    assert (log["options"]["difficulty"], log["options"]["challenge"]) == ("very_easy", 7)


def test_play_other_editions(capsys, monkeypatch):
    keys(monkeypatch, "quit\n")
    log = json.loads(run(capsys, "play", "--ruleset", "original", "--bots", "random", "--json")[1])
    assert log["options"]["ruleset"] == "original" and log["options"]["num_players"] == 2


def test_one_letter_leaves_a_game(capsys, monkeypatch):
    keys(monkeypatch, "q\n")
    status, out, _ = run(capsys, "play", "--bots", "random")
    assert status == 0 and "You leave the table" in out and "not a legal choice" not in out


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


def test_a_campaign_is_played_game_by_game(capsys, monkeypatch, tmp_path):
    file = tmp_path / "campaign.json"
    for number in (1, 2):
        keys(monkeypatch, ANY)
        status, out, _ = run(capsys, "play", "--campaign", str(file), "--difficulty", "easy", "--seed", "5")
        assert status == 0 and f"Games so far: {number}. Next: challenge 1, bonus action tokens: {number}." in out
    campaign = Campaign.load(file)
    assert (campaign.difficulty, campaign.seed, campaign.score, campaign.losses) == ("easy", 5, 2, 2)


def test_a_game_that_was_left_is_not_noted_and_can_go_on(capsys, monkeypatch, tmp_path):
    file, log = tmp_path / "campaign.json", tmp_path / "log.json"
    keys(monkeypatch, "1\n1\n1\nquit\n")
    status, out, _ = run(capsys, "play", "--campaign", str(file), "--save", str(log))
    assert status == 0 and "not recorded" in out and Campaign.load(file).score == 0
    keys(monkeypatch, ANY)
    status, out, _ = run(capsys, "play", "--campaign", str(file), "--load", str(log), "--json")
    left = json.loads(log.read_text())["moves"]
    assert status == 0 and left and json.loads(out)["moves"][: len(left)] == left
    assert Campaign.load(file).score == 1
    status, _, errors = run(capsys, "play", "--campaign", str(file), "--load", str(log))  # a game of before
    assert status == 2 and "not the campaign's next game" in errors and Campaign.load(file).score == 1


def test_the_last_game_completes_the_campaign(capsys, monkeypatch, tmp_path):
    file = tmp_path / "campaign.json"
    played("l" + "w" * 7, seed=5).save(file)
    monkeypatch.setattr("vitienv.game.Game.outcome", property(lambda game: "win" if game.is_over else None))
    keys(monkeypatch, ANY)
    status, out, _ = run(capsys, "play", "--campaign", str(file))
    assert status == 0 and "The campaign is complete. Your score: 9 games." in out and Campaign.load(file).is_complete
    status, out, errors = run(capsys, "play", "--campaign", str(file))
    assert (status, out) == (2, "") and "all challenges were won in 9 games" in errors


@pytest.mark.parametrize(
    "arguments, what",
    [
        (["--ruleset", "solo", "--bots", "random"], "leave out --bots"),
        (["--ruleset", "solo", "--players", "2"], "num_players must be 1 for ruleset 'solo', got 2"),
        (["--ruleset", "solo", "--seat", "2"], "--seat must be from 1 to 1, got 2"),
        (["--ruleset", "tuscany"], "unknown ruleset"),
        (["--difficulty", "hard"], "belongs to ruleset 'solo'"),
        (["--option", "aggressive=true"], "belongs to ruleset 'solo'"),
        (["--campaign", "new.json", "--option", "challenge=3"], "leave out --option challenge"),
        (["--campaign", "new.json", "--ruleset", "original"], "--ruleset must be 'solo'"),
        (["--campaign", "new.json", "--difficulty", "brutal"], "unknown difficulty"),
        (["--campaign", "old.json", "--difficulty", "hard"], "--difficulty must be 'easy'"),
        (["--campaign", "old.json", "--option", "aggressive=true"], "does not use the aggressive variant"),
        (["--campaign", "broken.json"], "is damaged"),
    ],
)
def test_play_refuses_in_one_line(capsys, tmp_path, monkeypatch, arguments, what):
    monkeypatch.chdir(tmp_path)
    played("lw").save("old.json")
    (tmp_path / "broken.json").write_text("{")
    before = sorted(tmp_path.iterdir())
    assert what in refused(capsys, "play", *arguments)
    assert sorted(tmp_path.iterdir()) == before
