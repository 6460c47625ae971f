"""WebAssembly of compiled kernels: the code that Numba linked and optimised for this machine, emitted for another one.

A kernel with all rules below it is one module without reference counts of its own. Here it gets an entry that takes
plain numbers and addresses, all that is only for Python is dropped, and LLVM, as llvmlite brings it, emits it for
wasm32. `wasm-ld` of LLVM's linker (Debian's package lld) makes a file of it. `docs/wasm.md` tells how to call it.
"""

import inspect
import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numba import typeof, types

from vitienv.core.batch import ARRAYS, Batch
from vitienv.core.definition import Definition
from vitienv.core.files import atomic
from vitienv.core.kernel import LOOPS, Run
from vitienv.core.options import REWARDS
from vitienv.version import __version__

TRIPLE, FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+sign-ext"
LINKER = "wasm-ld"
BREAK = "\n  "
GAMES = "n"  # how many games: the first length of most arrays
Array = tuple[str, tuple[int | str, ...]]  # of what kind its numbers are, as NumPy writes it, and its lengths
# Counting references of arrays: an entry's arrays have none.
COUNTS = re.compile(r"^(define [^\n]*@NRT_(?:incref|decref)\([^\n]*\{\n).*?^\}", re.DOTALL | re.MULTILINE)
MACHINE = re.compile(r"^target .*\n", re.MULTILINE)  # what it was compiled for
ADDRESSES = re.compile(r"^.*\b(?:alloca|constant|global) [^\n]*[\[{][^\n\"]*\bptr\b.*$", re.MULTILINE)
# The one function of C that LLVM finds in the rules; its result has 64 bits, as on the machine that Numba compiled for.
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
    """A compiled kernel, and what it is called with, by name: whole numbers and arrays. common: the names of those
    arrays that have no row for each game."""

    function: Any
    arguments: Mapping[str, Any]
    common: tuple[str, ...] = ()

    @property
    def parameters(self) -> dict[str, Array | None]:
        """What its entry takes besides the number of games, in order; None for a whole number. Another view of an
        array's memory is the same parameter."""
        found: dict[str, Array | None] = {}
        seen = set()
        for name, value in self.arguments.items():
            if not isinstance(value, np.ndarray):
                found[name] = None
            elif value.ctypes.data not in seen:
                seen.add(value.ctypes.data)
                found[name] = self._array(name, value)
        return found

    def _array(self, name: str, value: np.ndarray) -> Array:
        rows = len(value) if name in self.common else GAMES
        if value.dtype.names is not None:
            return "u1", (rows, value.dtype.itemsize)
        return value.dtype.str[1:], (rows, *value.shape[1:])


def kernels_of(batch: Batch) -> list[Kernel]:
    """The loops of a batch's game, with the arrays of the batch; ValueError where rules are interpreted."""
    given = {name: getattr(batch, name) for name in ("octets", "shorts", "rules", *ARRAYS)}
    given |= {"games": batch.records, "viewers": np.zeros(len(batch), np.int8)}
    given |= {"what": 0, "reward_kind": batch.reward_number}
    found = []
    for name in LOOPS:
        function = getattr(batch.kernels, name)
        if not hasattr(function, "py_func"):
            raise ValueError("rules are interpreted (NUMBA_DISABLE_JIT=1), so there is no compiled code to emit")
        names = inspect.signature(function.py_func).parameters
        found.append(Kernel(function, {name: given[name] for name in names}, common=("rules",)))
    return found


def about(game: Definition, kernels: Sequence[Kernel]) -> dict[str, Any]:
    """What a caller must know of a game's file, as plain JSON: what each entry takes, the kind and the shape of each
    array, the bits of `what`, the names of `reward_kind`, and for each table, `ruleset/players`, its `rules`."""
    taken = {kernel.function.__name__: kernel.parameters for kernel in kernels}
    tables = {}
    for ruleset in game.rulesets:
        for n in game.options.of(ruleset=ruleset).players():
            options = game.options.of(ruleset=ruleset, num_players=n)
            if options.definition is game:  # a ruleset that is a game of its own has its own file
                tables[f"{ruleset}/{n}"] = options.rules().tolist()
    return {
        "game": game.name,
        "version": __version__,
        "entries": {name: [GAMES, *parameters] for name, parameters in taken.items()},
        "arrays": {name: array for parameters in taken.values() for name, array in parameters.items() if array},
        "bits": {bit.name: int(bit) for bit in Run},
        "rewards": REWARDS,
        "tables": tables,
    }


