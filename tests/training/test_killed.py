"""kill -9 at random moments: what is gone on with loses no more than the last interval, and does nothing twice.

`make test-kill` kills each of them fifty times; a few kills are among the usual tests.
"""

import multiprocessing
import os
import random
import signal
import time

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt" or not hasattr(signal, "SIGKILL"), reason="sends SIGKILL")
NAMES = ("tournament", "selfplay", "ppo", "ladder", "campaign")
FEW, MANY = 2, 50
LONGEST = 600  # seconds that an undisturbed piece of work may take on a busy machine


@pytest.fixture(scope="module")
def fork():
    """Makes processes that have everything loaded, and run `killed.do`."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.training.kill_points"])
    from tests.training import kill_points

    def process(name, folder):
        folder.mkdir(exist_ok=True)
        made = context.Process(target=kill_points.do, args=(name, str(folder)))
        made.start()
        return made

    return process


def undisturbed(fork, work, name, folder) -> float:
    """Do it all at once; how long it took."""
    began = time.monotonic()
    whole = fork(name, folder / "whole")
    whole.join(LONGEST)
    assert whole.exitcode == 0
    took = time.monotonic() - began
    work.check(folder / "whole")
    return took


def kill_often(fork, name, folder, n):
    """Kill it n times, at random moments of it; whenever it is done it is looked at and begun anew."""
    from tests.training import kill_points

    work, chance = kill_points.WORKS[name], random.Random(f"{name} {n}")
    took = undisturbed(fork, work, name, folder)
    right, kills, number, at_work = work.result(folder / "whole"), 0, 0, 0
    while kills < n or at_work:
        part, began = folder / str(number), time.monotonic()
        running = fork(name, part)
        # While kills are left, so many that each piece of work meets several of them.
        running.join(chance.uniform(0, took * 0.6) if kills < n else LONGEST)
        if running.exitcode is None:
            running.kill()
            running.join()
            kills, at_work = kills + 1, 1
            work.check(part)
            continue
        assert running.exitcode == 0
        if not at_work:
            took = min(took, time.monotonic() - began)  # the first one had more to load
        work.check(part)
        assert list(work.result(part)) == list(right) if name == "tournament" else work.result(part) == right
        number, at_work = number + 1, 0


@pytest.mark.parametrize("name", NAMES)
def test_a_few_kills(fork, tmp_path, name):
    kill_often(fork, name, tmp_path, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_fifty_kills(fork, tmp_path, name):
    kill_often(fork, name, tmp_path, MANY)
