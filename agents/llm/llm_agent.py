"""A language model as a player, over any endpoint that speaks the OpenAI-compatible chat protocol."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from vitienv.agents.anonymize import Speech, speech
from vitienv.agents.llm.endpoint import (
    MOST_ECHOED,
    PATH,
    UNANSWERED,
    Interrupt,
    check_request,
    client_within,
    in_threads,
    response,
    secret_of,
    without_key,
)
from vitienv.agents.program import ILLEGAL, BotFailure, Forfeit
from vitienv.agents.protocol import Bot, GameViews, agent_kernels
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import LEAVE
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.registry import DEFAULT, game_spec
from vitienv.render.primer import primer_of
from vitienv.session.text_interface import action_line

MOST_AT_ONCE = 256
Message = dict[str, str]
HOW = (
    "You play a board game. Each message tells what you may know, your question, and your choices. Think if you like, "
    "then name one choice by its number, between <action> and </action>."
)


class LLMAgent(Bot):
    """A bot that is a language model; see the documentation's page on language models.

    An answer that names no legal action is asked for again with the reason, `retries` times; then the game is lost,
    which `faults` tells by the rows of the last `act`, or `fallback` chooses. `notes` has by these rows what the
    decisions took: "answers", "unparsed" (answers that named no legal action), "prompt_tokens", "completion_tokens",
    and "by_fallback". An endpoint that is busy or breaks off is asked again after growing pauses. Then the decision
    is lost as "unanswered" if the question may be the reason; else, as when nobody can be reached or the key is
    refused, a ConnectionError ends the run, which can be resumed.
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
        """model: as the endpoint calls it. url: of the endpoint; /chat/completions is added. key: the environment
        variable that holds the key, if it is set. retries: how often a question is asked again. fallback: a spec.
        limit_ms: for one request with its response, in milliseconds. at_once: requests that may wait side by side.
        temperature, max_tokens: sent if given. log: a file to which each answer is added as a line of JSON; one that it
        has for the same model, address, settings and messages is not asked for again. anonymize: cards and places have
        neutral names. ValueError for what is wrong."""
        from vitienv.agents.seeding import make_bot

        for name, value, least, most in (
            ("retries", retries, 0, 100), ("limit_ms", limit_ms, 1, 3_600_000), ("at_once", at_once, 1, MOST_AT_ONCE),
        ):  # fmt: skip
            if not least <= value <= most:
                raise ValueError(f"llm: {name} is {value}; it must be from {least} to {most}")
        for sign in "@?#":  # what stands beside it may be a password or a key, which is not to be told
            if sign in url:
                raise ValueError(f"llm: url has {sign!r} in it; it must end with a path; for a key see the option key")
        super().__init__(f"llm:{model}", game_spec(game))
        self.model, self.url, self.key = model, url.rstrip("/") + PATH, key
        self.retries, self.limit, self.at_once = retries, limit_ms / 1000, at_once
        self.settings = {"temperature": temperature, "max_tokens": max_tokens}
        self.asked = {"model": model, "url": url.rstrip("/"), **self.settings}  # on which an answer depends
        self.fallback = None if fallback is None else make_bot(fallback, seed or 0, game)
        if log is not None and not (Path(log).is_file() if Path(log).exists() else Path(log).parent.is_dir()):
            raise ValueError(f"llm: log must be a regular file in an existing directory, got {log!r}")
        self.log = None if log is None else Log(Path(log))
        self.speech = speech(anonymize, self.table)
        self.forfeits: dict[int, Forfeit] = {}
        self.notes: dict[int, dict[str, int]] = {}
        check_request(self)

    def kernels_for(self, what: str = "act") -> list[Any]:
        """See `Bot.kernels_for`: what its fallback calls."""
        return agent_kernels(self.fallback, what)

    def warm_up(self) -> Any:
        """See `Bot.warm_up`: no service is asked."""
        return self.fallback.warm_up() if isinstance(self.fallback, Bot) else self

    def _act(self, observations: np.ndarray, action_masks: np.ndarray, games: GameViews | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} needs the games that it plays in")
        self.forfeits.clear()  # and not others: at other tables a copy plays
        self.notes.clear()
        # its texts are the same under every deal
        asked = [games.determinize(row, seed=0) for row in range(len(action_masks))]
        with client_within(self.limit) as client:
            found = in_threads(lambda game, end: Decision(self, client, game, end).made(), asked, self.at_once)
        chosen = np.full(len(action_masks), LEAVE, np.int64)
        for row, decision in enumerate(found):
            self.notes[row] = decision.notes
            if decision.action is not None:
                chosen[row] = decision.action
            elif self.fallback is None:
                self.forfeits[row] = Forfeit(decision.kind, decision.error)
            else:
                one = [row]
                chosen[row] = self.fallback.act(observations[one], action_masks[one], games=games.of(one))[0]
                decision.notes["by_fallback"] = 1
        return chosen


