"""Start page: files, form, compilation in the background, address."""

import socket
import threading

import pytest

import vitienv
from tests.command import refused
from tests.web.client import TWO, client_of, new
from vitienv.core.compiling import progress
from vitienv.web import precompilation, server
from vitienv.web.server import STATIC
from vitienv.web.server_socket import listen


def test_bots_and_options_have_descriptions(client):
    rulesets = client.get("/api/options").json()["rulesets"]
    for form in rulesets.values():
        assert form["default_bot"] in form["bots"] and all(form["bots"].values())
        assert len(set(form["bots"].values())) == len(form["bots"])
    levels = [words for bot, words in rulesets["essential"]["bots"].items() if bot.startswith("level:")]
    assert [words.partition(", ")[0] for words in levels] == [f"level {n}" for n in range(1, 11)]
    assert all(words.partition(", ")[2] for words in levels)
    options = {option["name"]: option for ruleset in rulesets.values() for option in ruleset["options"]}
    assert [name for name, option in options.items() if not option["meaning"]] == ["preset"]  # whose choices say it
    assert options["challenge"]["meaning"] == "1 to 8 of the campaign"


def test_form_of_each_ruleset(client):
    """The team's continents from easy to hard, a partner for one seat alone, and who plays there."""
    rulesets = client.get("/api/options").json()["rulesets"]
    world = {option["name"]: option for option in rulesets["world"]["options"]}
    assert world["continent"]["choices"][0] == "greengully" and world["continent"]["meaning"] == "from easy to hard"
    assert world["partner"]["seats"] == [1] and world["partner"]["default"] == "burattino"
    assert world.keys() >= {"events", "parents", "training_visitors", "open_hands"}
    assert rulesets["world"]["default_players"] == 2 and "influence" in rulesets["world"]["topics"]
    assert "policy:champion" in rulesets["solo"]["bots"] and "policy:champion" in rulesets["world"]["bots"]
    assert "cellar" in rulesets["essential"]["bots"] and "cellar" not in rulesets["world"]["bots"]
    assert "open_hands" not in {option["name"] for option in rulesets["essential"]["options"]}


def test_all_games_are_on_one_start_page(tmp_path):
    """The server's game is selected; all other games can be started too."""
    client = client_of(tmp_path)
    options = client.get("/api/options").json()
    titles = {name: option["title"] for name, option in options["rulesets"].items()}
    assert options["first"] == "essential" and titles.keys() >= {"essential", "original", "solo"}
    assert titles["toscana"] == "Toscana" and titles["world"] == "Viticulture World"
    for game, ruleset in (("toscana", ""), ("world", "world"), ("tests.toy.game_spec", "")):
        options = client_of(tmp_path, game, ruleset).get("/api/options").json()
        first = options["rulesets"][options["first"]]
        assert first["game"] == game and first["ruleset"] == (ruleset or vitienv.game_spec(game).rulesets[0])
    for game in ("toscana", "world"):
        table = new(client, game=game, options={"ruleset": game, "num_players": 2})
        for server_client in (client, client_of(tmp_path)):  # after a restart, too
            view = server_client.get(table).json()
            assert (view["game"], view["ruleset"]) == (game, game)
    assert client.post("/api/tables", json=TWO | {"game": "os.path"}).status_code == 400


def test_only_files_of_the_page_are_served(client):
    assert client.get("/").text.startswith("<!doctype html>")
    for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static/server.py", "/static//etc/passwd", "/x"):
        assert client.get(path).status_code in (404, 405)


def test_pages_load_no_foreign_scripts(client):
    for name in ("", *(f"static/{ruleset}" for ruleset in STATIC if ruleset)):
        answer = client.get(f"/{name}")
        text = answer.text
        assert answer.status_code == 200
        assert "http://" not in text and "https://" not in text and "eval(" not in text
    policy = client.get("/").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe-eval" not in policy and "script-src 'self';" in policy


