"""The drawing in a real browser: choices on it, letters that can be read, a phone, the keyboard."""

import itertools
import random

import pytest

import vitienv
from tests.web.browser import (
    IN_CHROMIUM,
    LEAST,
    LETTERS,
    NARROW,
    WIDE,
    begin,
    click_first,
    click_on_the_drawing,
    letters,
    moves,
    wait_for_turn,
)  # fmt: skip

pytestmark = IN_CHROMIUM
# Words that leave the smallest box around their middle, or touch that of a structure.
OUT_OF_BOXES = """() => {
    const boxes = [...document.querySelectorAll("#drawing rect:not(.v-paper):not(.v-zone)")]
        .map((own) => own.getBoundingClientRect());
    const size = (own) => own.width * own.height;
    return [...document.querySelectorAll("#drawing text")].filter((own) => {
        const { left, right, top, bottom } = own.getBoundingClientRect();
        const x = (left + right) / 2, y = (top + bottom) / 2;
        const around = boxes.filter((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom);
        const box = around.sort((one, other) => size(one) - size(other))[0];
        const free = own.closest("[data-structure]") ? 2 : 0;
        return own.textContent && box && (left < box.left + free || right > box.right - free);
    }).map((own) => own.textContent);
}"""


def test_buttons_on_a_phone(page):
    """On a phone's width the buttons take two rows, and what is not there is one click away."""
    begin(page)
    rng = random.Random(1)
    for _ in range(5):
        click_on_the_drawing(page, rng)
    assert moves(page) > 5 and page.query_selector_all("#story li")
    controls = ("#hint", "#chances", "#undo", "#slider", "#adviser", "#word", "#leave")
    assert all(page.is_visible(word) for word in controls) and not page.is_visible("#menu")
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    page.wait_for_selector("#drawing.one")
    page.focus("#slider")
    page.keyboard.press("Home")
    page.wait_for_selector("#now:visible")
    height = page.evaluate("document.querySelector('nav').getBoundingClientRect().height")
    assert height < 85  # a third row, or a label in two lines, would make it 92 at least
    assert [word for word in controls if not page.is_visible(word)] == ["#adviser", "#word", "#leave"]
    page.click("#menu")
    assert all(page.is_visible(word) for word in controls)
    page.click("#menu")
    assert not page.is_visible("#word")
    page.keyboard.press("?")
    page.keyboard.type("scholar")
    page.wait_for_selector("#analysis:has-text('train a worker')")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    page.click("#leave")
    page.wait_for_selector("#lobby", state="visible")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]


def test_click_shows_the_description_of_a_part(page):
    begin(page)
    click_on_the_drawing(page, random.Random(1))
    before = moves(page)
    groups = page.query_selector_all("#drawing g:not(.live):not(.live *):has(> title)")
    titles = [page.evaluate("group => group.querySelector(':scope > title').textContent", group) for group in groups]
    longest = max(range(len(groups)), key=lambda i: len(titles[i]))
    page.evaluate("group => group.querySelector('rect, text').dispatchEvent(new Event('click', {bubbles: true}))",
                  groups[longest])  # fmt: skip
    assert len(titles[longest]) > 40 and page.inner_text("#notice") == titles[longest]
    assert moves(page) == before


def overlapping(page):
    """Pairs of words of which one covers a third of the other."""
    words = [word for word in page.evaluate(LETTERS) if len(word["words"]) > 1]
    pairs = []
    for first, other in itertools.combinations(words, 2):
        a, b = first["box"], other["box"]
        wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
        tall = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
        min_area = min(a["width"] * a["height"], b["width"] * b["height"])
        if wide > 0 and tall > 0 and 3 * wide * tall > min_area:
            pairs.append((first["words"], other["words"]))
    return pairs


def check_letters(page, width):
    """Of the drawing on a page: large enough, none over another, none beyond the edge."""
    assert letters(page)[0] >= LEAST - 0.05
    assert not overlapping(page)
    beyond = [letter["words"] for letter in page.evaluate(LETTERS)
              if letter["box"]["left"] < 0 or letter["box"]["right"] > width + 0.5]  # fmt: skip
    assert not beyond
    assert not page.evaluate(OUT_OF_BOXES)


