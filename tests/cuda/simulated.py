"""A simulated GPU: the LLVM module of the PTX, compiled for the host and run thread by thread.

It tests entries, addresses and LLVM code, and their calls by the batch and the environment, but not the emission of
PTX, the assembler, the driver or the size of the stack.
"""

import ctypes
import re
from contextlib import nullcontext

import numpy as np
from llvmlite import binding as llvm

from vitienv.core.targets import cuda

SPECIAL = re.compile(r"(?:tail )?call (?:range\([^)]*\) )?i32 @llvm\.nvvm\.read\.ptx\.sreg\.(tid|ctaid)\.x\(\)")
NVIDIA = re.compile(r"^(?:target |declare .*@llvm\.nvvm\.).*\n", re.MULTILINE)
# Calls the entry for each thread of each block, including threads without a game.
LOOP = """
@tid = internal global i32 0
@ctaid = internal global i32 0
define void @all(i64 %n, {parameters}) {{
begin:
  %more = add i64 %n, {last}
  %blocks = udiv i64 %more, {block}
  %threads = mul i64 %blocks, {block}
  br label %next
next:
  %i = phi i64 [ 0, %begin ], [ %after, %next ]
  %thread = urem i64 %i, {block}
  %place = udiv i64 %i, {block}
  %thread.short = trunc i64 %thread to i32
  %place.short = trunc i64 %place to i32
  store i32 %thread.short, ptr @tid
  store i32 %place.short, ptr @ctaid
  call void @{name}(i64 %n, {parameters})
  %after = add i64 %i, 1
  %is_end = icmp eq i64 %after, %threads
  br i1 %is_end, label %end, label %next
end:
  ret void
}}
"""


class Simulated:
    """A `Device` whose arrays are NumPy's."""

    xp, memory = np, 2**40

    def current(self):
        return nullcontext()

    def __init__(self):
        self.loaded, self.engines = {}, []

    def fetch(self, array):
        return np.array(array)

    def load(self, kernel, folder):
        """Load as `Gpu.load`. A game's kernels are compiled once for all of its tables."""
        name = kernel.function.__name__
        if (folder, name) not in self.loaded:
            self.loaded[folder, name] = self.compiled(name, cuda.module(kernel))
        return self.loaded[folder, name]

    def compiled(self, name, module):
        """Return a function as `Gpu.load` does, from the module of a kernel."""
        arguments = module.get_function(name).arguments
        parameters = ", ".join(f"{argument.type} %{argument.name}" for argument in arguments if argument.name != "n")
        text, n = SPECIAL.subn(r"load i32, ptr @\1", NVIDIA.sub("", str(module)))
        assert n == 2, n
        text = text.replace("define ptx_kernel", "define internal")
        text += LOOP.format(parameters=parameters, last=cuda.BLOCK - 1, block=cuda.BLOCK, name=name)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
        module = llvm.parse_assembly(text)
        module.verify()
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        self.engines.append(engine)  # owns the code
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (1 + parameters.count("%")))(
            engine.get_function_address("all")
        )

        def call(n, arguments):
            function(
                n,
                *(
                    int(argument) if isinstance(argument, int | np.integer) else argument.ctypes.data
                    for argument in arguments
                ),
            )

        return call
