"""Bots and workers take one thread of every numerical library, however many cores there are."""

import json
import os
import signal
import subprocess
import sys

import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

from vitienv import threads

NOBODY_SAID = {name: value for name, value in os.environ.items() if name not in threads.VARIABLES}
ASK = "import json; from tests.test_threads import pools; print(json.dumps(pools()))"


def pools(_: int = 0) -> dict[str, int]:
    """The sizes of all pools of this process, torch, Arrow and Numba among them."""
    import numba
    import pyarrow
    import torch

    found = {f"{pool['internal_api']} {os.path.basename(pool['filepath'])}": pool["num_threads"]
             for pool in ThreadpoolController().info()}  # fmt: skip
    return found | {
        "torch": torch.get_num_threads(), "arrow": pyarrow.cpu_count(), "arrow_io": pyarrow.io_thread_count(),
        "numba": numba.config.NUMBA_NUM_THREADS,
    }  # fmt: skip


def asked(code: str, **environment: str) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, "-c", code], env=NOBODY_SAID | environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout.splitlines()[-1])


def test_workers_take_one_thread():
    code = (
        "import json\nfrom tests.test_threads import pools\nfrom vitienv.training.workers import run_all\n"
        "if __name__ == '__main__':\n    print(json.dumps(list(run_all(pools, [(0,), (1,)], 2))[0]))"
    )
    found = asked(f"import vitienv\n{code}")
    assert len(found) >= 5 and set(found.values()) == {1}


@pytest.mark.parametrize("first", ["", "import numpy, torch, pyarrow; "])
def test_a_command_takes_one_thread_whatever_is_loaded_first(first):
    found = asked(f"{first}from vitienv import threads; threads.limit_threads(); {ASK}", OMP_NUM_THREADS="2")
    assert len(found) >= 5 and set(found.values()) == {1}


def test_the_command_line_limits_threads(monkeypatch):
    from vitienv import cli

    said = []
    monkeypatch.setattr(threads, "limit_threads", lambda: said.append(1))
    monkeypatch.setattr(sys, "argv", ["vitienv", "--version"])
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as end:
        cli.main()
    signal.signal(signal.SIGTERM, before)
    assert end.value.code == 0 and said == [1]


def test_a_bot_thinks_in_one_thread_and_leaves_the_process_as_it_was(monkeypatch):
    monkeypatch.setattr(threads, "_is_limited", False)

    def pools():
        return {pool["num_threads"] for pool in ThreadpoolController().select(user_api="blas").info()}

    with threadpool_limits(2, "blas"):
        assert threads.one_thread(pools)() == {1} and pools() == {2}


def test_a_zip_thinks_in_one_thread_of_torch(monkeypatch):
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    with threads.one_torch_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == 2
    torch.set_num_threads(before)


@pytest.mark.parametrize("given, omp, wanted", [(3, "5", 3), (None, "5", 5), (None, "", 0), (None, "4,2", 0)])
def test_the_learner_takes_what_it_is_given_or_every_core(monkeypatch, given, omp, wanted):
    monkeypatch.setattr(threads, "OMP_THREADS", omp)
    assert threads.of_learner(given) == (wanted or threads.cores())
