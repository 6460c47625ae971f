"""Shared libraries of a game's kernels, for `core.compiling.prebuilt`.

Each kernel gets an entry point whose argument is the address of a frame of 64-bit words (see `native.c`). LLVM
optimises all kernels of a game as one module, so that shared rules are optimised once; a C compiler links the object
file.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types

from vitienv.core.compiling.arguments import Argument, KernelSource
from vitienv.core.compiling.prebuilt import SHIM
from vitienv.core.files import atomic, write_json
from vitienv.core.targets.llvm_modules import link_kernel, lower
from vitienv.version import __version__

TRIPLE = "x86_64-unknown-linux-gnu"
LEVELS = ("x86-64-v3", "x86-64")  # the fastest first
SOURCE = Path(__file__).with_suffix(".c")
# Attributes of the processor that Numba lowered for, which would override the target machine's.
PROCESSOR = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
# glibc has newer symbols of these functions, 2.27 or 2.29; the old ones let a library load on older systems.
OLD_SYMBOLS = "\n".join(
    f'module asm ".symver {name},{name}@GLIBC_2.2.5"' for name in ("exp", "exp2", "exp2f", "expf", "log", "logf", "pow")
)
# It frees what reference counts own; kernels own nothing.
DESTRUCTOR = re.compile(r"^declare [^\n]*@NRT_MemInfo_call_dtor\(.*$", re.MULTILINE)
STUB = "define internal void @NRT_MemInfo_call_dtor(ptr %info) {\n  ret void\n}"
BREAK = "\n  "


def build(name: str, sources: Sequence[KernelSource], folder: Path) -> Path:
    """Write a library for each processor level, and their table; returns the path of the table.

    name: name of the library. RuntimeError, with the message of the C compiler, if linking fails.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    module, rows = _module(sources)
    bitcode = module.as_bitcode()
    levels: dict[str, dict[str, str]] = {}
    for level in LEVELS:
        path = folder / f"{name}-{level}.so"
        code = _object(llvm.parse_bitcode(bitcode), level, [row["symbol"] for row in rows])
        levels[level] = {"file": path.name, "sha256": _link(code, path)}
    table = {
        "kind": "prebuilt kernels",
        "version": __version__,
        "library": name,
        "system": sysconfig.get_platform(),
        "shim": build_shim(folder),
        "levels": levels,
        "kernels": rows,
    }
    write_json(folder / f"{name}.json", table)
    return folder / f"{name}.json"


def build_shim(folder: Path) -> str:
    """Compile the extension module that calls kernels; return its SHA-256."""
    path = folder / SHIM
    with atomic(path) as file:
        _compile([f"-I{sysconfig.get_paths()['include']}", "-O2", "-x", "c", str(SOURCE), "-o", str(file)], SHIM)
        return hashlib.sha256(file.read_bytes()).hexdigest()


def signature_of(source: KernelSource) -> tuple[types.Type, ...]:
    """Return Numba's types of a kernel's parameters."""
    return tuple(
        _type_of(arguments[0]) if kind is None else types.NamedTuple([_type_of(part) for part in arguments], kind)
        for _, kind, arguments in source.structure
    )


def _type_of(argument: Argument) -> types.Type:
    element = numba.from_dtype(argument.dtype)
    if not argument.ndim:
        return element
    return types.Array(element, argument.ndim, "C" if argument.is_contiguous else "A")


def _module(sources: Sequence[KernelSource]) -> tuple[llvm.ModuleRef, list[dict[str, Any]]]:
    """Link all kernels without optimisation; returns the module and the table entries of the kernels."""
    module, rows = llvm.parse_assembly(OLD_SYMBOLS), []
    for i, source in enumerate(sources):
        symbol = f"kernel_{i}_{source.function.__name__.lstrip('_')}"
        compiled = lower(source.function, signature_of(source))
        text = DESTRUCTOR.sub(STUB, PROCESSOR.sub("", link_kernel(compiled)))
        lowered_kernel = llvm.parse_assembly(text + _entry(symbol, source, compiled))
        lowered_kernel.triple = TRIPLE
        for part in lowered_kernel.functions:  # Numba gives no two functions one name
            if not part.is_declaration and part.name != symbol:
                part.linkage = "linkonce_odr"
        module.link_in(lowered_kernel)
        returns = compiled.signature.return_type != types.none
        rows.append({"symbol": symbol, **source.row(), "returns": returns})
    return module, rows


def _object(module: llvm.ModuleRef, level: str, symbols: Sequence[str]) -> bytes:
    """Optimise a module for a processor level and emit it."""
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(cpu=level, opt=3, reloc="pic", codemodel="small")
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for part in (*module.functions, *module.global_variables):
        if not part.is_declaration and part.name not in symbols:
            part.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def _link(code: bytes, path: Path) -> str:
    """Link an object file to a library; return its SHA-256."""
    with tempfile.TemporaryDirectory() as scratch, atomic(path) as file:
        (Path(scratch) / "code.o").write_bytes(code)
        _compile(["-Wl,--gc-sections,-z,defs", str(Path(scratch) / "code.o"), "-o", str(file), "-lm"], path.name)
        return hashlib.sha256(file.read_bytes()).hexdigest()


def _compile(arguments: list[str], name: str) -> None:
    compiler = shlex.split(os.environ.get("CC", "cc"))
    command = [*compiler, "-shared", "-fPIC", "-s", "-Wl,--build-id=none", *arguments]
    try:
        process = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise RuntimeError(f"C compiler {compiler[0]!r} not found; set CC") from None
    if process.returncode != 0:
        raise RuntimeError(f"{compiler[0]} cannot build {name}: {process.stderr.strip()[:500]}")


def _entry(symbol: str, source: KernelSource, compiled: Any) -> str:
    # Numba's calling convention: an array is two owners (null), number of items, item size, address, lengths, strides;
    # a record is its address.
    lines: list[str] = []
    passed = ["ptr %frame", "ptr %error"]  # the result is word 0
    word = 0

    def load(kind: str) -> str:
        nonlocal word
        word += 1
        lines.append(f"%at.{word} = getelementptr i64, ptr %frame, i64 {word}")
        lines.append(f"%word.{word} = load {kind}, ptr %at.{word}")
        return f"%word.{word}"

    for argument in source.arguments:
        if argument.ndim is None:
            passed.append(f"i64 {load('i64')}")
            continue
        address = load("ptr")
        if argument.ndim == 0:
            passed.append(f"ptr {address}")
            continue
        lengths = [load("i64") for _ in range(argument.ndim)]
        strides = [load("i64") for _ in range(argument.ndim)]
        count = lengths[0]
        for length in lengths[1:]:
            lines.append(f"%count.{len(lines)} = mul i64 {count}, {length}")
            count = f"%count.{len(lines) - 1}"
        passed += ["ptr null", "ptr null", f"i64 {count}", f"i64 {argument.dtype.itemsize}", f"ptr {address}"]
        passed += [f"i64 {number}" for number in (*lengths, *strides)]
    return f"""
define i32 @{symbol}(ptr %frame) {{
  %error = alloca ptr
  {BREAK.join(lines)}
  %status = call i32 @"{compiled.fndesc.llvm_func_name}"({", ".join(passed)})
  ret i32 %status
}}
"""
