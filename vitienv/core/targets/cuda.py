"""CUDA target: the LLVM code of the rules, optimised for a GPU and emitted as PTX, one game per thread.

Each kernel gets an entry point that calls it for the row of its thread. LLVM (llvmlite) emits PTX, which the driver
compiles. Records have the same layout on the GPU. See `docs/cuda.md`.
"""

import hashlib
import math
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from llvmlite import binding as llvm
from numba import types

from vitienv.core.compiling.code_cache import warn
from vitienv.core.files import atomic
from vitienv.core.targets.llvm_modules import BREAK, Kernel, call_of, link_kernel, lower_kernel
from vitienv.core.text_utils import in_one_line

TRIPLE, PROCESSOR, FEATURES = "nvptx64-nvidia-cuda", "sm_75", "+ptx63"  # minimum; newer GPUs and drivers support it
# Threads per block. Not declared in the PTX: the assembler would spill registers to raise the occupancy.
BLOCK = 64
COMMON = ("rules",)  # arrays without a row per game
MANGLED = "_ZN"  # prefix of Numba's function names
NUM_DECISIONS = "taken"  # output array of the kernel's return values
# Attributes of the host processor.
PROCESSORS = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')


class Device(Protocol):
    """Device that stores games and runs kernels."""

    xp: Any  # array module, compatible with NumPy
    memory: int  # bytes

    def current(self) -> AbstractContextManager[Any]:
        """Return a context in which this is the current device of the thread."""

    def fetch(self, array: Any) -> np.ndarray:
        """Copy an array to the host."""

    def load(self, kernel: Kernel, folder: Path) -> Callable[[int, Sequence[Any]], None]:
        """Return a function that launches a kernel for n games, with integers and arrays of the device.

        folder: cache directory of the game.
        """


