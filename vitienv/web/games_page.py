"""Server of a tournament: its page, in which each game opens as a replay (`vitienv replay FOLDER --web`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from vitienv.training.evaluation.merge import load_finished
from vitienv.training.evaluation.tournament import read_results
from vitienv.training.report.games_file import read_games
from vitienv.training.report.standings_page import MAX_LISTED_GAMES, page_of
from vitienv.web.middleware import HEADERS, LOOPBACK, Guard, known_hosts
from vitienv.web.replay_page import replay_page
from vitienv.web.server_socket import listen, run

CACHED_REPLAYS = 8
# A replay contains its script and makes no requests.
REPLAY_HEADERS = HEADERS | {
    "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
PAGE_HEADERS = {name: text.replace("script-src 'unsafe-inline'; ", "") for name, text in REPLAY_HEADERS.items()}


class Games:
    """Games of a finished tournament and their replays. read: returns the log with an index."""

    def __init__(self, folder: Path, read: Callable[[int], dict[str, Any]]) -> None:
        settings = load_finished(folder)
        self.frame, self.results, self.read = read_games(folder, settings), read_results(folder, settings), read
        self.bots = sorted(set(settings.agents))
        self._lock, self._pages = threading.Lock(), {}  # type: ignore[var-annotated]

    def __len__(self) -> int:
        return int(self.frame["game"].nunique())

    async def table(self, request: Request) -> Response:
        """Return the page of the tournament with the games of one bot or of all, from one on."""
        bot, first = request.query_params.get("bot", ""), request.query_params.get("from", "0")
        if (bot and bot not in self.bots) or not (first.isascii() and first.isdigit() and len(first) < 9):
            return PlainTextResponse("unknown bot or page", 404)
        return HTMLResponse(await run_in_threadpool(self._page, bot, int(first)))

    async def game(self, request: Request) -> Response:
        """Return a game as a replay."""
        number = request.path_params["number"]
        if number >= len(self):
            return PlainTextResponse(f"unknown game {number}; the last one is {len(self) - 1}", 404)
        return HTMLResponse(await run_in_threadpool(self._replay, number))

    def _replay(self, number: int) -> str:
        with self._lock:
            if number not in self._pages:
                self._pages[number] = replay_page(self.read(number))
                while len(self._pages) > CACHED_REPLAYS:
                    del self._pages[next(iter(self._pages))]
            return self._pages[number]

    def _page(self, bot: str, first: int) -> str:
        frame = self.frame[self.frame["game"] >= first]
        if bot:
            frame = frame[frame["game"].isin(frame["game"][frame["agent"] == bot])]
        paths = {str(number): f"/game/{number}" for number in frame["game"]}
        queries: dict[str, dict[str, Any]] = {"all": {}, **{name: {"bot": name} for name in self.bots}}
        queries |= {f"from game {at}": {"bot": bot, "from": at} for at in range(0, len(self), MAX_LISTED_GAMES)[1:]}
        links = [f'<a href="/?{escape(urlencode(query))}">{escape(name)}</a>' for name, query in queries.items()]
        return page_of(frame, self.results, paths, f"<nav>Games of {' '.join(links)}</nav>")


async def _bad(request: Request, error: Exception) -> Response:
    return PlainTextResponse(" ".join(str(error).split()), 400)


def application(games: Games, hosts: Callable[[str], bool]) -> Starlette:
    """Return the server as an ASGI application. hosts: whether a `Host` header is accepted."""
    routes = [Route("/", games.table), Route("/game/{number:int}", games.game)]
    app = Starlette(routes=routes, exception_handlers={ValueError: _bad})
    app.add_middleware(Guard, hosts=hosts, headers=_headers)
    return app


def _headers(path: str) -> dict[str, str]:
    return REPLAY_HEADERS if path.startswith("/game/") else PAGE_HEADERS


def serve(games: Games, port: int = 8000) -> None:
    """Serve on the loopback interface until interrupted; OSError if the port is taken."""
    at = listen(LOOPBACK, port)
    port = at.getsockname()[1]
    print(f"vitienv: {len(games)} games at http://{LOOPBACK}:{port}/ (Ctrl-C to stop)", flush=True)
    run(application(games, known_hosts(LOOPBACK, port)), at)
