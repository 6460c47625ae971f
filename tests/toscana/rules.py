"""The tests of each rule, T1 to T80, and of each example of the rulebook, E1 to E9.

A case names its rule; another test of a rule begins its docstring with it.
"""

import re
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
RULES = [*(f"T{number}" for number in range(1, 81)), *(f"E{number}" for number in range(1, 10))]
TEST = re.compile(r'def (test_\w+)\(.*\):\n    """([TE]\d+)\b')


@cache
def held_by(rule: str) -> tuple[str, ...]:
    """Return each test as its file below tests without `test_`, and words of its name."""
    sources = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.py"))}
    has_cases = any(f'case("{rule}",' in path.read_text(encoding="utf-8") for path in HERE.glob("cases/*.py"))
    tests = [f"toscana/cases [{rule}:"] if has_cases else []
    return (*tests, *(f"toscana/{name.removeprefix('test_')} {test}" for name, source in sources.items()
                      for test, cited in TEST.findall(source) if cited == rule))  # fmt: skip
