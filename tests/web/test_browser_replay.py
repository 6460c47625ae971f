"""Replays and tournaments in a real browser."""

import pytest

from tests.random_play import random_game
from tests.web.browser import IN_CHROMIUM, LEAST, NARROW, WIDE, assert_accessible, letters, tab_to
from vitienv.training.evaluation.tournament import Settings, run_tournament
from vitienv.training.report.replay_pages import write_replays
from vitienv.web.replay_page import replay_page

pytestmark = IN_CHROMIUM


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_replay_is_stepped_through(tmp_path, open_page, size):
    game = random_game(2, moves=150, num_players=3)
    file = tmp_path / "game.html"
    agents = ["random", "ismcts:milliseconds=1000,policy=champion", "heuristic"]
    forfeit = {"seat": 2, "kind": "crash", "text": "ended"}
    file.write_text(replay_page({**game.log, "agents": agents, "forfeit": forfeit}), encoding="utf-8")
    page = open_page(file.as_uri(), size)
    page.wait_for_selector("#drawing svg")
    assert page.inner_text("#moves li:last-child") == "Forfeit: seat 3 heuristic lost by crash: ended"
    min_size, _ = letters(page)
    assert min_size >= LEAST and letters(page, "#points text")[0] >= LEAST
    assert_accessible(page)
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#move").startswith("1 of 150") and "Forfeit" not in page.inner_text("#move")
    page.select_option("#year", label="2")
    assert page.text_content("#drawing svg > title").startswith("Year 2")
    page.keyboard.press("End")
    status = page.inner_text("#move")
    assert status.startswith("150 of 150") and status.endswith(" Forfeit: seat 3 heuristic lost by crash: ended")
    assert_accessible(page)
    page.click("#first")
    page.select_option("#speed", "200")
    page.click("#play")
    page.wait_for_selector("#moves li:nth-of-type(n + 5)[aria-current]", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_replay_shows_candidates(tmp_path, open_page, size):
    game = random_game(2, num_players=2, max_years=1)
    candidates = [None, *([{"action": name, "visits": 7, "value": 0.5}] for name in game.moves[1:])]
    file = tmp_path / "game.html"
    file.write_text(replay_page({**game.log, "candidates": candidates}), encoding="utf-8")
    page = open_page(file.as_uri(), size)
    page.wait_for_selector("#drawing svg")
    page.keyboard.press("ArrowRight")
    assert not page.is_visible("#considered")
    page.keyboard.press("ArrowRight")
    assert "7 simulations, value 0.50" in page.inner_text("#considered .chosen")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_tournament_is_browsed_by_keyboard(tmp_path, open_page):
    """The page of a tournament, one of its games as a replay, and back."""
    folder = tmp_path / "run"
    run_tournament(Settings(("random", "heuristic"), 2, 2, seed=3, options={"max_years": 1}), folder)
    write_replays(folder, 1)
    page = open_page((folder / "index.html").as_uri(), NARROW)
    assert_accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    tab_to(page, "tbody a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#drawing svg")
    page.keyboard.press("End")
    page.go_back()
    page.wait_for_selector("#games tbody")
