"""Python bots in a separate process: a crash or a timeout forfeits one game."""

from __future__ import annotations

import base64
import json
import os
import shlex
import sys
from typing import Any

import numpy as np

from vitienv.agents.program import CRASH, ILLEGAL, BotFailure, Clock, Program, ProgramAgent
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

START_MS = 300_000  # time limit of imports and compilation


class SubprocessAgent(ProgramAgent):
    """Bot that runs in another process; failures are those of a program."""

    def __init__(
        self, bot: str, limit_ms: int = 10_000, game_limit_ms: int | None = None, seed: int | None = None,
        game: str | GameSpec = DEFAULT,
    ) -> None:  # fmt: skip
        """Limits are those of `ProgramAgent`, without the start. ValueError as in `make_agent`, and for a limit."""
        super().__init__(shlex.quote(sys.executable), limit_ms, game_limit_ms, game=game)
        self.name, self.bot = f"subprocess:{bot}", make_agent(bot, seed, game)
        self.program = Program([sys.executable, "-c", f"from {__name__} import serve; serve()"], limit_ms)
        self._start = {"bot": bot, "seed": seed, "game": canonical_name(self.table)}

    def supports(self, table: GameSpec) -> bool:
        """See `Bot.supports`."""
        return bool(getattr(self.bot, "supports", lambda _: True)(table))

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`."""
        return agent_kernels(self.bot, method)

    def warm_up(self) -> Any:
        """See `Bot.warm_up`; the other process uses the same cache of compiled code."""
        return self.bot.warm_up() if isinstance(self.bot, Bot) else self

    def _answer(self, game: Game, clock: Clock) -> int:
        state = base64.b64encode(game.state.tobytes()).decode()
        question = {"options": game.options.to_dict(), "state": state}
        if not self.program.is_running:
            self.program.ask(_line(self._start | question), START_MS)
        answer = from_json(clock.ask(self.program, _line(question)))
        if "forfeit" in answer:
            raise BotFailure(answer["forfeit"], in_one_line(answer["text"]))
        return int(answer["action"])


def serve() -> None:
    """Answer queries line by line as the bot of the first line. Output of the bot is redirected to stderr."""
    questions, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    start = json.loads(questions.readline())
    game = game_spec(start["game"])
    bot = make_agent(start["bot"], start["seed"], start["game"])
    answer: dict[str, Any] = {"ready": True}
    if isinstance(bot, Bot):  # compile before the time limit applies; custom bots get no extra queries
        _answer_query(bot, game, start)
    else:
        _position(game, start)
    while True:
        answers.write(_line(answer))
        answers.flush()
        if not (line := questions.readline()):
            return
        answer = _answer_query(bot, game, json.loads(line))


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _position(game: GameSpec, question: dict[str, Any]) -> Batch:
    record = np.frombuffer(base64.b64decode(question["state"]), np.int8)
    return Batch.from_bytes(record[None], game.options.of(**question["options"]))


def _answer_query(bot: Agent, game: GameSpec, question: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"action": int(query_agent(bot, _position(game, question), np.array([0]), lambda _: bot.name)[0])}
    except (BotCrashed, IllegalAction) as error:
        return {"forfeit": CRASH if isinstance(error, BotCrashed) else ILLEGAL, "text": str(error)}
