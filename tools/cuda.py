"""`make test-cuda`: the games as PTX, assembled for some cards without one, and what each kernel takes there."""

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
CARDS = ("sm_75", "sm_80", "sm_90")
ASSEMBLER = "ptxas"
COLUMNS = ("game", "kernel", "ptx_bytes", "card", "cubin_bytes", "registers", "functions", "frame_bytes",
           "all_frames_bytes", "spill_stores_bytes", "spill_loads_bytes")  # fmt: skip
FRAMES = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def main() -> None:
    """Write PTX and cubins of the games that are named, of all by default, and a table of what they take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games; all if none is given")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the files are written")
    parser.add_argument("--csv", type=Path, help="where the table is written; FOLDER/kernels.csv if not given")
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
    """A row for each kernel of some games and each card. The rulesets and tables of a game share its kernels.

    ValueError without an assembler, RuntimeError, with its words, if it refuses.
    """
    from vitienv.core.batch import Batch
    from vitienv.core.compiling.code_cache import print_line
    from vitienv.core.targets import cuda
    from vitienv.core.targets.llvm_modules import announced, kernels_of

    assembler = assembler_at()
    if assembler is None:
        raise ValueError(f"cubins need {ASSEMBLER}, NVIDIA's assembler: pip install nvidia-cuda-nvcc")
    folder.mkdir(parents=True, exist_ok=True)
    for game in games:
        codes: dict[str, Path] = {}
        kernels = kernels_of(Batch(1, game_spec(game).options.of()))
        with announced(kernels, folder) as making:
            for kernel in kernels:
                name = kernel.function.__name__
                codes[name] = folder / f"{game}-{name}.ptx"
                with making(kernel):
                    codes[name].write_text(cuda.ptx(cuda.module(kernel)), encoding="ascii")
        for name, code in codes.items():
            print_line(f"assembling {code.name} for {' and '.join(CARDS)}")
            cubins = {card: code.with_suffix(f".{card}.cubin") for card in CARDS}
            calls = {card: subprocess.Popen([assembler, "-v", "-arch", card, "-o", cubin, code], text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                     for card, cubin in cubins.items()}  # fmt: skip
            for card, call in calls.items():
                output = call.communicate()[0]
                if call.returncode != 0:
                    raise RuntimeError(f"{ASSEMBLER} makes no {cubins[card].name}: {output.strip()[:500]}")
                yield {"game": game, "kernel": name, "ptx_bytes": code.stat().st_size, "card": card,
                       "cubin_bytes": cubins[card].stat().st_size, **taken(output)}  # fmt: skip


def taken(told: str) -> dict[str, int | str]:
    """What a kernel takes, from the assembler's words: its entry is the first function there.

    Spilled bytes are those of all functions. All frames together are the most stack of a thread in which no function
    calls itself.
    """
    frames = [tuple(map(int, numbers)) for numbers in FRAMES.findall(told)]
    registers = REGISTERS.search(told)
    if not frames or registers is None:
        raise RuntimeError(f"{ASSEMBLER} tells nothing of registers and frames: {told.strip()[:500]!r}")
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
    """The assembler's file: in NVIDIA's wheel, whose version is pinned, or on the path."""
    in_wheels = (path for folder in sys.path for path in Path(folder).glob(f"nvidia/*/bin/{ASSEMBLER}"))
    return next(map(str, in_wheels), None) or shutil.which(ASSEMBLER)


if __name__ == "__main__":
    main()
