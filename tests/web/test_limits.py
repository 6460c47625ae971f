"""Parallel requests and shutdown of the server, tested on processes."""

import json
import logging
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, contextmanager

import pytest

import vitienv
from vitienv.web import server_socket

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
PATIENCE = 120.0
TWO = {"seats": ["you", "random"], "seed": 5, "options": {"num_players": 2}}
PEOPLE = TWO | {"seats": ["you", "you"]}
START = """
import sys
from pathlib import Path
from vitienv.web import server_socket, server
from vitienv.web.store import Store
{before}
at = server_socket.listen("127.0.0.1", 0)
port = at.getsockname()[1]
store = Store(Path(sys.argv[1]), server.games_of("viticulture"))
app = server.application(store, "viticulture", server.known_hosts("127.0.0.1", port))
print(port, flush=True)
{warm}
server_socket.run(app, at)
"""
WARM = "app.state.server.preparing.is_ready('viticulture', 'essential')"


@contextmanager
def serving(folder, before="", warm="", **options):
    """A server in a process; gives the process and its port."""
    code = START.format(before=before, warm=warm)
    process = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, **options)  # fmt: skip
    try:
        yield process, int(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def ask(port, path="/api/compiling", sent=None, seconds=PATIENCE):
    headers = {"content-type": "application/json"}
    body = None if sent is None else json.dumps(sent).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=seconds) as answer:
        return json.loads(answer.read())


def connected(stack, port, n, sent=b""):
    """Open n connections that send only some bytes."""
    connections = []
    for _ in range(n):
        connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE))
        connection.sendall(sent)
        connections.append(connection)
    return connections


def half_body(port):
    return (f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            'Content-Length: 1000\r\n\r\n{"seats": ').encode()  # fmt: skip


def test_replaying_a_log_does_not_block(tmp_path):
    """Replaying a long log does not block other tables."""
    slowly = """
import time
from vitienv.web import table
replay = table.replay
def slowly(log):
    while not Path(sys.argv[1], "go").exists():
        Path(sys.argv[1], "reads").touch()
        time.sleep(0.05)
    return replay(log)
table.replay = slowly
"""
    with serving(tmp_path, slowly) as (_, port):
        name = ask(port, "/api/tables", PEOPLE)["id"]
        view = ask(port, f"/api/tables/{name}")
        log = vitienv.Game.new(seed=1, num_players=2).log
        loaded = []
        reading = threading.Thread(
            target=lambda: loaded.append(ask(port, "/api/logs", {"log": log, "seats": ["you", "random"]}))
        )
        reading.start()
        try:
            until = time.monotonic() + PATIENCE
            while not (tmp_path / "reads").exists() and time.monotonic() < until:
                time.sleep(0.02)
            moved = ask(port, f"/api/tables/{name}/move", {"action": view["choices"][0]["action"], "at": 0}, 20)
            assert moved["moves"] == 1 and ask(port, "/api/tables", TWO, 20)["id"]
            assert not loaded
        finally:
            (tmp_path / "go").touch()
            reading.join(PATIENCE)
        assert ask(port, f"/api/tables/{loaded[0]['id']}")["moves"] == 0


# The end.


def ended(process, sig=signal.SIGINT):
    """Seconds from a signal to the end of a server."""
    start = time.monotonic()
    process.send_signal(sig)
    process.wait(PATIENCE)
    return time.monotonic() - start


TERMINATED = (-signal.SIGTERM, 128 + signal.SIGTERM)
SOON = 2.0  # seconds, as docs/browser.md promises


def test_shutdown_skips_exit_handlers(tmp_path):
    before = "import atexit, time; atexit.register(time.sleep, 600)"
    with serving(tmp_path, before) as (process, port):
        assert ask(port)
        assert ended(process) < SOON and process.returncode == 0


@pytest.mark.parametrize("sig, status", [(signal.SIGINT, (0,)), (signal.SIGTERM, TERMINATED)])
def test_shutdown_during_requests(tmp_path, sig, status):
    with serving(tmp_path) as (process, port), ExitStack() as stack:
        connected(stack, port, 10, half_body(port))
        assert ask(port)
        assert ended(process, sig) < SOON and process.returncode in status


SEARCH = "ismcts:milliseconds=300"  # prior: the heuristic bot


def test_shutdown_during_a_search(tmp_path):
    """The command itself, in the middle of a search, with others to come that would take it 4 seconds."""
    command = [sys.executable, "-m", "vitienv.cli", "play", "--web", "--port", "0"]
    env = os.environ | {"VITIENV_HOME": str(tmp_path), "OMP_NUM_THREADS": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env) as process:
        try:
            port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
            at = f"/api/tables/{ask(port, '/api/tables', PEOPLE)['id']}/hint?bot={SEARCH}"
            assert ask(port, at, seconds=10 * PATIENCE)["bot"] == SEARCH  # compiles its kernels
            with ExitStack() as stack:
                request = f"GET {at} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
                waiting = connected(stack, port, 16, request)
                answered, _, _ = select.select(waiting, [], [], PATIENCE)
                assert len(answered) == 1 and b"200 OK" in answered[0].recv(1000)
                time.sleep(0.1)  # into the next one
                assert ended(process, signal.SIGTERM) < SOON
                assert process.returncode in TERMINATED
                unanswered = [connection for connection in waiting if connection not in answered]
                assert sum(b"200 OK" in received(connection) for connection in unanswered) < len(unanswered)
        finally:
            process.kill()


def received(connection):
    """Return the bytes received on a connection that the server has closed."""
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1000)
    except ConnectionError:
        return b""


def test_shutdown_during_compilation(tmp_path):
    env = os.environ | {"VITIENV_CACHE": str(tmp_path / "empty"), "OMP_NUM_THREADS": "1"}
    with serving(tmp_path, warm=WARM, env=env) as (process, port):
        until = time.monotonic() + PATIENCE
        while not re.search(r" [1-9]\d* %", ask(port)["status"]):
            assert time.monotonic() < until
            time.sleep(0.2)
        assert ended(process) < SOON and process.returncode == 0


def test_an_exception_is_one_line_on_stderr():
    """Such as that of text on a socket that is not UTF-8."""
    try:
        b"\xff".decode()
    except UnicodeDecodeError:
        fields = "uvicorn.error", logging.ERROR, "", 0, "Exception\n\x1b in %s", ("app",)
        record = logging.LogRecord(*fields, sys.exc_info())
    line = server_socket.OneLine().format(record)
    assert (
        line.startswith("vitienv: Exception ? in app: UnicodeDecodeError: 'utf-8' codec can't decode")
        and line.isprintable()
    )
    assert f"({__file__}:" in line


def test_proxy_headers_are_ignored(monkeypatch):
    """Any program of this machine could send them."""
    configs = []
    monkeypatch.setattr(server_socket._Server, "run", lambda server, sockets: configs.append(server.config))
    monkeypatch.setattr(os, "_exit", lambda status: None)
    handler = signal.getsignal(signal.SIGTERM)
    try:
        server_socket.run(lambda *_: None, server_socket.listen("127.0.0.1", 0))
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert configs[0].proxy_headers is False
