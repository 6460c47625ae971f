"""vitienv analyse."""

import json
import sys

import pandas as pd
import pytest

from vitienv.cli import run
from vitienv.training.evaluation.tournament import Settings, run_tournament

# It passes wherever it can; an empty program ends at its first query.
PASSES = """
import json, sys
for line in sys.stdin:
    names = [one["name"] for one in json.loads(line)["choices"]]
    print(json.dumps({"action": "pass" if "pass" in names else names[0]}), flush=True)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The run folder of a tournament in which nothing much happens: nobody fills an order in the first year."""
    folder = tmp_path_factory.mktemp("tournament") / "run"
    run_tournament(Settings(("heuristic", "random"), 2, 8, options={"max_years": 1}), folder)
    return folder


def test_a_report_is_written_into_the_run_folder(folder, capsys):
    assert run(["analyse", str(folder)]) == 0
    output = capsys.readouterr().out
    assert "8 games on 4 seeds, 2 bots" in output and str(folder / "report" / "report.html") in output
    page = (folder / "report" / "report.html").read_text(encoding="utf-8")
    assert page.count("<img ") == 7 and len(pd.read_parquet(folder / "report" / "orders.parquet")) == 0


def test_a_report_as_json(folder, tmp_path, capsys):
    out = tmp_path / "new" / "out"
    assert run(["analyse", str(folder), "--out", str(out), "--bot", "heuristic", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["bots"] == ["heuristic"] and result["folder"] == str(out) and result["games"] == 8
    assert {path.stem for path in out.glob("*.parquet")} == set(result["rows"])


@pytest.mark.parametrize(("program", "other"), [(PASSES, "random"), ("", "")], ids=["passes", "both end"])
def test_a_report_about_bots_that_place_no_worker(tmp_path, program, other):
    (tmp_path / "player.py").write_text(program)
    bot = f"program:{sys.executable} {tmp_path / 'player.py'}"
    bots = bot, other or f"{bot},limit_ms=9000"
    run_tournament(Settings(bots, 2, 4, options={"max_years": 1}), tmp_path / "run")
    assert run(["analyse", str(tmp_path / "run"), "--processes", "1"]) == 0
    table = pd.read_parquet(tmp_path / "run" / "report" / "bots.parquet").set_index("bot")
    games = pd.read_parquet(tmp_path / "run" / "games.parquet").groupby("agent")
    assert table["win_share"].to_dict() == pytest.approx(games["win"].mean().to_dict())
    assert bot not in set(pd.read_parquet(tmp_path / "run" / "report" / "spaces.parquet")["bot"])
