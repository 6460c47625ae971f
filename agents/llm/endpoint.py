"""Requests to endpoints with the OpenAI-compatible chat protocol."""

from __future__ import annotations

import asyncio
import os
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from vitienv.agents.program import ILLEGAL, TIMEOUT, BotFailure
from vitienv.core.files import from_json
from vitienv.extras import missing_message

if TYPE_CHECKING:
    from vitienv.agents.llm.llm_agent import LLMAgent, Message

MAX_RESPONSE_BYTES = 1_000_000
PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)  # seconds between retries
MAX_PAUSE_SECONDS = 60.0
RETRY_STATUSES = (408, 409, 425, 429, 500, 502, 503, 504)  # statuses to retry
# Statuses independent of the request.
ENDPOINT_STATUSES = (*range(300, 400), 401, 402, 403, 404, 405, 407, 410, 429, 502, 503)
# Errors of httpx2.
CONNECTION_ERRORS = ("ReadError", "ReadTimeout", "RemoteProtocolError", "WriteError", "WriteTimeout")
UNANSWERED = "unanswered"  # kind of a forfeit without a response
PATH = "/chat/completions"
MIN_REDACTED_CHARS = 8
CONNECT_SHARE = 0.5  # share of the time limit; a slower connection is unreachable
MAX_ECHOED_CHARS = 400  # the end of an invalid answer, in the next request


def client_within(limit: float) -> Any:
    try:
        import httpx2
    except ModuleNotFoundError:
        raise ValueError(missing_message("llm:", "httpx2", "llm")) from None
    # No keep-alive: an endpoint may close idle connections at any time.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
    timeout = httpx2.Timeout(None, connect=CONNECT_SHARE * limit)  # `response` enforces the limit
    try:
        return httpx2.AsyncClient(timeout=timeout, follow_redirects=False, limits=limits)
    except Exception as error:  # httpx2 raises errors of several kinds
        hint = "check ALL_PROXY, HTTP_PROXY, HTTPS_PROXY, SSL_CERT_FILE and SSL_CERT_DIR in the environment"
        raise ValueError(f"llm: cannot create a client ({type(error).__name__}); {hint}") from None


def check_request(agent: LLMAgent) -> None:
    """Raise ValueError if the address, key, proxy or certificates are invalid. Sends nothing.

    The message has neither the key nor an address with a colon, which may contain a password.
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
    client = client_within(agent.limit)
    try:
        client.build_request("POST", agent.url, headers=_headers(secret))
    except Exception as error:  # httpx2.InvalidURL is not a ValueError
        raise ValueError(f"llm: invalid url ({type(error).__name__})") from None


def secret_of(agent: LLMAgent) -> str:
    return os.environ.get(agent.key, "")


def _headers(secret: str) -> dict[str, str]:
    return {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {secret}"} if secret else {})


def redact_key(text: str, secret: str) -> str:
    """Replace the key and its pieces of `MIN_REDACTED_CHARS` or more characters. Keys such as "none" are not secret."""
    pieces = {secret[i : i + MIN_REDACTED_CHARS] for i in range(len(secret) - MIN_REDACTED_CHARS + 1)}
    if not any(piece in text for piece in pieces):
        return text
    is_secret = bytearray(len(text))
    for i in range(len(text) - MIN_REDACTED_CHARS + 1):
        if text[i : i + MIN_REDACTED_CHARS] in pieces:
            is_secret[i : i + MIN_REDACTED_CHARS] = b"\1" * MIN_REDACTED_CHARS
    runs = groupby(zip(is_secret, text, strict=True), key=lambda pair: pair[0])
    return "".join("..." if hides else "".join(char for _, char in run) for hides, run in runs)


async def response(agent: LLMAgent, client: Any, messages: list[Message]) -> dict[str, Any]:
    """Return the endpoint's JSON. BotFailure if invalid or missing; ConnectionError if the request is not the cause."""
    import httpx2

    sent = {"model": agent.model, "messages": messages} | {k: v for k, v in agent.settings.items() if v is not None}
    secret = secret_of(agent)
    headers = _headers(secret)
    reason, is_gone = "", True
    for pause in (*PAUSES, None):
        wait = pause
        try:
            async with (
                asyncio.timeout(agent.limit),
                client.stream("POST", agent.url, json=sent, headers=headers) as reply,
            ):
                if reply.status_code == 200:
                    return await _read(reply)
                reason, is_gone = f"answered with status {reply.status_code}", reply.status_code in ENDPOINT_STATUSES
                if reply.status_code in (401, 403):
                    reason += f"; its key is read from {agent.key}, which is {'set' if secret else 'not set'}"
                elif not is_gone and reply.status_code not in RETRY_STATUSES:
                    reason += await _reason(reply, secret)
                if reply.status_code not in RETRY_STATUSES:
                    break
                wait = _retry_pause(reply.headers.get("retry-after"), pause)
        except TimeoutError:
            raise BotFailure(TIMEOUT, f"the response took more than {agent.limit:g} s") from None
        except httpx2.HTTPError as error:
            name = type(error).__name__
            is_gone = name not in CONNECTION_ERRORS
            reason = f"could not be reached ({name})" if is_gone else f"broke off ({name})"
            if name == "LocalProtocolError":  # invalid request
                break
        except (httpx2.InvalidURL, UnicodeError, OSError) as error:
            reason, is_gone = f"cannot be reached ({type(error).__name__})", True
            break
        if wait is not None:
            await asyncio.sleep(wait)
    message = f"the endpoint {agent.url} {reason}"
    raise ConnectionError(message) if is_gone else BotFailure(UNANSWERED, message)


async def _reason(reply: Any, secret: str) -> str:
    """Return the start of a refusal, without the key."""
    body = b""
    async for part in reply.aiter_raw():  # packed bytes may unpack to gigabytes
        body += part
        if len(body) > MAX_ECHOED_CHARS + len(secret):
            break
    text = redact_key(body.decode(errors="replace"), secret)[:MAX_ECHOED_CHARS]
    return f": {text!a}" if text else ""


def _retry_pause(seconds: str | None, pause: float | None) -> float | None:
    if pause is None or seconds is None or not seconds.isdecimal() or len(seconds) > 6:
        return pause
    return min(float(seconds), MAX_PAUSE_SECONDS)


async def _read(reply: Any) -> dict[str, Any]:
    if reply.headers.get("content-encoding", "identity") != "identity":  # a few bytes may unpack to gigabytes
        raise BotFailure(ILLEGAL, "the response is compressed, which was not requested")
    body = b""
    async for part in reply.aiter_bytes():
        body += part
        if len(body) > MAX_RESPONSE_BYTES:
            raise BotFailure(ILLEGAL, f"the response has more than {MAX_RESPONSE_BYTES} bytes")
    try:
        message = from_json(body)
    except (ValueError, UnicodeDecodeError) as error:
        raise BotFailure(ILLEGAL, f"the response is not JSON: {error}") from None
    if not isinstance(message, dict):
        raise BotFailure(ILLEGAL, "the response is not a JSON object")
    return message
