"""A device without a card: the very module that PTX is emitted from, emitted for this machine instead, a thread after
the other.

It shows that entries, addresses and LLVM's code are right, and that the batch and the environment call them rightly. It
shows nothing of LLVM's emission of PTX, of the assembler, the driver, or how much stack there is.
"""

import ctypes
import re
from contextlib import nullcontext

import numpy as np
from llvmlite import binding as llvm

from vitienv.core.targets import cuda

SPECIAL = re.compile(r"(?:tail )?call (?:range\([^)]*\) )?i32 @llvm\.nvvm\.read\.ptx\.sreg\.(tid|ctaid)\.x\(\)")
NVIDIA = re.compile(r"^(?:target |declare .*@llvm\.nvvm\.).*\n", re.MULTILINE)
# Calls the entry for one block after the other, and in it one thread after the other, those without a game too.
LOOP = """
@tid = internal global i32 0
@ctaid = internal global i32 0
define void @all(i64 %n, {taken}) {{
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
  call void @{name}(i64 %n, {taken})
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
        self.loaded, self.kept = {}, []

    def fetch(self, array):
        return np.array(array)

    def load(self, kernel, folder):
        """Load as `Gpu.load`. A game's kernels are compiled once for all of its tables."""
        name = kernel.function.__name__
        if (folder, name) not in self.loaded:
            self.loaded[folder, name] = self.compiled(name, cuda.module(kernel))
        return self.loaded[folder, name]

    def compiled(self, name, made):
        """A function as `Gpu.load` gives it, from the module of a kernel."""
        arguments = made.get_function(name).arguments
        taken = ", ".join(f"{one.type} %{one.name}" for one in arguments if one.name != "n")
        text, n = SPECIAL.subn(r"load i32, ptr @\1", NVIDIA.sub("", str(made)))
        assert n == 2, n
        text = text.replace("define ptx_kernel", "define internal")
        text += LOOP.format(taken=taken, last=cuda.BLOCK - 1, block=cuda.BLOCK, name=name)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_default_triple().create_target_machine(opt=1)
        made = llvm.parse_assembly(text)
        made.verify()
        engine = llvm.create_mcjit_compiler(made, machine)
        engine.finalize_object()
        self.kept.append(engine)  # its code goes with it
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * (1 + taken.count("%")))(
            engine.get_function_address("all")
        )

        def call(n, arguments):
            function(n, *(int(one) if isinstance(one, int | np.integer) else one.ctypes.data for one in arguments))

        return call
