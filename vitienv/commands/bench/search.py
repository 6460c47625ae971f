"""What `vitienv bench` measures of searches: at the tables of a game, without a network, with a new one, and with the
champion."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from vitienv.agents import Views
from vitienv.agents.network import Network
from vitienv.agents.search.agent import IsmctsAgent
from vitienv.agents.search.networks import NetworkEvaluator
from vitienv.commands.bench.network import drawn_weights, games_of_rules
from vitienv.commands.bench.timing import rates, value
from vitienv.core.batch import Batch
from vitienv.games import known_as

if TYPE_CHECKING:
    from vitienv.core.definition import Definition
    from vitienv.core.options import Options

POSITIONS, LEAST_LEGAL = 16, 4
SIMULATIONS = 256
WIDTH = 128


def measure(options: Options, runs: int, seconds: float, seed: int) -> list[dict[str, Any]]:
    """Simulations of searches at every table of the game, on one core."""
    rows = []
    for name, once in _calls(options.definition, seed).items():
        once()
        rows.append(value(name, "simulations/s", rates(once, runs, seconds)))
    return rows


def _calls(made: Definition, seed: int) -> dict[str, Callable[[], int]]:
    """What is measured, by its name: each call searches one position, the next one every time, and returns the
    simulations made."""
    game = known_as(made)
    network = Network(drawn_weights(made, WIDTH, seed), {"architecture": {"blocks": 2, "lead": 0.0}}, made)

    def bare(playout: str) -> IsmctsAgent:
        return IsmctsAgent(SIMULATIONS, playout=playout, prior="uniform", seed=seed, game=game)

    guided = IsmctsAgent(SIMULATIONS, explore=5.0, trust=30.0, slope=0.02, cut=1000.0, seed=seed, game=game)
    bots = {
        "no network, nothing played out": bare("none"),
        f"network of width {WIDTH}, weights drawn": guided.use_network(NetworkEvaluator(network)),
    }
    if made.champions is not None:
        bots["champion, nothing played out"] = IsmctsAgent(
            SIMULATIONS, policy="champion", playout="none", root="puct", seed=seed, game=game
        )
        bots["champion, the usual settings"] = IsmctsAgent(SIMULATIONS, policy="champion", seed=seed, game=game)
    only_first = {
        "no network, played out at random": bare("random"),
        "no network, the usual settings": IsmctsAgent(SIMULATIONS, seed=seed, game=game),
    }
    calls = {}
    for table, settings in made.tables.items():
        batch = games_of_rules(made.options.of(**settings).with_(skip_forced=True), seed)
        rows = np.flatnonzero(batch.masks.sum(axis=1) >= min(LEAST_LEGAL, batch.masks.shape[1]))
        rows = rows[:: max(1, len(rows) // POSITIONS)]
        for name, bot in (bots | only_first).items():
            calls[f"search, table {table}, {name}"] = _searching(bot, batch, rows)
        only_first = {}
    return calls


def _searching(bot: IsmctsAgent, batch: Batch, rows: np.ndarray) -> Callable[[], int]:
    views, next_row = Views(batch, np.arange(len(batch))), cycle(rows.tolist())

    def search() -> int:
        """Search the next position to which the prior leaves more than one action."""
        simulations = 0
        while simulations == 0:
            simulations = bot.look(batch.obs, batch.masks, views, next(next_row)).simulations
        return simulations

    return search
