"""World on the command line, as a drawing, in a tournament and its report."""

import re
from collections import Counter
from itertools import islice

import pandas as pd
import pytest

import vitienv
from tests.random_play import decisions, random_game
from tests.world.table import new
from vitienv import cli
from vitienv.session.game_session import GameSession
from vitienv.session.terminal import result_lines
from vitienv.training.evaluation.tournament import Settings, read_logs, run_tournament
from vitienv.training.report.make import make_report
from vitienv.web.table import Table

WORLD = ["--game", "world"]
SHORT = {"years": 2, "continent": "asia"}


@pytest.fixture(scope="module")
def tournament(tmp_path_factory):
    """A small tournament: its results, and its folder."""
    folder = tmp_path_factory.mktemp("world") / "run"
    return run_tournament(Settings(("random", "random:seed=2"), 2, 6, 1, options=SHORT, game="world"), folder), folder


def test_tournament_counts_teams(tournament):
    results, folder = tournament
    (team,) = results["teams"]
    assert team["agents"] == "random + random:seed=2" and team["games"] == results["games"]
    frame = pd.read_parquet(folder / "games.parquet")
    assert (frame.groupby("game")["win"].nunique() == 1).all() and frame["win"].isin((0, 1)).all()
    assert all(bot["win_rate"]["value"] == team["win_rate"]["value"] for bot in results["bots"])


def test_all_seats_of_a_winning_team_win(tmp_path):
    easy = {"years": 1, "vp_each": 0, "influence_start": 10}
    settings = Settings(("random", "random:seed=2"), 2, 2, 1, options=easy, game="world")
    results = run_tournament(settings, tmp_path / "run")
    won = pd.read_parquet(tmp_path / "run" / "games.parquet").groupby("game")["rank"].max() == 1
    assert won.any() and results["teams"][0]["win_rate"]["value"] == won.mean()
    assert [bot["win_rate"]["value"] for bot in results["bots"]] == [won.mean()] * 2


def test_report_counts_every_step_of_influence(tournament):
    results, folder = tournament
    written = make_report(folder)
    assert set(written["rows"]) == {"bots", "ends", "influence", "tiles", "trades", "ring"}
    tables = {name: pd.read_parquet(folder / "report" / f"{name}.parquet") for name in written["rows"]}
    every = {name: table[table["bot"] == "all bots"] for name, table in tables.items() if name != "bots"}
    gained = 0
    for log in read_logs(folder):
        gained += vitienv.replay(log).influence - 4
    assert int(every["influence"]["total"].sum()) == gained
    seats = 2 * results["games"]
    assert int(every["ring"]["total"].sum()) == seats * SHORT["years"]
    assert every["ends"].set_index("condition")["total"].get("influence", 0) <= seats
    assert "Influence by source" in (folder / "report" / "report.html").read_text(encoding="utf-8")


def test_cards_command_marks_stand_ins(capsys, tmp_path):
    assert cli.run(["cards", *WORLD, "rectangle"]) == 0
    out = capsys.readouterr().out
    assert "Rectangle C (stand-in): On C Give tour for the rest of the game: a tour for 5 lira." in out
    assert "Rectangle B: On B" in out and "are stand-ins" in out
    assert cli.run(["cards", *WORLD]) == 0
    kinds = Counter(re.split("[:_]", line)[0] for line in capsys.readouterr().out.splitlines()[:-1])
    assert kinds == {"tile": 28, "rule": 7, "event": 54, "aim": 12, "red": 10, "blue": 10, "partner": 14}
    path = tmp_path / "own.toml"
    path.write_text('[[innovation_tiles.rectangular]]\nletter = "C"\neffect = [{ op = "tour", lira = 6 }]\n')
    assert cli.run(["cards", *WORLD, "--option", f"components={path}", "rectangle", "c"]) == 0
    assert "a tour for 6 lira" in capsys.readouterr().out
    assert cli.run(["cards", *WORLD, "zebra"]) == 2
    assert "no component with 'zebra'" in capsys.readouterr().err


def test_drawing_of_the_partner_and_the_result():
    for options in ({"num_players": 3, "years": 2}, {"num_players": 1, "partner": "burattino", "years": 2}):
        drawings = [game.svg(columns=2) for game in islice(decisions(2, game="world", **options), 0, None, 9)]
        assert any("worker of Partner" in svg for svg in drawings) == (options["num_players"] == 1)
        assert not any("Automa" in svg for svg in drawings)
        assert "A loss. Influence" in random_game(2, game="world", **options).svg()
    games = [vitienv.Game.from_dict({"game": "world", "seats": [{}, {"hand": {"summer": [card]}}]})
             for card in ("banker", "vendor")]  # fmt: skip
    assert games[0].svg(0) == games[1].svg(0) != games[0].svg(1)


def test_result_of_the_team():
    game = new(2, years=1)
    while not game.is_over:
        game.step(game.legal_actions()[0])
    tables = result_lines(GameSession(game, ["you", "random"]))
    assert tables[-1].startswith(f"A loss. Influence {game.influence} of 10; ")
    result = Table(game, ["you", "random"]).view(0)["result"]
    assert result["text"].startswith(f"A loss. Influence {game.influence} of 10; ")
    assert result["text"].endswith(" of 25 points each.")
    assert [seat["rank"] for seat in result["seats"]] == [None, None]  # nobody of a team is second


def test_web_table_explains_aim_and_components():
    table = Table(new(2), ["you", "random"])
    assert table.view(0)["aim"].startswith("The team needs influence 10 (now 4) and 25 points for every seat")
    assert "oval" in table.explain("tile")[0] and table.explain("greengully")
