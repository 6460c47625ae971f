"""The local server behind `vitienv play --web`: one page, its scripts, and tables asked for as JSON.

It answers only what its own page asks: requests with another host or origin are refused, bodies are short, tables are
behind ids that cannot be guessed, and nothing that is sent is run, imported or opened.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from vitienv.core.compiling.progress import WATCH
from vitienv.registry import canonical_name, game_names, game_spec
from vitienv.web.middleware import LOOPBACK, REFUSED, Guard, known_hosts
from vitienv.web.precompilation import Preparing
from vitienv.web.request_body import MOST_OF_A_LOG, Bodies
from vitienv.web.server_socket import listening, run
from vitienv.web.start_form import asked_of, offered
from vitienv.web.store import NoTable, Store, usual_folder
from vitienv.web.table import PERSON, BadRequest, Table
from vitienv.web.watch import FULL, Watchers

STATIC = {
    "": ("table.html", "text/html"),
    "table.css": ("table.css", "text/css"),
    "table.js": ("table.js", "text/javascript"),
    "common.js": ("common.js", "text/javascript"),
    "drawing.js": ("drawing.js", "text/javascript"),
    "options.js": ("options.js", "text/javascript"),
    "socket.js": ("socket.js", "text/javascript"),
    "transport.js": ("transport.js", "text/javascript"),
}
MOST_LOGS = 4  # that are played again at once: each makes all others slower
MOST_OF_A_NUMBER, MOST_OF_A_WORD = 2**63, 100
LEVEL = ("difficulty", "aggressive")  # the options that a campaign has


class Server:
    """The handlers, around a store of tables. ruleset: of which game, chosen when the page opens."""

    def __init__(self, store: Store, game: str, ruleset: str = "") -> None:
        self.store, self.game, self.watchers = store, game, Watchers()
        self.games = games_of(game)
        self.ruleset = ruleset or game_spec(game).rulesets[0]
        self.preparing = Preparing()
        self.is_of_one = False  # whether all tables are those of the person at this machine
        self._bodies, self._logs = Bodies(), 0

    async def compiling(self, request: Request) -> Response:
        """How far a compilation is, for whoever waits for it."""
        return JSONResponse({"told": WATCH.status(), "share": WATCH.share()})

    async def prepare(self, request: Request) -> Response:
        """Whether a first game of a ruleset can begin; what it needs is compiled meanwhile."""
        asked = await self._bodies.read(request)
        game, ruleset = self._game_in(asked), asked.get("ruleset")
        if ruleset not in game_spec(game).rulesets:
            raise BadRequest(f"{game} has no ruleset {ruleset!r}; there is {', '.join(game_spec(game).rulesets)}")
        is_ready = self.preparing.is_ready(game, ruleset)
        return JSONResponse({"is_ready": is_ready, "told": WATCH.status(), "share": WATCH.share()})

    def _game_in(self, asked: Mapping[str, Any]) -> str:
        """The game that is asked for, of those that are offered: others would be imported by their name."""
        game = asked.get("game", self.game)
        if game not in self.games:
            raise BadRequest(f"there is no game {game!r} here; there is {', '.join(self.games)}")
        return str(game)

    async def static(self, request: Request) -> Response:
        name = request.path_params.get("name", "")
        if name not in STATIC:
            return PlainTextResponse("there is no such file", 404)
        file, kind = STATIC[name]
        return Response((files("vitienv.web") / "static" / file).read_bytes(), media_type=kind)

    async def options(self, request: Request) -> Response:
        return Response(await run_in_threadpool(lambda: self._options), media_type="application/json")

    @cached_property
    def _options(self) -> str:
        """The options as JSON, made once: they never change and take longer than all else that needs no table."""
        rulesets = offered({game: game_spec(game) for game in self.games})
        asked = self.game, self.ruleset
        first = next(name for name, own in rulesets.items() if (own["game"], own["ruleset"]) == asked)
        return json.dumps({"first": first, "rulesets": rulesets, "person": PERSON}, ensure_ascii=False)

    async def new(self, request: Request) -> Response:
        asked = await self._bodies.read(request)
        game, seats, seed, options = self._game_in(asked), seats_of(asked), asked.get("seed"), asked.get("options", {})
        if seed is not None and not is_number(seed):
            raise BadRequest("the seed must be a whole number from 0")
        if not isinstance(options, dict):
            raise BadRequest("options must be a mapping")
        if asked.get("campaign") is True:
            level = {key: value for key, value in options.items() if key in LEVEL}
            return await self._added(partial(Table.of_campaign, game, seats, seed, level))
        return await self._added(partial(self._new, game, seats, seed, options))

    def _new(self, game: str, seats: list[str], seed: int | None, options: dict[str, Any]) -> Table:
        """A new game. BadRequest for an option that people are not asked for: some name files."""
        made = game_spec(game)
        try:
            asked = asked_of(made.options.of(**{k: v for k, v in options.items() if k == "ruleset"}))
        except (ValueError, TypeError) as error:
            raise BadRequest(str(error)) from None
        for name in options:
            if name not in ("ruleset", "num_players", *asked):
                raise BadRequest(f"option {name!r} is not asked for; there is {', '.join(asked)}")
        return Table.new(game, seats, seed, options)

    async def next(self, request: Request) -> Response:
        """The campaign's next game."""
        name = request.path_params["id"]

        def made() -> Table:
            with self.store.held(name) as table:
                return table.next_of_campaign()

        return await self._added(made)

    async def load(self, request: Request) -> Response:
        asked = await self._bodies.read(request, MOST_OF_A_LOG)
        if self._logs >= MOST_LOGS:
            raise BadRequest("too many logs are sent at once; wait a little")
        self._logs += 1
        try:
            return await self._added(partial(Table.of_log, self.games, seats_of(asked), asked.get("log")))
        finally:
            self._logs -= 1

    async def _added(self, make: Callable[[], Table]) -> Response:
        def added() -> str:
            return self.store.add(make())

        return JSONResponse({"id": await run_in_threadpool(added)}, 201)

    async def view(self, request: Request) -> Response:
        return await self._at(request, lambda table: None)

    async def move(self, request: Request) -> Response:
        asked = await self._bodies.read(request)
        action = asked.get("action")
        picks = action if isinstance(action, list) else [action]
        if not all(map(is_number, picks)) or not is_number(asked.get("at")):
            raise BadRequest("a move needs the numbers `action`, or a list of them, and `at`")
        return await self._at(request, lambda table: table.move(asked["action"], asked["at"]))

    async def advance(self, request: Request) -> Response:
        at = (await self._bodies.read(request)).get("at")
        if at is not None and not is_number(at):
            raise BadRequest("`at` must be a number")
        return await self._at(request, lambda table: table.advance(at))

    async def undo(self, request: Request) -> Response:
        return await self._at(request, Table.undo)

    async def _at(self, request: Request, do: Callable[[Table], object]) -> Response:
        """Do something at a table and answer with its view after that."""
        name, asked = request.path_params["id"], numbers_of(request)

        def done() -> dict[str, Any]:
            with self.store.held(name) as table:
                do(table)
                view, game = table.view(**asked), table.game
            if self.is_of_one and game.is_over:  # it is in its file now, and counts
                from vitienv.training.evaluation.player_rating import describe_level

                view["result"]["level"] = describe_level(game)
            return view

        view = await run_in_threadpool(done)
        if request.method == "POST":
            self.watchers.tell(name, version=view["version"])
        return JSONResponse(view)

    async def watch(self, socket: WebSocket) -> None:
        """Tells a page that has a table open of each change there."""
        name = socket.path_params["id"]

        def version() -> int:
            with self.store.held(name) as table:
                return table.version

        try:
            now = await run_in_threadpool(version)
        except (NoTable, BadRequest):
            await socket.close(REFUSED)
            return
        if not self.watchers.has_room(name):
            await socket.close(FULL)
            return
        await self.watchers.stay(name, socket, {"version": now}, partial(self.store.thinks, name))

    async def hint(self, request: Request) -> Response:
        name = request.path_params["id"]
        bot = request.query_params.get("bot")

        def asked() -> dict[str, Any]:
            with self.store.held(name) as table:
                own = bot or table.game.game_spec.heuristic_bot
                return {"action": table.hint(own), "bot": own}

        return JSONResponse(await run_in_threadpool(asked))

    async def thought(self, request: Request) -> Response:
        """The search for the person to move, or, `at` a move, in a game that is over."""
        name, asked = request.path_params["id"], numbers_of(request)

        def done() -> dict[str, Any]:
            with self.store.held(name) as table:
                return table.thought(asked.get("at"))

        return JSONResponse(await run_in_threadpool(done))

    async def about(self, request: Request) -> Response:
        """What a word means at a table: a card, an action, a term."""
        word = request.query_params.get("word", "")
        if len(word) > MOST_OF_A_WORD:
            raise BadRequest(f"a word has at most {MOST_OF_A_WORD} letters")
        name, viewer = request.path_params["id"], numbers_of(request, other="word").get("viewer")

        def done() -> list[str]:
            with self.store.held(name) as table:
                return table.about(word, viewer)

        return JSONResponse({"word": word, "told": await run_in_threadpool(done)})

    async def log(self, request: Request) -> Response:
        return await self._file(request, "json", lambda log: json.dumps(log, indent=2, allow_nan=False))

    async def page(self, request: Request) -> Response:
        from vitienv.web.replay_page import replay_page

        return await self._file(request, "html", replay_page)

    async def _file(self, request: Request, ending: str, make: Callable[[dict[str, Any]], str]) -> Response:
        """The log of a game that is over: before, its seed and moves would tell what is hidden."""

        def made() -> str:
            with self.store.held(request.path_params["id"]) as table:
                if not table.game.is_over:
                    raise BadRequest("the log tells what is hidden; it is there when the game is over")
                return make({**table.log, "agents": table.names})

        kind = {"json": "application/json", "html": "application/octet-stream"}[ending]
        saved = {"content-disposition": f'attachment; filename="game.{ending}"'}
        return Response(await run_in_threadpool(made), media_type=kind, headers=saved)


