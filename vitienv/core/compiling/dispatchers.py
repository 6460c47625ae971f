"""Numba's dispatchers of kernels and of rule functions; imported only where Numba compiles.

Numba sees a rule function as a global of its caller. `_type_rule` gives it a dispatcher at that moment, so a process
whose kernels are prebuilt or cached never imports Numba for its rules.
"""

import os
import sys
import warnings
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import types
from numba.extending import typeof_impl

from vitienv.core.compiling.static_checks import RULES

PLAIN = "VITIENV_PLAIN_NUMBA"  # set to 1, it asks for Numba's own pipeline
# Numba's variables that do not change compiled code.
NO_MATTER = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS")


def _warn_of(missing: Exception) -> None:
    """Warn that an internal name of Numba does not exist in the installed version."""
    text = f"Numba {numba.__version__} lacks an inner point, so the first compilation takes longer: {missing}"
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def _pipelines() -> tuple[dict[str, Any], dict[str, Any]]:
    """Options of kernels and of rule functions that choose our pipelines; empty for Numba's own pipeline."""
    if os.environ.get(PLAIN) == "1":
        return {}, {}
    try:
        from vitienv.core.compiling.link import KernelPipeline, RulePipeline
    except (ImportError, AttributeError) as missing:
        _warn_of(missing)
        return {}, {}
    return {"pipeline_class": KernelPipeline}, {"pipeline_class": RulePipeline}


KERNEL_PIPELINE, RULE_PIPELINE = _pipelines()
COMMON: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
OUTER: dict[str, Any] = COMMON | KERNEL_PIPELINE
INNER: dict[str, Any] = COMMON | {"_nrt": False, "no_cpython_wrapper": True} | RULE_PIPELINE
_DISPATCHERS: dict[FunctionType, Any] = {}
_has_warned = False


@typeof_impl.register(FunctionType)
def _type_rule(value: FunctionType, context: Any) -> types.Dispatcher | None:
    return types.Dispatcher(dispatcher_of(value)) if value in RULES else None


def dispatcher_of(rule: FunctionType) -> Any:
    """Return the dispatcher of a rule function.

    Numba would compile a rule for every width of integer and every constant that it is called with, three times as many
    functions and five times the time. All integers are passed as int64.
    """
    if rule not in _DISPATCHERS:
        _DISPATCHERS[rule] = dispatcher = numba.njit(**INNER)(rule)
        _widen(dispatcher)
    return _DISPATCHERS[rule]


def kernel_dispatcher(function: Any) -> Any:
    """Return a new dispatcher of a kernel."""
    return numba.njit(**OUTER)(function)


def settings() -> str:
    """Return what determines machine code besides sources, argument types and the processor."""
    variables = [name for name in sorted(os.environ) if name.startswith("NUMBA_") and name not in NO_MATTER]
    pipeline = "linked" if RULE_PIPELINE else "plain"
    parts = [sys.version, numba.__version__, np.__version__, pipeline]
    return "\n".join([*parts, *(f"{name}={os.environ[name]}" for name in variables)])


def _widen(dispatcher: Any) -> None:
    """Let a function be compiled for widened argument types alone, where this version of Numba allows it."""
    global _has_warned
    try:
        fold = dispatcher._compiler.fold_argument_types
    except AttributeError as missing:
        if not _has_warned:
            _warn_of(missing)
        _has_warned = True
        return

    def fold_widened(args, kws):
        pysig, folded = fold(args, kws)
        return pysig, tuple(_widened(kind) for kind in folded)

    dispatcher._compiler.fold_argument_types = fold_widened


def _widened(kind: Any) -> Any:
    """int64 for integers and constants of any width, boolean for constant truth values."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind
