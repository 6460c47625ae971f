"""The window of `render_mode="human"`: a page in the user's browser that shows each drawing as it comes.

One for each process, on a free port of this machine alone, behind an address that cannot be guessed.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
import threading
import webbrowser
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LOOPBACK = "127.0.0.1"
WAIT = 20.0  # seconds after which the page asks again
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>vitienv</title><link rel="icon" href="data:,">
<style>body{margin:0;background:Canvas;color:CanvasText;font:16px sans-serif}
svg{display:block;width:100%;max-height:100vh}</style><main id="game">The first picture is drawn &hellip;</main><script>
let at = 0;
async function watch() {
  for (;;) {
    let answer;
    try { answer = await fetch(`${location.pathname}/after/${at}`); } catch { break; }
    if (answer.status === 204) continue;
    if (!answer.ok) break;
    const { number, svg } = await answer.json();
    at = number;
    document.getElementById("game").innerHTML = svg;
  }
  document.title = "vitienv (over)";
}
watch();
</script></html>"""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def has_screen() -> bool:
    """Whether a browser has a screen to open on; words are printed where there is none."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


class Window:
    """A page that shows the latest drawing of `show`."""

    def __init__(self) -> None:
        self._svg, self._number, self._news = "", 0, threading.Condition()
        self._path = f"/{secrets.token_urlsafe(16)}"
        self._server = ThreadingHTTPServer((LOOPBACK, 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        """The page's address."""
        return f"http://{LOOPBACK}:{self._server.server_port}{self._path}"

    def show(self, svg: str) -> None:
        """Show a drawing; the first one opens the page."""
        with self._news:
            self._svg, self._number = svg, self._number + 1
            self._news.notify_all()
        if self._number == 1:
            webbrowser.open(self.address)

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()

    def _after(self, number: int) -> bytes | None:
        """The drawing that came after a number, as JSON; None if there is none for a while."""
        with self._news:
            if not self._news.wait_for(lambda: self._number > number, WAIT):
                return None
            return json.dumps({"number": self._number, "svg": self._svg}).encode()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        window = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                own = f"{LOOPBACK}:{window._server.server_port}"
                begin, _, number = self.path.partition("/after/")
                if self.headers.get("Host") != own or begin != window._path:
                    self._answer(404, b"", "text/plain")
                elif not number:
                    self._answer(200, PAGE.encode(), "text/html; charset=utf-8")
                elif not (number.isascii() and number.isdigit() and len(number) < 10):
                    self._answer(404, b"", "text/plain")
                else:
                    found = window._after(int(number))
                    self._answer(204 if found is None else 200, found or b"", "application/json")

            def _answer(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                for name, value in HEADERS.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Requests are not logged."""

        return Handler


@cache
def window() -> Window:
    """The window of this process."""
    return Window()
