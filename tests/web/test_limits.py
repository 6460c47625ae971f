"""Limits and shutdown of the server, tested on processes."""

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

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits of files are those of POSIX")
FILES = 200  # limit of open files of the server, usually 1,024
PATIENCE = 120.0
TWO = {"seats": ["you", "random"], "seed": 5, "options": {"num_players": 2}}
PEOPLE = TWO | {"seats": ["you", "you"]}
START = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({files}, {files}))
from pathlib import Path
from vitienv.web import request_body, server_socket, server
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
    """A server in a process, whose stderr nobody reads; gives the process and its port."""
    code = START.format(files=FILES, before=before, warm=warm)
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


HALF_HEADERS = b"GET / HTTP/1.1\r\nHost: 127.0"


def half_body(port):
    return (f"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
            'Content-Length: 1000\r\n\r\n{"seats": ').encode()  # fmt: skip


def files_of(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def is_closed(connection, seconds):
    connection.settimeout(seconds)
    try:
        while connection.recv(1000):
            pass
        return True
    except ConnectionError:
        return True
    except TimeoutError:
        return False


def test_idle_connections_do_not_block_others(tmp_path):
    """More connections than files can be open: without a word, with half of the headers, with half of a body."""
    with serving(tmp_path) as (process, port), ExitStack() as stack:
        for sent in (b"", HALF_HEADERS, half_body(port)):
            connected(stack, port, FILES, sent)
            start = time.monotonic()
            for _ in range(5):
                assert ask(port, seconds=20)["share"] is None
            assert time.monotonic() - start < 10
            if sys.platform == "linux":
                assert files_of(process) < FILES
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert len(process.stderr.read()) < 10_000


def test_idle_connections_are_closed(tmp_path):
    """Idle connections are closed after any partial request; a response restarts the timeout."""
    before = "server_socket.HEADER_SECONDS = 0.5; request_body.BODY_SECONDS = 0.5"
    with serving(tmp_path, before) as (process, port), ExitStack() as stack:
        for sent in (b"", HALF_HEADERS):
            (client,) = connected(stack, port, 1, sent)
            assert is_closed(client, 20), sent
        (client,) = connected(stack, port, 1, half_body(port))
        client.settimeout(20)
        assert b"400 Bad Request" in client.recv(10_000)
        assert is_closed(client, 20)
        whole = f"GET /api/compiling HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        (client,) = connected(stack, port, 1)
        for _ in range(4):
            client.sendall(whole)
            client.settimeout(20)
            answer = b""
            while b"share" not in answer:
                answer += client.recv(10_000)
            time.sleep(0.2)
        client.sendall(whole[:20])
        assert is_closed(client, 20)


def test_pending_bytes_are_limited(tmp_path):
    """However many send half of a long one; a move is short, and is heard all the same."""
    before = ("request_body.SHORT = 1000; request_body.MAX_PENDING_BYTES = 18_050; from functools import partial\n"
              "server_socket.uvicorn.Config = partial(server_socket.uvicorn.Config, timeout_keep_alive=1)")  # fmt: skip
    with serving(tmp_path, before) as (_, port), ExitStack() as stack:
        half = (f"POST /api/logs HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
                'Content-Length: 1000000\r\n\r\n{"log": "').encode() + b"x" * 9000  # fmt: skip
        held_connections = connected(stack, port, 2, half)
        assert ask(port)
        (options,) = connected(stack, port, 1, half)
        assert is_answered(options, 20) and is_closed(options, 20)
        assert ask(port, "/api/tables", TWO)["id"]
        held_connections.pop().close()
        until = time.monotonic() + 20
        while True:
            (options,) = connected(stack, port, 1, half)
            if not is_answered(options, 0.5) or time.monotonic() > until:
                break
        assert not is_answered(options, 0.5) and not is_answered(held_connections[0], 0)


def is_answered(connection, seconds):
    return bool(select.select([connection], [], [], seconds)[0])


def test_slow_responses_do_not_time_out(tmp_path):
    """A bot may think for longer than a client may be silent."""
    before = ("server_socket.HEADER_SECONDS = 0.3; import time\n"
              "server.PROGRESS.status = lambda: time.sleep(1) or 'slow'")  # fmt: skip
    with serving(tmp_path, before) as (_, port):
        assert ask(port)["status"] == "slow"


@pytest.mark.skipif(sys.platform != "linux", reason="counts the open files of a process")
@pytest.mark.parametrize("num_requests", [1, 40])
def test_unread_responses_close_the_connection(tmp_path, num_requests):
    """However many requests it has sent at once, and others are answered meanwhile."""
    before = ("server_socket.HEADER_SECONDS = 0.5; server_socket.MAX_CONNECTIONS = 10\n"
              "server.PROGRESS.status = lambda: 'x' * 8_000_000")  # fmt: skip
    with serving(tmp_path, before) as (process, port), ExitStack() as stack:
        ask(port)
        num_files = files_of(process)
        whole = f"GET /api/compiling HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode()
        connected(stack, port, 10, whole * num_requests)
        time.sleep(0.5)
        connected(stack, port, 10, whole * num_requests)
        until = time.monotonic() + PATIENCE / 2
        while files_of(process) > num_files and time.monotonic() < until:
            time.sleep(0.2)
        assert files_of(process) <= num_files
        assert len(ask(port, seconds=20)["status"]) == 8_000_000


def test_slow_readers_get_all_responses(tmp_path):
    before = "server_socket.HEADER_SECONDS = 1\nserver.PROGRESS.status = lambda: 'x' * 4_000_000"
    whole = "GET /api/compiling HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n"
    with serving(tmp_path, before) as (_, port), ExitStack() as stack:
        (connection,) = connected(stack, port, 1, whole.format(port).encode() * 3)
        held_connections, start = 0, time.monotonic()
        while held_connections < 12_000_000:
            part = connection.recv(60_000)
            assert part, f"closed after {held_connections} bytes"
            held_connections += len(part)
            time.sleep(0.015)
        assert time.monotonic() - start > 2.5


LOG = """
import logging
quiet = app
async def app(scope, receive, send):
    for log in ("uvicorn.error", "asyncio"):  # the server and its event loop
        for _ in range(3000):
            logging.getLogger(log).error(log + "x" * 200)
    await quiet(scope, receive, send)
"""


def test_unread_stderr_does_not_block(tmp_path):
    """A full pipe does not block the event loop."""
    with serving(tmp_path, "server_socket.MAX_LINES = 10**6", LOG) as (process, port):
        for _ in range(2):
            assert ask(port, seconds=20) and process.poll() is None


def test_log_lines_are_limited(tmp_path):
    with serving(tmp_path, warm=LOG) as (process, port):
        for _ in range(2):
            assert ask(port, seconds=20)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        assert 1 <= process.stderr.read().count("\n") <= 20


def test_replaying_a_log_does_not_block(tmp_path):
    """Replaying a long log does not block other tables."""
    slowly = """
import time
server.MAX_LOGS = 1
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
            with pytest.raises(urllib.error.HTTPError) as refused:  # each would make the others slower
                ask(port, "/api/logs", {"log": log, "seats": ["you", "random"]}, 20)
            assert "too many logs at once" in json.loads(refused.value.read())["error"]
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


EXIT = "import atexit, time; atexit.register(time.sleep, 600)\n"
SLOW_HINTS = "from vitienv.web.table import Table; Table.hint = lambda *_: time.sleep(4)"


@pytest.mark.parametrize("sig, status", [(signal.SIGINT, (0,)), (signal.SIGTERM, TERMINATED)])
def test_shutdown_during_requests_skips_exit_handlers(tmp_path, sig, status):
    """While half of the bodies is sent, and slow hints run or wait for a thread."""
    with serving(tmp_path, EXIT + SLOW_HINTS) as (process, port), ExitStack() as stack:
        connected(stack, port, 10, half_body(port))
        path = f"/api/tables/{ask(port, '/api/tables', PEOPLE)['id']}/hint"
        connected(stack, port, 16, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        assert ask(port)
        assert ended(process, sig) < SOON and process.returncode in status


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
    line = server_socket.line_of(record)
    assert line.startswith("Exception ? in app: UnicodeDecodeError: 'utf-8' codec can't decode") and line.isprintable()
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
