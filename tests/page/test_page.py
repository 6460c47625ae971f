"""The page without a server in a real browser: whole games, and what it must not do. `make test-page` builds it."""

import functools
import http.server
import json
import random
import threading
import time
import zipfile

import pytest

import vitienv
from tests.web.browser import CHROMIUM, IN_CHROMIUM
from tools.page.build import FOLDER, GAMES, ROOT
from vitienv.web.frames import unpacked
from vitienv.web.replay_page import replay_page
from vitienv.web.table import Table

BUILT = ROOT / FOLDER
pytestmark = [*IN_CHROMIUM, pytest.mark.skipif(not (BUILT / "index.html").exists(), reason="no page here (make page)")]
PATIENCE = 120.0
MAX_BYTES = 30_000_000


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def chromium():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


def until(page, words):
    """Wait in Python: the page's policy lets nobody evaluate text in a loop of its own."""
    end = time.monotonic() + PATIENCE
    while not page.evaluate(f"Boolean({words})"):
        assert time.monotonic() < end, words
        time.sleep(0.02)


KEPT = """new Promise((done) => {
  const asked = indexedDB.open("vitienv", 1), id = vitienvTable.id;
  asked.onsuccess = () => {
    const got = asked.result.transaction("tables").objectStore("tables").get(id);
    got.onsuccess = () => done(got.result);
  };
})"""


def begun(page, address, ruleset="toscana", seats=(), campaign=False):
    page.goto(address)
    page.wait_for_selector("#begin:enabled", timeout=1000 * PATIENCE)
    page.select_option("#ruleset", ruleset)
    for seat, bot in enumerate(seats):
        page.select_option(f"#seats label:nth-child({seat + 1}) select", bot)
    if campaign:
        page.check("[name=campaign]")
    page.wait_for_selector("#begin:enabled", timeout=1000 * PATIENCE)
    page.click("#begin")
    until(page, "document.querySelector('#choices button')")
    page.evaluate("vitienvTable.hurry = true")


def played(page, choose):
    """A game to its end."""
    while True:
        until(page, "!vitienvTable.busy && !vitienvTable.running && "
                    "(vitienvTable.view.is_over || document.querySelector('#choices button'))")  # fmt: skip
        assert page.query_selector("#notice.wrong") is None, page.inner_text("#notice")
        if page.evaluate("vitienvTable.view.is_over"):
            return
        choose(page, page.evaluate("document.querySelectorAll('#choices button').length"))


def by_click(page, n):
    page.evaluate("i => document.querySelectorAll('#choices button')[i].click()", random.randrange(n))


def by_key(page, n):
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(str(random.randint(1, min(n, 9))))


@pytest.mark.parametrize(("ruleset", "width", "height", "choose"), [
    ("toscana", 1280, 800, by_click), ("toscana", 390, 844, by_key),
    ("essential", 1280, 800, by_key), ("essential", 390, 844, by_click), ("original", 390, 844, by_click),
    ("solo", 1280, 800, by_click), ("solo", 390, 844, by_key),
    ("world", 1280, 800, by_click), ("world", 390, 844, by_key),
])  # fmt: skip
def test_a_game_is_played_and_its_log_taken_home(chromium, address, ruleset, width, height, choose):
    random.seed(7)
    page = chromium.new_page(viewport={"width": width, "height": height})
    asked, wrong = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    begun(page, address, ruleset)
    played(page, choose)
    assert not wrong
    assert all(url.startswith((address, "data:", "blob:")) for url in asked)
    with page.expect_download() as saved:
        page.click("#result button:has-text('Save the log')")
    log = vitienv.core.files.read_json(saved.value.path())
    # The same game where rules are compiled: the page's engine and Python agree with them to the last byte.
    assert vitienv.replay(log).log["state"] == log["state"]
    page.close()


def test_a_game_goes_on_after_a_reload_without_a_network(chromium, address):
    context = chromium.new_context()
    page = context.new_page()
    begun(page, address)
    page.evaluate("navigator.serviceWorker.ready.then(() => 1)")
    until(page, "navigator.serviceWorker.controller")
    by_click(page, 1)
    until(page, "!vitienvTable.busy && !vitienvTable.running")
    moves = page.evaluate("vitienvTable.view.moves")
    context.set_offline(True)
    page.reload()
    until(page, "window.vitienvTable?.view")
    until(page, f"vitienvTable.view.moves >= {moves}")
    context.close()


