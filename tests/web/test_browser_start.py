"""The page in a real browser before a game and between two: compiling, and a server that is started again."""

import random
import threading

from tests.web.browser import IN_CHROMIUM, PATIENCE, begin, click_on_the_drawing, moves, play, tables, wait_for
from vitienv.core.compiling.progress import PROGRESS
from vitienv.web import precompilation

pytestmark = IN_CHROMIUM


def test_start_page_shows_the_progress_of_the_compilation(tmp_path, open_page, monkeypatch):
    """Of the rules that are chosen; a game of others, which are compiled, begins meanwhile."""
    go_on = threading.Event()
    monkeypatch.setattr(precompilation, "first_game", lambda game, ruleset: ruleset != "world" or go_on.wait(PATIENCE))
    monkeypatch.setattr(precompilation, "hints", lambda game, ruleset: None)
    server = tables(tmp_path / "tables", is_warm=False)
    try:
        page, other = open_page(server.address), open_page(server.address)
        page.wait_for_selector("#begin:not([disabled])")
        page.select_option("#ruleset", "world")
        monkeypatch.setattr(PROGRESS, "status", lambda: "compiling the bots, 25 %, 11 s")
        monkeypatch.setattr(PROGRESS, "share", lambda: 0.25)
        page.wait_for_selector("#notice:has-text('Preparing Viticulture World'):has-text('25 %')")
        assert page.is_disabled("#begin") and page.evaluate("document.getElementById('progress').value") == 0.25
        other.click("#begin:not([disabled])")
        other.wait_for_selector("#choices button")
        page.select_option("#ruleset", "essential")
        page.wait_for_selector("#begin:not([disabled])")
        assert not page.inner_text("#notice") and not page.is_visible("#progress")
        page.select_option("#ruleset", "world")
        page.wait_for_selector("#begin[disabled]")
        go_on.set()
        page.wait_for_selector("#begin:not([disabled])")
        other.close()  # a server waits for those who watch a table
    finally:
        go_on.set()
        server.stop()


def test_game_continues_after_a_restart_of_the_server(tmp_path, open_page):
    first = tables(tmp_path / "tables")
    page = open_page(first.address)
    begin(page)
    rng = random.Random(4)
    for _ in range(3):
        click_on_the_drawing(page, rng)
    before = moves(page)
    first.stop()
    second = tables(tmp_path / "tables", port=first.port)
    try:
        page.reload()
        page.wait_for_selector(f'#table[data-moves="{before}"]')
        click_on_the_drawing(page, rng)
        page.click("#leave")
        page.click("#recent a >> nth=0")
        page.wait_for_selector("#choices button")
    finally:
        second.stop()


def test_quick_game_is_listed_under_continue(page, tmp_path):
    """One click starts a game against the level that fits; Continue lists it with players, score and date."""
    wait_for(page, "#quick:not([disabled])")
    assert page.is_visible("#welcome svg") and "Run a vineyard" in page.inner_text("#welcome")
    levels = page.locator("#seats label:nth-child(2) optgroup[label=Levels] option").all_inner_texts()
    assert levels[2] == "level 3, novice" and len(levels) == 10
    assert page.inner_text("#rival") == "against level 3, novice"
    page.click("#quick")
    wait_for(page, "#choices button")
    page.evaluate("vitienvTable.hurry = true")
    click_on_the_drawing(page, random.Random(1))
    score = page.evaluate("vitienvTable.view.scores")
    page.click("#leave")
    entry = page.inner_text("#recent li:only-child")
    assert f"You {score[0]}, level 3 {score[1]}. Year 1, " in entry
    assert page.input_value("#seed") == ""
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#recent button")
    page.wait_for_selector("#recent:has-text('No unfinished games')")
    assert not list((tmp_path / "tables").glob("*.json"))


def test_the_level_follows_wins_and_losses(page):
    begin(page, seats=("you", "level:1"), years=1)
    play(page, random.Random(1))
    is_won = page.evaluate("vitienvTable.view.result.seats[0].rank") == 1
    page.click("#leave")
    wait_for(page, "#quick:not([disabled])")
    assert page.inner_text("#rival").startswith(f"against level {2 if is_won else 1}, ")
