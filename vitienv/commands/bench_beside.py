"""What `vitienv bench` measures of a ruleset beside the usual one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from vitienv.commands.bench import games_under_way

if TYPE_CHECKING:
    from vitienv.core.options import Options

BATCHES = (64, 1024)


def measured(options: Options, seed: int) -> dict[str, list[Callable[[], int]]]:
    """What is measured, by its name: a step of each game at this table and at the usual one with as many seats, each
    returning the decisions taken. Nothing if there is no such table, or it is this one."""
    try:
        usual = options.of(num_players=options.num_players)
    except ValueError:
        return {}
    if usual == options:
        return {}
    found: dict[str, list[Callable[[], int]]] = {}
    for n in BATCHES:
        batches = [games_under_way(table, n, seed) for table in (options, usual)]
        for told, observe in (("mask and observation", True), ("mask", False)):
            name = f"a decision beside one at the usual table, batch of {n}, {told}"
            found[name] = [partial(batch.step_random, observe=observe) for batch in batches]
    return found
