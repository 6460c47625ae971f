"""`vitienv mcp` with the client of the Model Context Protocol's Python SDK."""

import asyncio
import json
import sys

import pytest

mcp = pytest.importorskip("mcp")
stdio = pytest.importorskip("mcp.client.stdio")


def test_client_of_the_sdk_plays_a_game():
    async def play() -> str:
        words = ["-m", "vitienv.cli", "mcp", "--players", "2", "--option", "max_years=1"]
        server = stdio.stdio_client(stdio.StdioServerParameters(command=sys.executable, args=words))
        async with server as streams, mcp.ClientSession(*streams) as session:
            await session.initialize()
            assert {tool.name for tool in (await session.list_tools()).tools} >= {"new_game", "act", "hint"}
            text = (await session.call_tool("new_game", {"seed": 1})).content[0].text
            while actions := json.loads((await session.call_tool("legal_actions", {})).content[0].text):
                text = (await session.call_tool("act", {"action": actions[-1]["name"]})).content[0].text
            return text

    assert "final scores" in asyncio.run(play())
