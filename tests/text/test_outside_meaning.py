"""Untrusted answers, specs and corrections are parsed in any form, or refused in one line."""

from __future__ import annotations

import asyncio
import json
import shlex
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import vitienv
from tests.text.test_outside_text import NUMBERS, QUICK, VALUES, WORDS, answers
from vitienv.agents import make_agent
from vitienv.agents.llm import llm_agent
from vitienv.agents.program import _parse_answer
from vitienv.core.components import read_corrections
from vitienv.toscana.components import COMPONENTS
from vitienv.world.components import facts

LINES = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=12)


# The spec of a bot.


@dataclass
class Kept:
    """A bot that keeps what its spec gives it."""

    name: str = ""
    n: int = 0
    share: float = 0.0
    is_so: bool = False
    at: int | None = 0

    def act(self, observations: Any, action_masks: Any, games: Any = None) -> Any:
        """See `Agent`."""
        return np.argmax(action_masks, axis=1)


OPTIONS = {
    "name": LINES.filter(lambda text: text.strip() == text and text.isprintable()),
    "n": st.integers(),
    "share": st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False),
    "is_so": st.booleans(),
    "at": st.none() | st.integers(),
}


@QUICK
@given(st.fixed_dictionaries({}, optional=OPTIONS), st.randoms())
def test_bot_options_are_parsed_in_any_order(options, rng):
    pairs = [f"{key}={value}" for key, value in options.items()]
    rng.shuffle(pairs)
    assert make_agent(f"{__name__}.Kept:{','.join(pairs)}") == Kept(**options)


@QUICK
@given(st.lists(WORDS, min_size=1), st.integers(1, 3_600_000))
def test_program_command_is_split_like_a_shell(words, limit):
    words = ["cat", *words]  # a program that is there
    bot = make_agent(f"program:command={shlex.join(words)},limit_ms={limit}")
    assert (bot.program.command, bot.program.limit_ms) == (words, limit)


# Answers of players.


@cache
def positions() -> list[Any]:
    """Some of each game."""
    games = []
    for options in ({"num_players": 3}, {"game": "toscana", "num_players": 2}):
        game, rng = vitienv.Game.new(seed=2, **options), np.random.default_rng(2)
        for step in range(60):
            if step % 6 == 0:
                games.append(game.copy())
            game.step(int(rng.choice(np.flatnonzero(game.mask))))
    return games


POSITIONS = st.deferred(lambda: st.sampled_from(positions()))
WAYS = st.sampled_from(["number", "name", "sentence"])
CASES = st.sampled_from([str, str.upper, str.title, str.swapcase])
AROUND = st.text(" \t*_`\"'.", max_size=4)
LABELS = st.sampled_from(["", "Action: ", "final answer = ", "MOVE:"])


@QUICK
@given(POSITIONS, st.data(), WAYS, CASES, AROUND, LABELS, LINES, st.booleans())
def test_action_is_parsed_from_every_form_of_answer(game, data, form, case, around, label, thought, is_marked):
    description = data.draw(st.sampled_from(game.describe_actions()))
    line = f"{around}{label}{around}{case(str(description[form])).replace(' ', '  ')}{around}"
    answer = f"{thought}<Action>\n{line}\n</aCTION>{thought}" if is_marked else f"{thought}\n{line}\n {around}\n"
    assert game.parse_action(answer) == description["name"]


@QUICK
@given(POSITIONS, st.data(), WAYS, LINES)
def test_altered_answer_is_refused_or_contains_its_action(game, data, form, insertion):
    text = str(data.draw(st.sampled_from(game.describe_actions()))[form])
    at = data.draw(st.integers(0, len(text)))
    answer = text[:at] + insertion + data.draw(st.sampled_from([text[at + 1 :], text[at:], ""]))
    try:
        meant = game.parse_action(answer)
    except vitienv.IllegalAction as refused:
        assert "\n" not in str(refused) and len(str(refused)) < 500
    else:
        description = next(description for description in game.describe_actions() if description["name"] == meant)
        plain = " ".join(answer.split()).casefold().strip(".")
        assert any(str(form).casefold().strip(".") in plain for form in description.values())


# Answers of programs.


def sent(value: Any) -> bytes:
    """JSON."""
    return json.dumps(value).encode()


@QUICK
@given(st.dictionaries(WORDS, VALUES, max_size=3), st.integers(-(10**30), 10**30) | WORDS)
def test_program_answer_contains_its_action(fields, action):
    if len(str(action).splitlines()) > 1:
        with pytest.raises(ValueError, match="action must be one line"):
            _parse_answer(sent(fields | {"action": action}))
        return
    assert _parse_answer(sent(fields | {"action": action})) == str(action)


@QUICK
@given(st.binary() | (VALUES | st.builds(dict, action=VALUES)).map(sent) | st.integers(1, 9**5).map(b"[".__mul__))
def test_random_bytes_of_a_program_raise_in_one_line(written):
    try:
        _parse_answer(written)
    except ValueError as refused:
        assert "\n" not in str(refused)
    else:
        assert type(json.loads(written)["action"]) in (int, str)


# Responses of a model's endpoint.