class Decision:
    """One decision of a model: the messages so far, and the result. interrupt: ends it without one."""

    def __init__(self, agent: LLMAgent, client: Any, game: Game, interrupt: Interrupt | None = None) -> None:
        self.agent, self.client, self.game, self.interrupt = agent, client, game, interrupt or Interrupt()
        self.messages = _messages(game, agent.speech)
        self.notes = {"answers": 0, "unparsed": 0, "prompt_tokens": 0, "completion_tokens": 0}
        self.action: int | None = None
        self.kind, self.error = ILLEGAL, ""

    def made(self) -> Decision:
        """Ask until an answer names a legal action, or as often as may be."""
        for _ in range(self.agent.retries + 1):
            answer = ""
            try:
                answer = self._answer()
                self.action = self.agent.speech.parse_action(self.game, answer)
                return self
            except (BotFailure, IllegalAction) as error:
                self.kind = error.forfeit.kind if isinstance(error, BotFailure) else ILLEGAL
                self.error = str(error)
            if self.kind == UNANSWERED or self.interrupt.is_set():  # it was asked often enough
                return self
            self.notes["unparsed"] += 1
            told = f"{self.error}. Name one choice by its number, between <action> and </action>."
            self.messages.append({"role": "assistant", "content": answer[-MOST_ECHOED:] or "(nothing)"})
            self.messages.append({"role": "user", "content": told})
        return self

    def _answer(self) -> str:
        """The text of an answer, "" if it has none. Failed for a response that is no answer, and as `response`."""
        log = self.agent.log
        known = None if log is None else log.answer(self.agent.asked, self.messages)
        if known is not None:  # it counts as before, so that a resumed run has the counts of the whole
            answer, tokens = known
            self._count(tokens)
            return answer
        began = time.monotonic()
        message = response(self.agent, self.client, self.messages, self.interrupt)
        try:
            answer = without_key(_text(message["choices"][0]["message"].get("content")), secret_of(self.agent))
        except (KeyError, IndexError, TypeError, AttributeError):
            raise BotFailure(ILLEGAL, "the response has no choices[0].message") from None
        tokens = _tokens(message.get("usage"))
        self._count(tokens)
        if log is not None:
            log.add(self.agent.asked, self.messages, answer, tokens, time.monotonic() - began)
        return answer

    def _count(self, tokens: dict[str, int]) -> None:
        self.notes["answers"] += 1
        for name, n in tokens.items():
            self.notes[name] += n


def _text(content: Any) -> str:
    """The text of a message, also of one in parts; "" if it has none, as of a model that used up its tokens to think.

    Half a pair of UTF-16, which JSON can tell and no request can send, becomes a question mark.
    """
    parts = content if isinstance(content, list) else [{"text": content}]
    told = [one.get("text") for one in parts if isinstance(one, dict) and one.get("type", "text") == "text"]
    return "".join(one for one in told if isinstance(one, str)).encode(errors="replace").decode()


def _tokens(usage: Any) -> dict[str, int]:
    """How many tokens an endpoint says that were used; 0 where it does not say so."""
    told = usage if isinstance(usage, dict) else {}
    counts = {name: told.get(name) for name in ("prompt_tokens", "completion_tokens")}
    return {name: n if type(n) is int and 0 <= n < 10**9 else 0 for name, n in counts.items()}


def _messages(game: Game, said: Speech) -> list[Message]:
    choices = "\n".join(map(action_line, said.describe_actions(game)))
    asked = f"{said.describe(game)}\n\nChoices:\n{choices}"
    how = said.text(game, _how(game.options))
    return [{"role": "system", "content": how}, {"role": "user", "content": asked}]


@lru_cache
def _how(options: Options) -> str:
    """The first message to a model: how to answer, and the rules if the game has a primer."""
    rules = primer_of(options) if options.game_spec.text_module.primer(options) else ""
    return "\n\n".join([HOW, rules]).strip()


class Log:
    """Decisions as lines of JSON in a file: what was asked, messages, answer, tokens, seconds. It never holds a key."""

    def __init__(self, path: Path) -> None:
        self.path, self._lock = path, Lock()
        self._known: dict[str, tuple[str, dict[str, int]]] = {}
        written = path.read_bytes() if path.exists() else b""
        self._gap = b"" if written.endswith(b"\n") or not written else b"\n"  # behind what a killed run left
        for line in written.splitlines():
            try:
                told = from_json(line)
                self._known[_key(told["asked"], told["messages"])] = _text(told["answer"]), _tokens(told)
            except (ValueError, KeyError, TypeError):
                continue  # a line that a killed run left half written

    def answer(self, asked: Any, messages: list[Message]) -> tuple[str, dict[str, int]] | None:
        """The log's answer to the same messages, with its tokens, or None. asked: who, where and by which settings."""
        return self._known.get(_key(asked, messages))

    def add(self, asked: Any, messages: list[Message], answer: str, tokens: dict[str, int], seconds: float) -> None:
        """Add a decision."""
        line = {"asked": asked, "messages": messages, "answer": answer, **tokens, "seconds": round(seconds, 3)}
        with self._lock:
            self._known[_key(asked, messages)] = answer, tokens
            with self.path.open("ab") as file:
                file.write(self._gap + json.dumps(line).encode() + b"\n")
            self._gap = b""


def _key(asked: Any, messages: list[Message]) -> str:
    return json.dumps([asked, messages], sort_keys=True)
