"""A kernel and all rules below it as Numba lowered them, linked and not optimised: for machines that this one's vectors
and unrolled loops would not suit.

Of its own, Numba optimises for the processor that it runs on. Kept code is of no use here, so all rules are typed and
lowered anew, which takes most of the time of a first compilation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba import jit, typeof
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.event import trigger_event
from numba.core.typed_passes import AnnotateTypes

from vitienv.core.compiling.kept_code import can_keep
from vitienv.core.compiling.link import IntoRuleLibrary, KernelLibrary, KernelPipeline, RuleLibrary
from vitienv.core.compiling.progress import WATCH
from vitienv.core.compiling.taught import COMPILATION

if TYPE_CHECKING:
    from vitienv.core.targets.wasm import Kernel


class LoweredLibrary(KernelLibrary, RuleLibrary):
    """The code of a kernel and of every rule function below it, as it was lowered."""

    def finalize(self) -> None:
        """Link, and neither optimise nor emit machine code."""
        for library in self._linking_libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoLoweredLibrary(IntoRuleLibrary):
    """Lower into a `LoweredLibrary` and ask for no machine code."""

    _name = "into_lowered_library"
    library = LoweredLibrary


class LoweredPipeline(CompilerBase):
    """Numba's pipeline, stopped after lowering and linking."""

    def define_pipelines(self) -> list:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoLoweredLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


def is_linked(kernel: Kernel) -> bool:
    """Whether our own pipeline compiles it, and not Numba's."""
    return kernel.function._compiler.pipeline_class is KernelPipeline


def lowered_for(kernel: Kernel) -> Any:
    """What Numba has made of a kernel for such arguments, or where Numba's own pipeline is asked for, its optimised
    code."""
    function, kinds = kernel.function, tuple(typeof(value) for value in kernel.arguments.values())
    if not is_linked(kernel):
        function.compile(kinds)
        return function.overloads[kinds]
    options = function.targetoptions | {"no_cpython_wrapper": True, "pipeline_class": LoweredPipeline}
    return jit(**options)(function.py_func)._compiler.compile(kinds, None)


class _Making:
    """A kernel that is made for another machine, as `Watch` knows kernels: neither ready nor kept."""

    signatures = ()

    def __init__(self, function: Any) -> None:
        self.py_func, self._cache = function.py_func, self

    def is_kept(self) -> bool:
        """Never: what is kept is not announced for long."""
        return False


_making = cache(_Making)


@contextmanager
def announced(
    kernels: Sequence[Kernel], folder: Path, part: str = "the engine for a card"
) -> Iterator[Callable[[Kernel], Any]]:
    """Tell of what is made of some kernels meanwhile as of one compilation. folder: where it will be kept.

    Gives what a `with` takes while one of them is made.
    """
    for kernel in kernels:
        WATCH.add(_making(kernel.function), part, is_linked(kernel), lambda: can_keep(folder))
    with WATCH.together([_making(kernel.function) for kernel in kernels]):
        yield lambda kernel: trigger_event(COMPILATION, data={"dispatcher": _making(kernel.function)})
