"""Numba pipelines that optimise all rule functions of a kernel once.

Numba optimises a function with all its callees, and again within each of its callers. Here rule functions are only
typed and lowered; the kernel is linked with all of them and optimised once. The pipelines depend on Numba internals: if
importing this module raises ImportError or AttributeError, Numba's default pipeline is used, which compiles more
slowly.
"""

import ctypes

from numba import _dynfunc
from numba.core.codegen import CPUCodegen, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
from numba.core.compiler_machinery import LoweringPass, PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.typed_passes import AnnotateTypes, NativeLowering

# Numba internals that are overridden or used below. An override of a missing method would have no effect, so each is
# looked up first.
NUMBA_INTERNALS = (
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
for owner, name in NUMBA_INTERNALS:
    getattr(owner, name)


class RuleLibrary(JITCodeLibrary):
    """Unoptimised LLVM code of a rule function."""

    def _optimize_functions(self, ll_module) -> None:
        """Set the data layout only; kernels optimise the code."""
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        """Skip optimisation and emission, which kernels do."""
        self._finalized = True


class KernelLibrary(JITCodeLibrary):
    """Code of a kernel and of all rule functions that it calls."""

    def add_linking_library(self, library: JITCodeLibrary) -> None:
        """Link a library; a rule function also with its callees."""
        if library in self._linking_libraries:
            return
        super().add_linking_library(library)
        if isinstance(library, RuleLibrary):
            for callee in library._linking_libraries:
                self.add_linking_library(callee)

    def _optimize_final_module(self) -> None:
        """Optimise the linked module once, with rule functions internal and `slp_vectorize`, which Numba disables."""
        for function in self._final_module.functions:
            if function.linkage.name == "linkonce_odr":
                function.linkage = "internal"
        pass_manager = self._codegen._module_pass_manager(slp_vectorize=True)
        # Numba before 0.62 returns the passes without a builder.
        passes, *builder = pass_manager if isinstance(pass_manager, tuple) else (pass_manager,)
        passes.run(self._final_module, *builder)


# Entry point of rule functions: a call from Python raises MemoryError instead of running missing code.
NO_CODE = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value


class _Libraries(LoweringPass):
    """Pass that selects the library that a function is lowered into."""

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state) -> bool:
        name = state.func_id.func_qualname
        state.library = self.library(state.targetctx.codegen(), name)
        state.library.enable_object_caching()
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoRuleLibrary(_Libraries):
    """Lower into a `RuleLibrary`, without machine code."""

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
    """Register a lowered rule function for its callers, with the entry point NO_CODE."""

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
    """Numba's pipeline up to lowering."""

    def define_pipelines(self) -> list:
        """Return the pass manager."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoRuleLibrary, AnnotateTypes)
        passes.add_pass_after(Expose, NativeLowering)
        passes.finalize()
        return [passes]


class KernelPipeline(CompilerBase):
    """Numba's pipeline with one optimisation of all rule functions of a kernel."""

    def define_pipelines(self) -> list:
        """Return the pass manager."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoKernelLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]
