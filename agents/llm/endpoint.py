"""Requests to an endpoint that speaks the OpenAI-compatible chat protocol, which an interrupt ends."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from queue import Empty, SimpleQueue
from threading import Event, Thread, Timer
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vitienv.agents.program import ILLEGAL, TIMEOUT, BotFailure
from vitienv.core.files import from_json
from vitienv.extras import missing

if TYPE_CHECKING:
    from vitienv.agents.llm.llm_agent import LLMAgent, Message

MAX_RESPONSE_BYTES = 1_000_000
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds before an endpoint that could not answer is asked again
MAX_PAUSE_SECONDS = 60.0
BUSY = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses after which the same request may succeed
GONE = (*range(300, 400), 401, 402, 403, 404, 405, 407, 410, 429, 502, 503)  # statuses that no question explains
BROKEN_OFF = ("ReadError", "ReadTimeout", "RemoteProtocolError", "WriteError", "WriteTimeout")  # errors of httpx2
UNANSWERED = "unanswered"  # the kind of fault of a model whose endpoint gives no response to a question
PATH = "/chat/completions"
MIN_KEY_PIECE = 8  # characters
LAST_SECONDS = 1.0  # given to requests when the run is interrupted
MOST_ECHOED = 400  # characters of an answer, its last ones, that a model sees again


@contextmanager
def client_within(limit: float) -> Iterator[Any]:
    try:
        import httpx2
    except ModuleNotFoundError:
        raise ValueError(missing("llm:", "httpx2", "llm")) from None
    # Each request has a connection of its own, so that `_within` can end it.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
    timeout = httpx2.Timeout(limit, read=2 * limit)  # `_within` ends what is read, and says so
    try:
        made = httpx2.Client(timeout=timeout, follow_redirects=False, limits=limits)
    except Exception as error:  # httpx2 raises errors of several kinds
        what = "look at ALL_PROXY, HTTP_PROXY, HTTPS_PROXY, SSL_CERT_FILE and SSL_CERT_DIR in the environment"
        raise ValueError(f"llm: no client can be made ({type(error).__name__}); {what}") from None
    with made as client:
        yield client


def check_request(agent: LLMAgent) -> None:
    """ValueError, in one line, if no request can be made: a wrong address, key, proxy or file of certificates.

    Nothing is sent. Neither the key is quoted nor an address with a colon, behind which a password may be.
    """
    secret, url = secret_of(agent), agent.url.removesuffix(PATH)
    if secret and not (secret.isascii() and secret.isprintable() and " " not in secret):
        raise ValueError(f"llm: the key in {agent.key} must be printable ASCII characters without spaces")
    try:
        address = urlsplit(url)
        is_address = address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
        (address.hostname or "").encode("idna")
    except ValueError:
        is_address = False
    if not is_address or " " in url or not url.isprintable():
        got = f", got {url!r}" if ":" not in url.partition("://")[2] and "://" in url else ""
        raise ValueError(f"llm: url must be an address such as http://localhost:8000/v1{got}")
    with client_within(agent.limit) as client:
        try:
            client.build_request("POST", agent.url, headers=_headers(secret))
        except Exception as error:  # httpx2.InvalidURL is no ValueError
            raise ValueError(f"llm: no request can be made to that url ({type(error).__name__})") from None


def secret_of(agent: LLMAgent) -> str:
    return os.environ.get(agent.key, "")


def _headers(secret: str) -> dict[str, str]:
    return {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {secret}"} if secret else {})


def without_key(text: str, secret: str) -> str:
    """Replace the key and its pieces from `MIN_KEY_PIECE` characters. A shorter key is no secret, such as "none"."""
    pieces = {secret[i : i + MIN_KEY_PIECE] for i in range(len(secret) - MIN_KEY_PIECE + 1)}
    if not any(piece in text for piece in pieces):
        return text
    is_secret = bytearray(len(text))
    for i in range(len(text) - MIN_KEY_PIECE + 1):
        if text[i : i + MIN_KEY_PIECE] in pieces:
            is_secret[i : i + MIN_KEY_PIECE] = b"\1" * MIN_KEY_PIECE
    runs = groupby(zip(is_secret, text, strict=True), key=lambda pair: pair[0])
    return "".join("..." if hides else "".join(char for _, char in run) for hides, run in runs)


class Interrupt(Event):
    """An event that calls functions when it is set, such as those that end a request."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: set[Callable[[], None]] = set()

    def set(self) -> None:
        """Set it, and call them."""
        super().set()
        for call in list(self.calls):
            call()


