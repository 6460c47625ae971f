"""Prebuilt kernels: shared libraries that `make kernels` builds and wheels contain, called without Numba.

A library is used only if its table matches this process: version, system, processor, hash of the sources, SHA-256 of
library and shim, and argument types, which include a digest of each record dtype. Otherwise the reason is printed to
stderr and Numba compiles the kernel.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from vitienv.core.compiling.arguments import Argument, KernelSource
from vitienv.core.compiling.code_cache import print_line
from vitienv.core.files import read_json
from vitienv.version import __version__

FOLDER = Path(__file__).resolve().parents[2] / "kernels"
SHIM = "shim.abi3.so"


class MissingKernel:
    """Kernel without prebuilt code in an installation without Numba."""

    def __init__(self, function: Callable, refusal: str) -> None:
        self.__name__, self.__wrapped__, self.refusal = function.__name__, function, refusal

    def __call__(self, *_: Any) -> Any:
        """Raise ModuleNotFoundError with the extra that installs Numba."""
        raise ModuleNotFoundError(f"kernel {self.__name__!r} needs Numba, extra 'rules' ({self.refusal})", name="numba")


class Library:
    """Prebuilt kernels of a game. path: table of the library. ValueError if it does not match this process."""

    def __init__(self, path: Path) -> None:
        import sysconfig  # not in browsers

        table = read_json(path)
        shim_path = path.with_name(SHIM)
        _check("version", __version__, table["version"])
        _check("system", sysconfig.get_platform(), table["system"])
        _check(f"SHA-256 of {SHIM}", table["shim"], _sha256(shim_path))
        self.shim = _load_shim(shim_path)
        supported = self.shim.levels()
        level = next((level for level in table["levels"] if level in supported), None)
        if level is None:
            raise ValueError(f"processor must support one of {', '.join(table['levels'])}, got {', '.join(supported)}")
        code, self.level = path.with_name(table["levels"][level]["file"]), level
        _check(f"SHA-256 of {code.name}", table["levels"][level]["sha256"], _sha256(code))
        self.rows: dict[str, Mapping[str, Any]] = {row["name"]: row for row in table["kernels"]}
        self.addresses = _addresses(code, [row["symbol"] for row in table["kernels"]])

    def kernel(self, source: KernelSource) -> Any:
        """Return a kernel. ValueError if its table entry does not match."""
        row = self.rows.get(source.name)
        if row is None:
            raise ValueError(f"the table must contain kernel {source.name!r}")
        for key, value in source.row().items():
            _check(f"{key} of {source.name}", value, row[key])
        address, arguments = self.addresses[row["symbol"]], tuple(map(_pack, source.arguments))
        return self.shim.Kernel(source.function, address, row["returns"], arguments)


def find(source: KernelSource) -> tuple[Any, str]:
    """Return a prebuilt kernel and "", or None and the reason. The first reason of each library is printed."""
    if source.types is None:
        return None, "the kernel is not prebuilt"
    library = _library(source.library)
    if library is None:
        return None, f"prebuilt library {source.library!r} does not exist in {FOLDER}"
    if isinstance(library, str):
        return None, library
    try:
        return library.kernel(source), ""
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return None, _refuse(source.library, error)


def contains(folder: Path) -> bool:
    """Return whether a library has kernels for the sources of a cache directory."""
    library = _library(folder.name.partition("-")[0])
    return isinstance(library, Library) and any(row["folder"] == folder.name for row in library.rows.values())


def level(name: str) -> str | None:
    """Return the processor level of a library; None if the library is not used."""
    library = _library(name)
    return library.level if isinstance(library, Library) else None


@cache
def _library(name: str) -> Library | str | None:
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        return None
    try:
        return Library(path)
    except (ValueError, KeyError, TypeError, AttributeError, OSError, ImportError) as error:
        return _refuse(name, error)


def _addresses(code: Path, symbols: Iterable[str]) -> dict[str, int | None]:
    import ctypes  # not in browsers

    library = ctypes.CDLL(str(code))
    return {symbol: ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value for symbol in symbols}


@cache
def _load_shim(path: Path) -> Any:
    spec = spec_from_file_location("shim", path, loader=ExtensionFileLoader("shim", str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} cannot be loaded")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_refused: set[str] = set()


def _refuse(name: str, error: Exception) -> str:
    refusal = f"prebuilt kernels of {name} are not used: {error}"
    if name not in _refused:
        _refused.add(name)
        print_line(refusal)
    return refusal


def _pack(argument: Argument) -> tuple[str, int, int, bool]:
    return argument.kind, argument.dtype.itemsize, argument.ndim or 0, argument.is_contiguous


def _check(name: str, expected: Any, value: Any) -> None:
    if value != expected:
        raise ValueError(f"{name} must be {expected!r}, got {value!r}")


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