def numbers_of(request: Request, other: str = "") -> dict[str, int]:
    """The numbers in an address. other: what may stand there beside them. BadRequest for anything else."""
    numbers = {}
    for key, value in request.query_params.items():
        if key == other:
            continue
        if key not in ("viewer", "columns", "at", "since") or not value.isascii() or not value.isdigit():
            raise BadRequest(f"{key} in the address is not understood")
        if len(value) > 9:
            raise BadRequest(f"{key} is too large a number")
        numbers[key] = int(value)
    return numbers


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_OF_A_NUMBER


def seats_of(asked: dict[str, Any]) -> list[str]:
    seats = asked.get("seats")
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise BadRequest("seats must be a list of names")
    return seats


def games_of(first: str) -> list[str]:
    """The games that a server offers: all that have a name, and the one that it was started with."""
    return list(dict.fromkeys([*game_names(), first]))


def _answer_to(error: Exception) -> Response:
    words = " ".join(str(error).split()).encode("utf-8", "backslashreplace").decode()
    return JSONResponse({"error": words}, 400)


async def _bad(request: Request, error: Exception) -> Response:
    return _answer_to(error)


async def _missing(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "there is no such table"}, 404)


def application(store: Store, game: str, hosts: Callable[[str], bool], ruleset: str = "") -> Starlette:
    """The server as an ASGI application. hosts: which `Host` headers it answers to. game, ruleset: chosen at first."""
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
        Route(f"{at}/about", server.about),
        Route(f"{at}/hint", server.hint),
        Route(f"{at}/thought", server.thought),
        Route(f"{at}/log", server.log),
        Route(f"{at}/page", server.page),
        *(Route(f"{at}/{act}", getattr(server, act), methods=["POST"]) for act in ("move", "advance", "undo", "next")),
    ]
    made = Starlette(routes=routes, exception_handlers={BadRequest: _bad, NoTable: _missing})
    made.add_middleware(Guard, hosts=hosts)
    made.state.server = server
    return made


def serve(
    game: str, host: str = LOOPBACK, port: int = 8000, folder: Path | None = None, ruleset: str | None = None
) -> None:
    """Listen until interrupted; says where. game, ruleset: chosen when the page opens. OSError if the port is taken,
    ValueError for a ruleset that the game has not."""
    chosen = game_spec(game).options.of(**({"ruleset": ruleset} if ruleset else {}))
    game, first = canonical_name(chosen.game_spec), chosen.ruleset
    at = listening(host, port)
    port = at.getsockname()[1]
    store = Store(folder or usual_folder(), games_of(game))
    app = application(store, game, known_hosts(host, port), first)
    app.state.server.preparing.is_ready(game, first)
    app.state.server.is_of_one = host == LOOPBACK
    shown = f"[{host}]" if ":" in host else host
    print(f"vitienv: play at http://{shown}:{port}/ (Ctrl-C to stop; games are kept in {store.folder})", flush=True)
    if host != LOOPBACK:
        print("vitienv: everybody who can reach this address can play and look at tables they know", flush=True)
    run(app, at)
