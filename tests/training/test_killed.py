"""SIGKILL at random moments: a resumed run loses no more than the last interval, and does nothing twice.

`make test-kill` kills each work fifty times. The writes of all commands are interrupted by `test_full_disk.py`.
"""

import multiprocessing
import os
import random
import signal
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt" or not hasattr(signal, "SIGKILL"), reason="sends SIGKILL")
NUM_KILLS = 2
MAX_SECONDS = 600  # maximum duration of a work on a busy machine


@pytest.fixture(scope="module")
def fork():
    """Function that starts a process of `kill_points.run_work`, forked from one with all modules and kernels."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.training.kill_points"])
    from tests.training import kill_points

    def start(name, folder):
        folder.mkdir(exist_ok=True)
        process = context.Process(target=kill_points.run_work, args=(name, str(folder)))
        process.start()
        return process

    return start


def run_undisturbed(fork, work, name, folder) -> float:
    """Complete the work without kills; return its duration in seconds."""
    start = time.monotonic()
    process = fork(name, folder)
    process.join(MAX_SECONDS)
    assert process.exitcode == 0
    duration = time.monotonic() - start
    work.check(folder)
    return duration


def kill_often(fork, name, folder, num_kills):
    """Kill a work at random moments; a completed one is checked and started again in another directory."""
    from tests.training import kill_points

    work, rng = kill_points.WORKS[name], random.Random(f"{name} {num_kills}")
    duration = run_undisturbed(fork, work, name, folder / "whole")
    expected, kills, number, was_killed = work.result(folder / "whole"), 0, 0, False
    while kills < num_kills or was_killed:
        part, start = folder / str(number), time.monotonic()
        process = fork(name, part)
        process.join(rng.uniform(0, duration * 0.6) if kills < num_kills else MAX_SECONDS)
        if process.exitcode is None:
            process.kill()
            process.join()
            kills, was_killed = kills + 1, True
            work.check(part)
            continue
        assert process.exitcode == 0
        if not was_killed:
            duration = min(duration, time.monotonic() - start)  # the first process loads more
        work.check(part)
        assert work.result(part) == expected
        number, was_killed = number + 1, False


@pytest.mark.parametrize("num_kills", [NUM_KILLS, pytest.param(50, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["tournament", "selfplay", "ladder"])
def test_killed_work_is_resumed(fork, tmp_path, name, num_kills):
    kill_often(fork, name, tmp_path, num_kills)
