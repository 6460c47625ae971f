"""Language models as players, against a stub of an endpoint with valid, invalid, slow and missing responses."""

import asyncio
import gzip
import os
import signal
import threading
import time
import tracemalloc
from collections import Counter

import pytest

import vitienv
from tests.external_players.endpoint import Stub, first, message
from vitienv.agents import make_agent
from vitienv.agents.llm import endpoint, llm_agent
from vitienv.agents.query import BotCrashed
from vitienv.render.primer import primer_of
from vitienv.training.evaluation.match import play
from vitienv.training.evaluation.tournament import Settings, run_tournament

OPTIONS = vitienv.game_spec().options.of(num_players=2, max_years=1, skip_forced=True)
GAME = vitienv.Game.new(seed=1, **OPTIONS.to_dict())
SECRET = "sk-do-not-tell"


@pytest.fixture
def stub():
    stubs = []

    def start(answer):
        stubs.append(Stub(answer))
        return stubs[-1]

    yield start
    for server in stubs:
        server.close()


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch):
    monkeypatch.setattr(endpoint, "PAUSES", (0.01, 0.02))


def play_games(spec, games=1):
    agents = [make_agent(spec), make_agent("random", seed=1)]
    return play(OPTIONS, list(range(games)), [[0, 1]] * games, agents)


def decide(spec):
    """Return the first decision of a game."""
    (decision,) = asyncio.run(make_agent(spec).decide([GAME]))
    return decision


def answer_second(response):
    """Return an endpoint's function: an unusual response to the first request, valid answers to the others."""
    return lambda request, number: response if number == 0 else first(request)