def in_threads(work: Callable[[Any, Interrupt], Any], items: Sequence[Any], num_threads: int) -> list[Any]:
    """Call a function for all items, in threads that neither an interrupt nor the end of the program waits for.

    An exception sets the interrupt that each call gets, and leaves within `LAST_SECONDS`.
    """
    interrupt = Interrupt()
    tasks: SimpleQueue[tuple[int, Any]] = SimpleQueue()
    results: SimpleQueue[tuple[int, Any, BaseException | None]] = SimpleQueue()
    for task in enumerate(items):
        tasks.put(task)

    def run() -> None:
        with suppress(Empty):
            while not interrupt.is_set():
                i, item = tasks.get_nowait()
                try:
                    results.put((i, work(item, interrupt), None))
                except BaseException as error:
                    results.put((i, None, error))

    threads = [Thread(target=run, daemon=True) for _ in range(min(num_threads, len(items)))]
    values = [None] * len(items)
    try:
        for thread in threads:
            thread.start()
        for _ in items:
            i, values[i], error = results.get()
            if error is not None:
                raise error
    except BaseException:
        interrupt.set()
        end = time.monotonic() + LAST_SECONDS
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        raise
    return values


@contextmanager
def _within(seconds: float, interrupt: Interrupt) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A trace for a request that ends its connection after a time, as httpx2 limits each read and not the whole, or
    when the interrupt is set. Failed if the request fails by that.
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
    interrupt.calls.add(end)
    try:
        if interrupt.is_set():
            raise BotFailure(UNANSWERED, "interrupted")
        yield trace
    except Exception as error:
        if not is_late.is_set() or "Connect" in type(error).__name__:
            raise
        raise BotFailure(TIMEOUT, f"the response took more than {seconds:g} s") from None
    finally:
        interrupt.calls.discard(end)
        timer.cancel()


def response(agent: LLMAgent, client: Any, messages: list[Message], interrupt: Interrupt) -> dict[str, Any]:
    """What the endpoint answers, as JSON. Failed for a response that is none, and for a question that gets none;
    ConnectionError if that is so whatever is asked."""
    import httpx2

    sent = {"model": agent.model, "messages": messages} | {k: v for k, v in agent.settings.items() if v is not None}
    secret = secret_of(agent)
    headers = _headers(secret)
    why, is_gone = "", True
    for pause in (*PAUSES, None):
        wait = pause
        try:
            with (
                _within(agent.limit, interrupt) as trace,
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
            if name == "LocalProtocolError":  # the request itself is wrong
                break
        except (httpx2.InvalidURL, UnicodeError, OSError) as error:
            why, is_gone = f"cannot be asked ({type(error).__name__})", True
            break
        if wait is not None and interrupt.wait(wait):
            raise BotFailure(UNANSWERED, "interrupted")
    message = f"the endpoint {agent.url} {why}"
    raise ConnectionError(message) if is_gone else BotFailure(UNANSWERED, message)


def _reason(came: Any, secret: str) -> str:
    """Return the start of a refusal, without the key."""
    body = b""
    for part in came.iter_raw():  # packed bytes may unpack to gigabytes
        body += part
        if len(body) > MOST_ECHOED + len(secret):
            break
    text = without_key(body.decode(errors="replace"), secret)[:MOST_ECHOED]
    return f": {text!a}" if text else ""


def _asked_pause(seconds: str | None, pause: float | None) -> float | None:
    if pause is None or seconds is None or not seconds.isdecimal() or len(seconds) > 6:
        return pause
    return min(float(seconds), MAX_PAUSE_SECONDS)


def _read(came: Any) -> dict[str, Any]:
    if came.headers.get("content-encoding", "identity") != "identity":  # a few bytes may unpack to gigabytes
        raise BotFailure(ILLEGAL, "the response is compressed, which was not asked for")
    body = b""
    for part in came.iter_bytes():
        body += part
        if len(body) > MAX_RESPONSE_BYTES:
            raise BotFailure(ILLEGAL, f"the response has more than {MAX_RESPONSE_BYTES} bytes")
    try:
        message = from_json(body)
    except (ValueError, UnicodeDecodeError) as error:
        raise BotFailure(ILLEGAL, f"the response is no JSON: {error}") from None
    if not isinstance(message, dict):
        raise BotFailure(ILLEGAL, "the response is no JSON object")
    return message