def test_a_campaign_goes_on_to_its_next_game(chromium, address):
    random.seed(8)
    page = chromium.new_page()
    begun(page, address, "solo", campaign=True)
    played(page, by_click)
    first = page.evaluate("vitienvTable.id")
    page.click("#next")
    until(page, f"vitienvTable.id !== {first!r} && document.querySelector('#choices button')")
    assert "game 2" in page.inner_text("#campaign") or "challenge 2" in page.inner_text("#campaign")
    page.close()


def test_a_choice_that_showed_nothing_is_taken_back(chromium, address):
    page = chromium.new_page()
    begun(page, address, "essential")
    while not page.evaluate("vitienvTable.view.can_undo"):
        by_click(page, 1)
        until(page, "!vitienvTable.busy && !vitienvTable.running")
    moves = page.evaluate("vitienvTable.view.moves")
    page.click("#undo")
    until(page, f"vitienvTable.view.moves === {moves - 1}")
    page.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_log_is_taken_up(chromium, address, game, tmp_path):
    made, rng = vitienv.Game.new(seed=5, game=game, num_players=2), random.Random(5)
    for _ in range(30):
        made.step(rng.choice(made.legal_actions()))
    (tmp_path / "log.json").write_text(json.dumps(made.log))
    page = chromium.new_page()
    page.goto(address)
    page.wait_for_selector("#begin:enabled", timeout=1000 * PATIENCE)
    page.set_input_files("#file", tmp_path / "log.json")
    until(page, "vitienvTable.view?.moves >= 30 && document.querySelector('#choices button')")
    log = json.loads(page.evaluate(KEPT))["log"]
    assert log["moves"][:30] == made.log["moves"]
    page.close()


@pytest.mark.parametrize("ruleset", ["essential", "original", "world"])
def test_hands_of_others_are_not_in_the_document(chromium, address, ruleset):
    random.seed(9)
    page = chromium.new_page()
    begun(page, address, ruleset)
    hidden, own = set(), set()
    for _ in range(25):
        by_click(page, page.evaluate("document.querySelectorAll('#choices button').length"))
        until(page, "!vitienvTable.busy && !vitienvTable.running && document.querySelector('#choices button')")
        table = Table.from_dict(GAMES, json.loads(page.evaluate(KEPT)))
        hands = [{card.replace("_", " ") for deck in ("summer", "winter") for card in seat["hand"][deck]}
                 for seat in table.game.to_dict()["seats"]]  # fmt: skip
        known = table.view(0, columns=3)
        text = page.evaluate("document.querySelector('#desk').outerHTML + document.querySelector('#story').outerHTML")
        text, seen = text.lower(), json.dumps([known["svg"], known["told"]]).lower()
        assert all((card in text) == (card in seen) for card in hands[0] | hands[1])
        own |= {card for card in hands[0] if card in text}
        hidden |= {card for card in hands[1] if card not in text}
    assert own and hidden
    page.close()


def test_the_page_says_how_far_a_search_is(chromium, address):
    page = chromium.new_page()
    begun(page, address, seats=("person", "level:10"))
    page.evaluate("""() => {
      const question = document.querySelector("#question");
      window.seen = [];
      new MutationObserver(() => seen.push(question.textContent)).observe(question, { childList: true });
    }""")
    for _ in range(8):
        by_click(page, 1)
        until(page, "!vitienvTable.busy && !vitienvTable.running && document.querySelector('#choices button')")
    assert page.evaluate("seen.some((words) => words.includes(' of 256 simulations'))")
    page.close()


def asked(page, what):
    """What the worker answers about the table."""
    address = f"/api/tables/{page.evaluate('vitienvTable.id')}/{what}"
    return page.evaluate("where => import('./static/transport.js').then(({ request }) => request(where))", address)


def same_thought(found, right):
    assert [one["words"] for one in found["actions"]] == [one["words"] for one in right["actions"]]
    for one, other in zip(found["actions"], right["actions"]):
        assert one["share"] == other["share"] and abs(one["value"] - other["value"]) < 1e-6
    assert {**found, "actions": 0, "value": 0} == {**right, "actions": 0, "value": 0}
    assert abs(found["value"] - right["value"]) < 1e-6


