"""vitienv bench: speed of the environment on this machine."""

from __future__ import annotations

from typing import Any

import typer

from vitienv.console import (
    GAME,
    JSON,
    OPTION,
    RULESET,
    SEED,
    console,
    echo,
    print_json,
    progress,
    reject_others,
    set_options,
)
from vitienv.registry import game_spec

PLAYERS = 4
PARTS = ("batch", "playouts", "envs", "single", "network", "search", "start")  # methods of `SpeedTest`


def application() -> typer.Typer:
    """Return the subcommands of `vitienv bench`."""
    from vitienv.commands.bench import tasks, verify

    app = typer.Typer(help="Measure the speed of this machine; `tasks` and `verify` measure strength.")
    app.callback(invoke_without_command=True)(speed)
    app.command("tasks")(tasks.command)
    app.command("verify")(verify.command)
    return app


def speed(
    context: typer.Context,
    runs: int = typer.Option(5, min=1, help="Runs per measurement; the median is reported."),
    seconds: float = typer.Option(0.5, min=0.01, help="Length of each run in seconds."),
    only: str = typer.Option(None, help=f"Parts to measure: {', '.join(PARTS)}."),
    compile: bool = typer.Option(False, "--compile", help="Also measure the first compilation with an empty cache."),
    signature: bool = typer.Option(False, "--signature", help="Print only the bench signature and its parts."),
    device: str = typer.Option("cpu", help="cpu, or cuda for an NVIDIA GPU, which runs the part batch or --signature."),
    seed: int = SEED,
    game: str = GAME,
    ruleset: str = RULESET,
    assignments: list[str] = OPTION,
    json: bool = JSON,
) -> None:
    """Measure the speed of batches, playouts, environments, copies, networks, searches and the start."""
    if context.invoked_subcommand is not None:
        return
    from vitienv.commands.bench import signature as signatures
    from vitienv.commands.bench.measurements import SpeedTest
    from vitienv.core.compiling.jit import code_of
    from vitienv.core.files import machine, versions

    settings, spec = set_options(assignments, game, ruleset), game_spec(game)
    target = None
    if device != "cpu":
        from vitienv.envs.device import device_of  # imports Numba

        target = device_of(device)
    of_game = "game", "ruleset", "assignments", "json"
    if signature:
        reject_others(context, "--signature plays fixed games", "signature", "device", *of_game)
        signatures.show(game, settings, target, json)
        return
    max_players = spec.options.of(**settings).players().stop - 1
    table = spec.options.of(**{"num_players": min(PLAYERS, max_players), **settings})
    parts = list(PARTS) if only is None else [part.strip() for part in only.split(",")]
    if unknown := [part for part in parts if part not in PARTS]:
        raise ValueError(f"unknown part {unknown[0]!r}; expected one of: {', '.join(PARTS)}")
    if target is not None:
        if only not in (None, "batch"):
            raise ValueError(f"--only must be 'batch' on {device!r}, got {only!r}")
        parts = ["cuda"]
    elif compile:
        parts.append("compile")
    test = SpeedTest(table, runs, seconds, seed)
    with progress("measuring") as report:
        for i, part in enumerate(parts):
            report(i, len(parts) + 1)
            getattr(test, part)()
        total = signatures.signature(game, table.ruleset).total
    result = {
        "machine": machine(), "versions": versions(), "code": code_of(spec.kernels.run), "game": game,
        "players": table.num_players, "options": settings, "bytes_per_game": spec.dtype.itemsize,
        "measured": test.rows, "signature": total,
    }  # fmt: skip
    if json:
        print_json(result)
    else:
        _print(result)


def _print(result: dict[str, Any]) -> None:
    from rich.table import Table

    machine = result["machine"]
    echo(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}")
    echo(", ".join(f"{name} {number}" for name, number in result["versions"].items()))
    echo(f"kernels: {result['code']}")
    table = Table(title=f"random play, {result['players']} players, medians; {result['bytes_per_game']} bytes a game")
    for name in ("measurement", "median", "unit", "range"):
        table.add_column(name, justify="left" if name in ("measurement", "unit") else "right")
    for row in result["measured"]:
        minimum, median, maximum = (f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
                               for value in (min(row["runs"]), row["median"], max(row["runs"])))  # fmt: skip
        table.add_row(row["name"], median, row["unit"], f"{minimum} to {maximum}" if len(row["runs"]) > 1 else "")
    console().print(table)
    echo(f"Signature: {result['signature']}")
