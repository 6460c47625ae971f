"""Build prebuilt kernels of the games for x86-64 Linux in `vitienv/kernels` (`make kernels`)."""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

from vitienv.core.compiling.arguments import KernelSource
from vitienv.core.compiling.prebuilt import FOLDER, SHIM, Library
from vitienv.core.files import read_json
from vitienv.registry import game_names, game_spec

NETWORKS = "networks"  # library of kernels independent of games
PROCESSES = 2


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="libraries: names of games, or networks; by default all")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="directory of the libraries")
    arguments = parser.parse_args()
    names = arguments.names or [NETWORKS, *game_names()]
    try:
        build_all(names, arguments.folder)
    except (ValueError, RuntimeError) as error:
        sys.exit(str(error))


def build_all(names: list[str], folder: Path) -> None:
    """Build libraries in two processes, the slowest game first."""
    from tools.native import build_shim

    folder.mkdir(parents=True, exist_ok=True)
    build_shim(folder)
    slowest_first = sorted(names, key=lambda name: (name == NETWORKS, -_work(name)))
    with ProcessPoolExecutor(min(PROCESSES, len(names)), max_tasks_per_child=1) as pool:
        for line in pool.map(build_one, slowest_first, [folder] * len(names)):
            print(line, flush=True)
    shim = (folder / SHIM).read_bytes()
    print(f"{SHIM}: {len(shim) / 1000:.0f} kB, gzipped {len(gzip.compress(shim, 9)) / 1000:.0f} kB")


def build_one(name: str, folder: Path) -> str:
    """Build a library; return a line with sizes and processor time."""
    from tools import native
    from tools.header import header

    sources = kernels_of(name)
    table = folder / f"{name}.json"
    if is_current(table, sources):
        return f"{table.name}: up to date"
    native.build(name, sources, folder)
    if name != NETWORKS:
        symbols = {row["name"].rpartition(".")[2]: row["symbol"] for row in read_json(table)["kernels"]}
        (folder / f"{name}.h").write_text(header(game_spec(name), name, symbols), encoding="utf-8")
    sizes = []
    for path in sorted(folder.glob(f"{name}-*.so")):
        code = path.read_bytes()
        sizes.append(f"{path.name} {len(code) / 1000:.0f} kB, gzipped {len(gzip.compress(code, 9)) / 1000:.0f} kB")
    return f"{table.name}: {len(sources)} kernels; {'; '.join(sizes)}; {time.process_time():.0f} s of processor time"


def is_current(table: Path, sources: Sequence[KernelSource]) -> bool:
    """Return whether a library exists that fits the kernels."""
    try:
        library = Library(table)
        return len(library.rows) == len(sources) and all(library.kernel(source) for source in sources)
    except (ValueError, KeyError, OSError):
        return False


def kernels_of(name: str) -> list[KernelSource]:
    """Return all kernels of a library: engine, bots and search of a game, or those of networks."""
    import vitienv.core.networks.sparse  # noqa: F401  registers its kernels
    from vitienv.agents.registry import load_agents
    from vitienv.core.compiling.jit import KERNELS

    if name != NETWORKS:
        game = game_spec(name)
        load_agents(game)
        _ = game.searching, game.text_module, import_module(game.positions)
    return [source for source in KERNELS if source.library == name and source.types is not None]


def _work(name: str) -> int:
    return 0 if name == NETWORKS else game_spec(name).actions.n


if __name__ == "__main__":
    main()
