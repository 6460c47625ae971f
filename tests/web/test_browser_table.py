"""The table in a real browser: what happened, the end of a game, the review, accessibility."""

import random
import re

import pytest

from tests.random_play import random_game
from tests.web.browser import (
    IN_CHROMIUM,
    LEAST,
    NARROW,
    PATIENCE,
    WIDE,
    assert_accessible,
    begin,
    click_on_the_drawing,
    is_over,
    letters,
    moves,
    play,
    wait_for,
)  # fmt: skip
from vitienv.agents.game_level import levels_in
from vitienv.agents.luck import luck
from vitienv.web.table import Table

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


def test_moves_since_the_last_choice_are_listed(page):
    """A line for each seat, mine first; new cards and workers are marked; the history leads to its positions."""
    begin(page, players=3, seats=("you", "heuristic", "heuristic"))
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


def test_result_has_a_score_sheet_and_starts_the_next_game(running, page):
    begin(page, years=1)
    first = page.inner_html("#drawing")
    first_id = page.evaluate("vitienvTable.id")
    play(page, random.Random(2))
    scores = page.evaluate("vitienvTable.view.scores")
    assert [points_in(table) for table in page.query_selector_all("#result table")] == [scores, scores]
    assert page.locator("#result polyline").count() == 2
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    assert letters(page, ".sheet svg text")[0] >= LEAST
    page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
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


def add_finished_table(running, game, **options):
    server = running.app.state.server
    assert server.preparing.wait(PATIENCE)  # two threads cannot import the rules of games at once
    game = random_game(5, game=game, num_players=2, **options)
    return server.store.add(Table(game, ["you", "random"])), game


@pytest.mark.parametrize("game", ["viticulture", "world"])
def test_the_end_is_followed_by_a_review(running, open_page, game):
    """Luck and play add up, and each sentence leads to its position."""
    table, finished = add_finished_table(running, game)
    report, levels = luck(finished), levels_in(finished)
    page = open_page(f"{running.address}#{table}")
    page.wait_for_selector("#review .list", timeout=1000 * PATIENCE)
    for width, height in (NARROW, WIDE):
        page.set_viewport_size({"width": width, "height": height})
        assert_accessible(page)
    rows = [row.inner_text().split("\t") for row in page.query_selector_all("#review tbody tr")]
    assert [row[0] for row in rows] == ["Start", "Luck", "Play", "Result"]
    for seat in (0, 1):
        start, fortune, decisions, result = (float(row[1 + seat]) for row in rows)
        assert abs(start + fortune + decisions - result) < 0.2 and abs(fortune - 100 * report.luck[seat]) < 0.1
    assert page.locator("#review polyline").count() == 2
    sentence = f"You played like {levels[0].describe()}." if game == "viticulture" else "Luckiest draws, "
    assert page.inner_text("#review p >> nth=0").startswith(sentence)
    draws, worst, best = page.query_selector_all("#review .list")
    (seat, draw), *_ = report.luckiest(range(2), 1)
    name = "the team" if game == "world" else ("you", "random")[seat]
    assert draws.query_selector("li").inner_text().endswith(f"{100 * draw.luck[seat]:+.1f} % for {name}.")
    for sentences in (worst, best):
        losses = [
            float(re.search(r"by (\d\.\d\d)", line.inner_text())[1]) for line in sentences.query_selector_all("li")
        ]
        assert 0 < len(losses) <= 5 and losses == sorted(losses, reverse=True)
    worst.query_selector("button").click()
    page.wait_for_selector(f'#table:not([data-at="{len(finished.moves)}"])')
    at = int(page.get_attribute("#table", "data-at"))
    text = page.evaluate(f"vitienvTable.story.moves[{at}].text")
    assert text.partition(". ")[0] in worst.query_selector("li").inner_text() and text.startswith("You ")
    assert page.evaluate("document.querySelector('#drawing').getBoundingClientRect().top") < WIDE[1] / 2


def test_a_review_without_luck_says_so(running, open_page):
    table, _ = add_finished_table(running, "viticulture", max_years=1)
    page = open_page(f"{running.address}#{table}")
    page.wait_for_selector("#review .list", timeout=1000 * PATIENCE)
    assert page.inner_text("#review p >> nth=0") == "Luck cannot be estimated: game must be finished."
    assert page.locator("#review .list").count() == 2


def test_a_game_is_reviewed_by_keys_and_buttons(page):
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


def test_table_has_landmarks_and_one_announcement_per_turn(page):
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
        choices = page.evaluate("vitienvTable.view.choices")
        max_choices = max(max_choices, len(choices))
        assert page.evaluate("vitienvTable.view.picks") or page.locator("#choices button:not(.grave)").count() <= 9
        assert page.locator("#choices .grave").count() == sum(choice["is_grave"] for choice in choices)
        click_on_the_drawing(page, rng)
    assert max_choices > 9


def test_a_group_is_opened_and_left(page, tmp_path):
    """Toscana's squares by their goods; Cancel and Escape lead back."""
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


def test_a_placement_is_one_click_on_the_board(page):
    """Of a regular worker, and after `w` of the grande worker."""
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
