"""The study of differences between champions and the heuristic bot."""

import numpy as np
import pytest

from studies import learned
from vitienv.agents.seeding import game_seeds, make_bots
from vitienv.registry import game_spec
from vitienv.training.evaluation.match import play


def test_statistics_are_those_of_the_games(monkeypatch):
    """In any number of batches."""
    monkeypatch.setattr(learned, "LAST_YEAR", 6)
    monkeypatch.setattr(learned, "BATCH_GAMES", 2)
    figures = learned.figures_of("heuristic", "2", 3, 7)
    options = game_spec().options.of(num_players=2, skip_forced=True, max_years=6)
    played = play(options, game_seeds(7, range(3)), [[0, 0]] * 3, make_bots(["heuristic"], 7))
    games = figures["Games"]
    assert np.array_equal(games["points"], played.points.mean(axis=1)) and np.array_equal(games["years"], played.years)
    assert np.array_equal(games["points of the best"], played.points.max(axis=1))
    assert sum(figures["Points from"].values()) == pytest.approx(games["points"])
    assert sum(figures["Wake-up rows, share of choices"].values()) == pytest.approx(1)
    assert sum(figures["First three workers, share of seats"].values()) == pytest.approx(1)
    orders = figures["Orders"]
    assert sum(orders[row] for row in orders if row.startswith("of ")) == pytest.approx(orders["filled"])
    visitors, decks = figures["Visitors, each"], figures["Visitors played"]
    assert sum(visitors.values()) == pytest.approx(sum(decks.values()))
    built = np.array([record["structures"] for record in played.records.view(game_spec().dtype)[:, 0]])
    share = figures["Structures, share of seats"]["trellis"]
    assert np.array_equal(share, built[:, :2, 0].mean(axis=1))


def test_rows_mark_significant_differences(monkeypatch, tmp_path, capsys):
    """Text outside of the table stays."""
    games = np.arange(8.0)
    points = {"policy:champion": games + 40, "heuristic": games}
    monkeypatch.setattr(learned, "figures_of", lambda bot, *arguments: {"Games": {"years": points[bot], "same": games}})
    learned.main(["--games", "8", "--tables", "2"])
    printed = capsys.readouterr().out
    assert "| years | 43.50 ± 2.05 | 3.50 ± 2.05 | more |" in printed
    assert "| same | 3.50 ± 2.05 | 3.50 ± 2.05 |  |" in printed
    page = tmp_path / "page.md"
    page.write_text("# Words\n\n<!-- table: learned-2 -->\n<!-- end -->\n\nlast\n")
    learned.main(["--games", "8", "--tables", "2", "--write", str(page)])
    text = page.read_text()
    assert text.startswith("# Words") and text.endswith("last\n") and "43.50" in text
    with pytest.raises(SystemExit):
        learned.main(["--games", "1"])
