"""The static page in a browser: whole games, and restrictions. `make test-page` builds it."""

import functools
import http.server
import json
import random
import threading
import time
import zipfile

import pytest

import vitienv
from tests.command import parts_of
from tests.random_play import random_game
from tests.web.browser import (
    IN_CHROMIUM,
    click_first,
    click_on_the_drawing,
    complete_picks,
    moves,
    open_options,
    play,
    press_random,
    wait_for_turn,
)  # fmt: skip
from tools.page.build import FOLDER, GAMES, ROOT
from vitienv.web.replay_page import replay_page
from vitienv.web.table import Table

BUILT = ROOT / FOLDER
pytestmark = [
    *IN_CHROMIUM,
    pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="the page is not built (make page)"),
]
TIMEOUT_SECONDS = 120.0
MAX_BYTES = 32_000_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


@pytest.fixture
def page(chromium):
    page = chromium.new_page()
    page.set_default_timeout(1000 * TIMEOUT_SECONDS)
    yield page
    page.close()


def until(page, condition):
    """Wait in Python, as the page's policy forbids evaluating text in the browser's loop."""
    end = time.monotonic() + TIMEOUT_SECONDS
    while not page.evaluate(f"Boolean({condition})"):
        assert time.monotonic() < end, condition
        time.sleep(0.02)


SAVED_TABLE = """new Promise((resolve) => {
  const database = indexedDB.open("vitienv", 1), id = vitienvTable.id;
  database.onsuccess = () => {
    const request = database.result.transaction("tables").objectStore("tables").get(id);
    request.onsuccess = () => resolve(request.result);
  };
})"""


def start_game(page, address, ruleset="toscana", seats=(), campaign=False):
    page.goto(address)
    page.wait_for_selector("#begin:enabled")
    page.select_option("#ruleset", ruleset)
    for seat, bot in enumerate(seats):
        page.select_option(f"#seats label:nth-child({seat + 1}) select", bot)
    if campaign:
        open_options(page)
        page.check("[name=campaign]")
    page.wait_for_selector("#begin:enabled")
    page.click("#begin")
    until(page, "document.querySelector('#choices button')")
    page.evaluate("vitienvTable.hurry = true")
    page.wait_for_selector("#desk:not(.settling)", state="attached")


def saved_table(page):
    return json.loads(page.evaluate(SAVED_TABLE))


def take_first(page):
    """Take the first choice, or the first cards of a set, and wait for the next question."""
    before = moves(page)
    if page.query_selector("#confirm"):
        complete_picks(page)
    else:
        click_first(page)
    wait_for_turn(page, before)


def load_log(page, address, game, tmp_path):
    (tmp_path / "log.json").write_text(json.dumps(game.log))
    page.goto(address)
    page.wait_for_selector("#begin:enabled")
    page.set_input_files("#file", tmp_path / "log.json")


@pytest.mark.parametrize(("ruleset", "width", "height", "choose"), [
    ("toscana", 1280, 800, click_on_the_drawing), ("toscana", 390, 844, press_random),
    ("essential", 1280, 800, press_random), ("essential", 390, 844, click_on_the_drawing),
    ("original", 390, 844, click_on_the_drawing),
    ("solo", 1280, 800, click_on_the_drawing), ("solo", 390, 844, press_random),
    ("world", 1280, 800, click_on_the_drawing), ("world", 390, 844, press_random),
])  # fmt: skip
def test_saved_log_replays_to_the_same_state(page, address, ruleset, width, height, choose):
    page.set_viewport_size({"width": width, "height": height})
    requests, errors = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    start_game(page, address, ruleset)
    play(page, random.Random(7), choose)
    assert not errors
    assert all(url.startswith((address, "data:", "blob:")) for url in requests)
    with page.expect_download() as saved:
        page.click("#result button:has-text('Save the log')")
    log = vitienv.core.files.read_json(saved.value.path())
    # The states of the engine equal those of the native rules.
    assert vitienv.replay(log).log["state"] == log["state"]


def test_game_continues_after_offline_reload(chromium, address):
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * TIMEOUT_SECONDS)
    start_game(page, address)
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    until(page, "navigator.serviceWorker.controller")
    take_first(page)
    before = moves(page)
    context.set_offline(True)
    page.reload()
    until(page, "window.vitienvTable?.view")
    until(page, f"vitienvTable.view.moves >= {before}")
    context.close()


def test_campaign_continues_with_its_next_game(page, address):
    start_game(page, address, "solo", campaign=True)
    play(page, random.Random(8))
    first = page.evaluate("vitienvTable.id")
    page.click("#next")
    until(page, f"vitienvTable.id !== {first!r} && document.querySelector('#choices button')")
    assert "game 2" in page.inner_text("#campaign") or "challenge 2" in page.inner_text("#campaign")


def test_choice_is_undone(page, address):
    start_game(page, address, "essential")
    while not page.evaluate("vitienvTable.view.can_undo"):
        before = moves(page)
        take_first(page)
    page.click("#undo")
    until(page, f"vitienvTable.view.moves === {before}")


@pytest.mark.parametrize("game", GAMES)
def test_game_continues_from_a_log(page, address, game, tmp_path):
    played = random_game(5, moves=30, game=game, num_players=2)
    load_log(page, address, played, tmp_path)
    until(page, "vitienvTable.view?.moves >= 30 && document.querySelector('#choices button')")
    log = saved_table(page)
    assert log["moves"][:30] == played.log["moves"]


