"""`vitienv mcp`: JSON-RPC over stdio, tools of one game, and errors that end nothing."""

import json
import subprocess
import sys

import pytest

from vitienv.commands import mcp
from vitienv.envs.text_environment import TextEnv


@pytest.fixture
def call():
    """A function that calls a tool of a new table and returns its text and whether it is an error."""
    options = {"num_players": 2, "max_years": 1}
    table = mcp.Table(TextEnv(opponents=["heuristic"], **options), "viticulture", options)

    def call(name, **arguments):
        params = {"name": name, "arguments": arguments}
        line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        result = mcp.respond(table, line)["result"]
        return result["content"][0]["text"], result["isError"]

    return call


def test_a_game_is_played_to_its_end(call):
    assert "Viticulture" in call("rules")[0] or "vineyard" in call("rules")[0]
    first, _ = call("new_game", seed=3)
    assert call("view") == (first, False) and call("new_game", seed=3)[0] == first
    for _ in range(1000):
        actions = json.loads(call("legal_actions")[0])
        if not actions:
            break
        text, is_error = call("act", action=str(actions[-1]["number"]))
        assert not is_error
    assert "The game is over." in text and "final scores" in text
    assert call("act", action="pass")[1]


def test_an_illegal_action_changes_nothing(call):
    call("new_game", seed=3)
    before = call("view")
    for action in ("0", "no such action", ""):
        text, is_error = call("act", action=action)
        assert is_error and "\n" not in text
    assert call("view") == before


def test_a_hint_has_the_legal_actions(call):
    call("new_game", seed=3)
    names = {action["name"] for action in json.loads(call("legal_actions")[0])}
    assert {action["action"] for action in json.loads(call("hint")[0])["actions"]} <= names


@pytest.mark.parametrize("name, arguments, expected", [
    ("view", {}, "call new_game first"), ("act", {}, "arguments must be an object with action"),
    ("new_game", {"seed": -1}, "seed must be an integer from 0, got -1"),
    ("new_game", {"bots": "os.getcwd"}, "arguments must be an object with seed"),
])  # fmt: skip
def test_wrong_arguments_are_errors_of_the_tool(call, name, arguments, expected):
    text, is_error = call(name, **arguments)
    assert is_error and expected in text


@pytest.mark.parametrize("line, code", [
    ("{", mcp.PARSE_ERROR), ("[" * 100_000, mcp.PARSE_ERROR), ("[]", mcp.INVALID_REQUEST),
    ('{"id": 1, "method": "resources/list"}', mcp.METHOD_NOT_FOUND),
    ('{"id": 1, "method": "tools/call", "params": []}', mcp.INVALID_PARAMS),
    ('{"id": 1, "method": "tools/call", "params": {"name": "shell"}}', mcp.INVALID_PARAMS),
    ('{"id": 1, "method": "tools/call", "params": {"name": []}}', mcp.INVALID_PARAMS),
])  # fmt: skip
def test_wrong_messages_are_errors_of_the_protocol(line, code):
    assert mcp.respond(None, line)["error"]["code"] == code


def test_a_notification_has_no_response():
    assert mcp.respond(None, '{"method": "notifications/initialized"}') is None


def test_stdout_has_only_messages():
    lines = ['{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}', "",
             '{"jsonrpc": "2.0", "id": 2, "method": "tools/list"}']  # fmt: skip
    command = [sys.executable, "-m", "vitienv.cli", "mcp", "--option", "ruleset=solo"]
    process = subprocess.run(command, input="\n".join(lines), capture_output=True, text=True, check=True)
    first, second = map(json.loads, process.stdout.splitlines())
    assert first["result"]["protocolVersion"] == "2025-06-18" and first["result"]["serverInfo"]["name"] == "vitienv"
    assert [tool["name"] for tool in second["result"]["tools"]] == list(mcp.TOOLS)
