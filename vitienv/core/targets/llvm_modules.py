"""Unoptimised, linked LLVM modules of kernels, for other processors than this one.

Numba optimises for its own processor, so cached code cannot be used: all rules are typed and lowered again, which takes
most of the time of a compilation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import jit, typeof
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.event import trigger_event
from numba.core.typed_passes import AnnotateTypes

from vitienv.core.batch import ARRAYS, Batch
from vitienv.core.compiling.code_cache import can_write
from vitienv.core.compiling.dispatchers import KERNEL_PIPELINE, OUTER, kernel_dispatcher
from vitienv.core.compiling.link import IntoRuleLibrary, KernelLibrary, RuleLibrary
from vitienv.core.compiling.numba_extensions import COMPILATION
from vitienv.core.compiling.progress import PROGRESS
from vitienv.core.compiling.static_checks import plain
from vitienv.core.kernel import LOOPS

BREAK = "\n  "
# Reference counting, which arrays of an entry point do not have.
COUNTS = re.compile(r"^(define [^\n]*@NRT_(?:incref|decref)\([^\n]*\{\n).*?^\}", re.DOTALL | re.MULTILINE)
MACHINE = re.compile(r"^target .*\n", re.MULTILINE)  # target triple and data layout
# The only C function that LLVM finds in the rules; its result has 64 bits, as on the host.
STRLEN = """
define internal i64 @strlen(ptr %text) {
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %after, %next ]
  %at = getelementptr i8, ptr %text, i64 %i
  %letter = load i8, ptr %at
  %after = add i64 %i, 1
  %is_end = icmp eq i8 %letter, 0
  br i1 %is_end, label %end, label %next
end:
  ret i64 %i
}
"""


@dataclass(frozen=True)
class Kernel:
    """Compiled kernel and its arguments: integers, arrays, records and named tuples of arrays."""

    function: Any
    arguments: Mapping[str, Any]


def kernels_of(batch: Batch) -> list[Kernel]:
    """Return the loops of a game with the arrays of a batch. ValueError if rules are interpreted."""
    arrays = {name: getattr(batch, name) for name in ("bytes_view", "int16_view", "rules", *ARRAYS)}
    arrays |= {"games": batch.records, "viewers": np.zeros(len(batch), np.int8)}
    arrays |= {"flags": 0, "reward_kind": batch.reward_number}
    functions = [getattr(batch.kernels, name) for name in LOOPS]
    return [Kernel(function, {name: arrays[name] for name in names_of(function)}) for function in functions]


def names_of(function: Any) -> list[str]:
    """Return the parameter names of a compiled function. ValueError if it is interpreted."""
    if not hasattr(function, "py_func"):
        raise ValueError("rules must be compiled to emit code; unset NUMBA_DISABLE_JIT")
    return list(inspect.signature(function.py_func).parameters)


class LoweredLibrary(KernelLibrary, RuleLibrary):
    """Unoptimised code of a kernel and of all rule functions that it calls."""

    def finalize(self) -> None:
        """Link without optimisation and emission."""
        for library in self._linking_libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoLoweredLibrary(IntoRuleLibrary):
    """Lower into a `LoweredLibrary`, without machine code."""

    _name = "into_lowered_library"
    library = LoweredLibrary


class LoweredPipeline(CompilerBase):
    """Numba's pipeline up to lowering and linking."""

    def define_pipelines(self) -> list:
        """Return the pass manager."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoLoweredLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


def is_linked() -> bool:
    """Return whether the pipelines of `core.compiling.link` compile kernels."""
    return bool(KERNEL_PIPELINE)


def lower_kernel(kernel: Kernel) -> Any:
    """Lower a kernel for the types of its arguments."""
    return lower(plain(kernel.function), tuple(typeof(value) for value in kernel.arguments.values()))


def lower(function: Any, kinds: tuple[Any, ...]) -> Any:
    """Lower a kernel for argument types. Numba's default pipeline, if selected, also optimises it."""
    if not is_linked():
        kernel = kernel_dispatcher(function)
        kernel.compile(kinds)
        return kernel.overloads[kinds]
    options = OUTER | {"no_cpython_wrapper": True, "pipeline_class": LoweredPipeline}
    return jit(**options)(function)._compiler.compile(kinds, None)


class _TargetKernel:
    """Kernel for another target, with the attributes that `CompilationProgress` reads."""

    signatures = ()

    def __init__(self, function: Any) -> None:
        self.py_func, self._cache = plain(function), self

    def is_cached(self) -> bool:
        return False


_target_kernel = cache(_TargetKernel)


@contextmanager
def report_compilation(
    kernels: Sequence[Kernel], folder: Path, part: str = "the engine for a GPU"
) -> Iterator[Callable[[Kernel], Any]]:
    """Report the compilation of kernels for another target as one. folder: cache directory.

    Yields a function that returns the context for the compilation of a kernel.
    """
    for kernel in kernels:
        PROGRESS.add(_target_kernel(kernel.function), part, is_linked(), lambda: can_write(folder))
    with PROGRESS.group([_target_kernel(kernel.function) for kernel in kernels]):
        yield lambda kernel: trigger_event(COMPILATION, data={"dispatcher": _target_kernel(kernel.function)})


def link_kernel(compiled: Any) -> str:
    """Return the LLVM IR of a kernel with all its rules, for any target, without reference counting."""
    text = str(compiled.library._get_module_for_linking())
    text = COUNTS.sub(r"\1  ret void\n}", MACHINE.sub("", text))
    text += "\ndeclare void @llvm.trap()\n"
    return text.replace("\ndeclare i64 @strlen(", f"{STRLEN}\ndeclare i64 @strlen.of.c(")


def call_of(compiled: Any, passed: Sequence[str]) -> str:
    """Return the LLVM IR of a call of Numba's code, which stores its result at %result and traps on an exception."""
    return f"""%status = call i32 @"{compiled.fndesc.llvm_func_name}"(ptr %result, ptr %error, {", ".join(passed)})
  %is_good = icmp eq i32 %status, 0
  br i1 %is_good, label %good, label %bad
bad:
  call void @llvm.trap()
  unreachable
good:"""
