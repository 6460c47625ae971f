"""What runs the loops of games: this machine, unless another target is used; the modules here are for others."""

from collections.abc import Callable
from typing import Any

Target = Callable[[Any], Any]  # from the definition of a game to its loops, `core.kernel.Kernels`


def native(definition: Any) -> Any:
    """The loops as `core.jit` made them: compiled, or interpreted where there is no Numba."""
    return definition.kernels


_used: Target = native


def use(target: Target) -> None:
    """Batches made from now on run their loops there."""
    global _used
    _used = target


def loops_of(definition: Any) -> Any:
    """The loops of a game where they run now."""
    return _used(definition)
