"""Many games through a server over HTTP, as pages play them: it grows neither in memory nor in files nor in threads."""

import http.client
import json
import random
import sys
import threading
import time
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.web.test_limits import serving

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux tells of a process in /proc"),
]
PAGES = 3  # concurrent pages
PATIENCE = 900.0  # seconds: a game that nobody has played yet is compiled first
TABLES = [
    ("viticulture", 2, {"max_years": 1}),
    ("viticulture", 1, {"ruleset": "solo", "max_years": 1}),
    ("toscana", 2, {"max_rounds": 1}),
    ("viticulture", 3, {"ruleset": "original", "max_years": 1}),
    ("world", 2, {"max_years": 1}),
]


class Page:
    """Somebody's page: one connection that is kept, and a socket for each table."""

    def __init__(self, port: int, seed: int) -> None:
        self.port, self.rng, self.moves = port, random.Random(seed), 0
        self.own = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.asked = 0.0

    def ask(self, path: str, sent: dict | None = None, status: int = 200) -> dict:
        body = None if sent is None else json.dumps(sent)
        if time.monotonic() - self.asked > 2:  # the server ends connections that are idle
            self.own.close()
        self.own.request("GET" if sent is None else "POST", path, body, {"content-type": "application/json"})
        answer = self.own.getresponse()
        text, self.asked = answer.read(), time.monotonic()
        assert answer.status == status, (path, answer.status, text[:200])
        return json.loads(text) if text.startswith(b"{") else {}

    def play(self, game: str, seats: int, options: dict) -> str:
        """Play a game against random bots with undo, texts and a log that is loaded again; return the table's id."""
        rng = self.rng
        fields = {"game": game, "seats": ["you", *["random"] * (seats - 1)], "seed": rng.randrange(2**32),
                 "options": {"num_players": seats, **options}}  # fmt: skip
        name = self.ask("/api/tables", fields, 201)["id"]
        table = f"/api/tables/{name}"
        socket = connect(f"ws://127.0.0.1:{self.port}{table}/watch", close_timeout=1, ping_interval=None)
        view = self.ask(table)
        while not view["is_over"]:
            at, share = view["moves"], rng.random()
            if view["actor"] not in view["people"]:
                view = self.ask(f"{table}/advance?since={at}", {"at": at})
            elif view["can_undo"] and share < 0.1:
                view = self.ask(f"{table}/undo?since={at}", {})
            elif share < 0.12:
                self.ask(f"{table}/hint")
                self.ask(f"{table}/explain?word=vine")
                self.ask(f"{table}/move", {"action": 10**6, "at": at}, 400)
                share = 1.0
            else:
                move = {"action": rng.choice(view["choices"])["action"], "at": at}
                view = self.ask(f"{table}/move?since={at}", move)
            self.moves += 1
        log = self.ask(f"{table}/log")
        if rng.random() < 0.2:
            self.ask(f"{table}/page")
        if rng.random() < 0.5:
            socket.close()
        else:
            socket.socket.close()  # like a closed page
        if rng.random() < 0.1:
            again = self.ask("/api/logs", {"log": log, "seats": fields["seats"]}, 201)["id"]
            assert self.ask(f"/api/tables/{again}")["moves"] == view["moves"]
        return name


def sizes(process, folder: Path) -> dict[str, int]:
    """Return memory in kB, threads, open files, and files in the directory of a server."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    numbers = {key: int(text.partition(f"{key}:")[2].split()[0]) for key in ("VmRSS", "Threads")}
    files = list(Path(f"/proc/{process.pid}/fd").iterdir())
    return {"memory": numbers["VmRSS"], "threads": numbers["Threads"], "open": len(files),
            "files": sum(1 for _ in folder.iterdir())}  # fmt: skip


def soak(folder: Path, games: int, every: int, before: str = "", report=lambda sizes: None) -> list[dict[str, int]]:
    """Play games on one server; return and `report` its sizes after each `every` games; delete the files."""
    todo, sizes_by_games, faults, lock = list(range(games))[::-1], [], [], threading.Lock()
    done: list[str] = []
    with serving(folder, before) as (process, port):
        pages = [Page(port, seed) for seed in range(PAGES)]

        def play(page: Page) -> None:
            try:
                while todo and not faults:
                    with lock:
                        number = todo.pop()
                    name = page.play(*TABLES[number % len(TABLES)])
                    with lock:
                        done.append(name)
                        if len(done) % every == 0:
                            moves = sum(player.moves for player in pages)
                            sizes_by_games.append({"games": len(done), "moves": moves, **sizes(process, folder)})
                            report(sizes_by_games[-1])
                            for name in done[-every:]:
                                (folder / f"{name}.json").unlink()
            except BaseException as error:
                faults.append(error)

        threads = [threading.Thread(target=play, args=(page,)) for page in pages]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if faults:
            raise faults[0]
        assert process.poll() is None
    return sizes_by_games


def test_a_server_does_not_grow_with_the_games_that_it_has_seen(tmp_path):
    """Sixty games (1,200 moves) after twenty that load all modules; from game 300 to 2,000 a server grew by 3 MB."""
    first, *_, last = soak(tmp_path, games=80, every=20, before="import vitienv.web.store as s; s.IN_MEMORY = 8")
    assert last["games"] == 80 and last["moves"] - first["moves"] > 600
    assert last["memory"] < first["memory"] + 20_000, "kB"
    assert last["open"] <= first["open"] + PAGES and last["threads"] <= first["threads"] + 8
    assert last["files"] <= first["files"] + 20  # the tables of logs that were loaded
