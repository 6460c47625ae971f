"""vitienv bench: measurements and the signature."""

import json

from tests.command import run
from vitienv.commands.bench import measurements
from vitienv.commands.bench.signature import Signature, signature
from vitienv.registry import game_spec


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
