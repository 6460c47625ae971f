"""A language model as a player, over any endpoint that speaks the OpenAI-compatible chat protocol."""

from __future__ import annotations

import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from vitienv.agents.disguise import Speech, speech
from vitienv.agents.program import ILLEGAL, TIMEOUT, Failed, Fault
from vitienv.agents.protocol import Bot, Views, compiled_by
from vitienv.core.definition import Definition
from vitienv.core.errors import IllegalAction
from vitienv.core.files import from_json
from vitienv.core.kernel import LEAVE
from vitienv.core.options import Options
from vitienv.game import Game
from vitienv.games import DEFAULT, definition
from vitienv.primers import primer_of
from vitienv.told import choice_line

MOST_BYTES = 1_000_000  # of a response
MOST_AT_ONCE = 256
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before an endpoint that could not answer is asked again
LONGEST_PAUSE = 60.0  # that an endpoint may ask for
BUSY = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses after which the same request may succeed
GONE = (*range(300, 400), 401, 402, 403, 404, 405, 407, 410, 429, 502, 503)  # statuses that no question explains
BROKEN_OFF = ("ReadError", "ReadTimeout", "RemoteProtocolError", "WriteError", "WriteTimeout")  # errors of httpx2
UNANSWERED = "unanswered"  # the kind of fault of a model whose endpoint gives no response to a question
MOST_ECHOED = 400  # characters of an answer, its last ones, that a model sees again
INSTALL = "language models need httpx2; in the folder of the sources: pip install -e '.[llm]'"
Message = dict[str, str]
HOW = (
    "You play a board game. Each message tells what you may know, your question, and your choices. Think if you like, "
    "then name one choice by its number, between <action> and </action>."
)


class ChatAgent(Bot):
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
        disguise: bool = False,
        seed: int | None = None,
        game: str | Definition = DEFAULT,
    ) -> None:
        """model: as the endpoint calls it. url: of the endpoint; /chat/completions is added. key: the environment
        variable that holds the key, if it is set. retries: how often a question is asked again. fallback: a spec.
        limit_ms: for one request with its response, in milliseconds. at_once: requests that may wait side by side.
        temperature, max_tokens: sent if given. log: a file to which each answer is added as a line of JSON; one that it
        has for the same model, address, settings and messages is not asked for again. disguise: cards and places have
        neutral names. ValueError for what is wrong."""
        from vitienv.agents.seating import make_bot

        for name, value, least, most in (
            ("retries", retries, 0, 100), ("limit_ms", limit_ms, 1, 3_600_000), ("at_once", at_once, 1, MOST_AT_ONCE),
        ):  # fmt: skip
            if not least <= value <= most:
                raise ValueError(f"llm: {name} is {value}; it must be from {least} to {most}")
        for sign in "@?#":  # what stands beside it may be a password or a key, which is not to be told
            if sign in url:
                raise ValueError(f"llm: url has {sign!r} in it; it must end with a path; for a key see the option key")
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
            raise ValueError(f"llm: url is {url!r}; it must be such as http://localhost:8000/v1")
        super().__init__(f"llm:{model}", definition(game))
        self.model, self.url, self.key = model, url.rstrip("/") + "/chat/completions", key
        self.retries, self.limit, self.at_once = retries, limit_ms / 1000, at_once
        self.settings = {"temperature": temperature, "max_tokens": max_tokens}
        self.asked = {"model": model, "url": url.rstrip("/"), **self.settings}  # on which an answer depends
        self.fallback = None if fallback is None else make_bot(fallback, seed or 0, game)
        if log is not None and (Path(log).is_dir() or not Path(log).parent.is_dir()):
            raise ValueError(f"llm: log is {log!r}; it must be a file in a folder that is there")
        self.log = None if log is None else Log(Path(log))
        self.speech = speech(disguise, self.table)
        self.faults: dict[int, Fault] = {}
        self.notes: dict[int, dict[str, int]] = {}

    def compiled(self, what: str = "act") -> list[Any]:
        """See `Bot.compiled`: what its fallback calls."""
        return compiled_by(self.fallback, what)

    def trial(self) -> Any:
        """See `Bot.trial`: no service is asked."""
        return self.fallback.trial() if isinstance(self.fallback, Bot) else self

    def _act(self, observations: np.ndarray, masks: np.ndarray, games: Views | None) -> np.ndarray:
        if games is None:
            raise ValueError(f"agent {self.name!r} needs the games that it plays in")
        self.faults.clear()  # and not others: at other tables a copy plays
        self.notes.clear()
        asked = [games.determinize(row, seed=0) for row in range(len(masks))]  # its texts are the same under every deal
        with _client(self.limit) as client, ThreadPoolExecutor(min(self.at_once, max(1, len(asked)))) as pool:
            found = list(pool.map(lambda game: Decision(self, client, game).made(), asked))
        chosen = np.full(len(masks), LEAVE, np.int64)
        for row, decision in enumerate(found):
            self.notes[row] = decision.notes
            if decision.action is not None:
                chosen[row] = decision.action
            elif self.fallback is None:
                self.faults[row] = Fault(decision.kind, decision.error)
            else:
                one = [row]
                chosen[row] = self.fallback.act(observations[one], masks[one], games=games.of(one))[0]
                decision.notes["by_fallback"] = 1
        return chosen


