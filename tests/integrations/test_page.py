"""Examples of docs/integrations.md that need another library."""

import re
import subprocess
import sys

import pytest

from ..test_examples import PAGES, blocks, shorten

PAGE = PAGES["integrations"]
LABELLED = re.findall(r"```(python \w+)\n", PAGE)
EXAMPLES = [(kind, shorten(code)) for kind in dict.fromkeys(LABELLED) for code in blocks(kind, PAGE)]


def test_libraries_have_examples():
    libraries = {"torchrl", "tianshou", "rllib", "supersuit", "openspiel", "openenv"}
    assert {kind.split()[1] for kind, _ in EXAMPLES} == libraries
    assert len(EXAMPLES) == len(LABELLED) == 9


@pytest.mark.parametrize(("kind", "code"), EXAMPLES, ids=[kind for kind, _ in EXAMPLES])
def test_documented_code_runs(kind, code, tmp_path):
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, f"{code}\n{done.stderr}"
    assert done.stdout.strip()
