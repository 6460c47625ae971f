"""Language models as players, over endpoints with the OpenAI-compatible chat protocol."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from vitienv.agents.anonymize import GameText, game_text
from vitienv.agents.llm.endpoint import (
    MAX_ECHOED_CHARS,
    PATH,
    UNANSWERED,
    check_request,
    client_within,
    redact_key,
    response,
    secret_of,
)
from vitienv.agents.program import ILLEGAL, BotFailure, Forfeit
from vitienv.agents.protocol import Bot, GameViews, agent_kernels
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import SKIP
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec
from vitienv.render.primer import primer_of
from vitienv.session.text_interface import action_line

MAX_PARALLEL = 256
Message = dict[str, str]
INSTRUCTIONS = (
    "You play a board game. Each message tells what you may know, your question, and your choices. Think if you like, "
    "then name one choice by its number, between <action> and </action>."
)


class LLMAgent(Bot):
    """Bot that is a language model; see docs/text.md.

    An invalid answer is returned with the reason up to `retries` times; then `fallback` chooses, or the game is
    forfeited: `forfeits` has the reasons by rows of the last `act`. `notes` has counts by row: "answers", "unparsed"
    (answers without a legal action), "prompt_tokens", "completion_tokens" and "by_fallback". Busy endpoints are retried
    with growing pauses. Then a decision fails as "unanswered" if its request may be the cause; otherwise, as with an
    unreachable endpoint or a refused key, ConnectionError ends the run, which can be resumed.
    """

    def __init__(
        self,
        model: str,
        url: str,
        key: str = "OPENAI_API_KEY",
        retries: int = 2,
        fallback: str | None = None,
        limit_ms: int = 120_000,
        at_once: int = 8,
        temperature: float | None = None,
        max_tokens: int | None = None,
        log: str | None = None,
        anonymize: bool = False,
        seed: int | None = None,
        game: str | GameSpec = DEFAULT,
    ) -> None:
        """Create the agent. ValueError for invalid arguments.

        model: its name at the endpoint. url: of the endpoint, without /chat/completions. key: name of the environment
        variable of the API key. retries: per decision. fallback: a bot spec. limit_ms: time limit of a request.
        at_once: parallel requests. temperature, max_tokens: sent unless None. log: JSON Lines file of answers, reused
        for the same model, address, settings and messages. anonymize: neutral names of cards and places.
        """
        from vitienv.agents.seeding import make_bot

        for name, value, minimum, maximum in (
            ("retries", retries, 0, 100), ("limit_ms", limit_ms, 1, 3_600_000), ("at_once", at_once, 1, MAX_PARALLEL),
        ):  # fmt: skip
            if not minimum <= value <= maximum:
                raise ValueError(f"llm: {name} must be from {minimum} to {maximum}, got {value}")
        for sign in "@?#":  # not quoted: the url may contain a password or a key
            if sign in url:
                raise ValueError(f"llm: url must not contain {sign!r}; set the option key for a key")
        super().__init__(f"llm:{model}", game_spec(game))
        self.model, self.url, self.key = model, url.rstrip("/") + PATH, key
        self.retries, self.limit, self.at_once = retries, limit_ms / 1000, at_once
        self.settings = {"temperature": temperature, "max_tokens": max_tokens}
        self.request = {"model": model, "url": url.rstrip("/"), **self.settings}  # key of the log, with the messages
        self.fallback = None if fallback is None else make_bot(fallback, seed or 0, game)
        if log is not None and not (Path(log).is_file() if Path(log).exists() else Path(log).parent.is_dir()):
            raise ValueError(f"llm: log must be a regular file in an existing directory, got {log!r}")
        self.log = None if log is None else Log(Path(log))
        self.game_text = game_text(anonymize, self.table)
        self.forfeits: dict[int, Forfeit] = {}
        self.notes: dict[int, dict[str, int]] = {}
        check_request(self)

    def kernels_for(self, method: str = "act") -> list[Any]:
        """See `Bot.kernels_for`: those of the fallback."""
        return agent_kernels(self.fallback, method)

    def warm_up(self) -> Any:
        """See `Bot.warm_up`; sends no request."""
        return self.fallback.warm_up() if isinstance(self.fallback, Bot) else self

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} requires `games` in `act`")
        self.forfeits.clear()  # shared with copies for other tables
        self.notes.clear()
        from anyio.from_thread import start_blocking_portal

        # The texts do not depend on the seed.
        views = [games.determinize(row, seed=0) for row in range(len(action_masks))]
        # An event loop in a thread, as the caller may have one, such as a notebook. An interrupt cancels all requests.
        with start_blocking_portal() as portal:
            decisions = portal.call(self.decide, views)
        actions = np.full(len(action_masks), SKIP, np.int64)
        for row, decision in enumerate(decisions):
            self.notes[row] = decision.notes
            if decision.action is not None:
                actions[row] = decision.action
            elif self.fallback is None:
                self.forfeits[row] = Forfeit(decision.kind, decision.error)
            else:
                single = [row]
                actions[row] = self.fallback.act(observations[single], action_masks[single], games=games.of(single))[0]
                decision.notes["by_fallback"] = 1
        return actions

    async def decide(self, games: Sequence[Game]) -> list[Decision]:
        """Return the decisions in some games, of which `at_once` are requested at the same time."""
        semaphore = asyncio.Semaphore(self.at_once)

        async def run(decision: Decision) -> Decision:
            async with semaphore:
                return await decision.run()

        async with client_within(self.limit) as client:
            return await asyncio.gather(*(run(Decision(self, client, game)) for game in games))


class Decision:
    """A decision of a model: its messages and result."""

    def __init__(self, agent: LLMAgent, client: Any, game: Game) -> None:
        self.agent, self.client, self.game = agent, client, game
        self.messages = _messages(game, agent.game_text)
        self.notes = {"answers": 0, "unparsed": 0, "prompt_tokens": 0, "completion_tokens": 0}
        self.action: int | None = None
        self.kind, self.error = ILLEGAL, ""

    async def run(self) -> Decision:
        """Send requests until an answer is a legal action, up to the limit."""
        for _ in range(self.agent.retries + 1):
            answer = ""
            try:
                answer = await self._answer()
                self.action = self.agent.game_text.parse_action(self.game, answer)
                return self
            except (BotFailure, IllegalAction) as error:
                self.kind = error.forfeit.kind if isinstance(error, BotFailure) else ILLEGAL
                self.error = str(error)
            if self.kind == UNANSWERED:  # `response` has retried already
                return self
            self.notes["unparsed"] += 1
            reminder = f"{self.error}. Name one choice by its number, between <action> and </action>."
            self.messages.append({"role": "assistant", "content": answer[-MAX_ECHOED_CHARS:] or "(nothing)"})
            self.messages.append({"role": "user", "content": reminder})
        return self

    async def _answer(self) -> str:
        """Return the text of an answer, which may be empty. BotFailure for an invalid response, or as in `response`."""
        log = self.agent.log
        cached = None if log is None else log.answer(self.agent.request, self.messages)
        if cached is not None:  # counted, so that a resumed run has the same counts
            answer, tokens = cached
            self._count(tokens)
            return answer
        start = time.monotonic()
        message = await response(self.agent, self.client, self.messages)
        try:
            answer = redact_key(_text(message["choices"][0]["message"].get("content")), secret_of(self.agent))
        except (KeyError, IndexError, TypeError, AttributeError):
            raise BotFailure(ILLEGAL, "the response has no choices[0].message") from None
        tokens = _tokens(message.get("usage"))
        self._count(tokens)
        if log is not None:
            log.add(self.agent.request, self.messages, answer, tokens, time.monotonic() - start)
        return answer

    def _count(self, tokens: dict[str, int]) -> None:
        self.notes["answers"] += 1
        for name, n in tokens.items():
            self.notes[name] += n


def _text(content: Any) -> str:
    """Return the text of a message or of its parts; "" without text, as after the token limit in reasoning.

    Lone UTF-16 surrogates, which JSON allows and requests cannot encode, become question marks.
    """
    parts = content if isinstance(content, list) else [{"text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type", "text") == "text"]
    return "".join(part for part in texts if isinstance(part, str)).encode(errors="replace").decode()


def _tokens(usage: Any) -> dict[str, int]:
    fields = usage if isinstance(usage, dict) else {}
    counts = {name: fields.get(name) for name in ("prompt_tokens", "completion_tokens")}
    return {name: n if type(n) is int and 0 <= n < 10**9 else 0 for name, n in counts.items()}


def _messages(game: Game, game_text: GameText) -> list[Message]:
    choices = "\n".join(map(action_line, game_text.describe_actions(game)))
    prompt = f"{game_text.describe(game)}\n\nChoices:\n{choices}"
    instructions = game_text.text(game, _instructions(game.options))
    return [{"role": "system", "content": instructions}, {"role": "user", "content": prompt}]


@lru_cache
def _instructions(options: Options) -> str:
    rules = primer_of(options) if options.game_spec.text_module.primer(options) else ""
    return "\n\n".join([INSTRUCTIONS, rules]).strip()


class Log:
    """JSON Lines file of answers: request, messages, answer, tokens, seconds; without keys."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._answers: dict[str, tuple[str, dict[str, int]]] = {}
        content = path.read_bytes() if path.exists() else b""
        # A killed run may leave an incomplete line.
        self._gap = b"" if content.endswith(b"\n") or not content else b"\n"
        for line in content.splitlines():
            try:
                record = from_json(line)
                self._answers[_key(record["asked"], record["messages"])] = _text(record["answer"]), _tokens(record)
            except (ValueError, KeyError, TypeError):
                continue  # incomplete line of a killed run

    def answer(self, request: Any, messages: list[Message]) -> tuple[str, dict[str, int]] | None:
        """Return the logged answer and tokens of a request (model, address, settings), or None."""
        return self._answers.get(_key(request, messages))

    def add(self, request: Any, messages: list[Message], answer: str, tokens: dict[str, int], seconds: float) -> None:
        """Add a decision."""
        line = {"asked": request, "messages": messages, "answer": answer, **tokens, "seconds": round(seconds, 3)}
        self._answers[_key(request, messages)] = answer, tokens
        with self.path.open("ab") as file:
            file.write(self._gap + json.dumps(line).encode() + b"\n")
        self._gap = b""


def _key(request: Any, messages: list[Message]) -> str:
    return json.dumps([request, messages], sort_keys=True)
