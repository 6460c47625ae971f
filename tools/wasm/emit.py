"""WebAssembly of kernels: the LLVM code of the rules as lowered by Numba, emitted for wasm32.

Each kernel gets an entry point that takes integers and addresses; code that only serves Python is removed. llvmlite
emits all kernels of a game as one module, and `wasm-ld` of LLVM's linker (Debian's package lld) links it.
`docs/wasm.md` documents the calls.
"""

import math
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding as llvm
from numba import types

from tools.entry_points import Array, EntryPoint
from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import Run
from vitienv.core.options import REWARDS, Options
from vitienv.core.targets.llvm_modules import BREAK, call_of, link_kernel, lower_kernel, report_compilation
from vitienv.version import __version__

TRIPLE, FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+sign-ext"
LINKER = "wasm-ld"
# Debian packages and their linked files: exponentials and logarithms, and products of 128 bits.
LIBRARIES = {
    "wasi-libc": "usr/lib/wasm32-wasi/libc.a",
    "libclang-rt-dev-wasm32": "usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a",
}
# Arrays or structs of addresses, except the texts of exceptions, which are not read.
ADDRESSES = re.compile(
    r"^(?!@\.const\.picklebuf).*\b(?:alloca|constant|global) [^\n]*[\[{][^\n\"]*\bptr\b.*$", re.MULTILINE
)


def manifest(game: GameSpec, kernels: Sequence[EntryPoint]) -> dict[str, Any]:
    """Return the JSON of a game's file: entry points, arrays, constants, bits, kinds of reward, rules by table."""
    arrays: dict[str, Array] = {}
    for kernel in kernels:
        for name, array in kernel.parameters.items():
            if array is not None and arrays.setdefault(name, array) != array:
                raise ValueError(f"{name} of {kernel.name} must be {arrays[name]}, got {array}; rename one of them")
    return {
        "game": game.name,
        "version": __version__,
        "entries": {kernel.name: [*kernel.lengths, *kernel.parameters] for kernel in kernels},
        "arrays": arrays,
        "contents": {name: numbers for kernel in kernels for name, numbers in kernel.contents.items()},
        "bits": {bit.name: int(bit) for bit in Run},
        "rewards": REWARDS,
        "tables": {name: options.rules().tolist() for name, options in tables(game).items()},
    }


def tables(game: GameSpec) -> dict[str, Options]:
    """Return the tables of a game's file: `ruleset/players`, and those of the ladder with different rules."""
    distinct: dict[str, Options] = {}
    sizes = {f"{ruleset}/{n}": {"ruleset": ruleset, "num_players": n} for ruleset in game.rulesets
             for n in game.options.of(ruleset=ruleset).players()}  # fmt: skip
    for name, settings in (sizes | dict(game.tables)).items():
        options = game.options.of(**settings)
        is_duplicate = any((options.rules() == table.rules()).all() for table in distinct.values())
        if options.game_spec is game and not is_duplicate:  # a ruleset with its own spec has its own file
            distinct[name] = options
    return distinct


def missing() -> str | None:
    """Return an error message if a requirement is not installed, or None."""
    packages = [] if shutil.which(LINKER) else ["lld"]
    packages += [package for package in LIBRARIES if _library(package) is None]
    return f"WebAssembly needs LLVM's linker and libraries: apt-get install {' '.join(packages)}" if packages else None


def _library(package: str) -> Path | None:
    return max(Path("/").glob(LIBRARIES[package]), default=None)


