"""The pages in a real browser: games are played by clicking, by keyboard alone, at two widths.

`make test` runs the short form where Chromium is installed; `make test-web` runs all.
"""

import itertools
import json
import random
import shutil
import threading
import time

import pytest
import uvicorn
from playwright import sync_api

import vitienv
from vitienv.core.progress import WATCH
from vitienv.web import games_page, preparing, watch
from vitienv.web.listen import listening
from vitienv.web.replay_page import replay_page
from vitienv.web.server import application, games_of, known_hosts
from vitienv.web.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)")
WIDE, NARROW = (1280, 800), (390, 844)
PATIENCE = 300.0  # seconds for what may be compiled first


class Running:
    """A server in a thread, at a free port or at a given one. make: the application, for the hosts that it knows."""

    def __init__(self, make, port=0):
        socket = listening("127.0.0.1", port)  # a page opened before the thread runs waits, and is not refused
        self.port = socket.getsockname()[1]
        self.app = make(known_hosts("127.0.0.1", self.port))
        self.address = f"http://127.0.0.1:{self.port}/"
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="error"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [socket]}, daemon=True)
        self.thread.start()

    def warm(self):
        """Compile what is needed, as `vitienv play --web` does while it answers."""
        own = self.app.state.server
        own.preparing.is_ready(own.game, own.ruleset)

    def stop(self):
        """Until nothing is left of it: neither its port, nor work that another test would measure."""
        self.server.should_exit = True
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()
        preparing = getattr(getattr(self.app.state, "server", None), "preparing", None)
        assert preparing is None or preparing.wait(PATIENCE)


def tables(folder, port=0, game="viticulture", is_warm=True):
    """The server of `vitienv play --web`, which compiles what it needs while it answers."""
    server = Running(lambda hosts: application(Store(folder, games_of(game)), game, hosts), port)
    if is_warm:
        server.warm()
    return server


@pytest.fixture
def running(tmp_path):
    server = tables(tmp_path / "tables")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def chromium():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium):
    """Opens pages; at the end none may have had an error but those with `but` in them, or asked anything of another
    server."""
    pages, wrong = [], []

    def opened(address, size=WIDE, but="\0", **more):
        page = chromium.new_page(viewport={"width": size[0], "height": size[1]}, **more)
        page.set_default_timeout(60_000)
        page.on("console", lambda message: wrong.append(message.text)
                if message.type in ("error", "warning") and but not in message.text else None)  # fmt: skip
        page.on("pageerror", lambda error: wrong.append(str(error)))
        own = address.partition("#")[0].removeprefix("file://")
        page.on("request", lambda asked: None if own in asked.url or asked.url.startswith(("data:", "blob:"))
                else wrong.append(asked.url))  # fmt: skip
        page.goto(address)
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert not wrong


def wait_for(page, selector, **more):
    """Until it is there; longer than usual only while the page says that something is compiled."""
    while True:
        try:
            return page.wait_for_selector(selector, **more)
        except sync_api.TimeoutError:
            if "compiling" not in page.inner_text("#notice"):
                raise


def begin(page, ruleset="essential", players=2, years=None, seats=(), seed=7):
    wait_for(page, "#begin:not([disabled])")
    page.select_option("#ruleset", ruleset)
    if ruleset != "solo":
        page.select_option("#players", str(players))
    for seat in range(players if ruleset != "solo" else 0):
        name = seats[seat] if seats else "person" if seat == 0 else "random"
        page.select_option(f"#seats label:nth-child({seat + 1}) select", name)
    if years:
        page.fill("[name=max_years]", str(years))
    page.fill("#seed", str(seed))
    wait_for(page, "#begin:not([disabled])")  # grey while another game is compiled
    page.click("#begin")
    wait_for(page, "#choices button, #cover:not([hidden])")
    page.evaluate("window.vitienvTable.hurry = true")


def moves(page):
    return int(page.get_attribute("#table", "data-moves"))


def wait_for_turn(page, before):
    wait_for(page, f'#table:not([data-moves="{before}"])')
    wait_for(page, "#choices button, #result:not([hidden])")


def tab_to(page, selector):
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


def is_over(page):
    return page.get_attribute("#table", "data-over") == "true"


def click_on_the_drawing(page, rng):
    """One choice by pointing at the drawing; where a place stands for several, one of them in the box that opens."""
    before = moves(page)
    places = page.query_selector_all("#drawing .live")
    place = rng.choice(places)
    place.scroll_into_view_if_needed()
    place.click()
    if page.query_selector("#several[open]"):
        rng.choice(page.query_selector_all("#ways button")).click()
    wait_for_turn(page, before)


