"""The demo: its parts, and its conclusions from the results."""

import json

import pytest

import vitienv
from tools import demo
from vitienv.training.run_dir import points

SMALL = {"games": 4, "parts": 2, "decisions": 300, "games_per_point": 4, "check_games": 4, "champion_games": 4}


@pytest.fixture(autouse=True)
def small(monkeypatch):
    settings = demo.LEARNER | {"num_envs": 16, "num_steps": 16, "hidden": 8, "value_warmup_updates": 0}
    monkeypatch.setattr(demo, "LEARNER", settings)
    monkeypatch.setattr(demo, "BOTS", ("heuristic",))
    monkeypatch.setattr(demo, "cores", lambda: 1)


def test_demo_prints_all_parts_and_repeats_results(tmp_path, capsys):
    demo.show(tmp_path, **SMALL)
    output = capsys.readouterr().out
    for phrase in ("1. The champion", "It wins", "of 4 games on 2 seeds against heuristic", "The champion has",
                   "decisions: wins", "The best network on other seeds", "3. A tournament", "policy:champion",
                   "The network of 2. is ", "4. A"):  # fmt: skip
        assert phrase in output
    assert output.index("It wins") < output.index("The champion has")
    rows = points(tmp_path / "training" / "curve.csv")
    assert [int(row["decisions"]) >= 300 * part for part, row in enumerate(rows)] == [True] * 3
    assert (tmp_path / "demo.png").read_bytes().startswith(b"\x89PNG")
    game = vitienv.replay(tmp_path / "champion.json")
    assert game.is_over and json.loads((tmp_path / "champion.json").read_text())["scores"] == game.scores
    demo.show(tmp_path, **SMALL)  # completed parts are printed again
    assert capsys.readouterr().out == output


@pytest.mark.parametrize("low, word", [(0.51, ": better than heuristic"), (0.49, "not shown")])
def test_check_needs_a_significant_difference(tmp_path, capsys, low, word):
    (tmp_path / demo.CHECK).write_text(json.dumps({"wins": 0.54, "low": low, "high": 0.57, "games": 1000}))
    demo.check(tmp_path, 1000, print)
    assert word in capsys.readouterr().out


@pytest.mark.parametrize("low, high, word", [
    (31, 33, "above heuristic in this tournament: +32 and +25"),
    (21, 26, "level with heuristic in this tournament, as"),
    (25, 29, "level with heuristic in this tournament, as"),
    (-20, 23, "below heuristic in this tournament: +2 and +25"),
])  # fmt: skip
def test_comparison_in_the_tournament(low, high, word):
    ratings = {demo.LEARNER_NAME: (low, high), demo.RIVAL: (24, 26)}
    bots = [{"agent": name, "rating": {"value": (a + b) / 2, "low": a, "high": b}} for name, (a, b) in ratings.items()]
    assert f"The network of 2. is {word}" in demo.comparison({"bots": bots})