def test_model_plays_and_its_tokens_are_counted(stub, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    server = stub(first)
    match = play_games(f"llm:model=m,url={server.url},key=MY_KEY,temperature=0.5,at_once=3", games=4)
    assert match.forfeits == {}
    total = sum((counted for game in match.notes.values() for counted in game.values()), start=Counter())
    assert total["answers"] == len(server.requests) > 10 and total["unparsed"] == 0
    assert total["prompt_tokens"] == 100 * len(server.requests)
    assert set(server.keys) == {f"Bearer {SECRET}"}
    assert {request["model"] for request in server.requests} == {"m"} and server.requests[0]["temperature"] == 0.5
    assert "max_tokens" not in server.requests[0]


def test_answer_without_an_action_is_retried(stub):
    """With the end of the answer and the reason."""
    long_answer = "x " * 10_000 + "I plant a vine."
    server = stub(answer_second(long_answer))
    decision = decide(f"llm:model=m,url={server.url}")
    assert decision.action is not None and decision.notes["unparsed"] == 1
    system, question, answer, reason = server.requests[1]["messages"]
    assert answer["content"] == long_answer[-endpoint.MAX_ECHOED_CHARS :] and "is not an action" in reason["content"]
    assert "Choices:" in question["content"] and system["role"] == "system"
    assert system["content"].startswith(llm_agent.INSTRUCTIONS) and primer_of(OPTIONS).strip() in system["content"]


def test_model_without_valid_answers_forfeits(stub):
    match = play_games(f"llm:model=m,url={stub(lambda request, number: 'pass?').url},retries=1")
    seat, forfeit = match.forfeits[0]
    assert (seat, forfeit.kind) == (0, "illegal") and match.ranks[0].tolist() == [2, 1]
    assert match.notes[0][0] == {"answers": 2, "unparsed": 2, "prompt_tokens": 200, "completion_tokens": 14}


@pytest.mark.parametrize("response", ["no idea", (400, {}, b"")], ids=["without an action", "without a response"])
def test_fallback_plays_and_is_counted(stub, response):
    server = stub(lambda request, number: response)
    match = play_games(f"llm:model=m,url={server.url},retries=0,fallback=heuristic")
    notes = match.notes[0][0]
    assert match.forfeits == {} and notes["by_fallback"] > 5
    assert notes["answers"] == notes["unparsed"] == (notes["by_fallback"] if response == "no idea" else 0)


ACTION = int(GAME.mask.argmax())
PARTS = [{"type": "thinking", "thinking": "?"}, {"type": "text", "text": "I choose <act"},
         {"type": "text", "text": f"ion>{ACTION}</action>"}]  # fmt: skip
# Responses to the first request, and how many invalid answers they count as.
RESPONSES = {
    "answer in parts": (message(PARTS, completion_tokens=7), 0),
    "no JSON": ((200, {}, b"<html>"), 1),
    "megabytes": ((200, {}, (b"x" * 100_000 for _ in range(40))), 1),
    "no message": ((200, {}, b'{"choices": [{"message": null}]}'), 1),
    "lone surrogate": (message("Hm \ud83d"), 1),
    "no text": (message(None, completion_tokens=900), 1),
    "limit": ((429, {"retry-after": "0"}, b""), 0),
    "busy": ((503, {}, b"busy"), 0),
    "broken off": ((200, {"content-length": "99"}, b"{"), 0),
}


@pytest.mark.parametrize("name", RESPONSES)
def test_invalid_and_busy_responses_are_retried(stub, name):
    response, num_unparsed = RESPONSES[name]
    decision = decide(f"llm:model=m,url={stub(answer_second(response)).url}")
    assert decision.action == ACTION and decision.notes["unparsed"] == num_unparsed
    assert decision.notes["completion_tokens"] == 7 + (900 if name == "no text" else 0)


def test_compressed_response_is_not_decompressed(stub):
    packed = gzip.compress(gzip.compress(bytes(50_000_000)))
    server = stub(answer_second((200, {"content-encoding": "gzip, gzip"}, packed)))
    tracemalloc.start()
    notes = decide(f"llm:model=m,url={server.url}").notes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert notes["answers"] == notes["unparsed"] == 1 and peak < 30_000_000
    assert server.headers[0]["accept-encoding"] == "identity"


def send_slowly(first, part):
    """Yield the parts of a response, with 50 ms between them."""
    yield first
    for _ in range(1000):
        time.sleep(0.05)
        yield part


HEADERS = b"HTTP/1.1 200 OK\r\nX-A: "
SLOW = {
    "never ends": lambda: (200, {}, send_slowly(b"", b" ")),
    "sends headers slowly": lambda: (None, {}, send_slowly(HEADERS, b"a")),
    "is silent": lambda: (None, {}, (time.sleep(30) or b"" for _ in range(1))),
}


@pytest.mark.parametrize("response", SLOW.values(), ids=SLOW)
def test_slow_response_costs_one_retry(stub, response):
    server, start = stub(answer_second(response())), time.monotonic()
    decision = decide(f"llm:model=m,url={server.url},limit_ms=500,retries=1")
    assert decision.action is not None and decision.notes["unparsed"] == 1 and time.monotonic() - start < 5
    assert server.requests[1]["messages"][-1]["content"].startswith("the response took more than 0.5 s")


@pytest.mark.parametrize(
    "retry_after, pause", [(None, 4.0), ("7", 7.0), ("3600", 60.0), ("9999999", 4.0), ("soon", 4.0)]
)
def test_pause_is_that_of_the_endpoint_up_to_a_minute(retry_after, pause):
    assert endpoint._retry_pause(retry_after, 4.0) == pause and endpoint._retry_pause(retry_after, None) is None


UNANSWERED = {
    "bad request": (400, {}, b"{}"), "error": (500, {}, b""), "broken off": (200, {"content-length": "99"}, b"{"),
    "closed": (None, {}, b""),
}  # fmt: skip


@pytest.mark.parametrize("response", UNANSWERED.values(), ids=UNANSWERED)
def test_decision_without_a_response_is_unanswered(stub, response):
    decision = decide(f"llm:model=m,url={stub(lambda request, number: response).url}")
    assert decision.action is None and decision.kind == "unanswered" and decision.notes["unparsed"] == 0


def test_unanswered_query_forfeits_one_game(stub, tmp_path):
    prompts = []

    def answer(request, number):
        """Answer all queries except the second."""
        prompts.append(request["messages"][1]["content"])
        return (500, {}, b"") if prompts[-1] == prompts[1] else first(request)

    spec = f"llm:model=m,url={stub(answer).url},log={tmp_path / 'answers.jsonl'}"
    settings = Settings(agents=(spec, "random"), games=4, seed=3, chunk_size=1, options={"max_years": 1})
    model = next(bot for bot in run_tournament(settings, tmp_path / "run")["bots"] if bot["agent"] == spec)
    assert model["games"] == 4 and 1 <= model["forfeits"].pop("unanswered") < 4 and model["forfeits"] == {}
    assert model["notes"]["unparsed"] == 0


# Responses, the key, the number of requests, and words of the error.
REFUSALS = {
    "wrong key": ((401, {}, SECRET.encode()), SECRET, 1, "status 401; its key is read from MY_KEY, which is set"),
    "no key": ((401, {}, b""), "", 1, "status 401; its key is read from MY_KEY, which is not set"),
    "no model": ((404, {}, b""), SECRET, 1, "status 404"),
    "down": ((503, {}, b""), SECRET, 3, "status 503"),
    "elsewhere": ((302, {"location": "http://127.0.0.1:1/"}, b""), SECRET, 1, "status 302"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusing_endpoint_ends_the_run(stub, name, monkeypatch):
    response, key, num_requests, words = REFUSALS[name]
    monkeypatch.setenv("MY_KEY", key)
    server = stub(lambda request, number: response)
    with pytest.raises(BotCrashed, match=f"answered with {words}") as error:
        play_games(f"llm:model=m,url={server.url},key=MY_KEY,fallback=random")
    assert SECRET not in str(error.value) and "\n" not in str(error.value)
    assert len(server.requests) == num_requests


def test_unreachable_endpoint_ends_the_run():
    with pytest.raises(BotCrashed, match=r"could not be reached \(ConnectError\)"):
        play_games("llm:model=m,url=http://127.0.0.1:9/v1")


def test_resumed_tournament_repeats_no_query(stub, tmp_path):
    log = tmp_path / "answers.jsonl"
    down = threading.Event()

    def answer(request, number):
        return (401, {}, b"") if down.is_set() else first(request)

    server = stub(answer)
    spec = f"llm:model=m,url={server.url},log={log}"
    settings = Settings(agents=(spec, "random"), games=4, seed=3, chunk_size=2, options={"max_years": 1})
    whole = run_tournament(settings, tmp_path / "whole")
    num_requests = len(server.requests)
    assert whole["bots"][0]["games"] == 4 and SECRET not in log.read_text()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])  # killed within a line
    down.set()
    with pytest.raises(BotCrashed, match="status 401"):
        run_tournament(settings, tmp_path / "again")
    down.clear()
    again = run_tournament(settings, tmp_path / "again")
    assert len(server.requests) - num_requests <= num_requests - len(lines) // 2 + 2 + 8
    assert again["bots"][0]["win_rate"] == whole["bots"][0]["win_rate"]
    response = next(bot for bot in whole["bots"] if bot["agent"] == spec)
    assert response["notes"]["answers"] == num_requests and response["forfeits"] == {}


def test_log_answers_equal_queries_only(stub, tmp_path):
    log, server = tmp_path / "answers.jsonl", stub(first)
    first_spec, other = f"llm:model=m,url={server.url},log={log}", f"llm:model=m,url={stub(first).url},log={log}"
    play_games(first_spec)
    num_requests = len(server.requests)
    assert play_games(first_spec).forfeits == {} and len(server.requests) == num_requests
    for changed in ("temperature=1", "max_tokens=99"):
        play_games(f"{first_spec},{changed}")
        assert len(server.requests) == 2 * num_requests
        server.requests[num_requests:] = []
    log_size = log.stat().st_size
    assert play_games(other).forfeits == {} and log.stat().st_size > log_size


ADDRESS = r"url must be an address such as http://localhost:8000/v1(?!.*sekrit)"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("llm:model=m", "requires 'url'"),
        ("llm:url=http://x", "requires 'model'"),
        ("llm:model=m,url=file:///etc/passwd", f"{ADDRESS}, got 'file:///etc/passwd'"),
        ("llm:model=m,url=http://user:sekrit@x", r"llm: url must not contain '@'; (?!.*sekrit)"),
        ("llm:model=m,url=user:sekrit@x", r"llm: url must not contain '@'; (?!.*sekrit)"),
        ("llm:model=m,url=http://x/v1?key=sekrit", r"llm: url must not contain '\?'; (?!.*sekrit)"),
        ("llm:model=m,url=http://x/v1#sekrit", r"llm: url must not contain '#'; (?!.*sekrit)"),
        ("llm:model=m,url=http://x,log=nosuch/a.jsonl", "log must be a regular file in an existing directory, got"),
        ("llm:model=m,url=http://x,log=.", "log must be a regular file in an existing directory, got '.'"),
        ("llm:model=m,url=http://x,log=/dev/null", "log must be a regular file in an existing directory"),
        ("llm:model=m,url=http://x,retries=-1", "retries must be from 0 to 100, got -1"),
        ("llm:model=m,url=http://x,at_once=0", "at_once must be from 1 to 256, got 0"),
        ("llm:model=m,url=http://x,fallback=nobody", "unknown agent 'nobody'"),
        ("llm:model=m,url=http://127.0.0.1:sekrit/v1", ADDRESS),
        ("llm:model=m,url=http://127.0.0.1:99999/v1", ADDRESS),
        ("llm:model=m,url=http://127.0.0.1:0/v1", ADDRESS),
        ("llm:model=m,url=http://a b/v1", ADDRESS),
        ("llm:model=m,url=http://x\n/v1", ADDRESS),
        ("llm:model=m,url=http:///v1", ADDRESS),
        (f"llm:model=m,url=http://{'a' * 70}.com/v1", ADDRESS),
        ("llm:model=m,url=http://[::1/v1", ADDRESS),
        ("llm:model=m,url=sekrit", ADDRESS),
    ],
)
def test_invalid_specs_raise(spec, why):
    with pytest.raises(ValueError, match=why):
        make_agent(spec)


