"""`make wasm`: the compiled loops of the games as WebAssembly, for programs in JavaScript (`docs/wasm.md`)."""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path

from vitienv.core.files import write_json
from vitienv.registry import game_names, game_spec

FOLDER = Path("build/wasm")


def main() -> None:
    """Write the files of the games that are named, of all by default, and print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games; all if none is given")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where a folder for each game is written")
    arguments = parser.parse_args()
    try:
        write(arguments.games or game_names(), arguments.folder)
    except (ValueError, RuntimeError) as error:
        sys.exit(str(error))


def write(games: list[str], folder: Path) -> None:
    """Write the files of some games and of their networks. ValueError in one line if something is not installed, or
    there is no such game."""
    from tools.wasm import bots, emit
    from vitienv.core.batch import Batch
    from vitienv.core.targets.llvm_modules import kernels_of

    if (told := emit.missing()) is not None:
        raise ValueError(told)
    for name in games:
        game = game_spec(name)
        path = folder / name / f"{name}.wasm"
        batch = Batch(1, game.options.of())
        kernels = [*kernels_of(batch), *bots.kernels_of(batch)]
        emit.write(path, kernels)
        write_json(path.with_suffix(".json"), emit.about(game, kernels) | bots.about(game))
        bots.write_networks(game, path.parent)
        code = path.read_bytes()
        print(f"{path}: {len(code) / 1000:.0f} kB, gzipped {len(gzip.compress(code, 9)) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
