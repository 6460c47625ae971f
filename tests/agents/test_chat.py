"""Language models as players, against a stub that answers well, badly, slowly, brokenly and not at all."""

import threading
import time
from collections import Counter

import pytest

import vitienv
from tests.doors.endpoint import Stub, first
from vitienv.agents import chat, make_agent
from vitienv.agents.asking import BotError
from vitienv.primers import primer_of
from vitienv.training.measure.match import play
from vitienv.training.measure.tournament import Settings, run_tournament

OPTIONS = vitienv.definition().options.of(num_players=2, max_years=1, skip_forced=True)
SECRET = "sk-do-not-tell"


@pytest.fixture
def stub():
    made = []

    def start(answer):
        made.append(Stub(answer))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(chat, "PAUSES", (0.01, 0.02))


def played(spec, games=1, game="viticulture"):
    agents = [make_agent(spec), make_agent("random", seed=1)]
    return play(OPTIONS, list(range(games)), [[0, 1]] * games, agents)


def test_a_model_plays_and_its_tokens_are_counted(stub, monkeypatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    server = stub(first)
    found = played(f"llm:model=m,url={server.url},key=MY_KEY,temperature=0.5,at_once=3", games=4)
    assert found.faults == {}
    total = sum((counted for game in found.notes.values() for counted in game.values()), start=Counter())
    assert total["answers"] == len(server.requests) > 10 and total["unparsed"] == 0
    assert total["prompt_tokens"] == 100 * len(server.requests)
    assert set(server.keys) == {f"Bearer {SECRET}"}
    assert {request["model"] for request in server.requests} == {"m"} and server.requests[0]["temperature"] == 0.5
    assert "max_tokens" not in server.requests[0]


def test_an_answer_without_an_action_is_asked_for_again(stub):
    server = stub(lambda asked, number: "I plant a vine." if number == 0 else first(asked))
    found = played(f"llm:model=m,url={server.url}")
    assert found.faults == {} and found.notes[0][0]["unparsed"] == 1
    system, question, answer, reason = server.requests[1]["messages"]
    assert answer["content"] == "I plant a vine." and "names no legal action" in reason["content"]
    assert "Choices:" in question["content"] and system["role"] == "system"
    assert system["content"].startswith(chat.HOW) and primer_of(OPTIONS).strip() in system["content"]


def test_a_model_that_never_names_an_action_forfeits(stub):
    found = played(f"llm:model=m,url={stub(lambda asked, number: 'pass?').url},retries=1")
    seat, fault = found.faults[0]
    assert (seat, fault.kind) == (0, "illegal") and found.ranks[0].tolist() == [2, 1]
    assert found.notes[0][0] == {"answers": 2, "unparsed": 2, "prompt_tokens": 200, "completion_tokens": 14}


def test_a_fallback_plays_instead_and_is_counted(stub):
    server = stub(lambda asked, number: "no idea")
    found = played(f"llm:model=m,url={server.url},retries=0,fallback=heuristic")
    assert found.faults == {} and found.notes[0][0]["by_fallback"] == found.notes[0][0]["unparsed"] > 5


BROKEN = {"no JSON": (200, {}, b"<html>"), "megabytes": (200, {}, (b"x" * 100_000 for _ in range(40)))}


@pytest.mark.parametrize("told", BROKEN.values(), ids=BROKEN)
def test_a_broken_response_costs_one_try(stub, told):
    server = stub(lambda asked, number: told if number == 0 else first(asked))
    found = played(f"llm:model=m,url={server.url}")
    assert found.faults == {} and found.notes[0][0]["unparsed"] == 1


def test_a_response_without_end_costs_one_try(stub):
    def answer(asked, number):
        return (200, {}, (time.sleep(0.05) or b" " for _ in range(1000))) if number == 0 else first(asked)

    began = time.monotonic()
    found = played(f"llm:model=m,url={stub(answer).url},limit_ms=500")
    assert found.faults == {} and found.notes[0][0]["unparsed"] == 1 and time.monotonic() - began < 20


BUSY = [(429, {"retry-after": "0"}, b""), (503, {}, b"busy"), (200, {"content-length": "99"}, b"{")]


@pytest.mark.parametrize("told", BUSY, ids=["limit", "busy", "broken off"])
def test_a_busy_endpoint_is_asked_again(stub, told):
    server = stub(lambda asked, number: told if number == 1 else first(asked))
    found = played(f"llm:model=m,url={server.url}")
    assert found.faults == {} and found.notes[0][0]["unparsed"] == 0


REFUSED = [(401, {}, SECRET.encode()), (500, {}, b""), (302, {"location": "http://127.0.0.1:1/"}, b"")]


@pytest.mark.parametrize("told", REFUSED, ids=["no key", "down", "elsewhere"])
def test_an_endpoint_that_refuses_ends_the_run_in_one_line(stub, told, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    server = stub(lambda asked, number: told)
    with pytest.raises(BotError, match=rf"answered with status {told[0]}") as error:
        played(f"llm:model=m,url={server.url}")
    assert SECRET not in str(error.value) and "\n" not in str(error.value)
    assert len(server.requests) == (3 if told[0] == 500 else 1)


def test_nobody_at_the_address_ends_the_run():
    with pytest.raises(BotError, match=r"could not be reached \(ConnectError\)"):
        played("llm:model=m,url=http://127.0.0.1:9/v1")


def test_a_tournament_is_resumed_without_asking_twice(stub, tmp_path):
    log = tmp_path / "answers.jsonl"
    down = threading.Event()

    def answer(asked, number):
        return (401, {}, b"") if down.is_set() else first(asked)

    server = stub(answer)
    spec = f"llm:model=m,url={server.url},log={log}"
    settings = Settings(agents=(spec, "random"), games=4, seed=3, chunk=2, options={"max_years": 1})
    whole = run_tournament(settings, tmp_path / "whole")
    asked = len(server.requests)
    assert whole["bots"][0]["games"] == 4 and SECRET not in log.read_text()
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[-1][:20])  # killed half way, in the middle of a line
    down.set()
    with pytest.raises(BotError, match="status 401"):
        run_tournament(settings, tmp_path / "again")
    down.clear()
    again = run_tournament(settings, tmp_path / "again")
    assert len(server.requests) - asked <= asked - len(lines) // 2 + 2 + 8
    assert again["bots"][0]["win_rate"] == whole["bots"][0]["win_rate"]
    told = next(bot for bot in whole["bots"] if bot["agent"] == spec)
    assert told["notes"]["answers"] == asked and told["faults"] == {}


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("llm:model=m", "needs 'url'"),
        ("llm:url=http://x", "needs 'model'"),
        ("llm:model=m,url=file:///etc/passwd", "url is 'file:///etc/passwd'"),
        ("llm:model=m,url=http://x,retries=-1", "retries is -1"),
        ("llm:model=m,url=http://x,at_once=0", "at_once is 0"),
        ("llm:model=m,url=http://x,fallback=nobody", "unknown agent 'nobody'"),
    ],
)
def test_wrong_specs_are_refused(spec, why):
    with pytest.raises(ValueError, match=why):
        make_agent(spec)


def test_files_of_others_ask_no_address():
    from vitienv.agents.registry import check_told

    with pytest.raises(ValueError, match="an address that would be asked"):
        check_told(["llm:model=m,url=http://127.0.0.1:9"], "the log")
