"""The table in a real browser: what happened, the end of a game, the review, accessibility."""

import random
import re

import pytest

from tests.web.browser import IN_CHROMIUM, NARROW, WIDE, begin, click_on_the_drawing, is_over, moves, play, wait_for

pytestmark = IN_CHROMIUM
LIVE = "[aria-live], [role=status], [role=alert], [role=log]"


def place_on(page, space):
    """Play until a worker can be placed on a space of the board, and place it there."""
    rng = random.Random(1)
    while not page.query_selector(f"#drawing .live[data-space^={space}]"):
        click_on_the_drawing(page, rng)
    before = moves(page)
    page.click(f"#drawing .live[data-space^={space}]")
    wait_for(page, f'#table:not([data-moves="{before}"])')
    wait_for(page, "#choices button")


def test_what_happened_since_the_last_choice(running, open_page):
    """A line for each seat, mine first; new cards and workers are marked; the history leads to its positions."""
    page = open_page(running.address)
    begin(page, players=3, seats=("person", "heuristic", "heuristic"))
    place_on(page, "draw_vine")
    lines = page.query_selector_all("#lately li")
    assert len(lines) == 3 and all(line.query_selector("svg") for line in lines)
    assert re.match("You place .*draw ", lines[0].query_selector("span").inner_text())
    assert page.query_selector("#drawing [data-token=card][data-at=hand] > .new-token")
    assert len(page.query_selector_all("#drawing [data-token=worker] > .new-token")) == 3
    assert page.inner_text("#story li:first-child").startswith("Year 1, summer: ")
    page.click("#story li:nth-child(3)")
    at = moves(page) - 2
    page.wait_for_selector(f'#table[data-at="{at}"]')
    assert page.inner_text("#story [aria-current]").endswith(page.inner_text("#lately span"))


def points_in(table):
    rows = [row.inner_text().split("\t") for row in table.query_selector_all("tbody tr")]
    return [sum(int(row[seat]) for row in rows) for seat in (1, 2)]


def test_the_end_has_a_score_sheet_and_leads_on(running, open_page):
    page = open_page(running.address)
    begin(page, years=1)
    first = page.inner_html("#drawing")
    first_id = page.evaluate("vitienvTable.id")
    play(page, random.Random(2))
    scores = page.evaluate("vitienvTable.view.scores")
    assert [points_in(table) for table in page.query_selector_all("#result table")] == [scores, scores]
    assert page.locator("#result polyline").count() == 2
    with page.expect_download() as download:
        page.click("text=Share replay")
    assert download.value.suggested_filename == "game.html"
    for button, is_same in (("Same table, new deal", False), ("Play again", True)):
        page.click(f"text={button}")
        page.wait_for_selector("#choices button")
        page.wait_for_selector("#result", state="hidden")
        assert page.evaluate("vitienvTable.view.names") == ["You", "random"]
        assert (page.inner_html("#drawing") == first) == is_same
        page.goto(f"{running.address}#{first_id}")
        page.wait_for_selector("#result:not([hidden])")


def test_a_game_is_reviewed_by_keys_and_buttons(running, open_page):
    page = open_page(running.address)
    begin(page)
    for _ in range(3):
        click_on_the_drawing(page, random.Random(3))
    end = moves(page)
    page.evaluate("document.activeElement.blur()")
    for key, at in (("ArrowLeft", end - 1), ("ArrowLeft", end - 2), ("ArrowRight", end - 1), ("Home", 0)):
        page.keyboard.press(key)
        page.wait_for_selector(f'#table[data-at="{at}"]')
    page.click("#following")
    page.wait_for_selector('#table[data-at="1"]')
    words = page.evaluate("vitienvTable.story.moves[0].text")
    assert page.inner_text("#lately span") == words
    assert page.inner_text("#question") == f"Viewing move 1 of {end}."
    page.keyboard.press("End")
    page.wait_for_selector(f'#table[data-at="{end}"]')
    assert page.query_selector("#choices button") and not page.is_visible("#now")


def test_the_table_has_landmarks_and_speaks_once_a_turn(running, open_page):
    page = open_page(running.address)
    begin(page)
    assert page.evaluate("document.querySelectorAll('main').length") == 1
    assert page.inner_text("h1") == "Viticulture, essential"
    assert page.get_attribute("#drawing svg", "role") == "group"
    page.focus("#story")
    page.evaluate("""selector => {
        window.spoken = [];
        for (const region of document.querySelectorAll(selector)) {
            const note = () => region.textContent.trim() && window.spoken.push(region.textContent);
            new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true });
        }
    }""", LIVE)  # fmt: skip
    rng, turns = random.Random(4), 4
    for _ in range(turns):
        click_on_the_drawing(page, rng)
    spoken = page.evaluate("window.spoken")
    assert len(spoken) == turns and spoken[-1].endswith(page.inner_text("#question"))


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_at_most_nine_choices_are_listed(running, open_page, size):
    """World asks for one of up to 28 placements; a kind of worker and groups leave nine buttons."""
    page, rng = open_page(running.address, size), random.Random(5)
    begin(page, "world", 2)
    max_choices = 0
    for _ in range(25):
        if is_over(page):
            break
        max_choices = max(max_choices, page.evaluate("vitienvTable.view.choices.length"))
        assert page.evaluate("vitienvTable.view.picks") or page.locator("#choices button").count() <= 9
        click_on_the_drawing(page, rng)
    assert max_choices > 9


def test_a_group_is_opened_and_left(running, open_page, tmp_path):
    """Toscana's squares by their goods; Cancel and Escape lead back."""
    page = open_page(running.address)
    begin(page, "toscana", 2)
    before = moves(page)
    entries = page.inner_text("#choices")
    page.wait_for_selector("#desk:not(.settling)")  # keys are ignored before
    page.keyboard.press("1")
    page.wait_for_selector("#up")
    assert page.locator("#choices [data-action]").count() > 1
    page.keyboard.press("Escape")
    assert page.inner_text("#choices") == entries and moves(page) == before
    page.click("#choices button >> nth=0")
    assert page.inner_text("#up") == "Cancel"
    page.click("#up")
    assert page.inner_text("#choices") == entries and moves(page) == before


def test_a_placement_is_one_click_on_the_board(running, open_page):
    """Of a regular worker, and after `w` of the grande worker."""
    page = open_page(running.address)
    begin(page)
    place_on(page, "draw_vine")  # waits for the placement: no question in between
    while "grande" not in page.inner_text("#kinds"):
        click_on_the_drawing(page, random.Random(1))
    page.keyboard.press("w")
    assert page.inner_text("#kinds [aria-pressed=true]") == "grande"
    before = moves(page)
    page.click("#drawing .live[data-space] >> nth=0")
    wait_for(page, f'#table:not([data-moves="{before}"])')
    assert "grande" in page.evaluate("vitienvTable.story.moves")[before]["text"]
