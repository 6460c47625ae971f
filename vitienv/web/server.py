"""Local server of `vitienv play --web`: one page, its scripts, and a JSON API for tables.

Requests with a foreign host or origin are refused, bodies are limited, tables have unguessable ids, and nothing that
is sent is executed, imported or opened as a file.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import cached_property, partial
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from vitienv.core.compiling.progress import PROGRESS
from vitienv.registry import canonical_name, game_names, game_spec
from vitienv.web.game_review import game_review
from vitienv.web.middleware import LOOPBACK, REFUSED, Guard, known_hosts
from vitienv.web.precompilation import Precompilation
from vitienv.web.request_body import MAX_LOG_BYTES, Bodies
from vitienv.web.server_socket import listen, run
from vitienv.web.start_form import ruleset_forms
from vitienv.web.store import NoTable, Store, default_folder
from vitienv.web.table import PERSON, Table
from vitienv.web.table_requests import new_table, numbers_of, respond, seats_of
from vitienv.web.watch import FULL, Watchers

SCRIPTS = ("table", "common", "choices", "story", "result", "drawing", "options", "socket", "transport")
STATIC = {"": ("table.html", "text/html"), "table.css": ("table.css", "text/css")}
STATIC |= {f"{name}.js": (f"{name}.js", "text/javascript") for name in SCRIPTS}
MAX_LOGS = 4  # replayed at a time; each slows all others down
GETS, POSTS = ("hint", "analysis", "explain", "log", "page"), ("move", "advance", "undo", "next", "again")
FILES = {"log": ("game.json", "application/json"), "page": ("game.html", "application/octet-stream")}


class Server:
    """Request handlers. game, ruleset: selected when the page opens."""

    def __init__(self, store: Store, game: str, ruleset: str = "") -> None:
        self.store, self.game, self.watchers = store, game, Watchers()
        self.games = games_of(game)
        self.ruleset = ruleset or game_spec(game).rulesets[0]
        self.preparing = Precompilation()
        self.is_of_one = False  # whether all tables belong to the person at this machine
        self._bodies, self._logs = Bodies(), 0
        self._review_lock = asyncio.Lock()

    async def compiling(self, request: Request) -> Response:
        """Return the progress of the compilation."""
        return JSONResponse({"status": PROGRESS.status(), "share": PROGRESS.share()})

    async def prepare(self, request: Request) -> Response:
        """Return whether a game of a ruleset can start, and compile its kernels if not."""
        body = await self._bodies.read(request)
        game, ruleset = body.get("game", self.game), body.get("ruleset")
        if game not in self.games:
            raise ValueError(f"unknown game {game!r}; expected one of: {', '.join(self.games)}")
        if ruleset not in game_spec(game).rulesets:
            raise ValueError(f"unknown ruleset {ruleset!r}; expected one of: {', '.join(game_spec(game).rulesets)}")
        is_ready = self.preparing.is_ready(game, ruleset)
        return JSONResponse({"is_ready": is_ready, "status": PROGRESS.status(), "share": PROGRESS.share()})

    async def static(self, request: Request) -> Response:
        name = request.path_params.get("name", "")
        if name not in STATIC:
            return PlainTextResponse("file not found", 404)
        file, kind = STATIC[name]
        return Response((files("vitienv.web") / "static" / file).read_bytes(), media_type=kind)

    async def options(self, request: Request) -> Response:
        return Response(await run_in_threadpool(lambda: self._options), media_type="application/json")

    @cached_property
    def _options(self) -> str:
        """Options of the start page as JSON; they are constant and slow to compute."""
        rulesets = ruleset_forms({game: game_spec(game) for game in self.games})
        selection = self.game, self.ruleset
        first = next(name for name, row in rulesets.items() if (row["game"], row["ruleset"]) == selection)
        return json.dumps({"first": first, "rulesets": rulesets, "person": PERSON}, ensure_ascii=False)

    async def new(self, request: Request) -> Response:
        body = await self._bodies.read(request)
        return await self._added(partial(new_table, Table, self.games, body.get("game", self.game), body))

    async def _use_table(self, request: HTTPConnection, use: Callable[[Table], Any]) -> Any:
        """Return the result of a function of the requested table, which is locked meanwhile."""
        name = request.path_params["id"]

        def use_locked() -> Any:
            with self.store.lock(name) as table:
                return use(table)

        return await run_in_threadpool(use_locked)

    async def remove(self, request: Request) -> Response:
        """Delete a table."""
        await self._bodies.read(request)
        await run_in_threadpool(self.store.remove, request.path_params["id"])
        return JSONResponse({})

    async def load(self, request: Request) -> Response:
        body = await self._bodies.read(request, MAX_LOG_BYTES)
        if self._logs >= MAX_LOGS:
            raise ValueError("too many logs at once; try again soon")
        self._logs += 1
        try:
            return await self._added(partial(Table.of_log, self.games, seats_of(body), body.get("log")))
        finally:
            self._logs -= 1

    async def _added(self, make: Callable[[], Table]) -> Response:
        return JSONResponse({"id": await run_in_threadpool(lambda: self.store.add(make()))}, 201)

    async def table(self, request: Request, act: str = "") -> Response:
        """Respond to a request of a table's page."""
        body = await self._bodies.read(request) if request.method == "POST" else {}
        response, game = await self._use_table(
            request, lambda table: (respond(table, act, request.query_params, body), table.game)
        )
        if isinstance(response, Table):
            return await self._added(lambda: response)
        if act in FILES:
            name, kind = FILES[act]
            headers = {"content-disposition": f'attachment; filename="{name}"'}
            return Response(response, media_type=kind, headers=headers)
        if "version" in response and self.is_of_one and game.is_over:  # its file is written and counts for the level
            from vitienv.training.evaluation.player_rating import describe_level

            response["result"]["level"] = await run_in_threadpool(describe_level, game)
        if request.method == "POST":
            self.watchers.notify(request.path_params["id"], version=response["version"])
        return JSONResponse(response)

    async def watch(self, socket: WebSocket) -> None:
        """Announce each change of a table to a page over a WebSocket."""
        name = socket.path_params["id"]
        try:
            current = await self._use_table(socket, lambda table: table.version)
        except (NoTable, ValueError):
            await socket.close(REFUSED)
            return
        if not self.watchers.has_room(name):
            await socket.close(FULL)
            return
        await self.watchers.serve(name, socket, {"version": current}, partial(self.store.search_progress, name))

    async def review(self, request: Request) -> Response:
        """Return luck and decisions of a finished game. The table is not locked meanwhile, as it does not change."""
        viewer = numbers_of(request.query_params).get("viewer")
        table = await self._use_table(request, lambda table: table)
        async with self._review_lock:
            return JSONResponse(await run_in_threadpool(game_review, table, viewer))


