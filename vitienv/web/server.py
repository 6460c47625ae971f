"""Local server of `vitienv play --web`: one page, its scripts, and a JSON API for tables.

Requests with a foreign host or origin are refused, bodies are limited, tables have unguessable ids, and nothing that
is sent is executed, imported or opened as a file.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from vitienv.core.compiling.progress import WATCH
from vitienv.game import Game
from vitienv.registry import canonical_name, game_names, game_spec
from vitienv.web.game_review import game_review
from vitienv.web.middleware import LOOPBACK, REFUSED, Guard, known_hosts
from vitienv.web.precompilation import Precompilation
from vitienv.web.request_body import MAX_LOG_BYTES, Bodies
from vitienv.web.server_socket import listen, run
from vitienv.web.start_form import form_fields, ruleset_forms
from vitienv.web.store import NoTable, Store, default_folder
from vitienv.web.table import PERSON, Table
from vitienv.web.watch import FULL, Watchers

SCRIPTS = ("table", "common", "choices", "story", "result", "drawing", "options", "socket", "transport")
STATIC = {"": ("table.html", "text/html"), "table.css": ("table.css", "text/css")}
STATIC |= {f"{name}.js": (f"{name}.js", "text/javascript") for name in SCRIPTS}
MAX_LOGS = 4  # replayed at a time; each slows all others down
MAX_INTEGER, MAX_WORD_CHARS = 2**63, 100
ACTS = ("move", "advance", "undo", "next", "again", "remove")
LEVEL = ("difficulty", "aggressive")  # options of a campaign


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
        return JSONResponse({"status": WATCH.status(), "share": WATCH.share()})

    async def prepare(self, request: Request) -> Response:
        """Return whether a game of a ruleset can start, and compile its kernels if not."""
        body = await self._bodies.read(request)
        game, ruleset = self._game_in(body), body.get("ruleset")
        if ruleset not in game_spec(game).rulesets:
            raise ValueError(f"unknown ruleset {ruleset!r}; expected one of: {', '.join(game_spec(game).rulesets)}")
        is_ready = self.preparing.is_ready(game, ruleset)
        return JSONResponse({"is_ready": is_ready, "status": WATCH.status(), "share": WATCH.share()})

    def _game_in(self, body: Mapping[str, Any]) -> str:
        """Return the requested game; only offered games are allowed, as others would be imported by name."""
        game = body.get("game", self.game)
        if game not in self.games:
            raise ValueError(f"unknown game {game!r}; expected one of: {', '.join(self.games)}")
        return str(game)

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
        game, seats, seed, options = self._game_in(body), seats_of(body), body.get("seed"), body.get("options", {})
        if seed is not None and not is_number(seed):
            raise ValueError("seed must be an integer of at least 0")
        if not isinstance(options, dict):
            raise ValueError("options must be a mapping")
        if body.get("campaign") is True:
            level = {key: value for key, value in options.items() if key in LEVEL}
            return await self._added(partial(Table.of_campaign, game, seats, seed, level))
        return await self._added(partial(self._new, game, seats, seed, options))

    def _new(self, game: str, seats: list[str], seed: int | None, options: dict[str, Any]) -> Table:
        """Return a new table; ValueError for options that are not in the form, as some name files."""
        spec = game_spec(game)
        fields = form_fields(spec.options.of(**{k: v for k, v in options.items() if k == "ruleset"}))
        for name in options:
            if name not in ("ruleset", "num_players", *fields):
                raise ValueError(f"unknown option {name!r}; expected one of: {', '.join(fields)}")
        return Table.new(game, seats, seed, options)

    async def _use_table(self, request: HTTPConnection, use: Callable[[Table], Any]) -> Any:
        """Return the result of a function of the requested table, which is locked meanwhile."""
        name = request.path_params["id"]

        def use_locked() -> Any:
            with self.store.lock(name) as table:
                return use(table)

        return await run_in_threadpool(use_locked)

    async def next(self, request: Request) -> Response:
        """Create the table of the next game of a campaign."""
        table = await self._use_table(request, Table.next_of_campaign)
        return await self._added(lambda: table)

    async def again(self, request: Request) -> Response:
        """Create a table with the same seats and options, and the same deal unless `is_new_deal`."""
        is_new_deal = (await self._bodies.read(request)).get("is_new_deal") is True
        table = await self._use_table(request, lambda table: table.again(is_new_deal))
        return await self._added(lambda: table)

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

    async def view(self, request: Request) -> Response:
        return await self._at(request, lambda table: None)

    async def move(self, request: Request) -> Response:
        body = await self._bodies.read(request)
        action = body.get("action")
        picks = action if isinstance(action, list) else [action]
        if not all(map(is_number, picks)) or not is_number(body.get("at")):
            raise ValueError("action must be an integer or a list of integers, and at an integer")
        return await self._at(request, lambda table: table.move(body["action"], body["at"]))

    async def advance(self, request: Request) -> Response:
        at = (await self._bodies.read(request)).get("at")
        if at is not None and not is_number(at):
            raise ValueError("at must be an integer")
        return await self._at(request, lambda table: table.advance(at))

    async def undo(self, request: Request) -> Response:
        return await self._at(request, Table.undo)

    async def _at(self, request: Request, change: Callable[[Table], object]) -> Response:
        """Change a table and return its view."""
        numbers = numbers_of(request)

        def changed(table: Table) -> tuple[dict[str, Any], Game]:
            change(table)
            return table.view(**numbers), table.game

        view, game = await self._use_table(request, changed)
        if self.is_of_one and game.is_over:  # its file is written and counts for the level
            from vitienv.training.evaluation.player_rating import describe_level

            view["result"]["level"] = await run_in_threadpool(describe_level, game)
        if request.method == "POST":
            self.watchers.notify(request.path_params["id"], version=view["version"])
        return JSONResponse(view)

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

    async def hint(self, request: Request) -> Response:
        spec = request.query_params.get("bot")

        def hint(table: Table) -> dict[str, Any]:
            bot = spec or table.game.game_spec.heuristic_bot
            return {"action": table.hint(bot), "bot": bot}

        return JSONResponse(await self._use_table(request, hint))

    async def analyse(self, request: Request) -> Response:
        """Return the analysis for the person to move, or, in a finished game, for the seat to move after `at` moves."""
        at = numbers_of(request).get("at")
        return JSONResponse(await self._use_table(request, lambda table: table.analyse(at)))

    async def review(self, request: Request) -> Response:
        """Return luck and decisions of a finished game. The table is not locked meanwhile, as it does not change."""
        viewer = numbers_of(request).get("viewer")
        table = await self._use_table(request, lambda table: table)
        async with self._review_lock:
            return JSONResponse(await run_in_threadpool(game_review, table, viewer))

    async def explain(self, request: Request) -> Response:
        """Explain a card, an action or a term."""
        word = request.query_params.get("word", "")
        if len(word) > MAX_WORD_CHARS:
            raise ValueError(f"word must have at most {MAX_WORD_CHARS} letters")
        viewer = numbers_of(request, other="word").get("viewer")
        paragraphs = await self._use_table(request, lambda table: table.explain(word, viewer))
        return JSONResponse({"word": word, "lines": paragraphs})

    async def log(self, request: Request) -> Response:
        return await self._file(request, "json", lambda log: json.dumps(log, indent=2, allow_nan=False))

    async def page(self, request: Request) -> Response:
        from vitienv.web.replay_page import replay_page

        return await self._file(request, "html", replay_page)

    async def _file(self, request: Request, ending: str, make: Callable[[dict[str, Any]], str]) -> Response:
        """Return a file of a finished game; before the end, seed and moves would reveal hidden information."""

        def file_content(table: Table) -> str:
            if not table.game.is_over:
                raise ValueError("the log is available after the game, as it reveals hidden information")
            return make({**table.log, "agents": table.names})

        kind = {"json": "application/json", "html": "application/octet-stream"}[ending]
        saved = {"content-disposition": f'attachment; filename="game.{ending}"'}
        return Response(await self._use_table(request, file_content), media_type=kind, headers=saved)


def numbers_of(request: Request, other: str = "") -> dict[str, int]:
    """Return the integers of a query string; ValueError for other keys than the known ones and `other`."""
    numbers = {}
    for key, value in request.query_params.items():
        if key == other:
            continue
        if key not in ("viewer", "columns", "at", "since") or not value.isascii() or not value.isdigit():
            raise ValueError(f"{key} must be an integer parameter of this address")
        if len(value) > 9:
            raise ValueError(f"{key} must have at most 9 digits")
        numbers[key] = int(value)
    return numbers


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MAX_INTEGER


def seats_of(body: dict[str, Any]) -> list[str]:
    seats = body.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise ValueError("seats must be a list of strings")
    return seats


def games_of(first: str) -> list[str]:
    """Return the games that a server offers: all registered ones and the one it was started with."""
    return list(dict.fromkeys([*game_names(), first]))


def _answer_to(error: Exception) -> Response:
    words = " ".join(str(error).split()).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": words}, 400)


async def _bad(request: Request, error: Exception) -> Response:
    return _answer_to(error)


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
        Route(at, server.view),
        WebSocketRoute(f"{at}/watch", server.watch),
        Route(f"{at}/explain", server.explain),
        Route(f"{at}/hint", server.hint),
        Route(f"{at}/analysis", server.analyse),
        Route(f"{at}/review", server.review),
        Route(f"{at}/log", server.log),
        Route(f"{at}/page", server.page),
        *(Route(f"{at}/{act}", getattr(server, act), methods=["POST"]) for act in ACTS),
    ]
    app = Starlette(routes=routes, exception_handlers={ValueError: _bad, NoTable: _missing})
    app.add_middleware(Guard, hosts=hosts)
    app.state.server = server
    return app


def serve(
    game: str, host: str = LOOPBACK, port: int = 8000, folder: Path | None = None, ruleset: str | None = None
) -> None:
    """Serve until interrupted. OSError if the port is taken, ValueError for an unknown ruleset.

    game, ruleset: selected when the page opens.
    """
    options = game_spec(game).options.of(**({"ruleset": ruleset} if ruleset else {}))
    game, first = canonical_name(options.game_spec), options.ruleset
    at = listen(host, port)
    port = at.getsockname()[1]
    store = Store(folder or default_folder(), games_of(game))
    app = application(store, game, known_hosts(host, port), first)
    app.state.server.preparing.is_ready(game, first)
    app.state.server.is_of_one = host == LOOPBACK
    address = f"[{host}]" if ":" in host else host
    print(f"vitienv: play at http://{address}:{port}/ (Ctrl-C to stop; games are saved in {store.folder})", flush=True)
    if host != LOOPBACK:
        print("vitienv: anyone who can reach this address can play, and can view tables whose id they know", flush=True)
    run(app, at)
