"""vitienv bench: its figures, and a signature that is the same compiled and interpreted."""

import json
import os
import subprocess
import sys

import pytest

from vitienv import cli
from vitienv.commands.bench.signature import Signature, signature
from vitienv.core.compiling.jit import can_compile
from vitienv.registry import game_spec

SIGNATURE = ["bench", "--signature", "--json"]


def test_the_signature_is_told_with_its_parts_and_sizes(capsys):
    assert cli.run(SIGNATURE) == 0
    here = signature()
    made = game_spec("viticulture")
    sizes = {"record": made.dtype.itemsize, "observed": made.observation.n, "actions": made.actions.n}
    assert json.loads(capsys.readouterr().out) == {"signature": here.total, "parts": here.parts, "sizes": sizes}
    assert len(set(here.parts.values())) == len(here.parts) >= 5


@pytest.mark.slow  # 500 decisions of each ruleset are compared by tests/engine/test_determinism.py
def test_the_signature_is_the_same_compiled_and_interpreted():
    """In a process that runs the rules the other way than this one."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    if can_compile():
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "vitienv.cli", *SIGNATURE]
    told = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    assert told["signature"] == signature().total


def test_the_signature_changes_with_any_part():
    parts = {"essential/2": "a", "essential/3": "b"}
    assert Signature(parts).total != Signature(parts | {"essential/3": "c"}).total
    assert Signature(parts).total == Signature(dict(reversed(parts.items()))).total


def test_bench_measures(capsys):
    """Short runs: the names and units, and that every figure is a number above zero."""
    assert cli.run(["bench", "--runs", "1", "--seconds", "0.01", "--only", "playouts,single", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["bytes_per_game"] <= 4096 and result["machine"]["processor"] and result["versions"]["numba"]
    assert {row["unit"] for row in result["measured"]} == {"games/s", "decisions/s", "µs"}
    assert all(row["median"] > 0 for row in result["measured"])


def test_bench_measures_networks(capsys):
    assert cli.run(["bench", "--runs", "3", "--seconds", "0.01", "--only", "network", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    times = {row["name"]: row["median"] for row in result["measured"]}
    assert {row["unit"] for row in result["measured"]} == {"µs"} and all(time > 0 for time in times.values())
    narrow, wide = (times[f"network of width {width}, random weights"] for width in (128, 256))
    assert narrow < wide < 500 and times["champion, network only"] < 500


def test_bench_measures_searches(capsys, monkeypatch):
    monkeypatch.setattr("vitienv.commands.bench.measurements.SIMULATIONS", 32)
    assert cli.run(["bench", "--runs", "3", "--seconds", "0.05", "--only", "search", "--json"]) == 0
    rates = {row["name"]: row["median"] for row in json.loads(capsys.readouterr().out)["measured"]}
    for table in ("2", "4", "solo"):
        for name in ("network of width 128, random weights", "champion, default settings"):
            assert rates[f"search, table {table}, {name}"] > 0
    assert rates["search, table 2, no network, random playouts"] > 0


def test_bench_prints_a_table(capsys):
    assert cli.run(["bench", "--runs", "1", "--seconds", "0.01", "--only", "single"]) == 0
    out = capsys.readouterr().out
    assert "copy and one step" in out and "Signature: " in out
