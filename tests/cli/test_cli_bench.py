"""vitienv bench: measurements, the signature and perft."""

import json
import os
import subprocess
import sys

import pytest

import vitienv
from tests.command import run
from vitienv.commands.bench import measurements, perft
from vitienv.commands.bench.signature import Signature, signature
from vitienv.core.compiling.jit import can_compile
from vitienv.registry import game_spec

TOY = "tests.toy.game_spec"


def bench(capsys, *arguments):
    """Return the JSON of the command."""
    status, out, error = run(capsys, "bench", *arguments, "--json")
    assert status == 0, error
    return json.loads(out)


def test_signature_has_parts_and_sizes(capsys):
    expected, spec = signature(), game_spec("viticulture")
    sizes = {"record": spec.dtype.itemsize, "observed": spec.observation.n, "actions": spec.actions.n}
    result = {"signature": expected.total, "parts": expected.parts, "sizes": sizes}
    assert bench(capsys, "--signature") == result
    assert len(set(expected.parts.values())) == len(expected.parts) >= 5


@pytest.mark.slow  # 500 decisions of each ruleset are compared by tests/engine/test_determinism.py
def test_signature_is_equal_compiled_and_interpreted():
    """Compare with a process in the other mode."""
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    if can_compile():
        environment["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "vitienv.cli", "bench", "--signature", "--json"]
    out = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    assert json.loads(out)["signature"] == signature().total


def test_signature_changes_with_any_part():
    parts = {"essential/2": "a", "essential/3": "b"}
    assert Signature(parts).total != Signature(parts | {"essential/3": "c"}).total
    assert Signature(parts).total == Signature(dict(reversed(parts.items()))).total


def test_measurements_are_positive(capsys, monkeypatch):
    monkeypatch.setattr(measurements, "SIMULATIONS", 32)
    result = bench(capsys, "--runs", "3", "--seconds", "0.02", "--only", "playouts,single,network,search")
    assert result["bytes_per_game"] <= 4096 and result["machine"]["processor"] and result["versions"]["numba"]
    units = {row["unit"] for row in result["measured"]}
    assert units == {"games/s", "µs", "simulations/s"} and all(row["median"] > 0 for row in result["measured"])
    values = {row["name"]: row["median"] for row in result["measured"]}
    narrow, wide = (values[f"network of width {width}, random weights"] for width in (128, 256))
    assert narrow < wide < 500 and values["champion, network only"] < 500
    for table in ("2", "4", "solo"):
        assert f"search, table {table}, network of width 128, random weights" in values
        assert f"search, table {table}, champion, default settings" in values
    assert "search, table 2, no network, random playouts" in values


def test_measurements_are_printed_as_a_table(capsys):
    status, out, _ = run(capsys, "bench", "--runs", "1", "--seconds", "0.01", "--only", "single", "--game", TOY)
    assert status == 0 and "copy and one step" in out and "Signature: " in out


def count_leaves(game, depth):
    """Return the number of leaves below a game, by copies and single steps."""
    if depth == 0 or game.is_over:
        return 1
    return sum(count_leaves(game.copy().step(action), depth - 1) for action in game.legal_actions())


def placement():
    """Return a game at a placement with many choices."""
    game = vitienv.Game.new(num_players=2, seed=3)
    while game.decision != "place_worker" or len(game.legal_actions()) < 8:
        game.step(game.legal_actions()[0])
    return game


@pytest.mark.parametrize("batch_size", [7, 2048])
def test_perft_counts_equal_those_of_single_steps(monkeypatch, batch_size):
    """In batches smaller and larger than the games; the toy ends before its last decision."""
    monkeypatch.setattr(perft, "BATCH_SIZE", batch_size)
    toy = vitienv.Game.new(game=TOY, seed=4)
    for game, depth in ((placement(), 3), (vitienv.Game.new(num_players=4, seed=2), 5), (toy, 14), (toy, 1)):
        before, counts = game.copy(), perft.perft(game, depth)
        expected = {action: count_leaves(game.copy().step(action), depth - 1) for action in game.legal_actions()}
        assert counts["actions"] == expected and counts["leaves"] == sum(expected.values())
        assert game == before and counts["nodes"] >= len(expected)
    assert perft.perft(toy, 30)["leaves"] == perft.perft(toy, 14)["leaves"]


def test_perft_counts_from_a_seed_and_from_a_file(capsys, tmp_path):
    game, path = placement(), tmp_path / "position.json"
    path.write_text(json.dumps(game.to_dict()), encoding="utf-8")
    assert bench(capsys, "--perft", "2", "--position", str(path))["leaves"] == count_leaves(game, 2)
    status, out, _ = run(capsys, "bench", "--perft", "3", "--seed", "4", "--game", TOY)
    assert status == 0 and "keep 4\n" in out and "draw 4\n" in out and "3 decisions: 8 leaves" in out
