"""One optimisation for the whole engine, instead of one for every function.

Numba optimises a function together with all that it calls, and again within each of its callers. Rule functions
are never called from Python, so here they are only typed and lowered; the kernel that calls them is linked with
all of them and optimised once. These are two pipelines of Numba's public `pipeline_class` option.

They stand on inner points of Numba, which may change with any version of it. `core/compiling/jit.py` does without this
file if importing it raises ImportError or AttributeError; the rules are the same, only the first compilation is longer.
"""

import ctypes

from numba import _dynfunc
from numba.core.codegen import CPUCodegen, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.typed_passes import AnnotateTypes, NativeLowering

# What is replaced or used of Numba's classes below. Replacing what is not there would go unnoticed and leave kernels
# without code, so each is looked up here: AttributeError says which one is missing.
INNER_POINTS = (
    (JITCodeLibrary, "_optimize_functions"),
    (JITCodeLibrary, "_optimize_final_module"),
    (JITCodeLibrary, "finalize"),
    (JITCodeLibrary, "add_linking_library"),
    (CPUCodegen, "_module_pass_manager"),
    (CPUContext, "insert_user_function"),
    (DefaultPassBuilder, "define_nopython_pipeline"),
    (PassManager, "add_pass_after"),
    (_dynfunc, "make_function"),
)
for owner, name in INNER_POINTS:
    getattr(owner, name)


class RuleLibrary(JITCodeLibrary):
    """The intermediate code of one rule function, as it was lowered."""

    def _optimize_functions(self, ll_module) -> None:
        """Only say for which machine the code is; kernels optimise it."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Neither optimise nor emit machine code: kernels do."""
        self._finalized = True


class KernelLibrary(JITCodeLibrary):
    """The code of a kernel and of every rule function below it."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Link a library and, as a rule function comes without what it calls, those below it."""
        if library in self._linking_libraries:
            return
        super().add_linking_library(library)
        if isinstance(library, RuleLibrary):
            for below in library._linking_libraries:
                self.add_linking_library(below)

    def _optimize_final_module(self) -> None:
        """Only the kernel itself is called from outside: what stands in one place only is inlined and dropped.

        Numba's first, cheap round of passes serves reference counts, of which there are none. Neighbouring copies
        are joined into vector moves (`slp_vectorize`), which Numba leaves off.
        """
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        made = self._codegen._module_pass_manager(slp_vectorize=True)
        passes, *builder = made if isinstance(made, tuple) else (made,)  # the passes alone up to Numba 0.61
        passes.run(self._final_module, *builder)


# Where a call of a rule function from Python ends: it raises MemoryError instead of running code that is not there.
NO_CODE = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value


class _Libraries(LoweringPass):
    """Choose the library that the function is lowered into."""

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state) -> bool:
        name = state.func_id.func_qualname
        state.library = self.library(state.targetctx.codegen(), name)
        state.library.enable_object_caching()
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoRuleLibrary(_Libraries):
    """Lower into a `RuleLibrary` and ask for no machine code."""

    _name = "into_rule_library"
    library = RuleLibrary

    def run_pass(self, state) -> bool:
        state.flags.no_compile = True
        return super().run_pass(state)


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoKernelLibrary(_Libraries):
    """Lower into a `KernelLibrary`."""

    _name = "into_kernel_library"
    library = KernelLibrary


@register_pass(mutates_CFG=False, analysis_only=False)
class Expose(LoweringPass):
    """Make a lowered rule function known to its callers, by an entry point without code of its own."""

    _name = "expose_rule"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state) -> bool:
        lowered = state["cr"]
        fndesc = lowered.fndesc
        module, name = fndesc.lookup_module(), fndesc.qualname
        entry = _dynfunc.make_function(module, name, "a rule function", NO_CODE, lowered.env, ())
        state.targetctx.insert_user_function(entry, fndesc, [state.library])
        state["cr"] = _LowerResult(fndesc, lowered.call_helper, cfunc=entry, env=lowered.env)
        return True


class RulePipeline(CompilerBase):
    """Numba's pipeline, stopped after lowering."""

    def define_pipelines(self) -> list:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoRuleLibrary, AnnotateTypes)
        passes.add_pass_after(Expose, NativeLowering)
        passes.finalize()
        return [passes]


class KernelPipeline(CompilerBase):
    """Numba's pipeline, optimising all rule functions below the kernel at once."""

    def define_pipelines(self) -> list:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoKernelLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]