def play(page, rng, most=800):
    """Play on by clicking until the game is over; how many choices were made."""
    for made in range(most):
        if is_over(page):
            return made
        click_on_the_drawing(page, rng)
    raise AssertionError(f"not over after {most} choices")


def test_a_few_choices_on_the_drawing(running, open_page):
    narrow = open_page(running.address, NARROW)
    wait_for(narrow, "#begin:not([disabled])")
    assert narrow.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    page = open_page(running.address)
    begin(page)
    rng = random.Random(1)
    for _ in range(5):
        click_on_the_drawing(page, rng)
    assert moves(page) > 5 and page.query_selector_all("#story li")
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE[0]
    check_narrow_table(page)


def check_narrow_table(page):
    """On a phone's width the buttons take two rows, and what is not there is one click away."""
    controls = ("#hint", "#chances", "#undo", "#slider", "#adviser", "#word", "#leave")
    assert all(page.is_visible(one) for one in controls) and not page.is_visible("#menu")
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    page.wait_for_selector("#drawing.one")
    page.focus("#slider")
    page.keyboard.press("Home")
    page.wait_for_selector("#now:visible")
    height = page.evaluate("document.querySelector('nav').getBoundingClientRect().height")
    assert height < 85  # a third row, or a label in two lines, would make it 92 at least
    assert [one for one in controls if not page.is_visible(one)] == ["#adviser", "#word", "#leave"]
    page.click("#menu")
    assert all(page.is_visible(one) for one in controls)
    page.click("#menu")
    assert not page.is_visible("#word")
    page.keyboard.press("?")
    page.keyboard.type("scholar")
    page.wait_for_selector("#thought:has-text('train a worker')")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
    page.click("#leave")
    page.wait_for_selector("#lobby", state="visible")


def test_what_the_drawing_has_no_room_for_is_told_by_a_click(running, open_page):
    page = open_page(running.address)
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


LETTERS = """() => [...document.querySelectorAll("#drawing text")].map((own) => ({
    size: parseFloat(getComputedStyle(own).fontSize) * own.getScreenCTM().a, words: own.textContent,
    box: own.getBoundingClientRect().toJSON()}))"""
LEAST = 10.0  # pixels


