"""vitienv mcp: a game for an agent, as a server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from typing import Any, TextIO

import typer

from vitienv.console import GAME, OPTION, set_options, split_list
from vitienv.version import __version__

# Revisions of https://modelcontextprotocol.io/specification whose messages for tools are the same.
REVISIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
MAX_LINE_CHARS = 1_000_000
NO_GAME = "no game has started: call new_game first"
SEED = {"seed": {"type": "integer", "minimum": 0, "description": "Deals the same game again; random by default."}}
ACTION = {"action": {"type": "string", "description": "Number, name or sentence of a legal action."}}
TOOLS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "rules": ("Return the rules of the game.", {}, []),
    "new_game": ("Start a new game and return the first decision.", SEED, []),
    "view": ("Return what your seat knows, the pending decision and the legal actions.", {}, []),
    "legal_actions": ("Return the legal actions as JSON: number, name and sentence.", {}, []),
    "act": ("Take an action and return your next decision, after the moves of the other seats.", ACTION, ["action"]),
    "hint": ("Return a search's values of the legal actions as JSON, best first.", {}, []),
}  # fmt: skip


def command(
    bots: str = typer.Option("heuristic", help="Bots of the other seats, separated by commas; none in solo."),
    players: int = typer.Option(None, help="Number of seats; the agent has the first one."),
    game: str = GAME,
    assignments: list[str] = OPTION,
) -> None:
    """Serve a game to an agent over stdio by the Model Context Protocol.

    The options set the table; the agent can only choose seeds and actions.
    """
    from vitienv.envs.text_environment import TextEnv

    options = set_options(assignments, game)
    if players is not None:
        options["num_players"] = players
    opponents = [] if options.get("ruleset") == "solo" else split_list(bots, "--bots")
    answers = sys.stdout
    with redirect_stdout(sys.stderr):  # output of bots must not mix with messages
        serve(Table(TextEnv(opponents=opponents, game=game, **options), game, options), sys.stdin, answers)


class Table:
    """The tools of one agent: methods with the names and arguments of `TOOLS`."""

    def __init__(self, env: Any, game: str, options: Mapping[str, Any]) -> None:
        self._env, self._game, self._options = env, game, dict(options)
        self._prompt = ""

    def rules(self) -> str:
        import vitienv

        return vitienv.primer(self._game, **self._options)

    def new_game(self, seed: int | None = None) -> str:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
            raise ValueError(f"seed must be an integer from 0, got {seed!r}")
        self._prompt, self._info = self._env.reset(seed=seed)
        return self._prompt

    def view(self) -> str:
        if not self._prompt:
            raise ValueError(NO_GAME)
        return self._prompt

    def legal_actions(self) -> str:
        self.view()
        return json.dumps(self._info["choices"])

    def act(self, action: str) -> str:
        self.view()
        name = self._env.game.parse_action(str(action))  # an action that is not legal must not lose the game
        self._prompt, reward, terminated, truncated, self._info = self._env.step(name)
        if terminated or truncated:
            ranks = self._info["final_ranks"]
            self._prompt += f"\n\nReward {reward:+.2f}, final scores {self._info['final_scores']}, ranks {ranks}."
        return self._prompt

    def hint(self) -> str:
        from vitienv.agents.search.analysis import hint

        self.view()
        return json.dumps(hint(self._env.game).to_dict())


def serve(table: Table, messages: TextIO, answers: TextIO) -> None:
    """Answer the JSON-RPC messages of a stream, one a line, until it ends."""
    while line := messages.readline(MAX_LINE_CHARS):
        answer = respond(table, line) if line.strip() else None
        if answer is not None:
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def respond(table: Table, line: str) -> dict[str, Any] | None:
    """Return the response to a message; None to a notification."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "the message must be one line of JSON")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return _error(None, INVALID_REQUEST, "the message must be a JSON-RPC 2.0 request")
    if "id" not in message:
        return None
    method, params = message["method"], message.get("params") or {}
    handlers: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
        "initialize": _initialize,
        "ping": lambda _: {},
        "tools/list": lambda _: {"tools": list(map(_tool, TOOLS))},
        "tools/call": lambda params: _call(table, params),
    }
    if method not in handlers:
        return _error(message["id"], METHOD_NOT_FOUND, f"unknown method {method!r}")
    if not isinstance(params, dict) or (method == "tools/call" and params.get("name") not in [*TOOLS]):
        return _error(message["id"], INVALID_PARAMS, f"unknown tool; expected one of: {', '.join(TOOLS)}")
    return {"jsonrpc": "2.0", "id": message["id"], "result": handlers[method](params)}


def _initialize(params: Mapping[str, Any]) -> dict[str, Any]:
    revision = params.get("protocolVersion")
    return {
        "protocolVersion": revision if revision in REVISIONS else REVISIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "vitienv", "version": __version__},
        "instructions": "Call rules and new_game, then act until the game is over.",
    }


def _tool(name: str) -> dict[str, Any]:
    description, properties, required = TOOLS[name]
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"name": name, "description": description, "inputSchema": schema}


def _call(table: Table, params: Mapping[str, Any]) -> dict[str, Any]:
    _, properties, required = TOOLS[params["name"]]
    arguments = params.get("arguments") or {}
    try:
        if not isinstance(arguments, dict) or not set(required) <= set(arguments) <= set(properties):
            raise ValueError(
                f"arguments must be an object with {', '.join(properties) or 'no keys'}, got {arguments!r}"
            )
        text, is_error = getattr(table, params["name"])(**arguments), False
    except Exception as error:  # a bot may fail: the agent gets the reason, and the server stays
        text, is_error = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _error(number: Any, code: int, text: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}
