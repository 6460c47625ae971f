"""A copy of the project with additions."""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import vitienv
from tests.command import Forked

from .examples import Place

ROOT = Path(vitienv.__file__).resolve().parent.parent
PACKAGES = {"vitienv": "vitienv", "agents": "vitienv/agents", "training": "vitienv/training"}


class Scratch:
    """Copy of the project in `home`. numba: processes that have imported Numba."""

    def __init__(self, home: Path, numba: Forked) -> None:
        self.home, self.numba = home, numba
        for package, place in PACKAGES.items():
            source = ROOT / package
            shutil.copytree(source, home / place, ignore=shutil.ignore_patterns("__pycache__", "agents", "training"),
                            dirs_exist_ok=True)  # fmt: skip

    def add(self, places: Iterable[Place]) -> None:
        """Insert the texts of the places; AssertionError unless an anchor occurs once."""
        for place in places:
            path = self.home / place.file
            if place.copy:
                shutil.copytree(ROOT / place.copy, path, ignore=shutil.ignore_patterns("__pycache__"))
                for file in path.glob("*.py"):  # the package has another name in the copy
                    text = file.read_text(encoding="utf-8").replace("tests.toy", "vitienv.toy")
                    file.write_text(text, encoding="utf-8")
                continue
            if not place.anchor:
                path.parent.mkdir()
                path.write_text(place.text, encoding="utf-8")
                continue
            text = path.read_text(encoding="utf-8")
            num_anchors = text.count(place.anchor)
            assert num_anchors == 1, f"{place.file}: {place.anchor!r} occurs {num_anchors} times"
            new = place.text if place.instead else place.anchor + place.text
            path.write_text(text.replace(place.anchor, new), encoding="utf-8")

    def run(self, program: str) -> subprocess.CompletedProcess[str]:
        """Run a program with the copy, interpreted, as compilation takes longer."""
        return self.numba.run(program, folder=str(self.home))
