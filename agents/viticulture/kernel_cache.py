"""Compiler of the kernels of Viticulture's bots."""

from pathlib import Path

from vitienv.agents.kernel_cache import compiler
from vitienv.viticulture.kernel import KERNELS

HERE = Path(__file__).resolve().parent
# Modules without compiled code, whose changes need no compilation.
DATA = ("heuristic", "cellar", "visitors", "weights")

cached = compiler(KERNELS, HERE, DATA)
