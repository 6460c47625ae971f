"""vitienv bench: how fast the environment is on this machine."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import GAME, JSON, RULESET, SEED, SET, console, echo, print_json, progress, set_options
from vitienv.games import DEFAULT, definition

if TYPE_CHECKING:
    from vitienv.core.options import Options

PLAYERS = 4
# The function of `measurements` that measures each part.
PARTS = {"batch": "batches", "playouts": "playouts", "envs": "environments", "single": "single",
         "network": "networks", "search": "searches", "start": "start"}  # fmt: skip
MORE_PARTS = {"compile": "first_compilation", "cuda": "batches_on_card"}  # by an option of their own


def command(
    position: Path = typer.Argument(None, help="With --perft: a position's file; by default a new game."),
    runs: int = typer.Option(5, min=1, help="Runs of each measurement; the median is reported."),
    seconds: float = typer.Option(0.5, min=0.01, help="Length of each run."),
    only: str = typer.Option(None, help="Only these parts: batch, playouts, envs, single, network, search, start."),
    compile: bool = typer.Option(False, "--compile", help="Measure the first compilation too, with an empty cache."),
    signature: bool = typer.Option(False, "--signature", help="Print only the bench signature and what it is made of."),
    perft: int = typer.Option(None, "--perft", min=1, max=64, metavar="N", help="Count action sequences of length N."),
    device: str = typer.Option("cpu", help="cpu, or cuda for an NVIDIA card: the part batch, or --signature."),
    seed: int = SEED,
    game: str = GAME,
    ruleset: str = RULESET,
    given: list[str] = SET,
    json: bool = JSON,
) -> None:
    """Measure speed: batches, playouts, environments, copies, networks, searches, start; mostly at a table of four."""
    options = set_options(given, game, ruleset)
    if perft is not None:
        from vitienv.commands.bench.perft import show

        show(position, _table(game, options), seed, perft, json)
        return
    if position is not None:
        raise ValueError(f"the position {position} is for --perft, which is not given")
    if signature:
        _print_signature(json, game, _only_ruleset(options), device)
        return
    chosen = _parts(only) if device == "cpu" else _parts_on(device, only)
    result = bench(runs, seconds, chosen, seed, compile, game, options)
    if json:
        print_json(result)
        return
    _print(result)


def _parts(only: str | None) -> list[str]:
    if only is None:
        return list(PARTS)
    chosen = [part.strip() for part in only.split(",")]
    unknown = [part for part in chosen if part not in PARTS]
    if unknown:
        raise ValueError(f"unknown part {unknown[0]!r}; there is {', '.join(PARTS)}")
    return chosen


def _only_ruleset(options: dict[str, Any]) -> str | None:
    """The ruleset whose signature is asked for. ValueError for other options: its tables are fixed."""
    others = [name for name in options if name != "ruleset"]
    if others:
        raise ValueError(f"--signature plays fixed tables: --set {others[0]} has no place there")
    return options.get("ruleset")


def _parts_on(device: str, only: str | None) -> list[str]:
    """The parts that are measured on a device. ValueError for others, and where the device is missing."""
    from vitienv.envs.device import device_of

    device_of(device)
    if only not in (None, "batch"):
        raise ValueError(f"--only is {only!r}; on {device!r} it must be 'batch'")
    return [device]


def _print_signature(json: bool, game: str, ruleset: str | None, device: str) -> None:
    from vitienv.commands.bench.signature import signature
    from vitienv.envs.device import device_of

    played_on = None if device == "cpu" else device_of(device)
    games, made = signature(game, ruleset, played_on), definition(game)
    if json:
        sizes = {"record": made.dtype.itemsize, "observed": made.observation.n, "actions": made.actions.n}
        print_json({"signature": games.total, "parts": games.parts, "sizes": sizes})
        return
    for name, part in games.parts.items():
        echo(f"{name} {part}")
    echo(games.total)


def bench(
    runs: int,
    seconds: float,
    parts: list[str],
    seed: int = 0,
    compile: bool = False,
    game: str = DEFAULT,
    given: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """All measurements as plain JSON, each with name, unit, median and single runs. given: options of the table.

    Interpreted rules take minutes.
    """
    from vitienv.commands.bench import measurements
    from vitienv.commands.bench.signature import signature
    from vitienv.core.compiling.jit import interpreted
    from vitienv.core.files import machine, versions

    table = _table(game, given or {})
    measured: list[dict[str, Any]] = []
    shares: dict[str, float] = {}
    todo = [*parts, *(["compile"] if compile else [])]
    with progress("measuring") as tell:
        for i, part in enumerate(todo):
            tell(i, len(todo) + 1)
            wall, cpu = time.perf_counter(), time.process_time()
            measured += getattr(measurements, (PARTS | MORE_PARTS)[part])(table, runs, seconds, seed)
            if part in PARTS:
                shares[part] = round((time.process_time() - cpu) / (time.perf_counter() - wall), 2)
        made = signature(game, table.ruleset)
        tell(len(todo) + 1, len(todo) + 1)
    return {
        "machine": machine() | {"load": _load()},
        "versions": versions(),
        "interpreted": interpreted(),
        "game": game,
        "players": table.num_players,
        "options": given or {},
        "bytes_per_game": table.definition.dtype.itemsize,
        "measured": measured,
        "core_share": {part: share for part, share in shares.items() if part != "start"},
        "signature": made.total,
        "signature_parts": made.parts,
    }


def _table(game: str, given: dict[str, Any]) -> Options:
    """A table of four, or of as many as the game allows. given: its options."""
    options = definition(game).options
    most = options.of(**given).players().stop - 1
    return options.of(**{"num_players": min(PLAYERS, most), **given})


def _load() -> list[float] | None:
    """How busy the machine is: figures taken beside other work are too low."""
    return [round(x, 2) for x in os.getloadavg()] if hasattr(os, "getloadavg") else None


def _print(result: dict[str, Any]) -> None:
    from rich.table import Table

    machine = result["machine"]
    echo(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, load {machine['load']}")
    echo(", ".join(f"{name} {number}" for name, number in result["versions"].items()))
    if result["interpreted"]:
        echo("interpreted (NUMBA_DISABLE_JIT=1)")
    table = Table(title=f"random play, {result['players']} players, medians; {result['bytes_per_game']} bytes a game")
    for name, side in (("what", "left"), ("median", "right"), ("unit", "left"), ("least to most", "right")):
        table.add_column(name, justify=side)  # type: ignore[arg-type]
    for row in result["measured"]:
        spread = f"{_number(min(row['runs']))} to {_number(max(row['runs']))}" if len(row["runs"]) > 1 else ""
        table.add_row(row["name"], _number(row["median"]), row["unit"], spread)
    console().print(table)
    shares = ", ".join(f"{part} {share}" for part, share in result["core_share"].items())
    if shares:
        echo(f"Cores that this process had on average, below 1 on a busy machine: {shares}")
    echo(f"Signature: {result['signature']}")


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