@pytest.mark.parametrize(
    "address", ["http://[::1]:8000/v1", "https://bücher.example/v1", "http://x:65535", "HTTP://x/v1/"]
)
def test_forms_of_addresses(address):
    assert make_agent(f"llm:model=m,url={address}").url.endswith("/chat/completions")


@pytest.mark.parametrize(
    ("variable", "value", "why"),
    [
        ("OPENAI_API_KEY", f"{SECRET}\n", "the key in OPENAI_API_KEY must be printable ASCII"),
        ("OPENAI_API_KEY", f"{SECRET} x", "the key in OPENAI_API_KEY must be printable ASCII"),
        ("OPENAI_API_KEY", f"{SECRET}é", "the key in OPENAI_API_KEY must be printable ASCII"),
        ("SSL_CERT_FILE", "/nosuch.pem", "cannot create a client .* check .*SSL_CERT_FILE"),
        ("ALL_PROXY", "socks5://127.0.0.1:1", "cannot create a client .* check ALL_PROXY"),
        ("HTTPS_PROXY", "::::", "cannot create a client .* check ALL_PROXY"),
    ],
)
def test_invalid_environment_raises_on_creation(variable, value, why, monkeypatch):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ValueError, match=f"^llm: {why}") as error:
        make_agent("llm:model=m,url=https://localhost:8000/v1")
    assert SECRET not in str(error.value) and "\n" not in str(error.value)


