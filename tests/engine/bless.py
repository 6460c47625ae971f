"""Writes one golden game anew and shows what changed: `python -m tests.engine.bless NAME`, then read `git diff`."""

import difflib
import sys

from tests.engine.playthrough import GAMES, path_of, playthrough


def bless(names: list[str]) -> int:
    """Write the one game that is named, 0; or nothing, 2. Each is blessed by itself, and its changes are read."""
    if len(names) != 1 or names[0] not in GAMES:
        print(f"give one of {', '.join(GAMES)}, not {' '.join(names) or 'none'}", file=sys.stderr)
        return 2
    path, told = path_of(names[0]), playthrough(names[0])
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(told, encoding="utf-8")
    difference = list(difflib.unified_diff(old.splitlines(), told.splitlines(), n=0, lineterm=""))
    changed = [line for line in difference[2:] if line[0] in "+-"]  # the first two lines name the files
    print("\n".join(changed) or "nothing changed")
    new, gone = (sum(line[0] == sign for line in changed) for sign in "+-")
    if changed:
        print(f"{path.name}: {lines(new)} written anew, {lines(gone)} gone")
    return 0


def lines(n: int) -> str:
    """A number of lines in words."""
    return f"{n} line" if n == 1 else f"{n} lines"


if __name__ == "__main__":
    sys.exit(bless(sys.argv[1:]))
