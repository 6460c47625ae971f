"""Stub endpoint for language models, on a free port."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub:
    """An endpoint; answer(request, number) returns the text of an answer, or (status or None, headers, body)."""

    def __init__(self, answer):
        self.answer, self.requests, self.keys, self.headers, self._lock = answer, [], [], [], threading.Lock()
        stub = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with stub._lock:
                    stub.requests.append(request)
                    stub.keys.append(self.headers.get("authorization"))
                    stub.headers.append(self.headers)
                    number = len(stub.requests) - 1
                answer = stub.answer(request, number)
                if isinstance(answer, str):
                    content = {"choices": [{"message": {"content": answer}}],
                            "usage": {"prompt_tokens": 100, "completion_tokens": 7}}  # fmt: skip
                    answer = 200, {}, json.dumps(content).encode()
                status, headers, body = answer
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
    """Return a response with any content."""
    return 200, {}, json.dumps({"choices": [{"message": {"content": content}}], "usage": tokens}).encode()


def first(request, number=0):
    """Return the first choice of the last question, after some reasoning."""
    question = next(part["content"] for part in request["messages"] if "Choices:" in part["content"])
    return f"I weigh it up.\n<action>{question.partition('Choices:')[2].split(':')[0].strip()}</action>"
