"""Compiler and code cache of World's bots."""

from pathlib import Path

from vitienv.agents.kernel_cache import compiler
from vitienv.agents.viticulture.kernel_cache import DATA as VITICULTURE_DATA
from vitienv.agents.viticulture.kernel_cache import HERE as VITICULTURE
from vitienv.world.kernel import default

# Modules without compiled code; see `agents.viticulture.kernel_cache`.
DATA = ("weights", "strategies")

cached = compiler(default().kernels, Path(__file__).resolve().parent, DATA, (VITICULTURE, VITICULTURE_DATA))
