"""Games in a real browser, played by clicking and by keyboard alone, at two widths."""

import json
import random

import pytest

import vitienv
from tests.web.browser import (
    IN_CHROMIUM,
    NARROW,
    WIDE,
    assert_accessible,
    begin,
    begin_by_key,
    click_first,
    click_on_the_drawing,
    complete_picks,
    is_over,
    moves,
    open_options,
    opens_group,
    play,
    press_first,
    tab_to,
    wait_for,
    wait_for_turn,
)  # fmt: skip
from vitienv.web import watch

pytestmark = IN_CHROMIUM


@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("ruleset, players", [("essential", 2), ("original", 3), ("essential", 4), ("solo", 1),
                                               ("world", 2), ("toscana", 3)])  # fmt: skip
def test_game_is_played_by_clicking(running, open_page, ruleset, players, size):
    page = open_page(running.address, size)
    wait_for(page, "#begin:not([disabled])")
    assert_accessible(page)
    begin(page, ruleset, players, years=None if ruleset in ("world", "toscana") else 2)
    assert_accessible(page)
    rng = random.Random(players)
    for _ in range(4):
        click_on_the_drawing(page, rng)
    assert_accessible(page)
    before = moves(page)
    page.reload()  # during a game
    page.wait_for_selector(f'#table[data-moves="{before}"]')
    page.evaluate("window.vitienvTable.hurry = true")
    assert play(page, rng) > 4
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("#result li").count() == players
    with page.expect_download() as download:
        page.click("#result a[download='game.json']")
    log = json.loads(download.value.path().read_text())
    assert vitienv.replay(log).is_over and len(log["moves"]) == moves(page)


def test_two_windows_on_one_table_stay_in_step(running, open_page):
    first_page, rng = open_page(running.address), random.Random(1)
    begin(first_page)
    two = open_page(first_page.url)
    two.wait_for_selector("#choices button")
    for active_page, other_page in (first_page, two), (two, first_page), (first_page, two):
        click_on_the_drawing(active_page, rng)
        other_page.wait_for_selector(f'#table[data-moves="{moves(active_page)}"]')
        other_page.wait_for_selector("#choices button")
        assert other_page.inner_text("#choices") == active_page.inner_text("#choices")
    assert first_page.inner_text("#story") == two.inner_text("#story")


def test_a_page_whose_socket_is_refused_works(running, open_page, monkeypatch):
    monkeypatch.setattr(watch, "MAX_SOCKETS", 0)
    page, rng = open_page(running.address, but="WebSocket"), random.Random(1)
    begin(page)
    for _ in range(3):
        click_on_the_drawing(page, rng)
    page.reload()
    page.wait_for_selector("#choices button")


def test_a_team_on_a_continent(running, open_page):
    """Options of World apply to the game; its terms are explained."""
    page = open_page(running.address, NARROW)
    wait_for(page, "#begin:not([disabled])")
    page.select_option("#ruleset", "world")
    open_options(page)
    assert not page.is_visible("[name=partner]") and page.input_value("#players") == "2"
    page.select_option("#players", "1")
    page.select_option("[name=continent]", "asia")
    page.select_option("[name=partner]", "none")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    wait_for(page, "#begin:not([disabled])")
    page.click("#begin")
    wait_for(page, "#choices button")
    assert page.text_content("#drawing svg text >> nth=0").startswith("Asia")
    assert page.inner_text("#aim").startswith("You need influence")
    page.keyboard.press("?")
    page.keyboard.type("tile")
    page.wait_for_selector("#analysis:has-text('Innovate takes a tile')")


def test_game_is_played_by_keyboard(page):
    wait_for(page, "#begin:not([disabled])")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    tab_to(page, "[name=max_years]")
    page.keyboard.type("2")
    begin_by_key(page)
    ways = ["1", "Enter", "drawing"]
    for num_choices in range(200):
        if is_over(page):
            break
        before, method = moves(page), ways[num_choices % 3]
        if method == "1" or page.query_selector("#confirm"):
            press_first(page)
        else:
            tab_to(page, "#choices button" if method == "Enter" else "#drawing .live")
            is_group = method == "Enter" and opens_group(page)
            page.keyboard.press("Enter")
            if is_group:
                press_first(page)
            if page.query_selector("#several[open]"):
                tab_to(page, "#ways button")
                page.keyboard.press("Enter")
        wait_for_turn(page, before)
    assert is_over(page) and num_choices > 6
    tab_to(page, "#result a")


