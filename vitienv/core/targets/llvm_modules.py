"""A kernel and all rules below it as Numba lowered them, linked and not optimised: for machines that this one's vectors
and unrolled loops would not suit.

Of its own, Numba optimises for the processor that it runs on. Kept code is of no use here, so all rules are typed and
lowered anew, which takes most of the time of a first compilation.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import jit, typeof
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.event import trigger_event
from numba.core.typed_passes import AnnotateTypes

from vitienv.core.batch import ARRAYS, Batch
from vitienv.core.compiling.code_cache import can_keep
from vitienv.core.compiling.dispatchers import KERNEL_PIPELINE, OUTER, kernel_dispatcher
from vitienv.core.compiling.link import IntoRuleLibrary, KernelLibrary, RuleLibrary
from vitienv.core.compiling.numba_extensions import COMPILATION
from vitienv.core.compiling.progress import WATCH
from vitienv.core.compiling.static_checks import plain
from vitienv.core.kernel import LOOPS

BREAK = "\n  "
GAMES = "n"  # how many games: the first length of most arrays
Array = tuple[str, tuple[int | str, ...]]  # of what kind its numbers are, as NumPy writes it, and its lengths
# Counting references of arrays: an entry's arrays have none.
COUNTS = re.compile(r"^(define [^\n]*@NRT_(?:incref|decref)\([^\n]*\{\n).*?^\}", re.DOTALL | re.MULTILINE)
MACHINE = re.compile(r"^target .*\n", re.MULTILINE)  # what it was compiled for
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
    """A compiled kernel and what it is called with: whole numbers, arrays, records and named tuples of arrays.

    shapes: of arrays that have no row for each game, by name. A length may be a word: the caller says how long that is.
    names: what a caller knows by another name than the kernel; a named tuple's parts follow it, after a dot. filled:
    arrays that have their numbers from here.
    """

    function: Any
    arguments: Mapping[str, Any]
    shapes: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    filled: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What its entry is called."""
        return self.function.__name__.lstrip("_")

    @cached_property
    def parts(self) -> list[Part]:
        """The kernel's arguments, in order."""
        listed: list[Part] = []
        for name, value in _flat(self.arguments):
            root, dot, rest = name.partition(".")
            shape: tuple[int | str, ...] = ()
            if isinstance(value, np.ndarray):
                shape = self.shapes.get(name, (GAMES, *value.shape[1:]))
            within = next((part for part in listed if part.holds(value)), None)
            listed.append(Part(self.names.get(root, root) + dot + rest, value, shape, within))
        return listed

    @property
    def lengths(self) -> list[str]:
        """The lengths that a caller says, in order: the entry takes them first."""
        found = {length: None for part in self.parts for length in part.shape if isinstance(length, str)}
        return list(found)

    @property
    def parameters(self) -> dict[str, Array | None]:
        """What its entry takes besides the lengths, in order; None for a whole number. Another view of an array's
        memory is the same parameter."""
        return {part.name: part.array for part in self.parts if part.within is None}

    @property
    def contents(self) -> dict[str, list[int]]:
        """The numbers of arrays that are filled from here, as a caller knows these."""
        flat = dict(zip((name for name, _ in _flat(self.arguments)), self.parts))
        filled = {flat[name].name: flat[name].value for name in self.filled}
        return {name: np.frombuffer(value.tobytes(), np.uint8).tolist() for name, value in filled.items()}


@dataclass(frozen=True)
class Part:
    """A number, a record or an array that a kernel is called with. within: the one in whose memory it is a view."""

    name: str
    value: Any
    shape: tuple[int | str, ...]
    within: Part | None

    @property
    def array(self) -> Array | None:
        """The kind and the lengths of its numbers; None for a whole number."""
        if not isinstance(self.value, np.ndarray | np.void):
            return None
        if self.value.dtype.names is not None:
            return "u1", (*self.shape, self.value.dtype.itemsize)
        return self.value.dtype.str[1:], self.shape

    def holds(self, other: Any) -> bool:
        """Whether another array begins in the memory of this one."""
        arrays = isinstance(self.value, np.ndarray) and isinstance(other, np.ndarray)
        return arrays and 0 <= self.offset(other) < self.value.nbytes and other.size > 0

    def offset(self, other: np.ndarray) -> int:
        """Where, in bytes."""
        return other.ctypes.data - self.value.ctypes.data


