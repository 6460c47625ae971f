"""The C headers of prebuilt kernels: a program without Python plays the same game."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from vitienv.core.batch import Batch
from vitienv.core.compiling import prebuilt
from vitienv.registry import game_spec

PROGRAM = Path(__file__).with_name("random_game.c")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")


@pytest.mark.skipif(prebuilt.level("toscana") is None, reason="no prebuilt kernels (make kernels)")
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("key", [(0, 1), (7, 2**32 - 1)])
def test_a_program_in_c_plays_the_same_game(key, tmp_path):
    library = prebuilt.FOLDER / f"toscana-{prebuilt.level('toscana')}.so"
    program = tmp_path / "random_game"
    subprocess.run(["cc", *FLAGS, f"-I{prebuilt.FOLDER}", PROGRAM, library, "-o", program], check=True)
    done = subprocess.run([program, *map(str, key)], capture_output=True, text=True, check=True)
    batch = Batch(1, game_spec("toscana").options.of(num_players=2))
    batch.start(np.array([key], np.uint32))
    decisions = batch.playout()
    assert done.stdout.split() == [str(decisions), *map(str, batch.scores[0].tolist())]
