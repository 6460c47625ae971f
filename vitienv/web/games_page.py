"""Server of a tournament's games: a table, in which each game opens as a replay (`vitienv replay FOLDER --web`)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from html import escape
from importlib.resources import files
from typing import Any
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from vitienv.render.text import seat_name
from vitienv.session.replay import describe_forfeit
from vitienv.web.middleware import HEADERS, LOOPBACK, Guard, known_hosts
from vitienv.web.replay_page import replay_page
from vitienv.web.server_socket import listen, run

GAMES_PER_PAGE = 100  # games
CACHED_REPLAYS = 8
# A replay contains its script and makes no requests.
REPLAY_HEADERS = HEADERS | {
    "content-security-policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}
COLUMNS = ("game", "seed", "rounds", "decisions")


class Games:
    """Table of games and their replays.

    title: title of the page. logs: logs of a tournament, in order. read: returns the log with an index.
    """

    def __init__(self, title: str, logs: Iterable[Mapping[str, Any]], read: Callable[[int], dict[str, Any]]) -> None:
        self.title, self.read = title, read
        self.rows = [_facts(number, log) for number, log in enumerate(logs)]
        self.bots = sorted({bot for row in self.rows for bot in row["agents"]})
        self._lock, self._pages = threading.Lock(), {}  # type: ignore[var-annotated]

    async def table(self, request: Request) -> Response:
        """Return a page of the games of one bot or of all."""
        bot, first = request.query_params.get("bot", ""), request.query_params.get("from", "0")
        if (bot and bot not in self.bots) or not (first.isascii() and first.isdigit() and len(first) < 9):
            return PlainTextResponse("unknown bot or page", 404)
        return HTMLResponse(self._page(bot, int(first)))

    async def game(self, request: Request) -> Response:
        """Return a game as a replay."""
        number = request.path_params["number"]
        if number >= len(self.rows):
            return PlainTextResponse(f"unknown game {number}; the last one is {len(self.rows) - 1}", 404)
        return HTMLResponse(await run_in_threadpool(self._replay, number))

    def _replay(self, number: int) -> str:
        with self._lock:
            if number not in self._pages:
                self._pages[number] = replay_page(self.read(number))
                while len(self._pages) > CACHED_REPLAYS:
                    del self._pages[next(iter(self._pages))]
            return self._pages[number]

    def _page(self, bot: str, first: int) -> str:
        rows = [row for row in self.rows if not bot or bot in row["agents"]]
        seats = max((len(row["agents"]) for row in self.rows), default=0)
        heads = [*COLUMNS, *(seat_name(seat) for seat in range(seats))]
        heads += ["failure"] * any(row["failure"] for row in rows)
        body = "\n".join(_row(row, seats) for row in rows[first : first + GAMES_PER_PAGE])
        links = [_link(name or "all", "/", {"bot": name} if name else {}, name == bot) for name in ["", *self.bots]]
        pages = [
            _link(f"{at} to {min(at + GAMES_PER_PAGE, len(rows)) - 1}", "/", {"bot": bot, "from": at}, at == first)
            for at in range(0, len(rows), GAMES_PER_PAGE)
        ]
        text = (files("vitienv.web") / "static" / "games.html").read_text(encoding="utf-8")
        for mark, words in {
            "<!-- title -->": escape(self.title),
            "<!-- count -->": f"{len(rows)} games",
            "<!-- bots -->": " ".join(links),
            "<!-- heads -->": "".join(f'<th scope="col">{head}</th>' for head in heads),
            "<!-- rows -->": body,
            "<!-- pages -->": " ".join(pages) if len(pages) > 1 else "",
        }.items():
            text = text.replace(mark, words)
        return text


def _facts(number: int, log: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a game; ValueError if its log is incomplete."""
    try:
        facts = {"number": number, "seed": int(log["seed"]), "rounds": int(log["year"]), "decisions": len(log["moves"])}
        seats: dict[str, list[Any]] = {
            "agents": [str(bot) for bot in log["agents"]],
            "scores": [int(points) for points in log["scores"]],
            "ranks": [int(rank) for rank in log["ranks"]],
        }
        "".join(seats["agents"]).encode()
        if len(set(map(len, seats.values()))) != 1:
            raise ValueError("agents, scores and ranks must have the same length")
        return facts | seats | {"failure": describe_forfeit(log, len(seats["agents"]))}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"game {number} is not a log of a tournament: {error}") from None


def _row(row: Mapping[str, Any], seats: int) -> str:
    cells = [f'<th scope="row"><a href="/game/{row["number"]}">{row["number"]}</a></th>']
    cells += [f"<td>{row[name]}</td>" for name in ("seed", "rounds", "decisions")]
    for bot, points, rank in zip(row["agents"], row["scores"], row["ranks"], strict=True):
        won = ' class="won" title="the first place"' if rank == 1 else ""
        cells.append(f"<td{won}>{escape(bot)} <b>{points}</b>{' ★' if rank == 1 else ''}</td>")
    cells += ["<td></td>"] * (seats - len(row["agents"]))
    cells += [f"<td>{escape(row['failure'])}</td>"] * bool(row["failure"])
    return f"<tr>{''.join(cells)}</tr>"


def _link(words: str, path: str, query: Mapping[str, Any], is_here: bool) -> str:
    current = ' aria-current="page"' if is_here else ""
    return f'<a href="{escape(path + ("?" + urlencode(query) if query else ""))}"{current}>{escape(words)}</a>'


async def _bad(request: Request, error: Exception) -> Response:
    return PlainTextResponse(" ".join(str(error).split()), 400)


async def _style(request: Request) -> Response:
    return Response((files("vitienv.web") / "static" / "table.css").read_bytes(), media_type="text/css")


def application(games: Games, hosts: Callable[[str], bool]) -> Starlette:
    """Return the server as an ASGI application. hosts: whether a `Host` header is accepted."""
    routes = [Route("/", games.table), Route("/game/{number:int}", games.game), Route("/static/table.css", _style)]
    app = Starlette(routes=routes, exception_handlers={ValueError: _bad})
    app.add_middleware(Guard, hosts=hosts, headers=_headers)
    return app


def _headers(path: str) -> dict[str, str]:
    return REPLAY_HEADERS if path.startswith("/game/") else HEADERS


def serve(games: Games, port: int = 8000) -> None:
    """Serve on the loopback interface until interrupted; OSError if the port is taken."""
    at = listen(LOOPBACK, port)
    port = at.getsockname()[1]
    print(f"vitienv: {len(games.rows)} games at http://{LOOPBACK}:{port}/ (Ctrl-C to stop)", flush=True)
    run(application(games, known_hosts(LOOPBACK, port)), at)
