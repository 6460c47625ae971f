"""Choices in a real browser that must not be taken by accident, and sets that are asked for at once."""

import json
import random

import pytest

from tests.web.browser import (
    IN_CHROMIUM,
    begin,
    click_first,
    click_on_the_drawing,
    complete_picks,
    is_over,
    moves,
    tab_to,
    wait_for,
)
from tests.web.client import asked_for_two_cards

pytestmark = IN_CHROMIUM
CHOICES = "vitienvTable.story.moves.filter(({ seat }) => seat === 0).length"


def at_placement(page):
    """Take the first choices of year 1 until a worker is to be placed, then play at the usual speed."""
    while not page.query_selector("#choices .grave"):
        before = moves(page)
        click_first(page)
        complete_picks(page)
        wait_for(page, f'#table:not([data-moves="{before}"])')
        wait_for(page, "#choices button")
    page.evaluate("window.vitienvTable.hurry = false")


@pytest.fixture
def page(page):
    begin(page)
    at_placement(page)
    return page


def test_pass_comes_last_and_has_neither_key_nor_focus(page):
    buttons = page.query_selector_all("#choices button")
    assert [button.get_attribute("class") for button in buttons if button.get_attribute("class")] == ["grave"]
    assert buttons[-1].get_attribute("class") == "grave" and not buttons[-1].query_selector("kbd")
    before = moves(page)
    page.keyboard.press("1")
    wait_for(page, f'#table:not([data-moves="{before}"])')
    page.wait_for_selector("#choices button:focus")
    assert page.evaluate("!document.activeElement.matches('.grave')")


def test_pass_asks_again(page):
    before = moves(page)
    page.dblclick("#choices .grave")  # the second click must not answer the question of the first
    page.wait_for_selector("#several[open]")
    assert "summer" in page.inner_text("#several p") and page.inner_text("#none") == "Cancel"
    page.click("#none")
    assert moves(page) == before
    page.click("#choices .grave")
    page.click("#ways button")
    page.wait_for_selector(f'#table:not([data-moves="{before}"])')


def test_a_double_click_is_one_choice(page):
    before = page.evaluate(CHOICES)
    page.dblclick("#choices button >> nth=0")
    page.wait_for_timeout(1_000)
    assert page.evaluate(CHOICES) == before + 1


def test_a_held_enter_is_one_choice(page):
    before = page.evaluate(CHOICES)
    tab_to(page, "#choices button")
    for _ in range(20):
        page.keyboard.down("Enter")
        page.wait_for_timeout(50)
    page.keyboard.up("Enter")
    assert page.evaluate(CHOICES) == before + 1


def test_a_set_is_one_question(running, open_page, tmp_path):
    """Any cards in any order; the last ones of the list first."""
    game = asked_for_two_cards()
    (tmp_path / "game.json").write_text(json.dumps(game.log))
    page = open_page(running.address)
    wait_for(page, "#begin:not([disabled])")
    page.set_input_files("#file", tmp_path / "game.json")
    page.wait_for_selector("#confirm")
    page.evaluate("window.vitienvTable.hurry = true")
    cards = page.query_selector_all("#choices button[aria-pressed]")
    assert page.is_disabled("#confirm")
    hand = page.query_selector_all("#drawing [data-token=card] .live")
    assert len(hand) == len(cards) == 3
    hand[-1].click()
    assert cards[-1].get_attribute("aria-pressed") == "true" and "picked" in hand[-1].get_attribute("class")
    cards[0].click()
    assert page.locator("#drawing .picked").count() == 2 and page.inner_text("#confirm") == "Confirm (2 of 2)"
    page.click("#confirm")
    page.wait_for_selector(f'#table[data-moves="{len(game.moves) + 2}"]')


def test_forced_answers_are_given(running, open_page):
    """In a whole game no question has one answer; about 20 % of the questions had one."""
    page, rng = open_page(running.address), random.Random(3)
    begin(page, players=2, years=3)
    while not is_over(page):
        assert page.evaluate("vitienvTable.view.choices.length") > 1
        click_on_the_drawing(page, rng)
    assert page.evaluate("vitienvTable.story.moves.length") == moves(page)
