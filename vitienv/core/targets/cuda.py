"""CUDA: the code of the rules as Numba lowered it, optimised for a card and emitted as PTX, one game to a thread.

Each kernel gets an entry that calls it for the game of its thread alone: addresses are moved on to that game's row, and
there is one row. LLVM, as llvmlite brings it, emits PTX, which the card's driver compiles. Records lie on the card as
they lie here. `docs/cuda.md` tells how to play there.
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
from vitienv.core.targets.llvm_modules import BREAK, Kernel, call_of, linked, lowered_for
from vitienv.core.text_utils import in_one_line

TRIPLE, PROCESSOR, FEATURES = "nvptx64-nvidia-cuda", "sm_75", "+ptx63"  # newer cards and drivers take it too
# Threads that start together. The assembler is not told: it would spill more to let more of them run at once.
BLOCK = 64
COMMON = ("rules",)  # the arrays that have no row for each game
MANGLED = "_ZN"  # how Numba's names of compiled functions begin
TAKEN = "taken"  # where an entry writes what its kernel returns
# For which processor of the host each function was compiled.
PROCESSORS = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')


class Device(Protocol):
    """The device on which games lie and kernels run."""

    xp: Any  # the module of its arrays, with NumPy's names
    memory: int  # bytes

    def current(self) -> AbstractContextManager[Any]:
        """In which a thread makes and reads arrays of this device, if not of the only one."""

    def fetch(self, array: Any) -> np.ndarray:
        """A copy of an array of the device, here."""

    def load(self, kernel: Kernel, folder: Path) -> Callable[[int, Sequence[Any]], None]:
        """A function that runs a kernel for a number of games, with numbers and arrays of the device. folder: of the
        game's kept code."""


class Card:
    """An NVIDIA card, by way of CuPy."""

    def __init__(self, number: int | None = None) -> None:
        """number: of the card, where there are several; the thread's own if None, as torch has it. ValueError, in one
        line, says what is missing."""
        if (told := missing()) is not None:
            raise ValueError(told)
        import cupy

        card = cupy.cuda.Device(number)
        card.use()
        self.xp, self.number, self.memory = cupy, card.id, card.mem_info[1]

    def current(self) -> AbstractContextManager[Any]:
        """See `Device.current`. A new one for each use, as CuPy keeps in it which card was current before."""
        return self.xp.cuda.Device(self.number)  # type: ignore[no-any-return]

    def fetch(self, array: Any) -> np.ndarray:
        """A copy of an array of the card, here."""
        return self.xp.asnumpy(array)

    def load(self, kernel: Kernel, folder: Path) -> Callable[[int, Sequence[Any]], None]:
        """A function that starts a kernel; the driver compiles its PTX when it first sees it, and keeps that."""
        entry = self.xp.RawModule(path=str(kept_ptx(kernel, folder))).get_function(kernel.function.__name__)

        def call(n: int, arguments: Sequence[Any]) -> None:
            given = [np.int64(value) if isinstance(value, int) else value for value in arguments]
            entry((-(-n // BLOCK),), (BLOCK,), (np.int64(n), *given))

        return call


def missing() -> str | None:
    """What is missing for playing on a card, in one line, or None."""
    try:
        import cupy
    except ImportError as error:
        lacks = error.name or "cupy"
        return f'device="cuda" needs {lacks}: pip install -e ".[cuda]" in the folder of vitienv\'s sources'
    try:
        cupy.cuda.runtime.getDeviceCount()
        cupy.cuda.nvrtc.getVersion()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f'device="cuda" needs an NVIDIA card and its driver: {error}'
    except (RuntimeError, OSError) as error:
        return f'device="cuda" needs NVRTC: pip install "cupy-cuda13x[ctk]" ({in_one_line(str(error))})'
    return None


def kept_ptx(kernel: Kernel, folder: Path) -> Path:
    """The file with a kernel's PTX beside its kept code, made if it is not there. folder: its name tells the sources.

    OSError if it cannot be written.
    """
    sha = hashlib.sha256(repr((llvm.llvm_version_info, list(kernel.arguments))).encode())
    for source in (__file__, linked.__code__.co_filename, lowered_for.__code__.co_filename):
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
    """The machine that code is emitted for."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    return llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=PROCESSOR, features=FEATURES, opt=2)


def module(kernel: Kernel) -> llvm.ModuleRef:
    """A kernel for the card in LLVM's language, optimised, with nothing but its entry to be seen from outside."""
    machine, compiled = target(), lowered_for(kernel)
    made = llvm.parse_assembly(PROCESSORS.sub("", linked(compiled)) + _entry(kernel, compiled))
    made.triple, made.data_layout = TRIPLE, str(machine.target_data)
    for i, part in enumerate((*made.functions, *made.global_variables)):
        if not part.is_declaration and part.name != kernel.function.__name__:
            part.linkage, part.name = "internal", f"{_plain(part.name)}_{i}"
    # A thread has no vectors, and copies of a loop's body make code longer and spill registers.
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(made, builder)
    return made


def _plain(name: str) -> str:
    """The Python name in a name of Numba's, `_ZN7vitienv4core3rng4wordB...`: what it was compiled for, which takes
    hundreds of letters, is left out."""
    parts = []
    at = len(MANGLED) if name.startswith(MANGLED) else len(name)
    while (length := re.match(r"\d+", name[at:])) is not None:
        at += len(length[0])
        parts.append(name[at : at + int(length[0])])
        at += int(length[0])
    return "_".join(parts) or "constant"


def ptx(made: llvm.ModuleRef) -> str:
    """A module as PTX. ValueError if it calls what is on no card."""
    unknown = [part.name for part in made.functions if part.is_declaration and not part.name.startswith("llvm.")]
    if unknown:
        raise ValueError(f"the card has no function {unknown[0]!r}")
    return target().emit_assembly(made)


def _entry(kernel: Kernel, compiled: Any) -> str:
    """In LLVM's language, a kernel of CUDA: a thread passes its game on in the form that Numba's code takes.

    It takes the number of games, then whole numbers of 64 bits and addresses as the kernel does, and if the kernel
    returns a number, the address of one for each game.
    """
    taken, lines, passed = ["i64 %n"], [], []
    for name, value in kernel.arguments.items():
        if not isinstance(value, np.ndarray):
            taken.append(f"i64 %{name}")
            passed.append(f"i64 %{name}")
            continue
        taken.append(f"ptr %{name}")
        rows = len(value) if name in COMMON else 1
        steps = [value.itemsize * math.prod(value.shape[i + 1 :]) for i in range(value.ndim)]
        lines.append(f"%{name}.at = mul i64 {0 if name in COMMON else '%i'}, {steps[0]}")
        lines.append(f"%{name}.row = getelementptr i8, ptr %{name}, i64 %{name}.at")
        passed += ["ptr null", "ptr null", f"i64 {rows * math.prod(value.shape[1:])}", f"i64 {value.itemsize}"]
        passed += [f"ptr %{name}.row", *(f"i64 {number}" for number in (rows, *value.shape[1:], *steps))]
    ends = []
    if compiled.signature.return_type != types.none:
        taken.append(f"ptr %{TAKEN}")
        ends = [f"%{TAKEN}.row = getelementptr i64, ptr %{TAKEN}, i64 %i", "%number = load i64, ptr %result",
                f"store i64 %number, ptr %{TAKEN}.row"]  # fmt: skip
    return f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @{kernel.function.__name__}({", ".join(taken)}) {{
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
  {BREAK.join([*ends, "br label %end"])}
end:
  ret void
}}
"""