def pieces_of_the_key(text):
    return [SECRET[i : i + 8] for i in range(len(SECRET) - 7) if SECRET[i : i + 8] in text]


@pytest.mark.parametrize(("body", "words"), [
    (f"max_tokens is not supported\n{SECRET}{'x' * 10_000}", r"status 400: 'max_tokens is not supported\n...xxx"),
    (SECRET * 13 + SECRET[:-1], "status 400: '..."),
], ids=["a reason", "repeated keys"])  # fmt: skip
def test_refused_query_has_the_reason_without_the_key(stub, monkeypatch, body, words):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    error = decide(f"llm:model=m,url={stub(lambda request, number: (400, {}, body.encode())).url}").error
    assert words in error and not pieces_of_the_key(error) and len(error) < 600


def test_logged_answer_has_no_piece_of_the_key(stub, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    log = tmp_path / "answers.jsonl"
    server = stub(lambda request, number: f"My key is {SECRET[2:]}. {first(request)}")
    assert decide(f"llm:model=m,url={server.url},log={log}").action is not None
    assert "My key is ..." in log.read_text() and not pieces_of_the_key(log.read_text())


@pytest.mark.parametrize("end", range(8, 80, 7))
def test_truncated_keys_are_removed(end):
    text = f"a {SECRET}, {SECRET[3:]} and {SECRET[:-2]}{SECRET}"[:end]
    assert not pieces_of_the_key(endpoint.redact_key(text, SECRET)) and endpoint.redact_key(text, "").startswith(
        "a sk-do"
    )


def test_refusal_does_not_wait_for_another_request(stub):
    def answer(request, number):
        return WAITING["silent"]() if number == 0 else (401, {}, b"")

    agent = make_agent(f"llm:model=m,url={stub(answer).url}")
    start = time.monotonic()
    with pytest.raises(ConnectionError, match="status 401"):
        asyncio.run(agent.decide([vitienv.Game.new(num_players=2, seed=seed) for seed in (1, 2)]))
    assert time.monotonic() - start < 20


def test_model_plays_in_a_running_event_loop(stub):
    async def play_in_loop():
        return play_games(f"llm:model=m,url={stub(first).url}")

    assert asyncio.run(play_in_loop()).forfeits == {}


WAITING = {
    "silent": lambda: (None, {}, (time.sleep(30) or b"" for _ in range(1))),
    "trickles": lambda: (200, {}, send_slowly(b"", b" ")),
    "busy": lambda: (429, {"retry-after": "60"}, b""),
}


@pytest.mark.parametrize("response", WAITING.values(), ids=WAITING)
def test_interrupt_ends_all_requests(stub, response):
    starts = []

    def answer(request, number):
        starts.append(time.monotonic())
        if number == 0:
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        return response()

    url, before = stub(answer).url, set(threading.enumerate())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes of pytest-xdist ignore it
    with pytest.raises(KeyboardInterrupt):
        play_games(f"llm:model=m,url={url},at_once=4", games=4)
    assert time.monotonic() - starts[0] < 20 and len(starts) <= 4
    assert not [thread for thread in threading.enumerate() if "portal" in thread.name and thread not in before]
