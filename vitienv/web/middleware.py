"""What servers of this machine answer to: requests and sockets of their own pages, by names that are their own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from typing import Any

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

LOOPBACK = "127.0.0.1"
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
REFUSED = 1008  # what a socket is closed with, as RFC 6455 has it


class Guard:
    """Refuses what does not come from the page itself, and adds the headers that keep the page to itself."""

    def __init__(
        self, app: Any, hosts: Callable[[str], bool], headers: Callable[[str], dict[str, str]] = lambda path: HEADERS
    ) -> None:
        """headers: of the answers, by path."""
        self.app, self.hosts, self.headers = app, hosts, headers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            if self._is_foreign(HTTPConnection(scope)) is None:
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": REFUSED})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refused, headers = self._refused(Request(scope)), self.headers(scope["path"])

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in headers.items())]
            await send(message)

        await (refused or self.app)(scope, receive, with_headers)

    def _is_foreign(self, asked: HTTPConnection) -> Response | None:
        host, origin = asked.headers.get("host", ""), asked.headers.get("origin")
        if not self.hosts(host):
            return PlainTextResponse("this server is not known by that name", 421)
        if origin is not None and origin != f"{asked.url.scheme.replace('ws', 'http')}://{host}":
            return PlainTextResponse("requests from other pages are refused", 403)
        return None

    def _refused(self, request: Request) -> Response | None:
        foreign = self._is_foreign(request)
        if foreign is not None:
            return foreign
        is_json = request.headers.get("content-type", "").partition(";")[0].strip() == "application/json"
        if request.method == "POST" and not is_json:
            return PlainTextResponse("requests must be JSON", 415)
        return None


def known_hosts(host: str, port: int) -> Callable[[str], bool]:
    """Whether a `Host` header names this server: by loopback, by the address it listens on, or, where it listens on
    all, by any address or the machine's name; never by another name, which a foreign page could point here."""
    names = {"localhost", LOOPBACK, "[::1]", f"[{host}]" if ":" in host else host}
    is_open = host in ("0.0.0.0", "::")
    if is_open:
        names.add(socket.gethostname())

    def is_known(given: str) -> bool:
        name, colon, own_port = given.rpartition(":")
        if not colon or given.endswith("]"):  # an address of version 6 has colons of its own
            name, own_port = given, "80"
        return own_port == str(port) and (name.lower() in names or (is_open and _is_address(name.strip("[]"))))

    return is_known


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
