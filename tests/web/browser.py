"""A server and a page in a real browser, and what a person does there."""

import shutil
import threading

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright import sync_api

from vitienv.web.server import application, games_of, known_hosts
from vitienv.web.server_socket import listen
from vitienv.web.store import Store

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
IN_CHROMIUM = [  # `make test-web` and `make test-page`
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here (apt-get install chromium)"),
]
WIDE, NARROW = (1280, 800), (390, 844)
PATIENCE = 300.0  # seconds for what may be compiled first
LETTERS = """selector => [...document.querySelectorAll(selector || "#drawing text")].map((own) => ({
    size: parseFloat(getComputedStyle(own).fontSize) * own.getScreenCTM().a, words: own.textContent,
    box: own.getBoundingClientRect().toJSON()}))"""
LEAST = 10.0  # pixels


class Running:
    """A server in a thread, at a free port or at a given one. make: the application, for the hosts that it knows."""

    def __init__(self, make, port=0):
        socket = listen("127.0.0.1", port)  # a page opened before the thread runs waits, and is not refused
        self.port = socket.getsockname()[1]
        self.app = make(known_hosts("127.0.0.1", self.port))
        self.address = f"http://127.0.0.1:{self.port}/"
        self.server = uvicorn.Server(uvicorn.Config(self.app, log_level="error"))
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [socket]}, daemon=True)
        self.thread.start()

    def warm(self):
        """Compile what is needed, as `vitienv play --web` does while it answers."""
        server = self.app.state.server
        server.preparing.is_ready(server.game, server.ruleset)

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


def assert_accessible(page):
    """By axe-core: no serious finding, contrast of at least 4.5 : 1 included."""
    serious = {
        violation["id"]: [node["html"][:200] for node in violation["nodes"]]
        for violation in Axe().run(page).response["violations"]
        if violation["impact"] in ("serious", "critical")
    }
    assert not serious


def wait_for(page, selector, **options):
    """Until it is there; longer than usual only while the page says that something is compiled."""
    while True:
        try:
            return page.wait_for_selector(selector, **options)
        except sync_api.TimeoutError:
            if "compiling" not in page.inner_text("#notice"):
                raise


def begin(page, ruleset="essential", players=2, years=None, seats=(), seed=7):
    wait_for(page, "#begin:not([disabled])")
    page.select_option("#ruleset", ruleset)
    if ruleset != "solo":
        page.select_option("#players", str(players))
    for seat in range(players if ruleset != "solo" else 0):
        name = seats[seat] if seats else "you" if seat == 0 else "random"
        page.select_option(f"#seats label:nth-child({seat + 1}) select", name)
    open_options(page)
    if years:
        page.fill("[name=max_years]", str(years))
    page.fill("#seed", str(seed))
    wait_for(page, "#begin:not([disabled])")  # grey while another game is compiled
    page.click("#begin")
    wait_for(page, "#choices button, #cover:not([hidden])")
    page.evaluate("window.vitienvTable.hurry = true")


def open_options(page):
    page.evaluate("document.querySelector('#new details').open = true")


def moves(page):
    return int(page.get_attribute("#table", "data-moves"))


def wait_for_turn(page, before):
    wait_for(page, f'#table:not([data-moves="{before}"])')
    wait_for(page, "#choices button, #result:not([hidden])")
    page.wait_for_selector("#desk:not(.settling)", state="attached")  # keys and clicks are ignored before


def tab_to(page, selector):
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"{selector} cannot be reached by Tab")


def begin_by_key(page):
    tab_to(page, "#begin")
    page.keyboard.press("Enter")
    page.wait_for_selector("#choices button")
    page.evaluate("window.vitienvTable.hurry = true")
    page.wait_for_selector("#desk:not(.settling)", state="attached")


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
    complete_picks(page)
    wait_for_turn(page, before)


def complete_picks(page):
    """Where a set is asked for, pick the first cards that are left and confirm."""
    if page.query_selector("#confirm"):  # asked once: the next question may be a set too
        while page.query_selector("#confirm:disabled"):
            page.click("#choices [aria-pressed=false] >> nth=0")
        page.click("#confirm")


def opens_group(page):
    return page.get_attribute("#choices button >> nth=0", "data-action") is None


def click_first(page):
    """Take the first choice of the list, also within a group."""
    while opens_group(page):
        page.click("#choices button >> nth=0")
    page.click("#choices button >> nth=0")


def press_first(page):
    """Take the first choice or the first cards of a set by number keys."""
    while opens_group(page):
        page.keyboard.press("1")
    for i in range(page.evaluate("Math.max(1, window.vitienvTable.view.picks)")):
        page.keyboard.press(str(i + 1))
    if page.query_selector("#confirm:focus"):
        page.keyboard.press("Enter")


def press_random(page, rng):
    """Take a choice by random number keys, also within groups, or the first cards of a set."""
    before, buttons = moves(page), "#choices button:not(.grave, #up, #confirm)"
    is_group = True
    while is_group and not page.query_selector("#confirm"):
        key = rng.randint(1, min(page.locator(buttons).count(), 9))
        is_group = page.get_attribute(f"{buttons} >> nth={key - 1}", "data-action") is None
        page.keyboard.press(str(key))
    if is_group:
        press_first(page)
    wait_for_turn(page, before)


def play(page, rng, choose=click_on_the_drawing, max_choices=800):
    """Finish the game by random choices; return their number."""
    for num_choices in range(max_choices):
        if is_over(page):
            return num_choices
        choose(page, rng)
    raise AssertionError(f"not over after {max_choices} choices")


def letters(page, selector="#drawing text"):
    """The smallest and the median size of letters on the drawing or a chart, in pixels."""
    sizes = sorted(letter["size"] for letter in page.evaluate(LETTERS, selector))
    return sizes[0], sizes[len(sizes) // 2]
