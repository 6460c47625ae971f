import csv
import subprocess
import sys
from pathlib import Path

RULES = """
def jit(function):
    return function

@jit
def is_full(n):
    if n > 3:
        return True
    return False

def unmarked(n):
    return n < 3
"""
TESTS = """
from toy.rules import is_full

def test_limit():
    assert is_full(5) and not is_full(3)
"""
MAIN = """
import sys
sys.path.append({!r})
from tests.mutation.__main__ import main
sys.exit(main(["--sample=0"], {{"toy": ("toy", "test_toy.py")}}))
"""


def test_killed_and_surviving_mutants(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "rules.py").write_text(RULES, encoding="utf-8")
    (tmp_path / "test_toy.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "main.py").write_text(MAIN.format(f"{Path(__file__).parents[2]}"), encoding="utf-8")
    for _ in range(2):  # the second run resumes
        run = subprocess.run([sys.executable, "main.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert run.returncode == 1, run.stdout + run.stderr
        assert run.stdout.splitlines()[-1] == "5 killed, 1 survived"
    with (tmp_path / "build" / "mutation.csv").open(encoding="utf-8", newline="") as lines:
        verdicts = {row["mutation"]: row["verdict"] for row in csv.DictReader(lines)}
    assert verdicts["n > 3 -> n >= 3"] == "killed"
    assert [mutation for mutation, verdict in verdicts.items() if verdict == "survived"] == ["3 -> 4"]
