"""A bot in Python in a process of its own: an error, a crash or an answer that comes too late costs it one game."""

from __future__ import annotations

import base64
import json
import os
import shlex
import sys
from typing import Any

import numpy as np

from vitienv.agents.program import CRASH, ILLEGAL, BotFailure, Program, ProgramAgent
from vitienv.agents.protocol import Agent, Bot, agent_kernels
from vitienv.agents.query import BotCrashed, query_agent
from vitienv.agents.registry import make_agent
from vitienv.core.batch import Batch
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.text_utils import in_one_line
from vitienv.game import Game
from vitienv.registry import DEFAULT, canonical_name, game_spec

START_MS = 300_000  # to load and make the bot and to compile what it calls, before it is asked


class SubprocessAgent(ProgramAgent):
    """A bot, of this package or of your own, that is asked in another process; its faults are those of a program."""

    def __init__(
        self, bot: str, limit_ms: int = 10_000, seed: int | None = None, game: str | GameSpec = DEFAULT
    ) -> None:
        """bot: its spec; it is made here too, so that a wrong one is refused at once. limit_ms: for one answer, in
        milliseconds, without the start. seed: passed on. ValueError as of `make_agent`, and for a wrong limit."""
        super().__init__(shlex.quote(sys.executable), limit_ms, game=game)
        self.name, self.bot = f"subprocess:{bot}", make_agent(bot, seed, game)
        self.program = Program([sys.executable, "-c", f"from {__name__} import serve; serve()"], limit_ms)
        self._start = {"bot": bot, "seed": seed, "game": canonical_name(self.table)}

    def supports(self, table: GameSpec) -> bool:
        """See `Bot.supports`."""
        return bool(getattr(self.bot, "supports", lambda _: True)(table))

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return agent_kernels(self.bot, what)

    def warm_up(self) -> Any:
        """See `Bot.warm_up`: the other process finds what is compiled here."""
        return self.bot.warm_up() if isinstance(self.bot, Bot) else self

    def _answer(self, game: Game) -> int:
        state = base64.b64encode(game.state.tobytes()).decode()
        question = {"options": game.options.to_dict(), "state": state}
        if not self.program.is_running:
            self.program.ask(_line(self._start | question), START_MS)
        told = from_json(self.program.ask(_line(question)))
        if "forfeit" in told:
            raise BotFailure(told["forfeit"], in_one_line(told["text"]))
        return int(told["action"])


def serve() -> None:
    """Answer questions about positions, line by line, as the bot that the first line names.

    What the bot prints goes to stderr.
    """
    asked, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    start = json.loads(asked.readline())
    game = game_spec(start["game"])
    bot = make_agent(start["bot"], start["seed"], start["game"])
    answer: dict[str, Any] = {"ready": True}
    if isinstance(bot, Bot):  # what it calls is loaded before time counts; own code is asked no more than it must be
        _answered(bot, game, start)
    else:
        _position(game, start)
    while True:
        answers.write(_line(answer))
        answers.flush()
        if not (line := asked.readline()):
            return
        answer = _answered(bot, game, json.loads(line))


def _line(told: dict[str, Any]) -> bytes:
    return json.dumps(told).encode() + b"\n"


def _position(game: GameSpec, asked: dict[str, Any]) -> Batch:
    batch = Batch(1, game.options.of(**asked["options"]))
    batch.bytes_view[0] = np.frombuffer(base64.b64decode(asked["state"]), np.uint8)
    batch.refresh()
    return batch


def _answered(bot: Agent, game: GameSpec, asked: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"action": int(query_agent(bot, _position(game, asked), np.array([0]), lambda _: bot.name)[0])}
    except (BotCrashed, IllegalAction) as error:
        return {"forfeit": CRASH if isinstance(error, BotCrashed) else ILLEGAL, "text": str(error)}