@pytest.mark.parametrize("ruleset", ["essential", "original", "world"])
def test_document_contains_no_hands_of_others(page, address, ruleset):
    rng = random.Random(9)
    start_game(page, address, ruleset)
    hidden, visible = set(), set()
    for _ in range(25):
        click_on_the_drawing(page, rng)
        table = Table.from_dict(GAMES, saved_table(page))
        hands = [{card.replace("_", " ") for deck in ("summer", "winter") for card in seat["hand"][deck]}
                 for seat in table.game.to_dict()["seats"]]  # fmt: skip
        view = table.view(0, columns=3)
        text = page.evaluate("document.querySelector('#desk').outerHTML + document.querySelector('#story').outerHTML")
        text, shown_text = text.lower(), json.dumps([view["svg"], view["events"]]).lower()
        assert all((card in text) == (card in shown_text) for card in hands[0] | hands[1])
        visible |= {card for card in hands[0] if card in text}
        hidden |= {card for card in hands[1] if card not in text}
    assert visible and hidden


def test_page_shows_the_progress_of_a_search(page, address):
    start_game(page, address, seats=("you", "level:10"))
    page.evaluate("""() => {
      const question = document.querySelector("#question");
      window.questions = [];
      new MutationObserver(() => questions.push(question.textContent)).observe(question, { childList: true });
    }""")
    for _ in range(8):
        take_first(page)
    assert page.evaluate("questions.some((words) => words.includes(' of 256 simulations'))")


def query(page, path):
    """Return the worker's response about the table."""
    address = f"/api/tables/{page.evaluate('vitienvTable.id')}/{path}"
    return page.evaluate("url => import('./static/transport.js').then(({ request }) => request(url))", address)


def assert_same_analysis(analysis, expected):
    assert [row["title"] for row in analysis["actions"]] == [row["title"] for row in expected["actions"]]
    for row, expected_row in zip(analysis["actions"], expected["actions"]):
        assert row["share"] == expected_row["share"] and abs(row["value"] - expected_row["value"]) < 1e-6
    assert {**analysis, "actions": 0, "value": 0} == {**expected, "actions": 0, "value": 0}
    assert abs(analysis["value"] - expected["value"]) < 1e-6


@pytest.mark.parametrize("ruleset", ["toscana", "essential", "original", "solo", "world"])
def test_analysis_equals_that_of_the_server(page, address, ruleset):
    rng = random.Random(4)
    start_game(page, address, ruleset)
    for _ in range(3):
        if page.evaluate("vitienvTable.view.choices.length") > 1:
            page.keyboard.press("c")
            page.wait_for_selector("#analysis:not([hidden]) li")
            table = Table.from_dict(GAMES, saved_table(page))
            expected = table.analyse()
            assert_same_analysis(query(page, "analysis")["body"], expected)
            assert f"value {expected['value']:.2f}" in page.inner_text("#analysis")
        click_on_the_drawing(page, rng)


@pytest.mark.parametrize("game", GAMES)
def test_finished_game_is_reviewed(page, address, game, tmp_path):
    played = random_game(5, game=game, num_players=2)
    load_log(page, address, played, tmp_path)
    until(page, "vitienvTable.view?.is_over")
    table = Table.from_dict(GAMES, saved_table(page))
    at = next(at for at in range(20, len(played.moves)) if len(table.at(at).legal_actions()) > 1)
    page.evaluate(f"vitienvTable.past({at})")
    until(page, f"vitienvTable.view.at === {at}")
    view = table.view(columns=page.evaluate("vitienvTable.columns()"), at=at)
    assert page.evaluate("vitienvTable.view.svg") == view["svg"]
    page.click("#chances")
    page.wait_for_selector("#analysis:not([hidden]) li")
    assert_same_analysis(query(page, f"analysis?at={at}")["body"], table.analyse(at))
    with page.expect_download(timeout=3000 * TIMEOUT_SECONDS) as saved:  # every move is drawn twice
        page.click("#result button:text('Share replay')")
    text = saved.value.path().read_text(encoding="utf-8")
    assert parts_of(text) == parts_of(replay_page({**table.log, "agents": table.names}))


@pytest.mark.parametrize(("ruleset", "campaign"), [("toscana", False), ("world", False), ("solo", True)])
def test_hints_equal_those_of_the_package(page, address, ruleset, campaign):
    """A campaign has its own network."""
    start_game(page, address, ruleset, campaign=campaign)
    page.click("#hint")
    page.wait_for_selector("#choices .hinted")
    assert "policy:champion would choose" in page.inner_text("#notice")
    for _ in range(10):
        table = Table.from_dict(GAMES, saved_table(page))
        for bot in ("policy:champion", "level:7", table.game.game_spec.heuristic_bot):
            assert query(page, f"hint?bot={bot}")["body"]["action"] == table.hint(bot)
        take_first(page)


def test_log_of_an_unfinished_game_is_refused(page, address):
    start_game(page, address)
    refused = query(page, "log")
    assert refused["status"] == 400 and "reveals hidden information" in refused["body"]["error"]


@pytest.mark.parametrize("archive", ["python.zip", "pyodide/python_stdlib.zip"])
def test_modules_are_bytecode(archive):
    names = zipfile.ZipFile(BUILT / archive).namelist()
    assert sum(name.endswith(".pyc") for name in names) > 100 and not [name for name in names if name.endswith(".py")]


def test_page_has_no_inline_or_external_scripts():
    text = (BUILT / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval'" in text
    assert text.count("<script") == text.count('<script type="module" src="static/') > 0
    assert "cheating is possible" in text
    assert sum(path.stat().st_size for path in BUILT.rglob("*") if path.is_file()) < MAX_BYTES
