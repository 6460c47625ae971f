"""The compiler of the bots of Viticulture, which keeps their code."""

from pathlib import Path

from vitienv.agents.kernel_cache import compiler
from vitienv.viticulture.kernel import KERNELS

HERE = Path(__file__).resolve().parent
# Sources without compiled code: what a strategy weighs is data, and another weight needs no new compilation.
DATA = ("heuristic", "cellar", "visitors", "weights")

cached = compiler(KERNELS, HERE, DATA)
