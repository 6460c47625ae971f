"""The examples of docs/integrations.md that need a library of their own run as they stand."""

import re
import subprocess
import sys

import pytest

from ..test_examples import PAGES, blocks

PAGE = PAGES["integrations"]
LABELLED = re.findall(r"```(python \w+)\n", PAGE)
EXAMPLES = [(kind, code) for kind in dict.fromkeys(LABELLED) for code in blocks(kind, PAGE)]


def test_every_library_has_an_example():
    there = {"torchrl", "tianshou", "rllib", "supersuit", "openspiel", "openenv"}
    assert {kind.split()[1] for kind, _ in EXAMPLES} == there
    assert len(EXAMPLES) == len(LABELLED) == 9


@pytest.mark.parametrize(("kind", "code"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_code_that_is_shown_runs(kind, code, tmp_path):
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, f"{code}\n{done.stderr}"
    assert done.stdout.strip()
