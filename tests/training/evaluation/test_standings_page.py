"""Page of a tournament: numbers of its tables, escaped names, links to replays."""

import json
import re
from html import unescape

import pandas as pd
import pytest

from tests.command import parts_of, run
from tests.external_players.programs import write_player
from vitienv.training.evaluation.merge import merge
from vitienv.training.evaluation.notes import public_name
from vitienv.training.evaluation.result_table import cell_text
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.report import standings_page

SETTINGS = {"num_players": 3, "games": 3, "game": "toscana", "options": {"max_rounds": 1}}


def tables(folder):
    """Return the rows of cells of each section of the page, without markup."""
    page = (folder / "index.html").read_text(encoding="utf-8")
    sections = re.findall(r'<section id="(.*?)">(.*?)</section>', page, re.DOTALL)
    return {name: [
        [unescape(re.sub("<[^>]*>", "", cell)) for cell in re.findall("<t[dh].*?>(.*?)</t[dh]>", row)]
        for row in re.findall("<tr>(.*?)</tr>", section)
    ] for name, section in sections}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Tournament with a program that crashes in each of its games, whose name is markup."""
    home = tmp_path_factory.mktemp("page")
    spec = write_player(home / "<img src=x>.py", 3)
    run_tournament(Settings((spec, "random", "random:seed=2"), seed=1, **SETTINGS | {"games": 6}), home / "run")
    return home / "run"


def test_the_page_has_the_results(folder):
    results, page = json.loads((folder / "results.json").read_text()), tables(folder)
    bots = [public_name(bot["agent"]) for bot in results["bots"]]
    for section, column in {"standings": 1, "pairs": 1, "seats": 0}.items():
        assert [row[column] for row in page[section][1:4]] == bots
    wins = page["standings"][0].index("wins %")
    assert [row[wins] for row in page["standings"][1:]] == [cell_text(bot["win_rate"], "%") for bot in results["bots"]]
    places = {bot["agent"]: place for place, bot in enumerate(results["bots"], 1)}
    for pair in results["ahead"]:
        assert page["pairs"][places[pair["agent"]]][1 + places[pair["than"]]] == cell_text(pair["ahead"], "%")
    for row, bot in zip(page["seats"][1:], [*results["bots"], {"by_seat": results["seats"]}], strict=True):
        assert row[1::2] == [cell_text(seat["win_rate"], "%") for seat in bot["by_seat"]]
        assert row[2::2] == [f"{seat['mean_points']:.1f}" for seat in bot["by_seat"]]


def test_the_page_has_the_failures_and_games(folder):
    page, frame = tables(folder), pd.read_parquet(folder / "games.parquet")
    (spec,) = {spec for spec in frame["agent"] if spec.startswith("program")}
    assert page["failures"] == [["bot", "crash"], [public_name(spec), "6"]]
    assert [row[0] for row in page["games"][1:]] == [str(number) for number in range(6)]
    for row, (_, seats) in zip(page["games"][1:], frame.groupby("game"), strict=True):
        marks = [f" ({seat.forfeit})" if seat.forfeit else " ★" if seat.win else "" for seat in seats.itertuples()]
        texts = [f"{public_name(seat.agent)} {seat.points}{mark}" for seat, mark in zip(seats.itertuples(), marks)]
        assert row[1:4] == texts and row[-1] == str(seats["seed"].iloc[0])


def test_names_are_escaped_and_nothing_is_loaded(folder):
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "&lt;img src=x&gt;" in page and "<img" not in page and str(folder.parent) not in page
    assert not re.search(r"https?:|//|url\(|@import|<script|<link|src=\"", page.replace("</", ""))


def test_replays_are_written_on_demand(folder, capsys):
    page, replays = folder / "index.html", folder / "replays"
    assert "href" not in page.read_text(encoding="utf-8")
    for amount in (1, 2):
        status, out, _ = run(capsys, "tournament", "--resume", str(folder), "--replays", str(amount), "--trust")
        assert status == 0 and out.splitlines()[-1] == f"Page: {page}"
        links = re.findall(r'href="(.*?)">(.*?)</a>', page.read_text(encoding="utf-8"))
        assert links == [(f"replays/{number}.html", str(number)) for number in range(amount)]
        assert sorted(file.name for file in replays.iterdir()) == [f"{number}.html" for number in range(amount)]
        if amount == 1:
            first = replays / "0.html"
            _, story, _ = parts_of(first.read_text(encoding="utf-8"))
            assert "<img src=x>" in story["title"] and str(folder.parent) not in story["title"]
            first.write_text("unchanged")
    assert (replays / "0.html").read_text() == "unchanged"


def test_a_merged_tournament_and_a_team_have_a_page(tmp_path):
    for seed in (1, 2):
        run_tournament(Settings(("random", "random:seed=2"), seed=seed, **SETTINGS), tmp_path / str(seed))
    merge([tmp_path / "1", tmp_path / "2"], tmp_path / "both")
    assert len(tables(tmp_path / "both")["games"]) == 1 + sum(len(tables(tmp_path / n)["games"]) - 1 for n in "12")
    settings = {"game": "world", "num_players": 2, "games": 2, "options": {"max_years": 1}}
    run_tournament(Settings(("random", "random:seed=2"), **settings), tmp_path / "team")
    page = tables(tmp_path / "team")
    assert "pairs" not in page and page["standings"][-1][0] == "random + random:seed=2"


def test_long_tournaments_list_the_first_games(folder, monkeypatch):
    monkeypatch.setattr(standings_page, "MAX_LISTED_GAMES", 2)
    frame, results = pd.read_parquet(folder / "games.parquet"), json.loads((folder / "results.json").read_text())
    page = standings_page.page_of(frame, results, {})
    assert "2 of 6 games; all rows" in page
    assert page.partition('id="games"')[2].count("<tr>") == 3
