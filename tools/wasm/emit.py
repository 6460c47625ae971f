"""WebAssembly of kernels: the code of the rules as Numba lowered it, optimised and emitted for another machine.

A kernel with all rules below it has no reference counts of its own. Here it gets an entry that takes plain numbers and
addresses, all that is only for Python is dropped, and LLVM, as llvmlite brings it, emits all kernels of a game as one
module for wasm32. `wasm-ld` of LLVM's linker (Debian's package lld) makes a file of it. `docs/wasm.md` tells how to
call it.
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

from vitienv.core.files import atomic
from vitienv.core.game_spec import GameSpec
from vitienv.core.kernel import Run
from vitienv.core.options import REWARDS, Options
from vitienv.core.targets.llvm_modules import BREAK, Array, Kernel, announced, call_of, linked, lowered_for
from vitienv.version import __version__

TRIPLE, FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+sign-ext"
LINKER = "wasm-ld"
# Packages of Debian, and which file of each is linked: exponentials and logarithms, and products of 128 bits.
LIBRARIES = {
    "wasi-libc": "usr/lib/wasm32-wasi/libc.a",
    "libclang-rt-dev-wasm32": "usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a",
}
# What an exception would say is left out: nobody reads it here.
ADDRESSES = re.compile(
    r"^(?!@\.const\.picklebuf).*\b(?:alloca|constant|global) [^\n]*[\[{][^\n\"]*\bptr\b.*$", re.MULTILINE
)


def about(game: GameSpec, kernels: Sequence[Kernel]) -> dict[str, Any]:
    """What a caller must know of a game's file, as plain JSON: what each entry takes, the kind and the shape of each
    array, the contents of some, the bits of `flags`, the names of `reward_kind`, and the `rules` of each table."""
    arrays: dict[str, Array] = {}
    for kernel in kernels:
        for name, array in kernel.parameters.items():
            if array is not None and arrays.setdefault(name, array) != array:
                raise ValueError(f"{name!r} is {arrays[name]} and, for {kernel.name!r}, {array}: call one otherwise")
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
    """The tables of a game's file: `ruleset/players`, and those of the ladder that have other rules."""
    made: dict[str, Options] = {}
    named = {f"{ruleset}/{n}": {"ruleset": ruleset, "num_players": n} for ruleset in game.rulesets
             for n in game.options.of(ruleset=ruleset).players()}  # fmt: skip
    for name, given in (named | dict(game.tables)).items():
        options = game.options.of(**given)
        known = any((options.rules() == other.rules()).all() for other in made.values())
        if options.game_spec is game and not known:  # a ruleset that is a game of its own has its own file
            made[name] = options
    return made


def missing() -> str | None:
    """What is not installed that is needed, in one line, or None."""
    lacks = [] if shutil.which(LINKER) else ["lld"]
    lacks += [package for package in LIBRARIES if _library(package) is None]
    return f"WebAssembly needs LLVM's linker and libraries: apt-get install {' '.join(lacks)}" if lacks else None


def _library(package: str) -> Path | None:
    """The newest that is installed."""
    return max(Path("/").glob(LIBRARIES[package]), default=None)


