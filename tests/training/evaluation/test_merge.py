"""Merging of finished tournaments, and refused run directories."""

import json
import shutil
from dataclasses import replace
from itertools import permutations

import pandas as pd
import pytest

from tests.command import refused
from vitienv import cli
from vitienv.training.evaluation.tournament import Settings, run_tournament

BOTS = ("random", "random:seed=3", "random:seed=5")
FILES = ["games.parquet", "index.html", "results.json", "table.csv"]


def played(folder, **changes):
    """A small tournament of three bots."""
    settings = Settings(BOTS, 3, 12, seed=4, game="toscana", options={"max_rounds": 2})
    return run_tournament(replace(settings, **changes), folder)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two tournaments of different sizes."""
    home = tmp_path_factory.mktemp("merged")
    played(home / "mine")
    played(home / "yours", seed=5, games=6, chunk_size=2, logs=False)
    return [home / "mine", home / "yours"]


@pytest.fixture
def copies(folders, tmp_path):
    return [shutil.copytree(folder, tmp_path / folder.name) for folder in folders]


def test_the_games_of_both_count_as_one_tournament(folders, tmp_path, capsys):
    out = tmp_path / "both"
    assert cli.run(["tournament", "--merge", *map(str, folders), "--run", str(out), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert sorted(path.name for path in out.iterdir()) == FILES
    assert table["games"] == table["settings"]["games"] == 18
    assert table["merged"] == [{"seed": 4, "games": 12}, {"seed": 5, "games": 6}]
    parts, frame = [pd.read_parquet(folder / FILES[0]) for folder in folders], pd.read_parquet(out / FILES[0])
    assert frame["game"].nunique() == 18 and frame["seed_number"].nunique() == frame["seed"].nunique() == 6
    assert frame["state"].tolist() == [state for part in parts for state in part["state"]]
    for bot in table["bots"]:
        seats = pd.concat([part[part["agent"] == bot["agent"]] for part in parts])
        assert bot["games"] == 18 and bot["points"]["value"] == pytest.approx(seats["points"].mean())
        assert bot["win_rate"]["value"] == pytest.approx(seats["win"].mean())
    assert {pair["met"] for pair in table["ahead"]} == {18}
    assert "exists" in refused(capsys, "tournament", "--merge", *folders, "--run", out)


def test_tournaments_with_other_games_or_settings_are_refused(folders, tmp_path, capsys):
    mine, yours = folders
    assert "at least 2 run directories, got 1" in refused(capsys, "tournament", "--merge", mine)
    assert "has games of" in refused(capsys, "tournament", "--merge", mine, mine)
    assert "does not exist" in refused(capsys, "tournament", "--merge", mine, tmp_path / "gone")
    assert "leave out --resume" in refused(capsys, "tournament", "--merge", mine, yours, "--resume", mine)
    for name, changes in {"num_players": {"num_players": 2}, "options": {"options": {"max_rounds": 3}}}.items():
        other = tmp_path / name
        played(other, seed=6, games=6, **changes)
        assert f"does not fit {str(mine)!r}: {name} " in refused(capsys, "tournament", "--merge", mine, other)
    played(tmp_path / "agents", seed=6, games=6, agents=("random:seed=8", "random:seed=9"))
    assert "must have a bot of the directories before" in refused(
        capsys, "tournament", "--merge", mine, tmp_path / "agents"
    )


def test_a_bot_joins_by_a_gauntlet(folders, tmp_path):
    newcomer, new, merged = "random:seed=9", str(tmp_path / "new"), str(tmp_path / "all")
    table = "--players 3 --games 9 --seed 7 --game toscana --option max_rounds=2 --schedule gauntlet".split()
    assert cli.run(["tournament", newcomer, *BOTS, *table, "--run", new, "--processes", "1"]) == 0
    assert cli.run(["tournament", "--merge", str(folders[0]), new, "--run", merged]) == 0
    results = json.loads((tmp_path / "all" / "results.json").read_text())
    frames = [pd.read_parquet(folder / "games.parquet") for folder in (folders[0], tmp_path / "new")]
    assert (frames[1].groupby("game")["agent"].apply(set).map(lambda bots: newcomer in bots)).all()
    assert results["settings"]["agents"] == [*BOTS, newcomer] and "schedule" not in results["settings"]
    assert "<strong>Seed</strong></dt><dd>4, 7</dd>" in (tmp_path / "all" / "index.html").read_text(encoding="utf-8")
    games = {bot["agent"]: bot["games"] for bot in results["bots"]}
    assert games == {newcomer: 9} | {bot: 12 + frames[1][frames[1]["agent"] == bot]["game"].nunique() for bot in BOTS}
    assert {(pair["agent"], pair["than"]) for pair in results["ahead"]} == set(permutations([*BOTS, newcomer], 2))


def test_other_weights_of_a_network_are_refused(copies, capsys):
    for folder, digest in zip(copies, "01", strict=True):
        path = folder / "settings.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"weights": {"a.safetensors": digest}}))
    assert "other weights of 'a.safetensors'" in refused(capsys, "tournament", "--merge", *copies)


def test_damaged_or_missing_games_are_refused(copies, capsys):
    path = copies[1] / "games.parquet"
    frame = pd.read_parquet(path)
    for rows in (frame.iloc[3:], frame.head(0)):
        rows.to_parquet(path, index=False)
        assert "does not contain the games of its settings" in refused(capsys, "tournament", "--merge", *copies)
    frame.drop(columns="seed").to_parquet(path, index=False)
    assert "is damaged" in refused(capsys, "tournament", "--merge", *copies)
    for content in (b"something else", b"PAR1"):
        path.write_bytes(content)
        assert "is damaged" in refused(capsys, "tournament", "--merge", *copies)
    (copies[1] / "results.json").unlink()
    assert "is not finished" in refused(capsys, "tournament", "--merge", *copies)