@pytest.mark.parametrize("ruleset", ["toscana", "essential", "original", "solo", "world"])
def test_chances_are_those_of_the_server(chromium, address, ruleset):
    random.seed(4)
    page = chromium.new_page()
    begun(page, address, ruleset)
    for _ in range(3):
        until(page, "!vitienvTable.busy && !vitienvTable.running && document.querySelector('#choices button')")
        if page.evaluate("vitienvTable.view.choices.length") > 1:
            page.keyboard.press("c")
            page.wait_for_selector("#thought:not([hidden]) li", timeout=1000 * PATIENCE)
            table = Table.from_dict(GAMES, json.loads(page.evaluate(KEPT)))
            right = table.thought()
            same_thought(asked(page, "thought")["told"], right)
            assert f"value {right['value']:.2f}" in page.inner_text("#thought")
        by_click(page, page.evaluate("document.querySelectorAll('#choices button').length"))
    page.close()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_that_is_over_is_looked_at_again(chromium, address, game, tmp_path):
    made, rng = vitienv.Game.new(seed=5, game=game, num_players=2), random.Random(5)
    while not made.is_over:
        made.step(rng.choice(made.legal_actions()))
    (tmp_path / "log.json").write_text(json.dumps(made.log))
    page = chromium.new_page()
    page.goto(address)
    page.wait_for_selector("#begin:enabled", timeout=1000 * PATIENCE)
    page.set_input_files("#file", tmp_path / "log.json")
    until(page, "vitienvTable.view?.is_over")
    table = Table.from_dict(GAMES, json.loads(page.evaluate(KEPT)))
    at = next(at for at in range(20, len(made.moves)) if len(table.at(at).legal_actions()) > 1)
    page.evaluate(f"vitienvTable.past({at})")
    until(page, f"vitienvTable.view.at === {at}")
    view = table.view(columns=page.evaluate("vitienvTable.columns()"), at=at)
    assert page.evaluate("vitienvTable.view.svg") == view["svg"]
    page.click("#chances")
    page.wait_for_selector("#thought:not([hidden]) li", timeout=1000 * PATIENCE)
    same_thought(asked(page, f"thought?at={at}")["told"], table.thought(at))
    with page.expect_download(timeout=3000 * PATIENCE) as saved:  # every move is drawn twice
        page.click("#result button:text('Share replay')")
    text = saved.value.path().read_text(encoding="utf-8")
    assert parts_of(text) == parts_of(replay_page({**table.log, "agents": table.names}))
    page.close()


def parts_of(page):
    """The text of a replay, and what is packed in it: it can be packed otherwise."""
    before, data = page.split('<script type="text/plain" id="data">')
    data, after = data.split("</script>", 1)
    return before, unpacked(data), after


@pytest.mark.parametrize(("ruleset", "campaign"), [("toscana", False), ("world", False), ("solo", True)])
def test_hints_are_those_of_the_package(chromium, address, ruleset, campaign):
    """In a campaign another network plays than at the tables of the ladder."""
    page = chromium.new_page()
    begun(page, address, ruleset, campaign=campaign)
    page.click("#hint")
    page.wait_for_selector("#choices .hinted", timeout=1000 * PATIENCE)
    assert "policy:champion would take" in page.inner_text("#notice")
    for _ in range(10):
        table = Table.from_dict(GAMES, json.loads(page.evaluate(KEPT)))
        for bot in ("policy:champion", "level:7", table.game.game_spec.heuristic_bot):
            assert asked(page, f"hint?bot={bot}")["told"]["action"] == table.hint(bot)
        by_click(page, 1)
        until(page, "!vitienvTable.busy && !vitienvTable.running && document.querySelector('#choices button')")
    page.close()


def test_the_log_of_a_game_that_goes_on_is_refused(chromium, address):
    page = chromium.new_page()
    begun(page, address)
    refused = asked(page, "log")
    assert refused["status"] == 400 and "reveals hidden information" in refused["told"]["error"]
    page.close()


@pytest.mark.parametrize("archive", ["python.zip", "pyodide/python_stdlib.zip"])
def test_no_visit_compiles_modules(archive):
    names = zipfile.ZipFile(BUILT / archive).namelist()
    assert sum(name.endswith(".pyc") for name in names) > 100 and not [name for name in names if name.endswith(".py")]


def test_scripts_stand_in_files_of_the_folder_alone():
    text = (BUILT / "index.html").read_text(encoding="utf-8")
    assert "script-src 'self' 'wasm-unsafe-eval'" in text
    assert text.count("<script") == text.count('<script type="module" src="static/') > 0
    assert "it is for honest players" in text
    assert sum(path.stat().st_size for path in BUILT.rglob("*") if path.is_file()) < MAX_BYTES