def test_a_campaign_by_keyboard(page):
    """A whole game of it, a reload, and the next one."""
    wait_for(page, "#begin:not([disabled])")
    tab_to(page, "#ruleset")
    page.keyboard.type("Viticulture, solo")
    tab_to(page, "summary")
    page.keyboard.press("Enter")
    tab_to(page, "[name=campaign]")
    page.keyboard.press("Space")
    wait_for(page, "#begin:not([disabled])")  # grey while the rules are asked for
    begin_by_key(page)
    assert "challenge 1, game 1" in page.inner_text("#campaign")
    for _ in range(400):
        if is_over(page):
            break
        before = moves(page)
        press_first(page)
        wait_for_turn(page, before)
    page.reload()
    page.wait_for_selector("#next")
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices button")
    assert "game 2" in page.inner_text("#campaign") and moves(page) == 0 and not page.is_visible("#result")


def test_hint_undo_and_history(page):
    begin(page, seed=3)
    rng = random.Random(2)
    undone = 0
    for _ in range(40):
        before, choices_before = moves(page), page.inner_text("#choices")
        page.keyboard.press("h")
        wait_for(page, "#choices .hinted")
        page.click("#choices .hinted")
        if page.query_selector("#several[open]"):
            page.click("#ways button")
        complete_picks(page)
        wait_for_turn(page, before)
        if is_over(page):
            break
        if page.is_enabled("#undo"):
            page.click("#undo")
            page.wait_for_selector(f'#table[data-moves="{before}"]')
            assert page.inner_text("#choices") == choices_before
            undone += 1
            click_on_the_drawing(page, rng)
    assert undone > 2
    page.focus("#slider")
    page.keyboard.press("Home")
    page.wait_for_selector('#table[data-at="0"]')
    assert not page.query_selector_all("#choices button") and page.is_visible("#now")
    page.click("#now")
    page.wait_for_selector(f'#table[data-at="{moves(page)}"]')


def test_analysis_and_explanations_are_shown(page):
    """By keyboard: what a search considers, what a card says; what is asked stays in the window."""
    begin(page, players=3, seed=11)
    page.keyboard.press("c")
    wait_for(page, "#analysis:not([hidden]) li")
    assert "value" in page.inner_text("#analysis")
    page.evaluate("document.querySelector('#drawing').scrollIntoView({block: 'end'})")  # the log lies below both
    beside = page.query_selector("#asked")
    assert page.evaluate("beside => beside.scrollHeight <= beside.offsetHeight", beside)
    place = beside.bounding_box()
    assert place["y"] >= 0 and place["y"] + place["height"] <= WIDE[1]
    page.keyboard.press("?")
    page.keyboard.type("scholar")
    page.wait_for_selector("#analysis:has-text('train a worker')")
    page.keyboard.press("Escape")  # leaves the field
    choices_made, before = "vitienvTable.story.moves.filter(({ seat }) => seat === 0).length", moves(page)
    num_choices = page.evaluate(choices_made)
    page.keyboard.down("1")
    for _ in range(5):  # a key that is held is one choice
        page.keyboard.down("1")
    wait_for_turn(page, before)
    page.keyboard.down("1")
    page.wait_for_selector("#analysis", state="hidden")
    assert page.evaluate(choices_made) == num_choices + 1


def test_people_on_one_device_do_not_see_the_cards_of_others(page):
    begin(page, players=3, seats=("you", "heuristic", "you"))
    assert page.is_visible("#cover")
    questions = set()
    for num_choices in range(12):
        if num_choices == 6:  # a reloaded page belongs to no player
            page.reload()
            page.wait_for_selector("#cover:not([hidden])")
            assert page.is_disabled("#hint") and not page.query_selector_all("#choices button")
            page.wait_for_selector("#uncover:focus")
            page.fill("#word", "scholar")  # nothing is said to nobody, not even that it is refused
            page.focus("#uncover")
        if page.is_visible("#cover"):
            assert not page.is_visible("#choices") and not page.inner_html("#drawing")
            page.wait_for_selector("#uncover:focus")
            page.keyboard.press("Enter")
        page.wait_for_selector("#choices button")
        assert not page.inner_text("#notice")
        questions.add(page.inner_text("#question"))
        before = moves(page)
        click_first(page)
        page.wait_for_selector(f'#table:not([data-moves="{before}"])')
        page.wait_for_selector("#choices button:visible, #cover:not([hidden])")
    assert {words.partition(",")[0] for words in questions} == {"Person 1", "Person 2"}
