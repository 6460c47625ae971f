"""`python -m tests.breaks`: break rules on purpose and see which breaks no test notices."""

from __future__ import annotations

import argparse
import csv
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.breaks.row import ROOT, Row, systems
from tests.breaks.run import Result, broken, copy_of_project, unbroken

COLUMNS = ("system", "rule", "verdict", "by", "seconds", "commit", "digest")


def options() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.breaks", description=__doc__)
    parser.add_argument("--game", default="", help="rows of systems whose name begins so: " + ", ".join(systems()))
    parser.add_argument("--only", default="", help="rows whose rule this regular expression finds")
    parser.add_argument("--jobs", type=int, default=1, help="how many rows at once (1)")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="a CSV: rows noticed there are left out")
    parser.add_argument("--limit", type=float, default=10, help="seconds of processor time beyond what tests need (10)")
    return parser.parse_args()


def known(file: Path | None) -> dict[tuple[str, str], dict[str, str]]:
    """What a file says of each row."""
    if file is None or not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        return {(line["system"], line["rule"]): line for line in csv.DictReader(lines)}


def write(file: Path, told: dict[tuple[str, str], dict[str, str]], names: list[tuple[str, str]]) -> None:
    """The rows that still exist, in their order, written whole or not at all."""
    beside = file.with_suffix(".part")
    with beside.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(told[name] for name in names if name in told)
    beside.replace(file)


def main() -> int:
    """Tell each row's verdict. 1 if one survived or was wrong."""
    # Before the libraries are loaded; no plugin of pytest is needed.
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    asked = options()
    all_rows = {(system, row.rule): row for system, rows in systems().items() for row in rows}
    results = known(asked.resume)
    commit = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout

    def is_wanted(name: tuple[str, str], row: Row) -> bool:
        if not name[0].startswith(asked.game) or not re.search(asked.only, name[1]):
            return False
        before = results.get(name)
        return before is None or before["digest"] != row.digest() or before["verdict"] not in ("noticed", "equal")

    wanted = {name: row for name, row in all_rows.items() if is_wanted(name, row)}
    names = {row: name for name, row in wanted.items()}
    counts: Counter[str] = Counter()
    print(f"{len(wanted)} of {len(all_rows)} rows", flush=True)
    with tempfile.TemporaryDirectory() as made:
        roots = [copy_of_project(Path(made) / str(i)) for i in range(max(1, asked.jobs))] if wanted else []
        took, wrong = unbroken(list(names), roots, asked.limit) if wanted else ({}, {})
        for row, result in broken(list(names), roots, asked.limit, took, wrong):
            counts[result.verdict] += 1
            tell(names[row], result)
            results[names[row]] = dict(zip(COLUMNS, (*names[row], *result[:2], f"{result.seconds:.1f}",
                                                  commit.strip(), row.digest()), strict=True))  # fmt: skip
            if asked.resume:
                write(asked.resume, results, list(all_rows))
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 1 if counts["survived"] or counts["wrong row"] else 0


def tell(name: tuple[str, str], result: Result) -> None:
    """One line for each row."""
    by = f" by {result.by}" if result.by else ""
    print(f"{name[0]}: {name[1]}: {result.verdict}{by} ({result.seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    sys.exit(main())