def games_of(first: str) -> list[str]:
    """Return the games that a server offers: all registered ones and the one it was started with."""
    return list(dict.fromkeys([*game_names(), first]))


async def _bad(request: Request, error: Exception) -> Response:
    words = " ".join(str(error).split()).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": words}, 400)


async def _missing(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "there is no such table"}, 404)


def application(store: Store, game: str, hosts: Callable[[str], bool], ruleset: str = "") -> Starlette:
    """Return the server as an ASGI application. hosts: whether a `Host` header is accepted."""
    server = Server(store, game, ruleset)
    at = "/api/tables/{id}"
    routes = [
        Route("/", server.static),
        Route("/static/{name}", server.static),
        Route("/api/options", server.options),
        Route("/api/compiling", server.compiling),
        Route("/api/prepare", server.prepare, methods=["POST"]),
        Route("/api/tables", server.new, methods=["POST"]),
        Route("/api/logs", server.load, methods=["POST"]),
        Route(at, server.table),
        WebSocketRoute(f"{at}/watch", server.watch),
        Route(f"{at}/review", server.review),
        Route(f"{at}/remove", server.remove, methods=["POST"]),
        *(Route(f"{at}/{act}", partial(server.table, act=act)) for act in GETS),
        *(Route(f"{at}/{act}", partial(server.table, act=act), methods=["POST"]) for act in POSTS),
    ]
    app = Starlette(routes=routes, exception_handlers={ValueError: _bad, NoTable: _missing})
    app.add_middleware(Guard, hosts=hosts)
    app.state.server = server
    return app


def serve(game: str, host: str = LOOPBACK, port: int = 8000, ruleset: str | None = None) -> None:
    """Serve until interrupted. OSError if the port is taken, ValueError for an unknown ruleset.

    game, ruleset: selected when the page opens.
    """
    options = game_spec(game).options.of(**({"ruleset": ruleset} if ruleset else {}))
    game, first = canonical_name(options.game_spec), options.ruleset
    at = listen(host, port)
    port = at.getsockname()[1]
    store = Store(default_folder(), games_of(game))
    app = application(store, game, known_hosts(host, port), first)
    app.state.server.preparing.is_ready(game, first)
    app.state.server.is_of_one = host == LOOPBACK
    address = f"[{host}]" if ":" in host else host
    print(f"vitienv: play at http://{address}:{port}/ (Ctrl-C to stop; games are saved in {store.folder})", flush=True)
    if host != LOOPBACK:
        print("vitienv: anyone who can reach this address can play, and can view tables whose id they know", flush=True)
    run(app, at)
