"""vitienv bench verify: measure again what README and docs publish, and say what holds."""

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

from vitienv.console import BACKEND, JSON, PROCESSES, counted, echo, print_json

if TYPE_CHECKING:
    from vitienv.training.evaluation.published import Measured

PLAYED = "evaluate", "tournament"  # commands that take --processes and --backend
BUSY = 0.5  # of the cores: above that a speed says more about what else is running


def command(
    quick: bool = typer.Option(False, "--quick", help="A tenth of the games, on other seeds."),
    full: bool = typer.Option(False, "--full", help="All games, on the published seeds: hours."),
    list_: bool = typer.Option(False, "--list", help="List the published figures, those of --only, and stop."),
    only: str = typer.Option("", metavar="PATTERN", help="Figures whose kind or name this regular expression finds."),
    resume_file: Path = typer.Option(
        None, help="File of the figures measured so far, by default in runs/; the same command measures the others."
    ),
    out: Path = typer.Option(None, help="Write a report too, a page of Markdown."),
    update: bool = typer.Option(False, "--update", help="With --full: publish the measured figures, in the sources."),
    processes: int = PROCESSES,
    backend: str = BACKEND,
    json: bool = JSON,
) -> int:
    """Measure again every figure that README and docs publish: strength, speed, and what the engine is.

    Each is told to hold or to differ, by its interval and the published one, corrected for how many are asked. The
    status is 1 if one differs.
    """
    from vitienv.core.files import check_writable, versions
    from vitienv.training.evaluation import published
    from vitienv.training.evaluation.csv_log import open_parts

    if list_:
        show_list(only, json)
        return 0
    if quick == full:
        raise ValueError("say --quick (a tenth of the games), --full or --list")
    if update and not full:
        raise ValueError("--update publishes the measured figures, so it needs --full")
    for path in (out, published.FILE if update else None):
        if path is not None:
            check_writable(path)
    size = "quick" if quick else "full"
    figures = published.select_figures(only)
    resume_file = resume_file or Path("runs") / f"verify-{size}.jsonl"
    resume_file.parent.mkdir(parents=True, exist_ok=True)
    lines = {figure: published.quick(figure.command) if quick else figure.command for figure in figures}
    left_out: dict[str, str] = {}  # commands, and why
    with open_parts(resume_file, {"size": size, "versions": versions(), "commit": commit()}) as kept:
        there = dict(restored(resume_file, part) for part in kept.parts)
        for figure, line in lines.items():
            if (line, figure.pick) in there or line in left_out:
                continue
            if why := not_here(figure.kind):
                left_out[line] = why
                continue
            echo(f"vitienv: verify: {line}", err=True)
            found = measured(line, processes, backend)
            for pick in dict.fromkeys(other.pick for other in figures if lines[other] == line):
                one = there[line, pick] = published.pick_value(found, pick)
                kept.add([line, pick, *asdict(one).values()])
    pairs = {figure: there[line, figure.pick] for figure, line in lines.items() if line not in left_out}
    verdicts = dict(zip(pairs, published.verdicts(list(pairs.items())), strict=True))
    rows = [
        {"figure": figure, "measured": pairs.get(figure), "verdict": verdicts.get(figure, published.SKIPPED),
         "why": left_out.get(line, "")}
        for figure, line in lines.items()
    ]  # fmt: skip
    resume_file.unlink()
    if update:
        publish(rows)
    if out is not None:
        out.write_text(page(rows, size, only), encoding="utf-8")
    show(rows, size, json)
    return int(any(one["verdict"] == published.DIFFERS for one in rows))


def restored(file: Path, part: list[Any]) -> tuple[tuple[str, str], Measured]:
    """The command, the place in its JSON and the figure of a part in a file; ValueError if it is damaged."""
    from vitienv.training.evaluation.published import Measured
    from vitienv.training.schema import structured

    names = ["line", "pick", *(field.name for field in fields(Measured))]
    try:
        values = dict(zip(names, part, strict=True))
        place = str(values.pop("line")), str(values.pop("pick"))
        return place, structured(Measured, values, "figure")
    except ValueError as error:
        raise ValueError(f"{str(file)!r} is damaged: {error}") from None


def show_list(only: str, json: bool) -> None:
    """Print the published figures with the names that --only searches."""
    from vitienv.training.evaluation.published import select_figures

    figures = {figure.label: figure.text for figure in select_figures(only)}
    if json:
        print_json([{"name": name, "published": value} for name, value in figures.items()])
        return
    for name, value in figures.items():
        echo(f"{name}: {value}")


