"""Middleware of the local server: checks `Host` and `Origin`, and sets security headers."""

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
REFUSED = 1008  # WebSocket close code "policy violation" (RFC 6455)


class Guard:
    """ASGI middleware that refuses requests from foreign pages and adds the security headers."""

    def __init__(self, app: Any, hosts: Callable[[str], bool]) -> None:
        """Wrap an application. hosts: whether a `Host` header is accepted."""
        self.app, self.hosts = app, hosts

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
        refused = self._refused(Request(scope))

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *((k.encode(), v.encode()) for k, v in HEADERS.items())]
            await send(message)

        await (refused or self.app)(scope, receive, with_headers)

    def _is_foreign(self, connection: HTTPConnection) -> Response | None:
        host, origin = connection.headers.get("host", ""), connection.headers.get("origin")
        if not self.hosts(host):
            return PlainTextResponse("unknown host", 421)
        if origin is not None and origin != f"{connection.url.scheme.replace('ws', 'http')}://{host}":
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
    """Return a function that checks a `Host` header.

    Accepted are loopback and the address that the server listens on. A server that listens on all addresses accepts
    any IP address and the host name of the machine. Other names could be pointed here by a foreign page (DNS
    rebinding).
    """
    names = {"localhost", LOOPBACK, "[::1]", f"[{host}]" if ":" in host else host}
    is_open = host in ("0.0.0.0", "::")
    if is_open:
        names.add(socket.gethostname())

    def is_known(address: str) -> bool:
        name, colon, own_port = address.rpartition(":")
        if not colon or address.endswith("]"):  # IPv6 addresses contain colons
            name, own_port = address, "80"
        return own_port == str(port) and (name.lower() in names or (is_open and _is_address(name.strip("[]"))))

    return is_known


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
