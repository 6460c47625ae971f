"""Compile the games to WebAssembly for JavaScript programs (`make wasm`, `docs/wasm.md`)."""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

from vitienv.core.files import write_json
from vitienv.registry import game_names, game_spec

FOLDER = Path("build/wasm")


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games; all by default")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="output directory")
    arguments = parser.parse_args()
    try:
        write(arguments.games or game_names(), arguments.folder)
    except (ValueError, RuntimeError) as error:
        sys.exit(str(error))


def write(games: list[str], folder: Path) -> None:
    """Write the files of games and networks; print sizes. ValueError for an unknown game or without a requirement."""
    from tools.entry_points import entry_points
    from tools.wasm import bots, emit
    from vitienv.core.batch import Batch

    if (message := emit.missing()) is not None:
        raise ValueError(message)
    for name in games:
        game = game_spec(name)
        path = folder / name / f"{name}.wasm"
        batch = Batch(1, game.options.of())
        kernels = [*entry_points(batch), *bots.entry_points(batch)]
        emit.write(path, kernels)
        write_json(path.with_suffix(".json"), emit.manifest(game, kernels) | bots.manifest(game))
        bots.write_networks(game, path.parent)
        code = path.read_bytes()
        print(f"{path}: {len(code) / 1000:.0f} kB, gzipped {len(gzip.compress(code, 9)) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