def test_progress_of_a_compilation(client, monkeypatch):
    assert client.get("/api/compiling").json() == {"status": "", "share": None}
    monkeypatch.setattr(progress, "dispatchers_below", lambda kernel: rules)

    class Rule:
        signatures: list[int] = []

    rules = [Rule() for _ in range(4)]
    compilation = progress._Compilation()
    compilation.add("the engine", "a kernel")
    for rule in rules[:2]:
        rule.signatures = [1]
    monkeypatch.setattr(progress.PROGRESS, "_under_way", compilation)
    assert client.get("/api/compiling").json()["status"] == ""  # a short compilation is not reported
    compilation._start -= 11
    assert client.get("/api/compiling").json()["status"].startswith("compiling the engine, 33 %, 11")
    assert client.get("/api/compiling").json()["share"] == pytest.approx(2 / 6)
    for rule in rules:
        rule.signatures = [1]  # the kernel is put together, which takes its time: not all is done
    assert client.get("/api/compiling").json()["share"] == pytest.approx(4 / 6)


class Kernel:
    """A kernel whose size is requested while the progress is computed, as the compiling thread adds another one."""

    def __init__(self, compilation):
        self._compilation, self._added = compilation, False

    def __hash__(self):
        if self._compilation._sizes and not self._added:
            self._added = True
            self._compilation.add("other", "another kernel")
        return 1


def test_progress_while_another_thread_adds_a_kernel(monkeypatch):
    monkeypatch.setattr(progress, "dispatchers_below", lambda kernel: [])
    compilation = progress._Compilation()
    compilation.add("engine", Kernel(compilation))
    assert compilation.share == 0


def test_progress_at_the_start_of_a_compilation(monkeypatch):
    """Another thread never sees a compilation without a kernel."""
    watch, shares = progress.CompilationProgress(), []

    def dispatchers_below(kernel):
        shares.append((watch.share(), watch.status()))
        return []

    class Event:
        data = {"dispatcher": "kernel"}

    monkeypatch.setattr(progress, "dispatchers_below", dispatchers_below)
    monkeypatch.setattr(progress, "SHORT", 0.0)
    watch.add("kernel", "engine", True, lambda: True)
    with watch.silence():
        watch.on_start(Event)
        assert shares == [(None, "")] and watch.share() == 0
        watch._end()


def test_order_of_compilation(client, monkeypatch):
    """The ruleset selected last comes first, hints come last; an error does not stop the thread."""
    done, started, go_on = [], threading.Event(), threading.Event()

    def first_game(game, ruleset):
        started.set()
        assert go_on.wait(60)
        done.append(ruleset)
        if ruleset == "original":
            raise ValueError("failed")

    monkeypatch.setattr(precompilation, "first_game", first_game)
    monkeypatch.setattr(precompilation, "hints", lambda game, ruleset: done.append(f"hints of {ruleset}"))

    def is_ready(ruleset, game="viticulture"):
        return client.post("/api/prepare", json={"game": game, "ruleset": ruleset}).json()["is_ready"]

    assert not is_ready("essential") and started.wait(60)
    assert not is_ready("world", "world") and not is_ready("original") and not is_ready("toscana", "toscana")
    go_on.set()
    assert client.app.state.server.preparing.wait(60)
    assert done[:4] == ["essential", "toscana", "original", "world"]
    assert sorted(done[4:]) == [f"hints of {name}" for name in sorted(done[:4])]
    go_on.clear()
    assert not is_ready("solo") and is_ready("world", "world") and all(map(is_ready, ("essential", "original")))
    go_on.set()
    assert client.app.state.server.preparing.wait(60)
    bodies = {"game": "os.path", "ruleset": "world"}, {"ruleset": "nosuch"}, {"game": "toscana", "ruleset": "solo"}
    for body in bodies:
        assert client.post("/api/prepare", json=body).status_code == 400


def test_internal_errors_are_raised(client, monkeypatch):
    monkeypatch.setattr(server, "ruleset_forms", lambda games: {}["lost"])
    with pytest.raises(KeyError):
        client.get("/api/options")


def test_address_in_use_raises(capsys):
    with listen("127.0.0.1", 0) as at:
        socket.create_connection(at.getsockname(), 5).close()
        with pytest.raises(OSError, match="in use"):
            listen(*at.getsockname())
        refused(capsys, "play", "--web", "--port", at.getsockname()[1])
