"""A truncated game is won by nobody in any evaluation."""

import json

import pandas as pd

import vitienv
from tests.command import run
from vitienv.agents import make_agent
from vitienv.registry import game_spec
from vitienv.training.eval_opponents import evaluate_against
from vitienv.training.evaluation import ladder
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.report.make import make_report

SHORT = {"max_years": 2}  # nobody reaches 20 points by then


def test_nobody_wins_a_truncated_game(tmp_path, capsys):
    command = "evaluate heuristic --opponents random --games 20 --max-years 2 --processes 1".split()
    status, out, _ = run(capsys, *command)
    cells = [cell.strip() for cell in out.splitlines()[-2].split("│")]
    assert status == 0 and "0.0 (0.0 to 27.8)" in cells and cells[cells.index("20") :][-3] == "20"
    (row,) = json.loads(run(capsys, *command, "--json")[1])["results"]
    assert (row["cut_off"], row["win_rate"]["value"], row["games"]) == (20, 0.0, 20)

    settings = Settings(("heuristic", "random"), 2, 20, options=SHORT, game="viticulture")
    results = run_tournament(settings, tmp_path / "run")
    assert results["truncated"] == 20
    assert [bot["win_rate"]["value"] for bot in results["bots"]] == [0.0, 0.0]
    assert {round(bot["rating"]["value"], 6) for bot in results["bots"]} == {0.0}  # draws
    assert {pair["ahead"]["value"] for pair in results["ahead"]} == {0.5}
    report = make_report(tmp_path / "run")
    assert (pd.read_parquet(f"{report['folder']}/bots.parquet")["win_share"] == 0).all()

    options = game_spec("viticulture").options.of(num_players=2, **SHORT)
    bots = [make_agent("heuristic"), make_agent("random", seed=1)]
    assert evaluate_against(bots[0], "random", options, 8)["wins"] == 0.0
    samples, _ = ladder._at_table(bots, [1, 2, 3], options)
    assert samples.tolist() == [0.0, 0.0, 0.0]  # a draw
    played = play(options, [1], [[0, 1]], bots)
    assert played.truncated.all() and played.wins.tolist() == [[0.0, 0.0]] and min(played.ranks[0]) == 1
    game = vitienv.replay(played.log(0))
    assert game.is_truncated and game.rewards == [0.0, 0.0]
