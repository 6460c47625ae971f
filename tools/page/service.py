"""What `vitienv play --web` answers, without the server: the page's worker asks here by the same addresses."""

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
from vitienv.core.batch import key_of
from vitienv.core.game_spec import GameSpec
from vitienv.registry import game_spec
from vitienv.web.errors import BadRequest
from vitienv.web.table import Table

AT = re.compile(r"/api/tables/([A-Za-z0-9_-]{22})(?:/(\w+))?")
LEVEL = ("difficulty", "aggressive")  # the options that a campaign has


class EngineBot(Bot):
    """The heuristic bot of the engine, or its search of so many simulations."""

    def __init__(self, engine: Any, table: GameSpec, seed: int = 0, simulations: int = 0) -> None:
        super().__init__("engine", table)
        self.engine, self.seed, self.simulations = engine, seed, simulations

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        assert games is not None and len(masks) == 1
        if not self.simulations:
            return np.array([self.engine.choice(self.table.name, observations.tobytes(), masks.tobytes())])
        batch, row = games._batch, int(games._rows[0])
        table = self.engine.known(self.table.name, tables_of(batch.options))
        words = key_of(self.seed + zlib.crc32(observations.tobytes()))[0].tolist()
        record = batch.bytes_view[row].tobytes()
        return np.array([self.engine.search(self.table.name, table, self.simulations, record, *words)])


class NetworkBot(Bot):
    """The networks that ship, "champion" or "frozen"."""

    def __init__(self, name: str, table: GameSpec) -> None:
        super().__init__(name, table)
        self.networks = Champions(table, name)

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        return self.networks.best(observations, masks)


def tables_of(options: Any) -> list[str]:
    """The names that a table can have in the engine's file, the closest first."""
    names = [f"{options.ruleset}/{options.num_players}"]
    if (own := options.game_spec.levels.get(options.ruleset)) is not None:
        names.insert(0, f"{options.ruleset}/{getattr(options, own[0])}")
    return names


def simulations_of(name: str) -> int:
    """The simulations of a bot's search; 0 if it does not search."""
    word, _, number = name.partition(":")
    bot = LEVELS[int(number) - 1].bot if word == "level" else ""
    return int(bot.partition("simulations=")[2].partition(",")[0] or 0)


def bot_of(name: str, engine: Any, seed: int, game: GameSpec) -> Bot:
    """The bot of a name that the page offers. BadRequest for another."""
    word, _, number = name.partition(":")
    if word == "level":
        row = LEVELS[int(number) - 1]
        simulations = simulations_of(name)
        bot = EngineBot(engine, game, seed, simulations) if simulations else bot_of(row.bot, engine, seed, game)
        return BlunderingBot(bot, row.slips, seed) if row.slips else bot
    if word == "random":
        return RandomAgent(seed, game)
    if word == "policy" and number in (NAME, FROZEN):
        return NetworkBot(number, game)
    if name != game.heuristic_bot:
        raise BadRequest(f"the page has no {name!r}")
    return EngineBot(engine, game)


class PageTable(Table):
    """A table whose bots are the engine's."""

    engine: Any = None

    def _bot(self, name: str) -> Any:
        if name not in self._agents:
            seed = int(self.game.state.key[0])
            self._agents[name] = bot_of(name, self.engine, seed, self.game.game_spec)
        return self._agents[name]

    def _choice(self, bot: Any) -> int:
        batch = self.game._batch
        batch.refresh()
        return int(bot.act(batch.obs, batch.masks, games=GameViews(batch, [0]))[0])


class Service:
    """The tables of a page, by id."""

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

    def import_game(self, name: str, kept: str) -> None:
        """A table that the browser kept."""
        self.tables[name] = PageTable.from_dict(self.games, json.loads(kept))

    def kept(self, name: str) -> str:
        """A table as the browser keeps it."""
        return json.dumps(self.tables[name].to_dict())

    def searches(self, name: str, where: str) -> list[str]:
        """What the bots that may be asked need: "table simulations", as the engine names it."""
        table = self.tables[name]
        asked = parse_qs(urlsplit(where).query).get("bot", [])
        key = PageTable.engine.known(table.game.game_spec.name, tables_of(table.game.options))
        numbers = {simulations_of(bot) for bot in [*table.seats, *asked] if re.fullmatch(r"level:(10|[1-9])", bot)}
        return [f"{key} {number}" for number in sorted(numbers - {0})]

    def answer(self, where: str, what: str) -> str:
        """The status and the answer to a request, as JSON. what: its body, as JSON; "" for none."""
        try:
            status, told = self._answer(urlsplit(where), json.loads(what) if what else {})
        except BadRequest as error:
            status, told = 400, {"error": str(error)}
        except KeyError:
            status, told = 404, {"error": "there is no such table"}
        return json.dumps({"status": status, "told": told})

    def _answer(self, where: Any, body: dict[str, Any]) -> tuple[int, Any]:
        asked = {key: values[0] for key, values in parse_qs(where.query, keep_blank_values=True).items()}
        if where.path == "/api/tables":
            return self._added(self._new(body))
        if where.path == "/api/logs":
            return self._added(PageTable.of_log(self.games, body["seats"], body.get("log")))
        found = AT.fullmatch(where.path)
        if found is None:
            raise KeyError(where.path)
        if found[2] == "remove":
            del self.tables[found[1]]
            return 200, {}
        return self._at(self.tables[found[1]], found[2] or "", asked, body)

    def _new(self, body: dict[str, Any]) -> Table:
        game, seats, seed, options = body["game"], body["seats"], body.get("seed"), body.get("options", {})
        if body.get("campaign") is True:
            level = {key: value for key, value in options.items() if key in LEVEL}
            return PageTable.of_campaign(game, seats, seed, level)
        return PageTable.new(game, seats, seed, options)

    def _added(self, table: Table) -> tuple[int, Any]:
        name = secrets.token_urlsafe(16)
        self.tables[name] = table
        return 201, {"id": name}

    def _at(self, table: Table, what: str, asked: dict[str, str], body: dict[str, Any]) -> tuple[int, Any]:
        numbers = {key: int(value) for key, value in asked.items() if key in ("viewer", "columns", "at", "since")}
        if what == "next":
            return self._added(table.next_of_campaign())
        if what == "again":
            return self._added(table.again(body.get("is_new_deal") is True))
        if what == "hint":
            bot = asked.get("bot") or table.game.game_spec.heuristic_bot
            return 200, {"action": table.hint(bot), "bot": bot}
        if what == "thought":
            return 200, table.thought(numbers.get("at"))
        if what == "explain":
            word = asked.get("word", "")
            return 200, {"word": word, "told": table.explain(word, numbers.get("viewer"))}
        if what in ("log", "page"):
            return 200, _file(table, what)
        if what == "move":
            table.move(body["action"], body["at"])
        elif what == "advance":
            table.advance(body.get("at"))
        elif what == "undo":
            table.undo()
        return 200, table.view(**numbers)


def _file(table: Table, what: str) -> str:
    """The log or the replay of a game that is over: before, its seed and moves would tell what is hidden."""
    if not table.game.is_over:
        raise BadRequest("the log is available after the game, as it reveals hidden information")
    log = {**table.log, "agents": table.names}
    if what == "log":
        return json.dumps(log, indent=2, allow_nan=False)
    from vitienv.web.replay_page import replay_page

    return replay_page(log)
