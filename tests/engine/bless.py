"""Regenerate a golden game and print its changes: `python -m tests.engine.bless NAME`, then read `git diff`."""

import difflib
import sys

from tests.engine.playthrough import GAMES, path_of, playthrough


def bless(names: list[str]) -> int:
    """Write one golden game and return 0, or return 2 for an unknown name. Games are blessed one at a time."""
    if len(names) != 1 or names[0] not in GAMES:
        print(f"expected one of: {', '.join(GAMES)}; got {' '.join(names) or 'none'}", file=sys.stderr)
        return 2
    path, text = path_of(names[0]), playthrough(names[0])
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(text, encoding="utf-8")
    difference = list(difflib.unified_diff(old.splitlines(), text.splitlines(), n=0, lineterm=""))
    changed = [line for line in difference[2:] if line[0] in "+-"]  # without the header
    print("\n".join(changed) or "nothing changed")
    new, removed = (sum(line[0] == sign for line in changed) for sign in "+-")
    if changed:
        print(f"{path.name}: {lines(new)} added, {lines(removed)} removed")
    return 0


def lines(n: int) -> str:
    return f"{n} line" if n == 1 else f"{n} lines"


if __name__ == "__main__":
    sys.exit(bless(sys.argv[1:]))