class Decision:
    """One decision of a model: the messages so far, and the result."""

    def __init__(self, agent: ChatAgent, client: Any, game: Game) -> None:
        self.agent, self.client, self.game = agent, client, game
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
                self.action = self.agent.speech.parse(self.game, answer)
                return self
            except (Failed, IllegalAction) as error:
                self.kind = error.fault.kind if isinstance(error, Failed) else ILLEGAL
                self.error = str(error)
            if self.kind == UNANSWERED:  # it was asked often enough
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
        message = response(self.agent, self.client, self.messages)
        try:
            answer = _text(message["choices"][0]["message"].get("content"))
        except (KeyError, IndexError, TypeError, AttributeError):
            raise Failed(ILLEGAL, "the response has no choices[0].message") from None
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
    choices = "\n".join(map(choice_line, said.choices(game)))
    asked = f"{said.words(game)}\n\nChoices:\n{choices}"
    how = said.text(game, _how(game.options))
    return [{"role": "system", "content": how}, {"role": "user", "content": asked}]


@lru_cache
def _how(options: Options) -> str:
    """The first message to a model: how to answer, and the rules if the game has a primer."""
    rules = primer_of(options) if options.definition.wording.primer(options) else ""
    return "\n\n".join([HOW, rules]).strip()


@contextmanager
def _client(limit: float) -> Iterator[Any]:
    try:
        import httpx2
    except ModuleNotFoundError:
        raise ValueError(f"llm: {INSTALL}") from None
    # Each request has a connection of its own, so that `_within` can end it.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
    timeout = httpx2.Timeout(limit, read=2 * limit)  # `_within` ends what is read, and says so
    with httpx2.Client(timeout=timeout, follow_redirects=False, limits=limits) as client:
        yield client


@contextmanager
def _within(seconds: float) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A trace for a request that ends its connection after a time, as httpx2 limits each read and not the whole.

    Failed if the request fails by that.
    """
    sockets: list[socket.socket] = []
    is_late = Event()

    def end() -> None:
        is_late.set()
        for one in sockets:
            with suppress(OSError):  # it is closed, or went into that of TLS
                socket.socket.shutdown(one, socket.SHUT_RDWR)

    def trace(event: str, told: dict[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            sockets.append(told["return_value"].get_extra_info("socket"))
            if is_late.is_set():
                end()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield trace
    except Exception as error:
        if not is_late.is_set() or "Connect" in type(error).__name__:
            raise
        raise Failed(TIMEOUT, f"the response took more than {seconds:g} s") from None
    finally:
        timer.cancel()


def response(agent: ChatAgent, client: Any, messages: list[Message]) -> dict[str, Any]:
    """What the endpoint answers, as JSON. Failed for a response that is none, and for a question that gets none;
    ConnectionError if that is so whatever is asked."""
    import httpx2

    sent = {"model": agent.model, "messages": messages} | {k: v for k, v in agent.settings.items() if v is not None}
    secret = os.environ.get(agent.key)
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    why, is_gone = "", True
    for pause in (*PAUSES, None):
        wait = pause
        try:
            with (
                _within(agent.limit) as trace,
                client.stream("POST", agent.url, json=sent, headers=headers, extensions={"trace": trace}) as came,
            ):
                if came.status_code == 200:
                    return _read(came)
                why, is_gone = f"answered with status {came.status_code}", came.status_code in GONE
                if came.status_code in (401, 403):
                    why += f"; its key is read from {agent.key}, which is {'set' if secret else 'not set'}"
                elif not is_gone and came.status_code not in BUSY:
                    why += _reason(came, secret)
                if came.status_code not in BUSY:
                    break
                wait = _asked_pause(came.headers.get("retry-after"), pause)
        except httpx2.HTTPError as error:
            name = type(error).__name__
            is_gone = name not in BROKEN_OFF
            why = f"could not be reached ({name})" if is_gone else f"broke off ({name})"
        if wait is not None:
            time.sleep(wait)
    told = f"the endpoint {agent.url} {why}"
    raise ConnectionError(told) if is_gone else Failed(UNANSWERED, told)


def _reason(came: Any, secret: str | None) -> str:
    """What an endpoint says of a refusal, its first characters, without the key."""
    body = b""
    for part in came.iter_raw():  # packed bytes may unpack to gigabytes
        body += part
        if len(body) > MOST_ECHOED + len(secret or ""):
            break
    said = body.decode(errors="replace")
    told = (said.replace(secret, "...") if secret else said)[:MOST_ECHOED]
    return f": {told!a}" if told else ""


def _asked_pause(seconds: str | None, pause: float | None) -> float | None:
    """The seconds that an endpoint asks for, or the usual ones."""
    if pause is None or seconds is None or not seconds.isdecimal() or len(seconds) > 6:
        return pause
    return min(float(seconds), LONGEST_PAUSE)


def _read(came: Any) -> dict[str, Any]:
    if came.headers.get("content-encoding", "identity") != "identity":  # a few bytes may unpack to gigabytes
        raise Failed(ILLEGAL, "the response is compressed, which was not asked for")
    body = b""
    for part in came.iter_bytes():
        body += part
        if len(body) > MOST_BYTES:
            raise Failed(ILLEGAL, f"the response has more than {MOST_BYTES} bytes")
    try:
        message = from_json(body)
    except (ValueError, UnicodeDecodeError) as error:
        raise Failed(ILLEGAL, f"the response is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise Failed(ILLEGAL, "the response is no JSON object")
    return message


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
