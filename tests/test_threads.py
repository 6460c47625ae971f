"""Bots and workers use one thread of every numerical library, on any number of cores."""

import json
import os
import signal
import subprocess
import sys

import pytest
from threadpoolctl import ThreadpoolController

from vitienv import threads

WITHOUT_VARIABLES = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES}
ASK = "import json; from tests.test_threads import pools; print(json.dumps(pools()))"


def pools(_: int = 0) -> dict[str, int]:
    import numba
    import pyarrow
    import torch

    sizes = {f"{pool['internal_api']} {os.path.basename(pool['filepath'])}": pool["num_threads"]
             for pool in ThreadpoolController().info()}  # fmt: skip
    return sizes | {
        "torch": torch.get_num_threads(), "arrow": pyarrow.cpu_count(), "arrow_io": pyarrow.io_thread_count(),
        "numba": numba.config.NUMBA_NUM_THREADS,
    }  # fmt: skip


def output_of(code: str, **environment: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-c", code], env=WITHOUT_VARIABLES | environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_workers_use_one_thread():
    code = (
        "import json\nfrom tests.test_threads import pools\nfrom vitienv.training.workers import run_all\n"
        "if __name__ == '__main__':\n    print(json.dumps(list(run_all(pools, [(0,), (1,)], 2))[0]))"
    )
    sizes = output_of(f"import vitienv\n{code}")
    assert len(sizes) >= 5 and set(sizes.values()) == {1}


@pytest.mark.parametrize("first", ["", "import numpy, torch, pyarrow; "])
def test_commands_use_one_thread_in_any_import_order(first):
    sizes = output_of(f"{first}from vitienv import threads; threads.limit_threads(); {ASK}", OMP_NUM_THREADS="2")
    assert len(sizes) >= 5 and set(sizes.values()) == {1}


def test_the_command_line_limits_threads(monkeypatch):
    from vitienv import cli

    calls = []
    monkeypatch.setattr(threads, "limit_threads", lambda: calls.append(1))
    monkeypatch.setattr(sys, "argv", ["vitienv", "--version"])
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as end:
        cli.main()
    signal.signal(signal.SIGTERM, before)
    assert end.value.code == 0 and calls == [1]


def test_zip_bot_uses_one_torch_thread(monkeypatch):
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with threads.one_torch_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


@pytest.mark.parametrize("num_threads, omp, expected", [(3, "5", 3), (None, "5", 5), (None, "", 0), (None, "4,2", 0)])
def test_threads_of_the_learner(monkeypatch, num_threads, omp, expected):
    monkeypatch.setattr(threads, "OMP_THREADS", omp)
    assert threads.learner_threads(num_threads) == (expected or threads.cores())
