"""vitienv bench verify: remeasure the published results of README and docs, and compare."""

from __future__ import annotations

import json as json_
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from vitienv.console import BACKEND, JSON, PROCESSES, echo, echo_lines, print_json
from vitienv.core.text_utils import count

if TYPE_CHECKING:
    from vitienv.training.evaluation.published import Measurement

PARALLEL_COMMANDS = "evaluate", "tournament"  # commands with --processes and --backend
MAX_LOAD_PER_CORE = 0.5  # above it, speeds depend on the other processes


def command(
    quick: bool = typer.Option(False, "--quick", help="Play a tenth of the games, on other seeds."),
    full: bool = typer.Option(False, "--full", help="Play all games on the published seeds. Takes hours."),
    list_: bool = typer.Option(False, "--list", help="List the published results that match --only and exit."),
    only: str = typer.Option("", metavar="PATTERN", help="Regular expression of results to measure, by kind or name."),
    resume_file: Path = typer.Option(
        None, help="File of the results measured so far, by default in runs/; the same command resumes from it."
    ),
    update: bool = typer.Option(False, "--update", help="With --full: store the measured results in the sources."),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> int:
    """Remeasure every published result of README and docs, and print a report in Markdown.

    Results are compared by their confidence intervals, corrected for the number of comparisons. Exits with status 1 if
    one differs.
    """
    from vitienv.core.files import check_writable, versions
    from vitienv.training.evaluation import published
    from vitienv.training.evaluation.csv_log import open_parts

    if list_:
        texts = {figure.label: figure.text for figure in published.select_results(only)}
        if json:
            print_json([{"name": name, "published": text} for name, text in texts.items()])
        else:
            echo_lines("\n".join(f"{name}: {text}" for name, text in texts.items()))
        return 0
    if quick == full:
        raise ValueError("exactly one of --quick, --full and --list is required")
    if update and not full:
        raise ValueError("--update requires --full")
    if update:
        check_writable(published.FILE)
    size = "quick" if quick else "full"
    figures = published.select_results(only)
    resume_file = resume_file or Path("runs") / f"verify-{size}.jsonl"
    resume_file.parent.mkdir(parents=True, exist_ok=True)
    lines = {figure: published.quick(figure.command) if quick else figure.command for figure in figures}
    skipped: dict[str, str] = {}  # reasons by command
    with open_parts(resume_file, {"size": size, "versions": versions(), "commit": commit()}) as saved_parts:
        results = dict(restored(resume_file, part) for part in saved_parts.parts)
        for figure, line in lines.items():
            if (line, figure.pick) in results or line in skipped:
                continue
            if reason := skip_reason(figure.kind):
                skipped[line] = reason
                continue
            echo(f"vitienv: verify: {line}", err=True)
            output = run_command(line, processes, backend)
            for pick in dict.fromkeys(other.pick for other in figures if lines[other] == line):
                result = results[line, pick] = published.pick_value(output, pick)
                saved_parts.add([line, pick, *asdict(result).values()])
    pairs = {figure: results[line, figure.pick] for figure, line in lines.items() if line not in skipped}
    verdicts = dict(zip(pairs, published.verdicts(list(pairs.items())), strict=True))
    rows: list[dict[str, Any]] = [
        {"figure": figure, "measured": pairs.get(figure), "verdict": verdicts.get(figure, published.SKIPPED),
         "why": skipped.get(line, "")}
        for figure, line in lines.items()
    ]  # fmt: skip
    resume_file.unlink()
    if update:
        publish(rows)
    if json:
        summaries = [
            {"name": row["figure"].name, **{key: row[key] for key in ("verdict", "why")},
             "published": asdict(row["figure"]), "measured": row["measured"] and asdict(row["measured"])}
            for row in rows
        ]  # fmt: skip
        print_json({"size": size, "figures": summaries})
    else:
        echo_lines(report(rows, size, only))
    return int(any(result["verdict"] == published.DIFFERS for result in rows))


def restored(file: Path, part: list[Any]) -> tuple[tuple[str, str], Measurement]:
    """Return the command, the path in its JSON and the result of a saved part. Raises ValueError if it is damaged."""
    from vitienv.training.evaluation.published import Measurement
    from vitienv.training.json_dataclasses import structured

    names = ["line", "pick", *(field.name for field in fields(Measurement))]
    try:
        values = dict(zip(names, part, strict=True))
        place = str(values.pop("line")), str(values.pop("pick"))
        return place, structured(Measurement, values, "figure")
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def commit() -> str:
    """Return the commit of the sources, with a + for uncommitted changes; "" outside of a Git repository."""
    process = subprocess.run(
        ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=+"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return process.stdout.strip()


def skip_reason(kind: str) -> str:
    """Return the reason for skipping a result on this machine; "" if it can be measured."""
    if kind == "speed" and hasattr(os, "getloadavg"):
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        if load > MAX_LOAD_PER_CORE * cores:
            return f"the machine is busy (load {load:.1f} on {count(cores, 'core')})"
    return ""


def run_command(line: str, processes: int, backend: str, directory: Path | None = None) -> Any:
    """Return the JSON output of a command that runs in a directory, by default a temporary one.

    Raises ValueError if it fails.
    """
    _, name, *words = shlex.split(line)
    words += ["--processes", str(processes), "--backend", backend] if name in PARALLEL_COMMANDS else []
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "vitienv.cli", name, *words, "--json"]
        process = subprocess.run(command, cwd=directory or folder, stdout=subprocess.PIPE, text=True, check=False)
    if process.returncode:
        raise ValueError(f"{line!r} failed with status {process.returncode}; the same command resumes")
    return json_.loads(process.stdout)


def publish(rows: list[dict[str, Any]]) -> None:
    """Replace the published results by the measured ones."""
    from vitienv.core.files import machine
    from vitienv.training.evaluation import published

    machine_info, new = machine(), {}
    stamp = {"date": time.strftime("%Y-%m-%d"), "commit": commit()}
    processor = f"{machine_info['processor']}, {count(machine_info['cores'], 'core')}"
    for row in rows:
        if row["measured"]:
            machine_name = processor if row["figure"].kind == "speed" else ""
            new[row["figure"]] = replace(row["figure"], **asdict(row["measured"]), **stamp, machine=machine_name)
    published.write([new.get(figure, figure) for figure in published.read()])


def report(rows: list[dict[str, Any]], size: str, only: str) -> str:
    """Return the verdicts in Markdown."""
    from vitienv.core.files import machine, versions
    from vitienv.core.text_utils import markdown
    from vitienv.training.evaluation.published import SPEED_TOLERANCE, format_value

    cells = []
    for row in rows:
        figure, result = row["figure"], row["measured"]
        value = "" if result is None else format_value(result.value, result.low, result.high, figure.unit)
        games = "" if result is None or result.games is None else f"{result.games:,}"
        verdict = f"{row['verdict']}: {row['why']}" if row["why"] else row["verdict"]
        cells.append([figure.name, figure.text, value, games, verdict])
    counts = Counter(row["verdict"] for row in rows)
    num_identical = sum(row["measured"] is not None and row["measured"].value == row["figure"].value for row in rows)
    verdicts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
    machine_info, pattern = machine(), f" --only {shlex.quote(only)}" if only else ""
    processor = f"{machine_info['processor']}, {count(machine_info['cores'], 'core')}"
    version_list = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n\n".join([
        f"# Published results, remeasured ({size})",
        f"*{time.strftime('%Y-%m-%d')}, version {versions()['vitienv']}.* {count(len(rows), 'result')}: {verdicts}; "
        f"{num_identical} identical.",
        f"```sh\nvitienv bench verify --{size}{pattern}\n```",
        "Strength is compared by both 95 % confidence intervals with Holm's correction: if all results hold, 5 % of "
        f"such reports still contain one that differs. A speed may be at most {100 * SPEED_TOLERANCE:.0f} % slower. "
        "All other results must be identical. "
        + ("A tenth of the games, on other seeds." if size == "quick" else "All games, on the published seeds."),
        markdown(["result", "published", "measured", "games", "verdict"], cells),
        f"Commit {commit() or 'unknown'}; {processor}. Versions: {version_list}.",
    ])  # fmt: skip
