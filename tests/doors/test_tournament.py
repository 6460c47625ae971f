"""A language model, a program in another language, a level and a network at one table: one command, killed, gone on."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from zlib import crc32

import pytest

import vitienv
from tests.command import contents, logs
from tests.doors.endpoint import Stub, first
from vitienv.agents.disguise import Speech
from vitienv.agents.llm import chat

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "programs.md").read_text(encoding="utf-8")
KILLED_AT = 15  # requests
pytestmark = [pytest.mark.skipif(os.name == "nt", reason="sends SIGKILL"),
              pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")]  # fmt: skip


def written(folder) -> Path:
    """The documentation's player in JavaScript, which ends at some questions, at the same ones each time."""
    code = PAGE.partition("```js\n")[2].partition("```")[0]
    code = code.replace("  const wanted", "  if (line.length % 7 === 0) process.exit(3);\n  const wanted")
    assert "process.exit" in code
    path = folder / "player.js"
    path.write_text(code)
    return path


def answer(asked, number=0) -> str:
    """What the model says: at some questions first nothing of use, at a few nothing of use at all."""
    messages = asked["messages"]
    chance = crc32(messages[1]["content"].encode())
    return "I wonder." if chance % 40 == 0 or (chance % 9 == 0 and len(messages) == 2) else first(asked)


def run(command, stub, killed_at=None) -> str | None:
    """The output of a command; None if it was killed at that request."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)

    def told(asked, number):
        if number == killed_at:
            os.killpg(process.pid, signal.SIGKILL)
        return answer(asked)

    stub.answer = told
    out, _ = process.communicate(timeout=300)
    assert process.returncode == (0 if killed_at is None else -signal.SIGKILL)
    return out if killed_at is None else None


def counted(game, seat) -> Counter:
    """What the model's decisions in a game took, by asking it all again."""
    counts = Counter(answers=0, unparsed=0, prompt_tokens=0, completion_tokens=0)
    at = vitienv.Game.new(seed=game["seed"], game=game["game"], **game["options"])
    for move in [*game["moves"], None]:
        is_asked = at.seat == seat and (move is not None or game.get("fault", {}).get("seat") == seat)
        messages = chat._messages(at, Speech(False)) if is_asked else []
        for _ in range(3 if is_asked else 0):
            counts += Counter(answers=1, prompt_tokens=100, completion_tokens=7)
            said = answer({"messages": messages})
            if said != "I wonder.":
                assert at.parse(said) == move
                break
            counts["unparsed"] += 1
            messages = [*messages, {}, {}]
        if move is not None:
            at.step(move)
    return counts


def test_four_kinds_of_players_from_one_command_killed_and_gone_on(tmp_path):
    stub, log = Stub(answer), tmp_path / "answers.jsonl"
    model, program = f"llm:model=m,url={stub.url},log={log}", f"pipe:node {written(tmp_path)}"
    command = [sys.executable, "-m", "vitienv.cli", "tournament", model, program, "level:3", "policy:champion",
               "--games", "8", "--chunk", "2", "--max-years", "1", "--processes", "1", "--json"]  # fmt: skip
    whole = json.loads(run([*command, "--run", str(tmp_path / "whole")], stub))
    asked = len(stub.requests)
    log.unlink()
    stub.requests.clear()
    run([*command, "--run", str(tmp_path / "killed")], stub, KILLED_AT)
    parts = list((tmp_path / "killed" / "chunks").glob("[0-9]*"))
    assert 0 < len(parts) < 4 and not (tmp_path / "killed" / "results.json").exists()
    again = json.loads(run([*command, "--run", str(tmp_path / "killed")], stub))
    stub.close()
    assert len(stub.requests) <= asked + 8  # only those on their way were asked twice
    one, other = (contents(tmp_path / name) for name in ("whole", "killed"))
    for file in ("results.json", "games.parquet", "table.csv", "logs.jsonl.gz"):
        assert one[file] == other[file], file
    assert again["bots"] == whole["bots"]

    games = logs(tmp_path / "killed")
    bots = {bot["agent"]: bot for bot in again["bots"]}
    lost = Counter((game["agents"][game["fault"]["seat"]], game["fault"]["kind"]) for game in games if "fault" in game)
    assert {(name, kind): n for name, bot in bots.items() for kind, n in bot["faults"].items()} == lost
    assert lost[model, "illegal"] > 0 and lost[program, "crash"] > 0 and len(lost) == 2
    assert all(game["ranks"][game["fault"]["seat"]] == 4 for game in games if "fault" in game)
    took = sum((counted(game, game["agents"].index(model)) for game in games), start=Counter())
    assert bots[model]["notes"] == took and took["unparsed"] > 0