def missing() -> str | None:
    """What is not installed that is needed, in one line, or None."""
    return None if shutil.which(LINKER) else f"WebAssembly needs {LINKER}, LLVM's linker: apt-get install lld"


def write(path: Path, kernels: Sequence[Kernel]) -> None:
    """Write a file of WebAssembly that exports its memory and an entry for each kernel, under the kernel's name.

    Kernels that are not kept are compiled first. RuntimeError, with the linker's words, if it refuses.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=2, reloc="static")
    with tempfile.TemporaryDirectory() as folder, atomic(path) as file:
        command = [LINKER, "--no-entry", "--stack-first", "--strip-all", "--export=__heap_base", "-o", str(file)]
        for kernel in kernels:
            name = kernel.function.__name__
            code = Path(folder) / f"{name}.o"
            code.write_bytes(machine.emit_object(_module(kernel, machine)))
            command += [f"--export={name}", str(code)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{LINKER} makes no {path.name}: {done.stderr.strip()}")


def _module(kernel: Kernel, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """A kernel for the other machine, with nothing but its entry to be seen from outside."""
    compiled = _compiled(kernel)
    text = str(compiled.library._get_module_for_linking())
    text = COUNTS.sub(r"\1  ret void\n}", MACHINE.sub("", text))
    text = text.replace("\ndeclare i64 @strlen(", f"{STRLEN}\ndeclare i64 @strlen.of.c(")
    module = llvm.parse_assembly(text + _entry(kernel, compiled))
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name != kernel.function.__name__:
            part.linkage = "internal"
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    builder.getModulePassManager().run(module, builder)
    check_addresses(str(module))
    return module


def check_addresses(text: str) -> None:
    """ValueError if code in LLVM's language keeps addresses among other things in memory: where each stands was settled
    for addresses of 64 bits, and here they have 32."""
    found = ADDRESSES.search(text)
    if found is not None:
        raise ValueError(f"addresses in memory would lie elsewhere in WebAssembly: {found[0].strip()[:120]}")


def _compiled(kernel: Kernel) -> Any:
    """What Numba has made of a kernel for such arguments."""
    kinds = tuple(typeof(value) for value in kernel.arguments.values())
    kernel.function.compile(kinds)
    return kernel.function.overloads[kinds]


def _entry(kernel: Kernel, compiled: Any) -> str:
    """In LLVM's language, a function that passes on what it is given in the form that Numba's code takes.

    Numba takes an array as: what counts its references and what it is a part of (nothing here), how many numbers it
    has, the bytes of one, its address, its lengths, and for each of these the bytes from one to the next.
    """
    taken, lines, passed = [f"i32 %{GAMES}"], [f"%rows = zext i32 %{GAMES} to i64"], ["ptr %result", "ptr %error"]
    place: dict[int, str] = {}
    for name, value in kernel.arguments.items():
        if not isinstance(value, np.ndarray):
            taken.append(f"i32 %{name}")
            lines.append(f"%{name}.long = sext i32 %{name} to i64")
            passed.append(f"i64 %{name}.long")
            continue
        if name in kernel.parameters:
            taken.append(f"ptr %{name}")
        at = place.setdefault(value.ctypes.data, name)
        rows = str(len(value)) if name in kernel.common else "%rows"
        lines.append(f"%{name}.size = mul i64 {rows}, {math.prod(value.shape[1:])}")
        lengths = [rows, *map(str, value.shape[1:])]
        steps = [str(value.itemsize * math.prod(value.shape[i + 1 :])) for i in range(value.ndim)]
        passed += ["ptr null", "ptr null", f"i64 %{name}.size", f"i64 {value.itemsize}", f"ptr %{at}"]
        passed += [f"i64 {number}" for number in (*lengths, *steps)]
    gives_nothing = compiled.signature.return_type == types.none
    ends = ["ret void"] if gives_nothing else ["%long = load i64, ptr %result", "%short = trunc i64 %long to i32",
                                              "ret i32 %short"]  # fmt: skip
    return f"""
declare void @llvm.trap()
define {"void" if gives_nothing else "i32"} @{kernel.function.__name__}({", ".join(taken)}) {{
  %result = alloca i64
  %error = alloca ptr
  {BREAK.join(lines)}
  %status = call i32 @"{compiled.fndesc.llvm_func_name}"({", ".join(passed)})
  %is_good = icmp eq i32 %status, 0
  br i1 %is_good, label %good, label %bad
bad:
  call void @llvm.trap()
  unreachable
good:
  {BREAK.join(ends)}
}}
"""