def commit() -> str:
    """The commit of the sources, with a + if they were changed since; "" where they are none of git's."""
    done = subprocess.run(
        ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=+"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stdout.strip()


def not_here(kind: str) -> str:
    """Why a figure is not measured here; "" if it is. None needs a GPU: networks play on the processor."""
    if kind == "speed" and hasattr(os, "getloadavg"):
        load, cores = os.getloadavg()[0], os.cpu_count() or 1
        return f"the machine is busy (load {load:.1f} on {counted(cores, 'core')})" if load > BUSY * cores else ""
    return ""


def measured(line: str, processes: int, backend: str, where: Path | None = None) -> Any:
    """What a command prints as JSON. where: the folder it runs in; for None a new one, as what it leaves behind is not
    wanted. ValueError, in one line, if it fails."""
    _, name, *words = shlex.split(line)
    option_values = [
        *words,
        "--json",
        *(["--processes", str(processes), "--backend", backend] if name in PLAYED else []),
    ]
    with tempfile.TemporaryDirectory() as folder:
        own = [sys.executable, "-m", "vitienv.cli", name, *option_values]
        done = subprocess.run(own, cwd=where or folder, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{line!r} ended with status {done.returncode}; the same command goes on with the others")
    return json_.loads(done.stdout)


def publish(rows: list[dict[str, Any]]) -> None:
    """Put what was measured in the place of what was published."""
    from vitienv.core.files import machine
    from vitienv.training.evaluation import published

    about, new = machine(), {}
    when = {"date": time.strftime("%Y-%m-%d"), "commit": commit()}
    here = f"{about['processor']}, {counted(about['cores'], 'core')}"
    for one in rows:
        if one["measured"]:
            where = here if one["figure"].kind == "speed" else ""
            new[one["figure"]] = replace(one["figure"], **asdict(one["measured"]), **when, machine=where)
    published.write([new.get(figure, figure) for figure in published.read()])


def cells(one: dict[str, Any]) -> list[str]:
    """A row of the report."""
    from vitienv.training.evaluation.published import format_value

    figure, found = one["figure"], one["measured"]
    now = "" if found is None else format_value(found.value, found.low, found.high, figure.unit)
    games = "" if found is None or found.games is None else f"{found.games:,}"
    return [figure.name, figure.text, now, games, f"{one['verdict']}: {one['why']}" if one["why"] else one["verdict"]]


HEADS = ["figure", "published", "measured now", "games", "verdict"]


def summary(rows: list[dict[str, Any]]) -> str:
    """How many hold, in a sentence."""
    counts = Counter(one["verdict"] for one in rows)
    same = sum(one["measured"] is not None and one["measured"].value == one["figure"].value for one in rows)
    verdicts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
    return f"{counted(len(rows), 'figure')}: {verdicts}; {same} came out the same to the last digit."


def page(rows: list[dict[str, Any]], size: str, only: str) -> str:
    """The report."""
    from vitienv.core.files import machine, versions
    from vitienv.core.text_utils import markdown
    from vitienv.training.evaluation.published import SLOWER

    about, asked = machine(), f"vitienv bench verify --{size}" + (f" --only {shlex.quote(only)}" if only else "")
    made = ", ".join(f"{name} {number}" for name, number in versions().items())
    return "\n\n".join([
        f"# Published figures, measured again ({size})",
        f"*{time.strftime('%Y-%m-%d')}, version {versions()['vitienv']}.* {summary(rows)}",
        f"```sh\n{asked}\n```",
        "Strength is compared by both 95 % intervals, with Holm's correction for the number of figures: where all "
        "hold, 5 % of such reports name one that differs. A speed may be better, or worse by "
        f"{100 * SLOWER:.0f} %. What else there is must be the same. "
        + ("A tenth of the games, on other seeds." if size == "quick" else "All games, on the published seeds."),
        markdown(HEADS, [cells(one) for one in rows]),
        f"Commit {commit() or 'unknown'}; {about['processor']}, {counted(about['cores'], 'core')}. Versions: {made}.",
    ]) + "\n"  # fmt: skip


def show(rows: list[dict[str, Any]], size: str, json: bool) -> None:
    """On the screen, or as JSON."""
    if json:
        figures = [
            {"name": one["figure"].name, **{key: one[key] for key in ("verdict", "why")},
             "published": asdict(one["figure"]), "measured": one["measured"] and asdict(one["measured"])}
            for one in rows
        ]  # fmt: skip
        print_json({"size": size, "figures": figures})
        return
    for one in rows:
        name, published, now, _, verdict = cells(one)
        echo(f"{verdict}: {name}: {published}" + (f"; now {now}" if now else ""))
    echo(summary(rows))