def test_letters_on_the_page_are_large_enough(page):
    begin(page, players=4)
    for _ in range(4):
        click_on_the_drawing(page, random.Random(4))
        check_letters(page, WIDE[0])
    assert page.query_selector("#drawing svg").bounding_box()["width"] >= 1000
    for width in (1250, 1249, 1200, 1000, 999, 700, 360):  # at each border of the page's forms, and on a small phone
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate("vitienvTable.past(Infinity)")  # drawn for that width
        check_letters(page, width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_game_begins_at_the_top_of_the_page(page):
    page.set_viewport_size({"width": 1280, "height": 500})
    begin(page)  # the button is below the window
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("columns, width", [(3, 984), (2, 684), (1, 374)])  # windows of 1,000, 700 and 390 pixels
@pytest.mark.parametrize(
    "game, players",
    [*(("viticulture", n) for n in range(2, 7)), *(("world", n) for n in range(1, 7)),
     *(("toscana", n) for n in range(2, 6))],
)  # fmt: skip
def test_letters_of_every_game_are_large_enough(chromium, game, players, columns, width):
    """The drawing alone, as wide as the page shows it."""
    page, rng = chromium.new_page(viewport={"width": width, "height": 800}), random.Random(5)
    table = vitienv.Game.new(game=game, num_players=players, seed=5)
    for step in range(240):
        if table.is_over:
            break
        if step % 47 == 0:
            page.set_content(
                f'<body style="margin:0"><div id="drawing">{table.svg(table.current_seat, columns=columns)}</div>'
            )
            page.add_style_tag(content="svg { display: block; width: 100%; height: auto }")
            check_letters(page, width)
            if columns == 3 and game != "toscana":  # two rows of cards are in sight on a page of 800 pixels
                hand = page.locator("#drawing text", has_text="Your hand, ").locator("xpath=..").bounding_box()
                assert hand["y"] + hand["height"] < (710 if hand["height"] < 250 else 800)
        legal = table.legal_actions()
        table.step(rng.choice([name for name in legal if name != "pass"] or legal))
    page.close()


FONT_SIZES = """() => [...document.querySelectorAll("body *:not(svg *, [type=checkbox])")]
    .map((node) => parseFloat(getComputedStyle(node).fontSize))"""


def test_letters_follow_the_font_size_of_the_browser(page):
    begin(page)
    sizes = page.evaluate(FONT_SIZES)
    page.add_style_tag(content="html { font-size: 24px }")
    assert page.evaluate(FONT_SIZES) == pytest.approx([1.5 * size for size in sizes])


def test_drawing_is_navigated_by_keyboard(page):
    """Also what cannot be chosen: arrows lead to it, and Enter chooses what can be."""
    begin(page)
    click_on_the_drawing(page, random.Random(1))
    before = moves(page)
    page.keyboard.press("t")
    notices = []
    for key in ["ArrowDown"] * 8 + ["ArrowRight"] * 8 + ["ArrowDown"] * 8:
        page.keyboard.press(key)
        notices.append(page.inner_text("#notice"))
        assert notices[-1] == page.evaluate("document.querySelector('#drawing .selected > title').textContent")
    assert len(set(notices)) > 12 and moves(page) == before
    for _ in range(60):
        if page.evaluate("Boolean(document.querySelector('#drawing .selected').closest('.live'))"):
            break
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#table:not([data-moves="{before}"]), #several[open]')


def test_next_question_is_in_sight_on_a_phone(running, open_page):
    """After a choice far below; the numbers of keys are left out."""
    page = open_page(running.address, NARROW, has_touch=True, is_mobile=True)
    begin(page)
    for _ in range(6):
        before = moves(page)
        page.locator("#drawing .live").last.tap()
        if page.query_selector("#several[open]"):
            page.tap("#ways button")
        wait_for_turn(page, before)
        top = page.query_selector("#question").bounding_box()["y"]
        assert 0 <= top < NARROW[1] / 2 and not page.is_visible("#choices kbd")


def test_layout_on_a_phone_is_stable_while_bots_move(running, open_page):
    """The drawing below the choices does not move while others think."""
    page = open_page(running.address, NARROW)
    begin(page, players=3)
    page.evaluate("""() => {
        window.seen = [];
        const note = () => {
            const top = document.getElementById("drawing").getBoundingClientRect().top + scrollY;
            window.seen.push([document.querySelector("#choices button") !== null, Math.round(top)]);
            requestAnimationFrame(note);
        };
        note();
    }""")
    for _ in range(8):
        before = moves(page)
        click_first(page)
        wait_for_turn(page, before)
    frames = page.evaluate("window.seen")
    waits = [(was, frame) for was, frame in itertools.pairwise(frames) if not frame[0]]
    assert len(waits) > 8  # frames
    assert {frame[1] - was[1] for was, frame in waits} == {0}
