"""Accessibility of all pages by axe-core: no serious finding, contrast of at least 4.5 : 1 included."""

import random

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.random_play import random_game
from tests.web.browser import IN_CHROMIUM, NARROW, PATIENCE, WIDE, begin, click_on_the_drawing, play, wait_for
from vitienv.web.replay_page import replay_page

pytestmark = IN_CHROMIUM
SIZES = pytest.mark.parametrize("size", [WIDE, NARROW])


def assert_accessible(page):
    violations = Axe().run(page).response["violations"]
    serious = {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]]
        for violation in violations
        if violation["impact"] in ("serious", "critical")
    }
    assert not serious


@SIZES
@pytest.mark.parametrize(
    "ruleset, players", [("essential", 2), ("original", 3), ("solo", 1), ("world", 2), ("toscana", 3)]
)
def test_start_page_and_table_are_accessible(running, open_page, ruleset, players, size):
    page = open_page(running.address, size)
    wait_for(page, "#begin:not([disabled])")
    assert_accessible(page)
    begin(page, ruleset, players)
    assert_accessible(page)
    rng = random.Random(players)
    for _ in range(6):
        click_on_the_drawing(page, rng)
    assert_accessible(page)


FONT_SIZES = """() => [...document.querySelectorAll("body *:not(svg *, [type=checkbox])")]
    .map((node) => parseFloat(getComputedStyle(node).fontSize))"""


def test_letters_follow_the_font_size_of_the_browser(running, open_page):
    page = open_page(running.address)
    begin(page)
    sizes = page.evaluate(FONT_SIZES)
    page.add_style_tag(content="html { font-size: 24px }")
    assert page.evaluate(FONT_SIZES) == pytest.approx([1.5 * size for size in sizes])


@SIZES
def test_result_is_accessible(running, open_page, size):
    page = open_page(running.address, size)
    begin(page, years=1)
    play(page, random.Random(1))
    page.wait_for_selector("#result:not([hidden])")
    page.wait_for_selector("#review .list", timeout=1000 * PATIENCE)
    assert_accessible(page)


@SIZES
def test_replay_is_accessible(tmp_path, open_page, size):
    game = random_game(2, moves=60, num_players=3)
    file = tmp_path / "game.html"
    file.write_text(replay_page(game.log), encoding="utf-8")
    page = open_page(file.as_uri(), size)
    page.wait_for_selector("#drawing svg")
    assert_accessible(page)
    page.keyboard.press("End")
    assert_accessible(page)
