"""The API of `vitienv play --web` in the static page: the worker calls it by the same addresses."""

from __future__ import annotations

import json
import re
import secrets
import zlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from vitienv.agents.champions import FROZEN, NAME, Champions
from vitienv.agents.levels import LEVELS, BlunderingBot
from vitienv.agents.protocol import Bot, GameViews
from vitienv.agents.random_agent import RandomAgent
from vitienv.core.batch import make_key
from vitienv.core.game_spec import GameSpec
from vitienv.registry import game_spec
from vitienv.web.table import Table
from vitienv.web.table_requests import new_table, respond, seats_of

TABLE_PATH = re.compile(r"/api/tables/([A-Za-z0-9_-]{22})(?:/(\w+))?")


class EngineBot(Bot):
    """The heuristic bot of the engine, or its search with a number of simulations."""

    def __init__(self, engine: Any, table: GameSpec, seed: int = 0, simulations: int = 0) -> None:
        super().__init__("engine", table)
        self.engine, self.seed, self.simulations = engine, seed, simulations

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        assert games is not None and len(masks) == 1
        if not self.simulations:
            return np.array([self.engine.choice(self.table.name, observations.tobytes(), masks.tobytes())])
        batch, row = games._batch, int(games._rows[0])
        table = self.engine.supported(self.table.name, tables_of(batch.options))
        seed_words = make_key(self.seed + zlib.crc32(observations.tobytes()))[0].tolist()
        record = batch.bytes_view[row].tobytes()
        return np.array([self.engine.search(self.table.name, table, self.simulations, record, *seed_words)])


class NetworkBot(Bot):
    """The bundled networks, "champion" or "frozen"."""

    def __init__(self, name: str, table: GameSpec) -> None:
        super().__init__(name, table)
        self.networks = Champions(table, name)

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self.networks.best(observations, masks)


def tables_of(options: Any) -> list[str]:
    """Return the possible names of a table in the engine's file, the most specific first."""
    names = [f"{options.ruleset}/{options.num_players}"]
    if (level := options.game_spec.levels.get(options.ruleset)) is not None:
        names.insert(0, f"{options.ruleset}/{getattr(options, level[0])}")
    return names


def simulations_of(name: str) -> int:
    """Return the number of simulations of a bot's search, 0 without a search."""
    kind, _, number = name.partition(":")
    bot = LEVELS[int(number) - 1].bot if kind == "level" else ""
    return int(bot.partition("simulations=")[2].partition(",")[0] or 0)


def bot_of(name: str, engine: Any, seed: int, game: GameSpec) -> Bot:
    """Return a bot of the page. ValueError for other names."""
    kind, _, number = name.partition(":")
    if kind == "level":
        row = LEVELS[int(number) - 1]
        simulations = simulations_of(name)
        bot = EngineBot(engine, game, seed, simulations) if simulations else bot_of(row.bot, engine, seed, game)
        return BlunderingBot(bot, row.slips, seed) if row.slips else bot
    if kind == "random":
        return RandomAgent(seed, game)
    if kind == "policy" and number in (NAME, FROZEN):
        return NetworkBot(number, game)
    if name != game.heuristic_bot:
        raise ValueError(f"bot {name!r} is not available on this page")
    return EngineBot(engine, game)


class PageTable(Table):
    """Table with the bots of the engine."""

    engine: Any = None

    def _bot(self, spec: str, number: int = 0) -> Any:
        return bot_of(spec, self.engine, int(self.game.state.key[0]), self.game.game_spec)

    def _query(self, agent: Any) -> int:
        batch = self.game._batch
        batch.refresh()
        return int(agent.act(batch.obs, batch.masks, games=GameViews(batch, [0]))[0])


class Service:
    """Tables of the page by id."""

    def __init__(self, engine: Any, games: list[str]) -> None:
        PageTable.engine = engine
        self.games, self.tables = games, {}  # type: ignore[var-annotated]

    def prepare(self, game: str) -> None:
        """Import a game."""
        game_spec(game)

    def has(self, name: str) -> bool:
        return name in self.tables

    def game_of(self, name: str) -> str:
        return self.tables[name].game.game_spec.name

    def restore(self, name: str, saved: str) -> None:
        """Add a saved table."""
        self.tables[name] = PageTable.from_dict(self.games, json.loads(saved))

    def saved(self, name: str) -> str:
        """Return a table as JSON for the browser's storage."""
        return json.dumps(self.tables[name].to_dict())

    def searches(self, name: str, address: str) -> list[str]:
        """Return the engine's names ("table simulations") of the searches that a request may need."""
        table = self.tables[name]
        hint_bots = parse_qs(urlsplit(address).query).get("bot", [])
        key = PageTable.engine.supported(table.game.game_spec.name, tables_of(table.game.options))
        levels = [bot for bot in [*table.seats, *hint_bots] if re.fullmatch(r"level:(10|[1-9])", bot)]
        return [f"{key} {number}" for number in sorted(set(map(simulations_of, levels)) - {0})]

    def answer(self, address: str, body: str) -> str:
        """Return the status and the response to a request as JSON. body: JSON, or ""."""
        try:
            status, response = self._answer(urlsplit(address), json.loads(body) if body else {})
        except ValueError as error:
            status, response = 400, {"error": str(error)}
        except KeyError:
            status, response = 404, {"error": "there is no such table"}
        return json.dumps({"status": status, "body": response})

    def _answer(self, address: Any, body: dict[str, Any]) -> tuple[int, Any]:
        query = {key: values[0] for key, values in parse_qs(address.query, keep_blank_values=True).items()}
        if address.path == "/api/tables":
            return self._added(new_table(PageTable, self.games, body.get("game"), body))
        if address.path == "/api/logs":
            return self._added(PageTable.of_log(self.games, seats_of(body), body.get("log")))
        match = TABLE_PATH.fullmatch(address.path)
        if match is None:
            raise KeyError(address.path)
        name, act = match[1], match[2] or ""
        table = self.tables[name]
        if act == "remove":
            del self.tables[name]
            return 200, {}
        if act == "review":
            raise ValueError("For luck and the worst decisions, save the log and run: vitienv analyse game.json")
        response = respond(table, act, query, body)
        return self._added(response) if isinstance(response, Table) else (200, response)

    def _added(self, table: Table) -> tuple[int, Any]:
        name = secrets.token_urlsafe(16)
        self.tables[name] = table
        return 201, {"id": name}