def write(path: Path, kernels: Sequence[EntryPoint]) -> None:
    """Write a WebAssembly file that exports its memory and an entry point for each kernel, under the kernel's name.

    All rules are lowered again. RuntimeError with the linker's message if it fails.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(features=FEATURES, opt=2, reloc="static")
    with tempfile.TemporaryDirectory() as folder, atomic(path) as file:
        code = Path(folder) / "code.o"
        code.write_bytes(machine.emit_object(_module(kernels, machine, path.parent)))
        command = [LINKER, "--no-entry", "--stack-first", "--strip-all", "--export=__heap_base", "-o", str(file)]
        command += [f"--export={kernel.name}" for kernel in kernels]
        command += [str(code), *(str(_library(package)) for package in LIBRARIES)]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        if process.returncode != 0:
            raise RuntimeError(f"{LINKER} could not link {path.name}: {process.stderr.strip()}")


def _module(kernels: Sequence[EntryPoint], machine: llvm.TargetMachine, folder: Path) -> llvm.ModuleRef:
    """Return kernels for the target, with external linkage for entry points only and no duplicate functions."""
    linked_module, entries = llvm.parse_assembly(""), {kernel.name for kernel in kernels}
    with report_compilation(kernels, folder, "WebAssembly") as making:
        for kernel in kernels:
            with making(kernel):
                compiled = lower_kernel(kernel)
            module = llvm.parse_assembly(link_kernel(compiled) + _entry(kernel, compiled))
            module.triple, module.data_layout = TRIPLE, str(machine.target_data)
            for part in module.functions:  # names of Numba are unique
                if not part.is_declaration and part.name not in entries:
                    part.linkage = "linkonce_odr"
            linked_module.link_in(module)
    for part in (*linked_module.functions, *linked_module.global_variables):
        if not part.is_declaration and part.name not in entries:
            part.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)  # level 2 does not vectorise loops over observations
    tuning.slp_vectorization = True
    for _ in range(2):  # the second run makes games 6 to 8 % faster
        builder = llvm.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        passes.add_merge_functions_pass()
        passes.run(linked_module, builder)
    check_addresses(str(linked_module))
    return linked_module


def check_addresses(text: str) -> None:
    """Raise ValueError if LLVM IR stores addresses in arrays or structs: offsets were computed for 64-bit addresses."""
    match = ADDRESSES.search(text)
    if match is not None:
        raise ValueError(f"code for WebAssembly must not store addresses, got {match[0].strip()[:120]}")


def _entry(kernel: EntryPoint, compiled: Any) -> str:
    """Return the LLVM IR of an entry point that passes its parameters to Numba's code.

    Numba's parameters of an array: reference counter and parent (null), number of elements, bytes of an element,
    address, shape, and strides in bytes; of a record: its address.
    """
    parameters, arguments = [f"i32 %{length}" for length in kernel.lengths], []
    lines = [f"%{length}.long = zext i32 %{length} to i64" for length in kernel.lengths]

    def product(lengths: Sequence[int | str]) -> str:
        """Return the product of integers and named lengths."""
        number, names = math.prod(x for x in lengths if isinstance(x, int)), [x for x in lengths if isinstance(x, str)]
        if not names:
            return str(number)
        value = f"%{names[0]}.long"
        for factor in (*(f"%{name}.long" for name in names[1:]), *([str(number)] if number != 1 else [])):
            lines.append(f"%product.{len(lines)} = mul i64 {value}, {factor}")
            value = f"%product.{len(lines) - 1}"
        return value

    for part in kernel.parts:
        if part.array is None:
            parameters.append(f"i32 %{part.name}")
            lines.append(f"%{part.name}.long = sext i32 %{part.name} to i64")
            arguments.append(f"i64 %{part.name}.long")
            continue
        address = f"%{part.name}"
        if part.within is None:
            parameters.append(f"ptr {address}")
        else:
            address = f"%view.{len(lines)}"
            lines.append(f"{address} = getelementptr i8, ptr %{part.within.name}, i32 {part.within.offset(part.value)}")
        if isinstance(part.value, np.void):
            arguments.append(f"ptr {address}")
            continue
        size, shape = part.value.itemsize, part.shape
        strides = [product((size, *shape[i + 1 :])) for i in range(len(shape))]
        if not part.value.flags.c_contiguous:  # a column of records
            strides = [str(stride) for stride in part.value.strides]
        lengths = [product([length]) for length in shape]
        arguments += ["ptr null", "ptr null", f"i64 {product(shape)}", f"i64 {size}", f"ptr {address}"]
        arguments += [f"i64 {number}" for number in (*lengths, *strides)]
    is_void = compiled.signature.return_type == types.none
    returned = ["ret void"] if is_void else ["%long = load i64, ptr %result", "%short = trunc i64 %long to i32",
                                              "ret i32 %short"]  # fmt: skip
    return f"""
define {"void" if is_void else "i32"} @{kernel.name}({", ".join(parameters)}) {{
  %result = alloca i64
  %error = alloca ptr
  {BREAK.join(lines)}
  {call_of(compiled, arguments)}
  {BREAK.join(returned)}
}}
"""