def letters(page):
    """The smallest and the median size of letters on the drawing, in pixels."""
    sizes = sorted(own["size"] for own in page.evaluate(LETTERS))
    return sizes[0], sizes[len(sizes) // 2]


def overlapping(page):
    """Pairs of words of which one covers a third of the other."""
    words = [own for own in page.evaluate(LETTERS) if len(own["words"]) > 1]
    found = []
    for one, other in itertools.combinations(words, 2):
        a, b = one["box"], other["box"]
        wide = min(a["right"], b["right"]) - max(a["left"], b["left"])
        tall = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
        least = min(a["width"] * a["height"], b["width"] * b["height"])
        if wide > 0 and tall > 0 and 3 * wide * tall > least:
            found.append((one["words"], other["words"]))
    return found


def check_letters(page, width):
    """Of the drawing on a page: large enough, none over another, none beyond the edge."""
    assert letters(page)[0] >= LEAST - 0.05
    assert not overlapping(page)
    beyond = [own["words"] for own in page.evaluate(LETTERS)
              if own["box"]["left"] < 0 or own["box"]["right"] > width + 0.5]  # fmt: skip
    assert not beyond


def test_letters_on_the_page_can_be_read(running, open_page):
    page = open_page(running.address)
    begin(page, players=4)
    for _ in range(4):
        click_on_the_drawing(page, random.Random(4))
        check_letters(page, WIDE[0])
    assert page.query_selector("#drawing svg").bounding_box()["width"] >= 1000
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDE[0]


@pytest.mark.slow
@pytest.mark.parametrize("columns, width", [(3, 984), (2, 684), (1, 374)])  # in windows of 1,000, 700 and 390 pixels
@pytest.mark.parametrize(
    "game, players",
    [*(("viticulture", n) for n in range(2, 7)), *(("world", n) for n in range(1, 7)),
     *(("toscana", n) for n in range(2, 6))],
)  # fmt: skip
def test_letters_of_every_game_can_be_read(chromium, game, players, columns, width):
    """The drawing alone, as wide as the page shows it."""
    page, rng = chromium.new_page(viewport={"width": width, "height": 800}), random.Random(5)
    table = vitienv.Game.new(game=game, num_players=players, seed=5)
    for step in range(240):
        if table.is_over:
            break
        if step % 47 == 0:
            page.set_content(f'<body style="margin:0"><div id="drawing">{table.svg(table.seat, columns=columns)}</div>')
            page.add_style_tag(content="svg { display: block; width: 100%; height: auto }")
            check_letters(page, width)
        legal = table.legal_actions()
        table.step(rng.choice([name for name in legal if name != "pass"] or legal))
    page.close()


def test_what_lies_on_the_table_is_told_by_keyboard(running, open_page):
    """Also what cannot be chosen: arrows lead to it, and Enter chooses what can be."""
    page = open_page(running.address)
    begin(page)
    click_on_the_drawing(page, random.Random(1))
    before = moves(page)
    page.keyboard.press("t")
    told = []
    for key in ["ArrowDown"] * 8 + ["ArrowRight"] * 8 + ["ArrowDown"] * 8:
        page.keyboard.press(key)
        told.append(page.inner_text("#notice"))
        assert told[-1] == page.evaluate("document.querySelector('#drawing .looked > title').textContent")
    assert len(set(told)) > 12 and moves(page) == before
    for _ in range(60):
        if page.evaluate("Boolean(document.querySelector('#drawing .looked').closest('.live'))"):
            break
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector(f'#table:not([data-moves="{before}"]), #several[open]')


def test_nothing_jumps_on_a_phone_while_bots_move(running, open_page):
    """What stands below the choices stays where it is while others think."""
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
        page.click("#choices button")
        wait_for_turn(page, before)
    seen = page.evaluate("window.seen")
    waits = [(was, now) for was, now in itertools.pairwise(seen) if not now[0]]
    assert len(waits) > 8  # frames
    assert {now[1] - was[1] for was, now in waits} == {0}


def test_the_page_tells_how_far_the_compilation_is(tmp_path, open_page, monkeypatch):
    """Of the rules that are chosen; a game of others, which are compiled, begins meanwhile."""
    go_on = threading.Event()
    monkeypatch.setattr(preparing, "first_game", lambda game, ruleset: ruleset != "world" or go_on.wait(PATIENCE))
    monkeypatch.setattr(preparing, "hints", lambda game, ruleset: None)
    server = tables(tmp_path / "tables", is_warm=False)
    try:
        page, other = open_page(server.address), open_page(server.address)
        page.wait_for_selector("#begin:not([disabled])")
        page.select_option("#ruleset", "world")
        monkeypatch.setattr(WATCH, "told", lambda: "compiling the bots, 25 %, 11 s")
        monkeypatch.setattr(WATCH, "share", lambda: 0.25)
        page.wait_for_selector("#notice:has-text('Viticulture World is made ready'):has-text('25 %')")
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


def test_the_page_is_there_at_once(running, open_page):
    """Within two seconds of processor time, the server's and the page's, once the engine is compiled."""
    assert running.app.state.server.preparing.wait(PATIENCE)
    page = open_page(running.address)
    wait_for(page, "#begin:not([disabled])")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    start = time.process_time()
    page.reload()
    page.wait_for_selector("#begin:not([disabled])")
    page.click("#begin")
    page.wait_for_selector("#choices button")
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    assert metrics["TaskDuration"] > 0
    assert metrics["TaskDuration"] + time.process_time() - start < 2


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
@pytest.mark.parametrize("ruleset, players", [("essential", 2), ("original", 3), ("essential", 4), ("solo", 1),
                                               ("world", 2)])  # fmt: skip
def test_a_whole_game_by_clicking(running, open_page, ruleset, players, size):
    page = open_page(running.address, size)
    begin(page, ruleset, players, years=None if ruleset == "world" else 2)
    rng = random.Random(players)
    for _ in range(4):
        click_on_the_drawing(page, rng)
    before = moves(page)
    page.reload()  # in the middle of a game
    page.wait_for_selector(f'#table[data-moves="{before}"]')
    page.evaluate("window.vitienvTable.hurry = true")
    assert play(page, rng) > 4
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert f"seat {players}" in page.inner_text("#result")
    with page.expect_download() as taken:
        page.click("#result a >> nth=0")
    log = json.loads(taken.value.path().read_text())
    assert vitienv.replay(log).is_over and len(log["moves"]) == moves(page)


@pytest.mark.slow
def test_two_windows_on_one_table_stay_in_step(running, open_page):
    one, rng = open_page(running.address), random.Random(1)
    begin(one)
    two = open_page(one.url)
    two.wait_for_selector("#choices button")
    for here, there in (one, two), (two, one), (one, two):
        click_on_the_drawing(here, rng)
        there.wait_for_selector(f'#table[data-moves="{moves(here)}"]')
        there.wait_for_selector("#choices button")
        assert there.inner_text("#choices") == here.inner_text("#choices")
    assert one.inner_text("#story") == two.inner_text("#story")


@pytest.mark.slow
def test_a_page_whose_socket_is_refused_works(running, open_page, monkeypatch):
    monkeypatch.setattr(watch, "MOST_SOCKETS", 0)
    page, rng = open_page(running.address, but="WebSocket"), random.Random(1)
    begin(page)
    for _ in range(3):
        click_on_the_drawing(page, rng)
    page.reload()
    page.wait_for_selector("#choices button")


@pytest.mark.slow
def test_a_team_on_a_continent(running, open_page):
    """What is chosen for World is played: alone beside nobody, with words of its own."""
    page = open_page(running.address, NARROW)
    wait_for(page, "#begin:not([disabled])")
    page.select_option("#ruleset", "world")
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
    page.wait_for_selector("#thought:has-text('Innovate takes a tile')")


@pytest.mark.slow
def test_keyboard_alone_is_enough(running, open_page):
    page = open_page(running.address)
    wait_for(page, "#begin:not([disabled])")
    tab_to(page, "[name=max_years]")
    page.keyboard.type("2")
    tab_to(page, "#begin")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices button")
    page.evaluate("window.vitienvTable.hurry = true")
    ways = ["1", "Enter", "drawing"]
    for made in range(200):
        if is_over(page):
            break
        before, way = moves(page), ways[made % 3]
        if way == "1":
            page.keyboard.press("1")
        else:
            tab_to(page, "#choices button" if way == "Enter" else "#drawing .live")
            page.keyboard.press("Enter")
            if page.query_selector("#several[open]"):
                page.keyboard.press("Tab")
                page.keyboard.press("Enter")
        wait_for_turn(page, before)
    assert is_over(page) and made > 6
    tab_to(page, "#result a")


@pytest.mark.slow
def test_a_campaign_by_keyboard(running, open_page):
    """A whole game of it, a reload, and the next one."""
    page = open_page(running.address)
    wait_for(page, "#begin:not([disabled])")
    tab_to(page, "#ruleset")
    page.keyboard.type("Viticulture, solo")
    tab_to(page, "[name=campaign]")
    page.keyboard.press("Space")
    tab_to(page, "#begin")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices button")
    page.evaluate("window.vitienvTable.hurry = true")
    assert "challenge 1, game 1" in page.inner_text("#campaign")
    for _ in range(400):
        if is_over(page):
            break
        before = moves(page)
        page.keyboard.press("1")
        wait_for_turn(page, before)
    page.reload()
    page.wait_for_selector("#next")
    tab_to(page, "#next")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices button")
    assert "game 2" in page.inner_text("#campaign") and moves(page) == 0 and not page.is_visible("#result")


@pytest.mark.slow
def test_hint_undo_and_history(running, open_page):
    page = open_page(running.address)
    begin(page, seed=3)
    rng = random.Random(2)
    undone = 0
    for _ in range(40):
        before, chosen = moves(page), page.inner_text("#choices")
        page.keyboard.press("h")
        wait_for(page, "#choices .hinted")
        page.click("#choices .hinted")
        wait_for_turn(page, before)
        if is_over(page):
            break
        if page.is_enabled("#undo"):
            page.click("#undo")
            page.wait_for_selector(f'#table[data-moves="{before}"]')
            assert page.inner_text("#choices") == chosen
            undone += 1
            click_on_the_drawing(page, rng)
    assert undone > 2
    page.focus("#slider")
    page.keyboard.press("Home")
    page.wait_for_selector('#table[data-at="0"]')
    assert not page.query_selector_all("#choices button") and page.is_visible("#now")
    page.click("#now")
    page.wait_for_selector(f'#table[data-at="{moves(page)}"]')


@pytest.mark.slow
def test_chances_and_words(running, open_page):
    """By keyboard: what a search considers, what a card says; what is asked stays in the window."""
    page = open_page(running.address)
    begin(page, players=3, seed=11)
    page.keyboard.press("c")
    wait_for(page, "#thought:not([hidden]) li")
    assert "value" in page.inner_text("#thought")
    page.evaluate("document.querySelector('#drawing').scrollIntoView({block: 'end'})")  # the log lies below both
    beside = page.query_selector("#asked")
    assert page.evaluate("beside => beside.scrollHeight <= beside.offsetHeight", beside)
    place = beside.bounding_box()
    assert place["y"] >= 0 and place["y"] + place["height"] <= WIDE[1]
    page.keyboard.press("?")
    page.keyboard.type("scholar")
    page.wait_for_selector("#thought:has-text('train a worker')")
    page.keyboard.press("Tab")
    page.click("#choices button")
    page.wait_for_selector("#thought", state="hidden")
    page.wait_for_selector("#choices button")


@pytest.mark.slow
def test_people_who_pass_the_machine_do_not_see_each_others_cards(running, open_page):
    page = open_page(running.address)
    begin(page, players=3, seats=("person", "heuristic", "person"))
    seen = set()
    for _ in range(12):
        if page.is_visible("#cover"):
            assert not page.is_visible("#choices") and not page.inner_html("#drawing")
            page.keyboard.press("Enter")  # on "Show my table"
        page.wait_for_selector("#choices button")
        seen.add(page.inner_text("#question"))
        before = moves(page)
        page.click("#choices button >> nth=0")
        page.wait_for_selector(f'#table:not([data-moves="{before}"])')
        page.wait_for_selector("#choices button:visible, #cover:not([hidden])")
    assert {words.partition(",")[0] for words in seen} == {"Person 1", "Person 2"}


@pytest.mark.slow
def test_a_game_goes_on_after_the_server_was_started_again(tmp_path, open_page):
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


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_replay_is_stepped_through(tmp_path, open_page, size):
    game, rng = vitienv.Game.new(num_players=3, seed=2), random.Random(2)
    for _ in range(150):
        game.step(rng.choice(game.legal_actions()))
    file = tmp_path / "game.html"
    agents = ["random", "ismcts:milliseconds=1000,policy=champion", "heuristic"]
    file.write_text(replay_page({**game.log, "agents": agents}), encoding="utf-8")
    page = open_page(file.as_uri(), size)
    page.wait_for_selector("#drawing svg")
    least, _ = letters(page)
    assert least >= LEAST
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#told").startswith("1 of 150")
    page.select_option("#year", label="2")
    assert page.text_content("#drawing svg > title").startswith("Year 2")
    page.keyboard.press("End")
    assert page.inner_text("#told").startswith("150 of 150")
    page.click("#first")
    page.select_option("#speed", "200")
    page.click("#play")
    page.wait_for_selector("#moves li:nth-of-type(n + 5)[aria-current]", state="attached")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_replay_shows_what_was_considered(tmp_path, open_page, size):
    game, rng = vitienv.Game.new(num_players=2, seed=2, max_years=1), random.Random(2)
    while not game.is_over:
        game.step(rng.choice(game.legal_actions()))
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


@pytest.mark.slow
def test_a_tournament_is_looked_through_by_keyboard(open_page):
    """The table of games, those of one bot, one of them as a replay, and back."""
    logs = []
    for seed in range(3):
        game, rng = vitienv.Game.new(num_players=2 + (seed == 2), seed=seed, max_years=1), random.Random(seed)
        while not game.is_over:
            game.step(rng.choice(game.legal_actions()))
        agents = ["random", "heuristic" if seed else "cellar", "random"][: game.num_players]
        facts = {"agents": agents, "scores": game.scores, "ranks": game.ranking, "year": game.round}
        logs.append({**game.log, **facts})
    games = games_page.Games("A tournament", logs, logs.__getitem__)
    server = Running(lambda hosts: games_page.application(games, hosts))
    try:
        page = open_page(server.address, NARROW)
        assert [len(row.query_selector_all("td")) for row in page.query_selector_all("tbody tr")] == [6, 6, 6]
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW[0]
        tab_to(page, "nav a[href*=cellar]")
        page.keyboard.press("Enter")
        page.wait_for_selector("tbody tr:only-child")
        tab_to(page, "tbody a")
        page.keyboard.press("Enter")
        page.wait_for_selector("#drawing svg")
        page.keyboard.press("End")
        assert page.inner_text("#told").startswith(f"{len(logs[0]['moves'])} of {len(logs[0]['moves'])}")
        page.go_back()
        page.wait_for_selector("tbody tr:only-child")
    finally:
        server.stop()