def write(path: Path, kernels: Sequence[Kernel]) -> None:
    """Write a file of WebAssembly that exports its memory and an entry for each kernel, under the kernel's name.

    All rules are lowered anew. RuntimeError, with the linker's words, if it refuses.
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
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{LINKER} makes no {path.name}: {done.stderr.strip()}")


def _module(kernels: Sequence[Kernel], machine: llvm.TargetMachine, folder: Path) -> llvm.ModuleRef:
    """Kernels for the other machine, with nothing but their entries to be seen from outside. What several call is there
    once."""
    made, entries = llvm.parse_assembly(""), {kernel.name for kernel in kernels}
    with announced(kernels, folder, "WebAssembly") as making:
        for kernel in kernels:
            with making(kernel):
                compiled = lowered_for(kernel)
            module = llvm.parse_assembly(linked(compiled) + _entry(kernel, compiled))
            module.triple, module.data_layout = TRIPLE, str(machine.target_data)
            for part in module.functions:  # Numba gives no two functions one name
                if not part.is_declaration and part.name not in entries:
                    part.linkage = "linkonce_odr"
            made.link_in(module)
    for part in (*made.functions, *made.global_variables):
        if not part.is_declaration and part.name not in entries:
            part.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)  # at 2 loops over what seats see go number by number
    tuning.slp_vectorization = True
    for _ in range(2):  # the second run makes games 6 to 8 % faster
        builder = llvm.create_pass_builder(machine, tuning)
        passes = builder.getModulePassManager()
        passes.add_merge_functions_pass()
        passes.run(made, builder)
    check_addresses(str(made))
    return made


def check_addresses(text: str) -> None:
    """ValueError if code in LLVM's language keeps addresses among other things in memory: where each stands was settled
    for addresses of 64 bits, and here they have 32."""
    found = ADDRESSES.search(text)
    if found is not None:
        raise ValueError(f"addresses in memory would lie elsewhere in WebAssembly: {found[0].strip()[:120]}")


def _entry(kernel: Kernel, compiled: Any) -> str:
    """In LLVM's language, a function that passes on what it is given in the form that Numba's code takes.

    Numba takes an array as: what counts its references and what it is a part of (nothing here), how many numbers it
    has, the bytes of one, its address, its lengths, and for each of these the bytes from one to the next; a record as
    its address.
    """
    taken, passed = [f"i32 %{length}" for length in kernel.lengths], []
    lines = [f"%{length}.long = zext i32 %{length} to i64" for length in kernel.lengths]

    def product(lengths: Sequence[int | str]) -> str:
        """Lengths, in numbers and words, multiplied."""
        number, words = math.prod(x for x in lengths if isinstance(x, int)), [x for x in lengths if isinstance(x, str)]
        if not words:
            return str(number)
        so_far = f"%{words[0]}.long"
        for factor in (*(f"%{word}.long" for word in words[1:]), *([str(number)] if number != 1 else [])):
            lines.append(f"%product.{len(lines)} = mul i64 {so_far}, {factor}")
            so_far = f"%product.{len(lines) - 1}"
        return so_far

    for part in kernel.parts:
        if part.array is None:
            taken.append(f"i32 %{part.name}")
            lines.append(f"%{part.name}.long = sext i32 %{part.name} to i64")
            passed.append(f"i64 %{part.name}.long")
            continue
        at = f"%{part.name}"
        if part.within is None:
            taken.append(f"ptr {at}")
        else:
            at = f"%view.{len(lines)}"
            lines.append(f"{at} = getelementptr i8, ptr %{part.within.name}, i32 {part.within.offset(part.value)}")
        if isinstance(part.value, np.void):
            passed.append(f"ptr {at}")
            continue
        size, shape = part.value.itemsize, part.shape
        steps = [product((size, *shape[i + 1 :])) for i in range(len(shape))]
        if not part.value.flags.c_contiguous:  # a column of records
            steps = [str(step) for step in part.value.strides]
        lengths = [product([length]) for length in shape]
        passed += ["ptr null", "ptr null", f"i64 {product(shape)}", f"i64 {size}", f"ptr {at}"]
        passed += [f"i64 {number}" for number in (*lengths, *steps)]
    gives_nothing = compiled.signature.return_type == types.none
    ends = ["ret void"] if gives_nothing else ["%long = load i64, ptr %result", "%short = trunc i64 %long to i32",
                                              "ret i32 %short"]  # fmt: skip
    return f"""
define {"void" if gives_nothing else "i32"} @{kernel.name}({", ".join(taken)}) {{
  %result = alloca i64
  %error = alloca ptr
  {BREAK.join(lines)}
  {call_of(compiled, passed)}
  {BREAK.join(ends)}
}}
"""