def _flat(arguments: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """All arguments by name, those of named tuples after a dot."""
    found: list[tuple[str, Any]] = []
    for name, value in arguments.items():
        inner = {f"{name}.{part}": own for part, own in value._asdict().items()} if isinstance(value, tuple) else None
        found += [(name, value)] if inner is None else inner.items()
    return found


def kernels_of(batch: Batch) -> list[Kernel]:
    """The loops of a batch's game, with the arrays of the batch; ValueError where rules are interpreted."""
    named = {name: getattr(batch, name) for name in ("bytes_view", "int16_view", "rules", *ARRAYS)}
    named |= {"games": batch.records, "viewers": np.zeros(len(batch), np.int8)}
    named |= {"what": 0, "reward_kind": batch.reward_number}
    made = []
    for name in LOOPS:
        function = getattr(batch.kernels, name)
        made.append(Kernel(function, {name: named[name] for name in names_of(function)}, {"rules": batch.rules.shape}))
    return made


def names_of(function: Any) -> list[str]:
    """What a compiled function calls its arguments. ValueError where it is not compiled."""
    if not hasattr(function, "py_func"):
        raise ValueError("rules are interpreted (NUMBA_DISABLE_JIT=1), so there is no compiled code to emit")
    return list(inspect.signature(function.py_func).parameters)


class LoweredLibrary(KernelLibrary, RuleLibrary):
    """The code of a kernel and of every rule function below it, as it was lowered."""

    def finalize(self) -> None:
        """Link, and neither optimise nor emit machine code."""
        for library in self._linking_libraries:
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class IntoLoweredLibrary(IntoRuleLibrary):
    """Lower into a `LoweredLibrary` and ask for no machine code."""

    _name = "into_lowered_library"
    library = LoweredLibrary


class LoweredPipeline(CompilerBase):
    """Numba's pipeline, stopped after lowering and linking."""

    def define_pipelines(self) -> list:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(IntoLoweredLibrary, AnnotateTypes)
        passes.finalize()
        return [passes]


def is_linked() -> bool:
    """Whether our own pipeline compiles kernels, and not Numba's."""
    return bool(KERNEL_PIPELINE)


def lowered_for(kernel: Kernel) -> Any:
    """`lowered` for the types of a kernel's arguments."""
    return lowered(plain(kernel.function), tuple(typeof(value) for value in kernel.arguments.values()))


def lowered(function: Any, kinds: tuple[Any, ...]) -> Any:
    """Lower a kernel's function for arguments of these types. Numba's own pipeline, if asked for, optimises it too."""
    if not is_linked():
        kernel = kernel_dispatcher(function)
        kernel.compile(kinds)
        return kernel.overloads[kinds]
    options = OUTER | {"no_cpython_wrapper": True, "pipeline_class": LoweredPipeline}
    return jit(**options)(function)._compiler.compile(kinds, None)


class _Making:
    """A kernel that is made for another machine, as `Watch` knows kernels: neither ready nor kept."""

    signatures = ()

    def __init__(self, function: Any) -> None:
        self.py_func, self._cache = plain(function), self

    def is_kept(self) -> bool:
        """Never: what is kept is not announced for long."""
        return False


_making = cache(_Making)


@contextmanager
def announced(
    kernels: Sequence[Kernel], folder: Path, part: str = "the engine for a card"
) -> Iterator[Callable[[Kernel], Any]]:
    """Tell of what is made of some kernels meanwhile as of one compilation. folder: where it will be kept.

    Gives what a `with` takes while one of them is made.
    """
    for kernel in kernels:
        WATCH.add(_making(kernel.function), part, is_linked(), lambda: can_keep(folder))
    with WATCH.together([_making(kernel.function) for kernel in kernels]):
        yield lambda kernel: trigger_event(COMPILATION, data={"dispatcher": _making(kernel.function)})


def linked(compiled: Any) -> str:
    """A kernel with all rules below it, in LLVM's language, for whatever machine, and without counts of references."""
    text = str(compiled.library._get_module_for_linking())
    text = COUNTS.sub(r"\1  ret void\n}", MACHINE.sub("", text))
    text += "\ndeclare void @llvm.trap()\n"
    return text.replace("\ndeclare i64 @strlen(", f"{STRLEN}\ndeclare i64 @strlen.of.c(")


def call_of(compiled: Any, passed: Sequence[str]) -> str:
    """In LLVM's language, a call of Numba's code, which leaves a number at %result. If it raises, the program ends."""
    return f"""%status = call i32 @"{compiled.fndesc.llvm_func_name}"(ptr %result, ptr %error, {", ".join(passed)})
  %is_good = icmp eq i32 %status, 0
  br i1 %is_good, label %good, label %bad
bad:
  call void @llvm.trap()
  unreachable
good:"""