class Gpu:
    """NVIDIA GPU, through CuPy."""

    def __init__(self, number: int | None = None) -> None:
        """number: device index; None is the current device of the thread. ValueError if CUDA is not available."""
        if (message := missing()) is not None:
            raise ValueError(message)
        import cupy

        gpu = cupy.cuda.Device(number)
        gpu.use()
        self.xp, self.number, self.memory = cupy, gpu.id, gpu.mem_info[1]

    def current(self) -> AbstractContextManager[Any]:
        """See `Device.current`; a new object per use, as CuPy stores the previous device in it."""
        return self.xp.cuda.Device(self.number)  # type: ignore[no-any-return]

    def fetch(self, array: Any) -> np.ndarray:
        """Copy an array to the host."""
        return self.xp.asnumpy(array)

    def load(self, kernel: Kernel, folder: Path) -> Callable[[int, Sequence[Any]], None]:
        """See `Device.load`; the driver compiles the PTX at its first use and caches the result."""
        entry = self.xp.RawModule(path=str(cached_ptx(kernel, folder))).get_function(kernel.function.__name__)

        def call(n: int, arguments: Sequence[Any]) -> None:
            parameters = [np.int64(value) if isinstance(value, int) else value for value in arguments]
            entry((-(-n // BLOCK),), (BLOCK,), (np.int64(n), *parameters))

        return call


def missing() -> str | None:
    """Return the error line for a missing dependency of CUDA; None if it is available."""
    try:
        import cupy
    except ImportError as error:
        module_name = error.name or "cupy"
        return f'device="cuda" needs {module_name}: pip install -e ".[cuda]" in vitienv\'s source directory'
    try:
        cupy.cuda.runtime.getDeviceCount()
        cupy.cuda.nvrtc.getVersion()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f'device="cuda" needs an NVIDIA GPU and its driver: {error}'
    except (RuntimeError, OSError) as error:
        return f'device="cuda" needs NVRTC: pip install "cupy-cuda13x[ctk]" ({in_one_line(str(error))})'
    return None


def cached_ptx(kernel: Kernel, folder: Path) -> Path:
    """Return the file with a kernel's PTX, written if it does not exist.

    folder: cache directory, whose name contains the hash of the sources. OSError if it cannot be written.
    """
    sha = hashlib.sha256(repr((llvm.llvm_version_info, list(kernel.arguments))).encode())
    for source in (__file__, link_kernel.__code__.co_filename, lower_kernel.__code__.co_filename):
        sha.update(Path(source).read_bytes())
    path = folder / f"{kernel.function.__name__}-{sha.hexdigest()[:16]}.ptx"
    if not path.exists():
        try:
            with atomic(path) as temporary:
                temporary.write_text(ptx(module(kernel)), encoding="ascii")
        except OSError as error:
            warn(folder, error)
            raise
    return path


def target() -> llvm.TargetMachine:
    """Return the LLVM target machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, features=FEATURES, opt=2)


def module(kernel: Kernel) -> llvm.ModuleRef:
    """Return the optimised LLVM module of a kernel; only its entry point is external."""
    machine, compiled = target(), lower_kernel(kernel)
    module_ref = llvm.parse_assembly(PROCESSORS.sub("", link_kernel(compiled)) + _entry(kernel, compiled))
    module_ref.triple, module_ref.data_layout = TRIPLE, str(machine.target_data)
    for i, part in enumerate((*module_ref.functions, *module_ref.global_variables)):
        if not part.is_declaration and part.name != kernel.function.__name__:
            part.linkage, part.name = "internal", f"{_plain(part.name)}_{i}"
    # Threads have no vectors, and unrolled loops spill registers.
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module_ref, builder)
    return module_ref


def _plain(name: str) -> str:
    # The Python name of a mangled name, `_ZN7vitienv4core3rng4wordB...`, without the types: they are hundreds of
    # characters.
    parts = []
    index = len(MANGLED) if name.startswith(MANGLED) else len(name)
    while (length := re.match(r"\d+", name[index:])) is not None:
        index += len(length[0])
        parts.append(name[index : index + int(length[0])])
        index += int(length[0])
    return "_".join(parts) or "constant"


def ptx(module_ref: llvm.ModuleRef) -> str:
    """Emit a module as PTX. ValueError if it calls a function that GPUs do not have."""
    unknown = [part.name for part in module_ref.functions if part.is_declaration and not part.name.startswith("llvm.")]
    if unknown:
        raise ValueError(f"function {unknown[0]!r} is not available on GPUs")
    return target().emit_assembly(module_ref)


def _entry(kernel: Kernel, compiled: Any) -> str:
    """Return the CUDA entry point in LLVM IR; a thread passes the row of its game to the kernel.

    Its parameters are the number of games, the kernel's 64-bit integers and addresses, and the address of the results.
    """
    parameters, lines, passed = ["i64 %n"], [], []
    for name, value in kernel.arguments.items():
        if not isinstance(value, np.ndarray):
            parameters.append(f"i64 %{name}")
            passed.append(f"i64 %{name}")
            continue
        parameters.append(f"ptr %{name}")
        rows = len(value) if name in COMMON else 1
        steps = [value.itemsize * math.prod(value.shape[i + 1 :]) for i in range(value.ndim)]
        lines.append(f"%{name}.at = mul i64 {0 if name in COMMON else '%i'}, {steps[0]}")
        lines.append(f"%{name}.row = getelementptr i8, ptr %{name}, i64 %{name}.at")
        passed += ["ptr null", "ptr null", f"i64 {rows * math.prod(value.shape[1:])}", f"i64 {value.itemsize}"]
        passed += [f"ptr %{name}.row", *(f"i64 {number}" for number in (rows, *value.shape[1:], *steps))]
    result_lines = []
    if compiled.signature.return_type != types.none:
        parameters.append(f"ptr %{NUM_DECISIONS}")
        result_lines = [f"%{NUM_DECISIONS}.row = getelementptr i64, ptr %{NUM_DECISIONS}, i64 %i",
                "%number = load i64, ptr %result", f"store i64 %number, ptr %{NUM_DECISIONS}.row"]  # fmt: skip
    return f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @{kernel.function.__name__}({", ".join(parameters)}) {{
  %result = alloca i64
  %error = alloca ptr
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, {BLOCK}
  %place = add i32 %first, %thread
  %i = zext i32 %place to i64
  %is_game = icmp ult i64 %i, %n
  br i1 %is_game, label %game, label %end
game:
  {BREAK.join(lines)}
  {call_of(compiled, passed)}
  {BREAK.join([*result_lines, "br label %end"])}
end:
  ret void
}}
"""
