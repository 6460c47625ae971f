"""Upper bound of the value of beliefs about opponents' hands in search.

    python studies/belief_ceiling.py --simulations 32 --seeds 100 --seed 301

Two searches with equal settings play each other in both seats of every seed. One determinizes the opponent's cards, the
other sees the real hands. Decks and future chance are resampled in both. Prints the wins of the second search after
each batch of seeds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vitienv.agents.protocol import GameViews
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.seeding import game_seeds
from vitienv.core.batch import Batch
from vitienv.core.compiling.jit import jit
from vitienv.core.search.simulate import SearchKernels
from vitienv.registry import game_spec
from vitienv.training.evaluation.ladder import options_of, part_of_seeds
from vitienv.training.evaluation.sprt import Sprt
from vitienv.training.intervals import mean

AT_ONCE = 8  # seeds between two lines


@jit
def redeal_chance(g, viewer, key0, key1):
    """Replace `core.kernel.redeal`: resample future chance and keep the hands."""
    g.key[0] = key0
    g.key[1] = key1
    for stream in range(len(g.chance)):
        g.chance[stream] = 0


class Shown(GameViews):
    """Game views whose copies keep the hands of all seats."""

    def deal(self, i: int, keys: np.ndarray, out: Batch | None = None) -> Batch:
        """Return copies like `GameViews.deal`, with the real hands."""
        out = Batch(len(keys), self._batch.options) if out is None else out
        out.bytes_view[:] = self._batch.bytes_view[int(self._rows[i])]
        out.games["key"] = keys
        out.games["chance"] = 0
        return out


class Seer(IsmctsAgent):
    """Search that sees the real hands."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        kernels = self.table.kernels
        names = dict(kernels.names) | {"redeal": redeal_chance}
        folder = kernels.folder.with_name(f"{kernels.folder.name}-shown")
        self._searching: SearchKernels = self.table.build_search(replace(kernels, names=names, folder=folder))

    def search_rows(
        self, observations: np.ndarray, masks: np.ndarray, games: GameViews | None, rows: np.ndarray, *others: Any,
        **kwargs: Any,
    ) -> list[Any]:  # fmt: skip
        """Search like `IsmctsAgent.search_rows` with another kernel and other views."""
        assert games is not None
        searching = vars(self.table).get("searching")
        vars(self.table)["searching"] = self._searching
        try:
            views = Shown(games._batch, games._rows)
            return super().search_rows(observations, masks, views, rows, *others, **kwargs)
        finally:
            vars(self.table).pop("searching")
            if searching is not None:
                vars(self.table)["searching"] = searching


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--policy", default="champion", help="the network of both")
    parser.add_argument("--table", default="2")
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=301)
    args = parser.parse_args(arguments)
    settings: dict[str, Any] = {"simulations": args.simulations, "policy": args.policy, "seed": args.seed}
    bots, options = [Seer(**settings), IsmctsAgent(**settings)], options_of(args.table, game_spec())
    samples: list[float] = []
    for low in range(0, args.seeds, AT_ONCE):
        numbers = range(low, min(low + AT_ONCE, args.seeds))
        seeds = game_seeds(args.seed, numbers)
        samples += part_of_seeds(bots, [bot.name for bot in bots], seeds, options)["samples"]
        values, even = np.array(samples), 1 / options.num_players
        middle, half = mean(values)
        print(json.dumps({
            "seeds": len(values), "won": round(even + middle, 4),
            "interval": [round(even + middle + end, 4) for end in (-half, half)],
            "log_ratio for 0.05": round(Sprt().log_ratio(values, options.num_players), 3),
            "verdict": Sprt().verdict(values, options.num_players),
        }), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
