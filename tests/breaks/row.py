"""What a row is, and all rows by system."""

from __future__ import annotations

import ast
import hashlib
import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RUNNER = {"__init__", "__main__", "row", "run"}
EQUAL = "equal program: "


class Row(NamedTuple):
    """rule: the rule's place, once in its system. file: from the root of the project, with `old` once in it.

    tests: "folder/file word word", the tests of tests/folder/test_file.py whose names have all the words; several are
    separated by "; ". note: empty, or "equal program: " and why no test can notice.
    """

    rule: str
    file: str
    old: str
    new: str
    tests: str
    note: str = ""

    def digest(self) -> str:
        """Another one as soon as anything that decides about the result is another."""
        return hashlib.sha256(repr(self[1:5]).encode()).hexdigest()[:12]

    def problem(self, root: Path = ROOT) -> str:
        """Why the rule cannot be broken so, or why that would change nothing; "" if it can."""
        source = read(root / self.file)
        if (n := source.count(self.old)) != 1:
            return f"{self.rule}: {self.old!r} stands {n} times in {self.file}"
        if bare(self.old) == bare(self.new):
            return f"{self.rule}: {self.new!r} says the same as {self.old!r} in {self.file}"
        check(self.file, source.replace(self.old, self.new))
        for path, _ in self.wanted(root):
            if not path.is_file():
                return f"{self.rule}: there is no {path}"
        return "" if self.note == "" or self.note.startswith(EQUAL) else f"{self.rule}: the note {self.note!r}"

    def wanted(self, root: Path = ROOT) -> list[tuple[Path, list[str]]]:
        """The files of its tests, each with the words of the tests' names."""
        files = []
        for reference in self.tests.split("; "):
            name, *words = reference.split()
            path = root / "tests" / f"{name}.py"
            files.append((path.with_name(f"test_{path.name}"), words))
        return files


@cache
def read(path: Path) -> str:
    """A source."""
    return path.read_text(encoding="utf-8")


def bare(text: str) -> str:
    """A piece of a source without comments and spaces."""
    return re.sub(r"#.*|\s", "", text)


def check(file: str, source: str) -> None:
    """ValueError or SyntaxError if a source says nothing."""
    if file.endswith(".toml"):
        tomllib.loads(source)
    elif file.endswith(".py"):
        ast.parse(source)


def systems() -> dict[str, list[Row]]:
    """The rows of each module of this folder, by its name."""
    names = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in RUNNER)
    return {name: [Row(*row) for row in import_module(f"tests.breaks.{name}").ROWS] for name in names}
