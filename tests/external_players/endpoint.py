"""A stub of an endpoint for language models, on a port of its own."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub:
    """An endpoint. answer(request, number) gives the text of an answer, or (status, headers, body); with None as status
    the body is all that is sent."""

    def __init__(self, answer):
        self.answer, self.requests, self.keys, self.headers, self._lock = answer, [], [], [], threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with stub._lock:
                    stub.requests.append(asked)
                    stub.keys.append(self.headers.get("authorization"))
                    stub.headers.append(self.headers)
                    number = len(stub.requests) - 1
                found = stub.answer(asked, number)
                if isinstance(found, str):
                    told = {"choices": [{"message": {"content": found}}],
                            "usage": {"prompt_tokens": 100, "completion_tokens": 7}}  # fmt: skip
                    found = 200, {}, json.dumps(told).encode()
                status, headers, body = found
                if status is not None:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                try:
                    for part in [body] if isinstance(body, bytes) else body:
                        self.wfile.write(part)
                        self.wfile.flush()
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def message(content, **tokens):
    """A response with a content of any kind."""
    return 200, {}, json.dumps({"choices": [{"message": {"content": content}}], "usage": tokens}).encode()


def first(asked, number=0):
    """The first choice of the last question, with some thought before it."""
    question = next(one["content"] for one in asked["messages"] if "Choices:" in one["content"])
    return f"I weigh it up.\n<action>{question.partition('Choices:')[2].split(':')[0].strip()}</action>"
