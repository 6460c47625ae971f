"""`python -m tests.mutation`: run the rule tests on mutants of the rules, and list those that no test kills."""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections import Counter
from pathlib import Path

# Directory of the rules, and its quick reference tests.
GAMES = {
    "viticulture": ("vitienv/viticulture", "tests/rules tests/cards tests/solo tests/original"),
    "toscana": ("vitienv/toscana", "tests/toscana/test_cases.py tests/toscana/test_setup.py "
                "tests/toscana/test_determinize.py"),
    "world": ("vitienv/world", "tests/world/test_cases.py tests/world/test_setup.py "
              "tests/world/test_alone.py tests/world/reference"),
}  # fmt: skip
EQUIVALENT = Path(__file__).with_name("equivalent.csv")  # known survivors: function, mutation, reason
PYTEST_ARGUMENTS = ("-qs", "--no-summary", "-p", "no:cacheprovider")
COLUMNS = ("game", "function", "mutation", "digest", "verdict", "test", "tests", "seconds")


def options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--game", action="append", help="Game whose rules are mutated; may be repeated.")
    parser.add_argument("--jobs", type=int, default=1, help="Number of processes.")
    parser.add_argument("--sample", type=int, default=250, help="Number of mutants of all games, 0 for all.")
    parser.add_argument("--seed", type=int, default=1, help="Seed of the sample.")
    parser.add_argument("--seconds", type=float, default=20, help="Processor time for the tests of a mutant.")
    parser.add_argument(
        "--output", type=Path, default=Path("build/mutation.csv"), help="CSV file; a rerun resumes from it."
    )
    return parser.parse_args(arguments)


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def main(arguments: list[str] | None = None, games: dict[str, tuple[str, str]] = GAMES) -> int:
    """Return 1 if a mutant survives that is not a known equivalent, else 0."""
    settings = options(arguments)
    # Before Numba and the libraries of linear algebra are imported.
    os.environ |= {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    import pytest

    from tests.mutation.mutants import mutants_of
    from tests.mutation.run import Runner

    sys.path.insert(0, os.getcwd())
    mutants = [(mutant, game) for game in games for mutant in mutants_of(Path.cwd(), games[game][0])]
    sample = sorted(mutants, key=lambda row: row[0].order(settings.seed))[: settings.sample or None]
    results = {(row["function"], row["mutation"], row["digest"]): row["verdict"] for row in read(settings.output)}
    equivalent = {(row["function"], row["mutation"]) for row in read(EQUIVALENT)}
    counts: Counter[str] = Counter()
    settings.output.parent.mkdir(parents=True, exist_ok=True)
    with settings.output.open("a", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
        if not results:
            writer.writeheader()
        for game in settings.game or games:

            def report(mutant, result, game=game):
                verdict, test, num_tests, seconds = result
                if verdict in ("survived", "not reached") and (mutant.function, mutant.mutation) in equivalent:
                    verdict = "equivalent"
                counts[verdict] += 1
                row = game, mutant.function, mutant.mutation, mutant.digest, verdict, test, num_tests, f"{seconds:.1f}"
                writer.writerow(dict(zip(COLUMNS, row)))
                lines.flush()
                print(f"{verdict}: {mutant.function}: {mutant.mutation} {test}", flush=True)

            pending = []
            for mutant, name in sample:
                verdict = results.get((mutant.function, mutant.mutation, mutant.digest))
                if name == game and verdict:
                    counts[verdict] += 1
                elif name == game:
                    pending.append(mutant)
            if pending:
                print(f"{game}: {len(pending)} mutants", flush=True)
                runner = Runner(pending, settings.jobs, settings.seconds, report)
                if code := pytest.main([*PYTEST_ARGUMENTS, *games[game][1].split()], [runner]):
                    return int(code)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if counts["survived"] + counts["not reached"] else 0


if __name__ == "__main__":
    sys.exit(main())
