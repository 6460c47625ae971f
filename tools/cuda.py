"""Emit the games as PTX and assemble them for several GPUs (`make test-cuda`)."""

from __future__ import annotations

import argparse
import csv
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from vitienv.registry import game_names, game_spec

FOLDER = Path("build/cuda")
ARCHITECTURES = ("sm_75", "sm_80", "sm_90")
ASSEMBLER = "ptxas"
COLUMNS = ("game", "kernel", "ptx_bytes", "architecture", "cubin_bytes", "registers", "functions", "frame_bytes",
           "all_frames_bytes", "spill_stores_bytes", "spill_loads_bytes")  # fmt: skip
FRAMES = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games; all by default")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="output directory")
    parser.add_argument("--csv", type=Path, help="CSV file of the table; by default FOLDER/kernels.csv")
    arguments = parser.parse_args()
    path = arguments.csv or arguments.folder / "kernels.csv"
    try:
        rows = []
        for row in assemble(arguments.games or game_names(), arguments.folder):
            print(", ".join(f"{name} {row[name]}" for name in COLUMNS), flush=True)
            rows.append(row)
        with path.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            table.writerows(rows)
    except (ValueError, RuntimeError) as error:
        sys.exit(str(error))


def assemble(games: list[str], folder: Path) -> Iterator[dict[str, int | str]]:
    """Yield a row per kernel and architecture. The rulesets and tables of a game share its kernels.

    ValueError without an assembler; RuntimeError with its message if it fails.
    """
    from vitienv.core.batch import Batch
    from vitienv.core.compiling.code_cache import print_line
    from vitienv.core.targets import cuda
    from vitienv.core.targets.llvm_modules import kernels_of, report_compilation

    assembler = assembler_at()
    if assembler is None:
        raise ValueError(f"cubins need {ASSEMBLER}, NVIDIA's assembler: pip install nvidia-cuda-nvcc")
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        codes: dict[str, Path] = {}
        kernels = kernels_of(Batch(1, game_spec(game).options.of()))
        with report_compilation(kernels, folder) as making:
            for kernel in kernels:
                name = kernel.function.__name__
                codes[name] = folder / f"{game}-{name}.ptx"
                with making(kernel):
                    codes[name].write_text(cuda.ptx(cuda.module(kernel)), encoding="ascii")
        for kernel_name, code in codes.items():
            print_line(f"assembling {code.name} for {' and '.join(ARCHITECTURES)}")
            cubins = {name: code.with_suffix(f".{name}.cubin") for name in ARCHITECTURES}
            calls = {name: subprocess.Popen([assembler, "-v", "-arch", name, "-o", cubin, code], text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                     for name, cubin in cubins.items()}  # fmt: skip
            for architecture, call in calls.items():
                output = call.communicate()[0]
                if call.returncode != 0:
                    raise RuntimeError(
                        f"{ASSEMBLER} could not assemble {cubins[architecture].name}: {output.strip()[:500]}"
                    )
                yield {"game": game, "kernel": kernel_name, "ptx_bytes": code.stat().st_size,
                       "architecture": architecture, "cubin_bytes": cubins[architecture].stat().st_size,
                       **resources(output)}  # fmt: skip


def resources(output: str) -> dict[str, int | str]:
    """Return the resources of a kernel from the assembler's output, in which the entry point is the first function.

    Spilled bytes are those of all functions. The sum of the frames bounds the stack, as no function is recursive.
    """
    frames = [tuple(map(int, numbers)) for numbers in FRAMES.findall(output)]
    registers = REGISTERS.search(output)
    if not frames or registers is None:
        raise RuntimeError(f"output of {ASSEMBLER} must contain registers and frames, got {output.strip()[:500]!r}")
    frame, stores, loads = (sum(column) for column in zip(*frames))
    return {
        "registers": int(registers[1]),
        "functions": len(frames),
        "frame_bytes": frames[0][0],
        "all_frames_bytes": frame,
        "spill_stores_bytes": stores,
        "spill_loads_bytes": loads,
    }


def assembler_at() -> str | None:
    """Return the path of the assembler in NVIDIA's wheel, or else in PATH."""
    in_wheels = (path for folder in sys.path for path in Path(folder).glob(f"nvidia/*/bin/{ASSEMBLER}"))
    return next(map(str, in_wheels), None) or shutil.which(ASSEMBLER)


if __name__ == "__main__":
    main()