def decided(body: bytes, sizes: list[int]) -> llm_agent.Decision:
    """The decision of a model whose endpoint sends a body, in parts of these sizes."""
    cuts = [0, *np.cumsum(sizes).tolist(), len(body)]
    parts = [body[low:high] for low, high in pairwise(cuts)]

    async def send_parts():
        for part in parts:
            yield part

    reply = SimpleNamespace(status_code=200, headers={}, aiter_bytes=send_parts)
    client = SimpleNamespace(stream=lambda *_, **__: nullcontext(reply))
    decision = llm_agent.Decision(make_agent("llm:model=m,url=http://x,retries=0"), client, positions()[0])
    return asyncio.run(decision.run())


CHOSEN = st.deferred(lambda: st.sampled_from(positions()[0].describe_actions()))
TOKENS = st.fixed_dictionaries({}, optional=dict.fromkeys(["prompt_tokens", "completion_tokens"], VALUES | NUMBERS))


@QUICK
@given(st.dictionaries(WORDS, VALUES, max_size=2), CHOSEN, TOKENS | VALUES, st.lists(st.integers(0, 40)))
def test_response_in_parts_of_any_size_is_parsed(fields, description, usage, sizes):
    message = {"content": f"So: <action>{description['number']}</action>"}
    answer = decided(sent(fields | {"choices": [{"message": message}], "usage": usage}), sizes)
    assert (answer.action, answer.error) == (description["number"], "")
    assert answer.notes["answers"] == 1 and answer.notes["unparsed"] == 0
    for name in ("prompt_tokens", "completion_tokens"):
        count = usage.get(name) if isinstance(usage, dict) else None
        assert answer.notes[name] == (count if type(count) is int and 0 <= count < 10**9 else 0)


MESSAGES = VALUES.map(lambda value: {"message": value}) | VALUES.map(lambda value: {"message": {"content": value}})


@QUICK
@given(st.binary() | (VALUES | MESSAGES.map(lambda message: {"choices": [message]})).map(sent))
def test_random_response_is_an_error_in_one_line(body):
    decision = decided(body, [])
    assert decision.action is None and decision.kind == "illegal" and decision.error and "\n" not in decision.error


@QUICK
@given(st.lists(st.binary() | VALUES.map(sent), max_size=5))
def test_incomplete_lines_of_a_log_lose_no_answer(tmp_path_factory, others):
    path = tmp_path_factory.getbasetemp() / "answers.jsonl"
    path.unlink(missing_ok=True)
    for i, other in enumerate(others):
        llm_agent.Log(path).add("m", [{"content": str(i)}], f"answer {i}", {"prompt_tokens": i}, 0.1)
        with path.open("ab") as file:
            file.write(other)  # an incomplete line of a killed run
    for i in range(len(others)):
        tokens = {"prompt_tokens": i, "completion_tokens": 0}
        assert llm_agent.Log(path).answer("m", [{"content": str(i)}]) == (f"answer {i}", tokens)


# An owner's corrections of the components.


WRONG = st.sampled_from([None, True, 7, 0.5, "x", "a\nb", [], {}, [[]], [7], ["x"], {"x": 1}, [{"id": {}}], {7: 7}])


@cache
def places(game: str) -> list[tuple[str, dict[str, Any], tuple[Any, ...]]]:
    """Correctable values: the game, its data, and the path of the value."""
    toscana: dict[str, Any] = {}
    for part in COMPONENTS.values():
        inner, (*outer, last) = toscana, part.path.split(".")
        for key in outer:
            inner = inner.setdefault(key, {})
        inner[last] = part.value
    data = facts() if game == "world" else toscana
    return [(game, data, path) for path in walked(data)]


def walked(data: Any) -> list[tuple[Any, ...]]:
    """The paths of all values in nested data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [(), *((key, *path) for key, value in inner for path in walked(value))]


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The data with another value at a path."""
    if not path:
        return value
    changed = data.copy()
    changed[path[0]] = put(data[path[0]], path[1:], value)
    return changed


@settings(QUICK, max_examples=40)  # each valid value is a game of its own
@given(st.deferred(lambda: st.sampled_from(places("world")) | st.sampled_from(places("toscana"))), WRONG)
def test_random_component_values_raise_in_one_line(place, value):
    game, data, path = place
    corrections = {path[0]: put(data, path, value)[path[0]]} if path else value
    options = {"game": "world"} if game == "world" else {"game": "toscana"}

    def started(corrections: Any) -> None:
        json.dumps(vitienv.Game.new(seed=1, num_players=2, components=corrections, **options).log)

    answers(started, corrections)


TOML = [b"a=1\n", b"[a]\n", b"[[a]]\n", b'"a\\nb"=1\n', b"b=2020-01-01\n", b"a=" + b"[" * 3000, b"9" * 5000, b"a."]


@QUICK
@given(st.binary() | WORDS.map(str.encode) | st.lists(st.sampled_from(TOML)).map(b"".join))
def test_random_component_files_raise_in_one_line(tmp_path_factory, text):
    path = tmp_path_factory.getbasetemp() / "components.toml"
    path.write_bytes(text)
    answers(lambda path: json.dumps(read_corrections(path)), path)
