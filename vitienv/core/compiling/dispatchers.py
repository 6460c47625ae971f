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

PLAIN = "VITIENV_PLAIN_NUMBA"  # environment variable: 1 selects Numba's default pipeline
# Numba's variables without an effect on compiled code.
IGNORED_VARIABLES = ("NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS")


def _warn_of(missing: Exception) -> None:
    text = f"Numba {numba.__version__} lacks an internal name, so the first compilation takes longer: {missing}"
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def _pipelines() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the pipeline options of kernels and rule functions; empty for Numba's default pipeline."""
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
    """Return the dispatcher of a rule function, which receives all integers as int64.

    Numba would compile a rule for every integer width and constant argument: three times as many functions and five
    times the time.
    """
    if rule not in _DISPATCHERS:
        _DISPATCHERS[rule] = dispatcher = numba.njit(**INNER)(rule)
        _widen(dispatcher)
    return _DISPATCHERS[rule]


def kernel_dispatcher(function: Any) -> Any:
    """Return a new dispatcher of a kernel."""
    return numba.njit(**OUTER)(function)


def settings() -> str:
    """Return the inputs of machine code besides sources, argument types and processor."""
    variables = [name for name in sorted(os.environ) if name.startswith("NUMBA_") and name not in IGNORED_VARIABLES]
    pipeline = "linked" if RULE_PIPELINE else "plain"
    parts = [sys.version, numba.__version__, np.__version__, pipeline]
    return "\n".join([*parts, *(f"{name}={os.environ[name]}" for name in variables)])


def _widen(dispatcher: Any) -> None:
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
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) else kind
