"""Rules broken in turn in a copy of the project, to see that their tests fail: what `breaks` of several games share."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import vitienv

ROOT = Path(vitienv.__file__).resolve().parents[1]
PARTS = ("vitienv", "agents", "training", "tests")


@dataclass(frozen=True)
class Breaks:
    """pieces: by rule, the file below `sources`, a piece of it that stands there once, and what takes its place.

    tests: by rule, names of tests as "file.test", in `folder`/test_file.py. seconds: after which tests that do not end
    count as failed. may_be_refused: whether a break may be of data that are refused before any test is run.
    """

    pieces: Mapping[str, tuple[str, str, str]]
    tests: Mapping[str, Sequence[str]]
    sources: str
    folder: str
    seconds: int = 300
    may_be_refused: bool = False

    def problem(self, rule: str, root: Path = ROOT) -> str:
        """Why a break cannot be made: its piece does not stand once in its file; "" if it can."""
        name, piece, _ = self.pieces[rule]
        n = (root / self.sources / name).read_text(encoding="utf-8").count(piece)
        return "" if n == 1 else f"{piece!r} stands {n} times in {name}"

    def broken(self, rule: str, root: Path) -> str:
        """Why the break of a rule in a copy of the project says nothing, its tests pass for instance; "" if they fail.

        Rules are interpreted there, so that nothing is compiled.
        """
        if told := self.problem(rule, root):
            return told
        name, piece, other = self.pieces[rule]
        path = root / self.sources / name
        source = path.read_text(encoding="utf-8")
        tests = ["{}/test_{}.py::test_{}".format(self.folder, *test.split(".")) for test in self.tests[rule]]
        path.write_text(source.replace(piece, other), encoding="utf-8")
        settings = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
        try:
            done = subprocess.run(
                command, cwd=root, env=settings, capture_output=True, text=True, timeout=self.seconds
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return ""
        finally:
            path.write_text(source, encoding="utf-8")
        if done.returncode == 0:
            return "its tests pass"
        is_refused = self.may_be_refused and "ValueError" in done.stdout
        return "" if done.returncode == 1 or is_refused else f"its tests did not run: {done.stdout[-300:]}"

    def main(self, rules: Sequence[str]) -> int:
        """Break these rules, by default all. 1 if a break goes unnoticed."""
        unnoticed = 0
        with tempfile.TemporaryDirectory() as made:
            root = Path(made)
            for part in PARTS:
                shutil.copytree(ROOT / part, root / part, symlinks=True)
            for rule in rules or list(self.pieces):
                told = self.broken(rule, root)
                unnoticed += bool(told)
                print(f"{rule}: {told or 'noticed'}", flush=True)
        return 1 if unnoticed else 0
